"""Every change of a pool by people has a cause of the closed list, and only one that explains it."""

import pytest

from controller.core.causes import CAUSES, PoolCause, PoolChange, split_reason, typed_reason
from controller.core.events import LeaveAsked
from controller.core.refusal import Refusal, Refused
from controller.engine.host_events import BalanceTransferred, MeterAdjusted, StartValueReset
from controller.engine.ledger_reading import record_from_plain
from controller.engine.ledger_records import Adjusted
from tests.engine.carousel_house import House, Table
from tests.engine.pit import Pit

CENTAVO = 10_000
ACTS = {
    PoolChange.RAISE: lambda cause: MeterAdjusted("t1", CENTAVO, "why", cause=cause),
    PoolChange.LOWER: lambda cause: MeterAdjusted("t1", -CENTAVO, "why", cause=cause),
    PoolChange.START: lambda cause: StartValueReset("t1", 600_000 * CENTAVO, "why", cause=cause),
    PoolChange.TRANSFER: lambda cause: BalanceTransferred("t1", CENTAVO, "why", "t2", cause),
}


def refusal_of(answer: Refused | None) -> Refusal | None:
    return None if answer is None else answer.reason


@pytest.mark.requirement("R73", "R74", "R81")
@pytest.mark.parametrize("cause", [None, *PoolCause], ids=str)
@pytest.mark.parametrize("change", list(ACTS), ids=lambda change: change.value)
def test_a_change_is_taken_only_with_a_cause_that_explains_it(change: PoolChange, cause: PoolCause | None) -> None:
    house = House.of("t1", "t2")
    before = house.amount_minor
    answer = refusal_of(house.host.decide(ACTS[change](cause)))
    if cause in CAUSES[change]:
        assert answer is None
        records = [record_from_plain(entry.body["record"]) for entry in house.host.journal if "record" in entry.body]
        (adjusted, *_) = [each.body for each in records if isinstance(each.body, Adjusted)]
        assert split_reason(adjusted.signed.reason) == (cause, "why")
    else:
        assert answer is (Refusal.CAUSE_NOT_FOR_THIS if cause is not None else Refusal.REASON_MISSING)
        assert house.amount_minor == before


@pytest.mark.requirement("R73")
def test_a_new_start_value_lowers_the_meter_only_for_what_may_lower_it() -> None:
    house = House.of("t1", "t2")
    lower = 400_000 * CENTAVO
    approved = StartValueReset("t1", lower, "season", True, PoolCause.APPROVED_START)
    assert refusal_of(house.host.decide(approved)) is Refusal.CAUSE_NOT_FOR_THIS
    assert house.host.decide(StartValueReset("t1", lower, "season", True, PoolCause.SEED_RECOVERY)) is None
    assert house.amount_minor == 900_000


@pytest.mark.requirement("R48")
def test_people_cannot_lift_a_meter_above_its_ceiling() -> None:
    house = House.of("t1")
    table = Table.new("t2")
    table.start()
    house.tables.append(table)
    house.host.join(table, start_minor=100, ceiling_micros=150 * CENTAVO)
    house.settle()
    ledger = house.host.state.ledger
    for act in (
        MeterAdjusted("t2", 50 * CENTAVO + 1, "why", cause=PoolCause.FAULT_CORRECTION),
        BalanceTransferred("t1", 50 * CENTAVO + 1, "why", "t2", PoolCause.APPROVED_MOVE),
    ):
        assert refusal_of(house.host.decide(act)) is Refusal.METER_ABOVE_CEILING
    assert house.host.state.ledger == ledger
    up = MeterAdjusted("t2", 20 * CENTAVO, "why", 60 * CENTAVO, PoolCause.FAULT_CORRECTION)
    assert house.host.decide(up) is None  # a reserve has no ceiling
    move = BalanceTransferred("t1", 30 * CENTAVO, "why", "t2", PoolCause.APPROVED_MOVE)
    assert house.host.decide(move) is None
    assert house.host.state.ledger.tables["t2"].main_micros == 150 * CENTAVO


@pytest.mark.requirement("R73")
def test_only_a_reserve_is_booked_as_an_undisplayed_pool() -> None:
    house = House.of("t1")
    main = MeterAdjusted("t1", -CENTAVO, "why", cause=PoolCause.UNDISPLAYED_POOL)
    assert refusal_of(house.host.decide(main)) is Refusal.CAUSE_NOT_FOR_THIS
    up = MeterAdjusted("t1", 0, "why", 5 * CENTAVO, PoolCause.FAULT_CORRECTION)
    down = MeterAdjusted("t1", 0, "why", -5 * CENTAVO, PoolCause.UNDISPLAYED_POOL)
    assert [house.host.decide(each) for each in (up, down)] == [None, None]


@pytest.mark.requirement("R74")
@pytest.mark.parametrize("cause", [None, *PoolCause], ids=str)
def test_a_table_leaves_only_for_a_fault_a_replacement_or_what_was_approved(cause: PoolCause | None) -> None:
    pit = Pit()
    answer = pit.do(LeaveAsked("why", cause), actor="ana", second="bea")
    assert isinstance(answer, Refused) is (cause not in CAUSES[PoolChange.LEAVE])
    if not isinstance(answer, Refused) and cause is not None:
        leaving = pit.state.link.leaving
        assert leaving is not None and leaving.reason == typed_reason(cause, "why")


def test_reasons_that_were_written_freely_stay_what_they_are() -> None:
    for text in ("recount", "hand 7: 9d -> 9c", "fault_correction", "other: text", ""):
        assert split_reason(text) == (None, text)
