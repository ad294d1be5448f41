"""Policies that play: a view and the legal actions in, a command out. They see what a player sees."""
