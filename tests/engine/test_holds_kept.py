"""A prize that people hold back stays so through its corrections: what took it away may give it back."""

import pytest

from controller.core.events import HandVoided, PrizePaid, PrizeVerified, VoidReason
from controller.core.ledger import Entry
from controller.core.prize_events import HoldReason, PrizeHoldReleased, PrizePutOnHold
from controller.core.refusal import Refusal, Refused
from controller.engine.member_state import RowStatus
from controller.engine.table_holds import open_holds
from controller.engine.table_state import DrawTerms
from tests.engine.pit import Pit, oasis_settings
from tests.engine.test_papers import HANDS, correct, reason_of, won

CAMERA = HoldReason.CAMERA_REVIEW


def put_on_hold(pit: Pit, prize: str) -> None:
    assert not isinstance(pit.do(PrizePutOnHold(prize, CAMERA, "camera 14"), actor="ana"), Refused)


def let_go(pit: Pit, prize: str) -> None:
    answer = pit.do(PrizeHoldReleased(prize, "the recording is clear"), actor="ana", second="bea")
    assert not isinstance(answer, Refused), answer


def is_refused(pit: Pit, prize: str) -> None:
    for act in (PrizeVerified(prize), PrizePaid(prize)):
        assert reason_of(pit.do(act, actor="ana", second="bea")) is Refusal.PRIZE_ON_HOLD


@pytest.mark.parametrize("act", ["hold", "release"])
def test_a_prize_that_comes_back_is_held_as_it_was_whatever_was_held_meanwhile(act: str) -> None:
    pit, (other, prize) = won(2)
    if act == "release":
        put_on_hold(pit, other)
    put_on_hold(pit, prize)
    correct(pit, "9c", "2c")
    pit.deliver()
    assert pit.state.link.rows[prize].status is RowStatus.VOID
    assert prize not in open_holds(pit.state)
    if act == "hold":
        put_on_hold(pit, other)
    else:
        let_go(pit, other)
    correct(pit, "2c", "9c")
    pit.deliver()
    assert pit.state.link.rows[prize].status is RowStatus.PENDING
    is_refused(pit, prize)
    let_go(pit, prize)
    assert not isinstance(pit.do(PrizeVerified(prize), actor="ana"), Refused)
    assert not isinstance(pit.do(PrizePaid(prize), actor="ana", second="bea"), Refused)
    assert pit.state == pit.replayed()


def test_a_hold_put_while_a_correction_is_under_way_waits_for_people_after_it() -> None:
    pit, (prize,) = won()
    correct(pit, "5d", "Td")
    assert pit.state.link.rows[prize].status is RowStatus.STOPPED
    put_on_hold(pit, prize)
    pit.deliver()
    assert pit.state.link.rows[prize].status is RowStatus.PENDING
    is_refused(pit, prize)
    let_go(pit, prize)
    assert not isinstance(pit.do(PrizeVerified(prize), actor="ana"), Refused)


def test_a_void_hand_s_holds_stay_with_it_and_hold_nobody_else_back() -> None:
    pit, (other, prize) = won(2)
    put_on_hold(pit, prize)
    assert not isinstance(pit.do(HandVoided(VoidReason.DEAL_ERROR, "", 2), actor="ana", second="bea"), Refused)
    pit.deliver()
    put_on_hold(pit, other)
    let_go(pit, other)
    assert reason_of(pit.do(PrizeHoldReleased(prize, "gone"), actor="ana", second="bea")) is Refusal.UNKNOWN_PRIZE
    assert open_holds(pit.state) == {}
    assert not isinstance(pit.do(PrizePaid(other), actor="ana", second="bea"), Refused)


def test_the_hold_of_a_draw_s_prize_is_forgotten_with_it() -> None:
    pit = Pit(oasis_settings(draws=(DrawTerms("jugador_afortunado", 5_000),)))
    while not pit.state.draw_prizes:
        pit.play(HANDS[0], seats=(1,))
    (drawn,) = pit.state.draw_prizes
    put_on_hold(pit, drawn)
    hand = pit.state.draw_prizes[drawn].hand
    assert not isinstance(pit.do(HandVoided(VoidReason.DEAL_ERROR, "", hand), actor="ana", second="bea"), Refused)
    pit.play(HANDS[0], seats=(1,))
    pit.deliver()
    row = next(row.id for row in pit.state.link.rows.values() if row.status is RowStatus.PENDING)
    put_on_hold(pit, row)
    assert list(pit.state.holds) == [row]


def test_a_hold_as_journals_of_before_tell_it_lets_go_of_the_closed_ones() -> None:
    pit, (other, prize) = won(2)
    put_on_hold(pit, prize)
    correct(pit, "9c", "2c")
    pit.deliver()
    told = Entry("before", "prize.hold", {"prize": other, "reason": "identity", "note": "none"}, (), "ana")
    assert list(pit.machine.apply(pit.state, told).holds) == [other]
    now = Entry("now", "prize.hold", {**told.body, "others_stand": True}, (), "ana")
    assert sorted(pit.machine.apply(pit.state, now).holds) == sorted([other, prize])
