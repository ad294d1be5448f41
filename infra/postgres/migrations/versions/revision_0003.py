"""Erasing a person from everything but the log of the games."""

from infra.postgres.migrations.files import execute_files

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds what nothing before it reads. Processes of an earlier release do not learn whom others have erased: the
    tokens of such a person are good there until they expire."""
    execute_files("0003_erasure")
