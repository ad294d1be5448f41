"""The measurement measures: a short run on real servers gives every figure. Whether they are met is not asked here."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from services.bench import http, rules, run
from services.cli.bench import command
from tests.domain.editions import PLAYERS


def test_a_short_run_gives_every_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The process of the tests goes on afterwards, and its collector must find what they leave behind.
    monkeypatch.setattr(rules, "spare_long_lived", lambda: None)
    monkeypatch.setattr(run, "GAMES", 2)
    monkeypatch.setattr(http, "CLIENTS", 4)
    monkeypatch.setattr(http, "WINDOWS", 1)
    output = tmp_path / "bench.json"

    done = CliRunner().invoke(command, ["--seconds", "0.5", "--output", str(output)])

    assert done.exception is None or isinstance(done.exception, SystemExit)
    figures = msgspec.json.decode(output.read_bytes())
    of_each_edition = [
        ("rules engine", "commands/s"),
        ("rules engine", "games/s"),
        ("replay", "events/s"),
        ("referee", "events/s"),
        ("cached game", "KB"),
    ]
    assert [(row["of"], row["name"], row["unit"]) for row in figures] == [
        *((edition, *figure) for edition in PLAYERS for figure in of_each_edition),
        (None, "cold load of 1000 events", "ms"),
        (None, "HTTP commands, 4 clients", "commands/s"),
        (None, "HTTP latency, p50", "ms"),
        (None, "HTTP latency, p99", "ms"),
    ]
    assert all(row["value"] > 0 and row["baseline"] > 0 for row in figures)
    for name in ("rules engine, games/s", "replay, events/s", "  field_beans  ", "HTTP latency, p99"):
        assert name in done.output
