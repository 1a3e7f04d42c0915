"""Every text of the command line has its Spanish, with the same facts in it; amounts as each language writes them."""

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from string import Formatter
from typing import Any

from typer.main import get_command

from controller.adapters.journal.errors import Fault as JournalFault
from controller.cli import app
from controller.commands import demo, devices, draws, fault_words, help_words, rank, right_words, simulate
from controller.config import checks
from controller.config.faults import Fault
from controller.config.loader import REFUSED_LENGTHS, REFUSED_PATTERNS, REFUSED_VALUES
from controller.config.recognized import FOREIGN, recognized
from controller.config.spanish import SPANISH
from controller.config.spanish_libraries import LIBRARIES
from controller.config.texts import Said, counted, in_language, number, percent, said, written
from controller.core.money import Currency

CONTROLLER = Path(checks.__file__).parents[1]
DRIVERS = CONTROLLER.parent / "drivers"
FILES = [*CONTROLLER.rglob("*.py")]
OTHERS = {
    "table",
    "carousel",
    *REFUSED_VALUES.values(),
    *REFUSED_PATTERNS.values(),
    *(text for _, one, many in REFUSED_LENGTHS.values() for text in (one, many)),
    *fault_words.FAULTS.values(),
    *rank.FAULTS.values(),
    *right_words.RIGHTS.values(),
    *right_words.SECOND.values(),
    *demo.WATCH,
    *demo.STEPS,
    draws.CHAIN,
    draws.WIDEST,
    *draws.LEFT.values(),
    *draws.WRONG.values(),
    draws.DRAWN,
    devices.DOWN,
    simulate.COMMANDS,
    *(kind for kind in help_words.KINDS.values() if kind),
    *help_words.TITLES.values(),
    *(help_words.OPTIONS, help_words.COMMAND, help_words.USAGE, "Show this message and exit."),
}
"""Templates that stand in a variable before they are said."""
TELLERS = {"said", "words"}
COUNTERS = {"counted", "counted_words"}
"""These are told a number first, then a text for one and a text for any other."""
WORLD = {
    *("AlreadyStored", "CaptureError", "Conflict", "ExportUnreadable", "Finding", "JournalDamaged", "JournalError"),
    *("JournalFailed", "JournalInUse", "JournalUnfit", "LedgerBroken", "LinkUnavailable", "ListenerTaken", "NoDaemon"),
    *("PermissionError", "RunnerStopped", "SecretUnusable", "TakenOver"),
}
"""What is raised, or found, in rooms that know no catalogue, and may come out of a command."""


def templates() -> set[str]:
    """Every text that the source says."""
    found = set(OTHERS)
    for file in FILES:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        named = {each.targets[0].id: each.value for each in tree.body if is_constant(each)}
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            if node.func.id in TELLERS:
                found |= set(constants(node.args[0]))
            elif node.func.id in COUNTERS:
                for told in node.args[1:]:
                    name = told.value.id if isinstance(told, ast.Starred) and isinstance(told.value, ast.Name) else ""
                    found |= set(constants(named.get(name, told)))
    return found


def is_constant(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)


def constants(node: ast.AST) -> Iterator[str]:
    """Texts in an expression that are not keys of something."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if not isinstance(node, ast.Subscript):
        for below in ast.iter_child_nodes(node):
            yield from constants(below)


def help_texts(command: Any) -> Iterator[str]:
    """Every text of the help, and what its arguments are called."""
    yield command.help
    for parameter in command.params:
        if getattr(parameter, "help", None):
            yield parameter.help
        if parameter.param_type_name == "argument":
            yield parameter.metavar or parameter.name.removesuffix("_file").upper()
    for each in getattr(command, "commands", {}).values():
        yield from help_texts(each)


HELP = set(help_texts(get_command(app)))


def plain_texts() -> Iterator[tuple[str, str]]:
    """Where rooms without the catalogue say something, and an example of it."""
    for file in sorted([*CONTROLLER.glob("[ace]*/**/*.py"), *DRIVERS.rglob("*.py")]):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORLD):
                continue
            for told in node.args:
                if isinstance(told, ast.JoinedStr):
                    parts = (part.value if isinstance(part, ast.Constant) else "7" for part in told.values)
                    yield f"{file.name}:{node.lineno}", "".join(str(part) for part in parts)
                elif isinstance(told, ast.Constant) and isinstance(told.value, str) and told.value:
                    yield f"{file.name}:{node.lineno}", told.value


def test_what_other_rooms_say_is_recognized() -> None:
    found = {**dict(plain_texts()), **{str(fault): fault.value for fault in JournalFault}}
    assert len(found) > 60
    assert {place: text for place, text in found.items() if not isinstance(recognized(text), Said)} == {}


def test_parts_of_what_is_recognized_are_too() -> None:
    told = recognized("the journal could not be written (the disk is full): nothing of this commit counts")
    assert in_language(told, "es") == "no se pudo escribir el libro (el disco está lleno): nada de este asiento vale"
    assert str(told) == "the journal could not be written (the disk is full): nothing of this commit counts"
    assert recognized("what nobody foresaw") == "what nobody foresaw"


def facts(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def test_every_text_has_its_spanish() -> None:
    assert (templates() | HELP) - SPANISH.keys() == set()


def test_no_spanish_without_a_text() -> None:
    assert SPANISH.keys() - templates() - HELP - FOREIGN.keys() == set()


def test_both_languages_state_the_same_facts() -> None:
    assert [english for english in SPANISH if facts(SPANISH[english]) != facts(english)] == []
    assert [english for english, spanish in SPANISH.items() if english == spanish] == []


def test_figures_in_both_languages() -> None:
    pesos = Currency("ARS", 2)
    assert written(123_456_789, pesos) == "1,234,567.89 ARS"
    assert in_language(written(123_456_789, pesos), "es") == "1.234.567,89 ARS"
    assert in_language(written(5, Currency("CLP", 0)), "es") == "5 CLP"
    assert (percent(Fraction(1, 3)), in_language(percent(Fraction(1, 3)), "es")) == ("33.33 %", "33,33 %")
    assert in_language(number(1_000_000), "es") == "1.000.000"


def test_a_fault_in_both_languages() -> None:
    reason = said("below the start value of {start}", start=written(500_000, Currency("ARS", 2)))
    fault = Fault("site.toml", 7, "tables[0].jackpot.ceiling", reason)
    assert str(fault) == "site.toml:7: tables[0].jackpot.ceiling: below the start value of 5,000.00 ARS"
    assert fault.text("es") == "site.toml:7: tables[0].jackpot.ceiling: inferior al valor inicial de 5.000,00 ARS"


def test_one_and_more_than_one() -> None:
    entries = [counted(count, "{count} entry", "{count} entries") for count in (0, 1, 2, 1_000)]
    assert entries == ["0 entries", "1 entry", "2 entries", "1,000 entries"]
    assert [in_language(each, "es") for each in entries] == ["0 asientos", "1 asiento", "2 asientos", "1.000 asientos"]


def test_no_text_leaves_the_number_open() -> None:
    ours = {english: spanish for english, spanish in SPANISH.items() if english not in LIBRARIES}
    assert [text for text in (*ours, *ours.values()) if re.search(r"\w\((e?s)\)", text)] == []


def test_what_others_say_stays_as_it_is() -> None:
    assert in_language("No such file or directory", "es") == "No such file or directory"
