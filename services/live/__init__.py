"""Live updates: every watcher of a game gets its events in order, without a gap and once, as far as he may see them.
What other processes say is a hint: what it leaves out is read from the event store."""
