"""What players and people may do at a circle table, as steps of its state machine (art. C 14-38, 70)."""

from dataclasses import replace

from controller.core.circle_events import (
    GameOpened,
    PlayerLeft,
    PlayerRested,
    PlayerReturned,
    PlayerSeated,
    Rebought,
    Sanction,
    Sanctioned,
    SeatsDrawn,
    StackCounted,
)
from controller.core.games import circle_table as rules
from controller.core.games.circle_state import CircleState, Phase
from controller.core.games.circle_table import Change, CircleSettings
from controller.core.refusal import Refusal, Refused, refuse
from controller.core.typed_text import is_reason

Answer = CircleState | Refused


def _with_table(state: CircleState, change: Change) -> Answer:
    return change if isinstance(change, Refused) else replace(state, table=change)


def _also_before(state: CircleState, event_applied: Change, before_applied: Change | None) -> Answer:
    """In a hand the change also goes into the table that a void hand goes back to."""
    if isinstance(event_applied, Refused):
        return event_applied
    before = state.before if before_applied is None or isinstance(before_applied, Refused) else before_applied
    return replace(state, table=event_applied, before=before)


def seats_drawn(settings: CircleSettings, state: CircleState, event: SeatsDrawn) -> Answer:
    return _with_table(state, rules.draw_seats(settings, state.table, event.players, event.seats))


def game_opened(settings: CircleSettings, state: CircleState, event: GameOpened) -> Answer:
    return _with_table(state, rules.open_game(settings, state.table))


def player_seated(settings: CircleSettings, state: CircleState, event: PlayerSeated) -> Answer:
    return _with_table(state, rules.seat_player(settings, state.table, event.seat, event.chips_minor))


def player_left(settings: CircleSettings, state: CircleState, event: PlayerLeft) -> Answer:
    return _with_table(state, rules.leave(state.table, event.seat))


def player_rested(settings: CircleSettings, state: CircleState, event: PlayerRested) -> Answer:
    before = None if state.before is None else rules.rest(state.before, event.seat, True)
    return _also_before(state, rules.rest(state.table, event.seat, True), before)


def player_returned(settings: CircleSettings, state: CircleState, event: PlayerReturned) -> Answer:
    before = None if state.before is None else rules.rest(state.before, event.seat, False)
    return _also_before(state, rules.rest(state.table, event.seat, False), before)


def rebought(settings: CircleSettings, state: CircleState, event: Rebought) -> Answer:
    in_hand = state.phase is not Phase.BETS
    before = None
    if state.before is not None:
        before = rules.rebuy(settings, state.before, event.seat, event.chips_minor, in_hand)
    bought = rules.rebuy(settings, state.table, event.seat, event.chips_minor, in_hand)
    return _also_before(state, bought, before)


def stack_counted(settings: CircleSettings, state: CircleState, event: StackCounted) -> Answer:
    if not is_reason(event.reason):
        return refuse(Refusal.REASON_MISSING)
    return _with_table(state, rules.count_stack(settings, state.table, event.seat, event.chips_minor))


def minute(settings: CircleSettings, state: CircleState) -> CircleState:
    """A minute of the game passed; also in a hand that may yet be void."""
    in_hand = state.phase not in (Phase.BETS, Phase.OVER)
    table = rules.minute_passed(settings, state.table, in_hand)
    before = state.before
    if before is not None:
        before = replace(before, minutes=table.minutes, hands_left=table.hands_left)
    back = None if state.back is None else rules.minute_passed(settings, state.back, in_hand)
    return replace(state, table=table, before=before, back=back)


def sanction(state: CircleState, event: Sanctioned) -> Answer:
    """The sanction on record; an expelled player leaves when the hand is over."""
    if not is_reason(event.reason):
        return refuse(Refusal.REASON_MISSING)
    player = state.table.player(event.seat)
    if player is None:
        return refuse(Refusal.SEAT_FREE, seat=event.seat)
    noted = replace(state, sanctions=(*state.sanctions, (event.seat, event.sanction.value, event.reason)))
    if event.sanction is not Sanction.PLAYER_OUT:
        return noted
    before = state.before
    if before is not None:
        before = before.without(event.seat)
    return replace(noted, table=state.table.with_player(replace(player, out=True)), before=before)


def sanctioned(settings: CircleSettings, state: CircleState, event: Sanctioned) -> Answer:
    """Between hands an expelled player leaves at once; there is no hand to kill."""
    if event.sanction is Sanction.HAND_DEAD:
        return refuse(Refusal.SEAT_NOT_IN_HAND, seat=event.seat)
    noted = sanction(state, event)
    if isinstance(noted, Refused) or event.sanction is not Sanction.PLAYER_OUT:
        return noted
    return _with_table(noted, rules.leave(noted.table, event.seat))
