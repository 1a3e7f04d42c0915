"""A prize of which a part is paid: the rest overridden, held back, corrected or void; every centavo has a place."""

import pytest

from controller.core.events import (
    HandVoided,
    Key,
    KeyPressed,
    LinkStateChanged,
    PrizeAdvanced,
    PrizePaid,
    PrizeVerified,
    TableStarted,
    VoidReason,
)
from controller.core.prize_events import HoldReason, PrizePutOnHold
from controller.core.refusal import Refusal, Refused
from controller.engine.host_events import PrizeReleased
from controller.engine.host_outbox import meter
from controller.engine.ledger_records import ClaimName
from controller.engine.member_state import RowStatus
from controller.engine.table_overrides import HOUSE, difference_of
from tests.engine.carousel_stories import held_from
from tests.engine.pit import BANK, CENTAVO, START, Pit
from tests.engine.test_corrections import ends, followed, paid, verified
from tests.engine.test_overrides import overridden
from tests.engine.test_papers import correct, issued, reason_of

ROYAL, FLUSH = "As Ks Qs Js Ts", "9d 8d 7d 6d 5d"
PART = 30_000


def advanced(cards: str = FLUSH, large: int | None = None) -> tuple[Pit, str]:
    """Seat 1 has won; two people advanced a part of it while nobody answered, and then the carousel did."""
    pit = Pit()
    held_from(pit.host, large)
    pit.bet(1)
    pit.close()
    pit.deal(cards, BANK)
    pit.decide_all()
    pit.do(LinkStateChanged(False))
    pit.do(KeyPressed(Key.HAND_OVER))
    answer = pit.do(PrizeAdvanced(1, 1, PART, "he does not wait"), actor="ana", second="bea")
    assert not isinstance(answer, Refused), answer
    pit.do(LinkStateChanged(True))
    pit.deliver()
    (prize,) = pit.state.link.rows
    assert pit.state.link.rows[prize].paid_minor == PART
    return pit, prize


def void(pit: Pit) -> None:
    assert not isinstance(pit.do(HandVoided(VoidReason.DEAL_ERROR, "", 1), actor="ana", second="bea"), Refused)
    pit.deliver()


def stands(pit: Pit, *, cash: int, house: int = 0, beside: int = 0) -> None:
    """Minor units that left, what of them the house bears as a mistake, and what by an override; no award is open."""
    assert pit.balance("prizes.paid") == cash * CENTAVO
    assert pit.balance("prizes.payable") == 0
    assert pit.balance("house.prizes") == -house * CENTAVO
    assert pit.balance(HOUSE) == -beside * CENTAVO
    assert pit.balance("carousel.awards") == -(cash - house - beside) * CENTAVO
    assert not pit.host.state.open_awards
    followed(pit)


@pytest.mark.promise("P4")
@pytest.mark.requirement("R24")
@pytest.mark.parametrize("way", ["pending", "verified", "overridden", "on hold", "held"])
def test_a_void_leaves_the_part_with_the_player_and_the_house_bears_it(way: str) -> None:
    pit, prize = advanced(large=40_000 if way == "held" else None)
    assert pit.state.link.rows[prize].status is (RowStatus.HELD if way == "held" else RowStatus.PENDING)
    if way in ("verified", "overridden"):
        verified(pit, prize)
    if way == "overridden":
        overridden(pit, prize, 99_000)
    if way == "on hold":
        pit.do(PrizePutOnHold(prize, HoldReason.IDENTITY, "no document"), actor="ana")
    void(pit)
    assert len(ends(pit)) == (way == "overridden")
    assert reason_of(pit.do(PrizePaid(prize), actor="ana", second="bea")) is not None
    stands(pit, cash=PART, house=PART)
    assert pit.meter_minor == START


def test_a_void_after_all_of_it_was_paid_by_another_amount() -> None:
    """The rest was overridden: of the cash the award's part is the house's mistake, and the difference its own word."""
    pit, prize = advanced()
    verified(pit, prize)
    rest = pit.state.link.rows[prize].payable_minor
    overridden(pit, prize, rest + 7)
    assert paid(pit, prize) == rest + 7
    pit.deliver()
    void(pit)
    stands(pit, cash=PART + rest + 7, house=PART + rest, beside=7)
    assert difference_of(pit.state, prize) == PART + rest + 7
    assert pit.meter_minor == START


def test_a_correction_below_the_part_leaves_nothing_to_pay_and_nothing_open() -> None:
    """A royal's part was more than the straight flush that it was."""
    pit, prize = advanced(ROYAL)
    correct(pit, "As", "9s")
    pit.deliver()
    row = pit.state.link.rows[prize]
    assert row.amount_minor - PART == row.payable_minor > 0
    verified(pit, prize)
    overridden(pit, prize, 1)
    correct(pit, "9s", "8d")
    pit.deliver()
    stands(pit, cash=PART, house=PART)
    assert (len(ends(pit)), difference_of(pit.state, prize)) == (1, 0)


def test_the_rest_is_overridden_and_told_beside_what_was_paid() -> None:
    pit, prize = advanced()
    verified(pit, prize)
    whole = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, 1)
    assert issued(pit, prize).body["content"]["net_minor"] == PART + 1
    assert paid(pit, prize) == 1
    pit.deliver()
    stands(pit, cash=PART + 1, beside=PART + 1 - whole)
    assert [told.amount_minor for told in meter(pit.host.state).paid] == [PART + 1]


def test_the_rest_of_a_correction_upwards_waits_although_a_part_was_paid_before() -> None:
    pit, prize = advanced(large=100_000)
    for old, new in (("9d", "Ad"), ("8d", "Kd"), ("7d", "Qd"), ("6d", "Jd")):
        correct(pit, old, new)
    correct(pit, "5d", "Td")
    pit.deliver()
    row = pit.state.link.rows[prize]
    assert (row.status, row.paid_minor) == (RowStatus.HELD, PART)
    pit.do(TableStarted("again"))
    pit.deliver()
    assert reason_of(pit.do(PrizeVerified(prize), actor="ana")) is Refusal.PRIZE_HELD
    assert pit.host.decide(PrizeReleased(ClaimName("t1", "t1-i1", 1), "seen")) is None
    pit.deliver()
    verified(pit, prize)
    assert paid(pit, prize) == row.amount_minor - PART
    pit.deliver()
    stands(pit, cash=row.amount_minor)
