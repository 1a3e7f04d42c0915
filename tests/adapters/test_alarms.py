"""Conditions asserted as alarms: raised when they begin, cleared when they end, also after a restart."""

from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import pytest

from controller.adapters.events import alarms
from controller.adapters.events.alarms import (
    LINK_LOST,
    AlarmWatch,
    Condition,
    LinkRejections,
    NodeWatch,
    host_conditions,
    rejection_alarm,
    table_conditions,
)
from controller.adapters.events.clock_watch import ClockWatch, moment
from controller.adapters.link.wire import Rejected, WireFault
from controller.core.events import AlarmCleared, AlarmRaised
from controller.engine.alarms import Alarm
from controller.engine.host_state import Known, Phase, Quarantined
from controller.engine.ledger_records import NO_MARK, ZERO
from tests.engine.carousel_house import Host
from tests.engine.pit import Pit

LOST = AlarmRaised(LINK_LOST, "c1")
OPEN = {"link_lost@c1": Alarm(LINK_LOST, "c1", "", None, True, "e1")}
Usage = namedtuple("Usage", "total used free")


class Watched:
    """A watch with a clock that the test turns."""

    def __init__(self) -> None:
        self.posted: list[object] = []
        self.now_s = 0.0
        self.watch = AlarmWatch(frozenset({LINK_LOST}), self.posted.append, lambda: self.now_s)

    def after(self, seconds: float) -> list[object]:
        self.now_s += seconds
        self.watch.beat()
        posted, self.posted[:] = list(self.posted), []
        return posted


def test_a_condition_is_raised_once_when_its_grace_is_over() -> None:
    watched = Watched()
    watched.watch.show([Condition(LOST, grace_s=5.0)], {})
    assert watched.after(4.9) == []
    assert watched.after(0.2) == [LOST]
    assert watched.after(60.0) == []


def test_one_that_ends_within_its_grace_was_never_there() -> None:
    watched = Watched()
    watched.watch.show([Condition(LOST, grace_s=5.0)], {})
    watched.after(3.0)
    watched.watch.show([], {})
    assert watched.after(60.0) == []


def test_its_end_clears_it_once_and_it_can_come_again() -> None:
    watched = Watched()
    watched.watch.show([Condition(LOST)], {})
    assert watched.after(0) == [LOST]
    watched.watch.show([], OPEN)
    assert watched.after(0) == [AlarmCleared(LINK_LOST, "c1")]
    watched.watch.show([], OPEN)
    assert watched.after(1.0) == []
    watched.watch.show([], {})
    watched.watch.show([Condition(LOST)], {})
    assert watched.after(0) == [LOST]


def test_an_acknowledged_condition_that_goes_on_is_not_raised_again() -> None:
    watched = Watched()
    watched.watch.show([Condition(LOST)], {})
    watched.watch.show([Condition(LOST)], OPEN)
    watched.after(0)
    watched.watch.show([Condition(LOST)], {})
    assert watched.after(60.0) == []


def test_what_an_earlier_run_left_open_is_cleared_and_foreign_codes_are_left_alone() -> None:
    watched = Watched()
    foreign = {"stuck@io/in3": Alarm("stuck", "io/in3", "", None, True, "e2")}
    watched.watch.show([], {**OPEN, **foreign})
    assert watched.after(0) == [AlarmCleared(LINK_LOST, "c1")]


@pytest.mark.requirement("R54", "R52")
def test_a_table_tells_a_lost_link_and_a_ledger_that_differs() -> None:
    pit = Pit()
    assert table_conditions(pit.state, "c1") == ()
    lost = replace(pit.state, link=replace(pit.state.link, link_up=False))
    assert [each.key for each in table_conditions(lost, "c1")] == ["link_lost@c1"]
    differs = replace(pit.state, link=replace(pit.state.link, stopped="ledger_differs"))
    assert [each.key for each in table_conditions(differs, "c1")] == ["ledger_differs@c1"]


@pytest.mark.requirement("R33")
def test_a_host_tells_quarantined_steps_copied_journals_and_that_it_is_fenced() -> None:
    host = Host.new()
    host.start()
    assert host_conditions(host.state) == ()
    state = replace(
        host.state,
        phase=Phase.FENCED,
        why_fenced="epoch 3",
        quarantined=host.state.quarantined.set("t1", Quarantined("i1", ZERO, NO_MARK)),
        known=host.state.known.set("t2", Known("i2", NO_MARK, forked=True)).set("t3", Known("i3", NO_MARK)),
    )
    assert [(each.key, each.alarm.detail) for each in host_conditions(state)] == [
        ("counters_quarantined@t1", ""),
        ("table_forked@t2", ""),
        ("host_fenced@c1", "epoch 3"),
    ]


@pytest.mark.promise("P13")
@pytest.mark.parametrize(
    ("rejected", "expected"),
    [
        (Rejected(WireFault.BAD_SIGNATURE, "t9"), AlarmRaised("link_bad_signature", "link", "t9")),
        (Rejected(WireFault.UNKNOWN_KEY, "t9", "x"), AlarmRaised("link_unknown_key", "link", "t9 x")),
        (Rejected(WireFault.NOT_JSON), AlarmRaised("link_not_json", "link", "")),
        (Rejected(WireFault.OLD, "t1"), None),
    ],
)
def test_a_refused_message_is_an_alarm_of_the_link(rejected: Rejected, expected: AlarmRaised | None) -> None:
    assert rejection_alarm(rejected) == expected


def test_a_flood_of_refused_messages_is_one_alarm_of_each_kind_in_a_while() -> None:
    posted: list[object] = []
    now_s = [0.0]
    link = LinkRejections(posted.append, lambda: now_s[0])
    for number in range(100):
        link.rejected(Rejected(WireFault.BAD_SIGNATURE, f"stranger-{number}"))
        link.rejected(Rejected(WireFault.NOT_JSON))
    assert posted == [
        AlarmRaised("link_bad_signature", "link", "stranger-0"),
        AlarmRaised("link_not_json", "link", ""),
    ]
    now_s[0] = 10.0
    link.rejected(Rejected(WireFault.NOT_JSON))
    assert len(posted) == 3


def test_a_refusal_that_lasts_stands_in_the_log_once_an_hour_and_whole(caplog: pytest.LogCaptureFixture) -> None:
    now_s = [0.0]
    link = LinkRejections(lambda alarm: None, lambda: now_s[0])
    with caplog.at_level("INFO", "carrusel"):
        for _ in range(30):
            link.rejected(Rejected(WireFault.UNKNOWN_KEY, "mesa-2"))
            now_s[0] += 10.0
        assert caplog.messages == ["link: a message of mesa-2 is refused: unknown_key"]
        link.rejected(Rejected(WireFault.UNKNOWN_KEY, "mesa-3", "x"))
        now_s[0] += 3600.0
        link.rejected(Rejected(WireFault.UNKNOWN_KEY, "mesa-3", "x"))
    assert caplog.messages[1:] == ["link: a message of mesa-3 is refused: unknown_key (x)"] * 2


@pytest.mark.requirement("R66")
@pytest.mark.parametrize(
    ("synchronised", "free", "expected"),
    [
        (True, 50, []),
        (False, 50, ["clock_unsynchronised@clock"]),
        (True, 4, ["disk_low@state"]),
        (False, 4, ["clock_unsynchronised@clock", "disk_low@state"]),
    ],
)
def test_the_machine_under_the_daemon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, synchronised: bool, free: int, expected: list[str]
) -> None:
    monkeypatch.setattr(alarms.shutil, "disk_usage", lambda _: Usage(100, 100 - free, free))
    watch = NodeWatch(tmp_path, lambda: synchronised)
    assert [each.key for each in watch.held()] == expected


class Clocks:
    """A wall clock and one that never jumps, in milliseconds."""

    def __init__(self, wall_ms: int) -> None:
        self.wall_ms = wall_ms
        self.mono_ms = 5_000

    def pass_(self, ms: int, jump_ms: int = 0) -> None:
        self.mono_ms += ms
        self.wall_ms += ms + jump_ms


def watched_clocks(wall_ms: int, last_ms: int = 0) -> tuple[Clocks, list[object], ClockWatch]:
    clocks, posted = Clocks(wall_ms), list[object]()
    return (
        clocks,
        posted,
        ClockWatch(posted.append, lambda: clocks.wall_ms, lambda: clocks.mono_ms, last_ms),
    )


@pytest.mark.promise("P7")
def test_a_clock_that_jumps_is_told_once_each_time_and_small_corrections_are_not() -> None:
    clocks, posted, watch = watched_clocks(1_790_000_000_000)
    watch.look()
    for jump_ms, told in ((0, 0), (9_000, 0), (-9_000, 0), (315_619_200_000, 1), (0, 1), (-315_619_200_000, 2)):
        clocks.pass_(1_000, jump_ms)
        watch.look()
        assert len(posted) == told, jump_ms
    clocks.pass_(7_200_000)
    watch.look()
    assert len(posted) == 2, "a long pause between two looks is no jump"
    assert posted[0] == AlarmRaised("clock_jumped", "clock", "2026-09-21T14:13:24Z -> 2036-09-21T14:13:24Z")


@pytest.mark.promise("P7")
@pytest.mark.parametrize(
    ("last_ms", "told"), [(0, 0), (1_789_999_000_000, 0), (1_790_000_005_000, 0), (1_790_000_011_000, 1)]
)
def test_a_clock_that_forgot_the_time_while_the_machine_was_off_is_told_at_the_start(last_ms: int, told: int) -> None:
    _, posted, watch = watched_clocks(1_790_000_000_000, last_ms)
    watch.look()
    watch.look()
    assert len(posted) == told


def test_what_no_calendar_has_is_told_in_milliseconds() -> None:
    assert moment(10**18) == f"{10**18} ms"
