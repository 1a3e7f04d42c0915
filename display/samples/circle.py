"""The circle game: betting, the last seconds, the draw of seats."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from display import scene as s
from display.samples.story import (
    DRAW_PRIZE,
    banked_table,
)
from display.scene import Amount, Seat, SeatState


def circle_tables() -> dict[str, s.TableScreen]:
    """The circle game: betting, the last seconds, the draw of seats."""
    action = s.ActionClock(5, s.ClockPhase.ACTION, 38_000, 60_000, Amount.of(3_000_000))
    last = s.ActionClock(5, s.ClockPhase.LAST_SECONDS, 7_000, 10_000, Amount.of(3_000_000))
    board = ("As", "9d", "4d", "Kc")
    rows = tuple(s.SeatDrawRow(arrival, seat) for arrival, seat in enumerate((6, 2, 9, 1, 10, 5, None, None), start=1))
    free = tuple(Seat(number, SeatState.FREE) for number in range(1, 11))
    ended = replace(_circle(None), pots=())
    paid = replace(
        ended,
        results=(
            s.PotResult(0, Amount.of(12_920_000), (3,), "full_house"),
            s.PotResult(1, Amount.of(6_840_000), (5, 9), "flush"),
            s.PotResult(2, Amount.of(1_900_000), (5,), "flush"),
        ),
    )
    alone = replace(ended, results=(s.PotResult(0, Amount.of(1_140_000), (8,)),))
    return {
        "circle": _ring(s.Hand(), circle=_circle(action), board=board),
        "circle-last": _ring(s.Hand(), circle=replace(_circle(last), last_hand=True), board=board),
        "circle-bets": _ring(s.Bets(Amount.of(100_000)), circle=ended, phase=None),
        "circle-paid": _ring(s.Bets(Amount.of(100_000)), circle=paid, phase=None),
        "circle-uncontested": _ring(s.Bets(Amount.of(100_000)), circle=alone, phase=None),
        "circle-draw": _ring(
            s.SeatDraw(rows, 6), circle=ended, seats=free, hand_number=None, board_slots=0, phase=None
        ),
        "circle-carta": _ring(s.CartaMagica("7c", DRAW_PRIZE), circle=ended, phase=None, board_slots=0),
    }


def _circle(clock: s.ActionClock | None) -> s.Circle:
    pots = (
        s.Pot(0, Amount.of(13_600_000), (1, 3, 5, 9)),
        s.Pot(1, Amount.of(7_200_000), (1, 5, 9)),
        s.Pot(2, Amount.of(2_000_000), (1, 5)),
    )
    return s.Circle(
        8, 9, 10, Amount.of(200_000), Amount.of(400_000), pots, clock, 4_360_000, game_number=412, rake_bp=500
    )


def _ring(stage: s.Stage, **changes: Any) -> s.TableScreen:
    stacks = {1: 18_400_000, 2: 9_000_000, 3: 0, 5: 14_200_000, 6: 6_000_000, 8: 21_000_000, 9: 0, 10: 12_000_000}
    actions = {
        1: s.SeatAction.BET,
        2: s.SeatAction.FOLD,
        3: s.SeatAction.ALL_IN,
        6: s.SeatAction.FOLD,
        8: s.SeatAction.FOLD,
        9: s.SeatAction.ALL_IN,
        10: s.SeatAction.FOLD,
    }
    seats = []
    for number in range(1, 11):
        if number not in stacks:
            seats.append(Seat(number, SeatState.FREE))
            continue
        done = actions.get(number)
        in_hand = isinstance(stage, s.Hand)
        seats.append(
            Seat(
                number,
                SeatState.FOLDED if in_hand and done is s.SeatAction.FOLD else SeatState.PLAYING,
                credits={1: 2, 5: 1, 9: 5}.get(number, 0),
                deciding=in_hand and number == 5,
                action=done if in_hand else None,
                stack=Amount.of(stacks[number] if in_hand else max(stacks[number], 4_000_000)),
                bet=Amount.of(3_000_000) if in_hand and number == 1 else None,
            )
        )
    parts: dict[str, Any] = {
        "table_id": "9",
        "label": "9",
        "game": "holdem_circle",
        "seats": tuple(seats),
        "hand_number": 6_118,
        "minimum": Amount.of(400_000),
        "maximum": None,
        "phase": s.PhaseLine((s.Phase.PREFLOP, s.Phase.FLOP, s.Phase.TURN, s.Phase.RIVER), s.Phase.TURN),
        "board_slots": 5,
        "prize_notes": (),
    }
    return banked_table(stage, **(parts | changes))
