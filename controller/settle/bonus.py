"""One recorded hand of Texas Hold'em Bonus: the dealer's payments, the bonus' prizes, the draws, the meter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.core.cards import Card
from controller.core.games.banked import bonus_result
from controller.core.games.boxes import BET_PER_ANTE
from controller.core.hands import Category
from controller.settle.banked import RECORD, Limits, base_row, check_bet, read_limits, read_seats
from controller.settle.form import Deck, Fields
from controller.settle.jackpot import JackpotBox, settle_jackpot, void_answer
from controller.settle.terms import Terms, preset, read_terms

SEAT = ("seat", "ante", "flop_bet", "turn_bet", "river_bet", "credits", "cards", "folded")
CARDS_EACH = 2
BOARD_CARDS = 5
FLOP_CARDS = 3


@dataclass(frozen=True, slots=True)
class BonusSeat:
    """One box of a record; the flop bet is down unless it folded."""

    seat: int
    ante_minor: int
    credits: int
    folded: bool
    turn_bet: bool
    river_bet: bool
    cards: tuple[Card, ...]


def settle_bonus(record: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a Texas Hold'em Bonus record; raises RecordFault."""
    fields = Fields(record, "", (*RECORD, "board"))
    limits, table = read_limits(fields, "holdem-bonus", ("ante_pays_from",))
    terms = read_terms(fields, "holdem-bonus")
    ante_pays_from = table.member("ante_pays_from", Category, _preset_ante_pays_from())
    if fields.flag("void"):
        _read_void(fields, limits)
        return void_answer(terms).with_base([])
    deck = Deck()
    seats = [_read_seat(each, seat, ante, deck) for each, seat, ante in read_seats(fields, limits, SEAT)]
    dealer = deck.take(fields.cards("dealer"), CARDS_EACH, "dealer.cards")
    board = deck.take(fields.cards("board"), BOARD_CARDS, "board")
    boxes = [_jackpot_box(terms, seat, board) for seat in seats]
    base = [_base(seat, dealer, board, ante_pays_from) for seat in seats if dealer and seat.ante_minor]
    return settle_jackpot(terms, boxes, limits.minimum_minor).with_base([row for row in base if row is not None])


def _preset_ante_pays_from() -> Category:
    return Category(preset("holdem-bonus", "progressive")["base"]["ante_pays_from"])


def _read_void(fields: Fields, limits: Limits) -> None:
    """The form of a void hand; its cards may be wrong in number or twice, that may be why it is void."""
    for each, _, _ in read_seats(fields, limits, SEAT):
        each.cards("cards")
        each.flag("folded")
        for key in ("flop_bet", "turn_bet", "river_bet", "credits"):
            each.whole(key, 0)
    fields.cards("dealer")
    fields.cards("board")


def _read_seat(fields: Fields, seat: int, ante: int, deck: Deck) -> BonusSeat:
    """Art. 11: folded before the flop, or a flop bet of twice the ante, then the ante or nothing on turn and river."""
    folded = fields.flag("folded")
    exact = BET_PER_ANTE * ante
    check_bet(fields, "flop_bet", (0,) if folded else (exact,), 0 if folded else exact)
    later = (0,) if folded else (0, ante)
    return BonusSeat(
        seat=seat,
        ante_minor=ante,
        credits=fields.whole("credits", 0),
        folded=folded,
        turn_bet=check_bet(fields, "turn_bet", later, 0) > 0,
        river_bet=check_bet(fields, "river_bet", later, 0) > 0,
        cards=deck.take(fields.cards("cards"), CARDS_EACH, fields.place("cards")),
    )


def bonus_cards(reading: str, hole: Sequence[Card], board: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that count for the bonus (reading B-b): all seven, or the two and the flop; none without them."""
    if len(hole) != CARDS_EACH or len(board) != BOARD_CARDS:
        return ()
    return (*hole, *board) if reading == "best_of_seven" else (*hole, *board[:FLOP_CARDS])


def _jackpot_box(terms: Terms, seat: BonusSeat, board: tuple[Card, ...]) -> JackpotBox:
    """A folded box loses its bonus (B-c); its two cards were shown (art. 8), so they still match a drawn card."""
    lost = seat.folded and not terms.folded_keeps
    return JackpotBox(
        seat=seat.seat,
        has_ante=seat.ante_minor > 0,
        credits=seat.credits,
        counting=() if lost else bonus_cards(terms.bonus_cards, seat.cards, board),
        magic=seat.cards,
    )


def _base(
    seat: BonusSeat, dealer: tuple[Card, ...], board: tuple[Card, ...], ante_pays_from: Category
) -> dict[str, Any] | None:
    if not seat.folded and (not seat.cards or not board):
        return None
    result = bonus_result(
        seat.seat,
        seat.ante_minor,
        seat.cards,
        dealer,
        board,
        folded=seat.folded,
        turn_bet=seat.turn_bet,
        river_bet=seat.river_bet,
        ante_pays_from=ante_pays_from,
    )
    return base_row(result)
