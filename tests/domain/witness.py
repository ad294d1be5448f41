"""Follows a game event by event beside the one that is played, by everything that must hold of any history: the
stored bytes, the referee, every viewer, and the numbers of the cards."""

from msgspec import json

from domain.actions import actions
from domain.beans import Bean
from domain.events import CardsDealt, CardsDrawn, CardsRevealed, CardsSwept, Event, decode_event, encode_event
from domain.evolve import evolve, fold, initial
from domain.redaction import redact
from domain.referee import Referee
from domain.state import State
from tests.domain.alternatives import seen_by
from tests.domain.conservation import check_conserved, numbered_cards
from tests.domain.scenario import content


class Witness:
    """Sees every event once, in order, with who acted; complains by an AssertionError."""

    def __init__(self, game: str, players: int, seed: bytes) -> None:
        self.game = game
        self.folded = initial(game)
        """What the stored bytes add up to."""
        self.history: list[Event] = []
        self.viewers: list[int | None] = [*range(players), None]
        self.told: dict[int | None, list[bytes]] = {viewer: [] for viewer in self.viewers}
        """What each viewer was sent."""
        self._stored: list[bytes] = []
        self._clients: dict[int | None, State] = {viewer: initial(game) for viewer in self.viewers}
        self._referee = Referee(game, seed=seed)
        self._kinds: dict[int, Bean | None] = {}

    def see(self, actor: int, event: Event) -> None:
        """The next event; that seat acted."""
        payload = encode_event(event)
        self.history.append(event)
        self._stored.append(payload)
        evolve(self.folded, decode_event(payload))
        fault = self._referee.check(len(self.history), actor, event)
        assert fault is None, fault
        self._check_numbers(event)
        if self.folded.shuffles:
            check_conserved(self.folded)
        for number, bean in numbered_cards(self.folded):
            assert self._kinds[number] == bean, f"card {number} was another kind before"
        for viewer, client in self._clients.items():
            sent = encode_event(redact(event, viewer))
            self.told[viewer].append(sent)
            evolve(client, decode_event(sent))

    def compare(self, live: State) -> None:
        """Between two commands: everybody has the same game before them, as far as they may see it."""
        assert content(self.folded) == content(live), "the stored history gives another state"
        stop = self._referee.finish(running=True)
        assert stop is None, stop
        for viewer, client in self._clients.items():
            hidden = [seat.hand for index, seat in enumerate(client.seats) if index != viewer]
            assert not any(any(hand.values()) for hand in hidden), "the hand of another was told"
            assert not any(client.deck), "the deck was told"
            assert seen_by(client, viewer) == seen_by(live, viewer), "the events sent give another view"
            if viewer is not None:
                listed = json.encode(actions(live, viewer))
                assert json.encode(actions(self.folded, viewer)) == listed, "the stored history allows something else"

    def close(self, live: State) -> None:
        """No event was changed after it had been stored, and the whole history is the game."""
        assert [encode_event(event) for event in self.history] == self._stored, "a stored event has changed"
        assert content(fold(self.game, map(decode_event, self._stored))) == content(live)
        if live.is_over:
            fault = self._referee.finish()
            assert fault is None, fault

    def _check_numbers(self, event: Event) -> None:
        """Every card that leaves a pile gets the next number, and so none gets one that was used before."""
        if isinstance(event, CardsDealt | CardsDrawn | CardsRevealed | CardsSwept):
            first = len(self._kinds) + 1
            numbers = [card.card for card in event.cards]
            assert numbers == [*range(first, first + len(numbers))], f"{numbers} follow {first - 1}"
            self._kinds.update({card.card: card.bean for card in event.cards})
