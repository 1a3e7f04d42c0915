"""Files of secrets and certificates that the configuration names, and why one does not serve."""

from pathlib import Path

from controller.config.faults import ConfigError, Fault
from controller.config.recognized import own_words, recognized
from controller.config.texts import said


def unusable(path: Path, key: str, why: str) -> ConfigError:
    """A file that a key names does not serve."""
    return ConfigError([Fault(str(path), 0, key, said("cannot be used: {why}", why=recognized(why)))])


def read_file(path: Path, key: str) -> bytes:
    """Content of a file that a key names; ConfigError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unusable(path, key, own_words(error)) from error
