"""Over a store in memory and over a real database, as the tests of the games are."""

from tests.infra.conftest import template
from tests.services.games.conftest import memory_world, shared_url, url_of_store, world

__all__ = ["memory_world", "shared_url", "template", "url_of_store", "world"]
