"""Finished games as files that anyone can check, and the checks of files and of what is stored."""
