"""An API process anchors the days that are over by itself, beginning when it starts."""

import asyncio
import itertools
from datetime import UTC, date, datetime

import pytest

from infra.postgres.event_store import PostgresEventStore
from infra.settings import load_settings
from services.api.main import open_parts
from services.identity.keys import parse_keys
from tests.exports import KEYS
from tests.services.audit.test_anchoring import ended

PATIENCE = 30.0


async def test_a_day_that_was_over_before_the_start_is_anchored(
    postgres_store: PostgresEventStore, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOHNANZA_DATABASE_URL", database_url)
    game = await ended(postgres_store, 1, datetime(2025, 12, 1, 12, tzinfo=UTC), sealed=False)
    token_keys = parse_keys("a-token-key-for-tests-only-0123456789")
    async with (
        asyncio.timeout(PATIENCE),
        open_parts(load_settings(), token_keys, KEYS, database_url) as parts,
    ):
        anchored = None
        for pause in itertools.repeat(0.02):
            anchored = await parts.anchors.anchored(game.game)
            if anchored is not None:
                break
            await asyncio.sleep(pause)
        assert anchored is not None
        assert anchored.day == date(2025, 12, 1)
        assert (await parts.anchors.anchors(None, 10)).anchors[0].root == anchored.root
