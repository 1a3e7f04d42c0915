"""A machine of its own for a manual's commands: layers over this one, thrown away after the test.

Every folder that the commands write to is an overlay in a mount namespace, so that `/opt/carrusel`, `/etc/carrusel` and
`/var/lib/carrusel` begin empty and nothing of it is ever seen outside. The network is this machine's. What a layered
machine has none of, systemd as its first process and udev, is played by the programs of `machine_programs`; `sudo` and
`carrusel` stand there for what the manual says they do.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

DEADLINE_S = 600.0
LAYERED = ("etc", "opt", "var", "run", "root", "usr/local")
PROGRAMS = Path(__file__).with_name("machine_programs")
PYTHON = Path(sys.base_prefix, "bin")


class Machine:
    """Runs shell lines as root of the machine; `below`: another machine's layers that this one starts from."""

    def __init__(self, layers: Path, process: asyncio.subprocess.Process) -> None:
        self.layers = layers
        self._process = process

    async def run(self, lines: str, folder: Path, typed: str = "") -> str:
        """What the lines print; they stop at the first one that fails, which fails the test."""
        path = f"{PROGRAMS}:{PYTHON}:/usr/sbin:/usr/bin:/sbin:/bin"
        enter = ["nsenter", f"--mount=/proc/{self._process.pid}/ns/mnt", f"--wdns={folder}"]
        process = await asyncio.create_subprocess_exec(
            *enter,
            "bash",
            "-euo",
            "pipefail",
            "-c",
            lines,
            env={**os.environ, "PATH": path, "HOME": "/root", "LC_ALL": "C.UTF-8", "LANGUAGE": "en"},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        async with asyncio.timeout(DEADLINE_S):
            out, err = await process.communicate(typed.encode())
        assert process.returncode == 0, f"{lines}\n{out.decode()}\n{err.decode()}"
        return out.decode()


@contextlib.asynccontextmanager
async def machine(layers: Path, below: Machine | None = None) -> AsyncIterator[Machine]:
    """A machine on empty layers, or on the folder /opt of another one, with what was installed there."""
    lines = ["set -e"]
    for name in LAYERED:
        upper, work = layers / name / "upper", layers / name / "work"
        upper.mkdir(parents=True)
        work.mkdir()
        lower = f"/{name}" if below is None or name != "opt" else f"{below.layers / name / 'upper'}:/{name}"
        lines.append(f"mount -t overlay overlay -o lowerdir={lower},upperdir={upper},workdir={work} /{name}")
    lines += ["chmod 755 /root", "echo ready", "exec sleep infinity"]  # Python may live below /root, for users to run
    process = await asyncio.create_subprocess_exec(
        "unshare", "--mount", "--propagation", "private", "sh", "-c", "\n".join(lines), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert await asyncio.wait_for(process.stdout.readline(), DEADLINE_S) == b"ready\n"
        yield Machine(layers, process)
    finally:
        for inside in _inside(process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(inside, signal.SIGKILL)
        await process.wait()


def _inside(holder: int) -> list[int]:
    """Every process of a machine: those in the mount namespace of the one that holds it."""
    namespace = Path(f"/proc/{holder}/ns/mnt").readlink()
    found = []
    for place in Path("/proc").glob("[0-9]*/ns/mnt"):
        with contextlib.suppress(FileNotFoundError):
            if place.readlink() == namespace:
                found.append(int(place.parts[2]))
    return found
