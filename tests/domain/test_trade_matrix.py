"""Deals of every size, gifts included (pitfall H4): both sides always end up with what was agreed."""

import pytest

from domain.commands import Accept, EndTrading, Offer, Plant
from domain.events import TradeCompleted
from tests.domain.scenario import At, given

SIZES = range(5)


@pytest.mark.parametrize("offerer", [0, 2])
@pytest.mark.parametrize("taken", SIZES)
@pytest.mark.parametrize("given_away", SIZES)
def test_a_deal_of_every_size(given_away: int, taken: int, offerer: int) -> None:
    acceptor = 2 - offerer
    mine = [11, 12, 13, 14]
    theirs = [21, 22, 23, 24]
    game = given(
        {
            offerer: At(hand="wax:10 red:11 red:12 red:13 red:14"),
            acceptor: At(hand="soy:21 soy:22 soy:23 soy:24 wax:25"),
        },
        phase="trade",
    )
    give = mine[:given_away]
    payment = theirs[4 - taken :]
    offer = Offer(to=acceptor, give=give, want={"soy": taken} if taken else {})
    if not given_away and not taken:
        game.when(offerer, offer).refused("empty_offer")
        return
    game.after(offerer, offer)
    (deal,) = game.when(acceptor, Accept(1, payment)).legal()
    assert isinstance(deal, TradeCompleted)
    assert ([card.card for card in deal.given], [card.card for card in deal.taken]) == (give, payment)
    assert [*game.state.seats[acceptor].pending] == give
    assert [*game.state.seats[offerer].pending] == payment
    assert [*game.state.seats[offerer].hand] == [10, *mine[given_away:]]
    assert [*game.state.seats[acceptor].hand] == [*theirs[: 4 - taken], 25]


@pytest.mark.parametrize("face_up", SIZES[:3])
@pytest.mark.parametrize("from_hand", SIZES[:3])
@pytest.mark.parametrize("taken", SIZES[:3])
def test_a_deal_with_face_up_cards_goes_on_to_the_next_turn(face_up: int, from_hand: int, taken: int) -> None:
    """Nothing hangs after the deal: all that was received can be planted, and the turn passes."""
    if not face_up + from_hand + taken:
        return
    game = given(
        {0: At(hand="green:11 green:12"), 3: At(hand="soy:21 soy:22")}, phase="trade", face_up="green:31 green:32"
    )
    give = [*[31, 32][:face_up], *[11, 12][:from_hand]]
    game.after(0, Offer(to=None, give=give, want={"soy": taken} if taken else {}))
    game.after(3, Accept(1, [21, 22][:taken])).after(0, EndTrading())
    assert [*game.state.seats[3].pending] == give
    for card in [*game.state.seats[3].pending]:
        game.after(3, Plant(card, 0))
    for card, bean in [*game.state.seats[0].pending.items()]:
        game.after(0, Plant(card, 0 if bean == "soy" else 1))
    assert game.state.active == 1
    assert game.state.phase == "plant"
