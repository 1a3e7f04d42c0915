"""The jackpot's part of an answer: contribution, prizes, draws and the meter after them; the same for every game."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.core.cards import Card
from controller.core.hands import named_category, strength
from controller.core.jackpot import Rates, check_jackpot_bet, contribution, under_ceiling
from controller.core.money import floor_minor
from controller.core.prizes import Balance, Settlement, Winner, settle_prizes
from controller.settle.terms import MINOR_MICROS, Draw, Terms


@dataclass(frozen=True, slots=True)
class JackpotBox:
    """What a jackpot must know of a box: its bet, the cards that count (none = not in it), the cards dealt."""

    seat: int
    has_ante: bool
    credits: int
    counting: Sequence[Card]
    magic: Sequence[Card]


@dataclass(frozen=True, slots=True)
class JackpotAnswer:
    """The parts of an answer that the jackpot gives."""

    awards: list[dict[str, Any]]
    meter: dict[str, int]
    tables: list[dict[str, Any]] | None
    notes: list[str]

    def with_base(self, base: list[dict[str, Any]]) -> dict[str, Any]:
        """The whole answer of a hand."""
        tables = {} if self.tables is None else {"tables": self.tables}
        return {"awards": self.awards, "base": base, "meter": self.meter, **tables, "notes": self.notes}


def settle_jackpot(terms: Terms, boxes: Sequence[JackpotBox], minimum_minor: int) -> JackpotAnswer:
    """The jackpot of one hand. A bet that breaks a rule is noted and left out."""
    standing, notes = standing_bets(terms, boxes, minimum_minor)
    bet_minor = sum(box.credits for box in standing) * terms.credit_minor
    shares = contribution(bet_minor, Rates(terms.contribution_bp, terms.reserve_bp), MINOR_MICROS)
    whole = sum(balance.micros for balance in terms.balances)
    joins, overflow = under_ceiling(whole, shares.meter_micros, terms.ceiling_micros)
    if overflow:
        notes.append(f"overflow {overflow} micros")
    settled = settle_prizes(
        terms.prizes,
        [_credited(balance, terms.at, joins, shares.reserve_micros) for balance in terms.balances],
        _winners(terms, standing) if terms.kind != "none" else (),
        MINOR_MICROS,
    )
    awards = _prizes(settled) + [award for draw in terms.draws for award in _drawn(terms, draw, standing)]
    return _answer(terms, joins, settled.balances, awards, [*notes, *settled.notes])


def void_answer(terms: Terms) -> JackpotAnswer:
    """A void hand changes nothing: bets are returned, what was drawn is cancelled (art. 67-69, reading O-j)."""
    return _answer(terms, 0, terms.balances, [], ["void"])


def standing_bets(terms: Terms, boxes: Sequence[JackpotBox], minimum_minor: int) -> tuple[list[JackpotBox], list[str]]:
    """The boxes whose jackpot bet stands, and a note for each that does not (art. 49, 52)."""
    standing: list[JackpotBox] = []
    notes: list[str] = []
    for box in boxes:
        if box.credits == 0:
            continue
        refused = check_jackpot_bet(box.has_ante, box.credits, terms.credit_minor, minimum_minor, terms.max_credits)
        if refused is None:
            standing.append(box)
        else:
            notes.append(f"{refused.reason.value} seat {box.seat}")
    return standing, notes


def _credited(balance: Balance, at: str, main_micros: int, reserve_micros: int) -> Balance:
    """The hand's share joins the meter before any prize of the hand (reading O-a), at the table it was played at."""
    if balance.table != at:
        return balance
    reserve = balance.reserve_micros + reserve_micros
    return replace(balance, micros=balance.micros + main_micros, reserve_micros=reserve)


def _winners(terms: Terms, standing: Sequence[JackpotBox]) -> list[Winner]:
    winners = []
    for box in standing:
        if not box.counting:
            continue
        made = strength(box.counting)
        category = named_category(made)
        if terms.prizes.row(category) is not None:
            winners.append(Winner(box.seat, category, made, box.credits))
    return winners


def _prizes(settled: Settlement) -> list[dict[str, Any]]:
    return [
        {
            "seat": award.seat,
            "from": "jackpot",
            "category": award.category.value,
            "amount": award.amount_minor,
            "paid_by": award.paid_by.value,
            "article": award.article,
        }
        for award in settled.awards
    ]


def _drawn(terms: Terms, draw: Draw, standing: Sequence[JackpotBox]) -> list[dict[str, Any]]:
    """Art. 62-64: only a box with a jackpot bet in this hand wins; a bought card does not exclude."""
    won = [
        box.seat
        for box in standing
        if (draw.seat == box.seat if draw.card is None else draw.card in box.magic) and draw.prize_minor
    ]
    article = "63" if draw.card is None else "62"
    return [
        {
            "seat": seat,
            "from": draw.kind,
            "amount": draw.prize_minor,
            "paid_by": terms.draw_prizes_from,
            "article": article,
        }
        for seat in won
    ]


def _answer(
    terms: Terms, joins: int, after: Sequence[Balance], awards: list[dict[str, Any]], notes: list[str]
) -> JackpotAnswer:
    before_micros = sum(balance.micros for balance in terms.balances)
    after_micros = sum(balance.micros for balance in after)
    meter = {
        "before": floor_minor(before_micros, MINOR_MICROS),
        "contribution": floor_minor(joins, MINOR_MICROS),
        "after": floor_minor(after_micros, MINOR_MICROS),
        "contribution_micros": joins,
        "after_micros": after_micros,
    }
    tables = None
    if terms.is_linked:
        tables = [
            {
                "table": balance.table,
                "meter": floor_minor(balance.micros, MINOR_MICROS),
                "meter_micros": balance.micros,
                "start": floor_minor(balance.start_micros, MINOR_MICROS),
            }
            for balance in after
        ]
    return JackpotAnswer(awards, meter, tables, notes)
