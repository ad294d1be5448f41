"""Tickets: good once, in time, for the player who asked, and kept by nobody but him."""

import asyncio
import base64
import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.clock import SystemEntropy
from infra.event_store import StoreUnavailable
from infra.memory.clock import ManualClock, SeededEntropy
from infra.memory.players import MemoryPlayerStore
from services.identity.tickets import MOST_CLEARED, TicketInvalid, Tickets

ADA = "0b9e6c1e-2f43-4d56-9a7b-8c9d0e1f2a3b"
BEN = "7d1c9a60-3e52-4f18-b0c4-5a6b7c8d9e0f"
LIFETIME = 30


class CountingStore(MemoryPlayerStore):
    """Writes down how it was asked to clear, and can be away for that."""

    def __init__(self) -> None:
        super().__init__()
        self.added: list[tuple[str, bytes]] = []
        self.cleared: list[int] = []
        self.away = False

    async def add_ticket(self, player: str, secret_hash: bytes, now: datetime, expires_at: datetime) -> None:
        self.added.append((player, secret_hash))
        await super().add_ticket(player, secret_hash, now, expires_at)

    async def clear_tickets(self, now: datetime, limit: int) -> int:
        if self.away:
            raise StoreUnavailable("deadlock")
        self.cleared.append(await super().clear_tickets(now, limit))
        return self.cleared[-1]


def standing_clock() -> ManualClock:
    return ManualClock(datetime(2026, 11, 30, 5, 11, 35, 123456, tzinfo=UTC))


def process(store: MemoryPlayerStore, clock: ManualClock) -> Tickets:
    return Tickets(store, clock, SystemEntropy(), LIFETIME)


async def refused(tickets: Tickets, text: str) -> None:
    with pytest.raises(TicketInvalid):
        pytest.fail(f"taken as {await tickets.redeem(text)}")


async def test_a_ticket_works_once_on_any_process() -> None:
    store, clock = MemoryPlayerStore(), standing_clock()
    first, second = process(store, clock), process(store, clock)
    issued = await first.issue(ADA)
    assert issued.expires_in == LIFETIME
    assert await second.redeem(issued.ticket) == ADA
    for tickets in (first, second):
        await refused(tickets, issued.ticket)


async def test_of_many_at_the_same_time_one_gets_in() -> None:
    store, clock = MemoryPlayerStore(), standing_clock()
    tickets = [process(store, clock), process(store, clock)]
    issued = await tickets[0].issue(ADA)
    answers = await asyncio.gather(
        *(tickets[number % 2].redeem(issued.ticket) for number in range(50)), return_exceptions=True
    )
    assert [answer for answer in answers if not isinstance(answer, TicketInvalid)] == [ADA]


async def test_a_ticket_lasts_for_its_time_and_no_longer() -> None:
    clock = standing_clock()
    tickets = process(MemoryPlayerStore(), clock)
    early, late = await tickets.issue(ADA), await tickets.issue(ADA)
    clock.advance(LIFETIME - 0.001)
    assert await tickets.redeem(early.ticket) == ADA
    clock.advance(0.001)
    await refused(tickets, late.ticket)


async def test_the_secret_of_one_player_opens_nothing_for_another() -> None:
    tickets = process(MemoryPlayerStore(), standing_clock())
    ada, ben = (await tickets.issue(ADA)).ticket, (await tickets.issue(BEN)).ticket
    # 48 bytes are 64 characters; the player's 16 end within a character, so they are exchanged as bytes.
    raw_ada, raw_ben = (base64.urlsafe_b64decode(ticket) for ticket in (ada, ben))
    await refused(tickets, base64.urlsafe_b64encode(raw_ada[:16] + raw_ben[16:]).decode())
    await refused(tickets, base64.urlsafe_b64encode(raw_ben[:16] + raw_ada[16:]).decode())
    assert await tickets.redeem(ada) == ADA
    assert await tickets.redeem(ben) == BEN


async def test_the_store_is_given_the_hash_and_never_the_secret() -> None:
    store = CountingStore()
    tickets = Tickets(store, standing_clock(), SeededEntropy(1), LIFETIME)
    issued = await tickets.issue(ADA)
    secret = SeededEntropy(1).token(32)
    assert base64.urlsafe_b64decode(issued.ticket)[16:] == secret
    assert store.added == [(ADA, hashlib.sha256(secret).digest())]
    assert issued.ticket not in repr(issued)


async def test_another_spelling_is_no_ticket_and_uses_none_up() -> None:
    tickets = process(MemoryPlayerStore(), standing_clock())
    ticket = (await tickets.issue(ADA)).ticket
    for other in (
        ticket + "=",
        ticket + "\n",
        " " + ticket,
        ticket[:-1],
        ticket + "A",
        ticket[:40] + "\n" + ticket[40:],
    ):
        await refused(tickets, other)
    assert await tickets.redeem(ticket) == ADA


@given(st.text(max_size=80))
async def test_any_other_text_is_no_ticket(text: str) -> None:
    await refused(process(MemoryPlayerStore(), standing_clock()), text)


async def test_new_tickets_clear_the_expired_ones_of_everybody_once_a_minute() -> None:
    store, clock = CountingStore(), standing_clock()
    tickets = process(store, clock)
    await tickets.issue(ADA)
    clock.advance(LIFETIME)
    await tickets.issue(BEN)
    assert store.cleared == [0]
    clock.advance(60 - LIFETIME)
    await tickets.issue(BEN)
    # Ada's and Ben's first one have expired by now.
    assert store.cleared == [0, 1 + 1]


async def test_clearing_keeps_up_with_however_many_there_are() -> None:
    store, clock = CountingStore(), standing_clock()
    for number in range(2 * MOST_CLEARED + 1):
        await store.add_ticket(ADA, number.to_bytes(32, "big"), clock.now(), clock.now() + timedelta(seconds=LIFETIME))
    clock.advance(LIFETIME)
    tickets = process(store, clock)
    for _ in range(4):
        await tickets.issue(BEN)
    assert store.cleared == [MOST_CLEARED, MOST_CLEARED, 1]


async def test_a_ticket_is_issued_also_when_another_process_is_clearing_the_same_rows() -> None:
    store = CountingStore()
    store.away = True
    tickets = process(store, standing_clock())
    assert await tickets.redeem((await tickets.issue(ADA)).ticket) == ADA
