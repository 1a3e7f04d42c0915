"""Every text of the loader has its Spanish, with the same facts in it; amounts are written as each language does."""

import ast
from fractions import Fraction
from pathlib import Path
from string import Formatter

import pytest

from controller.config import checks
from controller.config.faults import Fault
from controller.config.loader import REFUSED_VALUES
from controller.config.spanish import SPANISH
from controller.config.texts import in_language, number, percent, said, written
from controller.core.money import Currency

CONTROLLER = Path(checks.__file__).parents[1]
COMMANDS = [CONTROLLER / "commands" / name for name in ("check_config.py", "odds.py")]
FILES = [*CONTROLLER.glob("config/*.py"), *CONTROLLER.glob("odds/*.py"), *COMMANDS]
OTHERS = {"table", "carousel", *REFUSED_VALUES.values()}
"""Templates that stand in a variable before they are said."""


def templates() -> set[str]:
    """Every text that the source says."""
    found = set(OTHERS)
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "said":
                words = (part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant))
                found |= {word for word in words if isinstance(word, str)}
    return found


def facts(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def test_every_text_has_its_spanish() -> None:
    assert templates() - SPANISH.keys() == set()


def test_no_spanish_without_a_text() -> None:
    assert SPANISH.keys() - templates() == set()


@pytest.mark.parametrize("english", sorted(SPANISH))
def test_both_languages_state_the_same_facts(english: str) -> None:
    assert facts(SPANISH[english]) == facts(english)
    assert SPANISH[english] != english


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


def test_what_others_say_stays_as_it_is() -> None:
    assert in_language("No such file or directory", "es") == "No such file or directory"
