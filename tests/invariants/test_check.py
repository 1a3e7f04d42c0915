"""The checker is checked: journals that hold pass, and each lie told in one of them is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from controller.core.events import HandVoided, PrizePaid, PrizeVerified, VoidReason
from controller.core.ledger import Entry, move
from controller.engine.ledger_reading import record_from_plain
from controller.engine.ledger_records import seal_record
from tests.engine.pit import CENTAVO, CREDIT, Pit
from tests.invariants.accounts_book import APPROVAL_MS, AccountsBook
from tests.invariants.bets_book import Stake
from tests.invariants.broken import Violation
from tests.invariants.check import check_carousel, check_rest
from tests.invariants.ledger_book import LedgerBook
from tests.invariants.oracle import Wrong
from tests.invariants.table_book import TableBook

STAKE = Stake(CREDIT * CENTAVO, 2_000, 500)
Journals = tuple[list[Entry], list[Entry]]


@pytest.fixture(scope="module")
def played() -> Journals:
    """Table and host after a hand without a prize, a straight flush and four of a kind paid, a void, and a bet."""
    pit = Pit()
    pit.play("As Kd Qs 4c 3d", "9c 8d 2d 6d 5d", seats=(1, 2), credits=2)
    pit.play("9d 8d 7d 6d 5d", "As Kd Qs 4c 3d", seats=(2, 3))
    pit.deliver()
    pit.play("9s 9h 9d 9c 5d", seats=(4,), credits=5)
    pit.deliver()
    for row in list(pit.state.link.rows):
        pit.do(PrizeVerified(row), actor="ana")
        pit.do(PrizePaid(row), actor="ana", second="bea")
    pit.play("As Kd Qs 4c 3d", seats=(5,))
    pit.do(HandVoided(VoidReason.DEVICE_FAULT, hand=4), actor="ana", second="bea")
    pit.deliver()
    pit.bet(1)
    return pit.journal, pit.host.journal


def check(table_entries: Sequence[Entry], host_entries: Sequence[Entry]) -> None:
    table, ledger = TableBook("t1", "t1-i1", STAKE), LedgerBook("c1")
    for entry in table_entries:
        table.follow(entry)
    for entry in host_entries:
        ledger.follow(entry)
    check_carousel([table], [ledger], ledger)
    check_rest([table], ledger)


def test_honest_journals_hold(played: Journals) -> None:
    check(*played)


Lie = Callable[[list[Entry], list[Entry]], Journals]


def at_table(kind: str, change: Callable[[Entry], Sequence[Entry]]) -> Lie:
    """A lie about the last entry of a kind."""

    def lie(table: list[Entry], host: list[Entry]) -> Journals:
        place = max(number for number, entry in enumerate(table) if entry.kind == kind)
        return [*table[:place], *change(table[place]), *table[place + 1 :]], host

    return lie


def body(entry: Entry, **changes: Any) -> Entry:
    return replace(entry, body={**entry.body, **changes})


def more(entry: Entry) -> Entry:
    return body(replace(entry, postings=()), amount_minor=entry.body["amount_minor"] + 1)


def forged(entry: Entry) -> Entry:
    """Another record at the same place of the ledger."""
    record = record_from_plain(entry.body["record"])
    other = seal_record(record.seq, record.epoch._replace(start=record.epoch.start + 1), record.prev, record.body)
    return body(entry, record=other.to_plain())


def at_host(change: Callable[[list[Entry]], list[Entry]]) -> Lie:
    return lambda table, host: (table, change(host))


def first_award_again(host: list[Entry]) -> list[Entry]:
    records = [record_from_plain(entry.body["record"]) for entry in host if entry.kind.startswith("ledger.")]
    award = next(record for record in records if record.kind == "award")
    again = seal_record(len(records) + 1, award.epoch, records[-1].hash, award.body)
    return [*host, Entry("again", "ledger.award", {"record": again.to_plain()})]


LIES: dict[str, Lie] = {
    "a payment twice": at_table("link.paid", lambda entry: (entry, replace(entry, id="again"))),
    "an entry twice": at_table("link.paid", lambda entry: (entry, entry)),
    "a payment above the award": at_table("link.paid", lambda entry: (more(entry),)),
    "a payment forgotten": at_table("link.paid", lambda entry: ()),
    "a payment for another incarnation": at_table(
        "link.paid", lambda entry: (body(entry, row=entry.body["row"].replace("t1-i1", "t1-i0")),)
    ),
    "a payment of one person": at_table("prize.paid", lambda entry: (body(entry, second=entry.actor),)),
    "money from nowhere": at_table("link.paid", lambda entry: (replace(entry, postings=entry.postings[:1]),)),
    "cash that no payment names": at_table(
        "prize.paid", lambda entry: (replace(entry, postings=move("house.prizes", "prizes.paid", 1)),)
    ),
    "a claim for another seat": at_table(
        "link.claimed",
        lambda entry: (body(entry, winners=[{**entry.body["winners"][0], "seat": 7}]),),
    ),
    "a claim forgotten": at_table("link.claimed", lambda entry: ()),
    "counters that fall": at_table("link.counted", lambda entry: (body(entry, main_micros=0),)),
    "a counter above the bets": at_table(
        "link.counted",
        lambda entry: (body(entry, main_micros=entry.body["main_micros"] + 1),),
    ),
    "a bet that nobody counted": at_table("bets.closed", lambda entry: (body(entry, list=[]),)),
    "a share too small": at_table(
        "bets.closed",
        lambda entry: (
            body(
                entry,
                contribution={
                    **entry.body["contribution"],
                    "meter_micros": entry.body["contribution"]["meter_micros"] - 1,
                    "house_micros": entry.body["contribution"]["house_micros"] + 1,
                },
            ),
        ),
    ),
    "a void forgotten": at_table("hand.void", lambda entry: ()),
    "a hand void twice": at_table("hand.void", lambda entry: (entry, replace(entry, id="again", postings=()))),
    "a bet without money": at_table("credit.wagered", lambda entry: (replace(entry, postings=()),)),
    "a second draw": lambda table, host: (
        [*table, Entry("d1", "draw.made", {"hand": 1}), Entry("d2", "draw.made", {"hand": 1})],
        host,
    ),
    "a draw's prize paid and not granted": lambda table, host: (
        [*table, Entry("d1", "draw.prize_paid", {"prize": "1-carta_magica", "amount_minor": 10})],
        host,
    ),
    "a record that no host wrote": at_table("link.record", lambda entry: (forged(entry),)),
    "a record left out": lambda table, host: (
        [entry for number, entry in enumerate(table) if number != _first(table, "link.record") + 1],
        host,
    ),
    "a second award of one claim": at_host(first_award_again),
    "a record of the ledger lost": at_host(lambda host: [entry for entry in host if entry.kind != "ledger.counters"]),
    "a ledger that ends early": at_host(
        lambda host: host[: max(number for number, entry in enumerate(host) if entry.kind.startswith("ledger."))]
    ),
}


def _first(entries: Sequence[Entry], kind: str) -> int:
    return next(number for number, entry in enumerate(entries) if entry.kind == kind)


@pytest.mark.promise("P3", "P4", "P5")
@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_every_lie_is_found(played: Journals, lie: Lie) -> None:
    table, host = lie(list(played[0]), list(played[1]))
    assert (table, host) != played
    with pytest.raises((Violation, Wrong)):
        check(table, host)


ASKED = Entry("ap-1", "approval.asked", {"digest": "d", "at_ms": 0, "until_ms": APPROVAL_MS}, (), "ana")
GIVEN = Entry("ap-1/given", "approval.given", {"approval": "ap-1", "digest": "d", "at_ms": 9}, (), "bea")
DONE = Entry("ap-1/executed", "approval.executed", {"approval": "ap-1"}, (), "bea")
BEGUN = Entry(
    "try-1",
    "login.begun",
    {"at_ms": 5, "account_tries": {"until_ms": 3_600_005}, "station_tries": {"until_ms": 0}},
    (),
    "ana",
)


def follow_accounts(*entries: Entry) -> None:
    book = AccountsBook("node")
    for entry in entries:
        book.follow(entry)


def test_honest_approvals_hold() -> None:
    follow_accounts(ASKED, GIVEN, DONE, BEGUN)


@pytest.mark.parametrize(
    "entries",
    [
        (ASKED, replace(GIVEN, actor="ana")),
        (ASKED, body(GIVEN, digest="e")),
        (ASKED, body(GIVEN, at_ms=APPROVAL_MS)),
        (ASKED, body(GIVEN, at_ms=-1)),
        (ASKED, GIVEN, replace(GIVEN, id="again")),
        (ASKED, DONE),
        (ASKED, GIVEN, DONE, replace(DONE, id="again")),
        (body(ASKED, until_ms=APPROVAL_MS + 1),),
        (body(BEGUN, account_tries={"until_ms": 3_600_006}),),
        (Entry("in", "login.passed", {"at_ms": 0, "until_ms": 43_200_001}),),
    ],
    ids=["alone", "else", "late", "early", "twice", "ungiven", "done twice", "asked long", "locked long", "in long"],
)
def test_every_lie_about_approvals_is_found(entries: tuple[Entry, ...]) -> None:
    with pytest.raises(Violation):
        follow_accounts(*entries)
