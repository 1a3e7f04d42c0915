"""What is wrong with a configuration: faults with file, line, key and reason, all of them at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from controller.config.texts import Language, in_language

Key = tuple[str | int, ...]
"""Path of a key in the file: names and list positions, `("tables", 0, "jackpot", "start")`."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, or one warning. `line` counts from 1; 0 when the key stands in no file (a default, a missing key)."""

    file: str
    line: int
    key: str
    reason: str

    def __str__(self) -> str:
        return self.text("en")

    def text(self, language: Language) -> str:
        """The fault on one line: file, line, key, and the reason in a language."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        reason = in_language(self.reason, language)
        return f"{place}: {self.key}: {reason}" if self.key else f"{place}: {reason}"


class ConfigError(Exception):
    """The configuration cannot run; `faults` names every reason, `warnings` what was noticed besides."""

    def __init__(self, faults: Iterable[Fault], warnings: Iterable[Fault] = ()) -> None:
        self.faults = tuple(faults)
        self.warnings = tuple(warnings)
        super().__init__("\n".join(str(fault) for fault in self.faults))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a key stands."""

    file: Path
    line: int


def dotted(key: Key) -> str:
    """`tables[0].jackpot.start`."""
    text = ""
    for part in key:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


class Places:
    """Remembers where each key of the merged configuration came from."""

    def __init__(self, main: Path) -> None:
        self._main = main
        self._known: dict[Key, Place] = {}
        self._gone: dict[Key, list[int]] = {}

    def learn(self, file: Path, lines: dict[Key, int], below: Key = ()) -> None:
        """Keys of a file, put under `below` in the merged configuration; later files win."""
        for key, line in lines.items():
            self._known[below + key] = Place(file, line)

    def forget_item(self, item: Key) -> None:
        """An item of a list was taken out, `("tables", 1)`: later positions are one lower than in the file."""
        *section, index = self._in_file(item)
        self._gone.setdefault(tuple(section), []).append(int(index))
        self._gone[tuple(section)].sort()

    def _in_file(self, key: Key) -> Key:
        """The key with the positions that its list items have in the file."""
        found: list[str | int] = []
        for part in key:
            if isinstance(part, int):
                for gone in self._gone.get(tuple(found), []):
                    if gone <= part:
                        part += 1
            found.append(part)
        return tuple(found)

    def fault(self, key: Key, reason: str) -> Fault:
        """A fault at the key, or at the nearest section around it that stands in a file."""
        key = self._in_file(key)
        for length in range(len(key), 0, -1):
            place = self._known.get(key[:length])
            if place is not None:
                return Fault(str(place.file), place.line, dotted(key), reason)
        return Fault(str(self._main), 0, dotted(key), reason)
