"""Scenes as functions of a table's state: what the screen shows at each step of a hand and of a prize."""

import pytest

from controller.adapters.scene_table import Moment, TableFace, table_scene
from controller.config.table import Table
from controller.core.events import (
    HandVoided,
    JackpotBetsStopped,
    Key,
    KeyPressed,
    LinkStateChanged,
    PrizePaid,
    PrizeVerified,
    SeatsClosed,
    VoidReason,
)
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms
from display import scene as show
from tests.engine.pit import BANK, START, Pit, oasis_settings

NOTHING = "2c 4s 6h 8c Tc"
STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
DRAWS = (DrawTerms(CARTA_MAGICA, 50), DrawTerms(JUGADOR_AFORTUNADO, 70))


def scene(pit: Pit, **moment: object) -> show.TableScreen:
    table = Table.model_validate({"id": "t1", "name": "Mesa 1", "game": "oasis", "seats": 7})
    face = TableFace(table, pit.settings, show.Currency(), "Gran Carrusel", "1")
    return table_scene(face, pit.state, Moment(1_000, **moment))  # type: ignore[arg-type]  # fields by name


@pytest.fixture
def pit() -> Pit:
    return Pit(oasis_settings(draws=DRAWS))


def test_idle_then_bets_with_the_seats_lit(pit: Pit) -> None:
    assert isinstance(scene(pit).stage, show.Idle)
    pit.bet(2, credits=3)
    shown = scene(pit)
    assert isinstance(shown.stage, show.Bets)
    assert [(each.number, each.credits) for each in shown.seats if each.credits] == [(2, 3)]
    assert shown.meter is not None
    assert (shown.meter.amount.minor, shown.meter.freshness) == (str(START), show.Freshness.FRESH)


@pytest.mark.requirement("R40", "R47", "R52")
@pytest.mark.article("O-53")
def test_the_prize_list_is_there_in_every_state(pit: Pit) -> None:
    rows = scene(pit).prizes
    assert [row.category for row in rows] == ["royal_flush", "straight_flush", "four_of_a_kind"]
    pit.do(LinkStateChanged(False))
    lost = scene(pit)
    assert isinstance(lost.stage, show.LinkLost)
    assert len(lost.prizes) == 3


@pytest.mark.article("O-61")
def test_the_draws_are_revealed_and_stay_as_marks(pit: Pit) -> None:
    pit.bet(1)
    pit.close()
    card, seat = (result.outcome for result in pit.state.hand.draws)
    revealing = scene(pit, revealing=CARTA_MAGICA).stage
    assert isinstance(revealing, show.CartaMagica)
    assert revealing.card == card
    wheel = scene(pit, revealing=JUGADOR_AFORTUNADO).stage
    assert isinstance(wheel, show.JugadorAfortunado)
    assert (wheel.positions, wheel.chosen) == (tuple(range(1, 8)), int(seat))
    later = scene(pit)
    assert isinstance(later.stage, show.Hand)
    assert later.carta_magica is not None
    assert later.carta_magica.card == card


@pytest.mark.requirement("O34")
@pytest.mark.article("O-35")
def test_a_bought_card_is_marked_at_once(pit: Pit) -> None:
    pit.bet(1)
    pit.close()
    pit.deal(NOTHING, BANK)
    assert [each.number for each in scene(pit).seats if each.deciding] == [1]
    pit.do(KeyPressed(Key.PLAY))
    pit.do(KeyPressed(Key.BUY, seat=1))
    assert scene(pit).seats[0].bought_card


@pytest.mark.requirement("R47")
@pytest.mark.article("O-60")
def test_a_prize_is_split_off_while_pending_and_stamped_when_paid() -> None:
    pit = Pit()
    pit.play(STRAIGHT_FLUSH, seats=(4,))
    pit.deliver()
    pending = scene(pit).stage
    assert isinstance(pending, show.PrizePending)
    whole = START + 20
    assert (pending.before, pending.held) == (show.Amount.of(whole), show.Amount.of(whole // 10))
    assert pending.in_play == show.Amount.of(whole - whole // 10)
    (win,) = pending.wins
    assert (win.seat, win.percent_bp, win.state) == (4, 1_000, show.PrizeState.PENDING)
    row = next(iter(pit.state.link.rows))
    pit.do(PrizeVerified(row), actor="ana")
    pit.do(PrizePaid(row), actor="ana", second="bea")
    paid = scene(pit, paid_rows=(row,), paid_at_ms=5, journal_seq=77).stage
    assert isinstance(paid, show.PrizePaid)
    assert (paid.entry, paid.before, paid.after) == (77, pending.before, pending.in_play)
    assert isinstance(scene(pit).stage, show.Idle)


@pytest.mark.article("O-58")
def test_a_royal_is_the_whole_screen() -> None:
    pit = Pit()
    pit.play("As Ks Qs Js Ts", seats=(4,))
    pit.deliver()
    royal = scene(pit).stage
    assert isinstance(royal, show.Royal)
    assert (royal.amount, royal.restart) == (show.Amount.of(START + 20), show.Amount.of(START))


def test_a_drawn_prize_leaves_the_stage_to_the_next_hands_first_bet(pit: Pit) -> None:
    pit.play(NOTHING, *["3c 5s 7h 9c Jc", "3d 5h 7d 9h Jd"], seats=(1, 2, 3))
    while not pit.state.draw_prizes:
        pit.play(NOTHING, *["3c 5s 7h 9c Jc", "3d 5h 7d 9h Jd"], seats=(1, 2, 3))
    assert isinstance(scene(pit).stage, show.PrizePending)
    pit.bet(1)
    shown = scene(pit)
    assert isinstance(shown.stage, show.Bets)
    assert any(each.win is not None for each in shown.seats)


@pytest.mark.requirement("R52")
def test_stopped_bets_and_closed_seats_are_said(pit: Pit) -> None:
    pit.do(JackpotBetsStopped("pit_boss"), actor="ana")
    assert isinstance(scene(pit).stage, show.JackpotStopped)
    pit.do(SeatsClosed("io", (1, 2), "unplugged"))
    notices = {notice.code: notice.seats for notice in scene(pit).notices}
    assert notices[show.NoticeCode.JACKPOT_CLOSED_AT_SEATS] == (1, 2)
    pit.do(SeatsClosed("io", tuple(range(1, 8)), "unplugged"))
    assert isinstance(scene(pit).stage, show.OutOfService)


def test_a_void_hand_leaves_no_draw_behind(pit: Pit) -> None:
    pit.bet(1)
    pit.close()
    pit.do(HandVoided(VoidReason.DEAL_ERROR), actor="ana", second="bea")
    shown = scene(pit, revealing=CARTA_MAGICA)
    assert (shown.carta_magica, shown.hand_number) == (None, 2)
