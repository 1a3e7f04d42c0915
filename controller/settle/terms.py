"""The jackpot and the draws of a hand record, with the presets' values for keys that it leaves out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from controller.config import load_preset
from controller.core.cards import Card
from controller.core.hands import Category
from controller.core.jackpot import MAX_CREDITS
from controller.core.money import Currency
from controller.core.prizes import Balance, PaidBy, Prize, PrizeList, RoyalWithStraightFlush
from controller.settle.faults import Fault
from controller.settle.form import Fields, RecordFault

MINOR_MICROS = Currency("minor", 2).minor_micros
"""Records count centavos: a hundredth of the unit, whatever the currency."""

PRESETS = {
    ("oasis", "progressive"): "oasis_argentina_2010",
    ("oasis", "fixed"): "oasis_argentina_2010_fixed",
    ("holdem-bonus", "progressive"): "holdem_bonus_peru_2010",
    ("holdem-circle", "none"): "holdem_circle_argentina_2009",
}

OPTIONS = (
    "royal_with_straight_flush",
    "fixed_prizes_from",
    "top_up_after_partial",
    "folded_box_keeps_jackpot",
    "bonus_cards",
    "fixed_rows_multiply",
    "draw_prizes_from",
    "lucky_seat_from",
    "draw_every",
    "start_at_least_bets",
    "accept_return_over_100",
)
"""Of these the last four bind the configuration and the daemon; a record may carry them, in the same form."""

JACKPOT = (
    "kind",
    "credit",
    "max_credits",
    "contribution_bp",
    "reserve_bp",
    "start",
    "meter",
    "reserve",
    "ceiling",
    "linked",
    "at",
    "article",
    "prizes",
    "options",
)
LUCKY_SEAT_FROM = ("all_boxes", "occupied", "betting")
BONUS_CARDS = ("best_of_seven", "hole_and_flop", "first_five")
LINKED = ("table", "meter", "start", "reserve")
DRAWS = ("carta_magica", "jugador_afortunado")
CATEGORIES = {category.value: category for category in Category}
NO_TABLE = ""
"""Name of the one balance of a jackpot that is not linked."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A drawn card or seat with its prize in minor units."""

    kind: str
    prize_minor: int
    card: Card | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """What a record says of its jackpot. `at`: the table the hand was played at; balances in micros before the hand."""

    kind: str
    credit_minor: int
    max_credits: int
    contribution_bp: int
    reserve_bp: int
    ceiling_micros: int | None
    prizes: PrizeList
    balances: tuple[Balance, ...]
    at: str
    folded_keeps: bool
    bonus_cards: str
    draw_prizes_from: str
    draws: tuple[Draw, ...] = field(default=())

    @property
    def is_linked(self) -> bool:
        return self.at != NO_TABLE


@cache
def preset(game: str, kind: str) -> Mapping[str, Any]:
    """The preset of a game for a kind of jackpot; one without its own falls back to the game's first."""
    name = PRESETS.get((game, kind)) or next(name for (of_game, _), name in PRESETS.items() if of_game == game)
    return load_preset(name)


def read_terms(record: Fields, game: str) -> Terms:
    """The jackpot of a record; `linked` and `at` may stand in it or beside it."""
    jackpot = record.object("jackpot", JACKPOT)
    own = next(kind for of_game, kind in PRESETS if of_game == game)
    kind = jackpot.choice("kind", ("progressive", "fixed", "none"), own)
    defaults = preset(game, kind)["jackpot"]
    options, usual = jackpot.object("options", OPTIONS), defaults.get("options", {})
    has_meter = kind == "progressive"
    balances, at = _read_balances(record, jackpot, defaults)
    _check_bounds(options)
    return Terms(
        kind=kind,
        credit_minor=jackpot.whole("credit", defaults["credit"], least=1),
        # Records may bet one to five credits whatever a preset's own table sells: the bonus' preset sells one.
        max_credits=jackpot.whole("max_credits", MAX_CREDITS, most=MAX_CREDITS, least=1),
        contribution_bp=jackpot.whole("contribution_bp", defaults.get("contribution_bp", 0), 10_000) * has_meter,
        reserve_bp=jackpot.whole("reserve_bp", defaults.get("reserve_bp", 0), 10_000) * has_meter,
        ceiling_micros=_read_ceiling(jackpot, defaults),
        prizes=_read_prizes(jackpot, options, kind, defaults),
        balances=balances,
        at=at,
        folded_keeps=options.flag("folded_box_keeps_jackpot", usual.get("folded_box_keeps_jackpot", False)),
        bonus_cards=options.choice("bonus_cards", BONUS_CARDS, usual.get("bonus_cards", "best_of_seven")),
        draw_prizes_from=options.choice("draw_prizes_from", ("house", "pool"), "house"),
        draws=_read_draws(record),
    )


def _check_bounds(options: Fields) -> None:
    """The form of options that bind the configuration and the daemon alone."""
    options.choice("lucky_seat_from", LUCKY_SEAT_FROM, LUCKY_SEAT_FROM[0])
    if "draw_every" in options and options.raw("draw_every") not in ("hand", "key"):
        options.whole("draw_every", least=1)
    options.whole("start_at_least_bets", 0)
    options.flag("accept_return_over_100")


def _read_ceiling(jackpot: Fields, defaults: Mapping[str, Any]) -> int | None:
    """Micros a meter never rises above; most presets have no ceiling."""
    if "ceiling" not in jackpot and "ceiling" not in defaults:
        return None
    return jackpot.whole("ceiling", defaults.get("ceiling")) * MINOR_MICROS


def _read_balances(record: Fields, jackpot: Fields, defaults: Mapping[str, Any]) -> tuple[tuple[Balance, ...], str]:
    """The meter, or the linked tables' parts of it, and the table the hand was played at."""
    start = jackpot.whole("start", defaults.get("start", 0))
    for fields in (record, jackpot):
        if "at" in fields and "linked" not in fields:
            raise RecordFault(Fault.AT_WITHOUT_LINKED, fields.place("at"))
    linked_in = record if "linked" in record else jackpot
    if "linked" in record and "linked" in jackpot:
        raise RecordFault(Fault.LINKED_TWICE, jackpot.place("linked"))
    if "linked" not in linked_in:
        return (_read_balance(jackpot, NO_TABLE, start, jackpot.whole("meter", start)),), NO_TABLE
    for key, fault in (("meter", Fault.METER_AND_LINKED), ("reserve", Fault.RESERVE_AND_LINKED)):
        if key in jackpot:
            raise RecordFault(fault, jackpot.place(key))
    balances: list[Balance] = []
    for row in linked_in.objects("linked", LINKED):
        table = row.text("table")
        if not table or any(balance.table == table for balance in balances):
            raise RecordFault(Fault.DUPLICATE_TABLE if table else Fault.UNKNOWN_TABLE, row.place("table"))
        balances.append(_read_balance(row, table, row.whole("start", start), row.whole("meter")))
    at = linked_in.text("at")
    if all(balance.table != at for balance in balances):
        raise RecordFault(Fault.UNKNOWN_TABLE, linked_in.place("at"))
    return tuple(balances), at


def _read_balance(fields: Fields, table: str, start: int, meter: int) -> Balance:
    reserve = fields.whole("reserve", 0)
    return Balance(table, meter * MINOR_MICROS, start * MINOR_MICROS, reserve * MINOR_MICROS)


def _read_prizes(jackpot: Fields, options: Fields, kind: str, defaults: Mapping[str, Any]) -> PrizeList:
    rows = jackpot.object("prizes", CATEGORIES) if "prizes" in jackpot else None
    if rows is None:
        rows = Fields(defaults.get("prizes", {}), jackpot.place("prizes"), CATEGORIES)
    usual = defaults.get("options", {})
    multiply = options.flag("fixed_rows_multiply", usual.get("fixed_rows_multiply", True))
    prizes = [_read_prize(rows, name, kind, multiply) for name in CATEGORIES if name in rows]
    article = jackpot.text("article", defaults.get("article", ""))
    return PrizeList(
        rows=tuple(prizes),
        royal_with_straight_flush=options.member(
            "royal_with_straight_flush",
            RoyalWithStraightFlush,
            RoyalWithStraightFlush(usual.get("royal_with_straight_flush", "highest_first")),
        ),
        fixed_prizes_from=options.member(
            "fixed_prizes_from", PaidBy, PaidBy(usual.get("fixed_prizes_from", PaidBy.HOUSE.value))
        ),
        top_up_after_partial=options.flag("top_up_after_partial", usual.get("top_up_after_partial", False)),
        article=article or None,
    )


def _read_prize(rows: Fields, name: str, kind: str, multiply: bool) -> Prize:
    category = CATEGORIES[name]
    row = rows.object(name, ("percent", "fixed", "per_credit"))
    if ("percent" in row) == ("fixed" in row):
        raise RecordFault(Fault.PERCENT_OR_FIXED, rows.place(name))
    if "percent" in row:
        if row.flag("per_credit"):
            raise RecordFault(Fault.PERCENT_PER_CREDIT, row.place("per_credit"))
        return Prize(category, percent=row.whole("percent", most=100, least=1), per_credit=False)
    # Art. 55: in a fixed jackpot the two highest rows are not multiplied.
    is_top = category in (Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH)
    per_credit = row.flag("per_credit", multiply and not (kind == "fixed" and is_top))
    return Prize(category, fixed_minor=row.whole("fixed"), per_credit=per_credit)


def _read_draws(record: Fields) -> tuple[Draw, ...]:
    draws = record.object("draws", DRAWS)
    done: list[Draw] = []
    if "carta_magica" in draws:
        magic = draws.object("carta_magica", ("card", "prize"))
        cards: Sequence[Card] = magic.cards("card")
        if len(cards) != 1:
            raise RecordFault(Fault.WRONG_CARD_COUNT, magic.place("card"))
        done.append(Draw("carta_magica", magic.whole("prize"), card=cards[0]))
    if "jugador_afortunado" in draws:
        lucky = draws.object("jugador_afortunado", ("seat", "prize"))
        done.append(Draw("jugador_afortunado", lucky.whole("prize"), seat=lucky.whole("seat", most=10, least=1)))
    return tuple(done)
