"""What the bank pays on the base bets of one box, in minor units; used at the table as advice and by `settle`."""

from collections.abc import Mapping, Sequence

from controller.core.cards import Card
from controller.core.games.boxes import BET_PER_ANTE
from controller.core.games.game import BaseResult
from controller.core.hands import Category, category_of, named_category, qualifies, strength

_FALLING = tuple(Category)

OASIS_PAY_TABLE: Mapping[Category, int] = {
    Category.ROYAL_FLUSH: 100,
    Category.STRAIGHT_FLUSH: 50,
    Category.FOUR_OF_A_KIND: 20,
    Category.FULL_HOUSE: 7,
    Category.FLUSH: 5,
    Category.STRAIGHT: 4,
    Category.THREE_OF_A_KIND: 3,
    Category.TWO_PAIR: 2,
    Category.PAIR: 1,
    Category.ACE_KING: 1,
}
"""The table most casinos print, to one on the bet; a site's own comes from its configuration."""


def oasis_result(
    seat: int,
    ante_minor: int,
    cards: Sequence[Card],
    dealer: Sequence[Card],
    *,
    folded: bool,
    bought: bool,
    pay_table: Mapping[Category, int] = OASIS_PAY_TABLE,
    payout_limit_minor: int | None = None,
) -> BaseResult:
    """One box against the bank (art. O 3, 5, 20, 29, 33, 42-45).

    `cards` are the five the box holds at the showdown (unused when it folded). The bets' figures are what each brings
    beyond its return: 0 = returned, negative = lost; the price of a bought card is lost whatever happens. Some houses
    cap what a bet brings in one hand: `payout_limit_minor`.
    """
    purchase = -ante_minor if bought else 0
    ante, bet, reason = _oasis_bets(ante_minor, cards, dealer, folded, pay_table)
    uncapped = None
    if payout_limit_minor is not None and bet > payout_limit_minor:
        bet, uncapped = payout_limit_minor, bet
    bets = (("ante", ante), ("bet", bet), ("purchase", purchase))
    return BaseResult(seat, reason, ante + bet + purchase, bets, uncapped)


def _oasis_bets(
    ante: int, cards: Sequence[Card], dealer: Sequence[Card], folded: bool, pay_table: Mapping[Category, int]
) -> tuple[int, int, str]:
    bet = BET_PER_ANTE * ante
    if folded:
        return -ante, 0, "folded"
    theirs = strength(dealer)
    if not qualifies(theirs):
        return ante, 0, "dealer_not_qualified"
    ours = strength(cards)
    if ours == theirs:
        return 0, 0, "tie"
    if ours < theirs:
        return -ante, -bet, "lost"
    category = named_category(ours)
    return ante, bet * pay_table[category], category.value


def bonus_result(
    seat: int,
    ante_minor: int,
    cards: Sequence[Card],
    dealer: Sequence[Card],
    board: Sequence[Card],
    *,
    folded: bool,
    turn_bet: bool,
    river_bet: bool,
    ante_pays_from: Category = Category.STRAIGHT,
) -> BaseResult:
    """One box of Texas Hold'em Bonus against the dealer, who always plays (art. B 11-13, reading B-e).

    Flop, turn and river bets pay 1:1; the ante pays 1:1 from `ante_pays_from` on, below it is returned.
    """
    flop, turn, river = BET_PER_ANTE * ante_minor, ante_minor * turn_bet, ante_minor * river_bet
    if folded:
        return BaseResult(seat, "folded", -ante_minor, _bonus_bets(-ante_minor, 0, 0, 0))
    ours, theirs = strength((*cards, *board)), strength((*dealer, *board))
    if ours == theirs:
        return BaseResult(seat, "tie", 0, _bonus_bets(0, 0, 0, 0))
    if ours < theirs:
        lost = ante_minor + flop + turn + river
        return BaseResult(seat, "lost", -lost, _bonus_bets(-ante_minor, -flop, -turn, -river))
    made = category_of(ours)
    ante = ante_minor if _FALLING.index(made) <= _FALLING.index(ante_pays_from) else 0
    return BaseResult(seat, made.value, ante + flop + turn + river, _bonus_bets(ante, flop, turn, river))


def _bonus_bets(ante: int, flop: int, turn: int, river: int) -> tuple[tuple[str, int], ...]:
    return (("ante", ante), ("flop_bet", flop), ("turn_bet", turn), ("river_bet", river))
