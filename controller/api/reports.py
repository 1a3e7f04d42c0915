"""A day's figures from the journals: what each table played and paid, and the account of each carousel."""

from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from controller.api.context import ApiPorts
from controller.api.origin import PAGE, ledger_steps, moved_by, pools_of
from controller.api.problems import Problem
from controller.core.jackpot import Contribution
from controller.core.records import from_record
from controller.core.refusal import Refusal, refuse
from controller.engine.ports import JournalReader, StoredEntry


@dataclass(slots=True)
class TableFigures:
    """A table's day: amounts in minor units, the contribution in micros; hits by row of the prize list."""

    table: str
    hands: int = 0
    voids: int = 0
    bets: int = 0
    handle_minor: int = 0
    contribution_micros: int = 0
    hits: int = 0
    paid_minor: int = 0
    hits_by_category: dict[str, int] = field(default_factory=dict)
    first_seq: int = 0
    last_seq: int = 0


@dataclass(slots=True)
class CarouselAccount:
    """A carousel's day in micros: opening + what moved = closing, to the micro."""

    carousel: str
    opening_micros: int = 0
    moved_micros: dict[str, int] = field(default_factory=dict)
    closing_micros: int = 0

    @property
    def holds(self) -> bool:
        return self.opening_micros + sum(self.moved_micros.values()) == self.closing_micros


@dataclass(slots=True)
class DayReport:
    """All of it, for the site's day."""

    day: str
    tables: list[TableFigures]
    carousels: list[CarouselAccount]

    def plain(self) -> dict[str, Any]:
        return {
            "day": self.day,
            "tables": [asdict(each) for each in self.tables],
            "carousels": [{**asdict(each), "holds": each.holds} for each in self.carousels],
        }


def day_bounds(ports: ApiPorts, day: str) -> tuple[int, int]:
    """Wall milliseconds of a day's begin and end in the site's zone; Problem for what is no day."""
    try:
        begin = datetime.combine(date.fromisoformat(day), time(), ports.config.site.zone)
        end = datetime.combine(date.fromisoformat(day) + timedelta(days=1), time(), ports.config.site.zone)
    except (ValueError, OverflowError) as wrong:
        raise Problem(refuse(Refusal.FORM_INVALID, place="day", why=str(wrong))) from wrong
    return int(begin.timestamp()) * 1000, int(end.timestamp()) * 1000


async def first_seq_at(journal: JournalReader, wall_ms: int) -> int:
    """The seq of the first entry at or after a time, found by halving; the clock is informative, order is the seq's."""
    low, high = 1, journal.head()[0] + 1
    while low < high:
        middle = (low + high) // 2
        page = await journal.page(middle - 1, 1)
        if page and page[0].wall_ms < wall_ms:
            low = middle + 1
        else:
            high = middle
    return low


async def entries_between(journal: JournalReader, begin_ms: int, end_ms: int) -> AsyncIterator[StoredEntry]:
    """Entries of a span of time, in order."""
    after, last = await first_seq_at(journal, begin_ms) - 1, await first_seq_at(journal, end_ms) - 1
    while after < last:
        page = await journal.page(after, min(PAGE, last - after))
        if not page:
            return
        for stored in page:
            yield stored
        after = page[-1].seq


async def day_report(ports: ApiPorts, day: str) -> DayReport:
    """The figures of one day."""
    begin_ms, end_ms = day_bounds(ports, day)
    tables = [await table_figures(ports, table, begin_ms, end_ms) for table in ports.tables]
    carousels = [await carousel_account(ports, name, begin_ms, end_ms) for name in ports.hosts]
    return DayReport(day, tables, carousels)


async def table_figures(ports: ApiPorts, table: str, begin_ms: int, end_ms: int) -> TableFigures:
    """One table's figures over a span of time."""
    desk = ports.table(table)
    figures = TableFigures(table)
    async for stored in entries_between(desk.journal, begin_ms, end_ms):
        figures.first_seq = figures.first_seq or stored.seq
        figures.last_seq = stored.seq
        _count(figures, stored, desk.settings.jackpot.credit_minor)
    return figures


def _count(figures: TableFigures, stored: StoredEntry, credit_minor: int) -> None:
    body = stored.entry.body
    match stored.entry.kind:
        case "credit.wagered":
            figures.bets += body["credits"]
            figures.handle_minor += body["credits"] * credit_minor
        case "credit.withdrawn":
            figures.bets -= body["credits"]
            figures.handle_minor -= body["credits"] * credit_minor
        case "bets.closed":
            back = sum(credits for _, credits in body["returned"])
            figures.bets -= back
            figures.handle_minor -= back * credit_minor
            shares = from_record(Contribution, body["contribution"])
            figures.contribution_micros += shares.meter_micros + shares.reserve_micros
        case "hand.over":
            figures.hands += 1
            for winner in body["winners"]:
                _hit(figures, str(winner["category"]))
        case "hand.void":
            figures.voids += 1
            back = sum(credits for _, credits in body["returned"])
            figures.bets -= back
            figures.handle_minor -= back * credit_minor
        case "draw.prize":
            _hit(figures, body["kind"])
        case "prize.paid" | "draw.prize_paid":
            figures.paid_minor += body["amount_minor"]


def _hit(figures: TableFigures, category: str) -> None:
    figures.hits += 1
    figures.hits_by_category[category] = figures.hits_by_category.get(category, 0) + 1


async def carousel_account(ports: ApiPorts, carousel: str, begin_ms: int, end_ms: int) -> CarouselAccount:
    """The account of a carousel over a span of time, from its ledger."""
    account = CarouselAccount(carousel)
    async for step in ledger_steps(ports, carousel):
        if step.wall_ms >= end_ms:
            break
        account.closing_micros = pools_of(step.after)
        if step.wall_ms < begin_ms:
            account.opening_micros = account.closing_micros
            continue
        for what, micros in moved_by(step).items():
            account.moved_micros[what] = account.moved_micros.get(what, 0) + micros
    return account
