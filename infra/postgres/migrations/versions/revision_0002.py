"""The tickets that open streams."""

from infra.postgres.migrations.files import execute_files

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds a table that nothing before it reads."""
    execute_files("0002_tickets")
