"""The table as a viewer sees it, field by field as the design writes it down, of games that are laid out by hand."""

import hashlib
from typing import Any

import msgspec

from domain.beans import Bean
from domain.commands import Discard, EndTurn, Offer, Plant, Reject
from domain.events import Options, SeatHandedOver
from domain.evolve import evolve, fold
from domain.lobby import create
from domain.state import State
from domain.views import view, whole_view, with_names
from tests.domain.scenario import SEED, At, Scenario, given

COMMITMENT = hashlib.sha256(SEED).hexdigest()
Seen = dict[str, Any]


def seen(state: State, viewer: int | None) -> Seen:
    """As it goes over the wire."""
    found: Seen = msgspec.json.decode(msgspec.json.encode(view(state, viewer)))
    return found


def card(number: int, bean: Bean) -> Seen:
    return {"card": number, "bean": bean}


def bargaining() -> Scenario:
    """Phase 2 of a game of four: seat 1 is active, seat 0 has turned down what it offers to anyone, seat 2 has asked
    for a face-up card and was answered with another wish, and a policy plays for seat 3."""
    game = given(
        {
            0: At(hand="red:11 soy:12", fields="blue x3 | empty", coins="green x2"),
            1: At(hand="wax:13"),
            2: At(hand="wax:14 wax:15", fields="chili | empty | stink x2", bought=True),
            3: At(pending="soy:16 red:17"),
        },
        phase="trade",
        active=1,
        planted=2,
        face_up="blue:31 red:32",
        deck="soy wax wax",
        discard="blue stink",
        exhaustions=3,
        final=True,
    )
    game.after(1, Offer(to=None, give=[31], want={"soy": 1}))
    game.after(0, Reject(1))
    game.after(2, Offer(to=1, give=[14], want_cards=[32]))
    game.after(1, Offer(to=2, want={"wax": 2}, answers=2))
    evolve(game.state, SeatHandedOver(3, "casual", "left"))
    return game


SEATS: list[Seen] = [
    {
        "seat": 0,
        "player": "player-0",
        "name": None,
        "policy": None,
        "away": False,
        "hand_size": 2,
        "hand": None,
        "fields": [{"bean": "blue", "count": 3}, None],
        "pending": [],
        "coins": 2,
        "bought_field": False,
    },
    {
        "seat": 1,
        "player": "player-1",
        "name": None,
        "policy": None,
        "away": False,
        "hand_size": 1,
        "hand": None,
        "fields": [None, None],
        "pending": [],
        "coins": 0,
        "bought_field": False,
    },
    {
        "seat": 2,
        "player": "player-2",
        "name": None,
        "policy": None,
        "away": False,
        "hand_size": 2,
        "hand": None,
        "fields": [{"bean": "chili", "count": 1}, None, {"bean": "stink", "count": 2}],
        "pending": [],
        "coins": 0,
        "bought_field": True,
    },
    {
        "seat": 3,
        "player": "player-3",
        "name": None,
        "policy": "casual",
        "away": True,
        "hand_size": 0,
        "hand": None,
        "fields": [None, None],
        "pending": [card(16, "soy"), card(17, "red")],
        "coins": 0,
        "bought_field": False,
    },
]
OFFERS: list[Seen] = [
    {
        "offer": 1,
        "from": 1,
        "to": None,
        "give": [card(31, "blue")],
        "want": {"soy": 1},
        "want_cards": [],
        "answers": None,
        "rejected_by": [0],
    },
    {
        "offer": 3,
        "from": 1,
        "to": 2,
        "give": [],
        "want": {"wax": 2},
        "want_cards": [],
        "answers": 2,
        "rejected_by": [],
    },
]


def test_a_spectator_sees_everything_but_the_hands() -> None:
    assert seen(bargaining().state, None) == {
        "game": "a-game",
        "version": 106,
        "status": "running",
        "ruleset": "classic",
        "rules_version": 1,
        "viewer": None,
        "phase": "trade",
        "turn": 9,
        "active": 1,
        "seats": SEATS,
        "face_up": [card(31, "blue"), card(32, "red")],
        "gifts": [],
        "offers": OFFERS,
        "planted": 2,
        "discarded": False,
        "deck_size": 3,
        "discard_size": 2,
        "discard_top": "stink",
        "exhaustions": 3,
        "final": True,
        "commitment": COMMITMENT,
        "deadline": None,
        "result": None,
    }


def test_a_player_sees_the_own_hand_besides() -> None:
    state = bargaining().state
    own_hand = [card(11, "red"), card(12, "soy")]
    expected = seen(state, None) | {"viewer": 0, "seats": [SEATS[0] | {"hand": own_hand}, *SEATS[1:]]}
    assert seen(state, 0) == expected


def test_an_empty_hand_of_ones_own_is_a_list_without_cards() -> None:
    assert seen(bargaining().state, 3)["seats"][3]["hand"] == []


def test_the_whole_view_is_that_of_a_spectator_with_every_hand_shown() -> None:
    state = bargaining().state
    hands = [
        [card(11, "red"), card(12, "soy")],
        [card(13, "wax")],
        [card(14, "wax"), card(15, "wax")],
        [],
    ]
    shown = [seat | {"hand": hand} for seat, hand in zip(SEATS, hands, strict=True)]
    found: Seen = msgspec.json.decode(msgspec.json.encode(whole_view(state)))
    assert found == seen(state, None) | {"seats": shown}


def test_an_offer_names_the_face_up_cards_that_it_asks_for() -> None:
    game = given({2: At(hand="wax:14")}, phase="trade", active=1, face_up="blue:31 red:32")
    game.after(2, Offer(to=1, give=[14], want_cards=[32]))
    assert seen(game.state, None)["offers"] == [
        {
            "offer": 1,
            "from": 2,
            "to": 1,
            "give": [card(14, "wax")],
            "want": {},
            "want_cards": [32],
            "answers": None,
            "rejected_by": [],
        }
    ]


def test_a_view_stays_as_it_was_when_the_game_goes_on() -> None:
    game = given({1: At(hand="red:1")}, phase="trade", active=1)
    game.after(1, Offer(to=None, give=[1]))
    before = view(game.state, None)
    game.after(0, Reject(1))
    assert before.offers[0].rejected_by == []


def test_gifts_are_seen_by_both_players_of_a_duel() -> None:
    game = given({}, players=2, phase="gifts", gifts="soy:41 red:42")
    for viewer in (0, 1, None):
        assert seen(game.state, viewer)["gifts"] == [card(41, "soy"), card(42, "red")]


def test_the_discard_of_a_duel_is_told() -> None:
    game = given({0: At(hand="red:1 soy:2")}, players=2)
    assert seen(game.state, 1)["discarded"] is False
    game.after(0, Plant(1, 0)).after(0, Discard(2))
    assert (seen(game.state, 1)["planted"], seen(game.state, 1)["discarded"]) == (1, True)


def test_an_empty_discard_pile_has_no_top() -> None:
    state = given({}).state
    assert (seen(state, 0)["discard_size"], seen(state, 0)["discard_top"]) == (0, None)


def test_a_table_that_waits_for_players() -> None:
    events = create(
        ruleset="boonanza", seats=3, visibility="private", options=Options(), host="ada", seed=SEED, nonce="salt"
    )
    found = seen(fold("another-game", events), None)
    assert (found["game"], found["version"], found["status"]) == ("another-game", 2, "open")
    assert (found["ruleset"], found["phase"], found["active"], found["turn"]) == ("boonanza", None, None, 0)
    assert [seat["player"] for seat in found["seats"]] == ["ada", None, None]


def test_the_result_of_a_game_that_has_ended() -> None:
    """Red x5 pays 4 and one blue nothing: seat 0 has 4 coins, seat 1 has one more of the same worth from before."""
    game = given(
        {0: At(fields="red x5 | blue", hand="soy"), 1: At(coins="wax x5")},
        players=2,
        phase="keep",
        exhaustions=1,
        final=True,
    )
    game.after(0, EndTurn())
    found = seen(game.state, None)
    assert (found["status"], found["phase"], found["active"]) == ("ended", None, None)
    assert found["result"] == {
        "reason": "deck_exhausted",
        "ranking": [
            {"seat": 1, "coins": 5, "hand_size": 0, "rank": 1},
            {"seat": 0, "coins": 4, "hand_size": 1, "rank": 2},
        ],
        "winners": [1],
        "seed": SEED.hex(),
    }


def test_names_are_put_in_by_player_and_change_nothing_else() -> None:
    """Seat 1 has a player without a name, and the second table a seat without a player."""
    state = bargaining().state
    plain, named = seen(state, 0), with_names(view(state, 0), {"player-0": "Ada", "player-2": "Cy", "nobody": "X"})
    assert [seat.name for seat in named.seats] == ["Ada", None, "Cy", None]
    found: Seen = msgspec.json.decode(msgspec.json.encode(named))
    assert [seat | {"name": None} for seat in found["seats"]] == plain["seats"]
    assert found | {"seats": []} == plain | {"seats": []}
    events = create(ruleset="classic", seats=3, visibility="public", options=Options(), host="ada", seed=SEED, nonce="")
    waiting = with_names(view(fold("a-game", events), None), {"ada": "Ada"})
    assert [seat.name for seat in waiting.seats] == ["Ada", None, None]
