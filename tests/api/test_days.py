"""Business days: every entry of a journal is in exactly one, however its clock jumped; shifts lie between heads."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.adapters.hardware.desks import JournalPages
from controller.adapters.journal.chain import Stored
from controller.api import ledger_periods
from controller.api.days import Calendar, Run, day_of, in_order, midnight_ms
from controller.api.kept import Span
from controller.api.ledger_periods import ledger_part
from controller.api.periods import Period, day_period, open_shift, shift_period
from controller.api.reports import report_of
from controller.api.spans import calendar_of, span_of
from controller.api.words import today
from tests.api.office import Clock, Office, open_office, until
from tests.api.test_reports import DAY_MS, moved, settled
from tests.api.test_restored import restored

ZONE = ZoneInfo("America/Argentina/Buenos_Aires")
NOON = int(datetime(2026, 11, 29, 12, tzinfo=ZONE).timestamp()) * 1000
FIRST = date(2026, 11, 29)


def told(days: Sequence[int]) -> Calendar:
    """A calendar of entries that carry these days, counted from the first."""
    calendar = Calendar(ZONE)
    calendar.note((seq, NOON + day * DAY_MS) for seq, day in enumerate(days, 1))
    return calendar


def spans(calendar: Calendar, days: range) -> list[tuple[int, int]]:
    dates = [FIRST + timedelta(days=day) for day in days]
    return [(calendar.last_before(day), calendar.last_before(day + timedelta(days=1))) for day in dates]


@given(st.lists(st.integers(-20, 20), max_size=60))
def test_every_entry_is_in_exactly_one_day(days: list[int]) -> None:
    calendar = told(days)
    found = spans(calendar, range(-22, 23))
    assert found[0][0] == 0 and found[-1][1] == len(days)
    assert all(one[1] == two[0] and one[0] <= one[1] for one, two in pairwise(found))


@given(st.lists(st.integers(0, 20), max_size=60).map(sorted))
def test_a_clock_that_never_falls_dates_every_entry(days: list[int]) -> None:
    found = spans(told(days), range(21))
    assert [last - after for after, last in found] == [days.count(day) for day in range(21)]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 4)), min_size=1, max_size=9))
def test_the_believed_days_hold_the_most_entries_that_stand_in_order(runs: list[tuple[int, int]]) -> None:
    given_runs = [Run(day, seq, count) for seq, (day, count) in enumerate(runs)]
    believed = in_order(given_runs)
    assert all(one.first < two.first and one.day <= two.day for one, two in pairwise(believed))
    choices = [[]]  # type: list[list[Run]]
    for run in given_runs:
        choices += [[*each, run] for each in choices if not each or each[-1].day <= run.day]
    assert sum(run.count for run in believed) == max(sum(run.count for run in each) for each in choices)


@pytest.mark.parametrize(
    ("days", "held"),
    [
        ([0] * 5 + [1] * 5, [5, 5]),
        ([0] * 5 + [1] * 2 + [0] * 3 + [1] * 5, [10, 5]),  # a clock two entries early at midnight
        ([0] * 5 + [3650] * 2 + [0] * 3 + [1] * 5, [10, 5]),  # ten years ahead, then right
        ([0] * 5 + [-20_000] * 3 + [1] * 5, [8, 5]),  # a start without a clock
        ([0] * 5 + [3650] * 2 + [1] * 5, [7, 5]),
        ([0] * 5 + [1] + [0], [7, 0]),  # of equals the earlier day
    ],
)
def test_a_clock_that_jumped_opens_no_day(days: list[int], held: list[int]) -> None:
    calendar = told(days)
    assert [last - after for after, last in spans(calendar, range(2))] == held
    assert sum(held) == len(days)


def test_a_calendar_goes_on_from_where_it_stands() -> None:
    days = [0, 0, 1, 5, 1, 2, 0, 2]
    whole, parts = told(days), Calendar(ZONE)
    for seq, day in enumerate(days, 1):
        parts.note([(seq, NOON + day * DAY_MS)])
        parts.last_before(FIRST)
    assert spans(parts, range(6)) == spans(whole, range(6))


@pytest.mark.parametrize("wall_ms", [-(2**63), -1, 0, 2**63 - 1])
def test_whatever_a_clock_says_has_a_day(wall_ms: int) -> None:
    for zone in (ZONE, UTC, ZoneInfo("Pacific/Kiritimati")):
        day = day_of(wall_ms, ZoneInfo(str(zone)))
        assert midnight_ms(day + timedelta(days=1), ZoneInfo(str(zone))) > midnight_ms(day, ZoneInfo(str(zone)))


@pytest.mark.requirement("R82")
async def test_the_days_of_a_node_whose_clock_jumps_hold_every_entry_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = moved(Clock(), monkeypatch)
    async with open_office(tmp_path) as office:
        ports = office.node.api_ports()
        for jump in (0, DAY_MS, -DAY_MS, 3650 * DAY_MS, 2 * DAY_MS, DAY_MS, -9000 * DAY_MS, 3 * DAY_MS):
            clock.ahead_ms = jump
            await office.win(cards="4c 4d 4h 4s 2c")
        await until(lambda: settled(office), "the carousel has heard of everything")
        journals = [ports.table("t1").journal, ports.host("gran").journal]
        named = set[date]()
        for reader in journals:
            named |= {date.fromordinal(run.day) for run in in_order((await calendar_of(ports, reader)).runs)}
        reports = [await report_of(ports, day_period(ports, str(day))) for day in sorted(named)]
        for reader in journals:
            held = [await span_of(ports, reader, day_period(ports, str(day))) for day in sorted(named)]
            assert held[0].after == 0 and held[-1].last == reader.head()[0]
            assert all(one.last == two.after for one, two in pairwise(held))
        assert sum(report.tables[0].hands for report in reports) == 8
        accounts = [report.carousels[0] for report in reports]
        assert all(account.holds for account in accounts)
        assert [one.closing_micros for one in accounts[:-1]] == [two.opening_micros for two in accounts[1:]]
        ledger = office.node.hosts["gran"].runner.state.ledger
        assert sum(each.moved_micros.get("contributions", 0) for each in accounts) == ledger.contributions_micros
        assert accounts[-1].closing_micros == sum(each.total_micros for each in ledger.tables.values())


@pytest.mark.requirement("R82")
async def test_shifts_are_closed_and_hold_every_entry_once_while_the_clock_jumps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = moved(Clock(), monkeypatch)
    async with open_office(tmp_path) as office:
        ports = office.node.api_ports()
        for number, jump in enumerate((0, 5 * DAY_MS, DAY_MS), 1):
            clock.ahead_ms = jump
            await office.win(cards="4c 4d 4h 4s 2c")
            ana, beto = await office.person("ana"), await office.person("beto")
            asked = await ana.post("/api/v1/shifts/close", {"shift": today(ports)})
            approval, digest = asked.json()["approval"], asked.json()["digest"]
            signed = await beto.post(f"/api/v1/approvals/{approval}/approve", {"pin": "271828", "digest": digest})
            assert signed.status_code == 200, signed.text
            assert ports.accounts.state.shifts[-1].number == number
        for reader in ports.journals().values():
            closed = [await span_of(ports, reader, shift_period(ports, number)) for number in (1, 2, 3)]
            now = await span_of(ports, reader, open_shift(ports))
            assert all(one.last == two.after for one, two in pairwise([*closed, now]))
            assert now.last == reader.head()[0]
        reports = [await report_of(ports, shift_period(ports, number)) for number in (1, 2, 3)]
        assert [report.tables[0].hands for report in reports] == [1, 1, 1]


async def test_who_looks_on_pays_for_what_is_new_alone(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    ports = office.node.api_ports()
    readers = [*(desk.journal for desk in ports.tables.values()), ports.host("gran").journal]
    read = 0
    page = type(readers[0]).page

    async def counted(self: JournalPages, after_seq: int, limit: int) -> Sequence[Stored]:
        nonlocal read
        found = await page(self, after_seq, limit)
        read += len(found)
        return found

    def heads() -> int:
        return sum(reader.head()[0] for reader in readers)

    monkeypatch.setattr(JournalPages, "page", counted)
    period = day_period(ports, today(ports))
    await office.win()
    before = heads()
    await report_of(ports, period)
    assert read >= before
    for _ in range(3):
        await office.win()
        read, already = 0, heads()
        told = await report_of(ports, period)
        assert 0 < read <= heads() - before
        before = already
    ports.kept.folds.clear()
    whole = await report_of(ports, period)
    for one, two in zip(told.tables, whole.tables, strict=True):
        assert replace(one, last_seq=0) == replace(two, last_seq=0)


async def test_what_is_kept_is_bounded(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    ports = office.node.api_ports()
    await office.win()
    reader = ports.host("gran").journal
    await report_of(ports, day_period(ports, today(ports)))
    for seq in range(1, reader.head()[0]):
        await ledger_part(ports, "gran", Span(seq - 1, seq))
    await ledger_part(ports, "gran", Span(0, reader.head()[0]))
    monkeypatch.setattr(ledger_periods, "KEPT_LEDGERS", 3)
    whole = await ledger_part(ports, "gran", Span(0, reader.head()[0]))
    assert len([key for key in ports.kept.folds if key[1] == ledger_periods.LEDGER]) == 3
    assert len([key for key in ports.kept.folds if key[1] == "table"]) == 2
    assert whole.account.holds


async def test_a_shift_after_a_restore_begins_where_the_older_copy_ends(tmp_path: Path) -> None:
    await restored(tmp_path)
    async with open_office(tmp_path, joined=False) as office:
        ports = office.node.api_ports()
        reader = ports.table("t1").journal
        stored = office.node.tables["t1"].journal.entries()
        opened = next(each.seq for each in stored if each.entry.kind == "journal.restored")
        signed = {reader.name: [10_000, "ab" * 32]}  # a head that the lost journal had, and the copy has not
        now = replace(open_shift(ports), begins=signed)
        closed = Period("shift", "x", 0, 1, 1, begins={"node": [1, "cd" * 32]}, ends=signed)
        assert await span_of(ports, reader, closed) == Span(0, opened - 1)
        assert await span_of(ports, reader, now) == Span(opened - 1, now.ends[reader.name][0])
        assert await span_of(ports, ports.table("t2").journal, closed) == Span(0, 0), "it was not there"
