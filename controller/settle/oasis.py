"""One recorded hand of Oasis: what the bank pays, the jackpot's prizes, the draws, the meter."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from controller.core.cards import Card
from controller.core.games.banked import oasis_result
from controller.core.games.boxes import BET_PER_ANTE
from controller.core.hands import Category
from controller.settle.banked import RECORD, Limits, base_row, check_bet, read_limits, read_seats
from controller.settle.faults import Fault
from controller.settle.form import Deck, Fields, impossible
from controller.settle.jackpot import JackpotBox, settle_jackpot, void_answer
from controller.settle.terms import Terms, preset, read_terms

SEAT = ("seat", "ante", "bet", "credits", "cards", "folded", "bought", "shown")
BOUGHT = ("out", "in")
CARDS_EACH = 5


@dataclass(frozen=True, slots=True)
class OasisSeat:
    """One box of a record. `shown`: a folded box whose cards were seen before the discard (reading O-q)."""

    seat: int
    ante_minor: int
    credits: int
    folded: bool
    shown: bool
    cards: tuple[Card, ...]
    bought: tuple[Card, Card] | None

    @property
    def final(self) -> tuple[Card, ...]:
        """The cards at the showdown."""
        if self.bought is None:
            return self.cards
        given, got = self.bought
        return tuple(got if card == given else card for card in self.cards)


def settle_oasis(record: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to an Oasis record; raises RecordFault."""
    fields = Fields(record, "", RECORD)
    limits, table = read_limits(fields, "oasis", ("pay_table",))
    terms = read_terms(fields, "oasis")
    pay_table = _read_pay_table(table)
    if fields.flag("void"):
        _read_void(fields, limits)
        return void_answer(terms).with_base([])
    deck = Deck()
    seats = [_read_seat(each, seat, ante, deck) for each, seat, ante in read_seats(fields, limits, SEAT)]
    dealer = deck.take(fields.cards("dealer"), CARDS_EACH, "dealer.cards")
    boxes = [_jackpot_box(terms, seat) for seat in seats]
    base = [_base(seat, dealer, pay_table) for seat in seats if dealer and seat.ante_minor]
    return settle_jackpot(terms, boxes, limits.minimum_minor).with_base([row for row in base if row is not None])


def _read_pay_table(table: Fields) -> Mapping[Category, int]:
    pays = _preset_pay_table()
    if "pay_table" not in table:
        return pays
    own = table.object("pay_table", [category.value for category in pays])
    return {category: own.whole(category.value, figure) for category, figure in pays.items()}


@cache
def _preset_pay_table() -> Mapping[Category, int]:
    return {Category(name): figure for name, figure in preset("oasis", "progressive")["base"]["pays"].items()}


def _read_void(fields: Fields, limits: Limits) -> None:
    """The form of a void hand; its cards may be wrong in number or twice, that may be why it is void."""
    for each, _, _ in read_seats(fields, limits, SEAT):
        each.cards("cards")
        each.whole("bet", 0)
        each.whole("credits", 0)
        each.flag("folded")
        each.flag("shown")
        if "bought" in each:
            bought = each.object("bought", BOUGHT)
            bought.cards("out")
            bought.cards("in")
    fields.cards("dealer")


def _read_seat(fields: Fields, seat: int, ante: int, deck: Deck) -> OasisSeat:
    folded = fields.flag("folded")
    exact = BET_PER_ANTE * ante
    check_bet(fields, "bet", (0,) if folded else (exact,), 0 if folded else exact)
    cards = deck.take(fields.cards("cards"), CARDS_EACH, fields.place("cards"))
    return OasisSeat(
        seat=seat,
        ante_minor=ante,
        credits=fields.whole("credits", 0),
        folded=folded,
        shown=fields.flag("shown"),
        cards=cards,
        bought=_read_bought(fields, cards, folded, deck) if "bought" in fields else None,
    )


def _read_bought(fields: Fields, cards: tuple[Card, ...], folded: bool, deck: Deck) -> tuple[Card, Card]:
    """Art. 31-33: one of the five given back, the new one from the deck, only after the bet is down."""
    bought = fields.object("bought", BOUGHT)
    given, got = bought.cards("out"), bought.cards("in")
    if folded:
        raise impossible(Fault.BOX_FOLDED, fields.place("bought"))
    if len(given) != 1 or len(got) != 1:
        raise impossible(Fault.WRONG_CARD_COUNT, fields.place("bought"))
    if cards and given[0] not in cards:
        raise impossible(Fault.CARD_NOT_THERE, bought.place("out"))
    deck.take(got, 1, bought.place("in"))
    return given[0], got[0]


def _jackpot_box(terms: Terms, seat: OasisSeat) -> JackpotBox:
    """Art. 51: the first five cards count, unless one was bought; a folded box lost it (reading O-i)."""
    lost = seat.bought is not None or (seat.folded and not terms.folded_keeps)
    unseen = seat.folded and not seat.shown
    return JackpotBox(
        seat=seat.seat,
        has_ante=seat.ante_minor > 0,
        credits=seat.credits,
        counting=() if lost else seat.cards,
        magic=() if unseen else seat.cards,
    )


def _base(seat: OasisSeat, dealer: tuple[Card, ...], pay_table: Mapping[Category, int]) -> dict[str, Any] | None:
    if not seat.cards and not seat.folded:
        return None
    bought = seat.bought is not None
    result = oasis_result(
        seat.seat, seat.ante_minor, seat.final, dealer, folded=seat.folded, bought=bought, pay_table=pay_table
    )
    return base_row(result)
