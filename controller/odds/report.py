"""What `carrusel odds` answers: exact counts, returns at a meter, break-even, mean hands to a hit."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from controller.config.faults import ConfigError, Fault, dotted
from controller.config.presets import load_preset, preset_layers
from controller.config.returns import (
    Return,
    break_even_minor,
    chance,
    expected_trigger_minor,
    hit_rate,
    return_at,
    returns,
)
from controller.config.table import Table
from controller.config.texts import said
from controller.core.hands import Category
from controller.odds.counting import count_categories

DEFAULT_PRESETS = {
    "oasis": "oasis_argentina_2010",
    "holdem-bonus": "holdem_bonus_peru_2010",
    "holdem-circle": "holdem_circle_argentina_2009",
}
DECIMALS = 2
"""Of a preset's amounts where it does not say, and the most there are."""


@dataclass(frozen=True, slots=True)
class Odds:
    """Exact odds of a table's prize list; amounts in minor units, chances and returns as fractions.

    Without a jackpot (`rows` empty) the counts stand alone.
    """

    table: Table
    cards: int
    counts: dict[Category, int]
    meter_minor: int
    decimals: int
    rows: tuple[Category, ...]
    hit: Fraction
    at_meter: tuple[Fraction, ...]
    long_run: tuple[Return, ...]
    break_even: tuple[Fraction | None, ...]
    expected_trigger: Fraction | None

    @property
    def hands(self) -> int:
        return sum(self.counts.values())

    def mean_hands(self, category: Category) -> Fraction | None:
        """Mean number of hands of one box until it holds the category; None when it never does."""
        return Fraction(self.hands, self.counts[category]) if self.counts[category] else None


def preset_table(game: str, preset: str | None = None) -> tuple[Table, int]:
    """The table of a preset, by name or by file (`./mine.toml`), and the decimals of its amounts.

    ConfigError when it is of another game.
    """
    if game not in DEFAULT_PRESETS:
        known = ", ".join(DEFAULT_PRESETS)
        text = said("unknown game '{game}'; known: {known}", game=game, known=known)
        raise ConfigError([Fault("odds", 0, "game", text)])
    name, beside = preset or DEFAULT_PRESETS[game], None
    if name.endswith(".toml"):
        name, beside = Path(name).stem, Path(name).parent
    values = {"id": "odds", "name": name} | load_preset(name, beside)
    layers = preset_layers(name, beside)
    file = str(layers[-1].file)
    try:
        table = Table.model_validate(values)
    except ValidationError as problem:
        errors = problem.errors(include_url=False)
        raise ConfigError([Fault(file, 0, dotted(error["loc"]), str(error["msg"])) for error in errors]) from problem
    if table.game != game:
        text = said("the preset is for {theirs}, not for {ours}", theirs=table.game, ours=game)
        raise ConfigError([Fault(file, 0, "game", text)])
    decimals = next((layer.values["decimals"] for layer in reversed(layers) if "decimals" in layer.values), DECIMALS)
    if type(decimals) is not int or not 0 <= decimals <= DECIMALS:
        text = said(
            "{expected} is wanted, not {given}",
            expected=said("{first} to {last}", first=0, last=DECIMALS),
            given=decimals,
        )
        raise ConfigError([Fault(file, 0, "decimals", text)])
    return table, decimals


def odds_of(table: Table, meter_minor: int | None = None, decimals: int = DECIMALS) -> Odds:
    """Exact odds of a table; the meter is its start value unless given. `decimals`: of its amounts, for their texts."""
    jackpot = table.jackpot
    plays = jackpot.kind != "none" and bool(jackpot.prizes)
    meter = jackpot.start if meter_minor is None else meter_minor
    bets = range(1, jackpot.max_credits + 1) if plays else range(0)
    return Odds(
        table=table,
        cards=jackpot.cards_counted,
        counts=count_categories(jackpot.cards_counted),
        meter_minor=meter,
        decimals=decimals,
        rows=tuple(category for category in Category if category in jackpot.prizes) if plays else (),
        hit=hit_rate(jackpot) if plays else Fraction(0),
        at_meter=tuple(return_at(jackpot, meter, credits) for credits in bets),
        long_run=tuple(returns(table)) if plays else (),
        break_even=tuple(break_even_minor(jackpot, credits) for credits in bets),
        expected_trigger=expected_trigger_minor(jackpot) if plays else None,
    )


def as_json(odds: Odds) -> dict[str, Any]:
    """The answer as plain values: counts exact, shares as decimals of twelve places beside `n/d`."""
    return {
        "game": odds.table.game,
        "preset": odds.table.name,
        "cards": odds.cards,
        "hands": odds.hands,
        "counts": {category.value: number for category, number in odds.counts.items()},
        "rows": [_row(odds, category) for category in odds.rows],
        "hit_rate": share(odds.hit),
        "meter": odds.meter_minor,
        "returns": [
            {"credits": one.credits, "at_meter": share(at_meter), "long_run": share(one.total)}
            for one, at_meter in zip(odds.long_run, odds.at_meter, strict=True)
        ],
        "break_even_meter": [None if even is None else int(even // 1) for even in odds.break_even],
        "expected_trigger": None if odds.expected_trigger is None else int(odds.expected_trigger // 1),
        "dealer_qualifies": share(dealer_qualifies(odds)) if odds.table.game == "oasis" else None,
    }


def dealer_qualifies(odds: Odds) -> Fraction:
    """Oasis: chance that the bank's five cards are ace-king or better (art. 5)."""
    return 1 - chance(odds.table.jackpot, Category.HIGH_CARD)


def share(part: Fraction) -> dict[str, Any]:
    return {"exact": f"{part.numerator}/{part.denominator}", "value": round(float(part), 12)}


def _row(odds: Odds, category: Category) -> dict[str, Any]:
    row = odds.table.jackpot.prizes[category]
    mean = odds.mean_hands(category)
    return {
        "category": category.value,
        "count": odds.counts[category],
        "percent": row.percent,
        "fixed": row.fixed,
        "per_credit": odds.table.jackpot.per_credit(category),
        "mean_hands": None if mean is None else round(float(mean), 3),
    }
