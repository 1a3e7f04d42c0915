"""Prizes as scenes: the cheque while pending, its stamp when paid, and the mark at the seat (art. 58-60)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controller.adapters.screens.table_labels import label_of
from controller.core.hands import Category, rank
from controller.core.money import floor_minor
from controller.core.prizes import PaidBy
from controller.engine.ledger_state import Answered
from controller.engine.member_state import RowStatus
from controller.engine.messages import PendingPrize
from controller.engine.table_overrides import difference_of
from controller.engine.table_state import CARTA_MAGICA, PrizeStatus, TableSettings, TableState
from display import scene as show

OPEN = frozenset({"held", "pending", "verified", "stopped"})


@dataclass(frozen=True, slots=True)
class ShownPrize:
    """One prize of the carousel or of a draw, as screens name it."""

    id: str
    hand: int
    seat: int
    category: str
    amount_minor: int
    status: str
    from_meter: bool
    from_carousel: bool
    difference_minor: int = 0
    """By how much two people had another sum paid than the computed one; 0 until it is paid."""

    @property
    def told_minor(self) -> int:
        """What people read: as computed while it waits, what the player got once it is paid."""
        return self.amount_minor + self.difference_minor


def all_prizes(state: TableState) -> tuple[ShownPrize, ...]:
    """Every prize the table still names, the carousel's and the draws', oldest hand first."""
    rows = [
        ShownPrize(
            row.id,
            row.hand,
            row.seat,
            row.category,
            row.amount_minor,
            row.status.value,
            row.paid_by == PaidBy.METER.value,
            True,
            _paid_beside(state, row.id, row.status.value),
        )
        for row in state.link.rows.values()
        if row.status is not RowStatus.CLAIMED
    ]
    drawn = [
        ShownPrize(
            each.id,
            each.hand,
            each.seat,
            each.kind,
            each.amount_minor,
            each.status.value,
            False,
            False,
            _paid_beside(state, each.id, each.status.value),
        )
        for each in state.draw_prizes.values()
    ]
    return tuple(sorted([*rows, *drawn], key=lambda prize: (prize.hand, prize.seat, prize.id)))


def _paid_beside(state: TableState, prize: str, status: str) -> int:
    return difference_of(state, prize) if status == PrizeStatus.PAID.value else 0


def shown_prizes(
    state: TableState, just_paid: tuple[str, ...], begun: bool
) -> tuple[tuple[ShownPrize, ...], tuple[ShownPrize, ...]]:
    """The prizes that take the stage, and those that stand beside the table's course: unpaid, or paid a moment ago.

    The stage is the last hand's until the next one has begun, and never a smaller prize's while a larger one waits.
    """
    live = [prize for prize in all_prizes(state) if prize.status in OPEN or prize.id in just_paid]
    last = 0 if state.last is None else state.last.number
    own = [prize.amount_minor for prize in live if prize.hand == last]
    older = [prize.amount_minor for prize in live if prize.hand != last and prize.status in OPEN]
    if begun or not own or max(own) < max(older, default=0):
        return (), _largest_first(live)
    void = PrizeStatus.VOID.value
    stage = tuple(prize for prize in all_prizes(state) if prize.hand == last and prize.status != void)
    return stage, _largest_first(prize for prize in live if prize.hand != last)


def _largest_first(prizes: Iterable[ShownPrize]) -> tuple[ShownPrize, ...]:
    return tuple(sorted(prizes, key=lambda prize: (prize.status not in OPEN, -prize.amount_minor)))


def standing(prizes: Iterable[ShownPrize], waiting: Iterable[PendingPrize]) -> tuple[show.StandingPrize, ...]:
    """Prizes as lines beside the table's course; `waiting`: this table's claims whose amount is to be confirmed."""
    told = [
        show.StandingPrize(each.seat, each.category, show.Amount.of(each.told_minor), state_of(each.status))
        for each in prizes
    ]
    return (
        *(show.StandingPrize(each.seat, each.category, None, show.PrizeState.PENDING) for each in waiting),
        *told,
    )


def state_of(status: str) -> show.PrizeState:
    """What a screen calls a prize's status."""
    if status == PrizeStatus.VERIFIED.value:
        return show.PrizeState.VERIFIED
    return show.PrizeState.PENDING if status in OPEN else show.PrizeState.PAID


def prize_stage(
    settings: TableSettings,
    state: TableState,
    prizes: tuple[ShownPrize, ...],
    paid_at_ms: int,
    entry: int,
) -> show.Stage:
    """Paper: pending until the last of them is paid; a royal takes the whole screen (design, principles 1 and 2).

    settings: what the last hand was played by, which may be others than those in force.
    """
    minor = settings.minor_micros
    in_play = floor_minor(max(state.link.meter_micros, 0), minor)
    held = sum(prize.amount_minor for prize in prizes if prize.from_meter and prize.status in OPEN)
    taken = sum(prize.amount_minor for prize in prizes if prize.from_meter)
    paid = all(prize.status not in OPEN for prize in prizes)
    wins = tuple(_win(settings, state, prize) for prize in prizes)
    states = {state_of(prize.status) for prize in prizes}
    whole = next(
        each for each in (show.PrizeState.PENDING, show.PrizeState.VERIFIED, show.PrizeState.PAID) if each in states
    )
    if any(prize.category == Category.ROYAL_FLUSH.value for prize in prizes):
        return show.Royal(
            wins=wins,
            amount=show.Amount.of(sum(p.told_minor for p in prizes if p.category == Category.ROYAL_FLUSH.value)),
            state=whole,
            restart=show.Amount.of(in_play),
            entry=entry if paid else None,
            paid_at_ms=paid_at_ms if paid else None,
        )
    if paid:
        before, after = (show.Amount.of(in_play + taken), show.Amount.of(in_play)) if taken else (None, None)
        return show.PrizePaid(wins, entry, paid_at_ms, before, after)
    if not held:
        return show.PrizePending(wins)
    return show.PrizePending(wins, show.Amount.of(in_play + held), show.Amount.of(held), show.Amount.of(in_play))


def _win(settings: TableSettings, state: TableState, prize: ShownPrize) -> show.PrizeWin:
    ledger = state.link.ledger
    answered = ledger.awards.get(prize.id.rpartition("/")[0]) if prize.from_carousel else None
    played_by = settings.jackpot.prizes if answered is None else ledger.prizes_of(answered.granted.name)
    row = next((each for each in played_by.rows if each.category.value == prize.category), None)
    percent = row.percent if row is not None and prize.from_meter else None
    winners = () if answered is None else answered.winners
    return show.PrizeWin(
        seat=prize.seat,
        category=prize.category,
        amount=show.Amount.of(prize.told_minor),
        state=state_of(prize.status),
        cards=_cards(settings, state, prize),
        percent_bp=None if percent is None else percent * 100,
        of=None if percent is None or answered is None else _share_of(settings, answered, percent, prize.told_minor),
        credits=next((winner.credits for winner in winners if winner.seat == prize.seat), None),
    )


def _share_of(settings: TableSettings, answered: Answered, percent: int, amount_minor: int) -> show.Amount | None:
    """The meter that the share was taken of; None where it was another (a split, or what an earlier prize left)."""
    before_minor = floor_minor(sum(balance.micros for balance in answered.before), settings.minor_micros)
    return show.Amount.of(before_minor) if before_minor * percent // 100 == amount_minor else None


def _cards(settings: TableSettings, state: TableState, prize: ShownPrize) -> tuple[str, ...]:
    """The five cards that won, or the card drawn, as far as the table saw them and still holds that hand, now over."""
    hand = state.last
    if hand is None or hand.number != prize.hand:
        return ()
    if not prize.from_carousel:
        drawn = (each.outcome for each in hand.draws if each.kind == prize.category == CARTA_MAGICA)
        return tuple(drawn)
    cards = settings.game.jackpot_cards(hand.game, prize.seat)
    return () if cards is None else tuple(rank(cards).best)


def other_prizes(
    labels: Mapping[str, str], own: str, prizes: Iterable[PendingPrize], paid: bool = False
) -> tuple[show.OtherPrize, ...]:
    """Prizes of the other linked tables as lines of this table's screen, the newest first; `paid` a moment ago."""

    def state(prize: PendingPrize) -> show.PrizeState:
        if paid:
            return show.PrizeState.PAID
        return show.PrizeState.VERIFIED if prize.verified else show.PrizeState.PENDING

    told = [
        show.OtherPrize(
            label_of(labels, each.table),
            each.category,
            None if each.waiting else show.Amount.of(each.amount_minor),
            state(each),
        )
        for each in prizes
        if each.table != own
    ]
    return tuple(reversed(told))


def waiting_stage(prizes: tuple[PendingPrize, ...]) -> show.PrizePending:
    """Winners whose claim waits for people: pending like any other, their amounts to be confirmed (link rule 9)."""
    return show.PrizePending(
        tuple(show.PrizeWin(each.seat, each.category, None, show.PrizeState.PENDING) for each in prizes)
    )


def seat_win(state: TableState, seat: int) -> show.SeatWin | None:
    """The mark at a seat whose prize is not paid yet."""
    for prize in reversed(all_prizes(state)):
        if prize.seat == seat and prize.status in OPEN:
            return show.SeatWin(prize.category, state_of(prize.status), show.Amount.of(prize.amount_minor))
    return None
