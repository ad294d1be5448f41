"""A running application for every test that asks for one."""

from collections.abc import AsyncIterator

import pytest

from tests.services.api.application import World, running


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with running() as application:
        yield application
