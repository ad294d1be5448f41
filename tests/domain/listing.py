"""Whether a command is among the listed actions, and how to draw one from them."""

from collections.abc import Sequence
from random import Random
from typing import assert_never

from domain.actions import AcceptChoices, Action, OfferChoices
from domain.commands import Accept, Command, Offer


def is_listed(listed: Sequence[Action], command: Command) -> bool:
    """True if one of those actions covers that command."""
    return any(_covers(action, command) for action in listed)


def _covers(action: Action, command: Command) -> bool:
    match action.choices:
        case None:
            return action.command == command
        case OfferChoices() as choices:
            return (
                isinstance(command, Offer)
                and isinstance(action.command, Offer)
                and command.answers == action.command.answers
                and command.to in choices.to
                and _selection(command.give, choices.give)
                and all(count <= choices.want.get(bean, 0) for bean, count in command.want.items())
                and _selection(command.want_cards, choices.want_cards)
                and bool(command.give or command.want or command.want_cards)
            )
        case AcceptChoices() as choices:
            return (
                isinstance(command, Accept)
                and isinstance(action.command, Accept)
                and command.offer == action.command.offer
                and len(command.give) == len(set(command.give)) == sum(pick.count for pick in choices.picks)
                and all(len({*command.give} & {*pick.cards}) == pick.count for pick in choices.picks)
            )
        case _:
            assert_never(action.choices)


def _selection(chosen: Sequence[int], cards: Sequence[int]) -> bool:
    return len(chosen) == len(set(chosen)) and set(chosen) <= set(cards)


def drawn(action: Action, chance: Random) -> Command:
    """The action's command with choices made by chance."""
    match action.choices:
        case None:
            return action.command
        case OfferChoices() as choices:
            assert isinstance(action.command, Offer)
            give = chance.sample(choices.give, chance.randint(0, min(3, len(choices.give))))
            kinds = chance.sample([*choices.want], chance.choice([0, 0, 1, 1, 2]))
            want = {bean: chance.randint(1, 2 if chance.random() < 0.9 else choices.want[bean]) for bean in kinds}
            want_cards = chance.sample(choices.want_cards, chance.randint(0, len(choices.want_cards)))
            if not (give or want or want_cards):
                return action.command
            return Offer(
                to=chance.choice(choices.to),
                give=give,
                want=want,
                want_cards=want_cards,
                answers=action.command.answers,
            )
        case AcceptChoices() as choices:
            assert isinstance(action.command, Accept)
            give = [card for pick in choices.picks for card in chance.sample(pick.cards, pick.count)]
            chance.shuffle(give)
            return Accept(action.command.offer, give)
        case _:
            assert_never(action.choices)
