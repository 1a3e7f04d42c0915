"""What a prize list gives back: long-run return, hit rate, break-even meter, expected trigger; exact fractions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from controller.config.draw_chances import draws_minor
from controller.config.frequencies import COUNTS, HANDS
from controller.config.jackpot import Jackpot
from controller.config.lending import Lending, lent_minor
from controller.config.table import Table
from controller.core.hands import Category
from controller.core.money import BASIS_POINTS
from controller.core.prizes import PaidBy

NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Return:
    """Long-run return of one bet of `credits`, in parts of the bet; `total` is their sum.

    Contribution and reserve come back to the players in full; the house adds the fixed rows it pays, what a restart
    lacks, what it lends a meter that pays the fixed rows (`loans`, a bound from above), and the draws: what they pay,
    or what their pools take in, whichever is more.
    """

    credits: int
    fixed: Fraction
    contribution: Fraction
    reserve: Fraction
    restarts: Fraction
    loans: Fraction
    draws: Fraction

    @property
    def total(self) -> Fraction:
        return self.fixed + self.contribution + self.reserve + self.restarts + self.loans + self.draws


def chance(jackpot: Jackpot, category: Category) -> Fraction:
    """Chance of a category in one hand of one box."""
    cards = jackpot.cards_counted
    return Fraction(COUNTS[cards][category], HANDS[cards])


def hit_rate(jackpot: Jackpot) -> Fraction:
    """Chance that a box wins any row in one hand."""
    return sum((chance(jackpot, category) for category in jackpot.prizes), NOTHING)


def bet_minor(jackpot: Jackpot, credits: int) -> int:
    """A jackpot bet in minor units."""
    return jackpot.credit * credits


def row_minor(jackpot: Jackpot, category: Category, credits: int, meter_minor: Fraction | int = 0) -> Fraction:
    """What a row pays on so many credits at a meter, in minor units, unrounded."""
    row = jackpot.prizes[category]
    if row.percent is not None:
        return Fraction(meter_minor) * row.percent / 100
    return Fraction(row.fixed or 0) * (credits if jackpot.per_credit(category) else 1)


def fixed_cost_minor(jackpot: Jackpot, credits: int) -> Fraction:
    """Mean of the fixed rows per bet, in minor units."""
    means = (chance(jackpot, category) * row_minor(jackpot, category, credits) for category in jackpot.prizes)
    return sum(means, NOTHING)


def percent_share(jackpot: Jackpot) -> Fraction:
    """Mean part of the meter that a bet wins."""
    shares = (chance(jackpot, category) * (row.percent or 0) / 100 for category, row in jackpot.prizes.items())
    return sum(shares, NOTHING)


def return_at(jackpot: Jackpot, meter_minor: int, credits: int = 1) -> Fraction:
    """What one bet returns when the meter stands there, in parts of the bet: what a player sees, one winner a row."""
    gained = fixed_cost_minor(jackpot, credits) + percent_share(jackpot) * meter_minor
    return gained / bet_minor(jackpot, credits)


def break_even_minor(jackpot: Jackpot, credits: int = 1) -> Fraction | None:
    """The meter at which a bet returns itself; None without percentages, negative when fixed rows exceed it."""
    share = percent_share(jackpot)
    return (bet_minor(jackpot, credits) - fixed_cost_minor(jackpot, credits)) / share if share else None


def reset_chance(jackpot: Jackpot) -> Fraction:
    """Chance that a bet takes the whole meter."""
    whole = (chance(jackpot, category) for category, row in jackpot.prizes.items() if row.percent == 100)
    return sum(whole, NOTHING)


def mean_restart_minor(jackpot: Jackpot) -> Fraction | None:
    """Mean value a meter restarts at, the higher of start value and reserve (reading O-h); bets of one credit."""
    whole = reset_chance(jackpot)
    if not whole:
        return None
    reserved = Fraction(jackpot.credit * jackpot.reserve_bp, BASIS_POINTS)
    return (reserved + _restart_funding_minor(jackpot, 1)) / whole


def expected_trigger_minor(jackpot: Jackpot) -> Fraction | None:
    """Mean meter when the whole of it is won, bets of one credit, one at a time; None when nothing takes the whole.

    Where the meter pays the fixed rows, or is topped up, it is a bound from above, as what the house adds is one.

    With p the chance of the whole, s the mean part that partial rows take, c the contribution of a bet, m the mean
    restart and T the meter at the trigger: T = m + c at the first bet, and a bet that does not win the whole leaves on
    average (1 − p − s) / (1 − p) of it, hence E[T] = (p (m + c) + (1 − p) c) / (p + s). What fixed rows take out of the
    meter, less what the house adds for them, lessens c.
    """
    whole = reset_chance(jackpot)
    if not whole:
        return None
    partial = percent_share(jackpot) - whole
    per_bet = Fraction(jackpot.credit * jackpot.contribution_bp, BASIS_POINTS)
    restart = mean_restart_minor(jackpot) or NOTHING
    return _mean_trigger(whole, partial, per_bet + _added_minor(jackpot), restart)


def expected_linked_trigger_minor(jackpots: Sequence[Jackpot]) -> Fraction | None:
    """As `expected_trigger_minor` for linked tables that play alike: the sum of their restarts is the restart."""
    wholes = [reset_chance(jackpot) for jackpot in jackpots]
    if not all(wholes) or not wholes:
        return None
    many = len(jackpots)
    whole = sum(wholes, NOTHING) / many
    partial = sum((percent_share(jackpot) for jackpot in jackpots), NOTHING) / many - whole
    shares = (Fraction(jackpot.credit * jackpot.contribution_bp, BASIS_POINTS) for jackpot in jackpots)
    fed = sum((share + _added_minor(jackpot) for share, jackpot in zip(shares, jackpots, strict=True)), NOTHING) / many
    restart = sum((mean_restart_minor(jackpot) or NOTHING for jackpot in jackpots), NOTHING)
    return _mean_trigger(whole, partial, fed, restart)


def _mean_trigger(whole: Fraction, partial: Fraction, per_bet: Fraction, restart: Fraction) -> Fraction:
    return (whole * restart + per_bet) / (whole + partial)


def _meter_pays_fixed(jackpot: Jackpot) -> bool:
    """Whether fixed rows come out of a meter (reading O-f); a fixed jackpot has none, whatever the option says."""
    fixed = any(row.fixed is not None for row in jackpot.prizes.values())
    return fixed and jackpot.kind == "progressive" and jackpot.options.fixed_prizes_from is PaidBy.METER


def _added_minor(jackpot: Jackpot) -> Fraction:
    """Mean per bet of one credit of what joins the meter beside contributions and restarts, less its fixed rows."""
    if _meter_pays_fixed(jackpot):
        return _loans_minor(jackpot, 1) - fixed_cost_minor(jackpot, 1)
    return _top_up_minor(jackpot)


def long_run(table: Table, credits: int) -> Return:
    """Long-run return of a table's jackpot bets, all of them of so many credits."""
    jackpot = table.jackpot
    bet = bet_minor(jackpot, credits)
    from_meter = _meter_pays_fixed(jackpot)
    return Return(
        credits=credits,
        fixed=NOTHING if from_meter else fixed_cost_minor(jackpot, credits) / bet,
        contribution=Fraction(jackpot.contribution_bp, BASIS_POINTS),
        reserve=Fraction(jackpot.reserve_bp, BASIS_POINTS),
        restarts=(_restart_funding_minor(jackpot, credits) + (NOTHING if from_meter else _top_up_minor(jackpot))) / bet,
        loans=_loans_minor(jackpot, credits) / bet if from_meter else NOTHING,
        draws=draws_minor(table, bet) / bet,
    )


def returns(table: Table) -> Iterator[Return]:
    """The long-run return for every number of credits that may be bet."""
    for credits in range(1, table.jackpot.max_credits + 1):
        yield long_run(table, credits)


def _restart_funding_minor(jackpot: Jackpot, credits: int) -> Fraction:
    """Mean per bet of what the house adds at restarts: start value less the reserve gathered since the last one.

    The reserve after n bets is n·r, and n is geometric: E[max(0, S − n·r)] summed in closed form over n ≤ S/r, in
    decimals of 60 digits (the powers have no short exact form) and told to 15.
    """
    p = reset_chance(jackpot)
    per_bet = Fraction(bet_minor(jackpot, credits) * jackpot.reserve_bp, BASIS_POINTS)
    if not p or not jackpot.start:
        return NOTHING
    if not per_bet:
        return p * jackpot.start
    last = int(jackpot.start / per_bet)
    with localcontext() as context:
        context.prec = 60
        chance_p = Decimal(p.numerator) / p.denominator
        stays = 1 - chance_p
        power = stays**last
        step = Decimal(per_bet.numerator) / per_bet.denominator
        sum_n = (1 - power) / chance_p - last * power
        lacking = jackpot.start * (1 - power) - step * sum_n
        return Fraction(lacking * chance_p).limit_denominator(10**15)


def _top_up_minor(jackpot: Jackpot) -> Fraction:
    """Most per bet that a top-up to the start value after a partial prize can cost (reading O-g)."""
    if not jackpot.options.top_up_after_partial:
        return NOTHING
    return (percent_share(jackpot) - reset_chance(jackpot)) * jackpot.start


def _loans_minor(jackpot: Jackpot, credits: int) -> Fraction:
    """Most per bet that the house lends a meter for its fixed rows, with what tops it up after prizes (O-f, O-g)."""
    bet = bet_minor(jackpot, credits)
    fixed = [category for category, row in jackpot.prizes.items() if row.fixed is not None]
    partial = {category: row.percent for category, row in jackpot.prizes.items() if row.percent not in (None, 100)}
    return lent_minor(
        Lending(
            sums=tuple((chance(jackpot, category), row_minor(jackpot, category, credits)) for category in fixed),
            parts=tuple((chance(jackpot, category), Fraction(part or 0, 100)) for category, part in partial.items()),
            whole=reset_chance(jackpot),
            share_minor=Fraction(bet * jackpot.contribution_bp, BASIS_POINTS),
            start_minor=jackpot.start,
            reserve_minor=Fraction(bet * jackpot.reserve_bp, BASIS_POINTS),
            floor_minor=jackpot.start if jackpot.options.top_up_after_partial else 0,
            ceiling_minor=jackpot.ceiling,
        )
    )
