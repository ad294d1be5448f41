"""The last act of a demo: a finished game as anybody gets it, in a file, and two programs that check it without the
server. Then one byte of it is changed, and both have to find that."""

import asyncio
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct
from rich.console import Console
from rich.text import Text

from services.client.errors import GaveUp, Problem, Unreadable
from services.client.guest import guest
from services.client.patience import Patience
from services.demo.browser import NO_BROWSER
from services.demo.devtools import BrowserFailed
from services.demo.page_verdict import page_verdict

LARGEST_EXPORT: Final = 64 * 1024 * 1024
VERIFY_SECONDS: Final = 60.0
_PATIENCE: Final = Patience(total=30.0)


class Download(Struct, frozen=True):
    """What is needed to check a game: its file, and the keys of the server that it comes from."""

    game: str
    export: bytes
    keys: bytes


class Found(Struct, frozen=True, kw_only=True):
    """What one program says of one file. `right` None: it could not be asked."""

    right: bool | None
    sentence: str


Checker = Callable[[Path], Found]


async def _download(url: str, game: str) -> Download:
    """As a guest who has nothing to do with the game, and is gone afterwards. Problem, GaveUp, Unreadable."""
    async with guest(url, _PATIENCE, "Auditor") as client:
        return Download(game, await client.export(game, LARGEST_EXPORT), await client.signing_keys())


def last_act(url: str, game: str, dice: random.Random, console: Console, *, browser: bool) -> bool:
    """Check the game's file, then one that differs from it in one byte, and show what came of it."""
    try:
        got = asyncio.run(_download(url, game))
    except (GaveUp, Problem, Unreadable) as error:
        console.print(Text.assemble(("Wrong: ", "bold red"), f"There is no file of game {game}: {error}"))
        return False
    with tempfile.TemporaryDirectory(prefix="bohnanza-demo-") as folder:
        keys = Path(folder) / "keys.json"
        keys.write_bytes(got.keys)
        file = Path(folder) / f"bohnanza-{got.game}.jsonl"
        file.write_bytes(got.export)
        edited = Path(folder) / "edited.jsonl"
        place = dice.randrange(len(got.export))
        edited.write_bytes(_with_another(got.export, place, dice))
        checkers: dict[str, Checker] = {"bohnanza verify": lambda path: by_command_line(path, keys)}
        if browser:
            checkers[f"the page {url}/verify"] = lambda path: by_page(url, path)
        console.print(f"\nThe file of game {got.game}, {len(got.export):,} bytes:", soft_wrap=True, highlight=False)
        told = [*_shown(checkers, file, edited, place, console)]
    return all(told)


def _shown(checkers: dict[str, Checker], file: Path, edited: Path, place: int, console: Console) -> Iterator[bool]:
    for name, check in checkers.items():
        as_it_is, spoilt = check(file), check(edited)
        if as_it_is.right is None:
            console.print(f"Not checked by {name}. {as_it_is.sentence}", soft_wrap=True, highlight=False)
        elif as_it_is.right and spoilt.right is False:
            line = f"{name} finds all right, and byte {place} when it is changed: {spoilt.sentence}"
            console.print(Text.assemble(("Right: ", "bold green"), line), soft_wrap=True)
        else:
            line = f"{name} says: {as_it_is.sentence} With byte {place} changed: {spoilt.sentence}"
            console.print(Text.assemble(("Wrong: ", "bold red"), line), soft_wrap=True)
            yield False


def by_command_line(file: Path, keys: Path) -> Found:
    """What `bohnanza verify` says, in a process of its own."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "services.cli.main", "verify", "--keys", str(keys), str(file)],
            check=False,
            capture_output=True,
            text=True,
            timeout=VERIFY_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Found(right=None, sentence=f"It gave no answer within {VERIFY_SECONDS:.0f} s.")
    lines = [line.strip() for line in done.stdout.splitlines()]
    wrong = next((" ".join(line.split()[1:]) for line in lines if line.startswith("WRONG")), None)
    if done.returncode == 0 and wrong is None:
        return Found(right=True, sentence="All is right.")
    return Found(right=False, sentence=wrong or done.stderr.strip() or "It ended without a word.")


def by_page(url: str, file: Path) -> Found:
    """What the server's page says, in a browser."""
    try:
        verdict = page_verdict(f"{url}/verify", file)
    except BrowserFailed as failed:
        return Found(right=None, sentence=str(failed))
    if verdict is None:
        return Found(right=None, sentence=NO_BROWSER)
    wrong = next((f"{check.name} {check.detail}" for check in verdict.checks if check.ok is False), None)
    return Found(right=verdict.colour == "right", sentence=wrong or verdict.told)


def _with_another(content: bytes, place: int, dice: random.Random) -> bytes:
    """Something that can be read, or the first glance would find it."""
    other = dice.choice([byte for byte in range(32, 127) if byte != content[place]])
    return content[:place] + bytes([other]) + content[place + 1 :]
