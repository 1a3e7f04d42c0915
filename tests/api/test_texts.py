"""Both languages say everything: refusals, acts, states, and every key that a page asks for."""

import ast
import re
from enum import Enum
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from controller.api import acts
from controller.api.amount_words import amount_words
from controller.api.panel import pages
from controller.api.panel.words import card_text
from controller.api.roles import MATRIX, Permission
from controller.api.routes_reports import safe_cell
from controller.api.texts import (
    LANGUAGES,
    Money,
    TextMissing,
    accepted_language,
    catalogue,
    choose_language,
    clock_text,
    day_text,
)
from controller.core.events import Key, VoidReason
from controller.core.games import circle_state, holdem_bonus_hand, oasis_hand
from controller.core.hands import Category
from controller.core.refusal import Refusal
from controller.engine.accounts_apply import APPLIERS as ACCOUNT_KINDS
from controller.engine.accounts_state import ApprovalStatus, Role
from controller.engine.host_state import Phase
from controller.engine.ledger_records import KINDS as LEDGER_KINDS
from controller.engine.ledger_state import Standing
from controller.engine.member_state import RowStatus
from controller.engine.table_apply import APPLIERS as TABLE_KINDS

PHASES: tuple[type[Enum], ...] = (oasis_hand.Phase, holdem_bonus_hand.Phase, circle_state.Phase)
PANEL = Path(pages.__file__).parent
GROUPS: dict[str, list[str]] = {
    "refusal": [each.value for each in Refusal],
    "role": [each.value for each in Role],
    "void": [each.value for each in VoidReason],
    "key": [each.value for each in Key],
    "category": [each.value for each in Category],
    "status": [each.value for each in RowStatus],
    "standing": [each.value for each in Standing],
    "host": [each.value for each in Phase],
    "approval_status": [each.value for each in ApprovalStatus] + ["expired"],
    "entry": [*ACCOUNT_KINDS, *TABLE_KINDS, *(f"ledger.{kind}" for kind in LEDGER_KINDS)],
    "phase": sorted({each.value for phases in PHASES for each in phases}),
    "nav": [place for place, _, _ in pages.NAV],
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("group", list(GROUPS))
def test_every_name_has_its_words(language: str, group: str) -> None:
    texts = catalogue(language).texts
    assert [name for name in GROUPS[group] if f"{group}.{name}" not in texts] == []


def test_both_languages_have_the_same_keys_and_places() -> None:
    spanish, english = catalogue("es").texts, catalogue("en").texts
    assert spanish.keys() == english.keys()
    places = re.compile(r"\{(\w+)\}")
    assert [key for key in spanish if set(places.findall(spanish[key])) != set(places.findall(english[key]))] == []


def test_every_key_that_a_page_asks_for_is_there() -> None:
    asked = set()
    for template in (PANEL / "templates").glob("*.html"):
        asked |= set(re.findall(r"\bt\('([a-z_.]+)'[,)]", template.read_text("utf-8")))
    assert len(asked) > 150
    asked |= {
        f"circle.{name}"
        for name in re.findall(r"call act\('(\w+)'", (PANEL / "templates/circle_part.html").read_text())
    }
    assert asked - catalogue("es").texts.keys() == set()


def test_every_act_of_two_people_has_a_title() -> None:
    """The second argument of each `acts.ask` of the routes, by the event classes that the routes import."""
    two = set()
    for module in (Path(acts.__file__).parent).glob("routes_*.py"):
        tree = ast.parse(module.read_text("utf-8"))
        for function in ast.walk(tree):
            if not isinstance(function, ast.AsyncFunctionDef) or "acts.ask(" not in ast.unparse(function):
                continue
            calls = [
                node.func.id
                for node in ast.walk(function)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            ]
            two |= {name for name in calls if name in acts.ACTS.names}
    assert len(two) > 15
    assert {f"act.{name}" for name in two} - catalogue("es").texts.keys() == set()


def test_a_missing_text_is_an_error_and_not_a_hole() -> None:
    with pytest.raises(TextMissing):
        catalogue("es").text("no.such.key")
    with pytest.raises(TextMissing):
        catalogue("es").text("hand.number")


def test_every_permission_is_somebodys() -> None:
    assert set(MATRIX) == set(Permission)
    assert [permission for permission, roles in MATRIX.items() if not roles] == []


@pytest.mark.parametrize(
    ("minor", "decimals", "language", "written"),
    [
        (123_456_789, 2, "es", "$\u00a01.234.567,89"),
        (123_456_789, 2, "en", "$\u00a01,234,567.89"),
        (-5, 2, "es", "−$\u00a00,05"),
        (1_500, 0, "es", "$\u00a01.500"),
        (0, 1, "en", "$\u00a00.0"),
    ],
)
def test_amounts_as_people_write_them(minor: int, decimals: int, language: str, written: str) -> None:
    assert Money("$", decimals, language)(minor) == written


@pytest.mark.parametrize(
    ("minor", "language", "words"),
    [
        (0, "es", "cero con 00/100"),
        (100, "es", "uno con 00/100"),
        (1_600, "es", "dieciséis con 00/100"),
        (2_150, "es", "veintiuno con 50/100"),
        (3_100, "es", "treinta y uno con 00/100"),
        (10_000, "es", "cien con 00/100"),
        (10_101, "es", "ciento uno con 01/100"),
        (100_000, "es", "mil con 00/100"),
        (2_100_000, "es", "veintiún mil con 00/100"),
        (3_100_000, "es", "treinta y un mil con 00/100"),
        (50_000_000, "es", "quinientos mil con 00/100"),
        (100_000_000, "es", "un millón con 00/100"),
        (482_413_654, "es", "cuatro millones ochocientos veinticuatro mil ciento treinta y seis con 54/100"),
        (2_100_000_000, "es", "veintiún millones con 00/100"),
        (100_000_000_000_000, "es", "un billón con 00/100"),
        (482_413_654, "en", "four million eight hundred twenty-four thousand one hundred thirty-six and 54/100"),
        (1_300, "en", "thirteen and 00/100"),
        (0, "en", "zero and 00/100"),
    ],
)
def test_amounts_in_words(minor: int, language: str, words: str) -> None:
    assert amount_words(minor, 2, language) == words


@pytest.mark.parametrize(
    ("asked", "chosen"), [((None, "en"), "en"), (("fr", None), "es"), (("en", "es"), "en"), ((None,), "es")]
)
def test_the_language_is_the_first_one_spoken_here(asked: tuple[str | None, ...], chosen: str) -> None:
    assert choose_language(*asked) == chosen


@pytest.mark.parametrize(
    ("header", "language"), [("fr-FR,en;q=0.8", "en"), ("es-AR", "es"), ("", None), (None, None), ("de", None)]
)
def test_what_a_browser_accepts(header: str | None, language: str | None) -> None:
    assert accepted_language(header) == language


def test_times_are_local() -> None:
    assert clock_text(1_796_000_000_000, ZoneInfo("America/Argentina/Buenos_Aires"), day=True) == "2026-11-29 21:53:20"


def test_days_are_written_as_the_language_does() -> None:
    assert [day_text("2026-11-29", language) for language in LANGUAGES] == ["29/11/2026", "2026-11-29"]


@pytest.mark.parametrize(("code", "written"), [("Td", "10♦"), ("As", "A♠"), ("2h", "2♥"), ("9c", "9♣")])
def test_cards_are_written_with_their_suit(code: str, written: str) -> None:
    assert card_text(code) == written


@pytest.mark.parametrize(("text", "cell"), [("=HYPERLINK(1)", "'=HYPERLINK(1)"), ("Mesa 1", "Mesa 1"), ("-1", "'-1")])
def test_no_cell_is_a_formula(text: str, cell: str) -> None:
    assert safe_cell(text) == cell
