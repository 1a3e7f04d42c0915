"""What only a circle table shows: button, blinds, pots, clocks, bets and actions of its seats (C 14, 18, 50, 58)."""

from collections.abc import Mapping
from dataclasses import replace

from controller.core.games.circle_showdown import reason_of
from controller.core.games.circle_state import CircleState, Clock, Phase, hole_cards
from controller.core.games.holdem_circle import HoldemCircle
from controller.core.games.layout import BOARD
from controller.core.hands import Category
from display import scene as show

CLOCKS = {Clock.ACTION: show.ClockPhase.ACTION, Clock.LAST_SECONDS: show.ClockPhase.LAST_SECONDS}
MINUTE_MS = 60_000
CATEGORIES = frozenset(category.value for category in Category)


def circle_part(
    game: HoldemCircle, state: CircleState, paid: CircleState | None, since_ms: Mapping[str, int], now_ms: int
) -> show.Circle:
    """Button, blinds, pots and clocks; `since_ms`: when each running deadline was first seen, by the monotonic clock.

    `paid`: the hand before, whose pots stay to be seen until this one begins.
    """
    settings, table = game.settings, state.table
    placed = table.positions
    return show.Circle(
        button=None if placed is None else placed.button,
        small_blind=None if placed is None else placed.small_blind,
        big_blind=None if placed is None else placed.big_blind,
        small_blind_amount=show.Amount.of(settings.small_blind),
        big_blind_amount=show.Amount.of(settings.big_blind),
        pots=tuple(
            show.Pot(index, show.Amount.of(pot.amount), pot.eligible) for index, pot in enumerate(game.pots(state))
        ),
        clock=_action_clock(game, state, since_ms, now_ms),
        game_remaining_ms=_game_remaining(game, state, since_ms, now_ms),
        game_number=table.game,
        last_hand=table.hands_left == 1 and not table.ended,
        rake_bp=settings.rake.rate_bp,
        results=() if paid is None or state.phase is not Phase.BETS or not table.players else _results(paid),
    )


def _results(paid: CircleState) -> tuple[show.PotResult, ...]:
    """Each pot without what the house kept, who took it, and with what where the cards were shown (art. 72, 75)."""
    if paid.payout is None:
        return ()
    rows = []
    for index, pot in enumerate(paid.payout.pots):
        seat = pot.winners[0]
        cards, board = hole_cards(paid, seat), paid.cards.at(BOARD)
        reason = reason_of(paid.bets, seat, paid.payout.won[seat], cards, board, paid.mucked)
        category = reason if reason in CATEGORIES else None
        rows.append(show.PotResult(index, show.Amount.of(pot.amount - pot.rake), pot.winners, category))
    return tuple(rows)


def _left(id: str, total_ms: int, since_ms: Mapping[str, int], now_ms: int) -> int:
    return min(max(total_ms - (now_ms - since_ms.get(id, now_ms)), 0), total_ms)


def _action_clock(
    game: HoldemCircle, state: CircleState, since_ms: Mapping[str, int], now_ms: int
) -> show.ActionClock | None:
    deadline, seat = game.deadline(state), game.turn(state)
    if deadline is None or seat is None:
        return None
    id, seconds = deadline
    owed = min(state.bets.to_call(seat), state.bets.stacks[seat])
    return show.ActionClock(
        seat=seat,
        phase=CLOCKS[state.clock],
        remaining_ms=_left(id, seconds * 1000, since_ms, now_ms),
        total_ms=seconds * 1000,
        to_call=show.Amount.of(owed) if owed else None,
    )


def _game_remaining(game: HoldemCircle, state: CircleState, since_ms: Mapping[str, int], now_ms: int) -> int | None:
    """None before the first hand and after the last; 0 while the last hands are played."""
    table = state.table
    if not table.hands or table.ended:
        return None
    if table.hands_left is not None:
        return 0
    minute = next(each for each in game.deadlines(state) if "minute" in each.id)
    whole = (game.settings.duration_minutes - table.minutes - 1) * MINUTE_MS
    return whole + _left(minute.id, MINUTE_MS, since_ms, now_ms)


def circle_seat(game: HoldemCircle, state: CircleState, seat: show.Seat) -> show.Seat:
    """A seat with its state, its last action and its bet of the street."""
    betting, number = state.betting, seat.number
    shown = replace(seat, state=_seat_state(game, state, number))
    if betting is None or number not in betting.stacks or state.phase in (Phase.SHOWDOWN, Phase.OVER):
        return shown
    bet = betting.in_street[number] if game.turn(state) is not None else 0
    done = betting.last.get(number)
    return replace(
        shown,
        action=None if done is None else show.SeatAction(done.value),
        bet=show.Amount.of(bet) if bet else None,
    )


def _seat_state(game: HoldemCircle, state: CircleState, seat: int) -> show.SeatState:
    player = state.table.player(seat)
    if player is None:
        return show.SeatState.FREE
    if state.betting is not None and seat in state.betting.stacks:
        return show.SeatState.FOLDED if game.lost_hand(state, seat) else show.SeatState.PLAYING
    if player.resting:
        return show.SeatState.RESTING
    if player.stack == 0:
        return show.SeatState.ELIMINATED
    return show.SeatState.WAITING if player.waiting or state.betting is not None else show.SeatState.PLAYING


def circle_stage(state: CircleState) -> show.Stage | None:
    """The draw of seats before a game, and its end; None while there is something else to show."""
    table = state.table
    if table.ended:
        return show.GameEnded()
    if table.drawn and not table.players:
        rows = tuple(show.SeatDrawRow(arrival, seat) for arrival, (_, seat) in enumerate(table.drawn, start=1))
        return show.SeatDraw(rows)
    return None


def circle_notices(state: CircleState) -> tuple[show.Notice, ...]:
    """Rebuys, announced to everybody (art. 33), and the last hand (art. 15)."""
    notices = [
        show.Notice(show.NoticeCode.REBUY, (seat,), show.Amount.of(chips)) for seat, chips in state.table.rebought
    ]
    if state.table.hands_left == 1 and not state.table.ended:
        notices.append(show.Notice(show.NoticeCode.LAST_HAND))
    return tuple(notices)
