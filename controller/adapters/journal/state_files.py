"""Small files of the state directory: on the disk whole or not at all, readable by their owner alone."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.adapters.journal.errors import JournalFailed


def write_once(path: Path, text: str) -> None:
    """A file that is never written again: of two that make it at once the first one's stays. See `write_whole`."""
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    with written(path):
        try:
            _write(partial, text)
            with suppress(FileExistsError):
                path.hardlink_to(partial)
        finally:
            partial.unlink(missing_ok=True)
        _sync(path.parent)


def write_whole(path: Path, text: str) -> None:
    """A full disk or a power cut leaves what was there before. JournalFailed, naming the file, when it cannot be."""
    partial = path.with_name(f"{path.name}.new")
    with written(path):
        try:
            _write(partial, text)
            take_place(partial, path)
        finally:
            partial.unlink(missing_ok=True)


def take_place(source: Path, path: Path) -> None:
    """A file under another's name, in one directory, once the disk knows it."""
    source.replace(path)
    _sync(path.parent)


@contextmanager
def written(path: Path) -> Iterator[None]:
    """What the system says of a file that cannot be written, as the node's own error."""
    try:
        yield
    except OSError as problem:
        raise JournalFailed(f"{path} could not be written: {problem.strerror or problem}") from problem


def _write(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
