"""Exports, audits and keys in the OpenAPI document."""

from typing import Final

from infra.anchors import AnchorPage
from services.api.reference.examples import GAME
from services.api.reference.operation import GAME_PARAMETER, Operation, Parameter, ResponseHeader
from services.api.shapes import AnchorsQuery
from services.audit.audits import Audit
from services.audit.jwks import Jwks

_HEAD: Final = "9b2d5c0e7f41a3866d0c1be2f3a4958770615243b4c5d6e7f8091a2b3c4d5e6f"
_ROOT: Final = "3c1f6a09b4d27e85f0a1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f50617"
_BESIDE: Final = "7e57b0d1c2a3948586079fae1d2c3b4a5968778695a4b3c2d1e0f1a2b3c4d5e6"
_KEY: Final = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
_SIGNATURE: Final = "4p5BVRGqAIkyAivRmzHkT9X6Yt3S_k1TZDCtQc1Sk2yAm6NTGeO0GYWWEdTr4FbkJuFWmlJq9Rq8VhFhXn8zBQ"

EXPORT_GAME: Final = Operation(
    id="export_game",
    tag="audit",
    summary="Download a finished game",
    description=(
        "The whole history as one file (JSON Lines): a header, one line for each event, and a trailer with the end of "
        "the hash chain and its signature. The bytes never change, so the answer may be kept for ever; with "
        "`Accept-Encoding: gzip` it is compressed. `bohnanza verify`, the page /verify, or a program of your own "
        "checks it without asking anybody; docs/fairness.md says how. Only after the end."
    ),
    parameters=(
        GAME_PARAMETER,
        Parameter(
            name="If-None-Match",
            place="header",
            description="The `ETag` that you have.",
            schema={"type": "string"},
            example=f'"{_HEAD}"',
        ),
    ),
    response=str,
    response_type="application/jsonl",
    response_description="The file; the example is shortened.",
    response_example=(
        f'{{"format":"bohnanza-log","format_version":1,"game":"{GAME}","ruleset":"classic","rules_version":1}}\n'
        '{"version":1,"at":"2026-11-30T12:00:00.000000Z","seat":0,"event":{"type":"turn_started","turn":1,"seat":0}}\n'
        f'{{"head":"{_HEAD}","key":"{_KEY}","signature":"{_SIGNATURE}"}}\n'
    ),
    response_headers={
        "ETag": ResponseHeader("One for each content; of a compressed one another.", f'"{_HEAD}"'),
        "Cache-Control": ResponseHeader("It never changes.", "public, max-age=31536000, immutable"),
        "Content-Disposition": ResponseHeader("A name for the file.", f'attachment; filename="bohnanza-{GAME}.jsonl"'),
    },
    not_modified=True,
    problems=("game_not_found", "game_running", "busy", "history_unreadable", "store_unavailable"),
)

AUDIT_GAME: Final = Operation(
    id="audit_game",
    tag="audit",
    summary="Check a finished game",
    description=(
        "Makes all checks anew, of what is stored: how events are spelt and ordered (`format`), the hash chain, the "
        "signature, the commitment to the seed, every shuffle, every move, every coin, the end, and the ranking. "
        "`ok` is true if all of them are right; a `detail` names the first version that is wrong. Who does not want "
        "to believe this answer checks the export. `anchor` proves that the game is in one of the anchors of "
        "`GET /v1/anchors` (its leaf, counted from 0, and the inclusion proof of RFC 9162, from the bottom up); null "
        "until its day is over. Only after the end."
    ),
    parameters=(GAME_PARAMETER,),
    response=Audit,
    response_description="What the checks have found.",
    response_example={
        "ok": True,
        "checks": [{"name": "chain", "ok": True, "detail": f"The lines add up to {_HEAD}."}],
        "anchor": {
            "day": "2026-11-30",
            "games": 2,
            "root": _ROOT,
            "previous": None,
            "key": _KEY,
            "signature": _SIGNATURE,
            "index": 0,
            "proof": [_BESIDE],
        },
    },
    problems=("game_not_found", "game_running", "busy", "history_unreadable", "store_unavailable"),
)

LIST_KEYS: Final = Operation(
    id="list_keys",
    tag="audit",
    summary="List the keys that sign finished games",
    description=(
        "A JSON Web Key Set (RFC 7517) of Ed25519 keys (RFC 8037). The first one signs; the others have signed earlier "
        "games. The id of a key is the key. Keep a copy: `bohnanza verify --keys` holds files against it."
    ),
    public=True,
    response=Jwks,
    response_description="The keys.",
    response_example={"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": _KEY, "x": _KEY, "use": "sig", "alg": "EdDSA"}]},
)

LIST_ANCHORS: Final = Operation(
    id="list_anchors",
    tag="audit",
    summary="List the anchors",
    description=(
        "One hash a day (UTC) over the heads of the games that ended on it, newest first: the root of a Merkle tree "
        "(RFC 9162, section 2.1) whose leaves are the 32 bytes of each head, in the order of the games' ids. What is "
        'signed is the statement, `{"day":…,"games":…,"root":…,"previous":…}` without spaces; `previous` is the '
        "SHA-256 of the statement before, null in the first one. Keep what you have seen: a game that is changed later "
        "does not fit to it any more. A day is anchored a quarter of an hour after its end. A game that came to light "
        "later, or was sealed late, is in the next anchor that is made, which is then of a later day than its end. "
        "`next` is the `cursor` of the following page, or null on the last one."
    ),
    public=True,
    query=AnchorsQuery,
    response=AnchorPage,
    response_description="One page of anchors.",
    response_example={
        "anchors": [
            {
                "day": "2026-11-30",
                "games": 12,
                "root": _ROOT,
                "previous": _HEAD,
                "key": _KEY,
                "signature": _SIGNATURE,
            }
        ],
        "next": None,
    },
    problems=("store_unavailable",),
)
