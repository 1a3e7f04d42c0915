"""The details of every kind of entry are words of the reader's language: no field's name, no code, no other word."""

import ast
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.journal.journal import Journal
from controller.api import acts
from controller.api.amount_said import amount_said
from controller.api.body_words import MACHINE, SHAPES, WRAPPERS, body_rows, label_of
from controller.api.entry_words import entry_said
from controller.api.facts import House, facts_said
from controller.api.texts import LANGUAGES, Money, catalogue
from controller.api.words import Words
from controller.core.ledger import Entry
from controller.core.refusal import Refusal
from controller.engine.ledger_records import KINDS
from controller.engine.table_hand import GAME_EVENTS
from tests.api.acts import REASON, approved
from tests.api.office import Office, until
from tests.api.test_reports import settled
from tests.api.test_texts import ROOT, Named

CODE = re.compile(r"[a-z0-9]_[a-z0-9]|\b[a-z]+\.[a-z_]+\b|\b[A-Z][a-z]+[A-Z]|[0-9a-f]{16}|\b[a-z]\d/|\w+:\w+/")
"""What looks like a field, a kind, a class, a hash or an address."""
TYPED = ("note", "reason", "name", "badge", "players", "outside_source", "source", "maker", "model", "serial", "detail")
"""Fields whose words people typed, in whatever language."""
ENGLISH = re.compile(
    r"\b(second|table|seat|hand|record|body|signed|actor|amount|prize|file|host|kind|why|paid|changes|event|type|before"
    r"|after|counters|rows|void|award|settings|shift|day|card|cards|draw|true|false|the|of)\b",
    re.IGNORECASE,
)
SPANISH = re.compile(
    r"\b(mesa|casilla|mano|importe|premio|persona|pozo|segunda|motivo|causa|el|la|los|de|hora|pagado)\b", re.IGNORECASE
)
FOREIGN = {"es": ENGLISH, "en": SPANISH}
PROPER = re.compile(r"Carta Mágica|Jugador Afortunado|Mesa \S+|Casino de prueba|Gran Carrusel|Ante|ante|\([^)]*check\)")
"""Names of things, which are the same in either language."""


def typed_in(body: Any) -> Iterator[str]:
    """What people typed into a body, and their names."""
    if isinstance(body, Mapping):
        for key, value in body.items():
            if key in TYPED:
                yield from [value] if isinstance(value, str) else map(str, value) if isinstance(value, list) else ()
            yield from typed_in(value)
    elif isinstance(body, list | tuple):
        for each in body:
            yield from typed_in(each)


def leaks(language: str, told: list[str], body: Mapping[str, Any]) -> list[str]:
    """Of these words those that are no words of the language."""
    typed = sorted({each.rpartition(": ")[2] for each in typed_in(body) if each}, key=len, reverse=True)
    found = []
    for each in told:
        plain = PROPER.sub("", each)
        for words in typed:
            plain = plain.replace(words, "")
        if CODE.search(plain) or FOREIGN[language].search(plain):
            found.append(each)
    return found


def told_of(names: Any, entry: Entry) -> list[str]:
    plain = {"kind": entry.kind, "body": entry.body, "actor": entry.actor}
    return [entry_said(names, plain), *(f"{label}: {value}" for label, value in body_rows(names, entry.body))]


class Worded(Named):
    """Everything by words, as a page has it, without a house."""

    def place_name(self, place: str) -> str:
        kind, _, seat = place.partition("-")
        texts = catalogue(self.language)
        return texts.text("seat.number", seat=seat) if kind == "seat" else texts.name("place", place)

    def prize_name(self, prize: str) -> str:
        return "1"

    def approval_said(self, approval: str) -> str:
        return "1"

    def carousel_name(self, carousel: str) -> str:
        return f"Mesa {carousel}"

    def person(self, login: str) -> str:
        return "Ana"

    def setting_name(self, key: str) -> str:
        return "1"

    def setting_value(self, key: str, value: object) -> str:
        return "1"


@pytest.mark.parametrize(
    "golden", sorted((ROOT / "tests/golden/journals").glob("*.sqlite")), ids=lambda path: path.stem
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_details_of_a_stored_journal_are_words(golden: Path, language: str, tmp_path: Path) -> None:
    with Journal.open(shutil.copy(golden, tmp_path / "golden.db"), create=False) as journal:
        entries = [stored.entry for stored in journal.entries()]
    names = Worded(language)
    told = {entry.kind: leaks(language, told_of(names, entry), entry.body) for entry in entries}
    found = {kind: wrong for kind, wrong in told.items() if wrong}
    assert found == {}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_details_of_a_pit_at_work_are_words(office: Office, language: str) -> None:
    """Prizes, slips, a void, a correction, settings, seeds, people, a refused request: every journal of the node."""
    prize = await office.win("t1")
    ana, carla = await office.person("ana"), await office.person("carla")
    at, form = "/api/v1/tables/t1", {"prize": prize["id"]}
    assert (await ana.post(f"{at}/prizes/verify", form)).status_code == 200
    assert (await ana.post(f"{at}/slips", form)).status_code == 200
    checks = {**form, "done": ["cards_to_camera", "deck_counted"], "seal": ""}
    assert (await ana.post(f"{at}/prizes/check", checks)).status_code == 200
    assert (await approved(office, await ana.post(f"{at}/prizes/pay", form))).status_code == 200
    hand = await office.deal("t2", cards="2c 4d 6h 8s Tc")
    void = {"hand": hand, "reason": "deal_error", "note": REASON}
    assert (await approved(office, await ana.post("/api/v1/tables/t2/void", void))).status_code == 200
    assert (await ana.post(f"{at}/bets/stop", {"note": REASON})).status_code == 200
    assert (await ana.post(f"{at}/bets/resume", {"note": REASON})).status_code == 200
    more = {"table": "t1", "main_minor": 5_000, "cause": "fault_correction", "reason": REASON}
    assert (await approved(office, await ana.post("/api/v1/carousels/gran/adjustment", more))).status_code == 200
    user = {"login": "zoe", "name": "Zoe", "role": "auditor", "pin": "918273", "badge": ""}
    assert (await carla.post("/api/v1/users", user)).status_code in (200, 202)
    for of in (f"table/t1/paid/{prize['id']}", "carousel/gran/meter", "table/t1/hand/1/bets"):
        assert (await ana.get(f"/amount?of={of}")).status_code == 200
    assert (await ana.get("/api/v1/journals/table-t1/export")).status_code == 200
    await until(lambda: settled(office), "the carousel has heard of everything")
    words, seen = Words(office.node.api_ports(), language), set[str]()
    found: dict[str, list[str]] = {}
    for journal in office.node.api_ports().journals().values():
        for stored in await journal.page(0, 10_000):
            seen.add(stored.entry.kind)
            wrong = leaks(language, told_of(words, stored.entry), stored.entry.body)
            if wrong:
                found[stored.entry.kind] = wrong
    assert found == {}
    assert seen >= {
        *("prize.paid", "slip.issued", "prize.checked", "hand.void", "bets.stopped", "bets.resumed", "link.counted"),
        *("ledger.adjustment", "ledger.award", "approval.asked", "access.opened", "access.taken", "login.passed"),
    }


def fields_of_the_code() -> set[str]:
    """Every name that a body of an entry may have: of the engine's literals, its events and its records."""
    names = set[str]()
    for path in (ROOT / "controller/engine").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Dict):
                keys = [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
                names |= {key for key in keys if key.isidentifier() and key.islower()}
    for kind in [*(acts.ACTS._classes.values()), *GAME_EVENTS._classes.values(), *KINDS.values()]:
        names |= set(getattr(kind, "__dataclass_fields__", {}))
    return names


NO_FIELDS = frozenset({"awards", "blank", "bound", "contributions", "overflow", "transfers"})
"""Words of the engine's own tables (sums, states, faults), which no body holds."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_of_an_entry_has_a_name_or_is_for_machines_alone(language: str) -> None:
    known = MACHINE | WRAPPERS | SHAPES.keys() | KINDS.keys() | NO_FIELDS
    texts = catalogue(language)
    assert sorted(name for name in fields_of_the_code() - known if label_of(texts, name) is None) == []


@pytest.mark.parametrize(
    ("address", "spanish"),
    [
        ("table/t1/day/2026-11-29/handle", "Apuestas de jackpot del período, Mesa t1, 2026-11-29"),
        ("carousel/gran/meter", "Pozo en juego, gran"),
        ("carousel/gran/meter@7", "Pozo en juego, gran"),
        ("carousel/gran/before/t1/ab/4", "Pozo antes del premio, gran, mano 4"),
        ("table/t1/paid/t1/ab/4/3", "Pagado, Mesa t1, t1/ab/4/3"),
        ("table/t1/hand/7/bets", "Apuestas de jackpot de la mano, Mesa t1, mano 7"),
        ("table/t1/payment/9/computed", "Calculado, Mesa t1"),
        ("table/t1/pool/carta_magica", "Pozo del sorteo, Mesa t1, Carta Mágica"),
        ("node/all/pending", "Premios por pagar"),
        ("nothing", "Importe"),
    ],
)
def test_an_amount_that_was_looked_at_is_told_in_words(address: str, spanish: str) -> None:
    assert amount_said(Named("es"), address) == spanish
    assert not SPANISH.search(PROPER.sub("", amount_said(Named("en"), address)))


def test_a_refusal_calls_tables_and_people_by_their_names() -> None:
    house = House(Money("$", 2, "es"), {"table": {"t3": "Mesa 3"}, "person": {"beto": "Beto"}})
    facts = {"table": "t3", "person": "beto", "target": "t9"}
    said = facts_said(Refusal.UNKNOWN_TABLE.value, facts, "es", house)
    assert said == "mesa: Mesa 3, persona: Beto, target: t9"
