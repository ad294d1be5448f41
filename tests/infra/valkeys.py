"""Valkey servers that a test may kill, freeze and start again."""

import os
import signal
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import redis

from infra.embedded.valkey import binary
from tests.servers import wait_until

PASSWORD = "pass/word@of,a#test"
QUOTED = "pass%2Fword%40of%2Ca%23test"
SLOTS = 16384


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on."""
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [server.getsockname()[1] for server in taken]
    for server in taken:
        server.close()
    return ports


class ValkeyProcess:
    """A server on a port of its own, with a password."""

    def __init__(self, folder: Path, port: int, options: Sequence[str] = ()) -> None:
        self.folder = folder
        self.port = port
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self.client = redis.Redis(port=port, password=PASSWORD, socket_timeout=2)

    @property
    def url(self) -> str:
        return f"redis://:{QUOTED}@127.0.0.1:{self.port}"

    def start(self) -> None:
        """Ready when it returns."""
        self.folder.mkdir(exist_ok=True)
        command = [str(binary()), "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        command += ["--save", "", "--appendonly", "no", "--requirepass", PASSWORD, *self._options]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_until(self._answers, 10, "the server answers")

    def kill(self) -> None:
        """Without a word to anybody."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self.client.close()

    def freeze(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGCONT)

    def say(self, *words: str | int) -> Any:
        """A word about the cluster that it is a member of."""
        with redis.Redis(port=self.port, password=PASSWORD, protocol=2, single_connection_client=True) as client:
            return client.execute_command("CLUSTER", *words)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def _answers(self) -> bool:
        with suppress(redis.exceptions.ConnectionError, redis.exceptions.TimeoutError):
            return bool(self.client.ping())
        return False


class ValkeyCluster:
    """Three servers that share the slots, each a third, without replicas."""

    def __init__(self, folder: Path) -> None:
        ports = free_ports(6)
        self.nodes = [
            ValkeyProcess(
                folder / str(port),
                port,
                [
                    *("--cluster-enabled", "yes", "--cluster-port", str(bus), "--cluster-node-timeout", "1000"),
                    *("--cluster-require-full-coverage", "no"),
                ],
            )
            for port, bus in zip(ports[:3], ports[3:], strict=True)
        ]
        self._ports = ports

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"redis://:{QUOTED}@{hosts}/?cluster=true"

    def __enter__(self) -> Self:
        for node in self.nodes:
            node.start()
        third = SLOTS // 3 + 1
        for number, node in enumerate(self.nodes):
            last = min((number + 1) * third, SLOTS) - 1
            node.say("ADDSLOTSRANGE", number * third, last)
            # They start as equals in age; one of two with the same would have to give way first.
            node.say("SET-CONFIG-EPOCH", number + 1)
            node.say("MEET", "127.0.0.1", self._ports[0], self._ports[3])
        wait_until(lambda: all(self.is_whole(node) for node in self.nodes), 20, "the cluster is complete")
        return self

    def __exit__(self, *_: object) -> None:
        for node in self.nodes:
            node.kill()

    @staticmethod
    def is_whole(node: ValkeyProcess) -> bool:
        """Whether that node sees all slots served."""
        told = node.say("INFO").decode().split()
        return "cluster_state:ok" in told and f"cluster_slots_ok:{SLOTS}" in told
