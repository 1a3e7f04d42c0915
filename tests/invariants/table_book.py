"""A table's journal, followed entry by entry: bets, counters, claims, the mirrored ledger and the cash that left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from controller.core.ledger import Entry
from controller.engine.ledger_reading import record_from_plain
from controller.engine.ledger_records import Awarded, ClaimRefused, Record, Released, Voided, VoidedHeld
from tests.invariants.bets_book import BetsBook, Stake
from tests.invariants.broken import hold

CENTAVO = 10_000
PARTS = ("main_micros", "reserve_micros", "reversed_main_micros", "reversed_reserve_micros")


@dataclass(frozen=True)
class Cash:
    """One payment that left a table: minor units, and the chain of its entry, which tells copies from one another."""

    minor: int
    mark: object


@dataclass
class TableBook:
    """Raises Violation at the first entry that must not be.

    incarnation: the one that writes now; a journal of its own tells it. stake: what a bet is worth and where it goes,
    None where the journal holds no bets. granted: minor units by row as the mirrored ledger has them last; metered: of
    them those that the meter pays. large_from: the sum from which on people must have let a row of the meter be paid as
    it stands, where that is known; unreleased: rows of which they have not.
    """

    table: str
    incarnation: str = ""
    stake: Stake | None = None
    large_from: int | None = None
    ids: set[str] = field(default_factory=set)
    mirror: list[Record] = field(default_factory=list)
    counters: dict[str, tuple[int, ...]] = field(default_factory=dict)
    claims: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    answered: dict[str, int] = field(default_factory=dict)
    granted: dict[str, int] = field(default_factory=dict)
    metered: dict[str, int] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)
    unreleased: set[str] = field(default_factory=set)
    paid: dict[str, list[Cash]] = field(default_factory=dict)
    advanced: Counter[str] = field(default_factory=Counter)
    accounts: Counter[str] = field(default_factory=Counter)
    draws: set[int] = field(default_factory=set)
    drawn: dict[str, str] = field(default_factory=dict)
    drawn_cash: int = 0
    overrides: dict[str, tuple[int, int]] = field(default_factory=dict)
    overridden: int = 0
    house_bears: int = 0
    stopped: bool = False

    def __post_init__(self) -> None:
        self.incarnations = {self.incarnation} - {""}
        self.bets = BetsBook(self.table, self.stake)

    def follow(self, entry: Entry, mark: object = None) -> None:
        """One more entry. mark: what is unique to this very entry, also among copies of the journal."""
        hold(entry.id not in self.ids, f"{self.table}: two entries {entry.id}")
        self.ids.add(entry.id)
        hold(sum(posting.micros for posting in entry.postings) == 0, f"{self.table}: {entry.id} does not balance")
        for posting in entry.postings:
            self.accounts[posting.account] += posting.micros
        second = entry.body.get("second")
        hold(not second or second != entry.actor, f"{self.table}: {entry.id} has one person twice")
        step = self._STEPS.get(entry.kind)
        if step is not None:
            step(self, entry, mark)
        else:
            self.bets.follow(entry)

    def sum_paid(self, row: str) -> int:
        return sum(cash.minor for cash in self.paid.get(row, ())) + self.advanced[row]

    @property
    def net(self) -> tuple[int, int]:
        """Main and reserve of the present incarnation's counters, less reversals, in micros."""
        main, reserve, back_main, back_reserve = self.counters.get(self.incarnation, (0, 0, 0, 0))
        return main - back_main, reserve - back_reserve

    def check(self) -> None:
        """What must hold between entries: cash and counters as the accounts have them, counters as the bets were."""
        cash = sum(self.sum_paid(row) for row in {*self.paid, *self.advanced}) + self.drawn_cash
        self._same("cash that left", self.accounts["prizes.paid"], (cash + self.overridden) * CENTAVO)
        self._same("house.overrides", self.accounts["house.overrides"], -self.house_bears * CENTAVO)
        ever = [(c[0] - c[2], c[1] - c[3]) for c in self.counters.values()]
        self._same("carousel.main", self.accounts["carousel.main"], sum(main for main, _ in ever))
        self._same("carousel.reserve", self.accounts["carousel.reserve"], sum(reserve for _, reserve in ever))
        if self.stake is not None:
            self.bets.check(self.accounts, ever)

    def check_rest(self) -> None:
        """What must hold once everything is decided: every claim answered, every row paid, none above its award."""
        for key, revisions in self.claims.items():
            if key.startswith(f"{self.table}/{self.incarnation}/"):
                self._same(f"answers to {key}", self.answered.get(key, 0), len(revisions))
        for row, minor in self.granted.items():
            hold(self.sum_paid(row) >= minor, f"{row}: {self.sum_paid(row)} paid of {minor}")

    def _same(self, what: str, said: object, found: object) -> None:
        hold(said == found, f"{self.table}, {what}: {said} is not {found}")

    # one step for each kind that moves money or authority

    def _born(self, entry: Entry, mark: object) -> None:
        self.incarnation = entry.body["incarnation"]
        self.incarnations.add(self.incarnation)

    def _counted(self, entry: Entry, mark: object) -> None:
        now = tuple(entry.body[part] for part in PARTS)
        was = self.counters.get(self.incarnation, (0, 0, 0, 0))
        hold(all(new >= old for new, old in zip(now, was, strict=True)), f"{self.table}: counters fall {was} {now}")
        self.counters[self.incarnation] = now

    def _claimed(self, entry: Entry, mark: object) -> None:
        name = entry.body["name"]
        key = f"{name['table']}/{name['incarnation']}/{name['hand']}"
        hold((name["table"], name["incarnation"]) == (self.table, self.incarnation), f"{self.table} claims {key}")
        known = self.claims.setdefault(key, [])
        self._same(f"revision of {key}", entry.body["revision"], len(known) + 1)
        seats = tuple(sorted((each["seat"], each["category"], each["strength"]) for each in entry.body["winners"]))
        known.append(seats)

    def _record(self, entry: Entry, mark: object) -> None:
        record = record_from_plain(entry.body["record"])
        before = self.mirror[-1].hash if self.mirror else record.prev
        self._same("place in the mirror", (record.seq, record.prev), (len(self.mirror) + 1, before))
        self.mirror.append(record)
        self._answer(record.body)

    def _answer(self, body: Any) -> None:
        """Rows of this incarnation as a record gives them."""
        if not isinstance(body, Awarded | ClaimRefused | Released | Voided):
            return
        name = body.granted.name if isinstance(body, Awarded) else body.name
        own = f"{self.table}/{self.incarnation}/"
        if isinstance(body, Released):
            self.held.discard(name.key)
            self.unreleased = {row for row in self.unreleased if row.rpartition("/")[0] != name.key}
        elif name.key.startswith(own):
            known = self.claims.get(name.key, [])
            hold(0 < body.revision <= len(known), f"{name.key} is answered at revision {body.revision}: {known}")
            hold(body.revision > self.answered.get(name.key, 0), f"{name.key}: revision {body.revision} again")
            self.answered[name.key] = body.revision
            if not isinstance(body, ClaimRefused):
                seats = tuple(sorted((each.seat, each.category.value, each.strength) for each in body.winners))
                self._same(f"winners of {name.key}", seats, known[body.revision - 1])
            if isinstance(body, VoidedHeld) or (isinstance(body, Awarded) and body.held):
                self.held.add(name.key)
        many = (body.granted,) if isinstance(body, Awarded) else getattr(body, "granted", ())
        for granted in many:
            if granted.name.key.startswith(own):
                rows = {granted.name.row(each.seat): each.amount_minor for each in granted.rows}
                gone = [row for row in self.granted if row.rpartition("/")[0] == granted.name.key and row not in rows]
                self.granted |= {**dict.fromkeys(gone, 0), **rows}
                self._measure(granted)
        self._forget_overrides()

    def _paid(self, entry: Entry, mark: object) -> None:
        """All that is payable of a row of this incarnation, by its last award, once."""
        row, minor = entry.body["row"], entry.body["amount_minor"]
        key = row.rpartition("/")[0]
        hold(row.startswith(f"{self.table}/{self.incarnation}/"), f"{self.table} pays {row} of another incarnation")
        hold(not self.stopped, f"{self.table} pays {row} after it stopped")
        hold(key not in self.held, f"{self.table} pays {row}, which is held")
        hold(row not in self.unreleased, f"{self.table} pays {row}, which became large and nobody released")
        self._same(f"answers to {key} when it is paid", self.answered.get(key, 0), len(self.claims[key]))
        hold(minor > 0, f"{row}: a payment of {minor}")
        self.paid.setdefault(row, []).append(Cash(minor, entry.id if mark is None else mark))
        self._same(f"paid of {row}", self.sum_paid(row), self.granted.get(row))

    def _override(self, entry: Entry, mark: object) -> None:
        """Two people have another amount paid."""
        hold(bool(entry.body["second"]), f"{self.table}: {entry.id} has one person alone")
        self.overrides[entry.body["prize"]] = entry.body["amount_minor"], entry.body["computed_minor"]

    def _measure(self, granted: Any) -> None:
        """A row that takes more from the meter than before, and is large, waits for people, whatever they said."""
        for each in granted.rows:
            row, minor = granted.name.row(each.seat), each.amount_minor if each.debit_micros else 0
            if self.large_from is not None and minor >= self.large_from and minor > self.metered.get(row, 0):
                self.unreleased.add(row)
            self.metered[row] = minor

    def _forget_overrides(self) -> None:
        """What two people agreed on is over once anything else is payable than they saw, whatever comes after."""
        for row, (_, computed) in list(self.overrides.items()):
            if row in self.granted and self.granted[row] - self.sum_paid(row) != computed:
                del self.overrides[row]

    def _cash(self, entry: Entry, mark: object) -> None:
        """A payment by an override is what two people said, and the house bears the difference, nobody else."""
        body = entry.body
        if "override" not in body:
            return
        said = body["amount_minor"], body["computed_minor"]
        self._same(f"override of {body['prize']}", self.overrides.pop(body["prize"], None), said)
        difference = body["amount_minor"] - body["computed_minor"]
        self.house_bears += difference
        self.overridden += difference if entry.kind == "prize.paid" else 0

    def _advanced(self, entry: Entry, mark: object) -> None:
        key = f"{self.table}/{self.incarnation}/{entry.body['hand']}"
        hold(self.answered.get(key, 0) < len(self.claims.get(key, [])), f"{key} is advanced and not open")
        self.advanced[f"{key}/{entry.body['seat']}"] += entry.body["amount_minor"]

    def _stopped(self, entry: Entry, mark: object) -> None:
        self.stopped = True

    def _draw(self, entry: Entry, mark: object) -> None:
        hand = entry.body["hand"]
        hold(hand not in self.draws, f"{self.table}: a second draw for hand {hand}")
        self.draws.add(hand)

    def _draw_prize(self, entry: Entry, mark: object) -> None:
        """Granted once, then paid once or void."""
        prize, was = entry.body["prize"], self.drawn.get(entry.body["prize"])
        before = {"draw.prize": None, "draw.prize_paid": "draw.prize", "draw.prize_void": "draw.prize"}
        self._same(f"prize {prize} before {entry.kind}", was, before[entry.kind])
        self.drawn[prize] = entry.kind
        self._cash(entry, mark)
        if entry.kind == "draw.prize_paid":
            self.drawn_cash += entry.body["amount_minor"]

    _STEPS: ClassVar[Mapping[str, Any]] = {
        "journal.genesis": _born,
        "journal.restored": _born,
        "link.counted": _counted,
        "link.claimed": _claimed,
        "link.record": _record,
        "prize.overridden": _override,
        "prize.paid": _cash,
        "link.paid": _paid,
        "link.advanced": _advanced,
        "link.stopped": _stopped,
        "draw.made": _draw,
        "draw.prize": _draw_prize,
        "draw.prize_paid": _draw_prize,
        "draw.prize_void": _draw_prize,
    }
