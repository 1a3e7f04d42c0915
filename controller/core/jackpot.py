"""The jackpot bet: which credits are allowed, where each bet goes, and what bounds a meter (art. O 47-57)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.core.money import share_micros
from controller.core.records import from_record
from controller.core.refusal import Refusal, Refused, refuse

MAX_CREDITS = 5
_FORMER = {"main": "meter_micros", "reserve": "reserve_micros", "house": "house_micros"}
"""How journals of before call the parts of a contribution."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares of every jackpot bet in basis points; what they leave is the house's."""

    meter_bp: int
    reserve_bp: int = 0
    carta_magica_bp: int = 0
    jugador_afortunado_bp: int = 0


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


def contribution_in(body: Mapping[str, Any]) -> Contribution:
    """The contribution of a stored no va más; ValueError when it is none.

    Journals of before call the parts `main`, `reserve`, `house` and, by the draw's kind, `pools`.
    """
    stored: Mapping[str, Any] = body["contribution"]
    if "main" in stored:
        parts = {_FORMER.get(name, name): micros for name, micros in stored.items() if name != "pools"}
        stored = parts | {f"{kind}_micros": micros for kind, micros in stored["pools"].items()}
    return from_record(Contribution, stored)


def under_ceiling(meter_micros: int, added_micros: int, ceiling_micros: int | None) -> tuple[int, int]:
    """What of an addition joins the meter and what overflows: the meter never rises above its ceiling, and one that
    stands above it (a ceiling lowered later) keeps what it has."""
    if ceiling_micros is None:
        return added_micros, 0
    room = max(ceiling_micros - meter_micros, 0)
    joins = min(added_micros, room)
    return joins, added_micros - joins


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
