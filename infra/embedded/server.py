"""What the embedded servers have in common: one folder, one owner of it, ready when start() returns."""

from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from infra.embedded.failures import ServerFailed
from infra.embedded.lock import FolderLock
from infra.embedded.processes import Child
from infra.embedded.sockets import SocketFolder


class EmbeddedServer(ABC):
    """A server that keeps its files in `home`. With a port it listens on the loopback address too."""

    name: ClassVar[str]
    start_seconds: ClassVar[float]
    stop_seconds: ClassVar[float]

    def __init__(self, home: Path, port: int, socket_name: str) -> None:
        self.home = home
        self.port = port
        self._sockets = SocketFolder(home, socket_name)
        self._lock = FolderLock(home)
        self._child: Child | None = None

    @property
    @abstractmethod
    def url(self) -> str:
        """The address for clients on this machine, by its socket."""

    @abstractmethod
    def _launch(self) -> Child:
        """Clear what a killed predecessor left behind, and start the server's process."""

    @abstractmethod
    def _ready(self) -> bool:
        """Whether it accepts clients."""

    @property
    def exit_code(self) -> int | None:
        """None while it runs, and before its start."""
        return None if self._child is None else self._child.exit_code

    @property
    def pid(self) -> int | None:
        """Of the server's first process; None before its start."""
        return None if self._child is None else self._child.process.pid

    def start(self) -> None:
        """Ready when it returns; ServerFailed says why it could not start or was not ready in time."""
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock.acquire()
        try:
            self._child = self._launch()
            self._child.wait_until(self._ready, self.start_seconds)
        except BaseException:
            self.stop()
            raise

    def restart(self) -> None:
        """Start it again after it has ended by itself; its address stays. ServerFailed as from `start`."""
        if self._child is not None:
            self._child.stop(self.stop_seconds)
        self._child = self._launch()
        self._child.wait_until(self._ready, self.start_seconds)

    def stop(self) -> None:
        """End it well. Does nothing if it does not run."""
        if self._child is not None:
            self._child.stop(self.stop_seconds)
            self._child = None
            self._sockets.remove()
        self._lock.release()

    def ended(self) -> ServerFailed | None:
        """Why it is not there any more, if it was started and ended by itself."""
        if self._child is None or self._child.exit_code is None:
            return None
        return self._child.failure(f"ended by itself (exit code {self._child.exit_code})")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()
