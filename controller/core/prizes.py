"""Who is paid what out of a meter: one function for a table's own jackpot and a carousel's (art. O 54-60, B 13)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import groupby
from operator import attrgetter

from controller.core.hands import Category
from controller.core.money import split_proportionally


class RoyalWithStraightFlush(Enum):
    """Reading O-b: a royal and a straight flush in one hand."""

    HIGHEST_FIRST = "highest_first"
    STRAIGHT_FLUSH_FIRST = "straight_flush_first"
    RESTART_THEN_PAY = "restart_then_pay"


class PaidBy(Enum):
    """Where a prize comes from."""

    METER = "meter"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class Prize:
    """One row of a prize list: a percentage of the meter, or a fixed sum in minor units (per credit or not).

    Percentages are never multiplied by credits (reading O-e); in a fixed jackpot the royal and the straight flush
    are written with `per_credit` false (art. O 55).
    """

    category: Category
    percent: int | None = None
    fixed_minor: int | None = None
    per_credit: bool = True


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes of a jackpot and how its open questions are read (O-b, O-f, O-g).

    `article`: the one article every award cites; None = Oasis' own (54-56 fixed rows, 58 royal, 59 percentages).
    """

    rows: tuple[Prize, ...]
    royal_with_straight_flush: RoyalWithStraightFlush = RoyalWithStraightFlush.HIGHEST_FIRST
    fixed_prizes_from: PaidBy = PaidBy.HOUSE
    top_up_after_partial: bool = False
    article: str | None = None

    def row(self, category: Category) -> Prize | None:
        """The row that pays a category, if there is one."""
        return next((row for row in self.rows if row.category is category), None)


@dataclass(frozen=True, slots=True)
class Winner:
    """A box whose cards win a row: strength compares hands (higher wins, equal ties)."""

    seat: int
    category: Category
    strength: int
    credits: int


@dataclass(frozen=True, slots=True)
class Balance:
    """One table's part of a meter, in micros; a table's own jackpot is a carousel of one balance."""

    table: str
    micros: int
    start_micros: int
    reserve_micros: int = 0


@dataclass(frozen=True, slots=True)
class Award:
    """One prize: whole minor units, and the micros it takes from each table (none when the house pays)."""

    seat: int
    category: Category
    amount_minor: int
    paid_by: PaidBy
    article: str
    debits: tuple[tuple[str, int], ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Settlement:
    """The prizes of a hand in the order of payment, the balances after them, and what was added per table.

    `funding`: micros from the house; `reserve_used`: micros that moved from a table's reserve into its balance.
    Per table: micros after = micros before - debits + reserve used + funding.
    """

    awards: tuple[Award, ...]
    balances: tuple[Balance, ...]
    funding: tuple[tuple[str, int], ...] = field(default=())
    notes: tuple[str, ...] = field(default=())
    reserve_used: tuple[tuple[str, int], ...] = field(default=())
    restarted: bool = False


def settle_prizes(
    prizes: PrizeList, balances: Sequence[Balance], winners: Sequence[Winner], minor_micros: int
) -> Settlement:
    """The prizes of one hand's winners, out of balances that already hold the hand's contribution (reading O-a).

    Winners may come in any order: higher strength is paid first, equals by seat. A winner whose category has no row
    gets nothing; so does a straight flush when the royal took all (a note says so). Amounts are floored to minor units
    and the odd part stays in the meter (O-d). Each table restarts at its own start value (O-h, O-n).
    """
    till = _Till(prizes, tuple(balances), minor_micros)
    ranked = sorted(winners, key=lambda winner: (-winner.strength, winner.seat))
    royals = [winner for winner in ranked if _takes_all(prizes.row(winner.category))]
    partial = [winner for winner in ranked if _takes_part(prizes.row(winner.category))]
    fixed = [winner for winner in ranked if _is_fixed(prizes.row(winner.category))]
    match prizes.royal_with_straight_flush if royals and partial else None:
        case None:
            till.pay_royals(royals)
            till.pay_partial(partial, till.whole)
        case RoyalWithStraightFlush.STRAIGHT_FLUSH_FIRST:
            till.pay_partial(partial, till.whole)
            till.pay_royals(royals)
        case RoyalWithStraightFlush.RESTART_THEN_PAY:
            till.pay_royals(royals)
            till.pay_partial(partial, till.restart_value)
        case RoyalWithStraightFlush.HIGHEST_FIRST:
            till.pay_royals(royals)
            till.notes += [f"nothing_left_after_royal seat {winner.seat}" for winner in partial]
    till.pay_fixed(fixed)
    till.top_up()
    return till.settlement(tuple(balances))


def may_take_from_meter(prizes: PrizeList, category: Category) -> bool:
    """Whether a list pays a category out of the meter, as far as there is any."""
    row = prizes.row(category)
    return row is not None and (not _is_fixed(row) or prizes.fixed_prizes_from is PaidBy.METER)


def _takes_all(row: Prize | None) -> bool:
    return row is not None and row.percent == 100


def _takes_part(row: Prize | None) -> bool:
    return row is not None and row.percent is not None and row.percent != 100


def _is_fixed(row: Prize | None) -> bool:
    return row is not None and row.fixed_minor is not None


class _Till:
    """The meter of one hand while its prizes are counted out; lives only inside `settle_prizes`."""

    def __init__(self, prizes: PrizeList, balances: tuple[Balance, ...], minor_micros: int) -> None:
        self.prizes = prizes
        self.minor_micros = minor_micros
        self.balances = balances
        self.restart_value = sum(max(balance.start_micros, balance.reserve_micros) for balance in balances)
        self.awards: list[Award] = []
        self.funding = {balance.table: 0 for balance in balances}
        self.notes: list[str] = []
        self.restarted = False

    @property
    def whole(self) -> int:
        return sum(balance.micros for balance in self.balances)

    def pay_royals(self, royals: Sequence[Winner]) -> None:
        """Art. 58: the whole in equal parts, each floored; then the restart (reading O-h)."""
        if not royals:
            return
        share_minor = self.whole // (len(royals) * self.minor_micros)
        for winner in royals:
            self._award_from_meter(winner, share_minor, "58")
        self.balances = tuple(self._filled_to(balance, balance.start_micros, True) for balance in self.balances)
        self.restarted = True

    def pay_partial(self, winners: Sequence[Winner], initial_micros: int) -> None:
        """Art. 59 on `initial_micros`: one box gets its percentage of what remains, equals each that of the initial
        amount, never more than what is left, which they then share (reading O-c)."""
        left = initial_micros
        for group in _equals(winners):
            row = self.prizes.row(group[0].category)
            percent = row.percent if row is not None and row.percent is not None else 0
            basis = left if len(group) == 1 else initial_micros
            most_minor = left // (len(group) * self.minor_micros)
            amount_minor = min(basis * percent // (100 * self.minor_micros), most_minor)
            for winner in group:
                self._award_from_meter(winner, amount_minor, "59")
            left -= amount_minor * self.minor_micros * len(group)

    def pay_fixed(self, winners: Sequence[Winner]) -> None:
        """Art. 54-56: fixed sums, from the house, or from the meter, to which the house adds what it lacks (O-f)."""
        is_progressive = any(row.percent is not None for row in self.prizes.rows)
        for winner in winners:
            row = self.prizes.row(winner.category)
            if row is None or row.fixed_minor is None:
                continue
            amount_minor = row.fixed_minor * (winner.credits if row.per_credit else 1)
            article = "56" if is_progressive else "54" if row.per_credit else "55"
            if self.prizes.fixed_prizes_from is PaidBy.HOUSE:
                self._add(winner, amount_minor, PaidBy.HOUSE, article, ())
                continue
            self._fund_whole_to(amount_minor * self.minor_micros)
            self._award_from_meter(winner, amount_minor, article)

    def top_up(self) -> None:
        """Reading O-g: after a prize that left the meter below its start value, only when the site asks for it."""
        if self.prizes.top_up_after_partial and any(award.debits for award in self.awards):
            self.balances = tuple(
                self._filled_to(balance, balance.start_micros - balance.micros, False) for balance in self.balances
            )

    def settlement(self, before: tuple[Balance, ...]) -> Settlement:
        pairs = zip(before, self.balances, strict=True)
        used = ((was.table, was.reserve_micros - now.reserve_micros) for was, now in pairs)
        return Settlement(
            awards=tuple(self.awards),
            balances=self.balances,
            funding=_nonzero(self.funding.items()),
            notes=tuple(self.notes),
            reserve_used=_nonzero(used),
            restarted=self.restarted,
        )

    def _award_from_meter(self, winner: Winner, amount_minor: int, article: str) -> None:
        parts = [(balance.table, balance.micros) for balance in self.balances]
        debits = split_proportionally(amount_minor * self.minor_micros, parts)
        self.balances = tuple(
            replace(balance, micros=balance.micros - taken)
            for balance, (_, taken) in zip(self.balances, debits, strict=True)
        )
        self._add(winner, amount_minor, PaidBy.METER, article, _nonzero(debits))

    def _add(
        self, winner: Winner, amount_minor: int, paid_by: PaidBy, article: str, debits: tuple[tuple[str, int], ...]
    ) -> None:
        if amount_minor == 0:
            self.notes.append(f"nothing_left seat {winner.seat}")
            return
        cited = self.prizes.article or article
        self.awards.append(Award(winner.seat, winner.category, amount_minor, paid_by, cited, debits))

    def _filled_to(self, balance: Balance, lacking_micros: int, empty_reserve: bool) -> Balance:
        """The balance with what it lacks added, the reserve paying first; a restart takes the whole reserve."""
        lacking = max(lacking_micros, 0)
        from_reserve = balance.reserve_micros if empty_reserve else min(balance.reserve_micros, lacking)
        from_house = max(lacking - from_reserve, 0)
        self.funding[balance.table] += from_house
        return replace(
            balance,
            micros=balance.micros + from_reserve + from_house,
            reserve_micros=balance.reserve_micros - from_reserve,
        )

    def _fund_whole_to(self, needed_micros: int) -> None:
        """The house lends a meter what a fixed prize lacks, table by table in proportion to the start values."""
        lacking = needed_micros - self.whole
        if lacking <= 0:
            return
        weights = [(balance.table, max(balance.start_micros, 1) * lacking) for balance in self.balances]
        for index, (table, micros) in enumerate(split_proportionally(lacking, weights)):
            self.funding[table] += micros
            filled = replace(self.balances[index], micros=self.balances[index].micros + micros)
            self.balances = (*self.balances[:index], filled, *self.balances[index + 1 :])


def _equals(winners: Sequence[Winner]) -> list[list[Winner]]:
    return [list(group) for _, group in groupby(winners, key=attrgetter("strength"))]


def _nonzero(named: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    return tuple((name, micros) for name, micros in named if micros)
