"""The steps of a short game, laid out by hand: who acted, how long it took, and where one can go from each."""

import pytest

from domain.commands import Accept, EndTrading, Offer, Plant, Reveal
from domain.events import GameAbandoned, GameCreated, TradeCompleted, TurnStarted
from domain.replay import Viewpoint
from services.games.errors import GameError
from services.games.games import Games
from services.replay.answers import StepLink
from services.replay.errors import NotRevealed, VersionNotFound
from tests.services.games.tables import Trading, World, active_at, hand, new_id, open_table, send, trading_table
from tests.services.replay.looking_back import links, step

# Three players at a classic table. 1 game_created, 2-4 player_joined, 5 game_started, 6 deck_shuffled, 7-9 cards_dealt,
# 10 turn_started, 11 bean_planted, 12 cards_revealed; then with `traded` 13 trade_offered, 14 trade_completed,
# 15 trading_ended, 16 and 17 bean_planted, 18 cards_drawn, 19 turn_started.
CREATED, FIRST_TURN, REVEALED, OFFERED, TRADED, TRADING_ENDED, SECOND_TURN = 1, 10, 12, 13, 14, 15, 19


async def offered(games: Games) -> tuple[Trading, list[int]]:
    """The active player gives the first of the two face-up cards to anybody."""
    trading = await trading_table(games, 3)
    face_up = [card.card for card in (await games.view(trading.game, trading.active)).face_up]
    await send(games, trading.game, trading.active, Offer(to=None, give=face_up[:1]))
    return trading, face_up


async def traded(games: Games, trading: Trading) -> None:
    await send(games, trading.game, trading.others[0], Accept(1, []))


async def second_turn(games: Games, trading: Trading, face_up: list[int]) -> None:
    """Both plant what they have got, each on an empty field."""
    await send(games, trading.game, trading.active, EndTrading())
    await send(games, trading.game, trading.active, Plant(face_up[1], 1))
    await send(games, trading.game, trading.others[0], Plant(face_up[0], 0))


async def test_the_links_lead_to_the_neighbours_and_to_the_nearest_turn_and_trade(world: World) -> None:
    games = world.process()
    trading, face_up = await offered(games)
    await traded(games, trading)
    await second_turn(games, trading, face_up)

    async def leads(version: int) -> list[int | None]:
        found = await step(world, trading.game, trading.active, version)
        assert (found.version, found.last) == (version, SECOND_TURN)
        return list(links(found).values())

    assert list(links(await step(world, trading.game, trading.active))) == [
        "previous",
        "next",
        "previous_turn",
        "next_turn",
        "previous_trade",
        "next_trade",
    ]
    assert await leads(CREATED) == [None, 2, None, FIRST_TURN, None, TRADED]
    assert await leads(9) == [8, 10, None, FIRST_TURN, None, TRADED]
    assert await leads(FIRST_TURN) == [9, 11, None, SECOND_TURN, None, TRADED]
    assert await leads(11) == [10, 12, FIRST_TURN, SECOND_TURN, None, TRADED]
    assert await leads(OFFERED) == [12, 14, FIRST_TURN, SECOND_TURN, None, TRADED]
    assert await leads(TRADED) == [13, 15, FIRST_TURN, SECOND_TURN, None, None]
    assert await leads(TRADING_ENDED) == [14, 16, FIRST_TURN, SECOND_TURN, TRADED, None]
    assert await leads(18) == [17, 19, FIRST_TURN, SECOND_TURN, TRADED, None]
    assert await leads(SECOND_TURN) == [18, None, FIRST_TURN, None, TRADED, None]
    assert isinstance((await step(world, trading.game, trading.active, TRADED)).event, TradeCompleted)
    assert isinstance((await step(world, trading.game, trading.active, SECOND_TURN)).event, TurnStarted)


async def test_the_nearest_of_several_turns_and_trades_is_the_one_that_is_linked(memory_world: World) -> None:
    games = memory_world.process()
    trading = await trading_table(games, 3)
    for number in (1, 2):
        face_up = [card.card for card in (await games.view(trading.game, trading.active)).face_up]
        await send(games, trading.game, trading.active, Offer(to=None, give=face_up[:1]))
        await send(games, trading.game, trading.others[0], Accept(number, []))
    # 13 trade_offered, 14 trade_completed, 15 trade_offered, 16 trade_completed
    found = links(await step(memory_world, trading.game, trading.active, 12))
    assert (found["previous_trade"], found["next_trade"]) == (None, 14)
    found = links(await step(memory_world, trading.game, trading.active, 15))
    assert (found["previous_trade"], found["next_trade"]) == (14, 16)
    await send(games, trading.game, trading.active, EndTrading())
    found = links(await step(memory_world, trading.game, trading.active, 17))
    assert (found["previous_trade"], found["next_trade"]) == (16, None)


async def test_the_links_of_a_running_game_end_at_the_present_version(world: World) -> None:
    games = world.process()
    trading, _ = await offered(games)

    async def leads(version: int) -> list[int | None]:
        return list(links(await step(world, trading.game, trading.active, version)).values())

    assert await leads(REVEALED) == [11, 13, FIRST_TURN, None, None, None]
    assert await leads(OFFERED) == [12, None, FIRST_TURN, None, None, None]
    await traded(games, trading)
    assert await leads(REVEALED) == [11, 13, FIRST_TURN, None, None, TRADED]
    assert await leads(OFFERED) == [12, 14, FIRST_TURN, None, None, TRADED]


async def test_a_link_is_an_address_in_the_same_replay(world: World) -> None:
    games = world.process()
    trading, _ = await offered(games)
    at = f"/v1/games/{trading.game}/replay"
    own = await step(world, trading.game, trading.active, 12)
    assert own.links.previous == StepLink(11, f"{at}?version=11&as={trading.active_seat}")
    assert own.links.previous_turn == StepLink(10, f"{at}?version=10&as={trading.active_seat}")
    looking_on = await step(world, trading.game, trading.active, 12, "spectator")
    assert looking_on.links.next == StepLink(13, f"{at}?version=13&as=spectator")


async def test_who_acted_is_told(world: World) -> None:
    games = world.process()
    trading, _ = await offered(games)
    await traded(games, trading)
    other = trading.table.players.index(trading.others[0])
    # The host sat down with his table and has started; the guests came by themselves.
    acted = [(await step(world, trading.game, new_id(), version)).seat for version in range(1, 15)]
    assert acted == [0, 0, 1, 2, 0, 0, 0, 0, 0, 0, trading.active_seat, trading.active_seat, trading.active_seat, other]


async def test_how_long_it_took_is_told_in_whole_milliseconds(memory_world: World) -> None:
    world = memory_world
    games = world.process()
    table = await open_table(games, 3, taken=2)
    world.clock.advance(61.0)
    table.players.append(new_id())
    await games.join(table.game, table.players[2], None, "")
    world.clock.advance(0.0019)
    await games.start(table.game, table.players[0])
    world.clock.advance(1.234999)
    active = table.players[await active_at(games, table)]
    await send(games, table.game, active, Plant((await hand(games, table.game, active))[0], 0))
    world.clock.advance(-5.0)
    await send(games, table.game, active, Reveal())
    times = [(await step(world, table.game, table.players[0], version)).thinking_ms for version in range(1, 13)]
    # What one request has brought about comes at once: the table with its host, and all that belongs to the start.
    # A clock that is set back stands still for a game.
    assert times == [None, 0, 0, 61_000, 1, 0, 0, 0, 0, 0, 1234, 0]
    assert (await step(world, table.game, active, 4)).at == "2026-11-30T12:01:01.123456Z"


async def test_a_version_that_there_is_not_is_not_found(world: World) -> None:
    games = world.process()
    table = await open_table(games, 3)
    for version in (0, -1, 5, 6, 2**31, 10**30):
        with pytest.raises(VersionNotFound) as refused:
            await step(world, table.game, table.players[0], version)
        assert refused.value.version == 4
    assert (await step(world, table.game, table.players[0])).version == 4
    assert isinstance((await step(world, table.game, table.players[0], 1)).event, GameCreated)


@pytest.mark.parametrize("is_open", [True, False])
async def test_before_the_end_there_is_the_own_seat_and_that_of_a_spectator_and_no_other(
    world: World, is_open: bool
) -> None:
    games = world.process()
    table = await open_table(games, 3)
    if not is_open:
        await games.start(table.game, table.players[0])
    seats: list[Viewpoint] = [0, 1, 2]
    for seat, player in [*enumerate(table.players), (None, new_id())]:
        others: list[Viewpoint] = [other for other in seats if other != seat]
        for other in (*others, "all"):
            with pytest.raises(NotRevealed) as refused:
                await step(world, table.game, player, None, other)
            assert refused.value.version == await world.version(table.game)
            # Whether there is such a version is of no interest then.
            with pytest.raises(NotRevealed):
                await step(world, table.game, player, 99, other)
        own = await step(world, table.game, player)
        assert own.view.viewer == seat
        assert (await step(world, table.game, player, None, "spectator")).view.viewer is None
        if seat is not None:
            assert await step(world, table.game, player, None, seat) == own


async def test_an_open_table_is_looked_back_on_like_any_other(world: World) -> None:
    games = world.process()
    table = await open_table(games, 4, taken=2)
    found = await step(world, table.game, table.players[1], 2)
    assert (found.version, found.last, found.view.status, found.view.viewer) == (2, 3, "open", 1)
    assert [seat.player for seat in found.view.seats] == [table.players[0], None, None, None]
    assert (found.actions, found.deck) == ([], None)
    # Nobody who is at home here any more: whoever has left looks on, at what he did too.
    await games.leave(table.game, table.players[1])
    found = await step(world, table.game, table.players[1], 3)
    assert (found.last, found.view.viewer, found.view.seats[1].player) == (4, None, table.players[1])


async def test_a_table_that_was_given_up_before_the_start_can_be_seen_from_everywhere(world: World) -> None:
    games = world.process()
    table = await open_table(games, 3)
    await games.leave(table.game, table.players[0])
    for player in (table.players[1], new_id()):
        for viewpoint in (0, 1, 2, "spectator", "all"):
            found = await step(world, table.game, player, None, viewpoint)
            assert found.view.status == "abandoned"
            assert found.deck == ([] if viewpoint == "all" else None)
    assert isinstance((await step(world, table.game, new_id())).event, GameAbandoned)


async def test_who_may_not_know_of_a_game_is_told_nothing_of_its_past_either(world: World) -> None:
    games = world.process()
    table = await open_table(games, 3, visibility="private")
    await games.leave(table.game, table.players[2])
    for game in (table.game, new_id()):
        for stranger in (new_id(), table.players[2]):
            with pytest.raises(GameError) as refused:
                await step(world, game, stranger, 2)
            assert (refused.value.code, refused.value.version) == ("game_not_found", None)
    for seat, player in enumerate(table.players[:2]):
        assert (await step(world, table.game, player, 2)).view.viewer == seat
