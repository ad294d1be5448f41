"""PostgreSQL, the truth: what is committed here has happened, and nothing else has."""
