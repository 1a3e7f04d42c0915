"""Hands of the circle game played by pokerkit, an independent engine, and the records they make."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pokerkit import Automation, NoLimitTexasHoldem, State

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
STREETS = ("preflop", "flop", "turn", "river")
BLINDS = (100, 200)


@dataclass
class Reopening:
    """Who may raise by our reading of a short all-in: it gives those who had acted no new raise (C-b)."""

    acted: set[int] = field(default_factory=set)
    bound: set[int] = field(default_factory=set)

    def raised(self, player: int, by: int) -> None:
        if by >= BLINDS[1]:
            self.bound, self.acted = set(), set()
        else:
            self.bound |= self.acted - {player}
        self.acted.add(player)


@dataclass(frozen=True)
class PlayedHand:
    """A record without a rake, and the stacks that pokerkit ends with, by seat."""

    record: dict[str, Any]
    stacks: dict[int, int]


def start(stacks: Sequence[int], cards: Sequence[str]) -> State:
    """Blinds posted, two cards each: player 0 has the small blind, the last one the button."""
    state = NoLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, BLINDS, BLINDS[1], tuple(stacks), len(stacks))
    for player in range(len(stacks)):
        state.deal_hole("".join(cards[2 * player : 2 * player + 2]))
    return state


def play(stacks: Sequence[int], cards: Sequence[str], choose: Callable[[int], int]) -> PlayedHand:
    """A hand in which `choose(n)` picks among n; raises are those that both engines allow.

    pokerkit asks for the last raise again where we ask for one big blind (art. 48), so its minimum is the higher one.
    """
    state = start(stacks, cards)
    board = list(cards[2 * len(stacks) :][:5])
    dealt = 0
    reopening = Reopening()
    actions: list[dict[str, Any]] = []
    while state.status:
        if state.can_burn_card("??"):
            state.burn_card("??")
        elif state.can_deal_board():
            count = 3 if dealt == 0 else 1
            state.deal_board("".join(board[dealt : dealt + count]))
            dealt += count
            reopening = Reopening()
        else:
            actions.append(_act(state, STREETS[max(dealt - 2, 0)], choose, reopening))
    seats = [
        {"seat": player + 1, "stack": stack, "cards": " ".join(cards[2 * player : 2 * player + 2])}
        for player, stack in enumerate(stacks)
    ]
    record = {
        "game": "holdem-circle",
        "blinds": {"small": BLINDS[0], "big": BLINDS[1]},
        "rake_bp": 0,
        "rake_unit": 1,
        "button": len(stacks),
        "seats": seats,
        "board": " ".join(board),
        "actions": actions,
    }
    return PlayedHand(record, {player + 1: int(stack) for player, stack in enumerate(state.stacks)})


def _act(state: State, street: str, choose: Callable[[int], int], reopening: Reopening) -> dict[str, Any]:
    player = state.actor_index
    assert player is not None
    action: dict[str, Any] = {"street": street, "seat": player + 1}
    owed = state.checking_or_calling_amount
    chance = choose(8)
    if chance < 3 and player not in reopening.bound and state.can_complete_bet_or_raise_to():
        least = int(state.min_completion_betting_or_raising_to_amount or 0)
        most = int(state.max_completion_betting_or_raising_to_amount or 0)
        to = (least, most, least + (most - least) // (2 + choose(7)))[chance]
        action |= {"do": "raise" if max(state.bets) else "bet", "to": to}
        reopening.raised(player, to - int(max(state.bets)))
        state.complete_bet_or_raise_to(to)
    elif chance == 7 and owed:
        action |= {"do": "fold"}
        state.fold()
    else:
        action |= {"do": "call", "to": int(state.bets[player] + owed)} if owed else {"do": "check"}
        state.check_or_call()
        reopening.acted.add(player)
    return action


def replay(record: dict[str, Any]) -> list[int]:
    """A record's hand played through by pokerkit again; the stacks at its end."""
    seats = record["seats"]
    cards = [card for seat in seats for card in seat["cards"].split()]
    board = record["board"].split()
    state = start([seat["stack"] for seat in seats], cards)
    actions = iter(record["actions"])
    dealt = 0
    while state.status:
        if state.can_burn_card("??"):
            state.burn_card("??")
        elif state.can_deal_board():
            count = 3 if dealt == 0 else 1
            state.deal_board("".join(board[dealt : dealt + count]))
            dealt += count
        else:
            _apply(state, next(actions))
    return [int(stack) for stack in state.stacks]


def _apply(state: State, action: dict[str, Any]) -> None:
    match action["do"]:
        case "fold":
            state.fold()
        case "bet" | "raise":
            state.complete_bet_or_raise_to(action["to"])
        case _:
            state.check_or_call()
