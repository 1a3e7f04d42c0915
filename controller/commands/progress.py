"""How far long work is, on the error stream of a person's terminal and nowhere else."""

import os
import sys
from collections.abc import Iterator
from stat import S_ISREG
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from rich.progress import Progress

LINES_BETWEEN = 500


def progress() -> "Progress":
    """A bar that goes away when the work is done; none where nobody looks on."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not sys.stderr.isatty(), redirect_stdout=False)


def watched(source: BinaryIO) -> Iterator[bytes]:
    """The lines of a source, as they are read; a bar of its bytes unless the answers go to the same terminal."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from source
        return
    about = os.fstat(source.fileno())
    total = about.st_size if S_ISREG(about.st_mode) else None
    with progress() as bar:
        task = bar.add_task("", total=total)
        done = 0
        for number, line in enumerate(source):
            done += len(line)
            if number % LINES_BETWEEN == 0:
                bar.update(task, completed=done, description=f"{number:,}")
            yield line
