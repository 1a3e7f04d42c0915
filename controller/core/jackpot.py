"""The jackpot bet: which credits are allowed, where each bet goes, and what bounds a meter (art. O 47-57)."""

from dataclasses import dataclass

from controller.core.money import BASIS_POINTS, share_micros
from controller.core.refusal import Refusal, Refused, refuse

MAX_CREDITS = 5


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares of every jackpot bet in basis points; what they leave is the house's."""

    meter_bp: int
    reserve_bp: int = 0
    carta_magica_bp: int = 0
    jugador_afortunado_bp: int = 0

    @property
    def total_bp(self) -> int:
        return self.meter_bp + self.reserve_bp + self.carta_magica_bp + self.jugador_afortunado_bp


@dataclass(frozen=True, slots=True)
class Contribution:
    """Where a jackpot bet goes, in micros; the five parts are the whole bet."""

    meter_micros: int = 0
    reserve_micros: int = 0
    carta_magica_micros: int = 0
    jugador_afortunado_micros: int = 0
    house_micros: int = 0


def contribution(bet_minor: int, rates: Rates, minor_micros: int) -> Contribution:
    """The parts of a bet of whole minor units (art. 57); exact, nothing is rounded and nothing carried."""
    meter = share_micros(bet_minor, rates.meter_bp, minor_micros)
    reserve = share_micros(bet_minor, rates.reserve_bp, minor_micros)
    magic = share_micros(bet_minor, rates.carta_magica_bp, minor_micros)
    lucky = share_micros(bet_minor, rates.jugador_afortunado_bp, minor_micros)
    return Contribution(meter, reserve, magic, lucky, bet_minor * minor_micros - meter - reserve - magic - lucky)


def under_ceiling(meter_micros: int, added_micros: int, ceiling_micros: int | None) -> tuple[int, int]:
    """What of an addition joins the meter and what overflows: the meter never rises above its ceiling, and one that
    stands above it (a ceiling lowered later) keeps what it has."""
    if ceiling_micros is None:
        return added_micros, 0
    room = max(ceiling_micros - meter_micros, 0)
    joins = min(added_micros, room)
    return joins, added_micros - joins


def check_rates(rates: Rates) -> Refused | None:
    """Shares are at least nothing and together at most the whole bet."""
    parts = (rates.meter_bp, rates.reserve_bp, rates.carta_magica_bp, rates.jugador_afortunado_bp)
    if min(parts) < 0 or rates.total_bp > BASIS_POINTS:
        return refuse(Refusal.RATES_OUT_OF_BOUNDS, total_bp=rates.total_bp, most_bp=BASIS_POINTS)
    return None


def check_credits(credits: int, credit_minor: int, minimum_minor: int, most: int = MAX_CREDITS) -> Refused | None:
    """Art. 49: 1 to 5 credits in a box, whose value is never above the table's minimum."""
    if credits < 1:
        return refuse(Refusal.TOO_FEW_CREDITS, credits=credits, least=1)
    if credits > most:
        return refuse(Refusal.TOO_MANY_CREDITS, credits=credits, most=most)
    if credits * credit_minor > minimum_minor:
        value = credits * credit_minor
        return refuse(Refusal.CREDITS_ABOVE_TABLE_MINIMUM, value=value, minimum=minimum_minor)
    return None


def check_jackpot_bet(
    has_ante: bool, credits: int, credit_minor: int, minimum_minor: int, most: int = MAX_CREDITS
) -> Refused | None:
    """Why a box's jackpot bet does not stand: no ante (art. 52), or its credits (art. 49)."""
    return check_credits(credits, credit_minor, minimum_minor, most) if has_ante else refuse(Refusal.NO_ANTE)


def check_start_value(start_minor: int, lowest_bet_minor: int, start_at_least_bets: int) -> Refused | None:
    """Art. 57: the start value is at least so many times the lowest jackpot bet (5,000 in Argentina; 0 = no bound)."""
    least = lowest_bet_minor * start_at_least_bets
    return refuse(Refusal.START_VALUE_TOO_LOW, start=start_minor, least=least) if start_minor < least else None


def most_contributed_micros(
    hands: int, seats: int, credit_minor: int, rate_bp: int, minor_micros: int, credits: int = MAX_CREDITS
) -> int:
    """The most a table can have contributed at a rate over so many hands: every box, every credit."""
    return share_micros(hands * seats * credits * credit_minor, rate_bp, minor_micros)


def check_contribution(step_micros: int, most_micros: int) -> Refused | None:
    """An unreasonable step of a counter, against the bound of `most_contributed_micros`."""
    if step_micros > most_micros:
        return refuse(Refusal.UNREASONABLE_CONTRIBUTION, step_micros=step_micros, most_micros=most_micros)
    return None
