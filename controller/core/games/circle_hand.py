"""A hand of the circle game as a table of phases and events: deal, four streets, showdown, payment (art. C 44-96)."""

from dataclasses import replace

from controller.core.circle_events import (
    AbsentSeatDealt,
    BetOutOfTurn,
    BetsCovered,
    GameOpened,
    HandRestored,
    HandsKilled,
    PlayerLeft,
    PlayerRested,
    PlayerReturned,
    PlayerSeated,
    Rebought,
    Sanctioned,
    SeatsDrawn,
    ShowdownTold,
    StackCounted,
)
from controller.core.events import CardCorrected, CardRead, CardsEntered, ClockRan, GameEvent, Key, KeyPressed
from controller.core.games import circle_between as between
from controller.core.games import circle_cards, transitions
from controller.core.games.boxes import CardsRead
from controller.core.games.circle_betting import (
    Action,
    act,
    begin,
    bet_ahead,
    closed,
    fold,
    is_settled,
    put_short,
)
from controller.core.games.circle_course import bets_changed, in_turn
from controller.core.games.circle_payment import hand_over, muck, told
from controller.core.games.circle_state import (
    BETS_OF,
    BOARD_PHASES,
    CircleState,
    Clock,
    Phase,
)
from controller.core.games.circle_table import CircleSettings, begin_hand, plan
from controller.core.games.circle_undo import followed
from controller.core.refusal import Refusal, Refused, refuse
from controller.core.typed_text import is_reason

Answer = CircleState | Refused
ACTIONS = {
    Key.FOLD: Action.FOLD,
    Key.CHECK: Action.CHECK,
    Key.CALL: Action.CALL,
    Key.BET: Action.BET,
    Key.RAISE: Action.RAISE,
    Key.ALL_IN: Action.ALL_IN,
}
BET_PHASES = tuple(BETS_OF.values())


def step(settings: CircleSettings, state: CircleState, event: GameEvent) -> Answer:
    """The state after one event; a pair of phase and event outside the table is refused by name."""
    answer = transitions.step(TRANSITIONS, "holdem-circle", settings, state, event)
    if isinstance(answer, Refused) or answer.back is None or isinstance(event, ClockRan):
        return answer
    counted = isinstance(event, StackCounted)
    return replace(answer, back=None if counted else followed(answer.back, state.table, answer.table))


def turn(state: CircleState) -> int | None:
    """The seat asked to act."""
    return state.betting.turn if state.betting is not None and state.phase in BET_PHASES else None


def clock_id(state: CircleState) -> str:
    """Name of the running clock: another one after every action."""
    return f"{state.table.game}/{state.table.hands}/{state.acts}/{state.clock.value}"


def minute_id(state: CircleState) -> str:
    """Name of the game's running minute."""
    return f"{state.table.game}/minute/{state.table.minutes + 1}"


def _close_bets(settings: CircleSettings, state: CircleState, event: KeyPressed) -> Answer:
    """No va más: the hand begins, its blinds are posted whether or not they lie there yet (art. 44, 49)."""
    planned = plan(settings, state.table)
    if isinstance(planned, Refused):
        return planned
    table, missed = begin_hand(settings, state.table, planned)
    stacks = {each.seat: each.stack for each in table.players if each.seat in planned.playing}
    return replace(
        state,
        table=table,
        before=state.table,
        back=None,
        phase=Phase.DEAL if settings.cards_read is CardsRead.DEAL else Phase.PREFLOP_BETS,
        dealt=planned.dealt,
        betting=begin(stacks, planned.positions, (settings.small_blind, settings.big_blind)),
        dead=sum(missed.values()),
        missed=missed,
    )


def follows(state: CircleState) -> BetsCovered | None:
    """What the rules do next by themselves: a player whom nobody can answer is not asked."""
    betting = state.betting
    if betting is None or betting.turn is None or state.phase not in (Phase.DEAL, *BET_PHASES):
        return None
    return BetsCovered() if is_settled(betting) else None


def _covered(settings: CircleSettings, state: CircleState, event: BetsCovered) -> Answer:
    """A journal of before has none of these: there the player was asked, and his answer stands."""
    if follows(state) is None:
        return refuse(Refusal.WRONG_PHASE, key="BetsCovered", phase=state.phase.value)
    return bets_changed(state, closed(state.bets))


def _act(settings: CircleSettings, state: CircleState, event: KeyPressed) -> Answer:
    """A seat's action (art. 44-55). The amount is the seat's total in the street; without one, the least."""
    betting = state.bets
    seat = betting.turn if event.seat is None else event.seat
    if seat is None:
        return refuse(Refusal.ALREADY_DECIDED, seat=0)
    action, to = ACTIONS[event.key], event.amount_minor
    if seat == betting.turn:
        if action in (Action.BET, Action.RAISE) and to is None:
            to = min(betting.least_raise, betting.most(seat))
        if action is Action.CALL and to is not None and betting.to_call(seat):
            if to < min(betting.highest, betting.most(seat)):
                short = put_short(betting, seat, to)
                return short if isinstance(short, Refused) else in_turn(replace(state, betting=short))
            to = None  # One chip too large, without a word, is a call; the rest goes back (art. 54).
    if action is Action.FOLD:
        to = None
    answer = act(betting, seat, action, to)
    return answer if isinstance(answer, Refused) else bets_changed(state, answer)


def _bet_out_of_turn(settings: CircleSettings, state: CircleState, event: BetOutOfTurn) -> Answer:
    answer = bet_ahead(state.bets, event.seat, event.to_minor)
    return answer if isinstance(answer, Refused) else replace(state, betting=answer)


def _clock_ran(settings: CircleSettings, state: CircleState, event: ClockRan) -> Answer:
    """Sixty seconds, then ten counted aloud, then the hand is folded (art. 50); or a minute of the game (art. 14)."""
    if event.deadline_id == minute_id(state) and state.table.hands:
        return between.minute(settings, state)
    seat = turn(state)
    if seat is None or event.deadline_id != clock_id(state):
        return refuse(Refusal.WRONG_PHASE, key="ClockRan", phase=state.phase.value)
    if state.clock is Clock.ACTION:
        return replace(state, clock=Clock.LAST_SECONDS)
    return bets_changed(state, fold(state.bets, seat))


def _kill(settings: CircleSettings, state: CircleState, event: HandsKilled) -> Answer:
    """Mixed cards: the hands are dead and lose their bets (art. 66, 69)."""
    if not is_reason(event.reason):
        return refuse(Refusal.REASON_MISSING)
    return _killed(state, event.seats)


def _killed(state: CircleState, seats: tuple[int, ...]) -> Answer:
    betting = state.bets
    for seat in seats:
        if seat not in betting.live:
            return refuse(Refusal.SEAT_NOT_IN_HAND, seat=seat)
        if betting.is_over:
            return refuse(Refusal.NO_BOX_IN_PLAY)
        betting = fold(betting, seat)
    return bets_changed(state, betting)


def _sanction(settings: CircleSettings, state: CircleState, event: Sanctioned) -> Answer:
    """Warning, dead hand, or out of the game after this hand (art. 70)."""
    noted = between.sanction(state, event)
    if isinstance(noted, Refused) or event.sanction.value == "warning" or event.seat not in state.bets.live:
        return noted
    return _killed(noted, (event.seat,))


def _restore(settings: CircleSettings, state: CircleState, event: HandRestored) -> Answer:
    """Art. 69: only a hand that was thrown away by the dealer's misreading, before anything is paid."""
    betting = state.bets
    if not is_reason(event.reason):
        return refuse(Refusal.REASON_MISSING)
    if event.seat not in betting.folded | state.mucked:
        return refuse(Refusal.SEAT_NOT_IN_HAND, seat=event.seat)
    restored = replace(betting, folded=betting.folded - {event.seat})
    return replace(state, betting=restored, mucked=state.mucked - {event.seat})


def _absent_dealt(settings: CircleSettings, state: CircleState, event: AbsentSeatDealt) -> Answer:
    return circle_cards.absent_dealt(settings, state, event.seat)


def _read_hole(settings: CircleSettings, state: CircleState, event: CardRead) -> Answer:
    return circle_cards.read_hole(state, event.card)


def _read_board(settings: CircleSettings, state: CircleState, event: CardRead) -> Answer:
    return circle_cards.read_board(settings, state, event.card)


def _read_early(settings: CircleSettings, state: CircleState, event: CardRead) -> Answer:
    return circle_cards.read_early(settings, state, event.card)


def _read_shown(settings: CircleSettings, state: CircleState, event: CardRead) -> Answer:
    return circle_cards.read_shown(state, event.card)


def _deal_key(settings: CircleSettings, state: CircleState, event: KeyPressed) -> Answer:
    return circle_cards.deal_without_reader(state)


def _enter(settings: CircleSettings, state: CircleState, event: CardsEntered) -> Answer:
    return circle_cards.enter(state, event.place, event.cards)


def _correct(settings: CircleSettings, state: CircleState, event: CardCorrected) -> Answer:
    return circle_cards.correct(state, event.place, event.old, event.new)


def _muck(settings: CircleSettings, state: CircleState, event: KeyPressed) -> Answer:
    return muck(state, event.seat)


def _told(settings: CircleSettings, state: CircleState, event: ShowdownTold) -> Answer:
    return told(state, event.ranking)


def _hand_over(settings: CircleSettings, state: CircleState, event: KeyPressed) -> Answer:
    return hand_over(settings, state)


_IN_PLAY = [phase for phase in Phase if phase not in (Phase.BETS, Phase.OVER)]
TRANSITIONS: transitions.Transitions[CircleSettings, CircleState] = {
    (Phase.BETS, SeatsDrawn): between.seats_drawn,
    (Phase.BETS, GameOpened): between.game_opened,
    (Phase.BETS, PlayerSeated): between.player_seated,
    (Phase.BETS, PlayerLeft): between.player_left,
    (Phase.BETS, StackCounted): between.stack_counted,
    (Phase.BETS, Sanctioned): between.sanctioned,
    (Phase.BETS, Key.CLOSE_BETS): _close_bets,
    **{(phase, PlayerRested): between.player_rested for phase in Phase},
    **{(phase, PlayerReturned): between.player_returned for phase in Phase},
    **{(phase, Rebought): between.rebought for phase in Phase},
    **{(phase, ClockRan): _clock_ran for phase in Phase},
    (Phase.DEAL, CardRead): _read_hole,
    (Phase.DEAL, Key.DEAL): _deal_key,
    (Phase.DEAL, AbsentSeatDealt): _absent_dealt,
    **{(phase, key): _act for phase in BET_PHASES for key in ACTIONS},
    **{(phase, BetOutOfTurn): _bet_out_of_turn for phase in BET_PHASES},
    **{(phase, BetsCovered): _covered for phase in (Phase.DEAL, *BET_PHASES)},
    **{(phase, CardRead): _read_early for phase in BET_PHASES},
    **{(phase, CardRead): _read_board for phase in BOARD_PHASES},
    **{(phase, Key.DEAL): _deal_key for phase in BOARD_PHASES},
    (Phase.SHOWDOWN, CardRead): _read_shown,
    (Phase.SHOWDOWN, Key.FOLD): _muck,
    (Phase.SHOWDOWN, ShowdownTold): _told,
    (Phase.SHOWDOWN, HandRestored): _restore,
    (Phase.SHOWDOWN, Key.HAND_OVER): _hand_over,
    **{(phase, HandsKilled): _kill for phase in _IN_PLAY},
    **{(phase, Sanctioned): _sanction for phase in _IN_PLAY},
    **{(phase, CardsEntered): _enter for phase in _IN_PLAY},
    **{(phase, CardCorrected): _correct for phase in (*_IN_PLAY, Phase.OVER)},
}
