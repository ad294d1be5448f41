"""A small client of the REST API: one player, with his own tokens, who may retry anything."""
