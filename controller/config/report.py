"""What `check-config` says of a configuration that can run: terms, figures and readings, as plain values."""

from fractions import Fraction
from typing import Any

from controller.config.checks import terms_hash
from controller.config.model import Config
from controller.config.readings import readings
from controller.config.returns import (
    Return,
    break_even_minor,
    chance,
    expected_trigger_minor,
    fixed_cost_minor,
    hit_rate,
    returns,
)
from controller.config.table import Table
from controller.config.texts import number, percent, said, written
from controller.core.hands import Category
from controller.core.money import BASIS_POINTS, Currency

ROUNDING = said(
    "contributions exact in millionths of the unit; prizes floored to minor units, the rest stays in the meter"
)


def describe(config: Config) -> dict[str, Any]:
    """Figures of the whole node; amounts in minor units, shares in basis points floored, fractions as `n/d`."""
    return {
        "site": config.site.id,
        "currency": config.site.currency,
        "decimals": config.site.decimals,
        "rounding": ROUNDING,
        "tables": [describe_table(table, config.site.money) for table in config.tables],
        "carousels": [_carousel(config, carousel.id) for carousel in config.carousels],
    }


def describe_table(table: Table, money: Currency) -> dict[str, Any]:
    described: dict[str, Any] = {
        "table": table.id,
        "game": table.game,
        "preset": table.preset,
        "regulation": table.regulation,
        "seats": table.seats,
        "carousel": table.carousel,
        "terms": terms_hash(table),
        "jackpot": None if table.jackpot.kind == "none" else _jackpot(table, money),
        "readings": [
            {
                "id": reading.id,
                "articles": reading.articles,
                "question": reading.question,
                "setting": reading.setting,
                "value": reading.stated(table, money),
                "meaning": reading.meant(table, money),
            }
            for reading in readings(table)
        ],
    }
    return described


def _jackpot(table: Table, money: Currency) -> dict[str, Any]:
    jackpot = table.jackpot
    break_even = break_even_minor(jackpot)
    trigger = expected_trigger_minor(jackpot)
    return {
        "kind": jackpot.kind,
        "cards": jackpot.cards_counted,
        "credit": jackpot.credit,
        "max_credits": jackpot.max_credits,
        "contribution": {
            "displayed_bp": jackpot.contribution_bp,
            "reserve_bp": jackpot.reserve_bp,
            "draw_pools_bp": table.draws.pools_bp,
        },
        "start": jackpot.start,
        "start_bound": jackpot.options.start_at_least_bets * table.lowest_bet,
        "ceiling": jackpot.ceiling,
        "unreasonable_credits_per_hand": table.unreasonable_credits_per_hand,
        "rows": [_row(table, category, money) for category in Category if category in jackpot.prizes],
        "hit_rate": _share(hit_rate(jackpot)),
        "fixed_cost": [
            _share(fixed_cost_minor(jackpot, credits) / (jackpot.credit * credits))
            for credits in range(1, jackpot.max_credits + 1)
        ],
        "returns": [_return(one) for one in returns(table)],
        "break_even_meter": None if break_even is None else int(break_even // 1),
        "expected_trigger": None if trigger is None else int(trigger // 1),
        "other_reading": _other_reading(table),
    }


def _row(table: Table, category: Category, money: Currency) -> dict[str, Any]:
    row = table.jackpot.prizes[category]
    won = chance(table.jackpot, category)
    fixed = None if row.fixed is None else written(row.fixed, money)
    return {
        "category": category.value,
        "percent": row.percent,
        "fixed": row.fixed,
        "per_credit": table.jackpot.per_credit(category),
        "pays": said("{percent} % of the meter", percent=row.percent) if fixed is None else fixed,
        "one_in": one_in(won),
    }


def one_in(chance_won: Fraction) -> int:
    """How many hands one win takes, to the nearest."""
    return (2 * chance_won.denominator + chance_won.numerator) // (2 * chance_won.numerator)


def _return(one: Return) -> dict[str, Any]:
    parts = ("fixed", "contribution", "reserve", "restarts", "loans", "draws", "total")
    return {"credits": one.credits} | {part: _share(getattr(one, part)) for part in parts}


def _other_reading(table: Table) -> dict[str, str] | None:
    """Reading B-b: how much likelier the top row would be on the other count of cards, for hold'em lists."""
    options = table.jackpot.options
    other = {"best_of_seven": "hole_and_flop", "hole_and_flop": "best_of_seven"}.get(options.bonus_cards)
    if other is None:
        return None
    counted = table.jackpot.model_copy(update={"options": options.model_copy(update={"bonus_cards": other})})
    total = max(one.total for one in returns(table.model_copy(update={"jackpot": counted})))
    top = next((category for category in Category if category in counted.prizes), None)
    odds = "" if top is None else said("1 in {hands}", hands=number(one_in(chance(counted, top))))
    return {"bonus_cards": other, "top_row": odds, "return": percent(total)}


def _carousel(config: Config, carousel_id: str) -> dict[str, Any]:
    carousel = config.carousel(carousel_id)
    members = config.members(carousel_id)
    return {
        "carousel": carousel.id,
        "role": carousel.role,
        "tables": [table.id for table in members],
        "accept": list(carousel.accept),
        "start": sum(table.jackpot.start for table in members),
        "ceiling": carousel.ceiling,
    }


def _share(part: Fraction) -> dict[str, Any]:
    """A part of a bet: exact, in basis points floored, and as people read it."""
    return {"exact": f"{part.numerator}/{part.denominator}", "bp": int(part * BASIS_POINTS // 1), "text": percent(part)}
