"""Circle tables played by scripts and by random choices, through the same events as at a real table."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from controller.core.button import Positions
from controller.core.cards import DECK, Card
from controller.core.circle_events import PlayerSeated
from controller.core.events import CardRead, ClockRan, GameEvent, Key, KeyPressed
from controller.core.games.boxes import CardsRead
from controller.core.games.circle_showdown import RakeTerms
from controller.core.games.circle_state import CircleState, Phase
from controller.core.games.game import Stage
from controller.core.games.holdem_circle import CircleSettings, HoldemCircle
from controller.core.pots import clockwise_from
from controller.core.refusal import Refused

SETTINGS = CircleSettings(
    seats=tuple(range(1, 11)),
    small_blind=100,
    big_blind=200,
    rake=RakeTerms(0, 10),
    buy_in_minimum=4_000,
    rebuy_minimum=2_000,
)


def game(**changes: Any) -> HoldemCircle:
    """A table with some of its terms changed."""
    return HoldemCircle(replace(SETTINGS, **changes))


def reading(**changes: Any) -> HoldemCircle:
    """A table whose reader sees every card of the deal."""
    return game(cards_read=CardsRead.DEAL, **changes)


def after(table: HoldemCircle, state: CircleState, *script: str | GameEvent) -> CircleState:
    """The state after events of which none is refused: `call`, `raise 600`, `fold 3`, `read As Kd`, `next`."""
    for line in script:
        for event in _events(table, state, line):
            if event is None:
                assert table.stage(state) is Stage.OVER, f"{line}: {state.phase}"
                state = table.next_hand(state)
                continue
            answer = step(table, state, event)
            assert not isinstance(answer, Refused), f"{line}: {answer}"
            state = answer
    return state


def step(table: HoldemCircle, state: CircleState, event: GameEvent) -> CircleState | Refused:
    """The state after an event and what follows from it by the rules, as the table journals both."""
    answer = table.step(state, event)
    if isinstance(answer, Refused):
        return answer
    following = table.follows(answer)
    return answer if following is None else table.step(answer, following)


def refused(table: HoldemCircle, state: CircleState, line: str | GameEvent) -> str:
    """The name of the refusal of one event."""
    (event,) = _events(table, state, line)
    assert event is not None
    answer = table.step(state, event)
    assert isinstance(answer, Refused), f"{line} is not refused"
    return answer.reason.value


def _events(table: HoldemCircle, state: CircleState, line: str | GameEvent) -> list[GameEvent | None]:
    if not isinstance(line, str):
        return [line]
    word, *rest = line.split()
    match word:
        case "next":
            return [None]
        case "read":
            return [CardRead(Card(card)) for card in rest]
        case "clock":
            running = table.deadline(state)
            assert running is not None, "no clock runs"
            return [ClockRan(running[0])]
        case "fold" if rest:
            return [KeyPressed(Key.FOLD, int(rest[0]))]
        case _:
            return [KeyPressed(Key(word), amount_minor=int(rest[0]) if rest else None)]


def seated(table: HoldemCircle, *stacks: int, first: int = 1) -> CircleState:
    """Players at seats 1, 2, 3 … before the first hand."""
    state = table.first_hand()
    for seat, chips in enumerate(stacks, first):
        state = after(table, state, PlayerSeated(seat, chips))
    return state


def opened_by(table: HoldemCircle, stacks: dict[int, int], button: int) -> CircleState:
    """A hand of these seats with the button at one of them."""
    state = table.first_hand()
    for seat, brought in stacks.items():
        state = after(table, state, PlayerSeated(seat, brought))
    ordered = clockwise_from(button, stacks)
    previous = Positions(ordered[-2], button, ordered[0])
    return after(table, replace(state, table=replace(state.table, positions=previous)), "close_bets")


def chips(table: HoldemCircle, state: CircleState) -> int:
    """All chips at the table: before the players, in the pots, and with the house."""
    stacks = sum(table.stack(state, each.seat) for each in state.table.players)
    if state.payout is not None:
        return stacks + state.payout.rake
    betting = state.betting
    return stacks + (0 if betting is None else sum(betting.put.values()) + state.dead)


def stacks_of(table: HoldemCircle, state: CircleState) -> dict[int, int]:
    return {each.seat: table.stack(state, each.seat) for each in state.table.players}


ACTIONS = (Key.CALL, Key.CHECK, Key.CALL, Key.CHECK, Key.BET, Key.RAISE, Key.ALL_IN, Key.FOLD)


def random_hand(table: HoldemCircle, state: CircleState, choose: Callable[[int], int]) -> CircleState:
    """One hand to its end by random actions; a refused one is followed by another."""
    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        other = choose(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    cards = iter(deck)
    state = after(table, state, "close_bets")
    total = chips(table, state)
    for _ in range(2_000):
        if state.phase is Phase.SHOWDOWN:
            return after(table, state, "hand_over")
        event = _next_event(table, state, choose, cards)
        answer = step(table, state, event)
        if not isinstance(answer, Refused):
            state = answer
        assert chips(table, state) == total, event
    raise AssertionError("a hand without an end")


def _next_event(table: HoldemCircle, state: CircleState, choose: Callable[[int], int], cards: Any) -> GameEvent:
    seat = table.turn(state)
    if seat is None:
        return CardRead(next(cards))
    key = ACTIONS[choose(len(ACTIONS))]
    betting = state.bets
    most = betting.most(seat)
    amount = None
    if key in (Key.BET, Key.RAISE):
        amount = betting.least_raise + choose(max(most - betting.least_raise, 0) + 1)
    return KeyPressed(key, amount_minor=amount)
