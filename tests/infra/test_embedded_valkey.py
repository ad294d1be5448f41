"""The embedded Valkey: reachable by its socket, and by nobody else."""

import os
import signal
import socket
import stat
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psutil
import pytest
import redis

from infra.embedded.valkey import EmbeddedValkey
from tests.servers import wait_until


def test_it_answers_on_its_socket_in_a_folder_with_a_space(spaced: Path) -> None:
    with EmbeddedValkey(spaced) as valkey, redis.Redis.from_url(valkey.url) as client:
        client.set("bean", "soy")

        assert client.get("bean") == b"soy"
        assert psutil.Process(valkey.pid).net_connections("inet") == []
        # Wherever it is: a long path gets a short one elsewhere.
        folder = Path(unquote(urlsplit(valkey.url).path)).parent
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_it_runs_without_roots_rights(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path) as valkey:
        assert psutil.Process(valkey.pid).uids().effective != 0


def test_with_a_port_it_asks_for_the_password_that_only_its_owner_can_read(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    with EmbeddedValkey(tmp_path, port) as valkey:
        password = unquote(urlsplit(valkey.url).password or "")
        with redis.Redis(port=port, password=password) as owner, redis.Redis(port=port) as stranger:
            assert owner.ping()
            with pytest.raises(redis.exceptions.AuthenticationError):
                stranger.ping()
        listening = {connection.laddr for connection in psutil.Process(valkey.pid).net_connections("inet")}
        assert listening == {("127.0.0.1", port)}
        assert not any(password in word for word in psutil.Process(valkey.pid).cmdline())
        for name in ("password", "valkey.conf"):
            assert stat.S_IMODE((valkey.home / name).stat().st_mode) == 0o600


def test_the_password_stays_over_a_restart(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path) as valkey:
        first = valkey.url
    with EmbeddedValkey(tmp_path) as valkey:
        assert valkey.url == first


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
