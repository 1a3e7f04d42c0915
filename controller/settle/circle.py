"""One recorded hand of the circle game: bets played through by the live table's own rules, pots, rake, stacks after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.core.button import Positions
from controller.core.cards import Card
from controller.core.games.circle_betting import (
    BOARD_CARDS,
    STREETS,
    Action,
    Betting,
    Street,
    act,
    begin,
    closed,
    fold,
    is_settled,
    next_street,
    put_short,
    return_uncovered,
)
from controller.core.games.circle_showdown import Payout, RakeTerms, pay_out, reason_of
from controller.core.hands import strength
from controller.core.pots import PaidPot
from controller.core.rake import MOST_RAKE_BP
from controller.core.refusal import Refusal, Refused
from controller.settle.bonus import bonus_cards
from controller.settle.circle_positions import FEWEST_PLAYERS, PLACES, answer_next_hand, read_positions
from controller.settle.faults import Fault
from controller.settle.form import Deck, Fields, RecordFault, impossible
from controller.settle.jackpot import JackpotBox, settle_jackpot, void_answer
from controller.settle.terms import Terms, preset, read_terms

GAME = "holdem-circle"
RECORD = (
    "game",
    "blinds",
    "rake_bp",
    "rake_unit",
    "rake_without_flop",
    "button",
    "small_blind",
    "big_blind",
    "seats",
    "board",
    "actions",
    "jackpot",
    "linked",
    "at",
    "draws",
    "void",
)
SEAT = ("seat", "stack", "cards", "credits", "missed", "away")
ACTION = ("street", "seat", "do", "to")
CARDS_EACH = 2
BOARD_SIZES = (0, 3, 4, 5)
STREET_NAMES = tuple(street.value for street in Street)
ACTIONS = {action.value: action for action in Action}
PLACE_OF_FAULT = {
    Refusal.NOT_YOUR_TURN: "seat",
    Refusal.SEAT_NOT_IN_HAND: "seat",
    Refusal.BOX_FOLDED: "seat",
    Refusal.ALREADY_DECIDED: "seat",
    Refusal.RAISE_BELOW_MINIMUM: "to",
    Refusal.BET_ABOVE_STACK: "to",
    Refusal.BET_WRONG_AMOUNT: "to",
    Refusal.AMOUNT_MISSING: "to",
}
"""The key of an action that a refusal speaks of; the others speak of `do`."""


@dataclass(frozen=True, slots=True)
class CircleSeat:
    """One player of a record; missed: blinds owed from a rest, paid into the pot before the hand (art. 38).

    away: he is at the table and not in this hand; he rests, or waits for the button to pass (art. 23, 37-38).
    """

    seat: int
    stack: int
    cards: tuple[Card, ...]
    credits: int
    missed: int
    away: bool


def settle_circle(record: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a circle record, or to its question for the next hand's button; raises RecordFault."""
    if "next_hand" in record:
        return answer_next_hand(Fields(record, "", ("game", "next_hand")))
    fields = Fields(record, "", RECORD)
    blinds, rake = _read_blinds(fields), _read_rake(fields)
    terms = read_terms(fields, GAME)
    deck = Deck()
    is_void = fields.flag("void")
    seats = [_read_seat(each, deck, is_void) for each in _seat_objects(fields)]
    playing = [seat for seat in seats if not seat.away]
    positions = read_positions(fields, [seat.seat for seat in playing], [seat.seat for seat in seats])
    if is_void:
        _read_void(fields)
        answer = void_answer(terms).with_base([])
        return {**answer, "pots": [], "stacks": _stacks({seat.seat: seat.stack for seat in seats})}
    board = _read_board(fields, deck)
    betting = _play(fields, playing, positions, blinds)
    payout, betting = _pay(betting, playing, board, rake)
    boxes = [_jackpot_box(terms, seat, board, betting) for seat in seats]
    base = [_base(seat, betting, payout, board) for seat in playing]
    answer = settle_jackpot(terms, boxes, blinds[1]).with_base(base)
    stacks = {seat.seat: payout.stacks.get(seat.seat, seat.stack) for seat in seats}
    return {**answer, "pots": [_pot(pot) for pot in payout.pots], "stacks": _stacks(stacks)}


def _read_blinds(fields: Fields) -> tuple[int, int]:
    blinds = fields.object("blinds", ("small", "big"))
    defaults = preset(GAME, "none")["circle"]["blinds"]
    small = blinds.whole("small", defaults["small"], least=1)
    big = blinds.whole("big", defaults["big"], least=1)
    if small > big:
        raise RecordFault(Fault.SMALL_BLIND_ABOVE_BIG, blinds.place("small"))
    return small, big


def _read_rake(fields: Fields) -> RakeTerms:
    """Art. 5: at most 5 %."""
    defaults = preset(GAME, "none")["circle"]
    rate_bp = fields.whole("rake_bp", defaults["rake_bp"])
    if rate_bp > MOST_RAKE_BP:
        raise RecordFault(Fault.RAKE_ABOVE_FIVE_PERCENT, fields.place("rake_bp"))
    unit = fields.whole("rake_unit", defaults["rake_unit"], least=1)
    return RakeTerms(rate_bp, unit, fields.flag("rake_without_flop", defaults["rake_without_flop"]))


def _seat_objects(fields: Fields) -> Sequence[Fields]:
    """Art. 4, 16: four to ten players at the table, each at a place of its own."""
    seats = list(fields.objects("seats", SEAT))
    if len(seats) < FEWEST_PLAYERS:
        raise impossible(Fault.TOO_FEW_PLAYERS, "seats")
    if len(seats) > PLACES:
        raise impossible(Fault.TOO_MANY_PLAYERS, "seats")
    seen: set[int] = set()
    for each in seats:
        seat = each.whole("seat", most=PLACES, least=1)
        if seat in seen:
            raise impossible(Fault.DUPLICATE_SEAT, each.place("seat"))
        seen.add(seat)
    return seats


def _read_seat(fields: Fields, deck: Deck, is_void: bool) -> CircleSeat:
    """A void hand's cards may be wrong in number or twice: that may be why it is void."""
    cards = fields.cards("cards")
    seat = CircleSeat(
        seat=fields.whole("seat"),
        stack=fields.whole("stack", least=1),
        cards=cards if is_void else deck.take(cards, CARDS_EACH, fields.place("cards")),
        credits=fields.whole("credits", 0),
        missed=fields.whole("missed", 0),
        away=fields.flag("away"),
    )
    if seat.away and seat.missed:
        raise impossible(Fault.SEAT_NOT_IN_HAND, fields.place("missed"))
    if seat.missed >= seat.stack:
        raise impossible(Fault.BET_ABOVE_STACK, fields.place("missed"))
    return seat


def _read_void(fields: Fields) -> None:
    """The form of a void hand's board and actions; they may be against the rules, that may be why it is void."""
    fields.cards("board")
    for each in fields.objects("actions", ACTION) if "actions" in fields else ():
        _word(each, "street", STREET_NAMES)
        each.whole("seat", most=PLACES, least=1)
        _action(each)
        each.whole("to", 0)


def _read_board(fields: Fields, deck: Deck) -> tuple[Card, ...]:
    cards = fields.cards("board")
    if len(cards) not in BOARD_SIZES:
        raise impossible(Fault.WRONG_CARD_COUNT, "board")
    return deck.take(cards, len(cards), "board")


def _play(fields: Fields, seats: Sequence[CircleSeat], positions: Positions, blinds: tuple[int, int]) -> Betting:
    """The bets played through; each action is checked as the live table checks it."""
    betting = begin({seat.seat: seat.stack - seat.missed for seat in seats}, positions, blinds)
    for each in fields.objects("actions", ACTION):
        if _is_spare_check(betting, each):
            continue
        if betting.turn is None:
            betting = _to_open_street(betting)
        if each.raw("street") != betting.street.value or betting.turn is None:
            _word(each, "street", STREET_NAMES)
            found = Fault.HAND_IS_COMPLETE if betting.turn is None else Fault.WRONG_STREET
            raise impossible(found, each.place("street"))
        seat = each.whole("seat", most=PLACES, least=1)
        to = each.whole("to") if "to" in each else None
        answer = _acted(betting, seat, _action(each), to)
        if isinstance(answer, Refused):
            raise impossible(answer.reason, each.place(PLACE_OF_FAULT.get(answer.reason, "do")))
        betting = answer
    betting = _to_open_street(betting)
    if not is_settled(betting):
        raise impossible(Fault.DECISION_MISSING, f"actions[{len(fields.raw('actions'))}]")
    return _to_open_street(closed(betting))


def _is_spare_check(betting: Betting, action: Fields) -> bool:
    """A check of the only player with chips when his turn would have come, the others all-in: a table that asks the big
    blind for it records it, and it changes nothing (art. 44)."""
    asked = betting.can_bet[0] if len(betting.can_bet) == 1 else None
    if betting.turn is not None or asked is None or asked in betting.acted:
        return False
    if (action.raw("street"), action.raw("do")) != (betting.street.value, Action.CHECK.value):
        return False
    stays = "to" not in action or action.whole("to") == betting.in_street[asked]
    return stays and action.whole("seat", most=PLACES, least=1) == asked


def _acted(betting: Betting, seat: int, action: Action, to: int | None) -> Betting | Refused:
    """An action as the live table takes it; a fold's `to` are chips that were too few and stay in (art. 55, 57)."""
    if action is Action.FOLD and to is not None and to > betting.in_street.get(seat, to):
        short = put_short(betting, seat, to)
        if isinstance(short, Refused):
            return short
        betting = short
    return act(betting, seat, action, to)


def _action(fields: Fields) -> Action:
    word = fields.raw("do")
    if isinstance(word, str) and word in ACTIONS:
        return ACTIONS[word]
    return Action(_word(fields, "do", tuple(ACTIONS)))


def _word(fields: Fields, key: str, choices: Sequence[str]) -> str:
    """One of the known words; there is none by default."""
    fields.raw(key)
    return fields.choice(key, choices, "")


def _to_open_street(betting: Betting) -> Betting:
    """The first street in which somebody is asked; the river when nobody is any more."""
    while betting.turn is None and not betting.is_over and betting.street is not STREETS[-1]:
        betting = next_street(betting)
    return betting


def _pay(
    betting: Betting, seats: Sequence[CircleSeat], board: tuple[Card, ...], rake: RakeTerms
) -> tuple[Payout, Betting]:
    """A showdown among the seats with cards; who shows none does not win by cards (art. 71)."""
    betting, _ = return_uncovered(betting)
    dead = sum(seat.missed for seat in seats)
    if betting.is_over:
        return pay_out(betting, dict.fromkeys(betting.live, 0), rake, dead), betting
    if len(board) < BOARD_CARDS[Street.RIVER]:
        raise impossible(Fault.CARDS_MISSING, "board")
    held = {seat.seat: seat.cards for seat in seats if seat.cards}
    shown = [seat for seat in betting.live if seat in held]
    if not shown:
        raise impossible(Fault.CARDS_MISSING, "seats")
    for seat in betting.live:
        if seat not in held:
            betting = fold(betting, seat)
    return pay_out(betting, {seat: strength((*held[seat], *board)) for seat in shown}, rake, dead), betting


def _jackpot_box(terms: Terms, seat: CircleSeat, board: tuple[Card, ...], betting: Betting) -> JackpotBox:
    """Reading C-g: a jackpot bet per seat and hand; a folded seat lost it (O-i), and its cards are not seen."""
    folded = seat.away or seat.seat in betting.folded
    lost = folded and not terms.folded_keeps
    return JackpotBox(
        seat=seat.seat,
        has_ante=not seat.away,
        credits=seat.credits,
        counting=() if lost else bonus_cards(terms.bonus_cards, seat.cards, board),
        magic=() if folded else seat.cards,
    )


def _base(seat: CircleSeat, betting: Betting, payout: Payout, board: tuple[Card, ...]) -> dict[str, Any]:
    won = payout.won.get(seat.seat, 0)
    put = betting.put[seat.seat] + seat.missed
    reason = reason_of(betting, seat.seat, won, seat.cards, board)
    return {"seat": seat.seat, "put": put, "won": won, "net": won - put, "reason": reason}


def _pot(pot: PaidPot) -> dict[str, Any]:
    return {
        "amount": pot.amount,
        "rake": pot.rake,
        "eligible": list(pot.eligible),
        "winners": list(pot.winners),
        "share": pot.share,
        "odd_chip": pot.odd,
        "odd_chip_to": pot.odd_to,
    }


def _stacks(stacks: Mapping[int, int]) -> list[dict[str, int]]:
    return [{"seat": seat, "stack": chips} for seat, chips in sorted(stacks.items())]
