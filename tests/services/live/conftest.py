"""The hub's tests run over stores in memory, as those of the games do."""

from tests.services.games.conftest import memory_world

__all__ = ["memory_world"]
