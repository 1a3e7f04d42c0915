"""Plain English of libraries, of journals and of rooms that know no catalogue, found in the catalogue by its form."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from string import Formatter

from controller.config.spanish_devices import DEVICES
from controller.config.spanish_journal import JOURNAL
from controller.config.spanish_libraries import LIBRARIES
from controller.config.texts import Said, said

FOREIGN: Mapping[str, str] = {**DEVICES, **JOURNAL, **LIBRARIES}
"""What is never said by `said`, but comes as a text: out of an exception, or from another process."""


def recognized(text: str) -> str:
    """The text as the catalogue says it, its parts too; the same text where no template fits."""
    for template, form in _forms():
        if found := form.fullmatch(text):
            return said(template, **{name: recognized(part) for name, part in found.groupdict().items()})
    return text


def own_words(error: BaseException) -> str:
    """What an exception says, as the catalogue says it; of the system's errors the reason, without number and file."""
    if isinstance(error, OSError) and error.strerror:
        return recognized(error.strerror)
    words = error.args[0] if error.args else ""
    return words if isinstance(words, Said) else recognized(str(error))


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each template as a pattern, the one with the most words of its own first."""
    words = sorted(FOREIGN, key=lambda template: -sum(len(word) for word, _ in _parts(template)))
    return tuple((template, re.compile("".join(_pattern(template)), re.DOTALL)) for template in words)


def _pattern(template: str) -> Iterator[str]:
    for word, name in _parts(template):
        yield re.escape(word)
        if name:
            yield f"(?P<{name}>.+?)"


def _parts(template: str) -> Iterator[tuple[str, str | None]]:
    for word, name, _, _ in Formatter().parse(template):
        yield word, name
