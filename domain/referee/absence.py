"""Clocks and seats that somebody else plays (design, "State, commands, events"; rules, D-23)."""

from domain.events import ClockExpired, SeatHandedOver, SeatReclaimed
from domain.referee.fault import Wrong
from domain.referee.tabletop import Place, Tabletop


def clock_expired(top: Tabletop, actor: int | None, event: ClockExpired) -> None:
    """Only the server watches the clock, and only where the game has one."""
    _place(top, event.seat, "A clock")
    top.only(None, actor, "lets a clock run out")
    if not top.has_clock:
        raise Wrong("out_of_place", "The game is played without a clock.")


def handed_over(top: Tabletop, actor: int | None, event: SeatHandedOver) -> None:
    """The server, or the player himself, lets a policy play on."""
    place = _place(top, event.seat, "Handing over")
    if actor is not None:
        top.only(event.seat, actor, "hands over a seat")
    if place.policy is not None:
        raise Wrong("out_of_place", f"A policy plays seat {event.seat} already.")
    place.policy = event.policy
    place.away = True


def reclaimed(top: Tabletop, actor: int | None, event: SeatReclaimed) -> None:
    """The player is back."""
    place = _place(top, event.seat, "Coming back")
    top.only(event.seat, actor, "comes back")
    if not place.away:
        raise Wrong("out_of_place", f"Seat {event.seat} was never handed over.")
    place.policy = None
    place.away = False


def _place(top: Tabletop, seat: int, what: str) -> Place:
    top.in_play(what)
    if not 0 <= seat < len(top.places):
        raise Wrong("wrong_actor", f"There is no seat {seat}.")
    return top.places[seat]
