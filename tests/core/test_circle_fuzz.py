"""Any event at any moment: a circle table answers with a state or a refusal, and no chip appears or disappears."""

from typing import Any

import pytest

from controller.core.cards import DECK
from controller.core.circle_events import (
    AbsentSeatDealt,
    BetOutOfTurn,
    GameOpened,
    HandRestored,
    HandsKilled,
    PlayerLeft,
    PlayerRested,
    PlayerReturned,
    PlayerSeated,
    Rebought,
    Sanction,
    Sanctioned,
    ShowdownTold,
)
from controller.core.events import CardRead, ClockRan, GameEvent, Key, KeyPressed
from controller.core.games.circle_showdown import RakeTerms
from controller.core.games.circle_state import CircleState, Phase
from controller.core.games.game import Stage
from controller.core.games.holdem_circle import HoldemCircle
from controller.core.refusal import Refused
from tests.core.circle_play import chips, game, reading, stacks_of, step
from tests.core.test_circle_properties import stream

STEPS = 1_500
KEYS = (Key.FOLD, Key.CHECK, Key.CALL, Key.BET, Key.RAISE, Key.ALL_IN)


def any_event(table: HoldemCircle, state: CircleState, choose: Any) -> GameEvent:
    """Mostly what moves a hand on, and now and then anything at all."""
    seat = 1 + choose(10)
    if choose(4):
        return _usual(table, state, choose)
    others: list[GameEvent] = [
        PlayerSeated(seat),
        PlayerSeated(seat, 4_000 + choose(3_000)),
        PlayerLeft(seat) if choose(4) == 0 else PlayerRested(seat),
        PlayerRested(seat),
        PlayerReturned(seat),
        Rebought(seat, 2_000 + choose(2_000)),
        Sanctioned(seat, tuple(Sanction)[choose(3)], "told"),
        HandsKilled((seat,), "mixed"),
        HandRestored(seat, "seen"),
        BetOutOfTurn(seat, choose(3_000)),
        AbsentSeatDealt(seat),
        ShowdownTold(tuple((each,) for each in state.betting.live) if state.betting is not None else ()),
        ClockRan((table.deadline(state) or ("none", 0))[0]),
        ClockRan(f"{state.table.game}/minute/{state.table.minutes + 1}"),
        GameOpened(),
        KeyPressed(KEYS[choose(6)], seat, choose(5_000)),
        KeyPressed(Key.CALL, None, choose(400)),
        CardRead(DECK[choose(52)]),
    ]
    return others[choose(len(others))]


def _usual(table: HoldemCircle, state: CircleState, choose: Any) -> GameEvent:
    if state.phase is Phase.BETS:
        return KeyPressed(Key.CLOSE_BETS) if choose(2) else PlayerSeated(1 + choose(10))
    if table.turn(state) is not None:
        return KeyPressed(KEYS[choose(6)])
    if state.phase is Phase.SHOWDOWN:
        if choose(2) and not state.bets.is_over:
            live = [seat for seat in state.bets.live if seat not in state.mucked]
            return ShowdownTold((tuple(live),))
        return KeyPressed(Key.HAND_OVER)
    return KeyPressed(Key.DEAL) if choose(3) == 0 else CardRead(DECK[choose(52)])


def brought(before: CircleState, after: CircleState, table: HoldemCircle) -> int:
    """Chips that came with players or rebuys, less those that left, told by the players alone."""
    was, now = stacks_of(table, before), stacks_of(table, after)
    came = sum(chips for seat, chips in now.items() if seat not in was)
    gone = sum(chips for seat, chips in was.items() if seat not in now)
    return came - gone


@pytest.mark.parametrize("seed", range(10))
def test_any_event_at_any_moment(seed: int) -> None:
    choose = stream(f"fuzz-{seed}")
    make = reading if seed % 2 else game
    table = make(rake=RakeTerms(500 if seed % 3 else 0, 10), duration_minutes=60, buy_total_maximum=30_000)
    state, hands, undone, owed = table.first_hand(), 0, 0, 0
    for _ in range(STEPS):
        event = any_event(table, state, choose)
        answer = step(table, state, event)
        if isinstance(answer, Refused):
            continue
        _conserved(table, state, answer, event)
        owed += chips(table, answer) - chips(table, state)
        state = answer
        undone += _can_be_undone(table, state, owed)
        if table.stage(state) is Stage.OVER:
            hands += 1
            following = table.next_hand(state)
            _next_hand_conserved(table, state, following)
            assert state.payout is not None
            owed = chips(table, following) + state.payout.rake
            state = following
            undone += _can_be_undone(table, state, owed)
        elif state.phase is not Phase.BETS and choose(60) == 0:
            void = table.next_hand(state)
            assert chips(table, void) == _before(state) + _pending(state)
            state = void
        table.boxes(state), table.pots(state), table.deadlines(state), table.settlement(state)
    assert hands > 5
    assert undone > 5


def _can_be_undone(table: HoldemCircle, state: CircleState, owed: int) -> bool:
    """Where a paid hand can be taken back, the table then holds what was brought to it, to the last chip."""
    back = table.undone(state)
    if isinstance(back, Refused):
        return False
    assert chips(table, back) == owed
    return True


def _conserved(table: HoldemCircle, state: CircleState, answer: CircleState, event: GameEvent) -> None:
    before, now = chips(table, state), chips(table, answer)
    if isinstance(event, Rebought):
        assert now - before in (0, event.chips_minor), event
    elif isinstance(event, PlayerSeated | PlayerLeft | Sanctioned):
        assert now - before == brought(state, answer, table), event
    else:
        assert now == before, event


def _next_hand_conserved(table: HoldemCircle, state: CircleState, following: CircleState) -> None:
    assert state.payout is not None
    stayed = {each.seat for each in following.table.players}
    taken = sum(chips for seat, chips in stacks_of(table, state).items() if seat not in stayed)
    pending = sum(each.pending for each in state.table.players if each.seat in stayed)
    assert chips(table, following) == chips(table, state) - state.payout.rake - taken + pending


def _before(state: CircleState) -> int:
    assert state.before is not None
    return sum(each.stack for each in state.before.players)


def _pending(state: CircleState) -> int:
    assert state.before is not None
    return sum(each.pending for each in state.before.players)
