"""Alarms: raised once, cleared or acknowledged once, bounded, and the same again after a replay."""

import pytest

from controller.core.events import AlarmAcknowledged, AlarmCleared, AlarmRaised, Envelope
from controller.core.ledger import Entry
from controller.core.refusal import Refusal, Refused
from controller.engine.alarms import MOST_ALARMS, MOST_TEXT
from controller.engine.host import HostMachine, HostSettings
from controller.engine.machine import handle
from tests.engine.pit import Pit

STUCK = AlarmRaised("stuck", "t1-cajas/in3", "on for 30 s")


@pytest.fixture
def pit() -> Pit:
    return Pit()


def kinds(answer: object) -> list[str]:
    assert isinstance(answer, tuple), answer
    return [entry.kind for entry in answer]


def test_an_alarm_is_one_entry_however_often_it_is_told(pit: Pit) -> None:
    assert kinds(pit.do(STUCK)) == ["alarm.raised"]
    assert kinds(pit.do(STUCK)) == []
    assert kinds(pit.do(AlarmRaised("stuck", "t1-cajas/in3", "other words"))) == []
    assert list(pit.state.alarms) == ["stuck@t1-cajas/in3"]
    assert pit.state.alarms["stuck@t1-cajas/in3"].detail == "on for 30 s"


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (AlarmCleared("stuck", "t1-cajas/in3", "level fell"), "alarm.cleared"),
        (AlarmAcknowledged("stuck", "t1-cajas/in3", "chip removed"), "alarm.acknowledged"),
    ],
)
def test_it_ends_once_and_can_come_again(pit: Pit, event: object, kind: str) -> None:
    (raised,) = pit.do(STUCK)  # type: ignore[misc]  # a test knows that it is stored
    (ended,) = pit.do(event, actor="ana")  # type: ignore[misc]  # not refused
    assert (ended.kind, ended.body["raised"], ended.actor) == (kind, raised.id, "ana")
    assert pit.state.alarms == {}
    assert kinds(pit.do(STUCK)) == ["alarm.raised"]


def test_the_end_of_an_alarm_that_is_not_open(pit: Pit) -> None:
    assert kinds(pit.do(AlarmCleared("stuck", "t1-cajas/in3"))) == []
    answer = pit.do(AlarmAcknowledged("stuck", "t1-cajas/in3"))
    assert isinstance(answer, Refused)
    assert answer.reason is Refusal.UNKNOWN_ALARM


@pytest.mark.requirement("R66")
def test_a_note_becomes_an_alarm_when_it_asks_for_a_person(pit: Pit) -> None:
    pit.do(AlarmRaised("sign_differs", "cartel", "once", attention=False))
    assert not pit.state.alarms["sign_differs@cartel"].attention
    assert kinds(pit.do(AlarmRaised("sign_differs", "cartel", "twice"))) == ["alarm.raised"]
    assert pit.state.alarms["sign_differs@cartel"].attention
    assert kinds(pit.do(AlarmRaised("sign_differs", "cartel", "third", attention=False))) == []


def test_open_alarms_are_bounded_and_the_newest_stay(pit: Pit) -> None:
    for number in range(MOST_ALARMS + 20):
        pit.do(AlarmRaised("unknown_line", f"reader-{number}", "x" * 1000))
    assert len(pit.state.alarms) == MOST_ALARMS
    assert list(pit.state.alarms)[-1] == f"unknown_line@reader-{MOST_ALARMS + 19}"
    assert {len(alarm.detail) for alarm in pit.state.alarms.values()} == {MOST_TEXT}
    assert pit.replayed() == pit.state


def test_alarms_move_no_money_and_come_back_by_replay(pit: Pit) -> None:
    pit.do(STUCK)
    pit.do(AlarmRaised("clock_unsynchronised", "clock", attention=False))
    pit.do(AlarmCleared("clock_unsynchronised", "clock"))
    assert not any(entry.postings for entry in pit.journal if entry.kind.startswith("alarm."))
    assert pit.replayed() == pit.state


def test_a_host_has_alarms_of_its_own_before_it_serves() -> None:
    machine = HostMachine(HostSettings("c1", "ARS", 10_000, "key"))
    state = machine.first()
    events = [STUCK, STUCK, AlarmRaised("device_down", "cartel"), AlarmAcknowledged("stuck", "t1-cajas/in3")]
    stored: list[Entry] = []
    for number, event in enumerate(events):
        state, entries, refused = handle(machine, state, Envelope(f"e{number}", event), 0)
        assert refused is None
        stored += entries
    assert [entry.id for entry in stored] == ["e0", "e2", "e3"]
    assert list(state.alarms) == ["device_down@cartel"]
