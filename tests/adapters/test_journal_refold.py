"""The equations of pools over whole journals: they hold for what the machines write, and name what breaks them."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from controller.adapters.journal.equations import equations, pools_hold
from controller.adapters.journal.refold import ledger_holds
from controller.core.causes import PoolCause
from controller.core.events import HandVoided, PrizePaid, PrizeVerified, VoidReason
from controller.core.ledger import Entry, check_balanced, move
from controller.engine.host_events import BalanceTransferred, MeterAdjusted
from controller.engine.ledger_book import Book
from controller.engine.ledger_fold import enter
from controller.engine.ledger_records import Record
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms
from tests.adapters.journal_fixtures import reading_of
from tests.engine.pit import CENTAVO, Pit, oasis_settings
from tests.engine.sim_run import run_seed

FAULT = PoolCause.FAULT_CORRECTION

NOTHING = "2c 4s 6h 8c Tc"
OTHER = "3c 5s 6d 8d Td"
STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
DRAWS = (DrawTerms(CARTA_MAGICA, 50, pool_bp=100), DrawTerms(JUGADOR_AFORTUNADO, 70, pool_bp=100))


def first_broken(entries: Sequence[Entry]) -> tuple[int, str] | None:
    """The place of the first entry after which something does not add up, and what."""
    checks = equations()
    for place, entry in enumerate(entries, 1):
        read = reading_of(entry)
        for check in checks:
            if said := check(read):
                return place, said
    return None


def evening() -> Pit:
    """Hands with and without prizes, one of them void, a payment, an adjustment and a transfer."""
    pit = Pit(oasis_settings(draws=DRAWS))
    for number in range(3):
        pit.play(NOTHING, OTHER, seats=(1, 2), credits=2 + number)
        pit.deliver()
    pit.play(STRAIGHT_FLUSH, seats=(3,))
    pit.deliver()
    for row in list(pit.state.link.rows):
        assert isinstance(pit.do(PrizeVerified(row), second="bea"), tuple)
        assert isinstance(pit.do(PrizePaid(row), second="bea"), tuple)
    pit.deliver()
    pit.play(STRAIGHT_FLUSH, seats=(4,))
    pit.deliver()
    assert isinstance(pit.do(HandVoided(VoidReason.OTHER, hand=pit.state.hand.number - 1), second="bea"), tuple)
    pit.deliver()
    assert pit.host.decide(MeterAdjusted("t1", 5 * CENTAVO, "found", cause=FAULT)) is None
    assert pit.host.decide(BalanceTransferred("t1", 3 * CENTAVO, "moved", cause=FAULT)) is None
    pit.deliver()
    return pit


@pytest.fixture(scope="module")
def pit() -> Pit:
    return evening()


@pytest.mark.requirement("R77")
@pytest.mark.promise("P4")
def test_they_hold_for_what_the_machines_write(pit: Pit) -> None:
    kinds = {entry.kind for entry in (*pit.journal, *pit.host.journal)}
    assert {"ledger.award", "ledger.void", "ledger.adjustment", "link.paid", "pools.reversed"} <= kinds
    assert first_broken(pit.journal) is None
    assert first_broken(pit.host.journal) is None


@pytest.mark.parametrize("seed", range(12))
def test_they_hold_in_the_lives_of_the_simulator(seed: int) -> None:
    """Leaves, seals, corrections, promotions and what they do to pools, at every node."""
    world = run_seed(seed)
    for node in (*world.hosts, *world.tables.values()):
        checks = (ledger_holds(), pools_hold())
        for entry in node.journal:
            read = reading_of(entry)
            assert [said for check in checks if (said := check(read))] == [], (node.name, entry.id)


def moved(entry: Entry, source: str, target: str) -> Entry:
    """The same entry with one micro more moved, balanced as ever."""
    return check_balanced(replace(entry, postings=(*entry.postings, *move(source, target, 1))))


def said(entry: Entry, *path: str) -> Entry:
    """The same entry whose body says one micro more at a place."""
    body: dict[str, Any] = {**entry.body}
    inner = body
    for key in path[:-1]:
        inner[key] = {**inner[key]}
        inner = inner[key]
    inner[path[-1]] += 1
    return replace(entry, body=body)


BREAKS: list[tuple[str, str, Callable[[Entry], Entry], str]] = [
    ("host", "ledger.joined", lambda e: moved(e, "house.funding", "pool.main:t1"), "not those of ledger record"),
    ("host", "ledger.counters", lambda e: moved(e, "contributions", "pool.reserve:t1"), "not those of ledger record"),
    ("host", "ledger.award", lambda e: moved(e, "pool.main:t1", "awards"), "not those of ledger record"),
    ("host", "ledger.void", lambda e: moved(e, "awards", "pool.main:t1"), "not those of ledger record"),
    ("host", "ledger.adjustment", lambda e: moved(e, "house.adjustments", "pool.main:t1"), "not those of"),
    ("host", "ledger.counters", lambda e: said(e, "record", "body", "rescue_micros"), "does not fold"),
    ("host", "ledger.counters", lambda e: replace(e, body={"record": {}}), "does not fold"),
    ("table", "link.record", lambda e: said(e, "record", "seq"), "does not fold"),
    ("table", "link.counted", lambda e: moved(e, "bets", "carousel.main"), "carousel.main: counters say"),
    ("table", "link.counted", lambda e: moved(e, "carousel.reserve", "bets"), "carousel.reserve: counters say"),
    ("table", "link.counted", lambda e: said(e, "main_micros"), "carousel.main: counters say"),
    ("table", "bets.closed", lambda e: moved(e, "bets", "pool.carta_magica"), "pool.carta_magica holds"),
    ("table", "bets.closed", lambda e: said(e, "contribution", "jugador_afortunado_micros"), "pool.jugador_afortunado"),
    ("table", "pools.reversed", lambda e: moved(e, "pool.carta_magica", "patrons"), "pool.carta_magica holds"),
    ("table", "credit.wagered", lambda e: moved(e, "pool.jugador_afortunado", "bets"), "pool.jugador_afortunado"),
]


@pytest.mark.requirement("R88")
@pytest.mark.promise("P4")
@pytest.mark.parametrize(("journal", "kind", "change", "why"), BREAKS)
def test_the_first_place_that_breaks_one_is_named(
    pit: Pit, journal: str, kind: str, change: Callable[[Entry], Entry], why: str
) -> None:
    entries = list(pit.host.journal if journal == "host" else pit.journal)
    place = next(place for place, entry in enumerate(entries) if entry.kind == kind)
    entries[place] = change(entries[place])
    found = first_broken(entries)
    assert found is not None and found[0] == place + 1, found
    assert why in found[1]


def test_hands_that_the_counters_leave_out_are_noticed(pit: Pit) -> None:
    entries = list(pit.journal)
    place = next(place for place, entry in enumerate(entries) if entry.kind == "bets.closed")
    entries[place] = said(entries[place], "contribution", "meter_micros")
    found = first_broken(entries)
    assert found is not None and entries[found[0] - 1].kind == "link.counted"
    assert "the hands contributed" in found[1]


def test_a_pool_of_the_ledger_is_checked_apart_from_its_fold(monkeypatch: pytest.MonkeyPatch, pit: Pit) -> None:
    """A fold that forgets money, and postings that forget the same, still do not add up to what the records say."""

    def forgetful(book: Book, record: Record) -> None:
        enter(book, record)
        if record.kind == "counters":
            book.postings = {}

    monkeypatch.setattr("controller.adapters.journal.refold.enter", forgetful)
    entries = [replace(entry, postings=()) if entry.kind == "ledger.counters" else entry for entry in pit.host.journal]
    found = first_broken(entries)
    assert found is not None and "pools of t1" in found[1]
