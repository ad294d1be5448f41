"""Reading the program's own counters."""

from collections.abc import Callable

from prometheus_client import REGISTRY


def counter(name: str, **labels: str) -> Callable[[], float]:
    """How much more that counter shows than it did when this was called."""

    def value() -> float:
        return REGISTRY.get_sample_value(f"bohnanza_{name}_total", labels) or 0.0

    start = value()
    return lambda: value() - start
