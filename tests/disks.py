"""File systems of a few megabytes, of which a test leaves as much as it likes."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = [] if os.geteuid() == 0 else ["sudo", "-n"]


class SmallDisk:
    """A mounted file system and the ballast on it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._ballast = directory / "ballast"

    def leave(self, free_kb: int) -> None:
        """Take what there is but so much; whoever writes meanwhile may leave less."""
        there = os.statvfs(self.directory)
        taken_kb = there.f_bavail * there.f_frsize // 1024 - free_kb
        assert taken_kb >= 0, f"less than {free_kb} KB are there"
        with self._ballast.open("ab", buffering=0) as file, contextlib.suppress(OSError):
            file.write(bytes(taken_kb * 1024))

    def clear(self) -> None:
        self._ballast.unlink()


@contextlib.contextmanager
def mounted(tool: Callable[[str], str], size_kb: int, owner: int) -> Iterator[SmallDisk]:
    """A small disk that a user (by number) may write. Only root may mount one, or who becomes root without a password:
    elsewhere a tool is missing."""
    # Not under pytest's own directory: only its owner may enter that, and a database is not run by root.
    place = Path(tempfile.mkdtemp(prefix="carrusel-disk-", dir="/tmp"))
    options = f"size={size_kb}k,mode=0700,uid={owner}"
    try:
        mounting = [*ROOT, tool("mount"), "-t", "tmpfs", "-o", options, "small", str(place)]
        try:
            subprocess.run(mounting, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            tool("a mount by root")
        try:
            yield SmallDisk(place)
        finally:
            subprocess.run([*ROOT, "umount", str(place)], check=True)
    finally:
        place.rmdir()
