-- A process with no more than the application's rights can tell whether the schema is the one it knows.
grant select on alembic_version to bohnanza_app;
