"""Clients that play whole games over HTTP and believe nothing: they re-check all that they were given."""
