"""The banked game, from the invitation to the payment, and what may go wrong."""

from __future__ import annotations

from dataclasses import replace

from display import scene as s
from display.qr import qr_of
from display.samples.story import (
    CARD_MARK,
    CHECK,
    DRAW_PRIZE,
    HAND,
    LUCKY_MARK,
    NOW_MS,
    PHASES,
    banked_table,
    draw_rows,
    meter_of,
    prize_rows,
    seats_with,
    with_changes,
)
from display.scene import Amount, PrizeState, Seat, SeatState

BEFORE = Amount.of(4_824_136_540)
SHARE = Amount.of(482_413_654)
AFTER = Amount.of(4_341_722_886)
LAST_CHECK = s.DrawCheck(HAND - 1, qr_of("https://mesas.casino.example/draw/4/18341"))
IN_HAND = with_changes(
    seats_with(),
    seat2={"bought_card": True},
    seat3={"state": SeatState.FOLDED},
    seat4={"lucky": True},
    seat7={"deciding": True},
)
WINNER = s.PrizeWin(
    5, "straight_flush", SHARE, PrizeState.PENDING, ("9s", "8s", "7s", "6s", "5s"), percent_bp=1_000, of=BEFORE
)

STANDING = (
    s.StandingPrize(5, "straight_flush", SHARE, PrizeState.PENDING),
    s.StandingPrize(1, "full_house", Amount.of(45_000_000), PrizeState.VERIFIED),
    s.StandingPrize(4, "jugador_afortunado", DRAW_PRIZE, PrizeState.PENDING),
)


def _won(state: PrizeState) -> tuple[Seat, ...]:
    win = s.SeatWin("straight_flush", state, SHARE, percent_bp=1_000)
    return with_changes(IN_HAND, seat5={"win": win}, seat4={"lucky": False}, seat7={"deciding": False})


def oasis_tables() -> dict[str, s.TableScreen]:
    """The banked game, from the invitation to the payment, and what may go wrong."""
    idle_seats = tuple(Seat(number, SeatState.PLAYING) for number in range(1, 8))
    start = {"meter": meter_of(4_823_761_540), "prizes": prize_rows(4_823_761_540)}
    hand = {"carta_magica": CARD_MARK, "jugador_afortunado": LUCKY_MARK, "phase": PHASES, "seats": IN_HAND}
    lucky_seats = with_changes(seats_with(), seat4={"lucky": True})
    won = {"meter": meter_of(4_341_722_886), "hand_number": HAND}
    marked = prize_rows(4_341_722_886, "straight_flush", PrizeState.PENDING)
    paid = replace(WINNER, state=PrizeState.PAID)
    many = (
        WINNER,
        s.PrizeWin(1, "full_house", Amount.of(45_000_000), PrizeState.PENDING, credits=3),
        s.PrizeWin(4, "jugador_afortunado", DRAW_PRIZE, PrizeState.PAID),
    )
    lost = {"meter": meter_of(4_823_761_540, freshness=s.Freshness.LOST), "prizes": prize_rows(4_823_761_540)}
    stale = {"meter": meter_of(4_823_761_540, freshness=s.Freshness.STALE), "prizes": prize_rows(4_823_761_540)}
    playing = tuple(replace(seat, credits=0) for seat in seats_with())
    closed = tuple(Seat(number, SeatState.CLOSED) for number in range(1, 8))
    unknown = tuple(Seat(number, SeatState.UNKNOWN) for number in range(1, 8))
    return {
        "idle": banked_table(s.Idle(Amount.of(100_000)), seats=idle_seats, **start),
        "bets": banked_table(s.Bets(Amount.of(100_000)), **start),
        "carta": banked_table(s.CartaMagica("Qh", DRAW_PRIZE), draw_prizes=draw_rows("carta_magica")),
        "lucky": banked_table(
            s.JugadorAfortunado((1, 2, 4, 5, 7), 4, 4, DRAW_PRIZE),
            draw_prizes=draw_rows("jugador_afortunado"),
            seats=lucky_seats,
            carta_magica=CARD_MARK,
        ),
        "lucky-nobody": banked_table(
            s.JugadorAfortunado(tuple(range(1, 8)), 6, None, DRAW_PRIZE), draw_prizes=draw_rows("jugador_afortunado")
        ),
        "hand": banked_table(s.Hand(), **hand),
        "checked": banked_table(s.Hand(), **hand, draw_check=CHECK),
        "idle-checked": banked_table(s.Idle(Amount.of(100_000)), seats=idle_seats, draw_check=LAST_CHECK, **start),
        "bets-checked": banked_table(s.Bets(Amount.of(100_000)), draw_check=LAST_CHECK, **start),
        "notices": banked_table(
            s.Hand(),
            **hand,
            draw_check=CHECK,
            notices=(s.Notice(s.NoticeCode.JACKPOT_CLOSED_AT_SEATS, (3, 5)),),
            other_prizes=(s.OtherPrize("7", "straight_flush", Amount.of(391_200_456), PrizeState.PENDING),),
            seats_descending=True,
        ),
        "pending": banked_table(
            s.PrizePending((WINNER,), BEFORE, SHARE, AFTER), prizes=marked, seats=_won(PrizeState.PENDING), **won
        ),
        "paid": banked_table(
            s.PrizePaid((paid,), 91_204, NOW_MS + 300_000, BEFORE, AFTER),
            prizes=prize_rows(4_341_722_886, "straight_flush", PrizeState.PAID),
            seats=_won(PrizeState.PAID),
            **won,
        ),
        "verified": banked_table(
            s.PrizePending((replace(WINNER, state=PrizeState.VERIFIED),), BEFORE, SHARE, AFTER),
            prizes=prize_rows(4_341_722_886, "straight_flush", PrizeState.VERIFIED),
            seats=_won(PrizeState.VERIFIED),
            **won,
        ),
        "standing-bets": banked_table(
            s.Bets(Amount.of(100_000)), draw_check=LAST_CHECK, standing=STANDING[:1], **start
        ),
        "standing-hand": banked_table(s.Hand(), **hand, draw_check=CHECK, standing=STANDING[:1]),
        "standing-lucky": banked_table(
            s.JugadorAfortunado((1, 2, 4, 5, 7), 4, 4, DRAW_PRIZE), seats=lucky_seats, standing=STANDING[:1]
        ),
        "standing-several": banked_table(
            s.Hand(),
            **hand,
            draw_check=CHECK,
            standing=STANDING,
            notices=(s.Notice(s.NoticeCode.JACKPOT_CLOSED_AT_SEATS, (3, 5)),),
        ),
        "standing-pending": banked_table(
            s.PrizePending((WINNER,), BEFORE, SHARE, AFTER),
            prizes=marked,
            seats=_won(PrizeState.PENDING),
            standing=STANDING[1:],
            other_prizes=(s.OtherPrize("7", "straight_flush", Amount.of(391_200_456), PrizeState.PENDING),),
            **won,
        ),
        "several": banked_table(
            s.PrizePending(many, BEFORE, SHARE, AFTER), prizes=marked, seats=_won(PrizeState.PENDING), **won
        ),
        "royal": _royal(PrizeState.PENDING),
        "royal-paid": _royal(PrizeState.PAID),
        "royal-shared": _shared_royal(),
        "voided": banked_table(s.HandVoided(s.VoidReason.CARD_ERROR), **start),
        "stopped": banked_table(s.JackpotStopped(), seats=playing, **start),
        "not-open": banked_table(s.LinkLost(not_open=True), seats=playing, **lost),
        "lost": banked_table(s.LinkLost(), seats=playing, **lost),
        "stale": banked_table(s.Stale(NOW_MS + 7_000), seats=unknown, **stale),
        "closed": banked_table(s.OutOfService(s.ServiceReason.DEVICE_FAULT), seats=closed, **lost),
        "fixed": banked_table(
            s.Idle(Amount.of(100_000)),
            seats=idle_seats,
            meter=None,
            prizes=(
                s.PrizeRow("royal_flush", fixed=Amount.of(300_000_000)),
                s.PrizeRow("straight_flush", fixed=Amount.of(80_000_000)),
                *prize_rows(0)[2:],
            ),
        ),
    }


def _royal(state: PrizeState) -> s.TableScreen:
    whole = Amount.of(5_190_624_010)
    restart = 2_000_000_000
    win = s.PrizeWin(2, "royal_flush", whole, state, ("Ah", "Kh", "Qh", "Jh", "Th"), percent_bp=10_000, of=whole)
    paid = {"entry": 91_377, "paid_at_ms": NOW_MS + 9_000_000} if state is PrizeState.PAID else {}
    seats = with_changes(
        seats_with((3, 2, 4, 0, 0, 0, 5), free=4),
        seat2={"win": s.SeatWin("royal_flush", state, whole, percent_bp=10_000)},
        seat3={"bought_card": True},
        seat5={"state": SeatState.FOLDED},
    )
    return banked_table(
        s.Royal((win,), whole, state, Amount.of(restart), **paid),
        seats=seats,
        hand_number=18_377,
        meter=meter_of(restart),
        prizes=prize_rows(restart, "royal_flush", state),
    )


def _shared_royal() -> s.TableScreen:
    royal = _royal(PrizeState.PENDING)
    assert isinstance(royal.stage, s.Royal)
    half = Amount.of(2_595_312_005)
    first = replace(royal.stage.wins[0], amount=half)
    second = replace(first, seat=7, cards=("As", "Ks", "Qs", "Js", "Ts"))
    mark = s.SeatWin("royal_flush", PrizeState.PENDING, half)
    seats = with_changes(royal.seats, seat2={"win": mark}, seat7={"win": mark})
    return replace(royal, stage=replace(royal.stage, wins=(first, second)), seats=seats)
