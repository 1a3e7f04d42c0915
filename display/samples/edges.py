"""The widest and the rarest: ten seats, amounts of twelve digits, long names with accents, a limit, a fault."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from display import scene as s
from display.samples.bonus import bonus_tables
from display.samples.circle import circle_tables
from display.samples.oasis import oasis_tables
from display.samples.signs import signage
from display.samples.story import meter_of, prize_rows
from display.scene import Amount, PrizeState, Seat, SeatState

WIDE = 987_654_321_098
CAROUSEL = "Carrusel Añelo · Río Ñandú"
LINKED = tuple(str(number) for number in range(1, 10))
LIMIT = Amount.of(6_000_000_000)


def edge_tables() -> dict[str, s.TableScreen]:
    """Table screens at the limits of what they can hold."""
    tables = oasis_tables()
    seats = tuple(Seat(number, SeatState.PLAYING, credits=number % 6) for number in range(1, 11))
    meter = s.Meter(Amount.of(WIDE), meter_of(0).as_of_ms, carousel=CAROUSEL, linked_tables=LINKED)
    wide: dict[str, Any] = {"label": "12", "seats": seats, "meter": meter, "prizes": prize_rows(WIDE)}
    share = Amount.of(WIDE // 10)
    of = Amount.of(WIDE)
    win = s.PrizeWin(10, "straight_flush", share, PrizeState.PENDING, ("9s", "8s", "7s", "6s", "5s"), 1_000, of)
    bought = tuple(replace(seat, bought_card=seat.number in (2, 10), lucky=seat.number == 7) for seat in seats)
    limited = replace(meter_of(4_823_761_540), limit=LIMIT)
    notices = (s.Notice(s.NoticeCode.JACKPOT_BETS_STOPPED), s.Notice(s.NoticeCode.BET_NOT_TAKEN, (1, 4, 5, 7)))
    return {
        "wide-idle": replace(tables["idle"], **wide),
        "wide-hand": replace(tables["checked"], **wide | {"seats": bought}),
        "wide-pending": replace(
            tables["pending"], **wide, stage=s.PrizePending((win,), of, share, Amount.of(WIDE - WIDE // 10))
        ),
        "wide-royal": replace(
            tables["royal"],
            **wide,
            stage=s.Royal((replace(win, category="royal_flush", amount=of),), of, PrizeState.PENDING, of),
        ),
        "waiting": replace(
            tables["pending"],
            stage=s.PrizePending((s.PrizeWin(3, "straight_flush", None, PrizeState.PENDING),)),
            other_prizes=(s.OtherPrize("7", "straight_flush", None, PrizeState.PENDING),),
            prizes=tables["idle"].prizes,
        ),
        "wide-standing": replace(
            tables["standing-several"],
            **wide,
            notices=notices,
            standing=tuple(replace(each, seat=10, amount=share) for each in tables["standing-several"].standing),
        ),
        "standing-stopped": replace(
            tables["stopped"], notices=notices, standing=tables["standing-several"].standing[1:]
        ),
        "standing-bonus": replace(bonus_tables()["bonus-checked"], standing=tables["standing-several"].standing),
        "standing-circle": replace(circle_tables()["circle"], standing=tables["standing-several"].standing),
        "circle-all-in": _all_in(circle_tables()["circle"]),
        "limited": replace(tables["idle"], meter=limited),
        "circle-limited": replace(circle_tables()["circle"], meter=limited),
        "stopped-notices": replace(tables["stopped"], notices=notices),
        "idle-notices": replace(tables["idle"], notices=notices[1:]),
        "hand-notices": replace(tables["notices"], draw_check=None),
        "draw-wins": replace(tables["hand"], seats=_draw_wins(tables["hand"].seats)),
        "wide-draw-wins": replace(tables["hand"], **wide | {"seats": _draw_wins(seats)}),
        "fault": replace(tables["closed"], meter=meter_of(4_823_761_540)),
    }


def _all_in(table: s.TableScreen) -> s.TableScreen:
    """Every seat has put in all it had, or raised, in figures of seven digits."""
    bet = Amount.of(126_260_000)
    rest = Amount.of(138_740_000)
    seats = tuple(
        replace(
            seat,
            state=SeatState.PLAYING,
            deciding=False,
            credits=5,
            bet=bet,
            action=s.SeatAction.RAISE if seat.number in (3, 8) else s.SeatAction.ALL_IN,
            stack=rest if seat.number in (3, 8) else Amount.of(0),
        )
        for seat in table.seats
    )
    assert table.circle is not None
    return replace(table, seats=seats, circle=replace(table.circle, clock=None, pots=()))


def _draw_wins(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Every second seat still holds a draw's prize that is not paid."""
    kinds = ("carta_magica", "jugador_afortunado")
    wins = [s.SeatWin(kinds[seat.number // 2 % 2], PrizeState.PENDING, Amount.of(10_000_000)) for seat in seats]
    return tuple(replace(seat, win=win) if seat.number % 2 else seat for seat, win in zip(seats, wins, strict=True))


def edge_signs() -> dict[str, s.SignageScreen]:
    """Signs at the limits of what they can hold."""
    fresh = signage()["fresh"]
    tables = tuple(
        s.SignageTable(str(number), "holdem_circle", Amount.of(98_765_432_109 - number)) for number in range(1, 13)
    )
    prizes = (replace(fresh.last_prizes[0], amount=Amount.of(WIDE // 10), table="12"), *fresh.last_prizes[1:])
    limited = replace(meter_of(4_823_761_540), limit=LIMIT)
    wide = s.Meter(Amount.of(WIDE), limited.as_of_ms)
    return {
        "wide": replace(fresh, name=CAROUSEL, meter=wide, tables=tables, last_prizes=prizes),
        "wide-pending": replace(
            fresh, meter=wide, pending=(replace(prizes[0], state=PrizeState.PENDING, amount=Amount.of(WIDE)),)
        ),
        "waiting": replace(fresh, pending=(replace(prizes[1], state=PrizeState.PENDING, amount=None),)),
        "limited": replace(fresh, meter=limited),
        "named": replace(
            fresh,
            tables=(
                replace(fresh.tables[0], label="mesa-3"),
                replace(fresh.tables[1], label="norte-12"),
                replace(fresh.tables[2], label="sala-de-arriba-12"),
                replace(fresh.tables[3], label="100", linked=False),
            ),
        ),
        "named-pending": replace(fresh, pending=(replace(prizes[0], table="sala-norte-12", state=PrizeState.PENDING),)),
    }
