"""The test vectors of docs/fairness.md."""

import json
import re
from pathlib import Path
from typing import Any, Final

PAGE: Final = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")


def printed(name: str) -> str:
    """The block of that name as it stands in the page."""
    (found,) = re.findall(rf"<!-- vector: {re.escape(name)} -->\n```[a-z]*\n(.*?)```\n", PAGE, re.DOTALL)
    assert isinstance(found, str)
    return found


def vector(name: str) -> dict[str, Any]:
    """What it says."""
    found: dict[str, Any] = json.loads(printed(name))
    return found
