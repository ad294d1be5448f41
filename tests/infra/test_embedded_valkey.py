"""The embedded Valkey: reachable by its socket, and by nobody else."""

import os
import signal
import stat
from pathlib import Path
from urllib.parse import unquote

import psutil
import redis

from infra.embedded.valkey import EmbeddedValkey
from tests.servers import wait_until


def test_it_answers_on_its_socket_in_a_folder_with_a_space(spaced: Path) -> None:
    with EmbeddedValkey(spaced) as valkey, redis.Redis.from_url(valkey.url) as client:
        client.set("bean", "soy")

        assert client.get("bean") == b"soy"
        assert psutil.Process(valkey.pid).net_connections("inet") == []
        # Wherever it is: a long path gets a short one elsewhere.
        socket = Path(unquote(valkey.url.removeprefix("unix://")))
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700


def test_it_keeps_nothing(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path) as valkey, redis.Redis.from_url(valkey.url) as client:
        client.set("bean", "soy")

    with EmbeddedValkey(tmp_path) as valkey, redis.Redis.from_url(valkey.url) as client:
        assert client.get("bean") is None


def test_its_death_is_noticed_and_told(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path) as valkey:
        assert valkey.ended() is None
        assert valkey.pid is not None
        os.kill(valkey.pid, signal.SIGKILL)

        wait_until(lambda: valkey.ended() is not None, 5, "its death is noticed")
        assert str(valkey.ended()).startswith("Valkey ended by itself (exit code -9). Its last words were:")
