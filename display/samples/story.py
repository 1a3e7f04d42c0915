"""What every sample shares: the table of the story, its meter, list, draws and seats."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from display import scene as s
from display.qr import qr_of
from display.scene import Amount, PrizeState, Seat, SeatState

HAND = 18_342
NOW_MS = 1_783_557_720_000
DRAW_PRIZE = Amount.of(10_000_000)
LINKED = ("3", "4", "7", "9")
PHASES = s.PhaseLine(
    (s.Phase.BETS, s.Phase.NO_MORE_BETS, s.Phase.DEAL, s.Phase.DECISIONS, s.Phase.SHOWDOWN), s.Phase.DECISIONS
)
CARD_MARK = s.CartaMagicaMark("Qh")
CHECK = s.DrawCheck(HAND, qr_of("https://mesas.casino.example/draw/4/18342"))
LUCKY_MARK = s.JugadorAfortunadoMark(4, 4, DRAW_PRIZE, (1, 2, 4, 5, 7))


def meter_of(minor: int, **changes: Any) -> s.Meter:
    return s.Meter(Amount.of(minor), NOW_MS, carousel="Carrusel Puerto", linked_tables=LINKED, **changes)


def prize_rows(today: int, marked: str = "", mark: PrizeState | None = None) -> tuple[s.PrizeRow, ...]:
    rows = (
        s.PrizeRow("royal_flush", percent_bp=10_000, today=Amount.of(today)),
        s.PrizeRow("straight_flush", percent_bp=1_000, today=Amount.of(today // 10)),
        s.PrizeRow("four_of_a_kind", fixed=Amount.of(50_000_000), per_credit=True),
        s.PrizeRow("full_house", fixed=Amount.of(15_000_000), per_credit=True),
        s.PrizeRow("flush", fixed=Amount.of(7_500_000), per_credit=True),
    )
    return tuple(replace(row, mark=mark) if row.category == marked else row for row in rows)


def draw_rows(drawn: str = "") -> tuple[s.DrawPrize, ...]:
    names = ("carta_magica", "jugador_afortunado")
    return tuple(s.DrawPrize(name, DRAW_PRIZE, drawn=name == drawn) for name in names)


def seats_with(credits: tuple[int, ...] = (3, 5, 0, 1, 2, 0, 4), free: int = 6) -> tuple[Seat, ...]:
    return tuple(
        Seat(number, SeatState.FREE if number == free else SeatState.PLAYING, credits=count)
        for number, count in enumerate(credits, start=1)
    )


def with_changes(seats: tuple[Seat, ...], **changes: dict[str, Any]) -> tuple[Seat, ...]:
    return tuple(replace(seat, **changes.get(f"seat{seat.number}", {})) for seat in seats)


def banked_table(stage: s.Stage, **changes: Any) -> s.TableScreen:
    parts: dict[str, Any] = {
        "table_id": "4",
        "label": "4",
        "game": "oasis",
        "stage": stage,
        "seats": seats_with(),
        "hand_number": HAND,
        "minimum": Amount.of(500_000),
        "maximum": Amount.of(10_000_000),
        "meter": meter_of(4_824_136_540),
        "prizes": prize_rows(4_824_136_540),
        "draw_prizes": draw_rows(),
        "prize_notes": (s.PrizeNote.FIRST_FIVE_CARDS, s.PrizeNote.BOUGHT_CARD_EXCLUDED),
    }
    return s.TableScreen(**(parts | changes))
