"""What a table checks by itself before it takes a record, pays or advances; and what a host does before it answers."""

from dataclasses import replace

import pytest

from controller.core.prizes import Winner
from controller.core.refusal import Refusal, Refused
from controller.engine import member
from controller.engine.epoch import Epoch
from controller.engine.host_events import HostPromoted, MemberSealed
from controller.engine.ledger_records import ZERO, Counters, CountersAbsorbed, Signed, Terms, seal_record
from controller.engine.ledger_state import Standing
from controller.engine.messages import Collect, HostStatus, Ledger, Meter, Received, Report
from tests.engine.carousel_house import CENTAVO, PRIZES, TWO, House, Journal, Table, straight_flush, talk
from tests.engine.carousel_stories import claims, counter, reason

ROW = "t1/t1-i1/1/1"


def open_claim() -> tuple[House, Table]:
    house = House.of("t1", "t2")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    return house, table


def advance(table: Table, minor: int) -> Refusal | None:
    return reason(table.store(member.advance(table.state, hand=1, seat=1, amount_minor=minor, signed=TWO)))


def test_advances_together_are_never_above_what_the_ledger_gave() -> None:
    _, table = open_claim()
    assert advance(table, 60_000) is None
    assert advance(table, 40_001) is Refusal.ADVANCE_ABOVE_LEDGER
    assert advance(table, 0) is Refusal.ADVANCE_ABOVE_LEDGER
    assert advance(table, 40_000) is None
    assert advance(table, 1) is Refusal.ADVANCE_ABOVE_LEDGER


def test_when_nothing_is_advanced() -> None:
    """The host is heard; the hand's card was corrected; the table stopped; the claim has its answer."""
    house, table = open_claim()
    table.store(member.link_changed(table.state, True, "heard"))
    assert advance(table, 1) is Refusal.LINK_IS_UP
    table.store(member.link_changed(table.state, False, "lost"))
    before = Table(table.state, Journal(table.journal))
    table.win(straight_flush(1), straight_flush(2), revision=2)
    assert advance(table, 1) is Refusal.UNKNOWN_PRIZE
    before.store(member.contradicted(before.state, 1, "f" * 64, "stopped"))
    assert advance(before, 1) is Refusal.LEDGER_DIFFERS
    house.settle()
    assert advance(table, 1) is Refusal.UNKNOWN_PRIZE


def test_a_record_of_before_its_start_confirms_no_table() -> None:
    """The ledger's older word about it is still on its way when it starts: it may be a copy that starts."""
    house, table = open_claim()
    house.settle()
    table.bet(5)
    house.host.receive(counter(table))
    table.start("again")
    for message in house.host.outbox():
        table.receive(message)
    assert table.state.ledger.tables["t1"].absorbed == table.state.counters
    table.store(member.verify_row(table.state, ROW, actor="ana"))
    assert reason(table.store(member.pay(table.state, ROW, actor="ana"))) is Refusal.HEAD_NOT_CONFIRMED
    house.settle()
    assert table.store(member.pay(table.state, ROW, actor="ana", second="bea")) is None


def test_a_head_that_is_not_in_its_journal_stops_a_table_though_the_sums_are_the_same() -> None:
    house = House.of("t1")
    table = house.tables[0]
    twin = Table(table.state, Journal(table.journal))
    table.start("here")
    twin.start("there")
    house.host.receive(counter(twin))
    for message in house.host.outbox():
        table.receive(message)
    assert (table.state.stopped, twin.state.counters) == ("fork", table.state.counters)


def test_counters_that_it_never_had_stop_a_table() -> None:
    """Under a head that is its own: no host that it can follow."""
    house = House.of("t1")
    table = house.tables[0]
    table.bet(5)
    ledger, more = house.host.state.ledger, Counters(main_micros=6 * CENTAVO, hands=1)
    body = CountersAbsorbed("t1", "t1-i1", more, table.state.mark)
    table.receive(Ledger(ledger.epoch, seal_record(ledger.seq + 1, ledger.epoch, ledger.hash, body)))
    assert table.state.stopped == "fork"


def copy_claims(*own: Winner) -> tuple[House, Table, Table]:
    """A table that hears of the award of what a copy of its journal claimed of one hand; own: what it claims itself."""
    house = House.of("t1")
    table = house.tables[0]
    table.bet(5)
    house.settle()
    twin = Table(table.state, Journal(table.journal), table.hand)
    twin.win(straight_flush(1))
    if own:
        table.win(*own)
    for message in claims(twin):
        house.host.receive(message)
    for message in house.host.outbox():
        table.receive(message)
    return house, table, twin


def test_an_award_of_a_claim_that_it_never_made_stops_a_table() -> None:
    """A copy of its journal claims the same hand: nothing else of the ledger tells the two apart."""
    house, table, twin = copy_claims()
    assert (table.state.stopped, table.state.rows.keys()) == ("claim_unknown", set())
    talk(house.host, twin)
    assert twin.pay_all() == 50_000


def test_an_award_of_another_claim_than_its_own_stops_a_table() -> None:
    _, table, _ = copy_claims(straight_flush(2))
    assert (table.state.stopped, table.state.rows.keys()) == ("claim_unknown", set())


def test_a_sealed_table_that_runs_after_all_pays_nothing_once_it_hears_of_it() -> None:
    house, table = open_claim()
    house.settle()
    table.store(member.verify_row(table.state, ROW, actor="ana"))
    house.host.decide(MemberSealed("t1", "said to be off", True))
    house.settle()
    assert table.state.standing is Standing.SEALED
    for answer in (
        member.pay(table.state, ROW, actor="ana", second="bea"),
        member.verify_row(table.state, ROW, actor="ana"),
    ):
        assert isinstance(answer, Refused)
        assert answer.reason is Refusal.INCARNATION_SEALED


@pytest.mark.parametrize("told", [True, False])
def test_a_correction_states_what_was_paid_of_the_hand(told: bool) -> None:
    """Also where the host has not heard of the payment yet: its record comes before the correction's."""
    house, table = open_claim()
    house.settle()
    table.pay_all()
    if told:
        house.settle()
    table.win(straight_flush(1), straight_flush(2), hand=1, revision=2)
    for message in claims(table):
        house.host.receive(message)
    kinds = [record.kind for record in house.host.state.recent if record.kind in ("paid", "void")]
    assert kinds == ["paid", "void"]
    (void,) = [record.body for record in house.host.state.recent if record.kind == "void"]
    assert void.paid == ((1, 100_000),)  # type: ignore[union-attr]  # it is a correction
    assert house.host.state.open_awards["t1/t1-i1/1"] == (("t1/t1-i1/1/2", 100_000),)
    house.settle()
    assert [(row.amount_minor, row.paid_minor) for row in table.state.rows.values()] == [
        (100_000, 100_000),
        (100_000, 0),
    ]


def test_who_has_left_takes_nothing() -> None:
    """Neither what the host writes after that nor a question for its ledger; what it says is its RECEIVED alone."""
    house = House.of("t1", "t2")
    one, two = house.tables
    one.store(member.leave(one.state, TWO))
    house.settle()
    assert one.state.standing is Standing.LEFT
    two.bet(5)
    house.host.receive(counter(two))
    size, epoch = len(one.journal), house.host.state.epoch
    later = Epoch(epoch.term + 1, "B", 1)
    heard = (*house.host.outbox(), HostStatus(later, 99, "f" * 64), Collect(later, "t1", 1))
    answers = {reason(one.receive(message)) for message in heard if not isinstance(message, Meter)}
    assert (answers, len(one.journal)) == ({Refusal.TABLE_HAS_LEFT}, size)
    assert [type(message) for message in one.outbox()] == [Received]


def test_a_report_is_said_until_the_host_that_asked_writes_again() -> None:
    house = House.of("t1")
    table = house.tables[0]
    house.host.decide(HostPromoted("the disk came from a backup"))
    for message in house.host.outbox():
        table.receive(message)
    assert any(isinstance(message, Report) for message in table.outbox())
    house.settle()
    assert not any(isinstance(message, Report) for message in table.outbox())


@pytest.mark.parametrize(
    ("main", "reserve", "waits"), [(10, 0, False), (11, 0, True), (0, 10, False), (0, 11, True), (6, 5, True)]
)
def test_the_bound_of_a_hand_is_that_of_all_it_puts_in(main: int, reserve: int, waits: bool) -> None:
    house = House.of()
    table = house.add(Table.new("t1"), bound_micros=10 * CENTAVO)
    table.bet(main, reserve_minor=reserve)
    house.settle()
    assert ("t1" in house.host.state.quarantined) == waits
    account = house.host.state.ledger.tables["t1"]
    assert account.absorbed == (ZERO if waits else table.state.counters)


def test_more_taken_back_than_was_put_in_waits_for_people() -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.bet(5)
    table.reverse(6)
    house.settle()
    assert house.host.state.quarantined.keys() == {"t1"}
    assert house.amount_minor == 500_000


def test_a_host_lets_no_table_go_before_it_has_heard_of_its_payment() -> None:
    house, table = open_claim()
    house.settle()
    table.pay_all()
    table.store(member.leave(table.state, TWO))
    assert reason(house.host.receive(counter(table))) is Refusal.PRIZE_OPEN
    house.settle()
    assert table.state.standing is Standing.LEFT


def test_a_host_takes_no_correction_of_one_person() -> None:
    house, table = open_claim()
    house.settle()
    table.win(hand=1, revision=2)
    (said,) = claims(table)
    before = house.host.state.ledger.seq
    for signed, why in (
        (None, Refusal.REASON_MISSING),
        (Signed("misread", "ana", ""), Refusal.SECOND_PERSON_MISSING),
        (Signed("misread", "ana", "ana"), Refusal.SAME_PERSON_TWICE),
    ):
        alone = replace(said, claim=replace(said.claim, signed=signed))
        assert reason(house.host.receive(alone)) is why
    assert house.host.state.ledger.seq == before


def test_a_host_goes_by_no_terms_of_before_the_newest() -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.bet(1)
    newer = Terms(2, PRIZES, None, None, "newer", TWO)
    table.store(member.new_terms(table.state, newer))
    house.settle()
    older = replace(counter(table), terms=Terms(1, PRIZES, None, None, "older", TWO))
    assert house.host.receive(older) is None
    assert house.host.state.ledger.tables["t1"].terms == newer


def test_a_host_takes_no_word_of_a_table_whose_ledger_is_another() -> None:
    """Neither what it paid nor that it has journaled a join."""
    house, table = open_claim()
    house.settle()
    table.pay_all()
    (said,) = (message for message in table.outbox() if isinstance(message, Received))
    assert said.paid
    assert reason(house.host.receive(replace(said, hash="f" * 64))) is Refusal.LEDGER_DIFFERS
    assert house.host.state.open_awards.keys() == {"t1/t1-i1/1"}
    assert house.host.receive(said) is None
    assert not house.host.state.open_awards
