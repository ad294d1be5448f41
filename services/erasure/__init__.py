"""A person has everything removed that is kept of him or her, on every process."""
