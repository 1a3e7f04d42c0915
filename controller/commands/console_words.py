"""How commands speak: one language for all that a command prints, and how it ends with it."""

import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import NoReturn

import typer

from controller.config.faults import Fault
from controller.config.recognized import own_words, recognized
from controller.config.texts import DEFAULT_LANGUAGE, LANGUAGES, Language, Said, counted, in_language, said

FINDING = 1
USAGE = 2
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Of the environment, by precedence; an empty one does not count."""
_asked: ContextVar[Language | None] = ContextVar("asked", default=None)
_site: ContextVar[Language | None] = ContextVar("site", default=None)


def environment_language(environment: Mapping[str, str]) -> Language | None:
    """The language that a locale names; None for `C` and whatever is not spoken here."""
    asked = next((environment[name] for name in VARIABLES if environment.get(name)), "").lower()
    return next((each for each in LANGUAGES if asked.startswith(each)), None)


def language() -> Language:
    """What a command speaks: as its option asks, as the environment's locale, as the site's file, or Spanish."""
    return _asked.get() or environment_language(os.environ) or _site.get() or DEFAULT_LANGUAGE


def speak_as(site: Language | None) -> None:
    """From here on a site's language counts, where nobody asks for another."""
    _site.set(site)


def asked_for(asked: Language | None) -> None:
    """From here on the language of an option counts, before any other."""
    _asked.set(asked)


def spoken(fact: object) -> str:
    """A text of the catalogue, or a plain one whose form it knows, in the command's language; others as they are."""
    text = fact if isinstance(fact, Said) else recognized(str(fact))
    return in_language(text, language())


def words(template: str, /, **facts: object) -> str:
    """A text of the catalogue with its facts put in, in the command's language."""
    own = {name: own_words(fact) if isinstance(fact, BaseException) else fact for name, fact in facts.items()}
    return spoken(said(template, **own))


def counted_words(count: int, one: str, many: str, /, **facts: object) -> str:
    """A text with a number in it, the first for one and the second for any other, in the command's language."""
    return spoken(counted(count, one, many, **facts))


def entries_said(count: int) -> Said:
    return counted(count, "{count} entry", "{count} entries")


def not_writable(file: Path) -> OSError | None:
    """Why a file cannot be written there, known before the work for it is done; None when it can."""
    try:
        file.open("a").close()
    except OSError as problem:
        return problem
    return None


def warn(*faults: Fault) -> None:
    """What a configuration is warned of, on the error stream."""
    for each in faults:
        print(f"carrusel: {spoken(said('warning'))}: {each.text(language())}", file=sys.stderr, flush=True)


def secret(question: str) -> str:
    """What somebody types unseen; where no terminal is there, a line of standard input; Abort at Ctrl-C."""
    with _interruptible():
        if sys.stdin.isatty():
            return str(typer.prompt(question, hide_input=True))
        print(f"{question}: ", file=sys.stderr, end="", flush=True)
        line = sys.stdin.readline()
    print(file=sys.stderr, flush=True)
    if not line:
        raise typer.Abort
    return line.rstrip("\n")


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C ends what waits for a line; an event loop would note it and look at it after the line only."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt as interrupted:
        raise typer.Abort from interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def panel_word(group: str, value: str) -> str:
    """What the panel calls a role, a prize's hand, a table's standing: the catalogue of the panel's names."""
    from controller.api.texts import catalogue

    return catalogue(language()).name(group, value)


def complain(*reasons: object) -> None:
    """Lines on the error stream: texts, or what exceptions say."""
    for each in reasons:
        told = each.text(language()) if isinstance(each, Fault) else spoken(_told(each))
        place = f"{each.filename}: " if isinstance(each, OSError) and each.strerror and each.filename else ""
        print(f"carrusel: {place}{told}", file=sys.stderr, flush=True)


def _told(reason: object) -> object:
    return own_words(reason) if isinstance(reason, BaseException) else reason


def fail(*reasons: object, code: int = USAGE) -> NoReturn:
    """End with these lines on the error stream; `code` is 2 for usage and configuration, 1 for a finding."""
    complain(*reasons)
    raise typer.Exit(code)
