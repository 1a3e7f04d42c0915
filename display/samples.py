"""One consistent story told in every scene: for the preview of screens on a new monitor, and for the tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from display import scene as s
from display.qr import qr_of
from display.scene import Amount, PrizeState, Seat, SeatState

HAND = 18_342
NOW_MS = 1_783_557_720_000
DRAW_PRIZE = Amount.of(10_000_000)
BEFORE = Amount.of(4_824_136_540)
SHARE = Amount.of(482_413_654)
AFTER = Amount.of(4_341_722_886)
LINKED = ("3", "4", "7", "9")
PHASES = s.PhaseLine(
    (s.Phase.BETS, s.Phase.NO_MORE_BETS, s.Phase.DEAL, s.Phase.DECISIONS, s.Phase.SHOWDOWN), s.Phase.DECISIONS
)
BONUS_PHASES = s.PhaseLine(
    (s.Phase.BETS, s.Phase.NO_MORE_BETS, s.Phase.FLOP, s.Phase.TURN, s.Phase.RIVER, s.Phase.SHOWDOWN), s.Phase.TURN
)


def _meter(minor: int, **changes: Any) -> s.Meter:
    return s.Meter(Amount.of(minor), NOW_MS, carousel="Carrusel Puerto", linked_tables=LINKED, **changes)


def _prizes(today: int, marked: str = "", mark: PrizeState | None = None) -> tuple[s.PrizeRow, ...]:
    rows = (
        s.PrizeRow("royal_flush", percent_bp=10_000, today=Amount.of(today)),
        s.PrizeRow("straight_flush", percent_bp=1_000, today=Amount.of(today // 10)),
        s.PrizeRow("four_of_a_kind", fixed=Amount.of(50_000_000), per_credit=True),
        s.PrizeRow("full_house", fixed=Amount.of(15_000_000), per_credit=True),
        s.PrizeRow("flush", fixed=Amount.of(7_500_000), per_credit=True),
    )
    return tuple(replace(row, mark=mark) if row.category == marked else row for row in rows)


def _draws(drawn: str = "") -> tuple[s.DrawPrize, ...]:
    names = ("carta_magica", "jugador_afortunado")
    return tuple(s.DrawPrize(name, DRAW_PRIZE, drawn=name == drawn) for name in names)


def _seats(credits: tuple[int, ...] = (3, 5, 0, 1, 2, 0, 4), free: int = 6) -> tuple[Seat, ...]:
    return tuple(
        Seat(number, SeatState.FREE if number == free else SeatState.PLAYING, credits=count)
        for number, count in enumerate(credits, start=1)
    )


def _with(seats: tuple[Seat, ...], **changes: dict[str, Any]) -> tuple[Seat, ...]:
    return tuple(replace(seat, **changes.get(f"seat{seat.number}", {})) for seat in seats)


def _base(stage: s.Stage, **changes: Any) -> s.TableScreen:
    parts: dict[str, Any] = {
        "table_id": "4",
        "label": "4",
        "game": "oasis",
        "stage": stage,
        "seats": _seats(),
        "hand_number": HAND,
        "minimum": Amount.of(500_000),
        "maximum": Amount.of(10_000_000),
        "meter": _meter(4_824_136_540),
        "prizes": _prizes(4_824_136_540),
        "draw_prizes": _draws(),
        "prize_notes": (s.PrizeNote.FIRST_FIVE_CARDS, s.PrizeNote.BOUGHT_CARD_EXCLUDED),
    }
    return s.TableScreen(**(parts | changes))


CARD_MARK = s.CartaMagicaMark("Qh")
CHECK = s.DrawCheck(HAND, qr_of("https://mesas.casino.example/draw/4/18342"))
LAST_CHECK = s.DrawCheck(HAND - 1, qr_of("https://mesas.casino.example/draw/4/18341"))
LUCKY_MARK = s.JugadorAfortunadoMark(4, 4, DRAW_PRIZE, (1, 2, 4, 5, 7))
IN_HAND = _with(
    _seats(),
    seat2={"bought_card": True},
    seat3={"state": SeatState.FOLDED},
    seat4={"lucky": True},
    seat7={"deciding": True},
)
WINNER = s.PrizeWin(
    5, "straight_flush", SHARE, PrizeState.PENDING, ("9s", "8s", "7s", "6s", "5s"), percent_bp=1_000, of=BEFORE
)


def _won(state: PrizeState) -> tuple[Seat, ...]:
    win = s.SeatWin("straight_flush", state, SHARE, percent_bp=1_000)
    return _with(IN_HAND, seat5={"win": win}, seat4={"lucky": False}, seat7={"deciding": False})


def oasis_tables() -> dict[str, s.TableScreen]:
    """The banked game, from the invitation to the payment, and what may go wrong."""
    idle_seats = tuple(Seat(number, SeatState.PLAYING) for number in range(1, 8))
    start = {"meter": _meter(4_823_761_540), "prizes": _prizes(4_823_761_540)}
    hand = {"carta_magica": CARD_MARK, "jugador_afortunado": LUCKY_MARK, "phase": PHASES, "seats": IN_HAND}
    lucky_seats = _with(_seats(), seat4={"lucky": True})
    won = {"meter": _meter(4_341_722_886), "hand_number": HAND}
    marked = _prizes(4_341_722_886, "straight_flush", PrizeState.PENDING)
    paid = replace(WINNER, state=PrizeState.PAID)
    many = (
        WINNER,
        s.PrizeWin(1, "full_house", Amount.of(45_000_000), PrizeState.PENDING, credits=3),
        s.PrizeWin(4, "jugador_afortunado", DRAW_PRIZE, PrizeState.PAID),
    )
    lost = {"meter": _meter(4_823_761_540, freshness=s.Freshness.LOST), "prizes": _prizes(4_823_761_540)}
    stale = {"meter": _meter(4_823_761_540, freshness=s.Freshness.STALE), "prizes": _prizes(4_823_761_540)}
    playing = tuple(replace(seat, credits=0) for seat in _seats())
    closed = tuple(Seat(number, SeatState.CLOSED) for number in range(1, 8))
    unknown = tuple(Seat(number, SeatState.UNKNOWN) for number in range(1, 8))
    return {
        "idle": _base(s.Idle(Amount.of(100_000)), seats=idle_seats, **start),
        "bets": _base(s.Bets(Amount.of(100_000)), **start),
        "carta": _base(s.CartaMagica("Qh", DRAW_PRIZE), draw_prizes=_draws("carta_magica")),
        "lucky": _base(
            s.JugadorAfortunado((1, 2, 4, 5, 7), 4, 4, DRAW_PRIZE),
            draw_prizes=_draws("jugador_afortunado"),
            seats=lucky_seats,
            carta_magica=CARD_MARK,
        ),
        "lucky-nobody": _base(
            s.JugadorAfortunado(tuple(range(1, 8)), 6, None, DRAW_PRIZE), draw_prizes=_draws("jugador_afortunado")
        ),
        "hand": _base(s.Hand(), **hand),
        "checked": _base(s.Hand(), **hand, draw_check=CHECK),
        "idle-checked": _base(s.Idle(Amount.of(100_000)), seats=idle_seats, draw_check=LAST_CHECK, **start),
        "bets-checked": _base(s.Bets(Amount.of(100_000)), draw_check=LAST_CHECK, **start),
        "notices": _base(
            s.Hand(),
            **hand,
            draw_check=CHECK,
            notices=(s.Notice(s.NoticeCode.JACKPOT_CLOSED_AT_SEATS, (3, 5)),),
            other_prizes=(s.OtherPrize("7", "straight_flush", Amount.of(391_200_456), PrizeState.PENDING),),
            seats_descending=True,
        ),
        "pending": _base(
            s.PrizePending((WINNER,), BEFORE, SHARE, AFTER), prizes=marked, seats=_won(PrizeState.PENDING), **won
        ),
        "paid": _base(
            s.PrizePaid((paid,), 91_204, NOW_MS + 300_000, BEFORE, AFTER),
            prizes=_prizes(4_341_722_886, "straight_flush", PrizeState.PAID),
            seats=_won(PrizeState.PAID),
            **won,
        ),
        "several": _base(
            s.PrizePending(many, BEFORE, SHARE, AFTER), prizes=marked, seats=_won(PrizeState.PENDING), **won
        ),
        "royal": _royal(PrizeState.PENDING),
        "royal-paid": _royal(PrizeState.PAID),
        "royal-shared": _shared_royal(),
        "voided": _base(s.HandVoided(s.VoidReason.CARD_ERROR), **start),
        "stopped": _base(s.JackpotStopped(), seats=playing, **start),
        "lost": _base(s.LinkLost(), seats=playing, **lost),
        "stale": _base(s.Stale(NOW_MS + 7_000), seats=unknown, **stale),
        "closed": _base(s.OutOfService(s.ServiceReason.DEVICE_FAULT), seats=closed, **lost),
        "fixed": _base(
            s.Idle(Amount.of(100_000)),
            seats=idle_seats,
            meter=None,
            prizes=(
                s.PrizeRow("royal_flush", fixed=Amount.of(300_000_000)),
                s.PrizeRow("straight_flush", fixed=Amount.of(80_000_000)),
                *_prizes(0)[2:],
            ),
        ),
    }


def _royal(state: PrizeState) -> s.TableScreen:
    whole = Amount.of(5_190_624_010)
    restart = 2_000_000_000
    win = s.PrizeWin(2, "royal_flush", whole, state, ("Ah", "Kh", "Qh", "Jh", "Th"), percent_bp=10_000, of=whole)
    paid = {"entry": 91_377, "paid_at_ms": NOW_MS + 9_000_000} if state is PrizeState.PAID else {}
    seats = _with(
        _seats((3, 2, 4, 0, 0, 0, 5), free=4),
        seat2={"win": s.SeatWin("royal_flush", state, whole, percent_bp=10_000)},
        seat3={"bought_card": True},
        seat5={"state": SeatState.FOLDED},
    )
    return _base(
        s.Royal((win,), whole, state, Amount.of(restart), **paid),
        seats=seats,
        hand_number=18_377,
        meter=_meter(restart),
        prizes=_prizes(restart, "royal_flush", state),
    )


def _shared_royal() -> s.TableScreen:
    royal = _royal(PrizeState.PENDING)
    assert isinstance(royal.stage, s.Royal)
    half = Amount.of(2_595_312_005)
    first = replace(royal.stage.wins[0], amount=half)
    second = replace(first, seat=7, cards=("As", "Ks", "Qs", "Js", "Ts"))
    mark = s.SeatWin("royal_flush", PrizeState.PENDING, half)
    seats = _with(royal.seats, seat2={"win": mark}, seat7={"win": mark})
    return replace(royal, stage=replace(royal.stage, wins=(first, second)), seats=seats)


def bonus_tables() -> dict[str, s.TableScreen]:
    """The banked game with a board."""
    seats = _with(_seats((2, 1, 0, 5, 1, 0, 3)), seat3={"state": SeatState.FOLDED}, seat4={"lucky": True})
    bonus = _base(
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


def circle_tables() -> dict[str, s.TableScreen]:
    """The circle game: betting, the last seconds, the draw of seats."""
    action = s.ActionClock(5, s.ClockPhase.ACTION, 38_000, 60_000, Amount.of(3_000_000))
    last = s.ActionClock(5, s.ClockPhase.LAST_SECONDS, 7_000, 10_000, Amount.of(3_000_000))
    board = ("As", "9d", "4d", "Kc")
    rows = tuple(s.SeatDrawRow(arrival, seat) for arrival, seat in enumerate((6, 2, 9, 1, 10, 5, None, None), start=1))
    free = tuple(Seat(number, SeatState.FREE) for number in range(1, 11))
    ended = replace(_circle(None), pots=())
    return {
        "circle": _ring(s.Hand(), circle=_circle(action), board=board),
        "circle-last": _ring(s.Hand(), circle=replace(_circle(last), last_hand=True), board=board),
        "circle-bets": _ring(s.Bets(Amount.of(100_000)), circle=ended, phase=None, board_slots=0),
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
                stack=Amount.of(stacks[number]),
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
    return _base(stage, **(parts | changes))


def signage() -> dict[str, s.SignageScreen]:
    """The carousel's sign: in play, with prizes, without data, and with many tables."""
    day = 86_400_000
    tables = (
        s.SignageTable("3", "oasis", Amount.of(1_402_118_210)),
        s.SignageTable("4", "oasis", Amount.of(1_655_900_130)),
        s.SignageTable("7", "holdem_bonus", Amount.of(902_743_200)),
        s.SignageTable("9", "holdem_circle", Amount.of(863_000_000)),
    )
    prizes = (
        s.SignagePrize("7", "straight_flush", Amount.of(391_200_456), PrizeState.PAID, NOW_MS - day),
        s.SignagePrize("3", "four_of_a_kind", Amount.of(250_000_000), PrizeState.PAID, NOW_MS - 3 * day),
        s.SignagePrize("9", "full_house", Amount.of(60_000_000), PrizeState.PAID, NOW_MS - 4 * day),
    )
    fresh = s.SignageScreen("puerto", "Carrusel Puerto", _meter(4_823_761_540), tables, last_prizes=prizes)
    royal = s.SignagePrize("4", "royal_flush", Amount.of(5_190_624_010), PrizeState.PENDING, NOW_MS)
    more = s.SignagePrize("7", "flush", Amount.of(7_500_000), PrizeState.PENDING, NOW_MS)
    crowd = tuple(
        s.SignageTable(str(number), "oasis", Amount.of(523_400_000 + number * 7_310_011), linked=number != 6)
        for number in range(1, 9)
    )
    return {
        "fresh": fresh,
        "pending": replace(fresh, meter=_meter(2_000_000_000), pending=(royal, more)),
        "paid": replace(fresh, meter=_meter(2_000_000_000), just_paid=replace(royal, state=PrizeState.PAID)),
        "stale": replace(fresh, state=s.SignageState.STALE, meter=_meter(4_823_761_540, freshness=s.Freshness.STALE)),
        "out": replace(fresh, state=s.SignageState.OUT_OF_SERVICE),
        "crowd": replace(fresh, tables=crowd, meter=_meter(44_823_761_540)),
        "new": replace(fresh, last_prizes=(), tables=tables[:2]),
    }


def all_screens() -> dict[str, s.Screen]:
    """Every sample under a screen id of its own, named after what it shows."""
    tables = oasis_tables() | bonus_tables() | circle_tables()
    named: dict[str, s.Screen] = {f"table-{name}": replace(one, table_id=name) for name, one in tables.items()}
    named |= {f"signage-{name}": replace(one, carousel_id=name) for name, one in signage().items()}
    return named
