"""Which key may speak for a table: the ledger's while a host serves, the file's when it is to take over."""

import pytest

from controller.adapters.link.wire import Rejected, WireFault
from controller.engine.host_events import HostPromoted, MemberRekeyed
from controller.engine.host_state import HostState, Phase
from controller.links import Door, may_speak_to
from tests.engine.carousel_house import Host, House

OWN = {"t9": "node"}
NEW = "b" * 64


def speaks(state: HostState, key: str, accept_key: str = "", table: str = "t1", incarnation: str = "t1-i1") -> bool:
    return may_speak_to(state, {"t1": accept_key, "t3": accept_key}, OWN, table, incarnation, key)


@pytest.mark.requirement("R56")
@pytest.mark.promise("P13")
def test_a_serving_host_goes_by_its_ledger_alone() -> None:
    house = House.of("t1")
    assert speaks(house.host.state, "key-t1")
    assert not speaks(house.host.state, "key-t1", incarnation="t1-i2")
    assert not speaks(house.host.state, NEW, accept_key=NEW)
    assert not speaks(house.host.state, "key-t3", table="t3", incarnation="t3-i1")
    house.host.decide(MemberRekeyed("t1", NEW, "stolen"))
    assert speaks(house.host.state, NEW)
    assert not speaks(house.host.state, "key-t1"), "the old key is refused from the record on"


@pytest.mark.promise("P13")
def test_a_host_that_takes_over_trusts_the_file_then_its_own_old_ledger() -> None:
    """Blank: the file's key; without one, whoever the broker lets write, as check-config warns."""
    blank = Host.new("B").state
    assert blank.phase is Phase.BLANK
    assert speaks(blank, NEW, accept_key=NEW)
    assert not speaks(blank, "stranger", accept_key=NEW)
    assert speaks(blank, "anybody")
    assert not speaks(blank, "anybody", table="t7", incarnation="t7-i1")
    assert speaks(blank, "node", table="t9", incarnation="t9-i1")
    assert not speaks(blank, "stranger", table="t9", incarnation="t9-i1")
    house = House.of("t1")
    house.host.decide(HostPromoted("taking over"))
    for incarnation in ("t1-i1", "t1-i2"):
        assert speaks(house.host.state, "key-t1", incarnation=incarnation)
        assert not speaks(house.host.state, "stranger", incarnation=incarnation)
        assert speaks(house.host.state, NEW, accept_key=NEW, incarnation=incarnation)


@pytest.mark.parametrize(
    ("table", "incarnation", "key", "fault"),
    [
        ("t3", "t3-i1", "key-t3", WireFault.NOT_ENROLLED),
        ("t3", "t3-i1", NEW, WireFault.UNKNOWN_KEY),
        ("t1", "t1-i2", "key-t1", WireFault.NOT_ENROLLED),
        ("t1", "t1-i1", NEW, WireFault.UNKNOWN_KEY),
        ("t9", "t9-i2", "node", WireFault.NOT_ENROLLED),
        ("t7", "t7-i1", "key-t7", WireFault.UNKNOWN_KEY),
    ],
)
def test_a_table_that_is_accepted_and_not_enrolled_is_told_from_a_stranger(
    table: str, incarnation: str, key: str, fault: WireFault
) -> None:
    """A restored table, whose incarnation is new, waits for its two people as one that was never enrolled."""
    house = House.of("t1")
    door = Door(lambda: house.host.state, {"t1": "", "t3": "key-t3"}, OWN)
    assert not door.may_speak(table, incarnation, key)
    assert door.named(Rejected(WireFault.UNKNOWN_KEY, table)).fault is fault
    assert door.named(Rejected(WireFault.BAD_SIGNATURE, table)).fault is WireFault.BAD_SIGNATURE


def test_a_table_that_was_enrolled_since_is_no_more_said_to_wait() -> None:
    house = House.of("t1")
    door = Door(lambda: house.host.state, {"t1": ""}, OWN)
    assert not door.may_speak("t1", "t1-i2", "key-t1")
    assert door.may_speak("t1", "t1-i1", "key-t1")
    assert door.named(Rejected(WireFault.UNKNOWN_KEY, "t1")).fault is WireFault.UNKNOWN_KEY
