"""Which keys are in what a terminal sends."""

import pytest

from services.screen.keys import keys_in


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("nq?", ["n", "q", "?"]),
        (" ", [" "]),
        ("\x1b[C\x1b[D", ["right", "left"]),
        ("\x1bOC\x1bOD", ["right", "left"]),
        ("\x1b[H\x1b[F", ["home", "end"]),
        ("\x1bOH\x1bOF", ["home", "end"]),
        ("\x1b[1~\x1b[4~\x1b[7~\x1b[8~", ["home", "end", "home", "end"]),
        ("57\r", ["5", "7", "enter"]),
        ("5\x7f\x08\n", ["5", "backspace", "backspace", "enter"]),
        # A key that means nothing here is passed over as a whole: none of its bytes is taken for another key.
        ("\x1b[1;5Cn", ["n"]),
        ("\x1b[15~n", ["n"]),
        ("\x1b[<0;3;5Mn", ["n"]),
        ("\x1bqn", ["n"]),
        ("\x1b\x1b[C", ["escape", "right"]),
        ("\x00\x0c\ufffdn", ["\ufffd", "n"]),
    ],
)
def test_keys(sent: str, keys: list[str]) -> None:
    assert keys_in(sent) == (keys, "")


@pytest.mark.parametrize("whole", ["\x1b[C", "\x1bOC", "\x1b[1;5C", "\x1b[4~"])
def test_a_key_that_has_not_come_as_a_whole_is_waited_for(whole: str) -> None:
    expected, _ = keys_in(whole)
    for cut in range(1, len(whole)):
        keys, rest = keys_in("n" + whole[:cut])
        assert keys == ["n"]
        assert keys_in(rest + whole[cut:]) == (expected, "")
