"""The measurement measures: a short run on real servers gives every figure. Whether they are met is not asked here."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from services.bench import audit, http, idle, live, replay, resume, rules, run
from services.cli.bench import command
from tests.domain.editions import PLAYERS


def test_a_short_run_gives_every_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The process of the tests goes on afterwards, and its collector must find what they leave behind.
    monkeypatch.setattr(rules, "spare_long_lived", lambda: None)
    monkeypatch.setattr(run, "GAMES", 2)
    monkeypatch.setattr(audit, "ROUNDS", 1)
    monkeypatch.setattr(audit, "EVENTS", 2_000)
    monkeypatch.setattr(http, "CLIENTS", 4)
    monkeypatch.setattr(http, "WINDOWS", 1)
    monkeypatch.setattr(live, "TABLES", 3)
    monkeypatch.setattr(live, "PACE", 60)
    monkeypatch.setattr(live, "WINDOWS", 1)
    monkeypatch.setattr(live, "WARM_UP_SECONDS", 0.1)
    monkeypatch.setattr(live, "MOST_A_SECOND", 1500)
    monkeypatch.setattr(resume, "ROUNDS", 2)
    monkeypatch.setattr(replay, "APART", 100)
    monkeypatch.setattr(replay, "ROUNDS", 1)
    monkeypatch.setattr(idle, "TABLES", 25)
    monkeypatch.setattr(idle, "CALM_SECONDS", 0.2)
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
        (None, "verifying files", "events/s"),
        (None, "verifying the database", "events/s"),
        (None, "cold load of 1000 events", "ms"),
        (None, "HTTP commands, 4 clients", "commands/s"),
        (None, "HTTP latency, p50", "ms"),
        (None, "HTTP latency, p99", "ms"),
        (None, "exporting a long history", "MB/s"),
        (None, "commit to all four players, 60 moves/s, p50", "ms"),
        (None, "commit to all four players, 60 moves/s, p99", "ms"),
        (None, "sent to all four players, 60 moves/s, p50", "ms"),
        (None, "sent to all four players, 60 moves/s, p99", "ms"),
        (None, "moves over WebSockets, 3 tables", "moves/s"),
        (None, "sent to all four players, 3 tables at full speed, p50", "ms"),
        (None, "sent to all four players, 3 tables at full speed, p95", "ms"),
        (None, "sent to all four players, 3 tables at full speed, p99", "ms"),
        (None, "resuming after 1000 events", "ms"),
        (None, "any step of a replay of 1000 events", "ms"),
        (None, "100 idle subscribers at 25 tables, memory of each", "KB"),
        (None, "100 idle subscribers at 25 tables, a move to all", "ms"),
    ]
    assert all(row["value"] > 0 and row["baseline"] > 0 for row in figures)
    for name in ("rules engine, games/s", "replay, events/s", "  field_beans  ", "HTTP latency, p99"):
        assert name in done.output
