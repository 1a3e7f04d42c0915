"""The end of a circle hand: pots built, raked and paid, everybody's stack after, who shows first (art. C 58, 71-96)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from controller.core.cards import Card
from controller.core.games.circle_betting import BOARD_CARDS, Betting, Street
from controller.core.hands import category_of, strength
from controller.core.pots import PaidPot, build_pots, clockwise_from, paid_by_seat, pay_pot


@dataclass(frozen=True, slots=True)
class RakeTerms:
    """What the house keeps: basis points of each pot, in whole chips of `unit` minor units (readings C-a, C-f)."""

    rate_bp: int
    unit: int
    without_flop: bool = True


@dataclass(frozen=True, slots=True)
class Payout:
    """Pots as paid, what each seat won, and the stacks after the hand."""

    pots: tuple[PaidPot, ...]
    won: Mapping[int, int]
    stacks: Mapping[int, int]

    @property
    def rake(self) -> int:
        return sum(pot.rake for pot in self.pots)


def pay_out(betting: Betting, strengths: Mapping[int, int], rake: RakeTerms, dead: int = 0) -> Payout:
    """Pay the pots of a hand whose bets are complete and whose uncovered part has gone back (`return_uncovered`).

    strengths: of every live seat; with a single one any number does. dead: missed blinds in the main pot (art. 38).
    """
    rate_bp = rake.rate_bp if rake.without_flop or betting.street is not Street.PREFLOP else 0
    built = build_pots(betting.put, betting.folded, dead)
    pots = tuple(pay_pot(pot, strengths, betting.button, rate_bp, rake.unit) for pot in built)
    won = paid_by_seat(pots)
    stacks = {seat: chips + won.get(seat, 0) for seat, chips in betting.stacks.items()}
    return Payout(pots, won, stacks)


def reason_of(
    betting: Betting, seat: int, won: int, cards: Sequence[Card], board: Sequence[Card], mucked: Collection[int] = ()
) -> str:
    """Why a seat won or lost: `folded`, `uncontested`, `lost`, the category it won with, `won` where nobody saw it."""
    shown = [each for each in betting.live if each not in mucked]
    if seat not in shown:
        return "folded"
    if len(shown) == 1:
        return "uncontested"
    if not won:
        return "lost"
    known = cards and len(board) == BOARD_CARDS[Street.RIVER]
    return category_of(strength((*cards, *board))).value if known else "won"


def show_order(betting: Betting) -> tuple[int, ...]:
    """Who shows first: the last to bet on the river, else the first active seat left of the button (art. 71)."""
    last = betting.aggressor
    if last is None or last in betting.folded:
        return betting.live
    return (last, *clockwise_from(last, [seat for seat in betting.live if seat != last]))
