"""The player never notices that his access token is good for a quarter of an hour only."""

import asyncio

import pytest

from domain.commands import Reveal
from services.client.client import Client
from services.client.connection import Request, server_address
from services.client.errors import Problem
from services.client.patience import Patience
from tests.services.client.faulty import GAME, PLAYER, Faulty, faulty

QUICK = Patience(total=5.0, call=1.0, first_pause=0.01, longest_pause=0.05)


async def test_an_expired_token_is_renewed_and_the_command_sent_again_with_its_key() -> None:
    server = Faulty(["expired"])
    async with faulty(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        await client.send(GAME, Reveal())
    assert server.tokens == ["access-0", "access-1"]
    assert server.renewals == ["refresh-0"]
    assert len(set(server.keys)) == len(server.effects) == 1


async def test_many_calls_that_meet_an_expired_token_renew_it_once() -> None:
    server = Faulty(["expired"] * 4, renewal_pause=0.1)
    async with faulty(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        await asyncio.gather(*(client.send(GAME, Reveal()) for _ in range(4)))
    assert server.renewals == ["refresh-0"]
    assert len(server.effects) == 4


async def test_a_token_is_renewed_before_it_expires() -> None:
    server = Faulty(lifetime=0)
    async with faulty(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        server.lifetime = 900
        await client.send(GAME, Reveal())
        await client.send(GAME, Reveal())
    assert server.tokens == ["access-1", "access-1"]
    assert server.renewals == ["refresh-0"]


async def test_a_caller_that_gives_up_does_not_end_the_renewal_for_the_others() -> None:
    server = Faulty(["expired"] * 2, renewal_pause=0.2)
    async with faulty(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        first, second = (asyncio.create_task(client.send(GAME, Reveal())) for _ in range(2))
        await asyncio.sleep(0.1)
        first.cancel()
        assert (await second).version == 7
    assert server.renewals == ["refresh-0"]
    assert first.cancelled()


async def test_a_server_that_finds_every_token_expired_is_not_asked_for_ever() -> None:
    server = Faulty(["expired"] * 100)
    async with faulty(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        with pytest.raises(Problem) as caught:
            await client.send(GAME, Reveal())
    assert caught.value.code == "token_expired"
    assert len(server.keys) == 3


async def test_no_secret_is_in_a_representation() -> None:
    async with faulty(Faulty()) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        await client.send(GAME, Reveal())
        request = Request("GET", "/v1/games", headers={"Authorization": "Bearer access-0"})
        shown = f"{client!r} {client._tokens!r} {client._tokens._pair!r} {client._connection!r} {request!r}"
    assert PLAYER in shown
    assert "access-" not in shown
    assert "refresh-" not in shown


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8000",
        "ftp://127.0.0.1",
        "http://",
        "http://me:secret@127.0.0.1",
        "http://x/?a=1",
        "http://x:99999",
    ],
)
def test_what_is_no_address_of_a_server_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"looks like|[Pp]ort"):
        server_address(url)


def test_the_path_of_the_version_may_be_there_or_not() -> None:
    assert server_address("http://127.0.0.1:8000/v1/") == server_address("http://127.0.0.1:8000")
