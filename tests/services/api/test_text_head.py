"""How long a message is, is told by the bytes before it (RFC 6455, sections 5.2 and 5.7)."""

import pytest

from services.api.protocol import text_head


@pytest.mark.parametrize(
    ("length", "head"),
    [
        (5, "81 05"),
        (125, "81 7d"),
        (126, "81 7e 00 7e"),
        (256, "81 7e 01 00"),
        (65_535, "81 7e ff ff"),
        (65_536, "81 7f 00 00 00 00 00 01 00 00"),
    ],
)
def test_the_length_is_written_in_the_fewest_bytes(length: int, head: str) -> None:
    assert text_head(length) == bytes.fromhex(head)
