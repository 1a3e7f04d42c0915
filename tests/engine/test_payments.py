"""What was paid of an award, or settled by people, is told by the ledger: to every table, and to every later host."""

import dataclasses

import pytest

from controller.core.ledger import Entry, balances
from controller.core.prizes import Winner
from controller.core.refusal import Refusal, Refused
from controller.engine import host_fold, ledger_book, member, member_rows
from controller.engine.host_events import AwardSettled, HostPromoted, MemberSealed, PrizeReleased
from controller.engine.host_outbox import meter
from controller.engine.ledger_reading import record_from_plain
from controller.engine.ledger_records import ClaimName, seal_record
from controller.engine.messages import Claimed, Counter, Received
from controller.engine.payment_records import PaidTold, Settled
from tests.engine.carousel_house import CENTAVO, TWO, Host, House, Table, four, straight_flush, talk

AWARDS, ROWS = 4, 3


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Awards and rows are let go soon."""
    monkeypatch.setattr(ledger_book, "KEPT_AWARDS", AWARDS)
    monkeypatch.setattr(member_rows, "KEPT_ROWS", ROWS)


def wins(house: House, table: Table, *winners: Winner, pays: bool = True) -> ClaimName:
    """A hand with a prize, paid at once or not."""
    table.bet(1)
    table.win(*winners)
    house.settle()
    if pays:
        for seat in (row.seat for row in table.state.rows.values() if row.hand == table.hand):
            row_id = member.row_of(table.state, table.hand, seat)
            table.store(member.verify_row(table.state, row_id, actor="ana"))
            assert table.store(member.pay(table.state, row_id, actor="ana", second="bea")) is None
        house.settle()
    return ClaimName(table.name, table.state.settings.incarnation, table.hand)


def named(refused: Refused | None) -> Refusal | None:
    return None if refused is None else refused.reason


def promoted(house: House) -> Host:
    """The host's disk is lost; a blank one takes over."""
    other = Host.new("B")
    for table in house.tables:
        for message in table.outbox():
            if isinstance(message, Counter):
                other.receive(message)
    other.decide(HostPromoted("the host is lost"))
    talk(other, *house.tables)
    return other


@pytest.mark.promise("P3")
@pytest.mark.requirement("R95")
def test_an_open_award_is_kept_however_many_follow() -> None:
    """It stays pending, holds others, can be released and corrected; every table keeps it as the host does."""
    house = House.of("t1", "t2", "t3", start_minor=50_000_000)
    one, two, three = house.tables
    first = wins(house, one, straight_flush(1), pays=False)
    held = wins(house, two, straight_flush(2), pays=False)
    fixed = wins(house, two, four(1), pays=False)
    for _ in range(3 * AWARDS):
        wins(house, three, four(1))
    ledger = house.host.state.ledger
    assert {first.key, held.key, fixed.key} < set(ledger.awards) and len(ledger.awards) == AWARDS
    assert all(table.state.ledger == ledger for table in house.tables)
    assert [each.table for each in meter(house.host.state).pending] == ["t1", "t2"]
    assert house.host.decide(PrizeReleased(held, "checked")) is None
    assert one.win(straight_flush(2), hand=1, revision=2) is None
    house.settle()
    assert not one.state.open_claims and two.pay_all() and one.pay_all()
    house.settle()
    assert meter(house.host.state).pending == () and not house.host.state.open_awards
    for _ in range(AWARDS):
        wins(house, three, four(1))
    kept = set(house.host.state.ledger.awards)
    assert held.key not in kept and {first.key, fixed.key} < kept  # what a table played last may still be corrected
    for table in (one, two, *[three] * AWARDS):
        wins(house, table, four(1))
    assert not {first.key, held.key, fixed.key} & set(house.host.state.ledger.awards)


def test_a_card_of_the_last_hand_corrected_at_a_table_cut_off_is_answered_however_many_won_meanwhile() -> None:
    house = House.of("t1", "t2", start_minor=50_000_000)
    one, two = house.tables
    first = wins(house, one, four(1))
    assert one.win(hand=first.hand, revision=2) is None  # its link is down from here on
    for _ in range(3 * AWARDS):
        wins(House(house.host, [two]), two, four(1))
    house.settle()
    assert not one.state.open_claims and not house.host.state.ledger.awards[first.key].granted.rows


def test_an_award_that_nobody_ever_paid_is_kept_too() -> None:
    """No payment was ever told: the ledger begins to tell of them before it lets an award go."""
    house = House.of("t1")
    first = wins(house, house.tables[0], straight_flush(1), pays=False)
    for _ in range(2 * AWARDS):
        wins(house, house.tables[0], four(1), pays=False)
    assert first.key in house.host.state.ledger.awards
    assert house.tables[0].state.ledger == house.host.state.ledger


@pytest.mark.promise("P3")
def test_a_host_that_takes_over_knows_every_payment() -> None:
    """Also of a table that paid more than it still names, and of those that have left or are sealed."""
    house = House.of("t1", "t2", "t3", start_minor=50_000_000)
    many, left, sealed = house.tables
    for _ in range(3 * ROWS):
        wins(house, many, straight_flush(1))
    assert len(many.state.rows) == ROWS
    wins(house, left, straight_flush(1))
    wins(house, sealed, straight_flush(1))
    left.store(member.leave(left.state, TWO))
    house.settle()
    assert house.host.decide(MemberSealed("t3", "burnt", True)) is None
    house.settle()
    new = promoted(house)
    assert meter(new.state).pending == () and not new.state.open_awards
    assert named(new.decide(AwardSettled(ClaimName("t3", "t3-i1", 1), "again", True))) is Refusal.UNKNOWN_PRIZE


def test_what_people_settled_stays_settled_under_the_next_host() -> None:
    house = House.of("t1", "t2")
    table = house.tables[1]
    name = wins(house, table, straight_flush(1), pays=False)
    house.host.decide(MemberSealed("t2", "burnt", True))
    assert house.host.decide(AwardSettled(name, "paid at the cage", True)) is None
    house.settle()
    new = promoted(house)
    assert not new.state.open_awards
    assert named(new.decide(AwardSettled(name, "and again", True))) is Refusal.UNKNOWN_PRIZE


@pytest.mark.promise("P3")
def test_a_table_that_may_run_is_not_sealed_nor_is_its_award_settled() -> None:
    """It would pay what it was awarded: cut off, it does not know that people have paid it elsewhere."""
    house = House.of("t1", "t2")
    table = house.tables[0]
    name = wins(house, table, straight_flush(1), pays=False)
    table.store(member.link_changed(table.state, False, "down"))
    assert named(house.host.decide(MemberSealed("t1", "does not answer"))) is Refusal.NOT_SWITCHED_OFF
    assert named(house.host.decide(AwardSettled(name, "paid at the cage", True))) is Refusal.PRIZE_OPEN
    assert house.host.decide(MemberSealed("t1", "seen off", True)) is None
    assert named(house.host.decide(AwardSettled(name, "paid at the cage"))) is Refusal.NOT_SWITCHED_OFF
    assert house.host.decide(AwardSettled(name, "paid at the cage", True)) is None
    table.start("switched on again")
    assert not table.pay_all(), "after a start it waits for the host, which has sealed it"


def test_payments_while_the_host_was_away_are_all_told() -> None:
    """More than a table still names of what is closed: it holds each until the ledger tells it."""
    house = House.of("t1", start_minor=50_000_000)
    table = house.tables[0]
    names = [wins(house, table, four(1), four(2), pays=False) for _ in range(3)]
    assert table.pay_all() and len(table.state.rows) == 6
    house.settle()
    told = house.host.state.ledger.awards
    assert all(not told[name.key].unpaid for name in names)
    assert len(table.state.rows) == ROWS and not received(table).paid


def received(table: Table) -> Received:
    return next(message for message in table.outbox() if isinstance(message, Received))


def test_a_message_names_as_many_payments_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.engine.member_outbox.TOLD_ROWS", 2)
    monkeypatch.setattr("controller.engine.host_payments.ROWS_OF_RECORD", 1)
    house = House.of("t1")
    table = house.tables[0]
    wins(house, table, four(1), four(2), four(3), pays=False)
    table.pay_all()
    assert len(received(table).paid) == 2
    house.settle()
    assert not house.host.state.ledger.awards[f"{table.name}/t1-i1/1"].unpaid


def test_a_hand_whose_rows_are_no_longer_held_is_not_corrected() -> None:
    """What was paid of it would be payable again in full."""
    house = House.of("t1", start_minor=50_000_000)
    table = house.tables[0]
    for _ in range(ROWS + 1):
        wins(house, table, straight_flush(1))
    refused = table.win(straight_flush(1, credits=2), hand=1, revision=2)
    assert refused is not None and refused.reason is Refusal.CLAIM_TOO_OLD
    assert table.win(straight_flush(2), hand=2, revision=2) is None
    house.settle()
    for _ in range(AWARDS):
        wins(house, table, four(1))
    late = table.win(straight_flush(1), hand=1)  # the ledger has closed the hand
    assert late is not None and late.reason is Refusal.CLAIM_TOO_OLD and not table.state.open_claims


def test_a_claim_that_comes_after_later_hands_are_let_go_is_answered() -> None:
    """Only hands whose own award was let go are too old."""
    house = House.of("t1")
    table = house.tables[0]
    late = table.bet(1)
    table.win(four(1))
    slow = next(message for message in table.outbox() if isinstance(message, Claimed))
    table.state = dataclasses.replace(table.state, open_claims=table.state.open_claims.without(slow.claim.name.key))
    hands = [wins(house, table, four(2)).hand for _ in range(AWARDS + 1)]
    assert house.host.state.ledger.tables["t1"].is_closed(hands[0])
    assert house.host.receive(slow) is None and slow.claim.name.key in house.host.state.ledger.awards
    assert slow.claim.name.hand == late


def test_a_table_whose_row_another_journal_has_paid_pays_nothing() -> None:
    house = House.of("t1", "t2")
    table = house.tables[0]
    wins(house, table, straight_flush(1), pays=False)
    copy = Table(table.state, type(table.journal)(table.journal), table.hand)
    copy.pay_all()
    for message in copy.outbox():
        house.host.receive(message)
    for message in house.host.outbox():
        table.receive(message)
    assert table.state.stopped == "fork" and not table.pay_all()


@pytest.mark.promise("P18")
def test_a_journal_of_before_tells_what_it_knows_at_the_next_start() -> None:
    """Payments and settlements were notes of the host alone; the ledger tells them from the first start on."""
    house = House.of("t1", "t2", "t3")
    one, two, _ = house.tables
    paid = wins(house, one, straight_flush(1))
    settled = wins(house, two, straight_flush(1), pays=False)
    open_ = wins(house, one, straight_flush(2), pays=False)
    house.host.decide(MemberSealed("t2", "burnt", True))
    before = Host.new("A")
    for entry in house.host.journal:
        if entry.kind == "ledger.paid":
            continue
        record = entry.body.get("record")
        before.journal.append(entry if record is None else renumbered(before, entry))
        before.state = host_fold.apply(before.state, before.journal[-1])
    rows = [[paid.row(1), one.state.rows[paid.row(1)].paid_minor]]
    told = {"table": "t1", "incarnation": "t1-i1", "mark": list(one.state.mark), "rows": rows}
    before.journal.append(Entry("paid", "host.paid", told))
    before.journal.append(Entry("settled", "host.settled", {"key": settled.key, "reason": "cage"}))
    assert not before.state.ledger.tells_payments
    before.start()
    ledger = before.state.ledger
    assert list(before.state.open_awards) == [open_.key]
    assert [key for key in ledger.awards if ledger.awards[key].unpaid] == [open_.key]
    size = ledger.seq
    before.start()
    assert before.state.ledger.seq == size + 1, "told once"


def renumbered(host: Host, entry: Entry) -> Entry:
    """The entry of a record at the next place of a ledger."""
    old, ledger = record_from_plain(entry.body["record"]), host.state.ledger
    record = seal_record(ledger.seq + 1, old.epoch, ledger.hash, old.body)
    return Entry(f"again:{record.seq}", entry.kind, {"record": record.to_plain()}, entry.postings, entry.actor)


def test_the_records_are_what_the_host_writes() -> None:
    house = House.of("t1")
    wins(house, house.tables[0], straight_flush(1))
    bodies = [record.body for record in house.host.records(1, 100)]
    (told,) = [body for body in bodies if isinstance(body, PaidTold)]
    assert (told.table, [row.beside for row in told.rows]) == ("t1", [0])
    assert not any(isinstance(body, Settled) for body in bodies)


def test_cash_that_left_stays_in_the_books_when_its_hand_is_corrected_and_too_many_rows_are_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rows that a correction closes are not let go with the very record that closes them."""
    monkeypatch.setattr(member_rows, "KEPT_ROWS", 1)
    house = House.of("t1")
    table = house.tables[0]
    table.bet(10_000)
    table.win(straight_flush(1), straight_flush(2), straight_flush(3))
    house.settle()
    house.host.decide(PrizeReleased(ClaimName("t1", "t1-i1", 1), "seen"))
    house.settle()
    row = member.row_of(table.state, 1, 2)
    table.store(member.verify_row(table.state, row, actor="ana"))
    assert table.store(member.pay(table.state, row, actor="ana", second="bea")) is None
    house.settle()
    paid = table.state.rows[row].paid_minor
    assert table.win(revision=2) is None
    house.settle()
    assert balances(table.journal)["prizes.paid"] == paid * CENTAVO
    assert balances(table.journal)["house.prizes"] == -paid * CENTAVO, "the house bears it"
