"""A game step by step: what was to be seen at any version of it, by whom, and what he could do."""
