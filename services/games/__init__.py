"""The use cases: from a request of a player to events in the store, and back to what he may see."""
