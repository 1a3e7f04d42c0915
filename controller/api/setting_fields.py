"""The settings of a table as a form: themes, the field of each, how a value is written and what may be chosen."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from controller.core.hands import Category

ROW = "jackpot.prizes."
PAYS = "base.pays."


class Kind(Enum):
    """What a field takes. MONEY: an amount; RATE: basis points, written in percent; COUNT: a whole number; SWITCH: yes
    or no; CHOICE: one of a list; EVERY: each hand, the dealer's key, or one in so many hands."""

    MONEY = "money"
    RATE = "rate"
    COUNT = "count"
    SWITCH = "switch"
    CHOICE = "choice"
    EVERY = "every"


@dataclass(frozen=True, slots=True)
class Field:
    """One setting: `choices` for a CHOICE; `optional`: it may be left empty, which is none."""

    kind: Kind
    choices: tuple[str, ...] = ()
    optional: bool = False


_MONEY, _COUNT, _RATE, _SWITCH = Field(Kind.MONEY), Field(Kind.COUNT), Field(Kind.RATE), Field(Kind.SWITCH)
_SUM, _NUMBER = Field(Kind.MONEY, optional=True), Field(Kind.COUNT, optional=True)
_EVERY = Field(Kind.EVERY, optional=True)


def _choice(*choices: str, optional: bool = False) -> Field:
    return Field(Kind.CHOICE, choices, optional)


_PARTS = {"percent": _NUMBER, "fixed": _SUM, "per_credit": _choice("true", "false", optional=True)}

THEMES: Mapping[str, Mapping[str, Field]] = {
    "table": {
        "limits.minimum": _MONEY,
        "limits.maximum": _MONEY,
        "base.payout_limit": _SUM,
        "base.ante_pays_from": _choice(*(each.value for each in Category)),
        "on_link_loss": _choice("stop_bets", "continue"),
        "link_loss_hours": _COUNT,
    },
    "circle": {
        "circle.blinds.small": _MONEY,
        "circle.blinds.big": _MONEY,
        "circle.rake_bp": _RATE,
        "circle.rake_unit": _MONEY,
        "circle.rake_without_flop": _SWITCH,
        "circle.duration_minutes": _COUNT,
        "circle.action_seconds": _COUNT,
        "circle.countdown_seconds": _COUNT,
        "circle.buy_in_minimum": _MONEY,
        "circle.rebuy_minimum": _MONEY,
        "circle.buy_total_maximum": _SUM,
        "circle.players_minimum": _COUNT,
    },
    "jackpot": {
        "jackpot.credit": _MONEY,
        "jackpot.max_credits": _COUNT,
        "jackpot.contribution_bp": _RATE,
        "jackpot.reserve_bp": _RATE,
        "jackpot.ceiling": _SUM,
        "jackpot.unreasonable_credits_per_hand": _NUMBER,
        "jackpot_changes": _choice("between_hands", "after_reset"),
    },
    "prizes": {f"{ROW}{hand.value}.{part}": field for hand in Category for part, field in _PARTS.items()},
    "draws": {
        "draws.carta_magica.prize": _SUM,
        "draws.carta_magica.every": _EVERY,
        "draws.carta_magica.about_every": _NUMBER,
        "draws.jugador_afortunado.prize": _SUM,
        "draws.jugador_afortunado.every": _EVERY,
        "draws.jugador_afortunado.about_every": _NUMBER,
        "draws.jugador_afortunado.lucky_seat_from": _choice("all_boxes", "occupied", "betting", optional=True),
        "draws.draw_prizes_from": _choice("house", "pool"),
        "draws.pool_bp": _RATE,
    },
    "readings": {
        "jackpot.options.royal_with_straight_flush": _choice(
            "highest_first", "straight_flush_first", "restart_then_pay"
        ),
        "jackpot.options.fixed_prizes_from": _choice("house", "meter"),
        "jackpot.options.top_up_after_partial": _SWITCH,
        "jackpot.options.folded_box_keeps_jackpot": _SWITCH,
        "jackpot.options.bonus_cards": _choice("first_five", "best_of_seven", "hole_and_flop"),
        "jackpot.options.fixed_rows_multiply": _SWITCH,
    },
    "pays": {f"{PAYS}{each.value}": _NUMBER for each in Category},
    "people": {"second_person_from": _MONEY},
}
FIELDS: Mapping[str, Field] = {key: field for theme in THEMES.values() for key, field in theme.items()}
UNCHANGED: Mapping[str, Field] = {
    "game": _choice("oasis", "holdem-bonus", "holdem-circle"),
    "seats": _COUNT,
    "cards_read": _choice("deal", "showdown", "none"),
    "ante_from": _choice("sensor", "assumed"),
    "deck_use": _choice("one", "alternate"),
    "jackpot.kind": _choice("progressive", "fixed", "none"),
    "jackpot.start": _SUM,
    "jackpot.options.accept_return_over_100": _SWITCH,
    "jackpot.options.return_at_least_bp": _RATE,
    "jackpot.options.start_at_least_bets": _NUMBER,
    "jackpot.options.start_at_least_fixed": _SWITCH,
    "jackpot.options.start_at_most_small_blinds": _NUMBER,
}
"""Settings of the site's file that no form changes: only how they are told."""
HANDS = tuple(each.value for each in Category)
"""Hands of a prize list, best first."""
HANDS_BETWEEN = ("2", "3", "4", "5", "10", "20", "50", "100")
"""Hands between two draws that a form offers, beside what the table has."""


@dataclass(frozen=True, slots=True)
class ShownTheme:
    """A theme with the settings that this table has, by name."""

    name: str
    keys: tuple[str, ...]


def shown_themes(settings: Mapping[str, Any]) -> list[ShownTheme]:
    """The themes of a table, without settings that mean nothing in its game."""
    found = ((name, tuple(key for key in fields if _concerns(key, settings))) for name, fields in THEMES.items())
    return [ShownTheme(name, keys) for name, keys in found if keys]


def _concerns(key: str, settings: Mapping[str, Any]) -> bool:
    game = settings["game"]
    if key.startswith(PAYS) or key == "base.payout_limit":
        return bool(game == "oasis")
    if key == "base.ante_pays_from":
        return bool(game == "holdem-bonus")
    if key.startswith("limits."):
        return bool(game != "holdem-circle")
    if key.startswith(("jackpot", "draws.")) and settings["jackpot.kind"] == "none":
        return False
    return key in settings


def has_row(settings: Mapping[str, Any], hand: str) -> bool:
    """Whether the prize list pays a hand."""
    return any(settings.get(f"{ROW}{hand}.{part}") is not None for part in ("percent", "fixed"))


def told_keys(settings: Mapping[str, Any]) -> list[str]:
    """Settings as a paper tells them: the game, then theme by theme those that say something in it."""
    keys = ["game", *(key for theme in shown_themes(settings) for key in theme.keys)]
    return [key for key in keys if settings.get(key) is not None]


def left_over(settings: Mapping[str, Any], themes: Iterable[ShownTheme]) -> dict[str, Any]:
    """Settings that no field of the form shows: they go back as they came."""
    shown = {key for theme in themes for key in theme.keys}
    return {key: value for key, value in settings.items() if key not in shown}
