"""A revision is a folder of SQL files, one database object each, executed in the order of their names."""

from pathlib import Path

from alembic import op

FOLDER = Path(__file__).parent


def execute_files(revision: str) -> None:
    """Runs `<revision>/*.sql` within the transaction of the migration."""
    # The adapter of SQLAlchemy prepares what it is given, and several statements cannot be prepared at once.
    adapter = op.get_bind().connection.dbapi_connection
    if adapter is None:
        raise RuntimeError("the connection was closed in the middle of a migration")
    for path in sorted((FOLDER / revision).glob("*.sql")):
        sql = path.read_text(encoding="utf-8")
        adapter.run_async(lambda connection, sql=sql: connection.execute(sql))
