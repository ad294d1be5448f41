"""The client and the real API understand each other."""

import pytest

from domain.commands import EndTrading, Plant
from domain.events import CardsDealt, GameAbandoned
from services.client.client import Client
from services.client.errors import Problem
from services.games.requests import NewGameRequest
from tests.services.demo.tables import QUICK, memory_server


async def test_a_private_table_from_its_invitation_to_the_first_move() -> None:
    async with memory_server() as url, Client(url, QUICK) as host, Client(url, QUICK) as guest, Client(url) as third:
        players = [await client.sign_up(name) for client, name in ((host, "Ada"), (guest, "Ben"), (third, "Cleo"))]
        created = await host.create_game(NewGameRequest(seats=3, visibility="private", nonce="a"))
        game = created.game
        with pytest.raises(Problem) as unknown:
            await guest.view(game)
        assert unknown.value.code == "game_not_found"
        assert (await guest.join(game, created.invite, "b")).seat == 1
        assert (await third.join(game, created.invite)).seat == 2
        view = await host.start(game)
        assert [seat.player for seat in view.seats] == players
        assert [seat.name for seat in view.seats] == ["Ada", "Ben", "Cleo"]

        clients = (host, guest, third)
        assert view.active is not None
        active, other = clients[view.active], clients[view.active - 1]
        seen = await active.view(game)
        hand = seen.seats[view.active].hand
        assert hand is not None
        told = await active.actions(game)
        assert told.version == seen.version
        assert Plant(hand[0].card, 0) in [action.command for action in told.actions]
        answer = await active.send(game, Plant(hand[0].card, 0), if_version=seen.version)
        assert (answer.version, answer.replayed) == (seen.version + 1, False)
        assert (await other.events(game, seen.version)).events == answer.events

        step = await active.replay(game)
        assert (step.version, step.last, step.view) == (answer.version, answer.version, await active.view(game))
        assert step.actions == (await active.actions(game)).actions
        before = await active.replay(game, seen.version, view.active)
        assert (before.view, before.actions) == (seen, told.actions)
        assert (await other.replay(game, 1, "spectator")).view.viewer is None
        with pytest.raises(Problem) as hidden:
            await other.replay(game, seen_as=view.active)
        assert (hidden.value.status, hidden.value.code) == (403, "not_revealed")

        with pytest.raises(Problem) as refused:
            await other.send(game, EndTrading())
        assert (refused.value.status, refused.value.code, refused.value.version) == (409, "wrong_phase", answer.version)
        with pytest.raises(Problem) as stale:
            await active.send(game, EndTrading(), if_version=seen.version)
        assert (stale.value.status, stale.value.code) == (412, "stale_version")


async def test_the_same_key_again_gives_the_same_answer() -> None:
    async with memory_server() as url, Client(url, QUICK) as host, Client(url) as second, Client(url) as third:
        clients = (host, second, third)
        for client in clients:
            await client.sign_up("Ada")
        game = (await host.create_game(NewGameRequest(seats=3))).game
        await second.join(game)
        await third.join(game)
        view = await host.start(game)
        assert view.active is not None
        active = clients[view.active]
        hand = (await active.view(game)).seats[view.active].hand
        assert hand is not None
        first = await active.send(game, Plant(hand[0].card, 0), key="one")
        again = await active.send(game, Plant(hand[0].card, 0), key="one")
        assert (again.version, again.events, again.replayed) == (first.version, first.events, True)
        assert active.replayed == 1


async def test_a_history_is_read_over_all_its_pages() -> None:
    async with memory_server() as url, Client(url, QUICK) as host, Client(url) as second, Client(url) as third:
        for client in (host, second, third):
            await client.sign_up("Ada")
        game = (await host.create_game(NewGameRequest(seats=3))).game
        await second.join(game)
        await third.join(game)
        version = (await host.start(game)).version
        page = await host.events(game, limit=2)
        assert [item.version for item in page.events] == [1, 2]
        assert page.next == 2
        history = await host.history(game)
        assert [item.version for item in history] == list(range(1, version + 1))
        assert await host.history(game, 3) == history[3:]
        dealt = [item.event for item in history if isinstance(item.event, CardsDealt)]
        assert {event.seat: event.cards[0].bean is None for event in dealt} == {0: False, 1: True, 2: True}


async def test_the_lobby_lists_what_is_open_and_a_seat_can_be_left() -> None:
    async with memory_server() as url, Client(url, QUICK) as host, Client(url) as guest:
        await host.sign_up("Ada")
        await guest.sign_up("Ben")
        first = (await host.create_game(NewGameRequest(seats=3))).game
        second = (await host.create_game(NewGameRequest(seats=4))).game
        page = await guest.games(status="open", ruleset="classic", limit=1)
        rest = await guest.games(status="open", ruleset="classic", limit=1, cursor=page.next)
        # Both were made at the same instant of a clock that stands still, so either may come first.
        assert sorted(entry.game for entry in page.games + rest.games) == sorted([first, second])
        assert rest.next is None

        await guest.join(first)
        assert [entry.game for entry in (await host.games(player=guest.player)).games] == [first]
        await guest.leave(first)
        with pytest.raises(Problem) as gone:
            await guest.leave(first)
        assert gone.value.code == "not_your_seat"
        await host.leave(first)
        assert isinstance((await host.history(first))[-1].event, GameAbandoned)
