"""A guest is gone when that for which he came is done, and his going spoils nothing."""

import logging

import pytest

from services.client import guest as guests
from services.client.errors import Problem
from services.client.guest import guest
from tests.services.client.faulty import Faulty, faulty
from tests.services.demo.tables import QUICK, memory_server
from tests.services.games.counters import counter


async def test_a_guest_is_erased_in_the_end() -> None:
    erased = counter("erasures")
    async with memory_server() as url:
        async with guest(url, QUICK, "Ada") as client:
            await client.games()
            assert erased() == 0
        assert erased() == 1


async def test_a_guest_is_erased_also_when_it_ends_badly() -> None:
    server = Faulty()
    async with faulty(server) as url:
        with pytest.raises(ZeroDivisionError):
            async with guest(url, QUICK, "Ada"):
                raise ZeroDivisionError
    assert server.erasures == ["Bearer access-0"]


async def test_a_server_that_does_not_erase_spoils_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(guests, "PARTING_SECONDS", 0.2)
    caplog.set_level(logging.INFO)
    refusing = Faulty(erasures=["somebody else"])
    async with faulty(refusing) as url, guest(url, QUICK, "Ada"):
        pass
    busy = Faulty(departures=["busy"] * 1_000)
    async with faulty(busy) as url, guest(url, QUICK, "Ada"):
        pass
    assert not busy.erasures
    assert len([record for record in caplog.records if record.name == "bohnanza.client"]) == 2
    assert "access-0" not in caplog.text


async def test_who_is_refused_at_the_door_is_nobody_to_erase() -> None:
    async with faulty(Faulty()) as url:
        with pytest.raises(Problem):
            async with guest(f"{url}/elsewhere", QUICK, "Ada"):
                pass
