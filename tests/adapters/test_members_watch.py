"""A host tells which of its tables it does not hear, which ledger is missing here, and whose answer it waits for."""

from dataclasses import replace
from types import SimpleNamespace

from controller.adapters.events.alarms import HOST_CODES, Condition
from controller.adapters.events.members_watch import (
    LEDGER_AWAITED,
    LEDGER_ELSEWHERE,
    MEMBER_CODES,
    TABLE_GONE,
    UNHEARD_GRACE_S,
    member_conditions,
)
from controller.adapters.events.peers import PEER_CODES
from controller.adapters.link.host_end import HostEnd
from controller.adapters.link.wire import Arrived
from controller.api.host_alarms import ENDING, host_alarms
from controller.api.texts import catalogue
from controller.core.events import AlarmRaised
from controller.engine.alarms import Alarm
from controller.engine.epoch import Epoch
from controller.engine.host_state import Excluded, Phase, Reported
from controller.engine.ledger_records import NO_MARK, ZERO
from controller.engine.ledger_state import Standing
from tests.adapters.test_peers import Link, NoArchive, Runner, birth
from tests.engine.carousel_house import Host, House


def told(conditions: tuple[Condition, ...]) -> list[tuple[str, str]]:
    return [(each.alarm.code, each.alarm.source) for each in conditions]


def test_a_member_that_is_gone_or_never_heard_is_named_until_it_is_heard() -> None:
    state = House.of("t1", "t2").host.state
    assert member_conditions(state, {"t1": True, "t2": True}) == ()
    (gone,) = member_conditions(state, {"t1": True, "t2": False})
    (unheard,) = member_conditions(state, {"t1": True})
    assert gone.alarm == unheard.alarm == AlarmRaised(TABLE_GONE, "t2")
    assert gone.grace_s < unheard.grace_s == UNHEARD_GRACE_S
    sealed = replace(state.ledger.tables["t2"], standing=Standing.SEALED)
    over = replace(state, ledger=replace(state.ledger, tables=state.ledger.tables.set("t2", sealed)))
    assert member_conditions(over, {"t1": True, "t2": False}) == ()


def test_an_empty_disk_and_a_promotion_say_what_is_missing() -> None:
    blank = Host.new().state
    assert member_conditions(blank, {}) == ()
    assert told(member_conditions(blank, {}, mirrored=True)) == [(LEDGER_ELSEWHERE, "c1")]
    knows = replace(blank, seen=Epoch(1, "ab", 1))
    assert told(member_conditions(knows, {})) == [(LEDGER_ELSEWHERE, "c1")]
    asking = replace(knows, phase=Phase.COLLECTING)
    assert told(member_conditions(asking, {})) == [(LEDGER_AWAITED, "c1")]
    report = Reported("i1", 9, "h", Epoch(1, "ab", 1), ZERO, NO_MARK, True, False, ("t1/i1", "t2/i2", "t3/i3"), ())
    answered = replace(asking, reports=asking.reports.set("t1", report))
    assert told(member_conditions(answered, {})) == [(LEDGER_AWAITED, "t2"), (LEDGER_AWAITED, "t3")]
    excluded = replace(answered, excluded=answered.excluded.set("t3/i3", Excluded("off", "ana", "bea")))
    assert told(member_conditions(excluded, {})) == [(LEDGER_AWAITED, "t2")]
    copying = replace(excluded, phase=Phase.ADOPTING, source="t1")
    assert told(member_conditions(copying, {})) == [(LEDGER_AWAITED, "t1")]


async def test_presence_that_changes_is_looked_at_once_each_time() -> None:
    house = House.of("t1")
    looked: list[bool] = []
    end = HostEnd(
        Link(),  # type: ignore[arg-type]  # only what an arrival asks
        Runner(house.host.state),  # type: ignore[arg-type]  # as above
        NoArchive(),
        on_presence=lambda: looked.append(end.alive["t1"]),
    )
    born = birth(house, 0, "", "")
    for message in (born, born, replace(born, alive=False), replace(born, alive=False), born):
        await end._arrived(Arrived("m", message, ""), False)
    assert looked == [True, False, True]


def test_the_floor_shows_what_ends_by_itself_and_has_words_for_it() -> None:
    assert ENDING == HOST_CODES | PEER_CODES | MEMBER_CODES
    alarms = {
        "a": Alarm(TABLE_GONE, "t2", "", None, True, "e1"),
        "b": Alarm("link_not_json", "link", "", None, True, "e2"),
    }
    ports = SimpleNamespace(hosts={"c1": SimpleNamespace(state=SimpleNamespace(alarms=alarms))})
    assert host_alarms(ports) == [{"alarm": TABLE_GONE, "at": "t2", "detail": ""}]  # type: ignore[arg-type]  # only what it asks for
    for language in ("es", "en"):
        assert all(catalogue(language).name("alarm", code) != code for code in ENDING)
