"""`bohnanza rules` prints what the rules say, for every edition, also where nobody has a wide terminal."""

import pytest
import rich_click as click
from click.testing import CliRunner

from services.cli.rules import command
from tests.domain.editions import PLAYERS


def printed(*arguments: str, columns: str = "100") -> str:
    done = CliRunner(env={"COLUMNS": columns}).invoke(command, [*arguments])
    assert done.exit_code == 0, done.output
    return done.output


def row(text: str, first: str) -> list[str]:
    """The words of the line that begins so."""
    return next(line.split() for line in text.splitlines() if line.split()[:1] == [first])


def test_every_edition_has_its_line() -> None:
    text = printed()
    assert row(text, "boonanza") == ["boonanza", "3-5", "104", "2", "3", "coins", "3", "3"]
    assert row(text, "amigo_2023") == ["amigo_2023", "3-5", "104", "2-3", "-", "3", "3"]
    assert row(text, "field_beans") == ["field_beans", "4-5", "129", "2", "2", "field", "beans", "1", "each", "3"]
    assert all(row(text, ruleset) for ruleset in PLAYERS)


def test_classic_is_printed_for_every_number_of_players() -> None:
    text = printed("classic")
    assert row(text, "2") == ["2", "duel", "144", "5", "134", "2", "3", "coins", "2", "1"]
    assert row(text, "2*") == ["2*", "duel", "144", "5", "134", "3", "-", "2", "1"]
    assert row(text, "3") == ["3", "trading", "150", "5", "135", "3", "-", "3", "2"]
    assert row(text, "4") == ["4", "trading", "130", "5", "110", "2", "3", "coins", "3", "3"]
    assert row(text, "7") == ["7", "trading", "144", *"3456666", "108", "2", "2", "coins", "4", "3"]
    assert "* with the option duel_fields: 3" in text
    assert "the most cards in hand win" in text
    assert "the coins leave the game" in text


def test_the_beanometers_are_printed() -> None:
    text = printed("classic")
    assert row(text, "Coffee") == ["Coffee", "24", "2-3,", "6-7", "4", "7", "10", "12"]
    assert row(text, "Garden") == ["Garden", "6", "3-5", "-", "2", "3", "-"]
    assert row(text, "Cocoa") == ["Cocoa", "4", "4-5", "-", "2", "3", "4"]
    assert "Field " not in text
    assert row(printed("field_beans"), "Field") == ["Field", "3", "4-5", "-", "-", "3", "-", "2"]


@pytest.mark.parametrize("ruleset", PLAYERS)
@pytest.mark.parametrize("columns", ["80", "100", "200"])
def test_every_edition_fits_on_a_screen(ruleset: str, columns: str) -> None:
    text = printed(ruleset, columns=columns)
    assert "…" not in text
    assert all(row(text, str(players)) for players in PLAYERS[ruleset])


def test_an_unknown_edition_is_answered_with_those_that_there_are() -> None:
    done = CliRunner().invoke(command, ["chess"])
    assert done.exit_code == click.UsageError.exit_code
    assert "amigo_2023" in done.output
