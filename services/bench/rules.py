"""The pure part, for every edition: the rules engine, the replay of a history, its re-check by the referee, and the
memory of a folded game."""

import gc
import random
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import cycle
from time import perf_counter

import msgspec

from domain import lobby
from domain.commands import Command
from domain.decide import decide
from domain.events import Options, decode_event, encode_event
from domain.evolve import evolve, fold, initial
from domain.history import first_hash, header, records
from domain.referee import judge_events, revealed_seed
from domain.rulesets import RULES_VERSION, RULESETS, Ruleset
from infra.clock import SystemClock
from infra.collector import spare_long_lived
from infra.event_store import Secrets
from services.bench.figures import Figure, figure
from services.bench.recorded import RecordedGame, record
from services.games.live_game import LiveGame

ROUNDS = 12
FIGURES = 5
"""Of each edition."""


def recorded_games(count: int) -> dict[str, list[RecordedGame]]:
    """So many of each edition, with all its numbers of players and printings in turn."""
    dice = random.Random(20_261_130)  # noqa: S311 - a fixed course of the games, no secret
    players = [f"00000000-0000-4000-8000-00000000000{seat}" for seat in range(7)]
    return {
        name: [
            record(
                f"00000000-0000-4000-9{edition:03}-{number:012}",
                dice.randbytes(32),
                players[:seats],
                dice,
                ruleset=name,
                options=options,
            )
            for number, (seats, options) in zip(range(count), cycle(_setups(ruleset)), strict=False)
        ]
        for edition, (name, ruleset) in enumerate(RULESETS.items())
    }


def _setups(ruleset: Ruleset) -> list[tuple[int, Options]]:
    chosen = [(printing.players, Options(duel_fields=fields)) for fields, printing in ruleset.duels.items()]
    return [*((seats, Options()) for seats in ruleset.tables), *chosen]


def measure(editions: dict[str, list[RecordedGame]]) -> Iterator[Figure]:
    """All figures that need nothing but one core, with the garbage collector as the API process sets it."""
    spare_long_lived()
    for name, games in editions.items():
        yield from _engine(name, games)
        yield _replay(name, games)
        yield _referee(name, games)
        yield _memory(name, games)


def _engine(name: str, games: list[RecordedGame]) -> list[Figure]:
    commands = sum(len(game.moves) for game in games)
    decoder = msgspec.json.Decoder(Command)
    encoded = [msgspec.json.encode(move.command) for game in games for move in game.moves]
    events = [event for game in games for event in game.events]

    def play() -> None:
        for game in games:
            state = initial(game.game)
            for event in game.events[: game.opening]:
                evolve(state, event)
            for event in lobby.start(state, game.seed):
                evolve(state, event)
            for move in game.moves:
                for event in decide(state, move.seat, move.command, game.seed):
                    evolve(state, event)
            if state.status != "ended":
                message = "a recorded game did not end as it did before"
                raise RuntimeError(message)

    def translate() -> None:
        for command in encoded:
            decoder.decode(command)
        for event in events:
            encode_event(event)

    playing, translating = _fastest(play, translate)
    what = "their JSON alone"
    return [
        figure("rules engine", commands / playing, "commands/s", commands / translating, what, of=name, least=60_000),
        figure("rules engine", len(games) / playing, "games/s", len(games) / translating, what, of=name, least=200),
    ]


def _replay(name: str, games: list[RecordedGame]) -> Figure:
    stored = [(game.game, [encode_event(event) for event in game.events]) for game in games]
    count = sum(len(payloads) for _, payloads in stored)

    def replay() -> None:
        for game, payloads in stored:
            fold(game, map(decode_event, payloads))

    def decode() -> None:
        for _, payloads in stored:
            for payload in payloads:
                decode_event(payload)

    replaying, decoding = _fastest(replay, decode)
    return figure(
        "replay",
        count / replaying,
        "events/s",
        count / decoding,
        "decoding alone",
        of=name,
        least=400_000,
        least_ratio=0.35,
    )


def _referee(name: str, games: list[RecordedGame]) -> Figure:
    histories = [(game.game, game.events, revealed_seed(game.events)) for game in games]
    count = sum(len(events) for _, events, _ in histories)

    def judge() -> None:
        for game, events, seed in histories:
            if judge_events(game, events, seed=seed) is not None:
                message = "a recorded game breaks the rules"
                raise RuntimeError(message)

    def fold_all() -> None:
        for game, events, _ in histories:
            fold(game, events)

    judging, folding = _fastest(judge, fold_all)
    return figure("referee", count / judging, "events/s", count / folding, "folding alone", of=name, least=100_000)


def _memory(name: str, games: list[RecordedGame]) -> Figure:
    """A game in the cache just before its end."""
    histories = [
        (
            game,
            records(first_hash(header(game.game, name, RULES_VERSION)), 0, SystemClock().now(), 0, game.events[:-1]),
        )
        for game in games
    ]
    gc.collect()
    tracemalloc.start()
    cached = [LiveGame(game.game, Secrets(game.seed, None)) for game, _ in histories]
    for live, (_, history) in zip(cached, histories, strict=True):
        live.take(history)
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    stored = sum(len(record.payload) for _, history in histories for record in history)
    return figure(
        "cached game",
        held / len(cached) / 1024,
        "KB",
        stored / len(cached) / 1024,
        "its stored bytes",
        of=name,
        most=40,
    )


def _fastest(run: Callable[[], None], beside: Callable[[], None]) -> tuple[float, float]:
    """Seconds of the fastest round of each, in turn: what disturbs a round only ever makes it slower."""
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for measured, kept in zip((run, beside), seconds, strict=True):
            begin = perf_counter()
            measured()
            kept.append(perf_counter() - begin)
    return min(seconds[0]), min(seconds[1])
