"""A running application, or the page at /verify in a browser, for every test that asks for one."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.services.api.application import World, running
from tests.services.api.verifier_page import Verifier, opened


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with running() as application:
        yield application


@pytest.fixture(scope="module")
def verifier() -> Iterator[Verifier]:
    with opened() as page:
        yield page
