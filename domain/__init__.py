"""The rules of Bohnanza, pure: no I/O, no clock and no randomness of their own."""
