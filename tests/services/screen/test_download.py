"""A game from a server, or a sentence about why there is none."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from domain.views import SeatView
from services.cli.failure import Failure
from services.cli.replay import command
from services.client.client import Client
from services.client.patience import Patience
from services.demo.table import play
from services.games.requests import NewGameRequest
from services.screen import download as downloading
from services.screen.download import download
from services.screen.frame import step_at
from services.screen.reading import LARGEST, read
from services.screen.recording import NotPlayable
from services.screen.timeline import Timeline
from tests.exports import golden_export
from tests.services.client.faulty import GAME, serving
from tests.services.client.test_export import Exporting, exporting
from tests.services.demo.tables import QUICK, memory_server, nobody_looks, order
from tests.services.games.counters import counter
from tests.services.screen.recordings import golden, on_screen


@pytest.fixture(autouse=True)
def _short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloading, "FIRST_CALL", Patience(total=0.5, call=0.5))
    monkeypatch.setattr(downloading, "DOWNLOAD", Patience(total=2.0, call=2.0))


async def sentence(url: str, game: str = GAME, token: str | None = None) -> str:
    with pytest.raises(NotPlayable) as caught:
        await download(url, game, token, 1_000_000)
    assert str(caught.value).isprintable()
    return str(caught.value)


async def test_a_game_that_is_over_is_fetched_by_a_guest() -> None:
    async with exporting(Exporting(golden_export("classic-2"), packed=True)) as url:
        assert (await download(url, GAME, None, 1_000_000)).content == golden_export("classic-2")


async def test_a_token_opens_what_its_player_may_see() -> None:
    server = Exporting(golden_export("classic-2"))
    async with exporting(server) as url:
        await download(url, GAME, "given", 1_000_000)
    assert server.asked[0]["Authorization"] == "Bearer given"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("game_running", "still going on"),
        ("game_not_found", "no such game"),
        ("token_expired", "expired"),
        ("token_invalid", "not one of this server"),
        ("\x1b[2J", "409"),
    ],
)
async def test_what_the_server_refuses_is_a_sentence(code: str, told: str) -> None:
    async with exporting(Exporting(problem=code)) as url:
        assert told in await sentence(url, token="given")


async def test_a_game_that_was_played_on_a_real_server_is_fetched_and_read() -> None:
    async with memory_server() as url:
        played = await play(order(url), nobody_looks)
        assert played.game is not None
        fetched = await download(url, played.game, None, LARGEST)
        recording = read(fetched.content, "game")
        last = recording.entries[-1].version
        assert played.view is not None
        assert fetched.names == {seat.player: seat.name for seat in played.view.seats}
        assert all(fetched.names.values())
        timeline = Timeline(replace(recording, names=fetched.names))
        for size in (80, 140):
            assert all(name in on_screen(step_at(timeline, last, "all"), size) for name in fetched.names.values())
        assert recording.game == played.game
        assert Timeline(recording).last == played.events


async def test_the_guest_is_gone_afterwards_and_the_player_of_a_token_is_not() -> None:
    erased = counter("erasures")
    async with memory_server() as url, Client(url, QUICK) as host:
        await host.sign_up("Ada")
        game = (await host.create_game(NewGameRequest(seats=3))).game
        assert "still going on" in await sentence(url, game)
        assert erased() == 1
        assert "still going on" in await sentence(url, game, await host._tokens.access())
        assert erased() == 1
        played = await play(order(url), nobody_looks)
        assert played.game is not None
        await download(url, played.game, None, LARGEST)
        assert erased() == 2


async def test_a_game_that_goes_on_and_one_that_a_real_server_does_not_know_are_sentences() -> None:
    async with memory_server() as url, Client(url, QUICK) as host:
        await host.sign_up("Ada")
        open_game = (await host.create_game(NewGameRequest(seats=3))).game
        private = (await host.create_game(NewGameRequest(seats=3, visibility="private"))).game
        assert "still going on" in await sentence(url, open_game)
        assert "no such game" in await sentence(url, private)
        assert "no such game" in await sentence(url, GAME)
        assert "not one of this server" in await sentence(url, GAME, "given")


async def test_no_server_and_another_server_are_sentences() -> None:
    assert "no answer from a server" in await sentence("http://127.0.0.1:1")
    async with serving(lambda _: None) as url:
        assert "404" in await sentence(url)


async def test_a_server_that_stalls_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloading, "DOWNLOAD", Patience(total=60.0, call=60.0, silence=0.1))
    server = Exporting(golden_export("classic-2"))
    server.goes_on.clear()
    async with exporting(server) as url:
        assert "nothing came for 0.1 s" in await sentence(url)
        server.goes_on.set()


async def test_names_are_the_text_of_others() -> None:
    evil = "\x1b[2J\x1b]0;title\x07[red]\u202e\r\n" + "x" * 300
    server = Exporting(golden_export("classic-2"))
    one, other = (seat.player for seat in golden("classic-2").state(300).seats)
    bad = SeatView(0, one, evil, None, False, 0, None, [], [], 0, False)
    server.table = replace(server.table, seats=[bad, replace(bad, seat=1, player=other, name="Ada")])
    async with exporting(server) as url:
        fetched = await download(url, GAME, None, 1_000_000)
    timeline = Timeline(replace(read(fetched.content, "game"), names=fetched.names))
    for width in (80, 140):
        shown = on_screen(step_at(timeline, 300, "all"), width)
        assert all(line.isprintable() for line in shown.split("\n"))
        assert "Ada" in shown
        assert "x" * 30 not in shown


async def test_an_export_that_has_no_end_is_a_sentence() -> None:
    async with exporting(Exporting(bytes(3_000_000), packed=True)) as url:
        assert "more than 1000000 bytes" in await sentence(url)


@pytest.mark.parametrize("content", [b"", b" ", b"two words", b"\xff", b"a\nb", b"x" * 10_000, b"a\x00b"])
def test_a_file_without_a_token_is_named_and_not_shown(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "token"
    path.write_bytes(content)
    done = CliRunner().invoke(command, [GAME, "--token-file", str(path), "--url", "http://127.0.0.1:1"])
    assert isinstance(done.exception, Failure)
    assert str(done.exception) == f"{path}: not an access token and nothing else."


def test_an_address_that_is_none_is_a_wrong_option() -> None:
    done = CliRunner().invoke(command, [GAME, "--url", "ftp://nowhere"])
    assert done.exit_code == 2
    assert "looks like" in done.output


def test_what_is_neither_a_file_nor_an_id_is_taken_for_a_file() -> None:
    done = CliRunner().invoke(command, ["no-such-game"])
    assert isinstance(done.exception, Failure)
    assert "no-such-game: No such file" in str(done.exception)


def test_a_server_that_is_not_there_is_told_on_the_command_line() -> None:
    done = CliRunner().invoke(command, [GAME, "--url", "http://127.0.0.1:1"])
    assert isinstance(done.exception, Failure)
    assert "no answer from a server" in str(done.exception)
    assert f"Fetching {GAME} from http://127.0.0.1:1 …" in done.stderr
