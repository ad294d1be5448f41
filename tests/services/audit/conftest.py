"""Stores of these tests' own: in memory, and a database for each test."""

from tests.infra.conftest import anchor_store, database, database_url, event_store, owner, postgres_store, template

__all__ = ["anchor_store", "database", "database_url", "event_store", "owner", "postgres_store", "template"]
