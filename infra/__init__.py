"""What talks to the outside: the event store, the servers for a one-command start, the settings."""
