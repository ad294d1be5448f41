"""Older shapes of stored events, brought up to the present one whenever they are read. What is stored stays as it is:
its bytes are hashed.

A field that an event gains has no default in its class, so that older bytes never pass for new ones by accident; the
upcast of that event says what they meant.
"""

from collections.abc import Callable
from typing import Any, Final

Shape = dict[str, Any]
"""An event as the JSON object that was stored, `type` included."""

Upcast = Callable[[Shape], Shape]
"""From the shape of its time to the following one. It leaves a shape that is newer already as it is."""

UPCASTS: Final[dict[str, tuple[Upcast, ...]]] = {}
"""By tag, the oldest first. No event has changed its shape so far."""


def upcast(shape: Shape) -> Shape:
    """The present shape of an event that was stored in an older one."""
    for step in UPCASTS.get(str(shape.get("type")), ()):
        shape = step(shape)
    return shape
