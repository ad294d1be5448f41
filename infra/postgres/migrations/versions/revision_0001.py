"""The log of the games, its heads and receipts, the players and their logins."""

from infra.postgres.migrations.files import execute_files

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Creates everything; there is no way back, since the log is never dropped."""
    execute_files("0001_event_store")
