"""A journal written by any released version still verifies, migrates and folds to the same figures."""

import json
import shutil
from pathlib import Path

import pytest

from controller.adapters.daily import check_journal
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from controller.core.events import Envelope, HandVoided, VoidReason
from controller.core.ledger import Entry, balances
from controller.engine.machine import handle, replay
from controller.engine.table import TableMachine
from controller.engine.table_state import Hand, drawn_shares
from tests.golden.kinds import KINDS

JOURNALS = sorted((Path(__file__).parent / "journals").glob("*.sqlite"))
MUST_HOLD = {
    "bonus": {"hand.over", "hand.corrected", "hand.void", "prize.hold", "prize.checked", "prize.paid", "slip.voided"},
    "settings": {"settings.file", "settings.asked", "settings.effective", "settings.withdrawn", "settings.confirmed"}
    | {"link.terms", "link.record", "slip.voided"},
    "circle": {"draw.seats", "hand.over", "hand.void"},
    "carousel": {"ledger.join", "ledger.award", "ledger.void", "ledger.adjustment", "ledger.accept", "ledger.rekey"}
    | {"ledger.release", "ledger.seal", "host.quarantined", "host.waiting", "host.promoted", "host.excluded"},
    "overrides": {"prize.overridden", "draw.source_failed", "draw.source_back", "draw.outside", "draw.chain"}
    | {"prize.paid", "slip.voided"},
    "closing": {"ledger.closing", "ledger.closed", "ledger.disposed", "ledger.orphans"},
    "pools": {"pool.moved"},
    "lamps": {"lamps.test", "lamps.tested", "lamps.test_ran", "hand.over"},
    "settled": {"host.table_settled", "ledger.closed", "ledger.award", "ledger.seal", "ledger.disposed"},
    "ceilings": {"ledger.counters_overflow", "ledger.accept_overflow", "ledger.award", "host.quarantined"},
    "corrected": {"prize.overridden", "prize.override_ended", "hand.corrected", "slip.voided", "prize.paid"},
    "held": {"ledger.void_held", "ledger.void", "ledger.release"},
    "accounts": {"user.added", "user.secret_set", "login.failed", "login.passed", "access.taken", "approval.executed"}
    | {"approval.rejected", "count.entered", "shift.closed"},
}
"""Kinds of entries for which a golden journal is there."""


def opened(golden: Path, tmp_path: Path) -> Journal:
    return Journal.open(shutil.copy(golden, tmp_path / "golden.db"), create=False)


def kind_of(golden: Path) -> str:
    return golden.stem.rpartition("-")[2]


def test_there_are_golden_journals() -> None:
    assert {kind_of(path) for path in JOURNALS} == set(KINDS)


@pytest.mark.parametrize("golden", JOURNALS, ids=lambda path: path.stem)
def test_it_verifies_and_ends_where_it_ended(golden: Path, tmp_path: Path) -> None:
    expected = json.loads(golden.with_suffix(".json").read_text())
    with opened(golden, tmp_path) as journal:
        report = verify(journal)
        assert report.ok, report.findings
        assert (report.head.seq, report.head.chain.hex()) == (expected["seq"], expected["head"])
        assert report.checkpoints == expected["seq"] // 10
        kinds = {stored.entry.kind for stored in journal.entries()}
    assert MUST_HOLD.get(kind_of(golden), set()) <= kinds


@pytest.mark.promise("P18")
@pytest.mark.parametrize("golden", JOURNALS, ids=lambda path: path.stem)
def test_it_folds_to_the_same_figures(golden: Path, tmp_path: Path) -> None:
    expected = json.loads(golden.with_suffix(".json").read_text())
    kind = KINDS[kind_of(golden)]
    with opened(golden, tmp_path) as journal:
        entries = [stored.entry for stored in journal.entries()]
    figures = json.loads(json.dumps(kind.figures(replay(kind.machine, entries), entries)))
    assert {**figures, "seq": expected["seq"], "head": expected["head"]} == expected


@pytest.mark.promise("P18")
@pytest.mark.parametrize("golden", JOURNALS, ids=lambda path: path.stem)
def test_it_stands_the_daily_check_with_every_equation(golden: Path, tmp_path: Path) -> None:
    with opened(golden, tmp_path) as journal:
        check_journal(journal)


PLAYED = [path for path in JOURNALS if isinstance(KINDS[kind_of(path)].machine, TableMachine)]
SHARES = ("carousel.main", "carousel.reserve", "pool.carta_magica", "pool.jugador_afortunado", "house.revenue")
"""Accounts that a hand's bets go to."""


def shares_of(hand: Hand) -> dict[str, int]:
    """What a folded hand contributed, by account."""
    said = hand.contribution
    draws = {f"pool.{kind}": micros for kind, micros in drawn_shares(said).items()}
    linked = {"carousel.main": said.meter_micros, "carousel.reserve": said.reserve_micros}
    return {**linked, **draws, "house.revenue": said.house_micros}


def moved_to_shares(entries: list[Entry]) -> dict[str, int]:
    sums = balances(entries)
    return {account: sums.get(account, 0) for account in SHARES}


@pytest.mark.promise("P18")
@pytest.mark.parametrize("golden", PLAYED, ids=lambda path: path.stem)
def test_a_hand_contributed_what_its_postings_moved_and_its_void_takes_that_back(golden: Path, tmp_path: Path) -> None:
    """The postings say it in one form for ever, whatever the bodies of their time look like."""
    machine = KINDS[kind_of(golden)].machine
    with opened(golden, tmp_path) as journal:
        entries = [stored.entry for stored in journal.entries()]
    state, closed, voided = machine.first(), 0, 0
    kinds = [*(entry.kind for entry in entries), ""]
    for place, entry in enumerate(entries):
        state = machine.apply(state, entry)
        if entry.kind == "bets.closed":
            closed += 1
            count = 2 if kinds[place + 1] == "link.counted" else 1
            assert shares_of(state.hand) == moved_to_shares(entries[place : place + count])
        elif entry.kind in ("hand.over", "link.claimed") and kinds[place + 1] != "link.claimed":
            number = state.last.number
            void = Envelope(f"void of {number}", HandVoided(VoidReason.DEAL_ERROR, "", number), "ana", "bea")
            _, made, refused = handle(machine, state, void, 0)
            assert refused is None, refused
            back = moved_to_shares(list(made))
            assert {account: -micros for account, micros in back.items()} == shares_of(state.last)
            voided += any(back.values())
    assert closed and voided
