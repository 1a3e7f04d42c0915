"""The path of a meter by simulation: bets of one box, one after the other, settled by the rules' own prize function."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from controller.config.frequencies import HANDS
from controller.config.jackpot import Jackpot
from controller.config.returns import chance, row_minor
from controller.core.hands import Category
from controller.core.money import share_micros
from controller.core.prizes import Balance, PaidBy, Winner, settle_prizes

Progress = Callable[[int, int], None]
_BATCH = 4_096
_MARKED = 20_000
"""Most prizes kept for a plot; all of them are in the sums."""


@dataclass(frozen=True, slots=True)
class Won:
    """A prize out of the meter: at which hand, what it paid, the meter before and after, in minor units floored."""

    hand: int
    category: Category
    paid_minor: int
    before_minor: int
    after_minor: int


@dataclass(frozen=True, slots=True)
class Path:
    """What a simulated stretch of hands came to; amounts in minor units unless named otherwise."""

    hands: int
    credits: int
    seed: int
    staked_minor: int
    start_minor: int
    meter_minor: int
    highest_minor: int
    hits: Mapping[Category, int]
    paid_minor: Mapping[Category, int]
    reserve_minor: int
    overflow_minor: int
    funded_minor: int
    triggers_minor: int
    resets: int
    won: tuple[Won, ...]

    @property
    def returned(self) -> Fraction:
        """What was paid and what meter, reserve and overflow gained, in parts of the stakes."""
        kept = self.meter_minor - self.start_minor + self.reserve_minor + self.overflow_minor
        return Fraction(sum(self.paid_minor.values()) + kept, self.staked_minor)

    @property
    def shown_hands(self) -> int:
        """Hands that `won` covers: all of them, or up to the last prize it had room for."""
        return self.won[-1].hand if len(self.won) == _MARKED else self.hands

    @property
    def mean_trigger_minor(self) -> int | None:
        """Mean meter at which the whole was won; None when it never was."""
        return self.triggers_minor // self.resets if self.resets else None


class _Meter:
    """The meter while it is played; lives only inside `simulate`."""

    def __init__(self, jackpot: Jackpot, credits: int, meter_minor: int, minor_micros: int) -> None:
        self.jackpot, self.credits, self.minor_micros = jackpot, credits, minor_micros
        self.prizes = jackpot.prize_list()
        bet = jackpot.credit * credits
        self.main_micros = share_micros(bet, jackpot.contribution_bp, minor_micros)
        self.reserve_micros = share_micros(bet, jackpot.reserve_bp, minor_micros)
        self.balance = Balance("table", meter_minor * minor_micros, jackpot.start * minor_micros)
        self.ceiling_micros = None if jackpot.ceiling is None else jackpot.ceiling * minor_micros
        self.hand = 0
        self.funded_micros = 0
        self.overflow_micros = 0
        self.highest_micros = self.balance.micros
        self.triggers_minor = 0
        self.resets = 0

    def play(self, hands: int) -> None:
        """Hands without a prize out of the meter: it only grows, above its ceiling into the overflow."""
        self.hand += hands
        grown = self.balance.micros + hands * self.main_micros
        if self.ceiling_micros is not None and grown > self.ceiling_micros:
            kept = max(self.ceiling_micros, self.balance.micros)
            self.overflow_micros += grown - kept
            grown = kept
        reserve = self.balance.reserve_micros + hands * self.reserve_micros
        self.balance = Balance("table", grown, self.balance.start_micros, reserve)
        self.highest_micros = max(self.highest_micros, grown)

    def win(self, category: Category) -> Won:
        """A prize in the hand just played."""
        before = self.balance.micros // self.minor_micros
        settled = settle_prizes(self.prizes, [self.balance], [Winner(1, category, 1, self.credits)], self.minor_micros)
        self.balance = settled.balances[0]
        self.funded_micros += sum(micros for _, micros in settled.funding)
        if settled.restarted:
            self.resets += 1
            self.triggers_minor += before
        paid = sum(award.amount_minor for award in settled.awards)
        return Won(self.hand, category, paid, before, self.balance.micros // self.minor_micros)


def simulate(
    jackpot: Jackpot,
    hands: int,
    *,
    meter_minor: int | None = None,
    credits: int = 1,
    seed: int = 1,
    minor_micros: int = 10_000,
    progress: Progress | None = None,
) -> Path:
    """Play `hands` bets of so many credits from a meter (its start value unless given).

    Only the hands that take from the meter are drawn one by one (their gaps are geometric); fixed rows that the house
    pays are drawn as numbers. The same seed gives the same path. ValueError without a percentage row or a hand.
    """
    from_meter = _rows_from_meter(jackpot)
    if hands < 1 or not any(row.percent for row in jackpot.prizes.values()):
        raise ValueError("a path takes a progressive prize list and at least one hand")
    rng = np.random.default_rng(seed)
    start = jackpot.start if meter_minor is None else meter_minor
    meter = _Meter(jackpot, credits, start, minor_micros)
    hits: dict[Category, int] = dict.fromkeys(jackpot.prizes, 0)
    paid: dict[Category, int] = dict.fromkeys(jackpot.prizes, 0)
    marked: list[Won] = []
    for gap, category in _wins(rng, jackpot, from_meter):
        if meter.hand + gap > hands:
            break
        meter.play(gap)
        won = meter.win(category)
        hits[category] += 1
        paid[category] += won.paid_minor
        if len(marked) < _MARKED:
            marked.append(won)
        if progress is not None:
            progress(meter.hand, hands)
    meter.play(hands - meter.hand)
    _house_rows(rng, jackpot, from_meter, hands - sum(hits.values()), credits, hits, paid)
    return Path(
        hands=hands,
        credits=credits,
        seed=seed,
        staked_minor=hands * jackpot.credit * credits,
        start_minor=start,
        meter_minor=meter.balance.micros // minor_micros,
        highest_minor=meter.highest_micros // minor_micros,
        hits=hits,
        paid_minor=paid,
        reserve_minor=meter.balance.reserve_micros // minor_micros,
        overflow_minor=meter.overflow_micros // minor_micros,
        funded_minor=meter.funded_micros // minor_micros,
        triggers_minor=meter.triggers_minor,
        resets=meter.resets,
        won=tuple(marked),
    )


def _rows_from_meter(jackpot: Jackpot) -> list[Category]:
    fixed_too = jackpot.options.fixed_prizes_from is PaidBy.METER
    return [category for category, row in jackpot.prizes.items() if row.percent is not None or fixed_too]


def _wins(rng: np.random.Generator, jackpot: Jackpot, rows: list[Category]) -> Iterator[tuple[int, Category]]:
    """Endless gaps between prizes out of the meter, each with its row."""
    weights = np.array([float(chance(jackpot, category)) for category in rows])
    any_row = float(weights.sum())
    while True:
        gaps = rng.geometric(any_row, _BATCH)
        picks = rng.choice(len(rows), _BATCH, p=weights / any_row)
        for gap, pick in zip(gaps.tolist(), picks.tolist(), strict=True):
            yield gap, rows[pick]


def _house_rows(
    rng: np.random.Generator,
    jackpot: Jackpot,
    from_meter: list[Category],
    hands: int,
    credits: int,
    hits: dict[Category, int],
    paid: dict[Category, int],
) -> None:
    """Fixed rows of the hands that took nothing from the meter, drawn together."""
    rows = [category for category in jackpot.prizes if category not in from_meter]
    total = HANDS[jackpot.cards_counted]
    rest = Fraction(total) - sum((chance(jackpot, category) * total for category in from_meter), Fraction(0))
    shares = [float(chance(jackpot, category) * total / rest) for category in rows]
    drawn = rng.multinomial(hands, [*shares, 1.0 - sum(shares)])
    for category, number in zip(rows, drawn.tolist(), strict=False):
        hits[category] = number
        paid[category] = number * int(row_minor(jackpot, category, credits))
