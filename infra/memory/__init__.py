"""In-memory twins of what the program otherwise finds outside, held to the same tests."""
