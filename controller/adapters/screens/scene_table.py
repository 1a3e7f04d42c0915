"""A table's state as the scene its screen shows; pure, so that every scene is a row in a test."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.adapters.screens.scene_circle import circle_notices, circle_part, circle_seat, circle_stage
from controller.adapters.screens.scene_limit import meter_limit
from controller.adapters.screens.scene_prizes import (
    ShownPrize,
    prize_stage,
    seat_win,
    shown_prizes,
    standing,
    waiting_stage,
)
from controller.adapters.screens.table_labels import label_of
from controller.config.table import Table
from controller.core.events import VoidReason
from controller.core.games.game import Box, Stage
from controller.core.games.holdem_circle import HoldemCircle
from controller.core.money import floor_minor
from controller.engine.ledger_state import Standing
from controller.engine.member_state import MemberState
from controller.engine.messages import PendingPrize
from controller.engine.table_bets import bets_open
from controller.engine.table_draws import draw_winner, positions
from controller.engine.table_state import (
    CARTA_MAGICA,
    JUGADOR_AFORTUNADO,
    JackpotKind,
    TableSettings,
    TableState,
)
from display import scene as show
from display.qr import qr_of

VOIDS = {
    VoidReason.EXCHANGED_INFORMATION.value: show.VoidReason.INFORMATION,
    VoidReason.DEAL_ERROR.value: show.VoidReason.CARD_ERROR,
    VoidReason.BANK_CARD_EXPOSED.value: show.VoidReason.EXPOSED_CARD,
    VoidReason.WRONG_CARD_COUNT.value: show.VoidReason.WRONG_COUNT,
}
PHASES = {
    "oasis": ("bets", "deal", "decisions", "showdown"),
    "holdem-bonus": ("bets", "deal", "flop", "turn", "river", "showdown"),
    "holdem-circle": ("bets", "preflop", "flop", "turn", "river", "showdown"),
}


@dataclass(frozen=True, slots=True)
class Moment:
    """What a scene depends on besides the state: the time, the draw now being revealed, a payment just made.

    now_ms: wall clock, for what people read. mono_ms: the clock that never jumps, for what is left of a deadline.
    """

    now_ms: int
    mono_ms: int = 0
    revealing: str | None = None
    paid_rows: tuple[str, ...] = ()
    paid_at_ms: int = 0
    journal_seq: int = 0
    since_ms: Mapping[str, int] = field(default_factory=dict)
    """When each running deadline of the game was first seen, by the clock that never jumps."""
    fall: show.MeterFall | None = None
    """Why the meter went down last."""
    void: str = ""
    """Why a hand was voided a moment ago."""
    waiting: tuple[PendingPrize, ...] = ()
    """This table's winners whose claim waits for people, as the host says."""
    others: tuple[show.OtherPrize, ...] = ()
    """Prizes of the other linked tables: pending, or paid a moment ago."""
    unanswered: bool = False
    """The table's journal does not answer, so that no bet is taken."""


@dataclass(frozen=True, slots=True)
class TableFace:
    """The fixed part of a table's screen, from the configuration."""

    table: Table
    settings: TableSettings
    currency: show.Currency
    carousel_name: str | None
    label: str
    labels: Mapping[str, str] = field(default_factory=dict)
    """Numbers of the tables that this node knows, by id; another node's table goes by `label_of` its id."""
    public_url: str | None = None
    """Where players' phones reach the screens' listener; without it no code is shown."""
    last: TableSettings | None = None
    """What the last hand was played by, where settings change while the table runs."""


def table_scene(face: TableFace, state: TableState, moment: Moment) -> show.TableScreen:
    """Everything the screen shows. Priority: out of service, link lost, the last hand's prize, draw, phase, idle.

    Whatever the stage is, a prize that waits to be paid is on the screen: on the stage itself or beside the course.
    """
    settings, game, hand = face.settings, face.settings.game, state.hand
    prizes, _ = shown_prizes(state, moment.paid_rows, _begun(settings, state))
    stage = _stage(face, state, moment, prizes)
    phase = game.phase(hand.game).removesuffix("_bets")
    steps = tuple(show.Phase(step) for step in PHASES[game.name])
    return show.TableScreen(
        table_id=face.table.id,
        label=face.label,
        game=game.name.replace("-", "_"),
        stage=stage,
        seats=_seats(face, state),
        currency=face.currency,
        max_credits=settings.jackpot.max_credits,
        hand_number=hand.number,
        phase=show.PhaseLine(steps, show.Phase(phase)) if phase in PHASES[game.name] else None,
        minimum=show.Amount.of(settings.minimum_minor),
        maximum=None if isinstance(game, HoldemCircle) else show.Amount.of(face.table.limits.maximum),
        meter=table_meter(face, state.link, moment),
        prizes=_prize_list(face, state),
        draw_prizes=tuple(
            show.DrawPrize(terms.kind, show.Amount.of(terms.prize_minor), moment.revealing == terms.kind)
            for terms in settings.draws
        ),
        draw_every=_draw_every(settings),
        draw_every_hands=max((terms.every for terms in settings.draws), default=1) or 1,
        prize_notes=_notes(face),
        carta_magica=_carta_mark(settings, state),
        jugador_afortunado=_lucky_mark(settings, state),
        board=tuple(game.board(hand.game)),
        board_slots=_board_slots(settings, state),
        notices=_notices(settings, state, moment.unanswered),
        circle=_circle(game, state, moment) if isinstance(game, HoldemCircle) else None,
        other_prizes=moment.others,
        standing=_standing(settings, state, moment, stage),
        seats_descending=face.table.seat_strip == "descending",
        draw_check=_draw_check(face, state, moment),
    )


def _board_slots(settings: TableSettings, state: TableState) -> int:
    """Places for the board; between circle hands the middle of the table is free for what was won."""
    game = settings.game
    if game.name == "oasis" or (isinstance(game, HoldemCircle) and game.stage(state.hand.game) is Stage.BETS):
        return 0
    return 5


def _circle(game: HoldemCircle, state: TableState, moment: Moment) -> show.Circle:
    last = state.last
    paid = None if last is None or last.void else last.game
    return circle_part(game, state.hand.game, paid, moment.since_ms, moment.mono_ms)


def fresh(link: MemberState) -> bool:
    """Whether the mirrored ledger is what the host holds now: the table is a member and hears the host."""
    return link.link_up and link.standing is Standing.ACTIVE and link.stopped is None


def not_open(link: MemberState) -> bool:
    """Whether the table waits to be let in: it never was, or a restored copy of its journal began anew."""
    return link.stopped is None and link.standing in (None, Standing.JOINING)


def table_meter(face: TableFace, link: MemberState, moment: Moment) -> show.Meter | None:
    """The progressive, floored once to minor units; none for a fixed jackpot: a meter is for true progressives only."""
    if face.settings.jackpot.kind is not JackpotKind.PROGRESSIVE:
        return None
    amount = floor_minor(link.meter_micros, face.settings.minor_micros)
    linked = face.table.linked
    return show.Meter(
        amount=show.Amount.of(max(amount, 0)),
        as_of_ms=moment.now_ms,
        freshness=show.Freshness.FRESH if fresh(link) else show.Freshness.LOST,
        carousel=face.carousel_name if linked else None,
        linked_tables=tuple(label_of(face.labels, table) for table in link.ledger.active()) if linked else (),
        fall=moment.fall,
        limit=meter_limit(link.ledger),
    )


def _begun(settings: TableSettings, state: TableState) -> bool:
    """Whether the next hand is on its way: the table's own course is shown again."""
    game, hand = settings.game, state.hand
    if game.stage(hand.game) is not Stage.BETS or hand.credits:
        return True
    return not isinstance(game, HoldemCircle) and bool(game.boxes(hand.game))


def _standing(
    settings: TableSettings, state: TableState, moment: Moment, stage: show.Stage
) -> tuple[show.StandingPrize, ...]:
    """The table's live prizes that are not on this stage."""
    on_stage = isinstance(stage, show.PrizePending | show.PrizePaid | show.Royal)
    prizes, beside = shown_prizes(state, moment.paid_rows, not on_stage or _begun(settings, state))
    return standing(beside, () if on_stage and not prizes else moment.waiting)


def _stage(face: TableFace, state: TableState, moment: Moment, prizes: tuple[ShownPrize, ...]) -> show.Stage:
    settings, hand = face.settings, state.hand
    if state.closed_seats and set(settings.seats) <= {s for seats in state.closed_seats.values() for s in seats}:
        return show.OutOfService(show.ServiceReason.DEVICE_FAULT)
    if settings.jackpot.kind is JackpotKind.PROGRESSIVE and not fresh(state.link):
        return show.LinkLost(not_open=not_open(state.link))
    if moment.void:
        return show.HandVoided(VOIDS.get(moment.void, show.VoidReason.OTHER))
    if prizes:
        return prize_stage(face.last or face.settings, state, prizes, moment.paid_at_ms, moment.journal_seq)
    if moment.waiting and not _begun(settings, state):
        return waiting_stage(moment.waiting)
    credit = show.Amount.of(settings.jackpot.credit_minor)
    stage = settings.game.stage(hand.game)
    if stage is Stage.BETS:
        between = circle_stage(hand.game) if isinstance(settings.game, HoldemCircle) else None
        if between is not None:
            return between
        closing = state.link.ledger.closing
        ended = closing is not None and closing.closed
        if state.stops or ended:
            return show.JackpotStopped(ended)
        begun = bool(settings.game.boxes(hand.game) or hand.credits)
        kind = show.Bets if begun else show.Idle
        return kind(credit=credit, max_credits=settings.jackpot.max_credits)
    return _draw_stage(face, state, moment) or show.Hand()


def _draw_stage(face: TableFace, state: TableState, moment: Moment) -> show.Stage | None:
    settings, hand = face.settings, state.hand
    result = next((each for each in hand.draws if each.kind == moment.revealing), None)
    if result is None:
        return None
    terms = next(each for each in settings.draws if each.kind == result.kind)
    prize = show.Amount.of(terms.prize_minor)
    if result.kind == CARTA_MAGICA:
        return show.CartaMagica(result.outcome, prize, _carta_winners(settings, state))
    if not result.outcome:
        return None
    winner = draw_winner(settings, hand, hand.game, result.kind)
    wheel = positions(settings, terms, hand)
    return show.JugadorAfortunado(wheel, int(result.outcome), winner, prize)


def _seats(face: TableFace, state: TableState) -> tuple[show.Seat, ...]:
    settings, hand = face.settings, state.hand
    boxes = {box.seat: box for box in settings.game.boxes(hand.game)}
    turn = settings.game.turn(hand.game)
    lucky = next((each.outcome for each in hand.draws if each.kind == JUGADOR_AFORTUNADO), "")
    seats = tuple(
        show.Seat(
            number=seat,
            state=_seat_state(boxes.get(seat)),
            credits=hand.credits.get(seat, 0),
            bought_card=seat in boxes and boxes[seat].bought,
            deciding=seat == turn,
            lucky=str(seat) == lucky,
            win=seat_win(state, seat),
            stack=_stack(boxes.get(seat)),
        )
        for seat in settings.seats
    )
    if isinstance(settings.game, HoldemCircle):
        return tuple(circle_seat(settings.game, hand.game, seat) for seat in seats)
    return seats


def _seat_state(box: Box | None) -> show.SeatState:
    if box is None:
        return show.SeatState.FREE
    return show.SeatState.FOLDED if box.folded else show.SeatState.PLAYING


def _stack(box: Box | None) -> show.Amount | None:
    return None if box is None or box.stack_minor is None else show.Amount.of(box.stack_minor)


def _prize_list(face: TableFace, state: TableState) -> tuple[show.PrizeRow, ...]:
    """Always visible (art. 53); a percentage also says what it is today, which a screen hides when not fresh."""
    meter, minor = state.link.meter_micros, face.settings.minor_micros
    rows = []
    for prize in face.settings.jackpot.prizes.rows:
        if prize.percent is not None:
            today = show.Amount.of(max(meter, 0) * prize.percent // (100 * minor))
            rows.append(show.PrizeRow(prize.category.value, prize.percent * 100, today))
        elif prize.fixed_minor is not None:
            fixed = show.Amount.of(prize.fixed_minor)
            rows.append(show.PrizeRow(prize.category.value, fixed=fixed, per_credit=prize.per_credit))
    return tuple(rows)


def _draw_every(settings: TableSettings) -> show.DrawEvery:
    every = {terms.every for terms in settings.draws}
    if every == {0}:
        return show.DrawEvery.DEALER_KEY
    return show.DrawEvery.HAND if every <= {1} else show.DrawEvery.SOME_HANDS


def _notes(face: TableFace) -> tuple[show.PrizeNote, ...]:
    if face.settings.game.name == "oasis":
        return (show.PrizeNote.FIRST_FIVE_CARDS, show.PrizeNote.BOUGHT_CARD_EXCLUDED)
    counted = face.table.jackpot.options.bonus_cards
    return (show.PrizeNote(counted),) if counted in ("best_of_seven", "hole_and_flop") else ()


def _carta_mark(settings: TableSettings, state: TableState) -> show.CartaMagicaMark | None:
    result = next((each for each in state.hand.draws if each.kind == CARTA_MAGICA), None)
    if result is None:
        return None
    return show.CartaMagicaMark(result.outcome, _carta_winners(settings, state))


def _carta_winners(settings: TableSettings, state: TableState) -> tuple[int, ...]:
    """Who holds the drawn card, once all may know: named by two people, or at the showdown against the bank.

    A reader sees cards as they are dealt; told before, the screen would show the others a card of that box (art. 67).
    """
    hand, game = state.hand, settings.game
    if CARTA_MAGICA not in hand.named and (isinstance(game, HoldemCircle) or game.phase(hand.game) != "showdown"):
        return ()
    winner = draw_winner(settings, hand, hand.game, CARTA_MAGICA)
    return () if winner is None else (winner,)


def _draw_check(face: TableFace, state: TableState, moment: Moment) -> show.DrawCheck | None:
    """The code of the hand's draws, else of the last hand's, once none of them is still being revealed."""
    drawn = next((hand for hand in (state.hand, state.last) if hand is not None and hand.draws), None)
    if face.public_url is None or moment.revealing is not None or drawn is None:
        return None
    return show.DrawCheck(drawn.number, qr_of(f"{face.public_url}/draw/{face.table.id}/{drawn.number}"))


def _lucky_mark(settings: TableSettings, state: TableState) -> show.JugadorAfortunadoMark | None:
    result = next((each for each in state.hand.draws if each.kind == JUGADOR_AFORTUNADO and each.outcome), None)
    if result is None:
        return None
    terms = next(each for each in settings.draws if each.kind == JUGADOR_AFORTUNADO)
    winner = draw_winner(settings, state.hand, state.hand.game, JUGADOR_AFORTUNADO)
    return show.JugadorAfortunadoMark(int(result.outcome), winner, show.Amount.of(terms.prize_minor))


def _why_no_bets(state: TableState) -> show.NoticeCode:
    """Only what people stopped is said to be theirs; of what the house has to mend a screen says no more than that."""
    if state.stops:
        return show.NoticeCode.JACKPOT_BETS_STOPPED
    return show.NoticeCode.JACKPOT_NOT_OPEN if not_open(state.link) else show.NoticeCode.JACKPOT_BETS_OFF


def _notices(settings: TableSettings, state: TableState, unanswered: bool) -> tuple[show.Notice, ...]:
    notices = []
    closed = tuple(sorted({seat for seats in state.closed_seats.values() for seat in seats}))
    if closed:
        notices.append(show.Notice(show.NoticeCode.JACKPOT_CLOSED_AT_SEATS, closed))
    if state.draws_off and settings.draws and not settings.draws_hold:
        notices.append(show.Notice(show.NoticeCode.DRAWS_OFF))
    closing = state.link.ledger.closing
    if closing is not None:
        code = show.NoticeCode.JACKPOT_CLOSED if closing.closed else show.NoticeCode.JACKPOT_ENDS
        notices.append(show.Notice(code, day=closing.day))
    ended = closing is not None and closing.closed
    in_bets = settings.game.stage(state.hand.game) is Stage.BETS and not ended
    if in_bets and not bets_open(settings, state):
        notices.append(show.Notice(_why_no_bets(state)))
    elif in_bets and unanswered:
        notices.append(show.Notice(show.NoticeCode.JACKPOT_BETS_OFF))
    refused = tuple(sorted(state.hand.refused_credits))
    if refused:
        notices.append(show.Notice(show.NoticeCode.BET_NOT_TAKEN, refused))
    if isinstance(settings.game, HoldemCircle):
        notices += circle_notices(state.hand.game)
    return tuple(notices)
