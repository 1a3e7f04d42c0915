"""The checker's own arithmetic of a carousel's ledger, in fractions; it shares no function with what it checks."""

from __future__ import annotations

from typing import Any

from controller.engine.closing_records import ClosingAnnounced, Disposed, JackpotClosed, OrphansMoved
from controller.engine.ledger_records import (
    Adjusted,
    Awarded,
    ClaimRefused,
    CountersAbsorbed,
    CountersAccepted,
    EpochBegan,
    JoinAsked,
    Joined,
    Left,
    Record,
    Rekeyed,
    Released,
    Sealed,
    TermsChanged,
    Voided,
    VoidedHeld,
)
from tests.invariants.awards import Pools, Prize, play_out


class Wrong(AssertionError):
    """The ledger says something that the checker's arithmetic does not."""


class Oracle:
    """Follows one ledger record by record; `facts` is all it would need to tell the story again with another ending."""

    def __init__(self) -> None:
        self.facts: list[tuple[str, Any]] = []
        self.pools: dict[str, Pools] = {}
        self.gone: set[str] = set()
        self.overflow: dict[str, int] = {}
        self.ceilings: dict[str, int | None] = {}
        self.came: dict[str, int] = {}
        self.counted: dict[tuple[str, str], tuple[int, int]] = {}
        self.raw: dict[tuple[str, str], tuple[int, ...]] = {}
        self.prizes: dict[str, Prize] = {}
        self.highest: dict[str, int] = {}
        self.profiles: dict[str, Any] = {}
        self.fresh: dict[str, bool] = {}
        self.in_ledger = 0
        self.paid_in = 0
        self.awarded = 0
        self.transferred = 0
        self.last_day = ""
        self.orphans = 0
        self.amounts_at: dict[int, int] = {}
        self.terms: dict[tuple[str, str], list[tuple[int, dict[str, int]]]] = {}

    @property
    def amount(self) -> int:
        return sum(pool.main for name, pool in self.pools.items() if name not in self.gone)

    def follow(self, record: Record) -> None:
        """One more record; Wrong when its figures are not the checker's."""
        body: Any = record.body
        match body:
            case EpochBegan() | ClaimRefused():
                pass
            case CountersAbsorbed() | CountersAccepted():
                self._counters(body)
            case Awarded():
                self._award(body, record.seq)
            case Released():
                self.prizes[body.name.key].released = True
            case Voided():
                self._void(body)
            case Adjusted():
                self._fact("move", (body.table, body.main_micros, body.reserve_micros))
                if body.transfer:
                    self.transferred -= body.main_micros + body.reserve_micros
                else:
                    self.paid_in += body.main_micros + body.reserve_micros
                if body.start_micros is not None:
                    self._fact("start", (body.table, body.start_micros))
            case JoinAsked():
                self.profiles[body.profile.table] = body.profile
                self.ceilings[body.profile.table] = body.profile.ceiling_micros
                self.counted[body.profile.table, body.profile.incarnation] = (0, 0)
                self._plays_by((body.profile.table, body.profile.incarnation), 0, body.profile.prizes)
                self.fresh[body.profile.table] = body.profile.table not in self.pools or body.profile.table in self.gone
                if not self.fresh[body.profile.table]:
                    self._fact("start", (body.profile.table, body.profile.start_micros))
            case Joined():
                self._joined(body)
            case ClosingAnnounced() | JackpotClosed() | OrphansMoved():
                self._closing(body)
            case Disposed():
                pool = self.pools[body.table]
                self._same("what is disposed of", body.main_micros + body.house_micros, pool.main)
                self._same("overflow disposed of", body.overflow_micros, self.overflow[body.table])
                self.transferred += body.main_micros + body.reserve_micros + body.overflow_micros
                self.orphans += pool.main + pool.stored - body.house_micros if body.target == "orphans" else 0
                self.paid_in -= body.house_micros
                self.overflow[body.table] = 0
                self._fact("move", (body.table, -pool.main, -pool.stored))
            case Left():
                pool = self.pools[body.table]
                told = body.main_micros, body.reserve_micros + body.overflow_micros, body.overflow_micros
                self._same("balance taken along", told, (pool.main, pool.stored, self.overflow[body.table]))
                self.transferred += pool.main + pool.stored
                self.overflow[body.table] = 0
                self._fact("leave", body.table)
            case Sealed() | Rekeyed():
                pass
            case TermsChanged():
                self._plays_by((body.table, body.incarnation), body.terms.first_hand, body.terms.prizes)
                self.ceilings[body.table] = body.terms.ceiling_micros
        self.amounts_at[record.seq] = self.amount
        self._equation()

    def _closing(self, body: ClosingAnnounced | JackpotClosed | OrphansMoved) -> None:
        """A day that was announced, and money of the register that is there."""
        if isinstance(body, ClosingAnnounced):
            self.last_day = body.day
        elif isinstance(body, JackpotClosed):
            self._same("the last day", body.day, self.last_day)
        else:
            self.orphans -= body.micros
            if self.orphans < 0:
                raise Wrong(f"the register of orphans is short of {-self.orphans}")

    def _same(self, what: str, said: object, found: object) -> None:
        if said != found:
            raise Wrong(f"{what}: the ledger says {said}, the checker finds {found}")

    def _equation(self) -> None:
        held = sum(pool.main + pool.stored for pool in self.pools.values())
        self._same("the equation", held + self.awarded + self.transferred, self.paid_in)
        for name, pool in self.pools.items():
            if pool.main < 0 or not 0 <= self.overflow[name] <= pool.stored:
                raise Wrong(f"a balance of {name} is below zero: {pool}, overflow {self.overflow[name]}")

    def balances(self, table: str) -> tuple[int, int, int]:
        """Main, reserve and overflow of a table, in micros."""
        pool = self.pools.get(table, Pools())
        overflow = self.overflow.get(table, 0)
        return pool.main, pool.stored - overflow, overflow

    def _fact(self, kind: str, fact: Any) -> None:
        self.facts.append((kind, fact))
        _tell(kind, fact, self.pools, self.gone)

    def _joined(self, body: Joined) -> None:
        profile = self.profiles[body.table]
        funding = profile.start_micros if self.fresh[body.table] else 0
        self._same("start funding", body.funding_micros, funding)
        if self.fresh[body.table]:
            self.overflow[body.table] = 0
            self.came[body.table] = len(self.facts)
            self._fact("join", (body.table, profile.start_micros))
        self.paid_in += funding

    def _counters(self, body: CountersAbsorbed | CountersAccepted) -> None:
        counters, who = body.counters, (body.table, body.incarnation)
        now = (
            counters.main_micros - counters.reversed_main_micros,
            counters.reserve_micros - counters.reversed_reserve_micros,
        )
        was = self.counted[who]
        self.counted[who] = now
        raw = (
            counters.main_micros,
            counters.reserve_micros,
            counters.reversed_main_micros,
            counters.reversed_reserve_micros,
        )
        if any(value < before for value, before in zip(raw, self.raw.get(who, (0, 0, 0, 0)), strict=True)):
            raise Wrong(f"the counters of {who} fall from {self.raw[who]} to {raw}")
        self.raw[who] = raw
        adjust = (0, 0)
        if isinstance(body, CountersAccepted):
            adjust = (body.adjust_main_micros, body.adjust_reserve_micros)
        step, (pool, overflow) = (now[0] - was[0], now[1] - was[1]), (self.pools[body.table], self.overflow[body.table])
        over = self._passes(body, step[0], adjust[0])
        main, reserve = step[0] - over + adjust[0], step[1] + adjust[1]
        house_main, house_reserve = max(-(pool.main + main), 0), max(-(pool.stored - overflow + reserve), 0)
        self._same("what the house puts in", body.rescue_micros, house_main + house_reserve)
        self.paid_in += sum(step) + sum(adjust) + body.rescue_micros
        self.overflow[body.table] += over
        self._fact("move", (body.table, main + house_main, reserve + house_reserve + over))

    def _passes(self, body: CountersAbsorbed | CountersAccepted, step: int, adjust: int) -> int:
        """What of a step goes into the overflow, or (below zero) comes back out of it, so that what people find true of
        a step lifts no meter above its ceiling, and what was reversed there takes nothing from the meter.
        """
        meter, ceiling = self.pools[body.table].main, self.ceilings[body.table]
        if ceiling is None:
            return 0
        if step < 0:
            over = -min(-step, self.overflow[body.table]) if meter >= ceiling else 0
        else:
            over = max(min(step + adjust, meter + step + adjust - ceiling), 0)
        self._same("what comes back out of the overflow", body.overflow_micros, self._back(meter, ceiling, step, over))
        return over

    @staticmethod
    def _back(meter: int, ceiling: int, step: int, over: int) -> int:
        """What a record has to name of it: contributions by themselves pass by the ceiling alone."""
        return max(min(step, meter + step - ceiling), 0) - over

    def _present(self) -> dict[str, Pools]:
        return {name: pool for name, pool in sorted(self.pools.items()) if name not in self.gone}

    def _plays_by(self, table: tuple[str, str], first_hand: int, prizes: Any) -> None:
        """The fixed sums of a prize list that a table joined with, or has from a hand on."""
        fixed = {row.category.value: row.fixed_minor for row in prizes.rows if row.fixed_minor is not None}
        self.terms.setdefault(table, []).append((first_hand, fixed))

    def _fixed(self, name: Any) -> dict[str, int]:
        """What the rows of fixed sums pay in a hand, by the terms that its table had then."""
        told = self.terms[name.table, name.incarnation]
        return next(fixed for first, fixed in reversed(told) if first <= name.hand)

    def _is_there(self, name: str, prize: Prize) -> bool:
        """Whether a table's balance is still the one that a prize was taken from: it has not left with it since."""
        return name not in self.gone and prize.place >= self.came[name]

    def _award(self, body: Awarded, seq: int) -> None:
        key = body.granted.name.key
        if key in self.prizes:
            raise Wrong(f"a second award of {key}")
        prize = Prize(len(self.facts), body.winners, body.held, self._fixed(body.granted.name))
        prize.amounts, prize.effect, prize.funding = play_out(body.winners, self._present(), prize.fixed)
        prize.taken = prize.funding - sum(main + stored for main, stored in prize.effect.values())
        self._compare(key, body.granted, prize)
        self.prizes[key] = prize
        self._fact("award", dict(prize.effect))
        prize.place = len(self.facts) - 1
        self.paid_in += prize.funding
        self.awarded += prize.taken

    def _compare(self, key: str, granted: Any, prize: Prize) -> None:
        said = {row.seat: row.amount_minor for row in granted.rows}
        self._same(f"amounts of {key}", said, prize.amounts)
        effect = {each.table: (each.main, each.reserve + each.overflow) for each in granted.changes}
        out = {each.table: each.overflow for each in granted.changes}
        first = {
            each.table: -min(-sum(each[2:4]), self.overflow[each.table])
            for each in granted.changes
            if each[2:4] != (0, 0)
        }
        self._same(f"overflow used for {key}", out, {name: first.get(name, 0) for name in out})
        prize.overflow = {name: micros for name, micros in out.items() if self._is_there(name, prize)}
        for name, micros in prize.overflow.items():
            self.overflow[name] += micros
        found = {name: change for name, change in prize.effect.items() if change != (0, 0)}
        self._same(
            f"debits of {key}",
            {name: effect.get(name, (0, 0)) for name in {*effect, *found}},
            {name: found.get(name, (0, 0)) for name in {*effect, *found}},
        )
        self._same(f"what leaves the meter for {key}", sum(row.debit_micros for row in granted.rows), prize.taken)
        for seat, minor in prize.amounts.items():
            row = f"{key}/{seat}"
            self.highest[row] = max(self.highest.get(row, 0), minor)

    def _void(self, body: Voided) -> None:
        """The story told again with the corrected hand, held awards recomputed and all others as they were given."""
        own = self.prizes[body.name.key]
        own.winners = body.winners
        if isinstance(body, VoidedHeld):
            own.held, own.released = True, False
        again = [
            key
            for key, prize in sorted(self.prizes.items(), key=lambda item: item[1].place)
            if prize is own
            or (prize.place > own.place and prize.held and not prize.released and prize.depends_on_meter)
        ]
        said = {granted.name.key: granted for granted in body.granted}
        self._same("hands recomputed", set(said), set(again))
        before = sum(self.prizes[key].funding for key in again), sum(self.prizes[key].taken for key in again)
        places = {self.prizes[key].place: self.prizes[key] for key in again}
        for key in again:
            for name, micros in self.prizes[key].overflow.items():
                self.overflow[name] -= micros if self._is_there(name, self.prizes[key]) else 0
        pools: dict[str, Pools] = {}
        gone: set[str] = set()
        for place, (kind, fact) in enumerate(self.facts):
            if place in places:
                prize = places[place]
                present = {
                    name: Pools(max(pool.main, 0), max(pool.stored, 0), pool.start)
                    for name, pool in sorted(pools.items())
                    if name not in gone
                }
                prize.amounts, prize.effect, prize.funding = play_out(prize.winners, present, prize.fixed)
                prize.taken = prize.funding - sum(main + stored for main, stored in prize.effect.values())
                fact = dict(prize.effect)
                self.facts[place] = (kind, fact)
            _tell(kind, fact, pools, gone)
        for key in again:
            self._compare(key, said[key], self.prizes[key])
        after = sum(self.prizes[key].funding for key in again), sum(self.prizes[key].taken for key in again)
        self.paid_in += after[0] - before[0]
        self.awarded += after[1] - before[1]
        self._close_void(body, pools, gone)

    def _close_void(self, body: Voided, pools: dict[str, Pools], gone: set[str]) -> None:
        rescue: dict[str, int] = {}
        for name in sorted(pools):
            pool = pools[name]
            reserve = pool.stored - self.overflow.get(name, 0)
            lacks: tuple[int, int] = (max(-pool.main, 0), max(-reserve, 0))
            if name not in gone and lacks != (0, 0):
                rescue[name] = sum(lacks)
                self.facts.append(("move", (name, *lacks)))
                _tell("move", (name, *lacks), pools, gone)
        self._same("what the house puts in after a correction", dict(body.rescue), rescue)
        self.paid_in += sum(rescue.values())
        held = sum(pool.main + pool.stored for pool in pools.values())
        self.pools, self.gone = pools, gone
        self.transferred = self.paid_in - self.awarded - held


def _tell(kind: str, fact: Any, pools: dict[str, Pools], gone: set[str]) -> None:
    match kind:
        case "join":
            pools[fact[0]] = Pools(main=fact[1], start=fact[1])
            gone.discard(fact[0])
        case "start":
            pools[fact[0]].start = fact[1]
        case "move":
            pools[fact[0]].main += fact[1]
            pools[fact[0]].stored += fact[2]
        case "award":
            for name, (main, stored) in fact.items():
                pools[name].main += main
                pools[name].stored += stored
        case "leave":
            pools[fact] = Pools(start=pools[fact].start)
            gone.add(fact)
