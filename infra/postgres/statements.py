"""The SQL statements of `sql/`, one file each, read once when the program starts."""

from pathlib import Path

_FOLDER = Path(__file__).parent / "sql"


def statement(name: str) -> str:
    """The statement in `sql/<name>.sql`."""
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")
