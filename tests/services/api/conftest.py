"""A running application, or the page at /verify in a browser, for every test that asks for one."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.services.api.application import World, running
from tests.services.api.verifier_page import OpenedVerifier, Verifier, opened, script


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with running() as application:
        yield application


@pytest.fixture(scope="module")
def verifier() -> Iterator[Verifier]:
    with script() as found:
        yield found


@pytest.fixture(scope="module")
def page() -> Iterator[OpenedVerifier]:
    with opened() as found:
        yield found
