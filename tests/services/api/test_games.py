"""Games over HTTP: from the lobby to a move, with the statuses and bodies of the design."""

import asyncio

from tests.services.api.application import World, told


async def test_a_public_game_is_created_listed_joined_and_started(world: World) -> None:
    ada, grace, joan = await world.guest("Ada"), await world.guest("Grace"), await world.guest("Joan")
    created = await ada.post("/v1/games", {"ruleset": "classic", "seats": 3})
    assert created.status_code == 201
    assert set(created.json()) == {"game", "invite", "view"}
    assert created.json()["invite"] is None
    game = created.json()["game"]
    assert created.headers["location"] == f"/v1/games/{game}"
    assert created.json()["view"]["viewer"] == 0
    listed = (await joan.get("/v1/games?status=open&ruleset=classic&limit=5")).json()
    assert game in [entry["game"] for entry in listed["games"]]
    assert listed["next"] is None
    told(await ada.post(f"/v1/games/{game}/start"), 409, "seats_open")
    joined = await grace.post(f"/v1/games/{game}/seats", {"nonce": "my luck"})
    assert joined.status_code == 201
    assert (joined.json()["seat"], joined.json()["view"]["viewer"]) == (1, 1)
    again = await grace.post(f"/v1/games/{game}/seats")
    assert (again.status_code, again.json()["seat"]) == (201, 1)
    assert (await joan.post(f"/v1/games/{game}/seats", {})).json()["seat"] == 2
    late = await world.guest("Late")
    problem = told(await late.post(f"/v1/games/{game}/seats", {}), 409, "game_full")
    assert problem["version"] == await ada.version(game)
    told(await grace.post(f"/v1/games/{game}/start"), 403, "not_host")
    started = await ada.post(f"/v1/games/{game}/start")
    assert started.status_code == 200
    assert started.json()["status"] == "running"
    assert [seat["name"] for seat in started.json()["seats"]] == ["Ada", "Grace", "Joan"]
    again = await ada.post(f"/v1/games/{game}/start")
    assert (again.status_code, again.json()) == (200, started.json())
    left = await world.http.delete(f"/v1/games/{game}/seats/me", headers=joan.headers)
    assert told(left, 409, "already_started")["version"] == started.json()["version"]


async def test_a_private_game_exists_only_for_those_with_its_invite(world: World) -> None:
    ada, grace = await world.guest(), await world.guest()
    created = (await ada.post("/v1/games", {"ruleset": "classic", "seats": 3, "visibility": "private"})).json()
    game, invite = created["game"], created["invite"]
    assert invite
    told(await grace.get(f"/v1/games/{game}"), 404, "game_not_found")
    told(await grace.post(f"/v1/games/{game}/seats", {}), 404, "game_not_found")
    told(await grace.post(f"/v1/games/{game}/seats", {"invite": invite + "x"}), 404, "game_not_found")
    assert (await grace.get("/v1/games")).json()["games"] == []
    assert (await grace.post(f"/v1/games/{game}/seats", {"invite": invite})).status_code == 201
    assert (await grace.get(f"/v1/games/{game}")).status_code == 200


async def test_a_seat_is_left_without_a_body(world: World) -> None:
    ada, grace = await world.guest(), await world.guest()
    game = (await ada.post("/v1/games", {"ruleset": "classic", "seats": 3})).json()["game"]
    await grace.post(f"/v1/games/{game}/seats", {})
    left = await world.http.delete(f"/v1/games/{game}/seats/me", headers=grace.headers)
    assert (left.status_code, left.content) == (204, b"")
    assert (await ada.get(f"/v1/games/{game}")).json()["seats"][1]["player"] is None
    told(await world.http.delete(f"/v1/games/{game}/seats/me", headers=grace.headers), 403, "not_your_seat")


async def test_the_tag_of_a_game_is_its_version_and_spares_a_body_that_is_known(world: World) -> None:
    game, callers = await world.started_game()
    first = await callers[0].get(f"/v1/games/{game}")
    assert first.headers["etag"] == f'"{first.json()["version"]}"'
    assert first.headers["vary"] == "Authorization"
    tag = first.headers["etag"]
    for value in (tag, f"W/{tag}", f'"1", {tag}'):
        known = await callers[0].get(f"/v1/games/{game}", if_none_match=value)
        assert (known.status_code, known.content, known.headers["etag"]) == (304, b"", tag)
    for value in ('"1"', "*", "garbage", tag.strip('"')):
        assert (await callers[0].get(f"/v1/games/{game}", if_none_match=value)).status_code == 200


async def test_not_modified_is_not_said_to_somebody_who_sees_something_else(world: World) -> None:
    game, callers = await world.started_game()
    tag = (await callers[0].get(f"/v1/games/{game}")).headers["etag"]
    other = await callers[1].get(f"/v1/games/{game}", if_none_match=tag)
    assert other.status_code == 200
    assert other.json()["viewer"] == 1


async def test_not_modified_is_not_said_after_somebody_took_another_name(world: World) -> None:
    game, callers = await world.started_game()
    tag = (await callers[0].get(f"/v1/games/{game}")).headers["etag"]
    await world.http.patch("/v1/players/me", json={"name": "Renamed"}, headers=callers[1].headers)
    for _ in range(2):
        seen = await callers[0].get(f"/v1/games/{game}", if_none_match=tag)
        assert seen.status_code == 200
        assert seen.json()["seats"][1]["name"] == "Renamed"


async def test_a_move_is_answered_once_and_repeated_for_its_copies(world: World) -> None:
    game, callers = await world.started_game()
    view = (await callers[0].get(f"/v1/games/{game}")).json()
    active = callers[view["active"]]
    listed = await active.get(f"/v1/games/{game}/actions")
    assert listed.status_code == 200
    assert listed.json()["version"] == view["version"]
    command = next(a["command"] for a in listed.json()["actions"] if a["command"]["type"] == "plant")
    first = await active.command(game, command, "the-key", if_match=f'"{view["version"]}"')
    assert first.status_code == 200
    answer = first.json()
    assert answer["version"] == view["version"] + 1
    assert answer["replayed"] is False
    assert [item["event"]["type"] for item in answer["events"]] == ["bean_planted"]
    assert set(answer["events"][0]) == {"version", "at", "event"}
    copies = await asyncio.gather(*(active.command(game, command, "the-key") for _ in range(5)))
    for copy in copies:
        assert copy.status_code == 200
        assert copy.json() == {**answer, "replayed": True}
    reused = told(await active.command(game, {"type": "reveal"}, "the-key"), 422, "key_reused")
    assert reused["version"] == answer["version"]
    assert await active.version(game) == answer["version"]


async def test_what_the_rules_refuse_is_a_conflict_with_the_version(world: World) -> None:
    game, callers = await world.started_game()
    view = (await callers[0].get(f"/v1/games/{game}")).json()
    waiting = callers[(view["active"] + 1) % 3]
    problem = told(await waiting.command(game, {"type": "reveal"}), 409, "not_your_turn")
    assert problem["version"] == view["version"]
    told(await callers[view["active"]].command(game, {"type": "end_trading"}), 409, "wrong_phase")
    told(await callers[view["active"]].command(game, {"type": "harvest", "field": 99}), 409, "no_such_field")
    outsider = await world.guest()
    for answer in (
        await outsider.command(game, {"type": "reveal"}),
        await outsider.get(f"/v1/games/{game}/actions"),
        await world.http.delete(f"/v1/games/{game}/seats/me", headers=outsider.headers),
    ):
        assert told(answer, 403, "not_your_seat")["version"] == view["version"]
    assert told(await outsider.post(f"/v1/games/{game}/start"), 403, "not_host")["version"] == view["version"]


async def test_the_history_is_read_in_pages_without_a_gap(world: World) -> None:
    game, callers = await world.started_game()
    whole = (await callers[0].get(f"/v1/games/{game}/events")).json()
    assert whole["next"] is None
    versions = [item["version"] for item in whole["events"]]
    assert versions == list(range(1, await callers[0].version(game) + 1))
    read: list[object] = []
    after: int | None = 0
    while after is not None:
        page = (await callers[0].get(f"/v1/games/{game}/events?after={after}&limit=2")).json()
        read.extend(page["events"])
        after = page["next"]
    assert read == whole["events"]
    beyond = (await callers[0].get(f"/v1/games/{game}/events?after=2147483647")).json()
    assert beyond == {"events": [], "next": None}


async def test_the_lobby_is_read_in_pages(world: World) -> None:
    ada = await world.guest()
    games = []
    for _ in range(5):
        world.clock.advance(1)
        games.append((await ada.post("/v1/games", {"ruleset": "classic", "seats": 3})).json()["game"])
    found: list[str] = []
    cursor = ""
    while True:
        page = (await ada.get(f"/v1/games?limit=2&player={ada.player.upper()}{cursor}")).json()
        found.extend(entry["game"] for entry in page["games"])
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert found == games[::-1]


async def test_the_editions_are_listed_with_their_numbers(world: World) -> None:
    answer = (await world.http.get("/v1/rulesets")).json()
    classic = next(edition for edition in answer["rulesets"] if edition["ruleset"] == "classic")
    by_players = {table["players"]: table for table in classic["tables"]}
    assert set(by_players) == {2, 3, 4, 5, 6, 7}
    assert (by_players[3]["field_price"], by_players[4]["field_price"], by_players[6]["field_price"]) == (None, 3, 2)
    assert by_players[6]["hand_sizes"] == [3, 4, 5, 6, 6, 6]
    assert sum(by_players[5]["deck"].values()) == 130
    cocoa = next(row for row in answer["beans"] if row["bean"] == "cocoa")
    assert cocoa["beanometer"] == [{"beans": n, "coins": n} for n in (2, 3, 4)]


async def test_every_edition_is_listed_with_all_that_a_table_needs(world: World) -> None:
    answer = (await world.http.get("/v1/rulesets")).json()
    editions = {edition["ruleset"]: edition for edition in answer["rulesets"]}
    assert [*editions] == ["classic", "boonanza", "amigo_classic", "amigo_2023", "new_beans", "field_beans"]
    duel = editions["classic"]["tables"][0]
    assert (duel["turn"], duel["harvest"], duel["field_payment"], duel["reveal"]) == ("duel", "own_turn", "box", 3)
    (option,) = editions["classic"]["options"]
    assert (option["option"], option["players"], option["default"]) == ("duel_fields", 2, 2)
    tables = {row["value"]: row["table"] for row in option["values"]}
    assert tables[2] == duel
    assert (tables[3]["fields"], tables[3]["field_price"]) == (3, None)
    field_beans = editions["field_beans"]
    assert (field_beans["reshuffle"], field_beans["tie_break"], field_beans["options"]) == (
        "at_once",
        "farthest_clockwise",
        [],
    )
    assert {(table["draw"], table["drawers"], table["most_fields"]) for table in field_beans["tables"]} == {
        (1, "everyone", 3)
    }
    grants = {row["bean"]: row["field_grant"] for row in answer["beans"]}
    assert {bean for bean, grant in grants.items() if grant is not None} == {"field_bean"}
    assert grants["field_bean"] == 2


async def test_a_duel_is_set_up_with_its_option_and_played(world: World) -> None:
    game, players = await world.started_game(2, options={"duel_fields": 3})
    seen = (await players[0].get(f"/v1/games/{game}")).json()
    assert [len(seat["fields"]) for seat in seen["seats"]] == [3, 3]
    created = (await players[1].get(f"/v1/games/{game}/events?limit=1")).json()["events"][0]["event"]
    assert created["options"] == {"start_when_full": False, "duel_fields": 3}
    active, other = players[seen["active"]], players[1 - seen["active"]]
    front = next(
        card["card"] for card in (await active.get(f"/v1/games/{game}")).json()["seats"][seen["active"]]["hand"]
    )
    told(await other.command(game, {"type": "end_trading"}), 409, "wrong_phase")
    for command in ({"type": "plant", "card": front, "field": 0}, {"type": "reveal"}, {"type": "end_turn"}):
        answer = await active.command(game, command)
        assert answer.status_code == 200, answer.text
    seen = (await other.get(f"/v1/games/{game}")).json()
    assert (seen["phase"], seen["active"]) == ("gifts", seen["viewer"])
    assert len(seen["gifts"]) >= 3
    offered = (await other.get(f"/v1/games/{game}/actions")).json()["actions"]
    assert {"type": "discard", "card": seen["gifts"][0]["card"]} in [action["command"] for action in offered]
