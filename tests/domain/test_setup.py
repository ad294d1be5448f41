"""The table before the first turn: edge cases 80 to 82 of the rules, section 12, and the deal."""

from collections import Counter
from typing import Final

import msgspec
import pytest

from domain.events import CardsDealt, DeckShuffled, GameStarted, Options, TurnStarted, encode_event
from domain.lobby import create
from domain.redaction import redact
from domain.rulesets import RULESETS, table_for
from domain.views import view
from tests.domain.editions import SETUPS, Setup
from tests.domain.play import SEED, begun, started

KINDS: Final = {
    "coffee": 24,
    "wax": 22,
    "blue": 20,
    "chili": 18,
    "stink": 16,
    "green": 14,
    "soy": 12,
    "black_eyed": 10,
    "red": 8,
    "garden": 6,
    "cocoa": 4,
}

# players: removed, cards in play, hands from the starting player on, deck after dealing, fields, price, draw, end
TABLE: Final[dict[int, tuple[tuple[str, ...], int, tuple[int, ...], int, int, int | None, int, int]]] = {
    2: (("garden", "cocoa"), 144, (5, 5), 134, 2, 3, 2, 1),
    3: (("cocoa",), 150, (5, 5, 5), 135, 3, None, 3, 2),
    4: (("coffee",), 130, (5, 5, 5, 5), 110, 2, 3, 3, 3),
    5: (("coffee",), 130, (5, 5, 5, 5, 5), 105, 2, 3, 3, 3),
    6: (("cocoa", "garden"), 144, (3, 4, 5, 6, 6, 6), 114, 2, 2, 4, 3),
    7: (("cocoa", "garden"), 144, (3, 4, 5, 6, 6, 6, 6), 108, 2, 2, 4, 3),
}


def seed_that_starts(players: int, seat: int) -> bytes:
    """The first of a row of seeds by which that seat begins."""
    seeds = (number.to_bytes(32, "big") for number in range(1000))
    return next(seed for seed in seeds if started(players, seed=seed).state.start_seat == seat)


@pytest.mark.parametrize("players", TABLE)
def test_80_the_table_for_every_number_of_players(players: int) -> None:
    """Deck composition and sizes of the table for 2..7 players."""
    removed, cards, hands, deck, fields, price, draw, final_exhaustion = TABLE[players]
    table = table_for("classic", players)
    assert table.deck == {kind: count for kind, count in KINDS.items() if kind not in removed}
    assert table.cards == cards == sum(table.deck.values())
    assert table.hand_sizes == hands
    assert (table.fields, table.field_price) == (fields, price)
    assert (table.draw, table.final_exhaustion) == (draw, final_exhaustion)
    state = started(players).state
    assert len(state.deck) == deck == cards - sum(hands)
    assert [len(seat.fields) for seat in state.seats] == [fields] * players
    assert not state.discard
    assert not any(seat.coins for seat in state.seats)


@pytest.mark.parametrize("players", [-1, 0, 1, 8, 100])
def test_80_fewer_or_more_players_are_rejected(players: int) -> None:
    """1 and 8 players rejected."""
    with pytest.raises(ValueError, match=f"not by {players}"):
        table_for("classic", players)
    with pytest.raises(ValueError, match="classic"):
        create(
            ruleset="classic",
            seats=players,
            visibility="public",
            options=Options(),
            host="player",
            seed=SEED,
            nonce="",
        )


def test_80_an_unknown_edition_is_rejected() -> None:
    with pytest.raises(ValueError, match="no ruleset 'chess'"):
        table_for("chess", 4)


def test_80_classic_reshuffles_late_sells_fields_any_time_and_looks_at_hands() -> None:
    classic = RULESETS["classic"]
    assert (classic.reshuffle, classic.tie_break) == ("next_draw", "hand_size")
    assert {classic.tables[players].field_purchase for players in (4, 5, 6, 7)} == {"any_time"}


def test_81_six_players_get_hands_of_growing_size() -> None:
    """6 players, starting seat 2: hands by seat 0..5 = 6, 6, 3, 4, 5, 6."""
    state = started(6, seed=seed_that_starts(6, 2)).state
    assert [len(seat.hand) for seat in state.seats] == [6, 6, 3, 4, 5, 6]


@pytest.mark.parametrize(("start", "hands"), [(0, [3, 4, 5, 6, 6, 6, 6]), (5, [5, 6, 6, 6, 6, 3, 4])])
def test_81_seven_players_get_hands_of_growing_size(start: int, hands: list[int]) -> None:
    state = started(7, seed=seed_that_starts(7, start)).state
    assert [len(seat.hand) for seat in state.seats] == hands


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_82_the_same_seed_and_players_get_the_same_deal(setup: Setup) -> None:
    """Same seed and players: identical deal ..."""
    one, two = begun(setup), begun(setup)
    assert [encode_event(event) for event in one.history] == [encode_event(event) for event in two.history]
    other = begun(setup, seed=bytes(32))
    assert one.history[-2] != other.history[-2]


@pytest.mark.parametrize("players", TABLE)
def test_82_the_deck_is_in_nobodys_view(players: int) -> None:
    """... deck order absent from every player's view."""
    game = started(players)
    for viewer in (*range(players), None):
        seen = msgspec.json.decode(msgspec.json.encode(view(game.state, viewer)))
        assert "deck" not in seen
        assert seen["deck_size"] == TABLE[players][3]
        (shuffled,) = [event for event in game.history if isinstance(event, DeckShuffled)]
        redacted = redact(shuffled, viewer)
        assert isinstance(redacted, DeckShuffled)
        assert redacted.beans is None
        assert redacted.size == TABLE[players][1]


@pytest.mark.parametrize("players", TABLE)
def test_the_deal_follows_the_deck_from_its_top(players: int) -> None:
    """Each seat, clockwise from `start_seat`, takes its whole hand from the top, one `cards_dealt` each.
    The first card dealt has number 1; the first card received is the front of the hand."""
    game = started(players)
    joined = 1 + players
    began, shuffled, *deals, turn = game.history[joined:]
    assert isinstance(began, GameStarted)
    assert began.seats == players
    assert isinstance(shuffled, DeckShuffled)
    assert shuffled.beans is not None
    assert Counter(shuffled.beans) == table_for("classic", players).deck
    assert shuffled.shuffle == 1
    top = 0
    for step, (deal, size) in enumerate(zip(deals, TABLE[players][2], strict=True)):
        assert isinstance(deal, CardsDealt)
        assert deal.seat == (began.start_seat + step) % players
        assert [card.card for card in deal.cards] == [*range(top + 1, top + size + 1)]
        assert [card.bean for card in deal.cards] == shuffled.beans[top : top + size]
        assert [*game.state.seats[deal.seat].hand.items()] == [(card.card, card.bean) for card in deal.cards]
        top += size
    assert turn == TurnStarted(1, began.start_seat)
    assert game.state.deck == shuffled.beans[top:][::-1]
    assert game.state.next_card == top + 1


def test_every_seat_may_begin() -> None:
    begun = {started(7, seed=number.to_bytes(32, "big")).state.start_seat for number in range(100)}
    assert begun == set(range(7))
