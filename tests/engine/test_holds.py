"""Prizes that people hold back: nobody pays them, whatever their way, until two people release them."""

import pytest

from controller.core.events import (
    HandVoided,
    PrizePaid,
    PrizeVerified,
    VoidReason,
)
from controller.core.prize_events import HoldReason, PrizeHoldReleased, PrizePutOnHold
from controller.core.refusal import Refusal, Refused
from controller.engine.member_state import RowStatus
from controller.engine.table_state import DrawTerms
from controller.engine.table_view import SeatLamp, seat_lamps
from tests.engine.pit import Pit, oasis_settings

WINNING, OTHER = "9d 8d 7d 6d 5d", "As Kd Qs 4c 3d"


def reason_of(answer: object) -> Refusal | None:
    return answer.reason if isinstance(answer, Refused) else None


def won() -> tuple[Pit, str]:
    """A pit with a straight flush that waits."""
    pit = Pit()
    pit.play(WINNING, seats=(1,))
    pit.deliver()
    (row,) = pit.state.link.rows.values()
    return pit, row.id


def test_a_held_prize_is_neither_verified_nor_paid_until_two_people_release_it() -> None:
    pit, prize = won()
    hold = PrizePutOnHold(prize, HoldReason.CAMERA_REVIEW, "camera 14")
    assert not isinstance(pit.do(hold, actor="ana"), Refused)
    assert pit.state.link.rows[prize].status is RowStatus.PENDING
    assert reason_of(pit.do(PrizeVerified(prize), actor="ana")) is Refusal.PRIZE_ON_HOLD
    assert reason_of(pit.do(hold, actor="ana")) is Refusal.PRIZE_ON_HOLD
    release = PrizeHoldReleased(prize, "the recording is clear")
    assert reason_of(pit.do(release, actor="ana")) is Refusal.SECOND_PERSON_MISSING
    assert reason_of(pit.do(release, actor="ana", second="ana")) is Refusal.SAME_PERSON_TWICE
    assert reason_of(pit.do(PrizeHoldReleased(prize, " "), actor="ana", second="bea")) is Refusal.REASON_MISSING
    assert not isinstance(pit.do(release, actor="ana", second="bea"), Refused)
    assert reason_of(pit.do(release, actor="ana", second="bea")) is Refusal.PRIZE_NOT_ON_HOLD
    assert not isinstance(pit.do(PrizeVerified(prize), actor="ana"), Refused)
    assert not isinstance(pit.do(PrizePaid(prize), actor="ana", second="bea"), Refused)
    assert pit.state == pit.replayed()


def test_a_verified_prize_can_still_be_held_and_lamps_keep_it() -> None:
    pit, prize = won()
    before = seat_lamps(pit.settings, pit.state)
    pit.do(PrizeVerified(prize), actor="ana")
    assert not isinstance(pit.do(PrizePutOnHold(prize, HoldReason.IDENTITY, "no document"), actor="ana"), Refused)
    assert reason_of(pit.do(PrizePaid(prize), actor="ana", second="bea")) is Refusal.PRIZE_ON_HOLD
    assert seat_lamps(pit.settings, pit.state) == before
    assert SeatLamp.WINNER in before.values()


def test_a_drawn_prize_is_held_too_and_a_void_ends_prize_and_hold() -> None:
    lucky = DrawTerms("jugador_afortunado", 5_000)
    pit = Pit(oasis_settings(draws=(lucky,)))
    pit.play(OTHER, seats=(1,))
    while not pit.state.draw_prizes:
        pit.play(OTHER, seats=(1,))
    (prize,) = pit.state.draw_prizes
    pit.do(PrizePutOnHold(prize, HoldReason.OTHER, "asked by the inspector"), actor="ana")
    assert reason_of(pit.do(PrizeVerified(prize), actor="ana")) is Refusal.PRIZE_ON_HOLD
    hand = pit.state.draw_prizes[prize].hand
    assert not isinstance(pit.do(HandVoided(VoidReason.DEAL_ERROR, "", hand), actor="ana", second="bea"), Refused)
    assert reason_of(pit.do(PrizeHoldReleased(prize, "gone"), actor="ana", second="bea")) is Refusal.UNKNOWN_PRIZE


@pytest.mark.parametrize("event", [PrizePutOnHold("none", HoldReason.OTHER, "x"), PrizeHoldReleased("none", "x")])
def test_what_is_no_open_prize_is_not_held(event: object) -> None:
    assert reason_of(Pit().do(event, actor="ana", second="bea")) is Refusal.UNKNOWN_PRIZE
