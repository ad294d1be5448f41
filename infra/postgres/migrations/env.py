"""Run by alembic: carries out revisions on the connection, and within the transaction, of `infra.postgres.migrate`."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transaction_per_migration=False)
with context.begin_transaction():
    context.run_migrations()
