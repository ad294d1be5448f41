"""A server that lies while a game is played is found out, and the version of the lie is named."""

from collections.abc import Callable
from typing import Any

import pytest

from services.demo.table import Played, play
from tests.services.demo.liar import Lie, lying
from tests.services.demo.tables import memory_server, nobody_looks, order

Item = dict[str, Any]


async def played(lie: Lie, *, twice: str | None = None) -> Played:
    """A game on a server that tells that lie."""
    async with memory_server() as server, lying(server, lie, twice=twice) as url:
        return await play(order(url), nobody_looks)


def tells_events(path: str, body: Any) -> bool:
    """A page or a frame."""
    return path.endswith(("/events", "/stream")) and "events" in body


class InPages:
    """Changes events of one type in the pages of the history, from the given version on; the same for everybody."""

    def __init__(self, kind: str, change: Callable[[Item], None], *, after: int = 60) -> None:
        self._kind = kind
        self._change = change
        self._after = after
        self.version: int | None = None

    def __call__(self, path: str, body: Any) -> Any:
        if tells_events(path, body):
            for item in body["events"]:
                first = self.version is None and item["version"] > self._after and item["event"]["type"] == self._kind
                if first:
                    self.version = item["version"]
                if item["version"] == self.version:
                    self._change(item["event"])
        return body


def found(game: Played, words: str, version: int | None) -> None:
    """One of the faults is that one."""
    assert any(words in fault.what and fault.version == version for fault in game.faults), game.faults


async def test_an_honest_server_is_believed() -> None:
    game = await played(lambda _, body: body)
    assert game.faults == []
    assert game.view is not None
    assert game.view.status == "ended"
    assert game.commands > 100
    assert game.compared_views > 100


async def test_an_event_that_is_changed() -> None:
    def other_field(event: Item) -> None:
        event["field"] = (event["field"] + 1) % 3

    lie = InPages("bean_planted", other_field)
    game = await played(lie)
    (fault,) = game.faults
    assert lie.version is not None
    # Whoever compares first: the answer to the one who planted, or the next view of another seat.
    assert fault.version >= lie.version
    assert "showed it differently" in fault.what or "add up to: seats" in fault.what or "does not fit" in fault.what


async def test_an_event_that_is_left_out() -> None:
    def without(path: str, body: Any) -> Any:
        if tells_events(path, body):
            body["events"] = [item for item in body["events"] if item["version"] != 60]
        return body

    (fault,) = (await played(without)).faults
    # The stream does not go on from where it was; more events than the one may be in a frame.
    assert fault.version < 60
    assert fault.what.endswith(f" follow version {fault.version}.")
    assert "60" not in fault.what


async def test_an_event_that_is_told_twice() -> None:
    def doubled(path: str, body: Any) -> Any:
        if tells_events(path, body):
            body["events"] = [copy for item in body["events"] for copy in [item] * (1 + (item["version"] == 60))]
        return body

    (fault,) = (await played(doubled)).faults
    assert fault.version < 60
    assert "60, 60" in fault.what


async def test_a_hidden_card_that_is_shown_before_the_end() -> None:
    def shown(event: Item) -> None:
        event["cards"] = [{"card": card["card"], "bean": "red"} for card in event["cards"]]

    lie = InPages("cards_drawn", shown)
    game = await played(lie)
    assert game.faults
    assert game.faults[0].version == lie.version


async def test_the_deck_that_is_shown_before_the_end() -> None:
    def shown(event: Item) -> None:
        event["beans"] = ["red"] * event["size"]

    lie = InPages("deck_shuffled", shown, after=0)
    found(await played(lie), "was shown what it may not know before the end.", lie.version)


async def test_a_view_that_is_not_what_the_events_add_up_to() -> None:
    def richer(_path: str, body: Any) -> Any:
        if "phase" in body and body["version"] > 60:
            body["seats"][1]["coins"] += 1
        return body

    game = await played(richer)
    assert "is not what its events add up to: seats." in game.faults[0].what


async def test_an_action_that_the_cards_do_not_allow() -> None:
    def other_card(path: str, body: Any) -> Any:
        if path.endswith("/actions"):
            body["actions"] = body["actions"][:-1]
        return body

    game = await played(other_card)
    assert "are not those that its cards allow." in game.faults[0].what


async def test_an_answer_that_tells_of_something_else() -> None:
    def other_answer(path: str, body: Any) -> Any:
        if path.endswith("/commands") and body["version"] > 60:
            for item in body["events"]:
                if item["event"]["type"] == "bean_planted":
                    item["event"]["field"] = (item["event"]["field"] + 1) % 3
        return body

    game = await played(other_answer)
    assert "showed it differently." in game.faults[0].what


async def test_a_ranking_that_coins_and_hands_do_not_give() -> None:
    def better(_path: str, body: Any) -> Any:
        for item in body.get("events", []):
            if item["event"]["type"] == "game_ended":
                item["event"]["ranking"][0]["coins"] += 1
        if body.get("result"):
            body["result"]["ranking"][0]["coins"] += 1
        return body

    game = await played(better)
    found(game, "ranking", game.events)


async def test_a_command_that_is_carried_out_twice() -> None:
    game = await played(lambda _, body: body, twice="offer")
    assert len(game.faults) == 1
    assert "No client sent the command that this came from." in game.faults[0].what


async def test_a_server_that_is_not_there() -> None:
    game = await play(order("http://127.0.0.1:1"), nobody_looks)
    (fault,) = game.faults
    assert "was tried" in fault.what


@pytest.mark.parametrize("body", [{"events": [], "next": None, "more": "x"}, {"next": None}, []])
async def test_an_answer_that_cannot_be_read(body: Any) -> None:
    def nonsense(path: str, told: Any) -> Any:
        return body if path.endswith("/actions") else told

    game = await played(nonsense)
    assert "not what the API promises" in game.faults[0].what
