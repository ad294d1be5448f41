"""After the end `all` shows what nobody has seen: every hand, the whole event, and the deck with its top first."""

import random

import pytest

from domain.beans import Bean
from domain.events import CardsDealt, CardsDrawn, CardsRevealed, DeckShuffled, decode_event
from infra.memory.event_store import MemoryEventStore
from tests.domain.editions import Setup
from tests.services.games.tables import Table, World, new_id, next_move, wire
from tests.services.replay.looking_back import links, step
from tests.services.replay.test_hidden import dealt

EDITIONS = [Setup("classic", 2), Setup("classic", 3), Setup("amigo_2023", 4), Setup("new_beans", 6)]


async def ended(setup: Setup) -> tuple[World, Table]:
    world = World([MemoryEventStore()])
    games = world.process()
    table = await dealt(games, setup)
    chance = random.Random(str(setup))
    while await next_move(table, [games], chance) is not None:
        pass
    return world, table


@pytest.mark.parametrize("setup", EDITIONS, ids=str)
async def test_everything_is_shown_at_every_step_of_a_game_that_is_over(setup: Setup) -> None:
    world, table = await ended(setup)
    stranger = new_id()
    deck: list[Bean] = []
    drawn = 0
    hands: dict[int, dict[int, Bean | None]] = {seat: {} for seat in range(setup.players)}
    for record in await world.store.read(table.game):
        found = await step(world, table.game, stranger, record.version, "all")
        event = decode_event(record.payload)
        assert found.event == event
        assert found.actions == []
        assert found.view.viewer is None
        # By hand: what a shuffle lays down is there from its top on, and what is drawn comes off the top.
        if isinstance(event, DeckShuffled):
            assert event.beans is not None
            deck = list(event.beans)
        elif isinstance(event, CardsDealt | CardsDrawn | CardsRevealed):
            count = len(event.cards)
            assert [card.bean for card in event.cards] == deck[:count]
            deck = deck[count:]
            drawn += count
            if not isinstance(event, CardsRevealed):
                hands[event.seat].update((card.card, card.bean) for card in event.cards)
        assert found.deck == deck
        assert found.view.deck_size == len(deck)
        for seat in found.view.seats:
            assert seat.hand is not None
            assert len(seat.hand) == seat.hand_size
            # Every card of a hand is one that this seat has drawn, and in that order.
            held = [(card.card, card.bean) for card in seat.hand]
            assert held == [drawn_card for drawn_card in hands[seat.seat].items() if drawn_card in held]
    assert drawn > 60


async def test_after_the_end_anybody_sees_from_every_seat_what_its_player_sees() -> None:
    world, table = await ended(Setup("classic", 3))
    last = await world.version(table.game)
    chance = random.Random(1)
    for version in [1, last, *(chance.randint(1, last) for _ in range(60))]:
        for seat, player in enumerate(table.players):
            own = await step(world, table.game, player, version)
            for other in (table.players[seat - 1], new_id()):
                assert wire(await step(world, table.game, other, version, seat)) == wire(own)
        looking_on = await step(world, table.game, new_id(), version)
        assert wire(await step(world, table.game, table.players[0], version, "spectator")) == wire(looking_on)


async def test_the_seed_is_told_at_the_last_step_and_at_none_before_it() -> None:
    world, table = await ended(Setup("classic", 2))
    secrets = await world.store.secrets(table.game)
    assert secrets is not None
    last = await world.version(table.game)
    for version in range(1, last + 1):
        for viewpoint in (0, 1, "spectator", "all"):
            told = wire(await step(world, table.game, table.players[0], version, viewpoint))
            assert (secrets.seed.hex().encode() in told) == (version == last)


async def test_everything_has_the_links_of_everything() -> None:
    world, table = await ended(Setup("classic", 2))
    found = await step(world, table.game, new_id(), 5, "all")
    assert links(found)["next"] == 6
    assert found.links.next is not None
    assert found.links.next.href == f"/v1/games/{table.game}/replay?version=6&as=all"
