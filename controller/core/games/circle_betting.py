"""A hand's bets in the circle game: who acts, what may be done, and what everybody has put in (art. C 44-57, 83-90).

Pure and small: the live table and `settle` use the same functions. Amounts in minor units; `to` is a seat's total in
the street. Minimum raise: the call and one big blind. An all-in below that does not reopen the betting (reading C-b).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from controller.core.button import Positions
from controller.core.evolve import evolve
from controller.core.pots import clockwise_from, uncovered
from controller.core.refusal import Refusal, Refused, refuse


class Street(Enum):
    """The four rounds of bets (art. 44-47)."""

    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"


STREETS = tuple(Street)
BOARD_CARDS = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5}
"""Cards on the board in each round of bets."""


class Action(Enum):
    """What a player does in his turn (art. 44)."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"


@dataclass(frozen=True)
class Betting:
    """Bets of one hand. stacks: chips behind; put: in the hand; in_street: in this street; to_act: who, in order.

    highest: what must be matched in this street. acted: who has acted since the last full bet; bound: whom a short
    all-in leaves with call or fold (C-b). ahead: totals bet out of turn (art. 57); short: who put in too few chips
    (art. 55). aggressor: the last to bet or raise in this street; last: what each seat did last in it.
    """

    order: tuple[int, ...]
    button: int
    big_blind: int
    stacks: Mapping[int, int]
    put: Mapping[int, int]
    in_street: Mapping[int, int]
    street: Street = Street.PREFLOP
    folded: frozenset[int] = frozenset()
    to_act: tuple[int, ...] = ()
    highest: int = 0
    acted: frozenset[int] = frozenset()
    bound: frozenset[int] = frozenset()
    ahead: Mapping[int, int] = field(default_factory=dict)
    short: int | None = None
    aggressor: int | None = None
    last: Mapping[int, Action] = field(default_factory=dict)

    @property
    def turn(self) -> int | None:
        return self.to_act[0] if self.to_act else None

    @property
    def live(self) -> tuple[int, ...]:
        """Seats that have not folded, in the order of play."""
        return tuple(seat for seat in self.order if seat not in self.folded)

    @property
    def can_bet(self) -> tuple[int, ...]:
        """Live seats with chips behind."""
        return tuple(seat for seat in self.order if seat not in self.folded and self.stacks[seat])

    @property
    def is_over(self) -> bool:
        """Whether a single hand is left."""
        return len(self.order) - len(self.folded) < 2

    def most(self, seat: int) -> int:
        """The highest total a seat can have in this street: all its chips."""
        return self.in_street[seat] + self.stacks[seat]

    def to_call(self, seat: int) -> int:
        """Chips that a seat lacks to match the highest bet."""
        return max(self.highest - self.in_street[seat], 0)

    @property
    def least_raise(self) -> int:
        """The lowest total of a full bet or raise: the call and one big blind (art. 44, 48)."""
        return self.highest + self.big_blind


def begin(stacks: Mapping[int, int], positions: Positions, blinds: tuple[int, int]) -> Betting:
    """Blinds posted, the first seat left of the big blind to act; who cannot cover his blind is all-in (art. 44).

    A blind of a seat that is not in `stacks` (its player rests, art. 38) is owed, not posted: the others still owe the
    full big blind, as they do when it is short (reading C-c).
    """
    order = clockwise_from(positions.button, stacks)
    betting = Betting(
        order, positions.button, blinds[1], dict(stacks), dict.fromkeys(order, 0), dict.fromkeys(order, 0)
    )
    for seat, blind in ((positions.small_blind, blinds[0]), (positions.big_blind, blinds[1])):
        if seat is not None and seat in stacks:
            betting = _moved(betting, seat, min(blind, stacks[seat]))
    after = clockwise_from(positions.big_blind, order)
    return _closed_if_done(evolve(betting, highest=blinds[1], to_act=tuple(s for s in after if betting.stacks[s])))


def next_street(betting: Betting) -> Betting:
    """The next round: nobody has bet, the first live seat left of the button acts (art. 45-47)."""
    can_bet = betting.can_bet
    return evolve(
        betting,
        street=STREETS[STREETS.index(betting.street) + 1],
        in_street=dict.fromkeys(betting.order, 0),
        highest=0,
        acted=frozenset(),
        bound=frozenset(),
        ahead={},
        aggressor=None,
        last={},
        to_act=can_bet if len(can_bet) > 1 else (),
    )


def act(betting: Betting, seat: int, action: Action, to: int | None = None) -> Betting | Refused:
    """The bets after a seat's action, or why it is refused; `to` may be left out where the action says it all."""
    if seat not in betting.stacks:
        return refuse(Refusal.SEAT_NOT_IN_HAND, seat=seat)
    if seat in betting.folded:
        return refuse(Refusal.BOX_FOLDED, seat=seat)
    if betting.turn is None:
        return refuse(Refusal.ALREADY_DECIDED, seat=seat)
    if seat != betting.turn:
        return refuse(Refusal.NOT_YOUR_TURN, seat=seat, turn=betting.turn)
    match action:
        case Action.FOLD:
            return fold(betting, seat)
        case Action.CHECK:
            return _check(betting, seat, to)
        case Action.CALL:
            return _call(betting, seat, to)
        case Action.ALL_IN:
            return _all_in(betting, seat, to)
        case _:
            return _bet_or_raise(betting, seat, action, to)


def fold(betting: Betting, seat: int) -> Betting:
    """A seat gives up what it has put in, in its turn or, by a sanction or a dead hand, out of it (art. 44, 66, 69).

    What it bet out of its turn is lost too (art. 57).
    """
    ahead = betting.ahead.get(seat, 0)
    if ahead:
        betting = _moved(betting, seat, ahead - betting.in_street[seat])
    return _closed_if_done(
        evolve(
            betting,
            folded=betting.folded | {seat},
            to_act=tuple(other for other in betting.to_act if other != seat),
            ahead=_ahead_without(betting, seat),
            short=None if betting.short == seat else betting.short,
            last={**betting.last, seat: Action.FOLD},
        )
    )


def bet_ahead(betting: Betting, seat: int, to: int) -> Betting | Refused:
    """Chips put down out of turn (art. 57): they stay, and bind the seat to call or fold when its turn comes."""
    if seat not in betting.to_act:
        return refuse(Refusal.SEAT_NOT_IN_HAND if seat not in betting.stacks else Refusal.ALREADY_DECIDED, seat=seat)
    if seat == betting.turn:
        return refuse(Refusal.WRONG_PHASE, key="BetOutOfTurn", turn=seat)
    if seat in betting.ahead:
        return refuse(Refusal.ALREADY_DECIDED, seat=seat)
    refused = _check_total(betting, seat, to)
    return refused or evolve(betting, ahead={**betting.ahead, seat: to})


def put_short(betting: Betting, seat: int, to: int) -> Betting | Refused:
    """Too few chips for the call (art. 55): they stay in, and the seat may only complete the call."""
    if seat != betting.turn:
        return refuse(Refusal.NOT_YOUR_TURN, seat=seat, turn=betting.turn or 0)
    refused = _check_total(betting, seat, to)
    if refused is not None:
        return refused
    if to >= min(betting.highest, betting.most(seat)):
        return refuse(Refusal.BET_WRONG_AMOUNT, seat=seat, amount=to, exact=betting.highest)
    return evolve(_moved(betting, seat, to - betting.in_street[seat]), short=seat)


def return_uncovered(betting: Betting) -> tuple[Betting, tuple[int, int] | None]:
    """The betting is complete: the part of the highest bet that nobody covered goes back (art. 87)."""
    back = uncovered(betting.put, betting.folded)
    if back is None:
        return betting, None
    return _moved(betting, back[0], -back[1]), back


def is_settled(betting: Betting) -> bool:
    """Whether nobody has to act, or the only one left has put in as much as anybody and all others are all-in.

    He may lack chips to a big blind that was short or owed, and owes them to nobody: what he added would come back
    (art. 87). The round is over, as all have matched the highest bet, are all-in or have folded (art. 44).
    """
    asked = betting.turn
    if asked is None:
        return True
    if betting.in_street[asked] < max(betting.in_street.values()):
        return False
    return all(seat == asked or not betting.stacks[seat] for seat in betting.live)


def closed(betting: Betting) -> Betting:
    """Nobody is asked any more in this street."""
    return evolve(betting, to_act=(), ahead={})


def _check(betting: Betting, seat: int, to: int | None) -> Betting | Refused:
    owed = betting.to_call(seat)
    if owed:
        return refuse(Refusal.BET_TO_CALL, seat=seat, to_call=owed)
    if to not in (None, betting.in_street[seat]):
        return refuse(Refusal.BET_WRONG_AMOUNT, seat=seat, amount=to or 0, exact=betting.in_street[seat])
    return _passed(betting, seat, Action.CHECK)


def _call(betting: Betting, seat: int, to: int | None) -> Betting | Refused:
    owed = betting.to_call(seat)
    if not owed:
        return refuse(Refusal.NOTHING_TO_CALL, seat=seat)
    exact = min(betting.highest, betting.most(seat))
    if to not in (None, exact):
        return refuse(Refusal.BET_WRONG_AMOUNT, seat=seat, amount=to or 0, exact=exact)
    return _passed(betting, seat, Action.CALL, min(owed, betting.stacks[seat]))


def _all_in(betting: Betting, seat: int, to: int | None) -> Betting | Refused:
    most = betting.most(seat)
    if to not in (None, most):
        return refuse(Refusal.BET_WRONG_AMOUNT, seat=seat, amount=to or 0, exact=most)
    if most > betting.highest:
        return _raised(betting, seat, Action.ALL_IN, most)
    return _passed(betting, seat, Action.ALL_IN, betting.stacks[seat])


def _bet_or_raise(betting: Betting, seat: int, action: Action, to: int | None) -> Betting | Refused:
    if action is Action.BET and betting.highest:
        return refuse(Refusal.BET_TO_CALL, seat=seat, to_call=betting.to_call(seat))
    if action is Action.RAISE and not betting.highest:
        return refuse(Refusal.NOTHING_TO_RAISE, seat=seat)
    if to is None:
        return refuse(Refusal.AMOUNT_MISSING, seat=seat)
    if to > betting.most(seat):
        return refuse(Refusal.BET_ABOVE_STACK, seat=seat, amount=to, most=betting.most(seat))
    return _raised(betting, seat, action, to)


def _check_total(betting: Betting, seat: int, to: int) -> Refused | None:
    """A total must add chips, and no more than the seat has."""
    if to > betting.most(seat):
        return refuse(Refusal.BET_ABOVE_STACK, seat=seat, amount=to, most=betting.most(seat))
    if to <= betting.in_street[seat]:
        return refuse(Refusal.BET_WRONG_AMOUNT, seat=seat, amount=to, exact=betting.in_street[seat] + 1)
    return None


def _raised(betting: Betting, seat: int, action: Action, to: int) -> Betting | Refused:
    """A bet or raise; everybody else with chips acts again.

    Below one big blind it must be all the seat has, and who had acted may then only call or fold (art. 48, 86, C-b).
    """
    if seat in betting.bound or seat in betting.ahead or seat == betting.short:
        return refuse(Refusal.MAY_NOT_RAISE, seat=seat)
    full = to >= betting.least_raise
    if not full and (to < betting.most(seat) or to <= betting.highest):
        return refuse(Refusal.RAISE_BELOW_MINIMUM, seat=seat, amount=to, least=betting.least_raise)
    return _closed_if_done(
        evolve(
            betting,
            **_chips_in(betting, seat, to - betting.in_street[seat]),
            highest=to,
            to_act=clockwise_from(seat, [other for other in betting.can_bet if other != seat]),
            acted=frozenset({seat}) if full else betting.acted | {seat},
            bound=frozenset() if full else betting.bound | betting.acted - {seat},
            aggressor=seat,
            last={**betting.last, seat: action},
        )
    )


def _passed(betting: Betting, seat: int, action: Action, chips: int = 0) -> Betting:
    """The turn goes on, after a check or after the chips of a call."""
    return _closed_if_done(
        evolve(
            betting,
            **_chips_in(betting, seat, chips),
            to_act=betting.to_act[1:],
            acted=betting.acted | {seat},
            ahead=_ahead_without(betting, seat),
            short=None,
            last={**betting.last, seat: action},
        )
    )


def _ahead_without(betting: Betting, seat: int) -> Mapping[int, int]:
    if seat not in betting.ahead:
        return betting.ahead
    return {other: to for other, to in betting.ahead.items() if other != seat}


def _moved(betting: Betting, seat: int, chips: int) -> Betting:
    return evolve(betting, **_chips_in(betting, seat, chips))


def _chips_in(betting: Betting, seat: int, chips: int) -> dict[str, dict[int, int]]:
    """The fields that change when a seat puts chips in, or takes them back."""
    if not chips:
        return {}
    return {
        "stacks": {**betting.stacks, seat: betting.stacks[seat] - chips},
        "put": {**betting.put, seat: betting.put[seat] + chips},
        "in_street": {**betting.in_street, seat: betting.in_street[seat] + chips},
    }


def _closed_if_done(betting: Betting) -> Betting:
    """Nobody is asked once a single hand is left, nor when the only one with chips has nothing to call (art. 89).

    Bets put down out of turn are taken up when their turn has come.
    """
    if betting.is_over:
        return closed(betting)
    # All who are still to act have chips, so with two of them at least two can bet.
    if len(betting.to_act) == 1 and len(betting.can_bet) == 1 and not betting.to_call(betting.to_act[0]):
        return closed(betting)
    return _take_up(betting) if betting.ahead else betting


def _take_up(betting: Betting) -> Betting:
    """The turn has come to a seat that had bet ahead: as a bet where nobody has bet, else as a call, the excess back.

    Where it does not cover the highest bet the player decides: he completes the call or loses it (art. 57).
    """
    seat = betting.turn
    to = None if seat is None else betting.ahead.get(seat)
    if seat is None or to is None:
        return betting
    most, least = betting.most(seat), betting.least_raise
    freed = evolve(betting, ahead=_ahead_without(betting, seat))
    if betting.highest == 0 and (to >= least or to == most):
        answer = _raised(freed, seat, Action.BET if to < most else Action.ALL_IN, to)
    elif to >= min(betting.highest, most) and betting.to_call(seat):
        answer = _call(freed, seat, None)
    elif betting.to_call(seat) == 0:
        answer = _check(freed, seat, None)
    else:
        return betting
    return betting if isinstance(answer, Refused) else answer
