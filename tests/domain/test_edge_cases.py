"""Each of the hundred edge cases of the rules, section 12, is held by a test that has its number in its name: right
behind `test_`, with two digits at least (`test_07_…`), several in a row (`test_30_36_…`) where one test holds several.
Tests are read, not imported."""

import ast
import re
from collections import defaultdict
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parent.parent
RULES: Final = TESTS.parent / "docs" / "rules.md"
_NUMBERS: Final = re.compile(r"test_((?:\d+_)+)")


def names_in(source: str) -> list[str]:
    """The test functions of that module, also those in classes."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node.name for node in ast.walk(ast.parse(source)) if isinstance(node, functions)]
    return [name for name in found if name.startswith("test_")]


def numbers_of(name: str) -> list[int]:
    """The edge cases that the test of that name holds. ValueError where the name says it in another style."""
    found = _NUMBERS.match(name)
    numbers = found[1].rstrip("_").split("_") if found else []
    if [f"{int(number):02}" for number in numbers] != numbers or re.match(r"test_(\d+_)+(to|and)_\d", name):
        raise ValueError(f"{name}: edge cases are written like test_07_… or test_30_36_…")
    return [int(number) for number in numbers]


def cases_held() -> dict[int, list[str]]:
    """Which tests hold which edge case."""
    held: dict[int, list[str]] = defaultdict(list)
    for file in sorted(TESTS.glob("**/test_*.py")):
        for name in names_in(file.read_text(encoding="utf-8")):
            for number in numbers_of(name):
                held[number].append(f"{file.relative_to(TESTS)}::{name}")
    return held


def cases_in_the_rules() -> list[int]:
    """The numbers of section 12, as they stand there."""
    _, section = RULES.read_text(encoding="utf-8").split("\n## 12.")
    return [int(number) for number in re.findall(r"^(\d+)\. ", section, re.MULTILINE)]


def test_every_edge_case_of_the_rules_has_its_test() -> None:
    cases = cases_in_the_rules()
    assert cases == [*range(1, 101)]
    held = cases_held()
    assert [case for case in cases if not held[case]] == []
    assert set(held) <= set(cases), "a test holds a case that there is not"


def test_names_are_read_from_the_text_alone() -> None:
    source = "class TestIt:\n    def test_07_a(self): pass\nasync def test_100_b(): pass\ndef other(): pass"
    assert sorted(names_in(source)) == ["test_07_a", "test_100_b"]


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("test_07_the_front_card", [7]),
        ("test_100_of_two", [100]),
        ("test_30_36_with_the_topmost_coins", [30, 36]),
        ("test_a_hand_of_5_cards", []),
        ("test_two_of_16", []),
    ],
)
def test_a_name_tells_its_cases(name: str, numbers: list[int]) -> None:
    assert numbers_of(name) == numbers


@pytest.mark.parametrize("name", ["test_7_the_front_card", "test_007_it", "test_30_and_36_coins", "test_77_to_79_ties"])
def test_there_is_one_style(name: str) -> None:
    with pytest.raises(ValueError, match="edge cases are written like"):
        numbers_of(name)
