"""The seals of finished games, and the anchors over them. What is written once is protected as the events are."""

from infra.postgres.migrations.files import execute_files

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Adds tables that nothing before it reads, and triggers that refuse what no program before it does."""
    execute_files("0004_seals")
