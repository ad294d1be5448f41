"""What is told of one game that was followed live, whatever it was played on."""

from msgspec import Struct


class Wrong(AssertionError):
    """A client was told something else than what happened."""


class Played(Struct):
    """One game. `joins`: how often a client began to follow; `views`: how often one began anew with the whole table;
    `troubles`: what befell the processes and what lies between them. `failure`: what was wrong, None if nothing was."""

    number: int
    events: int = 0
    commands: int = 0
    clients: int = 0
    joins: int = 0
    views: int = 0
    troubles: int = 0
    seconds: float = 0.0
    failure: str | None = None
    trace: str = ""
