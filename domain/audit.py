"""Is a history of a finished game right in every respect? Check by check, in one pass, in memory that does not grow
with its length.

The history comes as the lines of its export. Each check has a name that stays, and a sentence for people; the first
version that is wrong stands in it.
"""

import hashlib
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from domain.events import Event, GameAbandoned, GameCreated, GameEnded
from domain.export import Entry
from domain.history import Header, Trailer, first_hash, next_hash
from domain.referee import Fault, Reason, Referee

CheckName = Literal["format", "chain", "signature", "commitment", "shuffles", "moves", "coins", "end", "ranking"]
CHECKS: Final[tuple[CheckName, ...]] = get_args(CheckName)

NOT_REACHED: Final = "Not reached"
"""How the detail of a check begins that could not be made, since something else was wrong before."""


class Check(Struct, frozen=True):
    """One thing that was looked at. `detail` is a sentence for people."""

    name: str
    ok: bool
    detail: str


class Signed(Struct, frozen=True):
    """What is to be said of a signature."""

    ok: bool
    detail: str


SignatureOf = Callable[[bytes, str, str], Signed]
"""Looks at what was signed (the 32 bytes of a head), the id of a key, and its signature."""


def unread(where: str, sentence: str) -> list[Check]:
    """The checks of a history that could not be read on from there."""
    return [Check("format", ok=False, detail=f"{where}: {sentence}"), *_not_reached(CHECKS[1:], where)]


class Auditor:
    """Takes the entries of one history from the first on. `seed`: what the last event reveals, where that is known
    beforehand; a wrong shuffle is then named before what follows from it."""

    def __init__(self, header_line: bytes, header: Header, *, seed: bytes | None) -> None:
        self._header = header
        self._knew_the_seed = seed is not None
        self._hash = first_hash(header_line)
        self._referee = Referee(header.game, seed=seed)
        self._version = 0
        self._at = datetime.min.replace(tzinfo=UTC)
        self._disorder: str | None = None
        self._broken_link: int | None = None
        self._fault: Fault | None = None
        self._commitment: str | None = None
        self._last: Event | None = None

    @property
    def version(self) -> int:
        """How many entries were taken."""
        return self._version

    @property
    def at(self) -> datetime | None:
        """The time of the last entry; None where there is none."""
        return self._at if self._version else None

    @property
    def is_revealed(self) -> bool:
        """Whether the last entry ends the game: nothing of it is a secret any more."""
        return isinstance(self._last, GameEnded | GameAbandoned)

    @property
    def seems_right(self) -> bool:
        """Whether nothing wrong was met so far."""
        return self._disorder is None and self._broken_link is None and self._fault is None

    def take(self, entry: Entry, stored_hash: bytes | None = None, hashed: bytes | None = None) -> None:
        """The next entry; `stored_hash` is what somebody has noted as the end of the chain there, and `hashed` what the
        caller has computed as that from all entries."""
        expected = self._version + 1
        self._version = expected
        if self._disorder is None:
            self._disorder = self._out_of_order(entry, expected)
        self._at = entry.at
        self._hash = next_hash(self._hash, entry.line) if hashed is None else hashed
        if stored_hash is not None and stored_hash != self._hash and self._broken_link is None:
            self._broken_link = expected
        if self._fault is None:
            self._fault = self._referee.check(entry.version, entry.seat, entry.event)
        if isinstance(entry.event, GameCreated) and self._commitment is None:
            self._commitment = entry.event.commitment
        self._last = entry.event

    def finish(self, trailer: Trailer, signature_of: SignatureOf) -> list[Check]:
        """All checks, in the order of CHECKS."""
        fault = self._fault or self._referee.finish()
        signed = signature_of(bytes.fromhex(trailer.head), trailer.key, trailer.signature)
        return [
            self._format(),
            self._chain(trailer.head, signed),
            Check("signature", signed.ok, signed.detail),
            self._seed(),
            *self._judged(fault),
        ]

    def so_far(self, head: str, *, is_over: bool, unsigned: str | None = None) -> list[Check]:
        """The checks of a history that nobody has signed yet, and that has come to that head: it goes on, or nobody
        has sealed its end. `unsigned`: what is to be said of the signature where there should be one. Of a game that
        has revealed nothing yet, nothing is told from which a hand or a deck could be learnt: no hash, and of what is
        wrong the reason alone."""
        fault = self._fault or self._referee.finish(running=not is_over)
        if fault is not None and not self.is_revealed:
            fault = replace(fault, sentence=f"{fault.reason}.")
        chain = self._chain(head, is_secret=not self.is_revealed)
        if is_over:
            signature = [] if unsigned is None else [Check("signature", ok=False, detail=unsigned)]
            return [self._format(), chain, *signature, self._seed(), *self._judged(fault)]
        judged = [check for check in self._judged(fault) if check.name in _BEFORE_THE_END or not check.ok]
        return [self._format(), chain, *judged]

    def _out_of_order(self, entry: Entry, expected: int) -> str | None:
        if entry.version != expected:
            return f"Version {entry.version} stands where version {expected} belongs."
        if entry.at < self._at:
            return f"Version {expected} is earlier than the one before it."
        created = entry.event
        if expected == 1 and isinstance(created, GameCreated):
            header = self._header
            if (created.ruleset, created.rules_version) != (header.ruleset, header.rules_version):
                return "Version 1 is of another edition than the header."
        return None

    def _format(self) -> Check:
        if self._disorder is not None:
            return Check("format", ok=False, detail=self._disorder)
        return Check("format", ok=True, detail=f"{self._version} events, each spelt as it must be, in order.")

    def _chain(self, head: str, signed: Signed | None = None, *, is_secret: bool = False) -> Check:
        if self._broken_link is not None:
            sentence = f"Version {self._broken_link} is not what was hashed when it was stored."
            return Check("chain", ok=False, detail=sentence)
        if self._hash.hex() != head:
            is_signed = signed is not None and signed.ok
            why = "The head is the signed one: a line was changed." if is_signed else "A line was changed, or the head."
            return Check("chain", ok=False, detail=f"The lines do not add up to the head. {why}")
        return Check("chain", ok=True, detail=f"The lines add up to {'the head' if is_secret else head}.")

    def _seed(self) -> Check:
        last, commitment = self._last, self._commitment
        if not isinstance(last, GameEnded | GameAbandoned) or commitment is None:
            return Check("commitment", ok=False, detail="No seed is revealed by the last event.")
        # One spelling only, as everywhere: bytes.fromhex is not so particular.
        is_spelt = _HEX_256.fullmatch(last.seed) is not None
        if not is_spelt or hashlib.sha256(bytes.fromhex(last.seed)).hexdigest() != commitment:
            sentence = f"Version {self._version}: the seed is not the one that version 1 committed to."
            return Check("commitment", ok=False, detail=sentence)
        return Check("commitment", ok=True, detail=_COMMITTED)

    def _judged(self, fault: Fault | None) -> list[Check]:
        right = _RIGHT | ({"shuffles": _CHOSEN_ALONE} if self._referee.server_chose_alone else {})
        if fault is None:
            return [Check(name, ok=True, detail=sentence) for name, sentence in right.items()]
        wrong = _CHECK_OF.get(fault.reason, "moves")
        where = f"Version {fault.version}"
        checks = {check.name: check for check in _not_reached(tuple(_RIGHT), where)}
        if fault.reason == "wrong_ranking" and fault.version == self._version:
            # All else was looked at by then, but for shuffles that wait for the seed.
            before = [name for name in _RIGHT if name != "shuffles" or self._knew_the_seed]
            checks |= {name: Check(name, ok=True, detail=right[name]) for name in before}
        if wrong in checks:
            checks[wrong] = Check(wrong, ok=False, detail=f"{where}: {fault.sentence}")
        return list(checks.values())


_HEX_256: Final = re.compile(r"[0-9a-f]{64}")

_RIGHT: Final[dict[CheckName, str]] = {
    "shuffles": "Every shuffle, and who began, follows from the seed and the players' nonces.",
    "moves": "Every move was allowed, and what followed from it is what the rules say.",
    "coins": "Every coin was earned and spent as the beanometers say.",
    "end": "The game ended when it had to.",
    "ranking": "The ranking and the winners are right.",
}

_CHOSEN_ALONE: Final = (
    "Every shuffle, and who began, follows from the seed and the nonces. But no player but the host gave a nonce: the "
    "server chose the decks alone, before it knew who would join."
)
"""Nothing is wrong with that, and it should be known."""

_COMMITTED: Final = "The seed is the one that was committed to before any player but the host joined."

_BEFORE_THE_END: Final = ("shuffles", "moves", "coins")

_CHECK_OF: Final[dict[Reason, CheckName]] = {
    "wrong_seed": "commitment",
    "wrong_start_seat": "shuffles",
    "wrong_shuffle": "shuffles",
    "wrong_harvest": "coins",
    "wrong_payout": "coins",
    "wrong_payment": "coins",
    "not_enough_coins": "coins",
    "unfinished": "end",
    "after_the_end": "end",
    "wrong_exhaustion": "end",
    "wrong_ranking": "ranking",
}
"""What else the referee finds is a matter of moves."""


def _not_reached(names: tuple[CheckName, ...], where: str) -> list[Check]:
    return [Check(name, ok=False, detail=f"{NOT_REACHED}: {where} is wrong.") for name in names]
