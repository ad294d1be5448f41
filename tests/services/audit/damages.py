"""What could be done to the rows of a game that was played to its end, and what has to be said of it.

In the statements {ended} and {left} are games, {last} is the last version of the first one, {next} the one behind it.
"""

from typing import Final, NamedTuple


class Damage(NamedTuple):
    """A statement, and how the sentence begins that names what it did."""

    statement: str
    said: str


UPDATE: Final = "update {table} set {change} where game = '{{ended}}'{rows}"
REMOVE: Final = "delete from {table} where game = '{{ended}}'{rows}"

_TWENTY: Final = " and version = 20"
_FIRST: Final = " and version = 1"
_LAST: Final = " and version = {last}"
_LAST_RECEIPT: Final = " and last = (select max(last) from receipts where game = '{ended}')"
_FIRST_RECEIPT: Final = " and first = (select min(first) from receipts where game = '{ended}')"
_NAMED: Final = {
    "": "the row",
    _TWENTY: "20",
    _FIRST: "the first",
    _LAST: "the last",
    _LAST_RECEIPT: "the last",
    _FIRST_RECEIPT: "the first",
}

_CHANGED: Final = (
    # table, change, rows, what has to be said
    ("events", "version = 9999", _TWENTY, "events, version 20: the row is missing."),
    ("events", "version = 9999", _FIRST, "events, version 1: the row is missing."),
    ("events", "version = version + 1", _LAST, "events, version {last}: the row is missing."),
    ("events", "at = at + interval '1 microsecond'", _TWENTY, "events.at"),
    ("events", "at = at - interval '1 microsecond'", _FIRST, "events.at"),
    ("events", "at = at + interval '1 hour'", _LAST, "events.at, version {last}: it is not what was hashed."),
    ("events", "at = 'infinity'", _TWENTY, "events.at"),
    ("events", "at = '4000-01-01 BC'", _TWENTY, "events.at"),
    ("events", "seat = coalesce(seat, 0) + 1", _TWENTY, "events.seat, version 20: it is not what was hashed."),
    ("events", "seat = null", _TWENTY, "events.seat, version 20: it is not what was hashed."),
    ("events", "seat = 9", _FIRST, "events.seat, version 1: it is not what was hashed."),
    ("events", "type = 'turn_started'", _FIRST, "events.type, version 1: it is not that of the payload."),
    ("events", "type = 'x'", _LAST, "events.type, version {last}: it is not that of the payload."),
    ("events", "payload = set_bit(payload, 84, 1 - get_bit(payload, 84))", _TWENTY, "events.payload, version 20: "),
    ("events", "payload = payload || ' '", _TWENTY, "events.payload, version 20: it is no event"),
    ("events", "payload = convert_to('{{\"type\":\"bean_eaten\"}}', 'UTF8')", _TWENTY, "events.payload, version 20: "),
    ("events", "payload = ''", _LAST, "events.payload, version {last}: it is no event"),
    ("events", "hash = sha256(hash)", _TWENTY, "events.hash, version 20: it is not that of its line."),
    ("events", "hash = sha256(hash)", _FIRST, "events.hash, version 1: it is not that of its line."),
    ("events", "hash = sha256(hash)", _LAST, "events.hash, version {last}: it is not that of its line."),
    ("games", "version = version + 1", "", "games.version: it is not what the events say."),
    ("games", "version = version - 1", "", "games.version: it is not what the events say."),
    ("games", "status = 'abandoned'", "", "games.status: it is not what the events say."),
    ("games", "status = 'running'", "", "games.status: it is not what the events say."),
    ("games", "ruleset = 'boonanza'", "", "games.ruleset: it is not what the events say."),
    ("games", "seats = 3, players = players || null::uuid", "", "games.seats: it is not what the events say."),
    ("games", "visibility = 'private'", "", "games.visibility: it is not what the events say."),
    ("games", "host = gen_random_uuid()", "", "games.host: it is not what the events say."),
    ("games", "players[2] = gen_random_uuid()", "", "games.players: it is not what the events say."),
    ("games", "players = array[players[2], players[1]]", "", "games.players: it is not what"),
    ("games", "header_hash = sha256(header_hash)", "", "games.header_hash: it is not what the events say."),
    ("games", "head_hash = sha256(head_hash)", "", "games.head_hash: it is not what the events say."),
    ("events", "at = '-infinity'", _LAST, "events.at, version {last}: it is not what was hashed."),
    ("events", "at = '99999-01-01'", _FIRST, "events.at"),
    ("games", "created_at = '99999-01-01'", "", "games.created_at: it is not what the events say."),
    ("seals", "ended_at = '4000-01-01 BC'", "", "seals.ended_at: it is not the time of the last event."),
    ("games", "created_at = '-infinity'", "", "games.created_at: it is not what the events say."),
    ("seals", "ended_at = 'infinity'", "", "seals.ended_at: it is not the time of the last event."),
    ("games", "deadline = now()", "", "games.deadline: it is not what the events say."),
    ("games", "created_at = created_at + interval '1 microsecond'", "", "games.created_at: it is not what"),
    ("seals", "head_hash = sha256(head_hash)", "", "seals.head_hash: it is not the hash of the last event."),
    ("seals", "ended_at = ended_at + interval '1 microsecond'", "", "seals.ended_at: it is not the time"),
    ("seals", "key = translate(key, 'abcdefgh', 'bcdefgha')", "", "seals.key: "),
    ("seals", "key = ''", "", "seals.key: "),
    ("seals", "signature = translate(signature, 'abcdefgh', 'bcdefgha')", "", "seals.signature: the key has not"),
    ("seals", "signature = signature || '='", "", "seals.signature: the key has not signed that head."),
    ("game_secrets", "seed = sha256(seed)", "", "game_secrets.seed: it is not the one that version 1 committed to."),
    ("game_secrets", "invite_hash = sha256('')", "", "game_secrets.invite_hash: "),
    ("receipts", "last = 9999", _LAST_RECEIPT, "receipts.last, versions "),
    ("receipts", "last = last + 1", _FIRST_RECEIPT, "receipts.last, versions "),
    ("receipts", "first = first - 1", _LAST_RECEIPT, "receipts."),
    ("receipts", "player = gen_random_uuid()", _FIRST_RECEIPT, "receipts.player, versions "),
    ("receipts", "fingerprint = ''", _FIRST_RECEIPT, "receipts.fingerprint, versions "),
)
_REMOVED: Final = (
    ("events", _TWENTY, "events, version 20: the row is missing."),
    ("events", _FIRST, "events, version 1: the row is missing."),
    ("events", _LAST, "events, version {last}: the row is missing."),
    ("events", "", "events, version 1: the row is missing."),
    (
        "games",
        "",
        "games: the row is missing. There are rows in events, game_secrets, seals, anchored_games, receipts.",
    ),
    ("game_secrets", "", "game_secrets: the row is missing."),
    ("seals", "", "seals: the game is over and the row is missing."),
)
_OTHERS: Final = {
    "a row of events added": Damage(
        "insert into events select game, version + 1, at, seat, type, payload, hash from events "
        "where game = '{ended}' and version = {last}",
        "events, version {next}: the row comes behind the head.",
    ),
    "a payload from elsewhere": Damage(
        "update events set type = other.type, payload = other.payload from (select * from events where game = '{left}' "
        "and version = 2) as other where events.game = '{ended}' and events.version = 20",
        "events.at, events.seat or events.payload, version 20: not what was hashed.",
    ),
    "two rows of events swapped": Damage(
        "update events as one set at = other.at, seat = other.seat, type = other.type, payload = other.payload, "
        "hash = other.hash from events as other where one.game = '{ended}' and one.version in (20, 21) "
        "and other.game = one.game and other.version = 41 - one.version",
        "events, version 20: it is not the row that was stored",
    ),
    "two seals swapped": Damage(
        "update seals as one set head_hash = other.head_hash, ended_at = other.ended_at, signature = other.signature "
        "from seals as other where one.game in ('{ended}', '{left}') and other.game in ('{ended}', '{left}') "
        "and one.game <> other.game",
        "seals.head_hash: it is not the hash of the last event.",
    ),
    "a row of receipts added": Damage(
        "insert into receipts select game, player, 'another', fingerprint, first, last from receipts "
        "where game = '{ended}' and first = (select min(first) from receipts where game = '{ended}')",
        "receipts.first, versions ",
    ),
}

DAMAGES: Final[dict[str, Damage]] = {
    **{
        f"{table}: {change}, {_NAMED[rows]}": Damage(UPDATE.format(table=table, change=change, rows=rows), said)
        for table, change, rows, said in _CHANGED
    },
    **{f"{table} removed{rows}": Damage(REMOVE.format(table=table, rows=rows), said) for table, rows, said in _REMOVED},
    **_OTHERS,
}
MOVED: Final = {
    "events": "events, version 20: the row is missing.",
    "games": "games: the row is missing. There are rows in events, game_secrets, seals, anchored_games, receipts.",
    "game_secrets": "game_secrets: the row is missing.",
    "seals": "seals: the game is over and the row is missing.",
}
"""What is said of the game that a row was taken from."""
