"""The banked game with a board."""

from __future__ import annotations

from dataclasses import replace

from display import scene as s
from display.samples.story import (
    CARD_MARK,
    CHECK,
    LUCKY_MARK,
    banked_table,
    seats_with,
    with_changes,
)
from display.scene import SeatState

BONUS_PHASES = s.PhaseLine(
    (s.Phase.BETS, s.Phase.NO_MORE_BETS, s.Phase.FLOP, s.Phase.TURN, s.Phase.RIVER, s.Phase.SHOWDOWN), s.Phase.TURN
)


def bonus_tables() -> dict[str, s.TableScreen]:
    """The banked game with a board."""
    seats = with_changes(seats_with((2, 1, 0, 5, 1, 0, 3)), seat3={"state": SeatState.FOLDED}, seat4={"lucky": True})
    bonus = banked_table(
        s.Hand(),
        table_id="7",
        label="7",
        game="holdem_bonus",
        hand_number=2_077,
        seats=seats,
        phase=BONUS_PHASES,
        board=("Ah", "Td", "3c", "8s"),
        board_slots=5,
        carta_magica=CARD_MARK,
        jugador_afortunado=LUCKY_MARK,
        prize_notes=(s.PrizeNote.BEST_OF_SEVEN, s.PrizeNote.FOLDED_EXCLUDED),
    )
    return {"bonus": bonus, "bonus-checked": replace(bonus, draw_check=CHECK)}
