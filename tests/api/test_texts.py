"""Both languages say everything: refusals, acts, states, and every key that a page asks for."""

import ast
import re
import shutil
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import get_args
from zoneinfo import ZoneInfo

import pytest

from controller.adapters.events.alarms import rejection_alarm
from controller.adapters.journal.journal import Journal
from controller.adapters.link.wire import Rejected, WireFault
from controller.api import acts
from controller.api.amount_said import amount_said
from controller.api.amount_words import amount_words
from controller.api.entry_words import account_said, entry_said
from controller.api.panel import pages
from controller.api.report_papers import safe_cell
from controller.api.roles import MATRIX, Permission
from controller.api.texts import (
    LANGUAGES,
    Money,
    TextMissing,
    accepted_language,
    card_text,
    catalogue,
    choose_language,
    clock_text,
    day_text,
    moment_text,
)
from controller.core.causes import PoolCause, PoolChange
from controller.core.events import Key, VoidReason
from controller.core.games import circle_state, holdem_bonus_hand, oasis_hand
from controller.core.hands import Category
from controller.core.prize_events import CheckItem, HoldReason, OverrideReason, SlipVoidReason
from controller.core.refusal import Refusal
from controller.engine.accounts_apply import APPLIERS as ACCOUNT_KINDS
from controller.engine.accounts_state import ApprovalStatus, Role
from controller.engine.host_state import Phase
from controller.engine.ledger_records import KINDS as LEDGER_KINDS
from controller.engine.ledger_state import Standing
from controller.engine.member_state import RowStatus
from controller.engine.table_apply import APPLIERS as TABLE_KINDS
from controller.engine.table_hand import GAME_EVENTS
from drivers.cctalk_coin.codec import FaultClass
from drivers.events import Event as DeviceEvents
from drivers.registry import DRIVERS

PHASES: tuple[type[Enum], ...] = (oasis_hand.Phase, holdem_bonus_hand.Phase, circle_state.Phase)
ACCOUNTS = (
    *("patrons", "bets", "contributions", "awards", "transfers", "orphans", "prizes.paid", "prizes.payable"),
    *(f"house.{each}" for each in ("adjustments", "funding", "overrides", "prizes", "revenue")),
    *(f"carousel.{each}" for each in ("main", "reserve", "awards")),
    *(f"pool.{each}" for each in ("main", "reserve", "overflow", "carta_magica", "jugador_afortunado")),
)
ROOT = Path(pages.__file__).parents[3]


def literals(folder: str, pattern: str) -> set[str]:
    """What the code of a folder writes by name."""
    return {found for path in (ROOT / folder).rglob("*.py") for found in re.findall(pattern, path.read_text("utf-8"))}


PANEL = Path(pages.__file__).parent
GROUPS: dict[str, list[str]] = {
    "refusal": [each.value for each in Refusal],
    "role": [each.value for each in Role],
    "cause": [each.value for each in PoolCause],
    "change": [each.value for each in PoolChange],
    "hold": [each.value for each in HoldReason],
    "override": [each.value for each in OverrideReason],
    "check": [each.value for each in CheckItem],
    "slip_void": [each.value for each in SlipVoidReason],
    "void": [each.value for each in VoidReason],
    "key": [each.value for each in Key],
    "category": [each.value for each in Category],
    "status": [each.value for each in RowStatus],
    "standing": [each.value for each in Standing],
    "host": [each.value for each in Phase],
    "approval_status": [each.value for each in ApprovalStatus] + ["expired", "withdrawn"],
    "entry": [*ACCOUNT_KINDS, *TABLE_KINDS, *(f"ledger.{kind}" for kind in LEDGER_KINDS)],
    "account": list(ACCOUNTS),
    "game_event": sorted(GAME_EVENTS.names),
    "driver": sorted(DRIVERS),
    "device_event": [each.__name__ for each in get_args(DeviceEvents)],
    "device_fault": sorted(literals("drivers", r"code=\"([a-z_]+)\"") | {f"coin_{each.value}" for each in FaultClass}),
    "phase": sorted({each.value for phases in PHASES for each in phases}),
    "nav": [place for place, _, _ in pages.NAV],
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("group", list(GROUPS))
def test_every_name_has_its_words(language: str, group: str) -> None:
    texts = catalogue(language).texts
    assert [name for name in GROUPS[group] if f"{group}.{name}" not in texts] == []


def test_every_kind_and_account_that_the_code_writes_has_words() -> None:
    """Everything that looks like a kind of entry or an account in the engine and in the journal's own code."""
    words = literals("controller/engine", r"\"([a-z]+\.[a-z_]+)\"")
    words |= literals("controller/adapters/journal", r"\"(journal\.[a-z_]+)\"")
    assert len(words) > 80
    for language in LANGUAGES:
        texts = catalogue(language).texts
        assert [each for each in sorted(words) if not {f"entry.{each}", f"account.{each}"} & texts.keys()] == []


@pytest.mark.parametrize(
    "golden", sorted((ROOT / "tests/golden/journals").glob("*.sqlite")), ids=lambda path: path.stem
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stored_journal_reads_in_words(golden: Path, language: str, tmp_path: Path) -> None:
    names = Named(language)
    with Journal.open(shutil.copy(golden, tmp_path / "golden.db"), create=False) as journal:
        for stored in journal.entries():
            entry = stored.entry
            said = entry_said(names, {"kind": entry.kind, "body": entry.body})
            accounts = [account_said(names, posting.account) for posting in entry.postings]
            assert not re.search(r"[a-z]\.[a-z]|_|\b[A-Z][a-z]+[A-Z]", " ".join([said, *accounts])), said


@dataclass(frozen=True)
class Named:
    """Tables, places and people by their own names."""

    language: str

    def table_name(self, table: object) -> str:
        return f"Mesa {table}"

    def place_name(self, place: str) -> str:
        return place

    def person(self, login: str) -> str:
        return login

    def prize_name(self, prize: str) -> str:
        return prize

    def carousel_name(self, carousel: str) -> str:
        return carousel

    def journal_name(self, journal: str) -> str:
        return journal

    def amount_said(self, address: str) -> str:
        return amount_said(self, address)

    def approval_said(self, approval: str) -> str:
        return approval

    def date(self, day: str) -> str:
        return day

    def typed(self, day: str) -> str:
        return day

    def moment(self, wall_ms: int) -> str:
        return str(wall_ms)

    def shift_name(self, shift: str) -> str:
        return shift

    def setting_name(self, key: str) -> str:
        return "Ajuste"

    def setting_value(self, key: str, value: object) -> str:
        return "valor"

    def exact(self, micros: int) -> str:
        return str(micros)

    def amount(self, minor: int) -> str:
        return str(minor)


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
    assert [day_text("2026-11-09", language) for language in LANGUAGES] == ["09/11/2026", "9 Nov 2026"]
    assert [day_text("a-word", language) for language in LANGUAGES] == ["a-word", "a-word"]
    told = "2026-11-29 18:05:00"
    assert [moment_text(told, each) for each in LANGUAGES] == ["29/11/2026 18:05:00", "29 Nov 2026, 18:05:00"]


@pytest.mark.parametrize(("code", "written"), [("Td", "10♦"), ("As", "A♠"), ("2h", "2♥"), ("9c", "9♣")])
def test_cards_are_written_with_their_suit(code: str, written: str) -> None:
    assert card_text(code) == written


@pytest.mark.parametrize(("text", "cell"), [("=HYPERLINK(1)", "'=HYPERLINK(1)"), ("Mesa 1", "Mesa 1"), ("-1", "'-1")])
def test_no_cell_is_a_formula(text: str, cell: str) -> None:
    assert safe_cell(text) == cell


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_that_the_link_refuses_has_words_for_people(language: str) -> None:
    alarms = [alarm for fault in WireFault if (alarm := rejection_alarm(Rejected(fault))) is not None]
    assert len(alarms) == len(WireFault) - 1  # what the broker says twice is nobody's affair
    assert [each.code for each in alarms if f"alarm.{each.code}" not in catalogue(language).texts] == []
