"""What a seat could do, in words."""

from typing import get_args

from domain.actions import AcceptChoices, Action, OfferChoices, Pick, actions
from domain.cards import Card
from domain.commands import (
    Accept,
    BuyField,
    Command,
    Discard,
    EndTrading,
    EndTurn,
    Harvest,
    Offer,
    Plant,
    Reject,
    Reveal,
    Withdraw,
)
from domain.views import FieldView, view
from services.screen.legal import legal, possible
from tests.exports import setups
from tests.services.screen.recordings import golden, on_screen
from tests.services.screen.test_frame import table_by_hand

# Seat 0 holds Red #3 and Black-eyed #4 and has Wax #9 to plant; Blue #31 lies face up.
SAID: list[tuple[Action, str]] = [
    (Action(Plant(3, 1)), "plant Red #3 in field 1"),
    (Action(Plant(9, 0)), "plant Wax #9 in field 0"),
    (Action(Discard(4)), "discard Black-eyed #4"),
    (Action(Reveal()), "turn up cards"),
    (Action(EndTrading()), "end the trading"),
    (Action(EndTurn()), "end the turn"),
    (Action(Harvest(0)), "harvest field 0: 3 Red beans"),
    (Action(BuyField()), "buy a field"),
    (Action(Withdraw(7)), "withdraw offer 7"),
    (Action(Reject(7)), "reject offer 7"),
    (Action(Accept(7)), "accept offer 7"),
    (
        Action(Accept(7, [3]), AcceptChoices([Pick(1, [3])])),
        "accept offer 7 and give Red #3",
    ),
    (
        Action(Accept(7, [4, 31]), AcceptChoices([Pick(1, [3, 4]), Pick(1, [31])])),
        "accept offer 7 and give 1 of Red #3, Black-eyed #4 and Blue #31",
    ),
    (
        Action(Offer(), OfferChoices([None, 1, 2], [3, 31], {"red": 24}, [])),
        "make an offer to anyone or seat 1 or seat 2: any of Red #3, Blue #31 for beans of any kind",
    ),
    (
        Action(Offer(answers=7), OfferChoices([2], [], {"red": 24}, [31])),
        "answer offer 7 with another one to seat 2: any of nothing for beans of any kind or of Blue #31",
    ),
]


def test_every_action_has_its_words() -> None:
    table = table_by_hand().view
    assert table.seats[0].fields[0] == FieldView("red", 3)
    assert table.face_up == [Card(31, "blue")]
    assert possible(table, [action for action, _ in SAID]) == [told for _, told in SAID]
    assert {type(action.command) for action, _ in SAID} == set(get_args(Command))


def test_in_golden_games_every_card_that_can_be_played_is_named() -> None:
    for setup in setups():
        timeline = golden(setup)
        for version in range(1, timeline.last, 23):
            state = timeline.state(version)
            for seat in range(timeline.seats):
                listed = actions(state, seat)
                lines = possible(view(state, seat), listed)
                assert len(lines) == len(listed)
                for line in lines:
                    # A number stands behind the name of its kind.
                    assert " #" in line or "#" not in line
                    assert ": #" not in line
                    assert ", #" not in line
                    assert " of #" not in line


def test_who_can_do_nothing_is_told_so() -> None:
    state = golden("classic-4").state(1)
    assert on_screen(legal(view(state, 1), [])).strip() == "Seat 1 could do nothing then."
    assert "Only a seat" in on_screen(legal(view(state, None), []))
