"""The garbage collector of a process that keeps thousands of folded games: they live long and hold no cycles, and
walking over all of them again and again would stop the server for tens of milliseconds at a time."""

import gc
from typing import Final

YOUNG: Final = 20_000
"""Objects more than were freed, before the youngest are looked at. What requests leave behind is freed by counting."""

MIDDLE: Final = 50
OLD: Final = 100


def spare_long_lived() -> None:
    """Leave what there is now (the program itself) out of every collection, and look at the rest more rarely."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
