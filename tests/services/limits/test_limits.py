"""Who counts as one client, and what counts against what."""

from datetime import UTC, datetime

import pytest

from infra.memory.clock import ManualClock
from services.limits.limits import Limits


def limits(commands: int = 1, requests: int = 1, address_requests: int = 1) -> Limits:
    clock = ManualClock(datetime(2026, 11, 30, 5, 11, 35, tzinfo=UTC))
    return Limits(clock, commands=commands, requests=requests, address_requests=address_requests)


def test_three_seconds_worth_may_come_at_once() -> None:
    some = limits(commands=20)
    assert [some.command("ada") for _ in range(60)] == [None] * 60
    assert some.command("ada") == pytest.approx(1 / 20)


def test_commands_requests_and_addresses_are_counted_apart() -> None:
    some = limits()
    for count in (some.command, some.request, some.request_from):
        assert [count("one name") for _ in range(3)] == [None] * 3
        assert count("one name") == pytest.approx(1)
        assert count("another") is None


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("testclient", "testclient", True),
        ("testclient", "other", False),
    ],
)
def test_an_address_is_what_one_client_has_to_himself(first: str, second: str, same: bool) -> None:
    some = limits()
    for _ in range(3):
        assert some.request_from(first) is None
    assert (some.request_from(second) is not None) is same


def test_without_an_address_nobody_is_limited() -> None:
    some = limits()
    assert [some.request_from(None) for _ in range(100)] == [None] * 100


def test_each_limit_can_be_switched_off_alone() -> None:
    for off in ("commands", "requests", "address_requests"):
        some = limits(**{off: 0})
        limited = {
            "commands": [some.command("ada") for _ in range(4)][-1],
            "requests": [some.request("ada") for _ in range(4)][-1],
            "address_requests": [some.request_from("192.0.2.1") for _ in range(4)][-1],
        }
        assert {name for name, wait in limited.items() if wait is None} == {off}
