"""Who an embedded server runs as: never root. Postgres refuses that, and Valkey has no need of it, so under root they
run as an existing unprivileged user.

No account is made and no folder above the project is opened up for it. Where that user cannot reach the project, the
server alone gets the one capability to pass closed folders.
"""

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from infra.embedded.failures import ServerFailed

UNPRIVILEGED: Final = "nobody"

CAPABILITIES: Final = (None, "dac_read_search", "dac_override")
"""From least to most. The last one is for containers that withhold the second, and for files that only root may run."""


@dataclass(frozen=True, slots=True)
class Privileges:
    """A user and the words before a command that make it run as that user."""

    user: int
    group: int
    prefix: tuple[str, ...] = ()


def own() -> Privileges:
    """Those of this process."""
    return Privileges(os.geteuid(), os.getegid())


def _as_user(user: int, group: int, capability: str | None) -> tuple[str, ...]:
    granted = "-all" if capability is None else f"-all,+{capability}"
    return (
        "setpriv",
        f"--reuid={user}",
        f"--regid={group}",
        "--clear-groups",
        f"--inh-caps={granted}",
        f"--ambient-caps={granted}",
        f"--bounding-set={granted}",
        # Without it access(2), by which Postgres looks for its own binary, ignores the capability.
        "--securebits=+no_setuid_fixup",
        "--no-new-privs",
    )


def _reaches(prefix: tuple[str, ...], program: Path, folder: Path) -> bool:
    trial = [*prefix, "/bin/sh", "-c", 'cd -- "$1" && exec "$2" --version', "sh", str(folder), str(program)]
    return subprocess.run(trial, check=False, capture_output=True, cwd="/").returncode == 0


def for_server(name: str, instead: str, program: Path, folder: Path) -> Privileges:
    """Those with which `program` can run in `folder`, which then belongs to their user; ServerFailed if none can.

    `name` is the server's, `instead` the setting that names a server to use in its place.
    """
    if os.geteuid() != 0:
        return own()
    owner = folder.stat()
    if owner.st_uid != 0:
        # Made by an ordinary user, or by an earlier start as root: whoever owns the data goes on owning it.
        user, group = owner.st_uid, owner.st_gid
    else:
        entry = pwd.getpwnam(UNPRIVILEGED)
        user, group = entry.pw_uid, entry.pw_gid
        os.chown(folder, user, group)
    if shutil.which("setpriv") is None:
        message = (
            f"{name} does not run as root, and there is no setpriv (package util-linux) to start it as another user. "
            f"Install it, start as an ordinary user, or name a running server in {instead}."
        )
        raise ServerFailed(message)
    for capability in CAPABILITIES:
        prefix = _as_user(user, group, capability)
        if _reaches(prefix, program, folder):
            return Privileges(user, group, prefix)
    message = (
        f"{name} does not run as root, and the user {user} cannot reach {program} and {folder}. Move the project to "
        f"a folder that others may pass, start as an ordinary user, or name a running server in {instead}."
    )
    raise ServerFailed(message)
