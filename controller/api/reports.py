"""Figures of a period from the journals: what each table played and paid, and the account of each carousel."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from controller.api.context import ApiPorts
from controller.api.interventions import Intervention, at_table
from controller.api.kept import Span
from controller.api.ledger_periods import CarouselAccount, course_of, ledger_parts, summed
from controller.api.periods import Period, days_of
from controller.api.prize_views import pending_prizes
from controller.api.settings_then import InForce, in_force
from controller.api.spans import entries_in, span_of
from controller.engine.ports import StoredEntry

KEPT_TABLES = 1000
"""Folds of tables that are kept: a few spans of each of two hundred."""


@dataclass(slots=True)
class TableFigures:
    """A table's period: amounts in minor units, the contribution in micros; hits by row of the prize list.

    Bets and contribution are net of what voids gave back, in the period of the void.
    paid: cash; overridden: how much of it two people had paid beyond computed amounts (below 0: less than those).
    """

    table: str
    hands: int = 0
    voids: int = 0
    bets: int = 0
    handle_minor: int = 0
    contribution_micros: int = 0
    hits: int = 0
    paid_minor: int = 0
    withheld_minor: int = 0
    overridden_minor: int = 0
    hits_by_category: dict[str, int] = field(default_factory=dict)
    first_seq: int = 0
    last_seq: int = 0
    settings: list[dict[str, Any]] = field(default_factory=list)
    """What was done to the table's settings: entry, who, both hashes of the jackpot terms, each change."""
    overrides: list[dict[str, Any]] = field(default_factory=list)
    """Payments of another amount than the computed one: hand, seat, both amounts, cause, who authorised, who paid."""


@dataclass(frozen=True, slots=True)
class Pending:
    """Prizes of a table that nobody has paid yet: how many, and their sum in minor units."""

    table: str
    count: int
    minor: int


@dataclass(frozen=True, slots=True)
class Report:
    """All of it for a period. days: of a month, the account of each day by carousel.

    meters: the course of each carousel's meter, for a drawing. pending: of a period in course, prizes that wait now;
    of a closed shift, those that waited when it was signed.
    settings_then: what each table was played by at the end. people: what people changed, in order of time.
    """

    period: Period
    tables: list[TableFigures]
    carousels: list[CarouselAccount]
    meters: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    days: list[tuple[Period, list[CarouselAccount]]] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    settings_then: list[InForce] = field(default_factory=list)
    people: list[Intervention] = field(default_factory=list)

    @property
    def frequencies(self) -> dict[str, tuple[int, int]]:
        """By row of the prize list: hits at all tables, and credits bet for one hit (floored)."""
        bets = sum(table.bets for table in self.tables)
        hits: dict[str, int] = {}
        for table in self.tables:
            for category, count in table.hits_by_category.items():
                hits[category] = hits.get(category, 0) + count
        return {category: (count, bets // count) for category, count in hits.items() if count}

    @property
    def overrides(self) -> list[tuple[str, dict[str, Any]]]:
        """Payments of other amounts than the computed ones, table by table in order."""
        return [(each.table, line) for each in self.tables for line in each.overrides]

    @property
    def settings(self) -> list[tuple[str, dict[str, Any]]]:
        """What was done to the tables' settings, table by table in order."""
        return [(each.table, line) for each in self.tables for line in each.settings]

    def plain(self) -> dict[str, Any]:
        return {
            **self.figures(),
            "settings_in_force": [each.plain() for each in self.settings_then],
            "interventions": [each.plain() for each in self.people],
        }

    def figures(self) -> dict[str, Any]:
        """What two people sign at a shift's close."""
        return {
            self.period.span: self.period.name,
            "begin_ms": self.period.begin_ms,
            "end_ms": self.period.end_ms,
            "tables": [asdict(each) for each in self.tables],
            "carousels": [each.plain() for each in self.carousels],
            "pending": [asdict(each) for each in self.pending],
            "frequencies": {
                category: {"hits": hits, "bets_per_hit": bets} for category, (hits, bets) in self.frequencies.items()
            },
            "days": [
                {"day": day.name, "carousels": [account.plain() for account in accounts]} for day, accounts in self.days
            ],
        }


async def report_of(ports: ApiPorts, period: Period) -> Report:
    """The figures of a period; a month tells each of its days as well."""
    if period.number:
        pending = await pending_signed(ports, period)
    else:
        pending = _pending(ports) if period.is_open or period.holds(ports.clock()) else []
    told = [await _table_told(ports, table, period) for table in ports.tables]
    tables, people = [figures for figures, _ in told], [each for _, done in told for each in done]
    parts = {name: await ledger_parts(ports, name, period) for name in ports.hosts}
    accounts = [summed([part.account for _, part in found]) for found in parts.values()]
    meters = {name: course_of(found) for name, found in parts.items()}
    days = days_of(ports, period.name) if period.span == "month" else ()
    by_day = [(day, [found[number][1].account for found in parts.values()]) for number, day in enumerate(days)]
    settings = [await _settings_then(ports, table, period) for table in ports.tables]
    then = [each for each in settings if each is not None]
    people += [each for found in parts.values() for _, part in found for each in part.people]
    people.sort(key=lambda each: each.wall_ms)
    return Report(period, tables, accounts, meters, by_day, pending, then, people)


def _pending(ports: ApiPorts) -> list[Pending]:
    waiting = pending_prizes(ports)
    found = []
    for table in ports.tables:
        amounts = [prize["payable_minor"] for prize in waiting if prize["table"] == table]
        found.append(Pending(table, len(amounts), sum(amounts)))
    return found


async def pending_signed(ports: ApiPorts, period: Period) -> list[Pending]:
    """The prizes that waited when a shift was closed, as two people signed them; none where they signed no such."""
    journal = ports.accounts.journal
    after = period.ends.get(journal.name, (0, ""))[0]
    async for stored in entries_in(journal, Span(after, journal.head()[0])):
        if stored.entry.kind == "shift.closed" and stored.entry.body["shift"] == period.name:
            return [Pending(**each) for each in stored.entry.body["figures"].get("pending", ())]
    return []


async def _settings_then(ports: ApiPorts, table: str, period: Period) -> InForce | None:
    reader = ports.table(table).journal
    return await in_force(reader, table, (await span_of(ports, reader, period)).last)


async def table_figures(ports: ApiPorts, table: str, period: Period) -> TableFigures:
    """One table's figures over a period."""
    figures, _ = await _table_told(ports, table, period)
    return figures


async def _table_told(ports: ApiPorts, table: str, period: Period) -> tuple[TableFigures, list[Intervention]]:
    reader = ports.table(table).journal
    span = await span_of(ports, reader, period)

    async def begin() -> TableFold:
        return TableFold(reader.name, ports.minor_micros, span.after, TableFigures(table))

    figures, handle, people = await ports.kept.folded(reader, "table", span, begin, KEPT_TABLES)
    figures.handle_minor = ports.minor(handle)
    return figures, people


@dataclass(slots=True)
class TableFold:
    """The figures of a table over the entries up to `at`; handle: its bets in micros."""

    journal: str
    minor_micros: int
    at: int
    figures: TableFigures
    handle: int = 0
    people: list[Intervention] = field(default_factory=list)

    async def take(self, page: Sequence[StoredEntry]) -> None:
        for stored in page:
            self.figures.first_seq = self.figures.first_seq or stored.seq
            self.figures.last_seq = stored.seq
            _count(self.figures, stored)
            self.handle += handle_micros(stored)
            done = at_table(stored, self.figures.table, self.journal, self.minor_micros)
            if done is not None:
                self.people.append(done)
        self.at = page[-1].seq

    def told(self) -> tuple[TableFigures, int, list[Intervention]]:
        by_category, settings = dict(self.figures.hits_by_category), list(self.figures.settings)
        overrides = list(self.figures.overrides)
        told = replace(self.figures, hits_by_category=by_category, settings=settings, overrides=overrides)
        return told, self.handle, list(self.people)


def handle_micros(stored: StoredEntry) -> int:
    """What an entry adds to the bets of its day, in micros: negative where they go back to the players."""
    if stored.entry.kind not in _BETS:
        return 0
    return -sum(each.micros for each in stored.entry.postings if each.account == "patrons")


_BETS = frozenset({"credit.wagered", "credit.withdrawn", "bets.closed", "hand.void", "pools.reversed"})
"""Entries that move jackpot bets from the players or back to them, whatever a credit was worth then."""


def contributed_micros(stored: StoredEntry) -> int:
    """What an entry adds to what the table gave the carousel, in micros: negative at a void, which takes it back.

    It is the step of the table's own counters that the host absorbs, so that what the tables gave is what came in.
    """
    if stored.entry.kind != "link.counted":
        return 0
    return sum(each.micros for each in stored.entry.postings if each.account in _CAROUSEL)


_CAROUSEL = frozenset({"carousel.main", "carousel.reserve"})


def _count(figures: TableFigures, stored: StoredEntry) -> None:
    body = stored.entry.body
    match stored.entry.kind:
        case "credit.wagered":
            figures.bets += body["credits"]
        case "credit.withdrawn":
            figures.bets -= body["credits"]
        case "bets.closed":
            figures.bets -= sum(credits for _, credits in body["returned"])
        case "link.counted":
            figures.contribution_micros += contributed_micros(stored)
        case "hand.over":
            figures.hands += 1
            for winner in body["winners"]:
                _hit(figures, str(winner["category"]))
        case "hand.void":
            figures.voids += 1
            figures.bets -= sum(credits for _, credits in body["returned"])
        case "draw.prize":
            _hit(figures, body["kind"])
        case "prize.paid" | "draw.prize_paid":
            figures.paid_minor += body["amount_minor"]
            if "override" in body:
                figures.overridden_minor += body["amount_minor"] - body["computed_minor"]
                figures.overrides.append(_override_line(stored))
        case "prize.advanced":
            figures.paid_minor += body["amount_minor"]
        case "slip.issued":
            figures.withheld_minor += body["content"]["withheld_minor"]
        case "slip.voided":
            figures.withheld_minor -= body["withheld_minor"]
        case "settings.effective" | "settings.confirmed":
            figures.settings.append(_settings_line(stored))
        case "settings.file" if not body["first"]:
            figures.settings.append(_settings_line(stored))


def _override_line(stored: StoredEntry) -> dict[str, Any]:
    said = ("prize", "hand", "seat", "computed_minor", "amount_minor", "override", "second")
    body = stored.entry.body
    return {
        "seq": stored.seq,
        "wall_ms": stored.wall_ms,
        "actor": stored.entry.actor,
        "authorised": list(body.get("authorised", ())),
        **{name: body.get(name) for name in said},
    }


def _settings_line(stored: StoredEntry) -> dict[str, Any]:
    body = stored.entry.body
    return {
        "seq": stored.seq,
        "wall_ms": stored.wall_ms,
        "kind": stored.entry.kind,
        "actor": stored.entry.actor,
        "second": body.get("second", ""),
        "reason": body.get("reason", ""),
        "terms_before": body.get("terms_before", ""),
        "terms_after": body.get("terms_after", body.get("terms", "")),
        "changes": list(body.get("changes", [])),
    }


def _hit(figures: TableFigures, category: str) -> None:
    figures.hits += 1
    figures.hits_by_category[category] = figures.hits_by_category.get(category, 0) + 1
