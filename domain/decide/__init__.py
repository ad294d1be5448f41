"""Decides a command: what happens, or why not. Changes nothing."""

from domain.decide.decide import decide

__all__ = ["decide"]
