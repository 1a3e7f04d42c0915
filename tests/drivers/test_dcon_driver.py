"""The DCON module as rows of (sent, received), without a clock, and over a pseudo-terminal."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from drivers.dcon_io import PROTOCOL, Settings, build
from drivers.dcon_io.codec import checksum_of
from drivers.dcon_io.sim import Sim
from drivers.device import DriverError, Lamp, SetOutputs, SettingsError, ShowText
from drivers.events import (
    CountDiscontinuity,
    DeviceReset,
    InputCounted,
    OutputConfirmed,
    SensorFault,
)
from drivers.simulator import Faults, SimLine
from tests.drivers.lines import Talk, running, tasks

ONE = {"inputs": 1, "watchdog_s": None}


def device(settings: dict | None = None, memory: dict | None = None):
    return build("mod", Settings.from_dict({**ONE, **(settings or {})}, "mod"), memory)


def row(talk: Talk, sent: str, received: str | None) -> list:
    return talk.exchange(sent.encode() + b"\r", None if received is None else received.encode() + b"\r")


def rows(talk: Talk, *pairs: tuple[str, str | None]) -> list:
    return [event for sent, received in pairs for event in row(talk, sent, received)]


HELLO = (("$012", "!01400600"), ("$01M", "!017050"), ("$015", "!010"))
OFF = (("#010000", ">"), ("$016", "!000000"))


def started(settings: dict | None = None, memory: dict | None = None, first: str = "00100", reset: str = "0") -> Talk:
    talk = Talk(device(settings, memory))
    rows(talk, *HELLO[:2], ("$015", f"!01{reset}"), *OFF)
    rows(talk, ("#010", f"!01{first}"), ("#010", f"!01{first}"))
    return talk


def test_the_start_identifies_asks_for_a_reset_arms_the_watchdog_and_asserts_outputs():
    talk = Talk(device({"watchdog_s": 10.0, "model": "7050"}))
    rows(
        talk,
        ("$012", "!01400600"),
        ("$01M", "!017050"),
        ("$015", "!011"),
        ("~010", "!0100"),
        ("~013164", "!01"),
    )
    assert talk.ask() == b"~**\r"
    assert talk.answer(None) == []
    rows(talk, ("#010000", ">"))
    (told,) = row(talk, "$016", "!000000")
    assert isinstance(told, OutputConfirmed)
    assert not talk.device.identified
    rows(talk, ("#010", "!0165535"), ("#010", "!0165535"))
    assert talk.device.identified


def test_the_host_is_said_to_be_alive_three_times_per_watchdog_time():
    talk = Talk(device({"watchdog_s": 3.0}), step_s=0.05)
    sim = Sim(inputs=1)
    said = []
    for _ in range(200):
        sent = talk.ask()
        if sent is None:
            continue
        if sent == b"~**\r":
            said.append(talk.at_s)
        talk.answer(sim.receive(sent, talk.at_s))
    assert len(said) >= 8
    assert max(b - a for a, b in itertools.pairwise(said)) <= 1.1
    assert not sim.tripped


def test_a_tripped_watchdog_is_told_cleared_and_armed_again_before_outputs():
    talk = Talk(device({"watchdog_s": 3.0}))
    rows(talk, *HELLO)
    (note,) = row(talk, "~010", "!0104")
    assert note.code == "watchdog_tripped"
    rows(talk, ("~011", "!01"), ("~01311E", "!01"))
    assert talk.ask() == b"~**\r"


def test_outputs_ignored_means_that_the_watchdog_tripped():
    talk = started()
    talk.device.command(SetOutputs({0: True}), talk.at_s)
    rows(talk, ("#010001", "!"))
    talk.at_s += 1
    rows(talk, ("~010", "!0104"), ("~011", "!01"), ("$015", "!010"), ("#010001", ">"))
    (told,) = row(talk, "$016", "!010000")
    assert told.outputs[0] is True


def test_a_count_is_told_when_a_second_reading_confirms_it():
    talk = started()
    assert row(talk, "#010", "!0100101") == []
    (counted,) = row(talk, "#010", "!0100101")
    assert (counted.input, counted.counter, counted.epoch, counted.raw) == (0, 1, 1, b"!0100101\r")


def test_a_digit_lost_or_changed_on_the_line_is_no_bet():
    talk = started()
    assert rows(talk, ("#010", "!0100109"), ("#010", "!0100100"), ("#010", "!0100100")) == []
    assert row(talk, "#010", "!010010") == []  # eight digits short: ignored, a timeout
    assert rows(talk, ("$012", "!01400600"), ("$015", "!010"), ("#010", "!0100100")) == []


def test_the_count_goes_over_the_wrap():
    talk = started(first="65535")
    got = rows(talk, ("#010", "!0100002"), ("#010", "!0100002"))
    assert [e.counter for e in got] == [1, 2, 3]


def test_a_reset_begins_a_new_epoch_and_tells_the_loss_without_an_upper_bound():
    talk = started(first="65535")
    row(talk, "#010", None)
    row(talk, "$012", "!01400600")
    (reset,) = row(talk, "$015", "!011")
    assert isinstance(reset, DeviceReset) and reset.epoch == 2
    rows(talk, *OFF, ("#010", "!0100002"))
    (lost,) = row(talk, "#010", "!0100002")
    assert (lost.expected, lost.got, lost.lost_min, lost.lost_max) == (65535, 2, 2, None)
    got = rows(talk, ("#010", "!0100003"), ("#010", "!0100003"))
    assert [(e.epoch, e.counter) for e in got] == [(2, 1)]


def test_a_lost_answer_about_the_reset_makes_a_fallen_counter_a_reset_and_no_wrap():
    talk = started(first="65535")
    rows(talk, ("#010", None), ("$012", "!01400600"), ("$015", None), ("$012", "!01400600"), ("$015", "!010"))
    got = rows(talk, ("#010", "!0100002"), ("#010", "!0100002"))
    assert [type(e) for e in got] == [DeviceReset, CountDiscontinuity]
    assert got[1].lost_max is None


def test_a_reading_from_before_a_reset_confirms_nothing_after_it():
    talk = started(first="65534")
    rows(talk, ("#010", "!0165535"), ("#010", None), ("$012", "!01400600"), ("$015", "!011"), *OFF)
    got = rows(talk, ("#010", "!0100000"), ("#010", "!0100000"), ("#010", "!0100000"))
    assert [type(e) for e in got] == [CountDiscontinuity]


def test_a_restart_of_the_daemon_gives_the_loss_with_exact_bounds():
    before = started().device.memory()
    talk = Talk(device(memory=before))
    rows(talk, *HELLO, *OFF, ("#010", "!0100104"))
    (lost,) = row(talk, "#010", "!0100104")
    assert (lost.expected, lost.got, lost.lost_min, lost.lost_max, lost.epoch) == (100, 104, 4, 4, 1)


def test_counts_while_the_link_was_down_are_a_loss_with_exact_bounds():
    talk = started()
    talk.at_s += 20
    rows(talk, ("$015", "!010"), ("$016", "!000000"), ("#010", "!0100102"))
    (lost,) = row(talk, "#010", "!0100102")
    assert (lost.lost_min, lost.lost_max) == (2, 2)


def test_more_counts_than_plausible_is_a_loss_and_no_bet():
    talk = started()
    rows(talk, ("#010", "!0105100"))
    (lost,) = row(talk, "#010", "!0105100")
    assert (lost.lost_min, lost.lost_max) == (0, 5000)


def test_a_late_counter_of_one_input_is_never_taken_for_another():
    talk = Talk(device({"inputs": 2}))
    rows(talk, *HELLO, *OFF)
    rows(talk, ("#010", "!0100500"), ("#010", "!0100500"), ("#011", "!0100003"), ("#011", "!0100003"))
    row(talk, "#010", None)
    assert talk.ask() == b"$012\r"
    assert talk.answer(b"!0100500\r") == []  # late: no configuration, so the wait ends in a timeout
    got = rows(talk, ("$012", "!01400600"), ("$015", "!010"), ("#010", "!0100500"), ("#011", "!0100003"))
    assert got == []


def test_another_model_is_not_up_and_says_why():
    talk = Talk(device({"model": "4050"}))
    rows(talk, ("$012", "!01400600"), ("$01M", "!017050"))
    assert talk.device.trouble == "model 7050 where 4050 is configured"
    assert not talk.device.identified
    talk.at_s += 1
    rows(talk, ("$012", "!01400600"), ("$01M", "!014050"), ("$015", "!010"))
    assert talk.device.trouble == ""


def test_checksum_that_differs_from_the_settings_is_said():
    talk = Talk(device())
    row(talk, "$012", "!01400640")
    assert "checksum is on in the module" in talk.device.trouble


def test_with_checksum_both_ways():
    talk = Talk(device({"checksum": True}))
    assert talk.ask() == b"$012B7\r"
    reply = "!01400640"
    talk.answer((reply + checksum_of(reply) + "\r").encode())
    assert talk.ask() == b"$01MD2\r"


def test_a_refused_question_is_a_fault_told_once_and_cleared():
    talk = started()
    (fault,) = row(talk, "#010", "?01")
    assert (fault.code, fault.attention) == ("refused_counter", True)
    talk.at_s += 1
    assert rows(talk, ("$015", "!010"), ("#010", "?01")) == []
    talk.at_s += 1
    (cleared,) = rows(talk, ("$015", "!010"), ("$016", "!000000"), ("#010", "!0100100"))
    assert cleared.cleared


def test_outputs_order_is_the_profiles():
    talk = Talk(device({"outputs_first": False}))
    talk.device.command(SetOutputs({0: Lamp.ON}), talk.at_s)
    rows(talk, *HELLO, ("#010001", ">"))
    assert [type(e) for e in row(talk, "$016", "!000100")] == [OutputConfirmed]


def test_levels_count_and_release():
    talk = Talk(device({"count_by": "levels"}))
    rows(talk, *HELLO, ("#010000", ">"))
    got = rows(talk, *[("$016", f"!00{b}00") for b in ("00", "00", "01", "01", "00", "00")])
    assert [type(e).__name__ for e in got] == ["OutputConfirmed", "InputCounted", "InputReleased"]


LATCH = {"count_by": "latches", "inputs": 2, "pulse_s": 0.2, "checksum": True}
HELLO_CHECKED = (("$012", "!01400640"), *HELLO[1:])


def checked(talk: Talk, *pairs: tuple[str, str | None]) -> list:
    """The rows with the checksum that each line has on a line where it is on."""

    def closed(text: str | None) -> bytes | None:
        return None if text is None else (text + checksum_of(text) + "\r").encode()

    return [event for sent, received in pairs for event in talk.exchange(closed(sent), closed(received))]


FOUND = ("$01L1", "!000100")
CLEAR = ("$01C", "!01")
NONE = ("$01L1", "!000000")


def latching() -> Talk:
    talk = Talk(device(LATCH))
    checked(talk, *HELLO_CHECKED, *OFF, ("$01L1", "!000000"))
    assert talk.device.identified
    return talk


def told(events: list) -> list[tuple]:
    return [
        ("count", e.input) if isinstance(e, InputCounted) else ("lost", e.input, e.lost_min, e.lost_max)
        for e in events
        if isinstance(e, InputCounted | CountDiscontinuity)
    ]


@pytest.mark.parametrize(
    ("exchange", "expected"),
    [
        ([("$01L1", "!000100"), CLEAR, ("$016", "!000100"), NONE], [("count", 0)]),
        ([("$01L1", "!01000100"), CLEAR, ("$016", "!000000"), NONE], [("count", 0)]),
        (  # an edge between reading and clearing is seen as a level
            [FOUND, CLEAR, ("$016", "!000300"), NONE],
            [("count", 0), ("count", 1)],
        ),
        (  # an edge between clearing and levels is seen twice and counted once
            [FOUND, CLEAR, ("$016", "!000300"), ("$01L1", "!000200"), CLEAR],
            [("count", 0), ("count", 1)],
        ),
        (  # the reply to the clearing is lost: not counted twice, and the doubt is told
            [
                FOUND,
                ("$01C", None),
                ("$012", "!01400640"),
                ("$015", "!010"),
                FOUND,
                CLEAR,
                ("$016", "!000000"),
            ],
            [("count", 0), ("lost", None, 0, None)],
        ),
    ],
    ids=["on", "with address", "before clear", "after clear", "clear lost"],
)
def test_latched_edges_are_counted_once(exchange, expected):
    assert told(checked(latching(), *exchange)) == expected


def test_latches_found_at_the_start_are_a_baseline():
    talk = Talk(device(LATCH))
    got = checked(talk, *HELLO_CHECKED, *OFF, ("$01L1", "!000300"), CLEAR, ("$016", "!000300"), NONE)
    assert told(got) == []


def test_latches_after_a_long_silence_are_a_loss():
    talk = latching()
    talk.at_s += 10
    checked(talk, ("$015", "!010"), ("$016", "!000000"))
    assert told(checked(talk, FOUND)) == [("lost", 0, 1, None)]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"address": "1"}, "two hex digits"),
        ({"address": "0a"}, "two hex digits"),
        ({"adress": "01"}, "unknown setting adress"),
        ({"watchdog_s": 60.0}, "watchdog_s must be"),
        ({"count_by": "latches"}, "only with checksum on"),
        ({"count_by": "guess"}, "not one of counters, latches, levels"),
        ({"count_by": "levels", "poll_s": 0.2}, "can slip between"),
        ({"inputs": 9}, "inputs and outputs"),
    ],
)
def test_wrong_settings_are_named(settings, words):
    with pytest.raises(SettingsError, match=words):
        Settings.from_dict(settings, "mod")


def test_a_command_for_something_else_is_refused():
    with pytest.raises(DriverError, match="no output 8"):
        device().command(SetOutputs({8: True}), 0.0)
    with pytest.raises(DriverError, match="no ShowText"):
        device().command(ShowText("a", "b"), 0.0)
    assert PROTOCOL == "dcon"


def module(address: str = "01", **settings):
    quick = {"address": address, "poll_s": 0.005, "timeout_s": 1.0, "gap_s": 0.0, "model": "7050", **settings}
    return build(f"d{address}", Settings.from_dict(quick), None)


@pytest.mark.parametrize(
    ("count_by", "checksum"),
    [("counters", True), ("counters", False), ("latches", True), ("levels", True), ("levels", False)],
)
async def test_over_a_pseudo_terminal_each_pulse_counts_once(count_by, checksum):
    sim = Sim(checksum=checksum)
    quick = module(count_by=count_by, checksum=checksum, pulse_s=5.0)
    async with tasks(sim.run()), running(sim.path, quick) as seen:
        await seen.up("d01")
        for number in (0, 6, 6, 3):
            before = len(seen.of(InputCounted))
            sim.set_level(number, True)  # held until it is seen: a busy machine may miss a short press
            await seen.until(lambda n=before: len(seen.of(InputCounted)) > n)
            sim.set_level(number, False)
            await seen.answered(10)
        seen.bus.command("d01", SetOutputs({7: True}))
        await seen.until(lambda: sim.outputs[7] and any(e.outputs[7] for e in seen.of(OutputConfirmed)))
    assert [e.input for e in seen.of(InputCounted)] == [0, 6, 6, 3]
    assert not seen.of(CountDiscontinuity)


async def test_lamps_go_to_the_safe_value_when_the_daemon_dies_and_come_back_with_it():
    sim = Sim()
    async with tasks(sim.run()):
        async with running(sim.path, module(watchdog_s=0.4)) as seen:
            await seen.up("d01")
            seen.bus.command("d01", SetOutputs({0: True}))
            await seen.until(lambda: sim.outputs[0])
            await asyncio.sleep(1.0)
            assert sim.outputs[0]
        async with asyncio.timeout(60):
            while any(sim.outputs):
                await asyncio.sleep(0.01)
        async with running(sim.path, module(watchdog_s=0.4)) as seen:
            seen.bus.command("d01", SetOutputs({0: True}))
            await seen.until(lambda: sim.outputs[0])
            assert [e.code for e in seen.of(SensorFault)] == ["watchdog_tripped"]


async def test_two_modules_on_a_noisy_line_never_take_each_others_counts():
    line = SimLine(faults=Faults(cut=50, drop_chunk=50, noise=100, seed=5))
    sims = [Sim(address, line=line) for address in (1, 2)]
    modules = [module(address, timeout_s=0.05) for address in ("01", "02")]
    async with tasks(line.run()), running(line.path, *modules) as seen:
        await seen.up("d01", "d02")
        for turn in range(6):
            where = (f"d0{turn % 2 + 1}", turn)
            sims[turn % 2].press(turn, 0.05)
            await seen.until(lambda at=where: at in told_of(seen.events, least=1))
    assert {(e.device, e.input) for e in seen.of(InputCounted)} <= {(f"d0{t % 2 + 1}", t) for t in range(6)}
    assert len(seen.of(InputCounted)) <= 6


def told_of(events: list, least: int) -> list[tuple]:
    """Where something was counted or surely lost."""
    return [
        (e.device, e.input)
        for e in events
        if isinstance(e, InputCounted) or (isinstance(e, CountDiscontinuity) and e.lost_min >= least)
    ]
