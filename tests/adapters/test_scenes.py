"""Scenes as functions of a table's state: what the screen shows at each step of a hand."""

from dataclasses import replace

import pytest

from controller.core.events import (
    HandVoided,
    JackpotBetsStopped,
    Key,
    KeyPressed,
    LinkStateChanged,
    SeatsClosed,
    VoidReason,
)
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO
from display import scene as show
from tests.adapters.scene_moments import DRAWS, NOTHING, scene
from tests.engine.pit import BANK, START, Pit, oasis_settings


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


@pytest.mark.parametrize("most", [1, 5])
def test_a_screen_is_told_how_many_credits_a_seat_may_bet(most: int) -> None:
    usual = oasis_settings()
    pit = Pit(oasis_settings(jackpot=replace(usual.jackpot, max_credits=most)))
    assert scene(pit).max_credits == most


@pytest.mark.requirement("R40", "R47", "R52")
@pytest.mark.article("O-53")
def test_the_prize_list_is_there_in_every_state(pit: Pit) -> None:
    rows = scene(pit).prizes
    assert [row.category for row in rows] == ["royal_flush", "straight_flush", "four_of_a_kind"]
    pit.do(LinkStateChanged(False))
    lost = scene(pit)
    assert isinstance(lost.stage, show.LinkLost)
    assert len(lost.prizes) == 3


def said(pit: Pit) -> set[show.NoticeCode]:
    return {notice.code for notice in scene(pit).notices}


def test_a_table_that_is_not_enrolled_says_that_its_jackpot_is_not_open() -> None:
    pit = Pit()
    pit.state = pit.machine.first()
    shown = scene(pit)
    assert shown.stage == show.LinkLost(not_open=True)
    assert shown.meter is not None and shown.meter.freshness is show.Freshness.LOST
    assert said(pit) == {show.NoticeCode.JACKPOT_NOT_OPEN}


def test_only_what_people_stopped_is_said_to_be_theirs(pit: Pit) -> None:
    pit.do(LinkStateChanged(False))
    assert (scene(pit).stage, said(pit)) == (show.LinkLost(), {show.NoticeCode.JACKPOT_BETS_OFF})
    pit.do(JackpotBetsStopped("people"), actor="ana")
    assert said(pit) == {show.NoticeCode.JACKPOT_BETS_STOPPED}


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


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (VoidReason.DEAL_ERROR, show.VoidReason.CARD_ERROR),
        (VoidReason.BANK_CARD_EXPOSED, show.VoidReason.EXPOSED_CARD),
        (VoidReason.EXCHANGED_INFORMATION, show.VoidReason.INFORMATION),
        (VoidReason.WRONG_CARD_COUNT, show.VoidReason.WRONG_COUNT),
        (VoidReason.FOREIGN_BET, show.VoidReason.OTHER),
    ],
)
def test_a_void_is_told_with_its_reason(pit: Pit, reason: VoidReason, told: show.VoidReason) -> None:
    pit.bet(1)
    pit.close()
    pit.do(HandVoided(reason), actor="ana", second="bea")
    assert pit.state.last is not None
    assert scene(pit, void=pit.state.last.void).stage == show.HandVoided(told)


def test_linked_tables_are_told_by_their_numbers(pit: Pit) -> None:
    meter = scene(pit).meter
    assert meter is not None
    assert (meter.carousel, meter.linked_tables) == ("Gran Carrusel", ("1",))


@pytest.mark.article("O-61")
def test_the_code_of_a_draw_comes_after_its_reveal_and_only_with_a_public_address(pit: Pit) -> None:
    pit.bet(1)
    assert scene(pit, "https://mesas.example").draw_check is None
    pit.close()
    assert scene(pit, "https://mesas.example", revealing=CARTA_MAGICA).draw_check is None
    assert scene(pit).draw_check is None
    check = scene(pit, "https://mesas.example").draw_check
    assert check is not None
    assert (check.hand, check.code.says) == (1, "https://mesas.example/draw/t1/1")
    pit.deal(NOTHING, BANK)
    pit.decide_all()
    pit.do(KeyPressed(Key.HAND_OVER))
    assert scene(pit, "https://mesas.example").draw_check == check, "the next hand's bets leave time to read it"
    pit.bet(2)
    pit.close()
    later = scene(pit, "https://mesas.example").draw_check
    assert later is not None
    assert later.hand == 2
