"""A private game does not exist for a stranger: every use case answers as it does for a game that was
never created, and no list tells of it."""

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from domain.commands import Reveal
from services.games.errors import GameError, GameNotFound
from services.games.games import Games
from services.games.requests import NewGameRequest
from tests.services.games.tables import World, new_id, open_table, running_table, send, wire

UseCase = Callable[[Games, str, str], Coroutine[Any, Any, object]]

USE_CASES: dict[str, UseCase] = {
    "view": lambda games, game, player: games.view(game, player),
    "join without an invitation": lambda games, game, player: games.join(game, player, None, ""),
    "join with a wrong invitation": lambda games, game, player: games.join(game, player, "A" * 22, ""),
    "join with an empty invitation": lambda games, game, player: games.join(game, player, "", ""),
    "join with an odd invitation": lambda games, game, player: games.join(game, player, "ü\0\U0001f331", ""),
    "leave": lambda games, game, player: games.leave(game, player),
    "start": lambda games, game, player: games.start(game, player),
    "command": lambda games, game, player: games.command(game, player, "key", Reveal(), None),
    "command with a condition": lambda games, game, player: games.command(game, player, "key", Reveal(), 99),
    "events": lambda games, game, player: games.events(game, player, 0, 10),
    "events far behind the end": lambda games, game, player: games.events(game, player, 10_000, 10),
    "actions": lambda games, game, player: games.actions(game, player),
}


async def failure(use: Coroutine[Any, Any, object]) -> tuple[object, ...]:
    with pytest.raises(GameError) as failed:
        await use
    error = failed.value
    return type(error), error.code, error.detail, error.version, error.args


@pytest.mark.parametrize("status", ["open", "running", "abandoned"])
async def test_a_stranger_is_told_what_he_is_told_of_a_game_that_never_was(world: World, status: str) -> None:
    games = world.process()
    table = await (running_table if status == "running" else open_table)(games, 3, visibility="private")
    if status == "abandoned":
        await games.leave(table.game, table.players[0])
    before = await world.store.read(table.game)
    for process in (games, world.process()):
        for name, use in USE_CASES.items():
            stranger = new_id()
            told = await failure(use(process, table.game, stranger))
            assert told == await failure(use(process, new_id(), stranger)), name
            assert told[0] is GameNotFound, name
    assert await world.store.read(table.game) == before


async def test_who_has_left_is_a_stranger(world: World) -> None:
    games = world.process()
    table = await open_table(games, 3, visibility="private")
    await world.process().leave(table.game, table.players[2])
    for use in (USE_CASES["view"], USE_CASES["events"], USE_CASES["actions"], USE_CASES["leave"]):
        with pytest.raises(GameNotFound):
            await use(games, table.game, table.players[2])
    assert (await games.join(table.game, table.players[2], table.invite, "")).seat == 2


async def test_the_invitation_opens_its_own_game_only(world: World) -> None:
    games = world.process()
    first = await open_table(games, 3, taken=1, visibility="private")
    second = await open_table(games, 3, taken=1, visibility="private")
    assert first.invite is not None
    assert len(first.invite) >= 22
    assert first.invite != second.invite
    with pytest.raises(GameNotFound):
        await games.join(first.game, new_id(), second.invite, "")
    for variant in (first.invite[:-1], first.invite + "A", first.invite.swapcase(), f" {first.invite}"):
        with pytest.raises(GameNotFound):
            await games.join(first.game, new_id(), variant, "")
    assert (await world.process().join(first.game, new_id(), first.invite, "")).seat == 1
    assert (await open_table(games, 3, taken=1)).invite is None


async def test_the_invitation_is_told_once_and_stored_nowhere(world: World) -> None:
    games = world.process()
    table = await open_table(games, 3, taken=2, visibility="private")
    assert table.invite is not None
    invite = table.invite.encode()
    told = [await games.join(table.game, new_id(), table.invite, "")]
    answers = [
        *told,
        await games.start(table.game, table.players[0]),
        *[await games.view(table.game, player) for player in table.players],
        await games.events(table.game, table.players[0], 0, 100),
        await games.games(table.players[0], None, None, None, None, 100),
    ]
    assert not [answer for answer in answers if invite in wire(answer)]
    assert not [record for record in await world.store.read(table.game) if invite in record.payload]
    secrets = await world.store.secrets(table.game)
    assert secrets is not None
    assert secrets.invite_hash is not None
    assert invite not in secrets.invite_hash
    created = await games.create(new_id(), NewGameRequest(visibility="private"))
    assert created.invite is not None
    assert created.invite not in repr(created)


async def test_lists_show_public_games_and_own_ones(world: World) -> None:
    games = world.process()
    public = await open_table(games, 3, taken=2)
    private = await open_table(games, 3, taken=2, visibility="private")

    async def listed(caller: str, of_player: str) -> set[str]:
        page = await games.games(caller, None, None, of_player, None, 100)
        return {entry.game for entry in page.games}

    for player in private.players:
        assert await listed(player, private.players[0]) == {private.game}
    assert await listed(new_id(), private.players[0]) == set()
    assert await listed(public.players[0], private.players[0]) == set()
    assert await listed(new_id(), public.players[1]) == {public.game}
    await games.leave(private.game, private.players[1])
    assert await listed(private.players[1], private.players[0]) == set()


async def test_seated_players_of_a_private_game_play_like_others(world: World) -> None:
    games = world.process()
    table = await running_table(games, 3, visibility="private")
    for player in table.players:
        assert (await games.view(table.game, player)).viewer == table.players.index(player)
    with pytest.raises(GameError) as refusal:
        await send(games, table.game, table.players[0], Reveal())
    assert refusal.value.code in ("must_plant_first", "not_your_turn")
