"""What goes through Redis (or Valkey, its twin): hints between processes, and who is there. Nothing that may not be
lost."""
