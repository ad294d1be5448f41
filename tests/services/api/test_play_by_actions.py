"""A client that knows no rule of the game plays whole games of every edition: it takes one of the listed actions,
fills in what the list leaves open, and sends that. Plain JSON throughout."""

from collections import Counter
from random import Random
from typing import Any, Final, TypeVar

import msgspec
import pytest

from tests.domain.editions import SETUPS, Setup
from tests.services.api.application import Caller, World

Json = dict[str, Any]
T = TypeVar("T")

WITH_TRADING: Final = {"plant", "reveal", "offer", "accept", "reject", "withdraw", "end_trading", "harvest"}
FOR_TWO: Final = {"plant", "reveal", "discard", "end_turn", "harvest"}
MOST_MOVES: Final = 6000
"""Nobody waits for a game that does not end."""


class Reader:
    """Somebody who can read the description of the API, and nothing else."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def choose(self, actions: list[Json]) -> Json:
        """One of the actions, each type of command as likely as any other."""
        kind = self._chance.choice(sorted({action["command"]["type"] for action in actions}))
        action = self._chance.choice([action for action in actions if action["command"]["type"] == kind])
        command: Json = action["command"]
        # It is ready to be sent as it stands, too.
        return command if self._chance.random() < 0.2 else {**command, **self._filled(action["choices"])}

    def _filled(self, choices: Json | None) -> Json:
        """The fields of the command that are open, each with something that the choices name."""
        if choices is None:
            return {}
        if choices["type"] == "accept":
            return {"give": [card for pick in choices["picks"] for card in self._some(pick["cards"], pick["count"])]}
        assert choices["type"] == "offer", choices
        kinds = self._some([*choices["want"]], self._chance.choice([0, 0, 1, 1, 2, len(choices["want"])]))
        filled = {
            "give": self._few(choices["give"]),
            "want": {kind: self._chance.choice([1, 1, 2, choices["want"][kind]]) for kind in kinds},
            "want_cards": self._few(choices["want_cards"]),
        }
        # Not all of them may be empty.
        return {**filled, "to": self._chance.choice(choices["to"])} if any(filled.values()) else {}

    def _few(self, cards: list[int]) -> list[int]:
        return self._some(cards, self._chance.choice([0, 0, 1, 1, 2, len(cards)]))

    def _some(self, values: list[T], count: int) -> list[T]:
        return self._chance.sample(values, min(count, len(values)))


async def listed(game: str, players: list[Caller], chance: Random) -> tuple[Caller, Json] | None:
    """A player who may do something, and the list; None if nobody may do anything."""
    for player in chance.sample(players, len(players)):
        answer = await player.get(f"/v1/games/{game}/actions")
        assert answer.status_code == 200, answer.text
        if answer.json()["actions"]:
            return player, answer.json()
    return None


@pytest.mark.parametrize("setup", SETUPS, ids=str)
async def test_a_whole_game_can_be_played_from_the_list_of_actions(world: World, setup: Setup) -> None:
    """Whatever is listed is accepted at its version, and as long as the game runs something is listed for somebody."""
    chance = Random(str(setup))
    reader = Reader(chance)
    options = msgspec.to_builtins(setup.options)
    game, players = await world.started_game(setup.players, ruleset=setup.ruleset, options=options)
    sent: Counter[str] = Counter()
    while (found := await listed(game, players, chance)) is not None:
        player, listing = found
        command = reader.choose(listing["actions"])
        answer = await player.command(game, command, if_match=f'"{listing["version"]}"')
        assert answer.status_code == 200, (command, answer.text)
        sent[command["type"]] += 1
        assert sent.total() < MOST_MOVES, "the game does not end"
    seen = (await players[0].get(f"/v1/games/{game}")).json()
    assert seen["status"] == "ended", "the game runs, and nobody may do anything"
    assert seen["result"]["winners"]
    assert set(sent) - {"buy_field"} == (FOR_TWO if setup.players == 2 else WITH_TRADING)


async def test_there_are_no_other_editions_than_these(world: World) -> None:
    """Else there would be games that nobody has played here."""
    offered = set()
    for edition in (await world.http.get("/v1/rulesets")).json()["rulesets"]:
        offered |= {(edition["ruleset"], table["players"], None) for table in edition["tables"]}
        for option in edition["options"]:
            offered |= {(edition["ruleset"], option["players"], row["value"]) for row in option["values"]
                        if row["value"] != option["default"]}  # fmt: skip
    played = {(setup.ruleset, setup.players, msgspec.to_builtins(setup.options).get("duel_fields")) for setup in SETUPS}
    assert played == offered
