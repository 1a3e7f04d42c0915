"""A hand's bets in the circle game: who acts, what may be done, and what everybody has put in (art. C 44-57, 83-90).

Pure and small: the live table and `settle` use the same functions. Amounts in minor units; `to` is a seat's total in the
street. Minimum raise: the call and one big blind. An all-in below that does not reopen the betting (reading C-b).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from controller.core.pots import clockwise_from
from controller.core.refusal import Refusal, Refused, refuse


class Action(Enum):
    """What a player does in his turn (art. 44)."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"


@dataclass(frozen=True, slots=True)
class Betting:
    """Bets of one hand. stacks: chips behind; put: in the hand; street: in this street; to_act: who, in order.

    highest: what must be matched in this street; bound: seats that may only call or fold; aggressor: the last to bet.
    """

    order: tuple[int, ...]
    button: int
    big_blind: int
    stacks: Mapping[int, int]
    put: Mapping[int, int]
    street: Mapping[int, int]
    folded: frozenset[int] = frozenset()
    to_act: tuple[int, ...] = ()
    highest: int = 0
    bound: frozenset[int] = frozenset()
    aggressor: int | None = None
    acted: frozenset[int] = field(default_factory=frozenset)

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
        return tuple(seat for seat in self.live if self.stacks[seat])

    def to_call(self, seat: int) -> int:
        """Chips that a seat lacks to match the highest bet."""
        return max(self.highest - self.street.get(seat, 0), 0)


def begin(
    stacks: Mapping[int, int],
    button: int,
    blinds: tuple[int, int],
    small_seat: int | None,
    big_seat: int,
) -> Betting:
    """Blinds posted, the first seat left of the big blind to act; who cannot cover his blind is all-in (art. 44).

    With a short big blind the others still owe the full one (reading C-c).
    """
    order = clockwise_from(button, stacks)
    betting = Betting(order, button, blinds[1], dict(stacks), dict.fromkeys(order, 0), dict.fromkeys(order, 0))
    if small_seat is not None:
        betting = _moved(betting, small_seat, min(blinds[0], stacks[small_seat]))
    betting = _moved(betting, big_seat, min(blinds[1], stacks[big_seat]))
    after = clockwise_from(big_seat, order)
    return _closed_if_done(replace(betting, highest=blinds[1], to_act=tuple(s for s in after if betting.stacks[s])))


def next_street(betting: Betting) -> Betting:
    """A new street: nobody has bet, the first live seat left of the button acts (art. 45-47)."""
    fresh = replace(
        betting,
        street=dict.fromkeys(betting.order, 0),
        highest=0,
        bound=frozenset(),
        acted=frozenset(),
        aggressor=None,
        to_act=betting.can_bet,
    )
    return replace(fresh, to_act=()) if len(fresh.can_bet) < 2 else fresh


def act(betting: Betting, seat: int, action: Action, to: int | None = None) -> Betting | Refused:
    """The bets after a seat's action, or why it is refused; `to` may be left out where the action says it all."""
    if seat not in betting.order:
        return refuse(Refusal.SEAT_NOT_IN_HAND, seat=seat)
    if betting.turn is None:
        return refuse(Refusal.ALREADY_DECIDED, seat=seat)
    if seat != betting.turn:
        return refuse(Refusal.NOT_YOUR_TURN, seat=seat, turn=betting.turn)
    match action:
        case Action.FOLD:
            return fold(betting, seat)
        case Action.CHECK:
            owed = betting.to_call(seat)
            return refuse(Refusal.BET_TO_CALL, seat=seat, to_call=owed) if owed else _passed(betting, seat)
        case Action.CALL:
            return _call(betting, seat, to)
        case Action.ALL_IN:
            return _to(betting, seat, betting.street[seat] + betting.stacks[seat])
        case Action.BET | Action.RAISE:
            return _bet_or_raise(betting, seat, action, to)


def fold(betting: Betting, seat: int) -> Betting:
    """A seat gives up what it has put in, in its turn or, by a sanction or a dead hand, out of it."""
    to_act = tuple(other for other in betting.to_act if other != seat)
    return _closed_if_done(replace(betting, folded=betting.folded | {seat}, to_act=to_act))


def bind(betting: Betting, seat: int) -> Betting:
    """A seat that bet out of its turn may later only call or fold (art. 57)."""
    return replace(betting, bound=betting.bound | {seat})


def _call(betting: Betting, seat: int, to: int | None) -> Betting | Refused:
    owed = betting.to_call(seat)
    if not owed:
        return refuse(Refusal.NOTHING_TO_CALL, seat=seat)
    chips = min(owed, betting.stacks[seat])
    exact = betting.street[seat] + chips
    if to not in (None, exact):
        return refuse(Refusal.BET_WRONG_AMOUNT, seat=seat, amount=to or 0, exact=exact)
    return _passed(_moved(betting, seat, chips), seat)


def _bet_or_raise(betting: Betting, seat: int, action: Action, to: int | None) -> Betting | Refused:
    if action is Action.BET and betting.highest:
        return refuse(Refusal.BET_TO_CALL, seat=seat, to_call=betting.to_call(seat))
    if action is Action.RAISE and not betting.highest:
        return refuse(Refusal.NOTHING_TO_RAISE, seat=seat)
    if to is None:
        return refuse(Refusal.AMOUNT_MISSING, seat=seat)
    return _to(betting, seat, to)


def _to(betting: Betting, seat: int, to: int) -> Betting | Refused:
    """A total for the street: a call, a full raise, or an all-in for less (art. 48, 86)."""
    chips = to - betting.street[seat]
    if chips <= 0 or chips > betting.stacks[seat]:
        most = betting.street[seat] + betting.stacks[seat]
        return refuse(Refusal.BET_ABOVE_STACK, seat=seat, amount=to, most=most)
    all_in = chips == betting.stacks[seat]
    least = betting.highest + betting.big_blind
    if to > betting.highest and seat in betting.bound and not all_in:
        return refuse(Refusal.MAY_NOT_RAISE, seat=seat)
    if to > betting.highest and seat in betting.bound:
        return refuse(Refusal.MAY_NOT_RAISE, seat=seat)
    if to < least and not all_in:
        return refuse(Refusal.RAISE_BELOW_MINIMUM, seat=seat, amount=to, least=least)
    moved = _moved(betting, seat, chips)
    if to <= betting.highest:
        return _passed(moved, seat)
    return _raised(moved, seat, to, full=to >= least)


def _raised(betting: Betting, seat: int, to: int, *, full: bool) -> Betting:
    """Everybody else with chips acts again; after a short all-in those who had acted may only call or fold."""
    others = tuple(s for s in clockwise_from(seat, betting.order) if s != seat)
    to_act = tuple(s for s in others if s not in betting.folded and betting.stacks[s])
    bound = frozenset() if full else betting.bound | betting.acted
    acted = frozenset({seat}) if full else betting.acted | {seat}
    return _closed_if_done(replace(betting, highest=to, to_act=to_act, bound=bound, acted=acted, aggressor=seat))


def _passed(betting: Betting, seat: int) -> Betting:
    return _closed_if_done(replace(betting, to_act=betting.to_act[1:], acted=betting.acted | {seat}))


def _moved(betting: Betting, seat: int, chips: int) -> Betting:
    return replace(
        betting,
        stacks={**betting.stacks, seat: betting.stacks[seat] - chips},
        put={**betting.put, seat: betting.put[seat] + chips},
        street={**betting.street, seat: betting.street[seat] + chips},
    )


def _closed_if_done(betting: Betting) -> Betting:
    """Nobody is asked once a single hand is left, nor when the only one with chips has nothing to call (art. 89)."""
    if len(betting.live) < 2:
        return replace(betting, to_act=())
    if len(betting.can_bet) == 1 and all(betting.to_call(seat) == 0 for seat in betting.to_act):
        return replace(betting, to_act=())
    return betting
