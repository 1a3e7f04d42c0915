"""Hands played at a live table and told as records: `settle` pays what the table paid, and its money is conserved."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from controller.core.events import GameEvent, KeyPressed
from controller.core.games.boxes import CardsRead
from controller.core.games.circle_showdown import RakeTerms
from controller.core.games.circle_state import CircleState, hole_cards
from controller.core.games.holdem_circle import HoldemCircle
from controller.core.refusal import Refused
from controller.settle import settle
from tests.core.circle_play import SETTINGS, random_hand, seated, stacks_of


class Recording(HoldemCircle):
    """A live table that notes what its players do."""

    actions: list[dict[str, Any]]

    def step(self, state: CircleState, event: GameEvent) -> CircleState | Refused:
        answer = super().step(state, event)
        seat = self.turn(state)
        if isinstance(event, KeyPressed) and seat is not None and not isinstance(answer, Refused):
            action = {"street": state.bets.street.value, "seat": seat, "do": event.key.value}
            if event.amount_minor is not None:
                action["to"] = event.amount_minor
            self.actions.append(action)
        return answer


def chooser(seed: str) -> Callable[[int], int]:
    counter = 0

    def choose(among: int) -> int:
        nonlocal counter
        counter += 1
        return int.from_bytes(hashlib.sha256(f"{seed}/{counter}".encode()).digest()[:6]) % among

    return choose


def played(seed: int) -> tuple[dict[str, Any], dict[int, int], CircleState]:
    """A record of a random hand, the stacks it left, and its state."""
    choose = chooser(f"live-{seed}")
    rate = choose(501)
    table = Recording(
        type(SETTINGS)(
            seats=SETTINGS.seats,
            small_blind=100,
            big_blind=200,
            rake=RakeTerms(rate, 10, bool(choose(2))),
            buy_in_minimum=1,
            rebuy_minimum=1,
            cards_read=CardsRead.DEAL,
        )
    )
    table.actions = []
    before = seated(table, *(50 + choose(9_000) for _ in range(4 + choose(7))))
    over = random_hand(table, before, choose)
    assert over.table.positions is not None
    record = {
        "game": "holdem-circle",
        "blinds": {"small": 100, "big": 200},
        "rake_bp": rate,
        "rake_unit": 10,
        "rake_without_flop": table.settings.rake.without_flop,
        "button": over.table.positions.button,
        "seats": [
            {"seat": each.seat, "stack": each.stack, "cards": " ".join(hole_cards(over, each.seat))}
            for each in before.table.players
        ],
        "board": " ".join(table.board(over)),
        "actions": table.actions,
    }
    return record, stacks_of(table, over), over


SEEDS = range(40)


@pytest.mark.article("C-58", "C-82", "C-a", "C-f")
@pytest.mark.parametrize("seed", SEEDS)
def test_settle_pays_what_the_live_table_paid(seed: int) -> None:
    record, stacks, over = played(seed)
    answer = settle(record)
    assert {row["seat"]: row["stack"] for row in answer["stacks"]} == stacks
    assert over.payout is not None
    assert [(pot["amount"], pot["rake"], pot["odd_chip_to"]) for pot in answer["pots"]] == [
        (pot.amount, pot.rake, pot.odd_to) for pot in over.payout.pots
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_chip_is_lost_and_the_order_of_seats_says_nothing(seed: int) -> None:
    record, _, _ = played(seed)
    answer = settle(record)
    rake = sum(pot["rake"] for pot in answer["pots"])
    assert sum(row["stack"] for row in answer["stacks"]) + rake == sum(seat["stack"] for seat in record["seats"])
    assert sum(row["net"] for row in answer["base"]) == -rake
    assert all(pot["rake"] * 10_000 <= pot["amount"] * record["rake_bp"] for pot in answer["pots"])
    turned = settle({**record, "seats": record["seats"][::-1]})
    assert (turned["stacks"], turned["pots"]) == (answer["stacks"], answer["pots"])


@pytest.mark.article("C-61")
@pytest.mark.parametrize("seed", range(5))
def test_a_void_is_the_identity(seed: int) -> None:
    record, _, _ = played(seed)
    answer = settle({**record, "void": True})
    assert answer["stacks"] == sorted(
        ({"seat": each["seat"], "stack": each["stack"]} for each in record["seats"]), key=lambda row: row["seat"]
    )
