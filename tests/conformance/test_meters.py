"""A carousel's meters: counted once, rebuilt from the ledger, kept over restarts, fourteen digits and more."""

from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from controller.adapters.link.local import LocalHub
from controller.adapters.link.wire import key_name
from controller.adapters.screens.scene_limit import meter_limit
from controller.core.causes import PoolCause
from controller.core.ledger import Entry, balances, move
from controller.engine.host_events import (
    BalanceTransferred,
    CarouselFounded,
    MemberAccepted,
    MemberSealed,
    MeterAdjusted,
    StartValueReset,
)
from controller.engine.ledger_fold import fold
from controller.engine.ledger_records import Profile
from controller.engine.ledger_state import LedgerState
from display.scene import Amount
from tests.adapters.link_house import host_node, table_node, until
from tests.engine.carousel_house import CENTAVO, Host, House, Table, royal, straight_flush

FAULT = PoolCause.FAULT_CORRECTION

FOURTEEN_NINES = 99_999_999_999_999


@pytest.mark.requirement("R28")
def test_a_meter_of_fourteen_digits_rolls_on_to_the_centavo() -> None:
    house = House.of("t1", start_minor=0)
    table = house.tables[0]
    table.bet(FOURTEEN_NINES)
    house.settle()
    assert house.amount_minor == FOURTEEN_NINES
    table.bet(1)
    table.win(royal(1))
    house.settle()
    assert table.pay_all() == FOURTEEN_NINES + 1
    assert house.amount_minor == 0
    assert Amount.of(FOURTEEN_NINES + 1).minor == "100000000000000"


@pytest.mark.requirement("R28")
def test_a_journal_keeps_fourteen_digits_exactly(tmp_path: Path) -> None:
    path = tmp_path / "t1.db"
    with Journal.open(path, name="t1") as journal:
        for number in range(2):
            postings = move("patrons", "bets", FOURTEEN_NINES * CENTAVO)
            journal.append_now([Entry(f"bet-{number}", "credit.wagered", {"minor": FOURTEEN_NINES}, postings)], 0)
    with Journal.open(path, name="t1") as journal:
        assert verify(journal).ok
        stored = [each.entry for each in journal.entries() if each.entry.kind == "credit.wagered"]
        assert [entry.body["minor"] for entry in stored] == [FOURTEEN_NINES] * 2
        assert balances(stored)["bets"] == 2 * FOURTEEN_NINES * CENTAVO


@pytest.mark.requirement("R31")
@pytest.mark.parametrize(("beside", "won", "left"), [("before", 1_000_400, 1_000_000), ("after", 1_000_100, 1_000_300)])
def test_a_contribution_belongs_to_the_win_it_came_before(beside: str, won: int, left: int) -> None:
    house = House.of("t1", "t2")
    one, two = house.tables
    one.bet(100)
    one.win(royal(1))
    two.bet(300)
    for table in (two, one) if beside == "before" else (one, two):
        for message in table.outbox():
            house.host.receive(message)
    house.settle()
    assert [row.amount_minor for row in one.state.rows.values()] == [won]
    assert house.amount_minor == left


@pytest.mark.requirement("R21", "R30")
def test_meters_are_rebuilt_from_the_records_of_the_ledger() -> None:
    house = House(Host.new(), [])
    house.host.decide(CarouselFounded("new"))
    table = Table.new("t1")
    table.start()
    house.tables.append(table)
    house.host.join(table, start_minor=1_000, ceiling_micros=1_500 * CENTAVO)
    house.settle()
    table.bet(700, reserve_minor=30)
    table.win(straight_flush(2))
    house.settle()
    table.pay_all()
    house.settle()
    kept = house.host.state.ledger
    rebuilt = LedgerState(kept.carousel, kept.minor_micros)
    for record in house.host.records(1, kept.seq):
        rebuilt, _ = fold(rebuilt, record)
    assert rebuilt == kept
    account = rebuilt.tables["t1"]
    meters = (account.main_micros, account.overflow_micros, account.reserve_micros)
    assert [micros // CENTAVO for micros in meters] == [1_350, 200, 30]
    assert (rebuilt.contributions_micros // CENTAVO, rebuilt.awards_micros // CENTAVO) == (730, 150)


@pytest.mark.requirement("R48")
def test_the_limit_on_screens_is_the_sum_of_the_ceilings_and_never_below_the_amount() -> None:
    house = House(Host.new(), [])
    house.host.decide(CarouselFounded("new"))
    limits = []
    for name, ceiling in (("t1", 1_500), ("t2", 2_000), ("t3", None)):
        table = Table.new(name)
        table.start()
        house.tables.append(table)
        house.host.join(table, start_minor=1_000, ceiling_micros=None if ceiling is None else ceiling * CENTAVO)
        house.settle()
        limits.append(meter_limit(house.host.state.ledger))
    assert limits == [Amount.of(1_500), Amount.of(3_500), None], "one table without a ceiling: no limit"
    one = House(Host.new(), [])
    one.host.decide(CarouselFounded("new"))
    above = Table.new("t1")
    above.start()
    one.tables.append(above)
    one.host.join(above, start_minor=1_000, ceiling_micros=1_000 * CENTAVO)
    one.settle()
    ledger = one.host.state.ledger
    account = ledger.tables["t1"]  # its ceiling lowered below what it holds, as by terms that it changed
    lower = replace(account, profile=replace(account.profile, ceiling_micros=900 * CENTAVO))
    assert meter_limit(replace(ledger, tables=ledger.tables.set("t1", lower))) == Amount.of(1_000)


@pytest.mark.requirement("R25")
def test_a_start_value_is_funded_once_also_when_the_machine_is_replaced() -> None:
    house = House.of("t1", "t2")
    one = house.tables.pop(0)
    one.bet(40)
    for message in one.outbox():
        house.host.receive(message)
    assert house.host.decide(MemberSealed("t1", "burnt", True)) is None
    house.add(Table.new("t1", "t1-i2"))
    assert house.amount_minor == 1_000_040
    assert house.host.state.ledger.funding_micros == 1_000_000 * CENTAVO


@pytest.mark.requirement("R23")
async def test_start_value_amount_and_ceiling_are_there_after_a_restart(tmp_path: Path) -> None:
    host_key, table_key = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    seen = []
    for life in range(2):
        hub = LocalHub("c1")
        async with (
            host_node(tmp_path / "host.db", lambda key, rejected, hub=hub: hub.host(), host_key) as host,
            table_node(tmp_path / "t1.db", "t1", lambda key, rejected, hub=hub: hub.table("t1"), table_key) as table,
        ):
            if life == 0:
                settings = table.state.settings
                profile = Profile(
                    "t1",
                    settings.incarnation,
                    key_name(table_key),
                    "ARS",
                    500_000 * CENTAVO,
                    settings.prizes,
                    ceiling_micros=900_000 * CENTAVO,
                )
                assert (await host.do(MemberAccepted(profile, "enrol"))).refused is None
                await until(lambda table=table: table.state.confirmed and table.state.link_up, "a member")
                reset = StartValueReset("t1", 600_000 * CENTAVO, "season", meter_too=True, cause=FAULT)
                assert (await host.do(reset)).refused is None
            await until(lambda table=table: table.state.meter_micros == 600_000 * CENTAVO, "the meter")
            account = host.state.ledger.tables["t1"]
            seen.append((account.start_micros, account.main_micros, account.profile.ceiling_micros))
    assert seen == [(600_000 * CENTAVO, 600_000 * CENTAVO, 900_000 * CENTAVO)] * 2


@pytest.mark.requirement("R59")
def test_people_move_pools_but_never_a_tables_counters() -> None:
    house = House.of("t1", "t2")
    table = house.tables[0]
    table.bet(700)
    house.settle()
    for event in (
        MeterAdjusted("t1", 5_000 * CENTAVO, "recount", cause=FAULT),
        StartValueReset("t1", 600_000 * CENTAVO, "season", meter_too=True, cause=FAULT),
        BalanceTransferred("t1", 1_000 * CENTAVO, "moved", "t2", cause=FAULT),
    ):
        assert house.host.decide(event) is None
    assert house.host.state.ledger.tables["t1"].absorbed == table.state.counters
    assert house.host.state.ledger.contributions_micros == 700 * CENTAVO


@pytest.mark.requirement("R73", "R80")
def test_every_fall_of_the_meter_is_an_award_a_void_or_an_act_of_two_people() -> None:
    house = House.of("t1", "t2")
    one, two = house.tables
    one.bet(1_000)
    one.win(royal(1))
    house.settle()
    one.bet(500)
    one.win(straight_flush(4))
    house.settle()
    house.host.decide(StartValueReset("t2", 400_000 * CENTAVO, "season", meter_too=True, cause=FAULT))
    two.reverse(0)
    one.reverse(500)
    house.settle()
    state, falls = LedgerState("c1", CENTAVO), []
    for record in house.host.records(1, house.host.state.ledger.seq):
        after, _ = fold(state, record)
        if after.amount_micros < state.amount_micros:
            signed = getattr(record.body, "signed", None)
            falls.append((record.kind, None if signed is None else (signed.reason, signed.actor, signed.second)))
        state = after
    assert {kind for kind, _ in falls} == {"award", "adjustment", "counters"}, falls
    assert ("adjustment", ("fault_correction: season", "ana", "bea")) in falls
