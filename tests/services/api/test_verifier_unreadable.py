"""What is no export, or a damaged one, is refused by the page in a sentence; it never fails in any other way."""

import json
from typing import Final

import pytest

from domain.export import LONGEST_LINE
from tests.exports import golden_export
from tests.services.api.verifier_page import Verifier, wrong

HEADER: Final = b'{"format":"bohnanza-log","format_version":1,"game":"g","ruleset":"classic","rules_version":1}\n'
LINE: Final = (
    b'{"version":1,"at":"2026-01-01T00:00:00.000000Z","seat":0,"event":{"type":"turn_started","turn":1,"seat":0}}\n'
)
TRAILER: Final = golden_export("classic-2").splitlines()[-1] + b"\n"


def spelt(line: bytes) -> bytes:
    return HEADER + line + TRAILER


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file is empty."),
        (b"\n", "Line 1 is no JSON."),
        (b"\n" * 3, "Line 1 is no JSON."),
        (b"\x00" * 100 + b"\n", "Line 1 is no JSON."),
        (b"\xff\xfe\n", "Line 1 is no UTF-8."),
        (b"PK\x03\x04rubbish", "The file does not end with a line end"),
        (b"null\n", "This is no log of a game"),
        (b'{"format":"pgn","format_version":1}\n', "This is no log of a game"),
        (HEADER.replace(b'_version":1,"game', b'_version":2,"game'), "The file is of format version 2, and this page"),
        (HEADER.replace(b'_version":1,"game', b'_version":"1","game'), "Line 1: there is no such format version."),
        (HEADER.replace(b'"g"', b'"g","game":"h"'), "Line 1 is not spelt as the program writes it."),
        (HEADER.replace(b'"g"', b'"\\u0067"'), "Line 1 is not spelt as the program writes it."),
        (spelt(LINE.replace(b'"version":1', b'"version":2147483648')), "Version 1: line 2 has something wrong at"),
        (spelt(LINE.replace(b'"version":1', b'"version":2147483647')), "Version 1: line 2 says version 2147483647."),
        (spelt(LINE.replace(b'"seat":0,"e', b'"seat":32768,"e')), "Version 1: line 2 has something wrong at seat"),
        (spelt(LINE.replace(b'"seat":0,"e', b'"seat":32767,"e')), "Version 1: a game begins with game_created."),
        (spelt(LINE).replace(b'"g"', b'"' + b"~" * 64 + b'"'), "Version 1: a game begins with game_created."),
        (spelt(LINE).replace(b'"g"', b'"' + b"~" * 65 + b'"'), "Line 1 has something wrong at game."),
        (spelt(LINE).replace(b'"g"', b'""'), "Line 1 has something wrong at game."),
        (spelt(LINE).replace(b'"g"', b'"a game"'), "Line 1 has something wrong at game."),
        (HEADER + LINE + TRAILER.replace(b'"key":"', b'"key":"+'), "The last line has something wrong at key."),
        (HEADER + LINE + TRAILER.replace(b'"}\n', b'="}\n'), "The last line has something wrong at signature."),
        (HEADER, "The file has a header and no events"),
        (HEADER + TRAILER, "The file has a header and no events"),
        (HEADER[:-1], "The file does not end with a line end"),
        (HEADER + LINE * 2, "The last line is an event and no trailer with head, key and signature"),
        (HEADER + LINE + LINE[:-9], "The file does not end with a line end"),
        (spelt(b"\n"), "Version 1: line 2 is no JSON."),
        (spelt(b"[" * 60_000 + b"\n"), "Version 1: line 2 is no "),
        (spelt(b"[" * 30_000 + b"]" * 30_000 + b"\n"), "Version 1: line 2 is no event."),
        (spelt(LINE.replace(b'"turn":1', b'"turn":' + b"[" * 9_000 + b"]" * 9_000)), "Version 1: line 2 has something"),
        (spelt(LINE.replace(b'"turn":1', b'"turn":' + b"1" * 5_000)), "Version 1: line 2 has something wrong at"),
        (spelt(LINE.replace(b'"turn":1', b'"turn":1e9999')), "Version 1: line 2 has something wrong at event.turn"),
        (spelt(LINE.replace(b'"turn":1', b'"turn":1e0')), "Version 1: line 2 is not spelt as the program writes it."),
        (spelt(LINE.replace(b'"turn":1', b'"turn":1.0')), "Version 1: line 2 is not spelt as the program writes it."),
        (spelt(LINE.replace(b'"turn":1', b'"turn":-0')), "Version 1: line 2 is not spelt as the program writes it."),
        (spelt(LINE.replace(b'"turn":1', b'"turn":-1')), "Version 1: line 2 has something wrong at event.turn"),
        (spelt(LINE.replace(b'"turn":1', b'"turn":1,"turn":2')), "Version 1: line 2 is not spelt"),
        (spelt(LINE.replace(b'"turn":1,', b"")), "Version 1: line 2 has something wrong at event."),
        (spelt(LINE.replace(b'"turn":1', b'"turn":1,"__proto__":1')), "Version 1: line 2 has something wrong at"),
        (spelt(LINE.replace(b'"version":1', b'"version":1,"version":1')), "Version 1: line 2 is not spelt"),
        (spelt(LINE.replace(b'"version":1', b'"version":' + b"9" * 400)), "Version 1: line 2 has something wrong at"),
        (spelt(LINE.replace(b"turn_started", b"turn_stopped")), 'Version 1: this page knows no event "turn_stopped"'),
        (spelt(LINE.replace(b"turn_started", b"constructor")), 'Version 1: this page knows no event "constructor"'),
        (spelt(LINE.replace(b'"turn_started"', b"7")), 'Version 1: this page knows no event ""'),
        (spelt(LINE.replace(b"turn_started", b"turn\xffstarted")), "Version 1: line 2 is no UTF-8."),
        (spelt(LINE), "Version 1: a game begins with game_created."),
        (spelt(b"x" * (LONGEST_LINE + 1) + b"\n"), "Line 2 is longer than any line of an export."),
        (HEADER + LINE + TRAILER * 2, "Version 2: line 3 is no event."),
        (HEADER + LINE + TRAILER.replace(b'{"head":"', b'{"head":"G')[:-2] + b"\n", "The last line is no JSON."),
        (HEADER + LINE + TRAILER.replace(b'"key":"', b'"key":"A'), "The last line: the key is no Ed25519 key."),
        (HEADER + LINE + TRAILER.replace(b'"}\n', b'A"}\n'), "The last line: the signature is none in base64url."),
        (HEADER + LINE * 200_001, "The file has more than 200,000 lines: use bohnanza verify."),
        (bytes(34 << 20), "The file has 35,651,584 bytes. This page reads up to 32 MiB; use bohnanza verify."),
    ],
)  # fmt: skip
def test_what_is_no_export_is_refused_in_a_sentence(verifier: Verifier, content: bytes, sentence: str) -> None:
    if len(content) > 1 << 20:
        # Made in the page: so much is not sent over.
        content_there = "new Uint8Array(34 << 20)" if content[:1] == b"\0" else lines_there(HEADER, LINE, 200_001)
        found = verifier.evaluate(f"verify({content_there}, {{}})")
    else:
        found = verifier.of_bytes(content)
    said = wrong(found)
    assert set(said) <= {"format", "chain", "signature"}
    assert said["format"].startswith(sentence)
    assert found["ok"] is False


def lines_there(first: bytes, line: bytes, count: int) -> str:
    return f"new TextEncoder().encode({json.dumps(first.decode())} + {json.dumps(line.decode())}.repeat({count}))"


@pytest.mark.parametrize(
    "keys", [b"null", b"[]", b'{"keys":7}', b'{"keys":[null,{"kty":"OKP","crv":"Ed25519","x":7}]}']
)
def test_what_is_no_set_of_keys_names_no_key(verifier: Verifier, keys: bytes) -> None:
    found = verifier.of_bytes(golden_export("classic-2"), keys)
    assert {check["name"] for check in found["checks"] if check["ok"] is None} == {"signature"}
