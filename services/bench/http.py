"""Commands a second over HTTP, beside requests of the same shape that do nothing."""

import statistics
from collections.abc import Iterator, Sequence

import msgspec
from rich.progress import Progress

from services.bench.figures import Figure, figure
from services.bench.load import Load, Prepared, put_load, request
from services.bench.recorded import RecordedGame
from services.bench.serving import Served
from services.identity.access import AccessTokens

CLIENTS = 32
WINDOWS = 5
MOST_A_SECOND = 6000
"""More than is ever reached, so that no client runs out of moves."""


def moves_needed(seconds: float) -> int:
    """Of all tables together."""
    return int(seconds * WINDOWS * MOST_A_SECOND)


async def measure(
    served: Served, tables: Sequence[RecordedGame], tokens: AccessTokens, seconds: float, progress: Progress
) -> list[Figure]:
    """Alternating windows of commands and of nothing, on one worker with durable appends."""
    playing = [_moves(tables[client::CLIENTS], tokens) for client in range(CLIENTS)]
    idle = [_nothing(tables[client], tokens) for client in range(CLIENTS)]
    loading = progress.add_task("commands and nothing, in turn", total=2 * WINDOWS)
    commands: list[Load] = []
    nothing: list[Load] = []
    await put_load(served.port, idle, 1.0)
    for _ in range(WINDOWS):
        nothing.append(await put_load(served.port, idle, seconds))
        progress.advance(loading)
        commands.append(await put_load(served.port, playing, seconds))
        progress.advance(loading)
    return _figures(commands, nothing)


def _figures(commands: list[Load], nothing: list[Load]) -> list[Figure]:
    ratios = [real.rate / idle.rate for real, idle in zip(commands, nothing, strict=True)]
    middle = sorted(range(WINDOWS), key=ratios.__getitem__)[WINDOWS // 2]
    what = "the same POST doing nothing"
    found = [
        figure(
            f"HTTP commands, {CLIENTS} clients",
            commands[middle].rate,
            "commands/s",
            nothing[middle].rate,
            what,
            least_ratio=0.45,
        )
    ]
    for share in (0.5, 0.99):
        real, idle = (
            statistics.median(load.percentile(share) * 1000 for load in loads) for loads in (commands, nothing)
        )
        found.append(figure(f"HTTP latency, p{share * 100:.0f}", real, "ms", idle, what))
    return found


def _moves(tables: Sequence[RecordedGame], tokens: AccessTokens) -> Iterator[Prepared]:
    """All moves of some tables, move by move around them."""
    signed = {player: tokens.issue(player) for table in tables for player in table.players}
    for table in tables:
        for number, move in enumerate(table.moves):
            body = msgspec.json.encode(move.command)
            token = signed[table.players[move.seat]]
            yield request(f"/v1/games/{table.game}/commands", token, f"move-{number}", body)


def _nothing(table: RecordedGame, tokens: AccessTokens) -> Iterator[Prepared]:
    """The moves of a table for ever, sent to the route that does nothing with them."""
    signed = [tokens.issue(player) for player in table.players]
    prepared = [
        request(
            f"/v1/games/{table.game}/nothing",
            signed[move.seat],
            f"move-{number}",
            msgspec.json.encode(move.command),
        )
        for number, move in enumerate(table.moves)
    ]
    while True:
        yield from prepared
