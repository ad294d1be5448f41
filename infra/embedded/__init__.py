"""The servers for a one-command start: a real Postgres and a real Valkey, as children of this process."""
