"""The replay over HTTP: its shape, its addresses, and what is refused to whom."""

import random
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from domain.views import FieldView, OfferView, SeatView, View
from services.api.reference.examples import GAME
from services.api.reference.step import STEP
from services.replay.answers import ReplayStep, StepLink, StepLinks
from tests.services.api.application import Caller, World, told
from tests.services.api.golden_step import golden_step
from tests.services.games.tables import Table, new_id, next_move

WRONG: list[str] = [
    "version=-1",
    "version=x",
    "version=",
    "version=1e1",
    "version=10.0",
    "version=007",
    "version=%2B1",
    "version=1.5",
    "version=" + "9" * 5_000,
    "version=1&version=2",
    "as=",
    "as=me",
    "as=7",
    "as=-1",
    "as=00",
    "as=ALL",
    "as=0&as=0",
    "after=3",
    "seen_as=0",
    "version=1&as=0&limit=1",
    "version",
    "as=%ff",
]
"""Queries that nobody can mean."""


async def ended_game(world: World) -> tuple[str, list[Caller]]:
    """A duel, played to its end in no time."""
    game, callers = await world.started_game(2)
    table = Table(game, [caller.player for caller in callers])
    while await next_move(table, [world.parts.games], random.Random(5)) is not None:
        pass
    return game, callers


async def test_a_step_holds_what_the_routes_of_its_time_have_said(world: World) -> None:
    game, callers = await world.started_game(3)
    world.clock.advance(2.5)
    active = (await callers[0].get(f"/v1/games/{game}")).json()["active"]
    caller = callers[active]
    card = (await caller.get(f"/v1/games/{game}")).json()["seats"][active]["hand"][0]["card"]
    await caller.command(game, {"type": "plant", "card": card, "field": 0})
    seen = await caller.get(f"/v1/games/{game}")
    listed = (await caller.get(f"/v1/games/{game}/events?after=10")).json()["events"]
    allowed = (await caller.get(f"/v1/games/{game}/actions")).json()["actions"]
    answer = await caller.get(f"/v1/games/{game}/replay")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json() == {
        "version": 11,
        "last": 11,
        "at": "2026-11-30T05:11:37.623456Z",
        "seat": active,
        "thinking_ms": 2500,
        "event": listed[0]["event"],
        "view": seen.json(),
        "actions": allowed,
        "deck": None,
        "links": {
            "previous": {"version": 10, "href": f"/v1/games/{game}/replay?version=10&as={active}"},
            "next": None,
            "previous_turn": {"version": 10, "href": f"/v1/games/{game}/replay?version=10&as={active}"},
            "next_turn": None,
            "previous_trade": None,
            "next_trade": None,
        },
    }
    assert b'"view":' + seen.content + b',"actions":' in answer.content
    for query in ("version=11", f"as={active}", f"as={active}&version=11"):
        assert (await caller.get(f"/v1/games/{game}/replay?{query}")).content == answer.content
    looking_on = await world.guest()
    for who, query in ((looking_on, ""), (looking_on, "?as=spectator"), (caller, "?as=spectator")):
        other = (await who.get(f"/v1/games/{game}/replay{query}")).json()
        assert other["view"] == (await looking_on.get(f"/v1/games/{game}")).json()
        assert (other["actions"], other["deck"]) == ([], None)


FIELDS: dict[type[Struct], tuple[str, ...]] = {
    ReplayStep: ("version", "last", "at", "seat", "thinking_ms", "event", "view", "actions", "deck", "links"),
    StepLinks: ("previous", "next", "previous_turn", "next_turn", "previous_trade", "next_trade"),
    StepLink: ("version", "href"),
}
"""As the design has them, in their order."""
SHAPES: list[type[Struct]] = [*FIELDS, View, SeatView, FieldView, OfferView]


@pytest.mark.parametrize("shape", FIELDS, ids=lambda shape: shape.__name__)
def test_the_fields_of_a_step_are_these(shape: type[Struct]) -> None:
    assert tuple(field.encode_name for field in msgspec.structs.fields(shape)) == FIELDS[shape]


async def test_a_client_misses_any_field_that_is_left_out(world: World) -> None:
    """Pitfall E9. A game that is over has a field, a hand, a result and a deck to show."""
    game, callers = await ended_game(world)
    known = {frozenset(field.encode_name for field in msgspec.structs.fields(shape)) for shape in SHAPES}
    last = await callers[0].version(game)
    missed = set()
    for version in (last // 2, last):
        step = (await callers[0].get(f"/v1/games/{game}/replay?version={version}&as=all")).json()
        msgspec.convert(step, ReplayStep)
        for found, name in places(step, known):
            kept = found.pop(name)
            with pytest.raises(msgspec.ValidationError, match=f"missing required field `{name}`"):
                msgspec.convert(step, ReplayStep)
            found[name] = kept
            missed.add(name)
    assert missed >= {*FIELDS[ReplayStep], *FIELDS[StepLinks], *FIELDS[StepLink], "hand", "active", "bean", "result"}


def places(value: Any, known: set[frozenset[str]]) -> list[tuple[dict[str, Any], str]]:
    """Every field of every object that has one of those shapes."""
    found: list[tuple[dict[str, Any], str]] = []
    if isinstance(value, dict):
        if frozenset(value) in known:
            found += [(value, name) for name in value]
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            found += places(part, known)
    return found


async def test_the_example_in_the_document_is_a_step_of_a_game_that_was_played() -> None:
    players = {seat["player"]: seat["name"] for seat in STEP["view"]["seats"]}
    assert await golden_step("classic-3", STEP["version"], 0, GAME, players) == STEP


async def test_the_links_lead_through_the_whole_game_and_back(world: World) -> None:
    game, callers = await ended_game(world)
    last = await callers[0].version(game)
    for viewpoint in ("1", "all"):
        step = (await callers[0].get(f"/v1/games/{game}/replay?version=1&as={viewpoint}")).json()
        way = [step["version"]]
        turns = []
        while (link := step["links"]["next"]) is not None:
            step = (await callers[0].get(link["href"])).json()
            way.append(step["version"])
            if step["event"]["type"] == "turn_started":
                turns.append(step["version"])
        assert way == [*range(1, last + 1)]
        back = []
        while (link := step["links"]["previous_turn"]) is not None:
            step = (await callers[0].get(link["href"])).json()
            back.append(step["version"])
        assert back == turns[::-1]


@pytest.mark.parametrize("query", WRONG)
async def test_a_query_that_is_wrong_is_malformed(world: World, query: str) -> None:
    game, callers = await world.started_game(3)
    told(await callers[0].get(f"/v1/games/{game}/replay?{query}"), 400, "malformed")


async def test_who_asks_for_a_place_that_there_is_not_is_told_which_there_are(world: World) -> None:
    game, callers = await world.started_game(3)
    problem = told(await callers[0].get(f"/v1/games/{game}/replay?as=me"), 400, "malformed")
    assert all(place in problem["detail"] for place in (*"0123456", "spectator", "all"))
    for seat in (3, 6):
        problem = told(await callers[0].get(f"/v1/games/{game}/replay?as={seat}"), 400, "malformed")
        assert problem["errors"] == [{"path": "$.as", "message": "Expected one of 0, 1, 2, spectator, all"}]
    problem = told(await callers[0].get(f"/v1/games/{game}/replay?player=0"), 400, "malformed")
    assert "(there are version, as)" in problem["detail"]


async def test_what_is_not_there_or_not_shown_yet_is_refused_with_the_version_of_the_game(world: World) -> None:
    game, callers = await world.started_game(3)
    for version in ("0", "11", "2147483648", "1" + "0" * 30):
        answer = await callers[0].get(f"/v1/games/{game}/replay?version={version}")
        assert told(answer, 404, "version_not_found")["version"] == 10
    stranger = await world.guest()
    for caller, place in ((callers[0], 1), (callers[1], 0), (callers[0], "all"), (stranger, 2), (stranger, "all")):
        for version in ("", "&version=10", "&version=99", "&version=0"):
            answer = await caller.get(f"/v1/games/{game}/replay?as={place}{version}")
            assert told(answer, 403, "not_revealed")["version"] == 10


async def test_an_ended_game_is_shown_to_everybody_from_everywhere(world: World) -> None:
    game, callers = await ended_game(world)
    stranger = await world.guest()
    last = await callers[0].version(game)
    for caller in (*callers, stranger):
        for place in ("0", "1", "spectator", "all"):
            step = (await caller.get(f"/v1/games/{game}/replay?version=20&as={place}")).json()
            assert step["view"]["viewer"] == (int(place) if place.isdigit() else None)
            hands = [seat["hand"] is not None for seat in step["view"]["seats"]]
            assert hands == [place in ("0", "all"), place in ("1", "all")]
            assert (step["deck"] is not None) == (place == "all")
        answer = await caller.get(f"/v1/games/{game}/replay?version={last + 1}&as=all")
        assert told(answer, 404, "version_not_found")["version"] == last
    told(await stranger.get(f"/v1/games/{game}/replay?as=2"), 400, "malformed")


@pytest.mark.parametrize("status", ["open", "running", "ended"])
async def test_a_private_game_has_no_past_for_a_stranger_whatever_he_asks(world: World, status: str) -> None:
    if status == "open":
        host = await world.guest()
        wanted = {"ruleset": "classic", "seats": 3, "visibility": "private"}
        game = (await host.post("/v1/games", wanted)).json()["game"]
    else:
        game, callers = await world.started_game(2, visibility="private")
        table = Table(game, [caller.player for caller in callers])
        while status == "ended" and await next_move(table, [world.parts.games], random.Random(6)) is not None:
            pass
    stranger = await world.guest()
    right = ["", "version=1", "version=0", "version=999", "as=spectator", "as=all", "as=0", "as=6", "version=2&as=1"]
    for query in [*right, *WRONG]:
        answer = await stranger.get(f"/v1/games/{game}/replay?{query}")
        nowhere = await stranger.get(f"/v1/games/{new_id()}/replay?{query}")
        told(answer, 404, "game_not_found")
        assert (answer.content, answer.headers) == (nowhere.content, nowhere.headers)
    told(await stranger.get("/v1/games/no-id/replay?version=x"), 404, "game_not_found")
    told(await world.http.get(f"/v1/games/{game}/replay"), 401, "token_missing")


async def test_players_have_the_names_of_today_at_every_step(world: World) -> None:
    game, callers = await world.started_game(3)
    await callers[1].http.patch("/v1/players/me", json={"name": "Grace Hopper"}, headers=callers[1].headers)
    erased = await callers[2].http.delete("/v1/players/me", headers=callers[2].headers)
    assert erased.status_code == 204
    for version in (4, 10):
        step = (await callers[0].get(f"/v1/games/{game}/replay?version={version}")).json()
        assert [seat["name"] for seat in step["view"]["seats"]] == ["Seat 0", "Grace Hopper", "someone"]


async def test_the_head_of_a_step_can_be_asked_for_alone(world: World) -> None:
    game, callers = await world.started_game(3)
    at = f"/v1/games/{game}/replay?version=3"
    whole = await callers[0].get(at)
    head = await callers[0].http.head(at, headers=callers[0].headers)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(whole.content))
