"""Editions over HTTP: a table that no edition offers is refused with what there is instead, and the game for two and
the larger tables do not know each other's commands, in any phase."""

from typing import Any, Final

import msgspec
import pytest

from tests.domain.editions import PLAYERS, SETUPS, Setup
from tests.services.api.application import Caller, World, told

Json = dict[str, Any]

SENTENCES: Final = {
    "classic": "classic is played by 2, 3, 4, 5, 6 or 7 players",
    "boonanza": "boonanza is played by 3, 4 or 5 players",
    "amigo_classic": "amigo_classic is played by 3, 4 or 5 players",
    "amigo_2023": "amigo_2023 is played by 3, 4 or 5 players",
    "new_beans": "new_beans is played by 3, 4, 5, 6 or 7 players",
    "field_beans": "field_beans is played by 4 or 5 players",
}
EVERY_NAME: Final = "classic, boonanza, amigo_classic, amigo_2023, new_beans, field_beans"


async def refused(world: World, wanted: Json) -> str:
    """What is said to that; no table was set up."""
    ada = await world.guest()
    problem = told(await ada.post("/v1/games", wanted), 400, "malformed")
    assert (await ada.get("/v1/games")).json()["games"] == []
    detail: str = problem["detail"]
    return detail


@pytest.mark.parametrize("ruleset", PLAYERS)
async def test_an_edition_names_the_numbers_of_players_that_it_is_played_by(world: World, ruleset: str) -> None:
    for players in {-1, *range(10), 99, 100, 2**64} - {*PLAYERS[ruleset]}:
        detail = await refused(world, {"ruleset": ruleset, "seats": players})
        assert detail == f"{SENTENCES[ruleset]}, not by {players}."


@pytest.mark.parametrize("players", ["4", 4.0, 4.5, None, True, [4]])
async def test_what_is_no_number_of_players_is_named(world: World, players: object) -> None:
    assert "`$.seats`" in await refused(world, {"ruleset": "classic", "seats": players})


@pytest.mark.parametrize("name", ["", "chess", "Classic", "classic ", "classic\u0000", "amigo-2023", "__proto__", "4"])
async def test_an_unknown_edition_is_answered_with_those_that_there_are(world: World, name: str) -> None:
    detail = await refused(world, {"ruleset": name, "seats": 4})
    assert detail.endswith(f"choose one of {EVERY_NAME}.")


@pytest.mark.parametrize("name", [None, 4, ["classic"], {"name": "classic"}, "x" * 41])
async def test_what_is_no_name_of_an_edition_is_named(world: World, name: object) -> None:
    assert "`$.ruleset`" in await refused(world, {"ruleset": name, "seats": 4})


@pytest.mark.parametrize("setup", SETUPS, ids=str)
async def test_an_unknown_option_is_answered_with_those_that_there_are(world: World, setup: Setup) -> None:
    for option in ("duel_field", "fields", "third_field", "start_when_Full", "", "reshuffle"):
        options = {**msgspec.to_builtins(setup.options), option: 3}
        detail = await refused(world, {"ruleset": setup.ruleset, "seats": setup.players, "options": options})
        assert f"unknown field `{option}`" in detail
        assert "(there are start_when_full, duel_fields)" in detail


@pytest.mark.parametrize("setup", [setup for setup in SETUPS if setup.players > 2], ids=str)
async def test_the_printing_of_the_game_for_two_is_no_option_of_any_other(world: World, setup: Setup) -> None:
    for value in (2, 3):
        wanted = {"ruleset": setup.ruleset, "seats": setup.players, "options": {"duel_fields": value}}
        detail = await refused(world, wanted)
        assert "belongs to a game for two (classic with 2 players)" in detail
        assert f"{setup.ruleset} with {setup.players} players has no such option" in detail


@pytest.mark.parametrize("value", [-1, 0, 1, 4, 99, 100, 2**64])
async def test_there_are_two_printings(world: World, value: int) -> None:
    detail = await refused(world, {"seats": 2, "options": {"duel_fields": value}})
    assert detail == f"The option duel_fields is 2 or 3, not {value}."


@pytest.mark.parametrize("value", ["3", 3.0, 3.5, True, None, [3], {}])
async def test_what_is_no_printing_is_named(world: World, value: object) -> None:
    assert "`$.options.duel_fields`" in await refused(world, {"seats": 2, "options": {"duel_fields": value}})


class Shown:
    """A table and what everybody at it sees of it."""

    def __init__(self, game: str, players: list[Caller]) -> None:
        self.game = game
        self.players = players

    async def views(self) -> list[Json]:
        return [(await player.get(f"/v1/games/{self.game}")).json() for player in self.players]

    async def everything(self) -> list[Json]:
        """All views, lists and histories."""
        told = [await player.get(f"/v1/games/{self.game}{path}") for player in self.players
                for path in ("", "/actions", "/events?limit=500")]  # fmt: skip
        return [answer.json() for answer in told]

    async def act(self, kind: str) -> None:
        """The active player does the first listed thing of that kind."""
        active = self.players[(await self.views())[0]["active"]]
        listed = (await active.get(f"/v1/games/{self.game}/actions")).json()["actions"]
        command = next(action["command"] for action in listed if action["command"]["type"] == kind)
        answer = await active.command(self.game, command)
        assert answer.status_code == 200, answer.text

    async def refuses(self, commands: list[Json], code: str) -> None:
        """Whoever sends those: nothing changes for anybody."""
        before = await self.everything()
        for player in self.players:
            for command in commands:
                problem = told(await player.command(self.game, command), 409, code)
                assert problem["version"] == before[0]["version"]
        assert await self.everything() == before


def cards_in_sight(view: Json) -> list[int]:
    """The own hand, what is pending, and what lies in the middle."""
    own = view["seats"][view["viewer"]]
    return [card["card"] for card in (*own["hand"], *own["pending"], *view["face_up"], *view["gifts"])]


def commands_of_trading(cards: list[int]) -> list[Json]:
    """Offers, gifts and wishes of every kind, and what is done with them."""
    return [
        *({"type": "offer", "to": to, "give": [card]} for card in cards for to in (0, 1, None)),
        *({"type": "offer", "to": to, "give": [cards[0]], "want": {"red": 1}} for to in (0, 1, None)),
        {"type": "offer", "to": None, "want": {"red": 1}},
        {"type": "offer", "to": 1, "want_cards": [cards[-1]]},
        {"type": "offer", "to": 0, "give": [cards[0]], "answers": 1},
        # What the rules would refuse anywhere is of the wrong phase first.
        {"type": "offer", "to": 1},
        {"type": "accept", "offer": 1},
        {"type": "accept", "offer": 1, "give": [cards[0]]},
        {"type": "reject", "offer": 1},
        {"type": "withdraw", "offer": 1},
        {"type": "end_trading"},
    ]


def commands_for_two(cards: list[int]) -> list[Json]:
    """What only the game for two has."""
    return [*({"type": "discard", "card": card} for card in cards), {"type": "end_turn"}]


async def shown(world: World, setup: Setup) -> Shown:
    options = msgspec.to_builtins(setup.options)
    game, players = await world.started_game(setup.players, ruleset=setup.ruleset, options=options)
    return Shown(game, players)


@pytest.mark.parametrize("setup", [setup for setup in SETUPS if setup.players == 2], ids=str)
async def test_the_game_for_two_has_no_trading_in_any_phase(world: World, setup: Setup) -> None:
    table = await shown(world, setup)
    seen = []
    for step in ("", "plant", "discard", "reveal", "end_turn"):
        if step:
            await table.act(step)
        views = await table.views()
        seen.append(views[0]["phase"])
        cards = [card for view in views for card in cards_in_sight(view)]
        await table.refuses(commands_of_trading(cards), "wrong_phase")
    assert seen == ["plant", "plant", "plant", "keep", "gifts"]


@pytest.mark.parametrize("setup", [setup for setup in SETUPS if setup.players > 2], ids=str)
async def test_a_larger_table_has_no_discarding_and_no_end_of_turn_in_any_phase(world: World, setup: Setup) -> None:
    table = await shown(world, setup)
    seen = []
    for step in ("", "plant", "reveal", "offer", "end_trading"):
        if step:
            await table.act(step)
        views = await table.views()
        seen.append(views[0]["phase"])
        cards = sorted({card for view in views for card in cards_in_sight(view)})
        await table.refuses(commands_for_two(cards), "wrong_phase")
    assert seen == ["plant", "plant", "trade", "trade", "settle"]


async def test_before_the_start_there_is_nothing_of_either(world: World) -> None:
    for setup in (Setup("classic", 2), Setup("classic", 4)):
        ada = await world.guest()
        game = (await ada.post("/v1/games", {"ruleset": setup.ruleset, "seats": setup.players})).json()["game"]
        table = Shown(game, [ada])
        await table.refuses([*commands_of_trading([1]), *commands_for_two([1])], "game_not_running")
