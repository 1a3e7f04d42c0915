"""The Modbus module as rows of (sent, received), without a clock."""

from __future__ import annotations

import itertools

import pytest

from drivers.device import DriverError, Lamp, SetOutputs, SettingsError
from drivers.events import (
    CountDiscontinuity,
    DeviceReset,
    InputCounted,
    InputReleased,
    OutputConfirmed,
    SensorFault,
)
from drivers.modbus_rtu_io import PROTOCOL, Settings, build
from drivers.modbus_rtu_io.codec import crc16
from tests.drivers.lines import Talk

READ_MODES = "01 03 10 00 00 08"
MODES_OK = "01 03 10" + " 00 00" * 8
READ_OUTPUTS = "01 01 00 00 00 08"
READ_INPUTS = "01 02 00 00 00 08"
READ_COUNTERS = "01 03 00 00 00 08"
WRITE_NONE = "01 0F 00 00 00 08 01 00"
WRITTEN = "01 0F 00 00 00 08"


def w(text: str) -> bytes:
    body = bytes.fromhex(text)
    return body + crc16(body)


def counters(*values: int) -> bytes:
    return w("01 03 10" + "".join(f" {v:04X}" for v in values))


def started(settings: dict | None = None, memory: dict | None = None, first_shown: str = "00", **kw) -> Talk:
    """A module past its start, outputs off and confirmed."""
    talk = Talk(build("mod", Settings.from_dict({"unit": 1, **(settings or {})}, "mod"), memory), **kw)
    if "counters" not in str((settings or {}).get("profile")):
        talk.exchange(w(READ_MODES), w(MODES_OK))
    talk.exchange(w(READ_OUTPUTS), w(f"01 01 01 {first_shown}"))
    talk.exchange(w(WRITE_NONE), w(WRITTEN))
    talk.exchange(w(READ_OUTPUTS), w("01 01 01 00"))
    return talk


def inputs(talk: Talk, *samples: int) -> list:
    got = []
    for bits in samples:
        sent = talk.ask()
        while sent == w(READ_OUTPUTS):
            got += talk.answer(w("01 01 01 00"))
            sent = talk.ask()
        assert sent == w(READ_INPUTS)
        got += talk.answer(w(f"01 02 01 {bits:02X}"))
    return got


def kinds(events) -> list[str]:
    return [type(e).__name__ for e in events]


def test_output_modes_are_read_and_set_to_normal_before_anything_else():
    talk = Talk(build("mod", Settings(unit=1), None))
    (note,) = talk.exchange(w(READ_MODES), w("01 03 10 00 01 00 00 00 03" + " 00 00" * 5))
    assert (note.code, note.attention) == ("output_mode", False)
    talk.exchange(w("01 06 10 00 00 00"), w("01 06 10 00 00 00"))
    talk.exchange(w("01 06 10 02 00 00"), w("01 06 10 02 00 00"))
    talk.exchange(w(READ_MODES), w(MODES_OK))
    assert not talk.device.identified
    talk.exchange(w(READ_OUTPUTS), w("01 01 01 00"))
    talk.exchange(w(WRITE_NONE), w(WRITTEN))
    talk.exchange(w(READ_OUTPUTS), w("01 01 01 00"))
    inputs(talk, 0)
    assert not talk.device.identified
    inputs(talk, 0)
    assert talk.device.identified


def test_a_level_that_rises_counts_once_and_falls_as_a_release():
    talk = started()
    assert inputs(talk, 0, 0) == []
    (counted,) = inputs(talk, 4, 4)
    assert isinstance(counted, InputCounted)
    assert (counted.input, counted.counter, counted.epoch, counted.raw) == (2, 1, 1, w("01 02 01 04"))
    (released,) = inputs(talk, 4, 4, 0, 0)
    assert isinstance(released, InputReleased)
    assert released.event_id == counted.event_id + "/released"


def test_a_level_present_at_start_is_a_baseline_and_its_fall_no_release():
    assert inputs(started(), 1, 1, 1, 0, 0) == []


def test_one_sample_is_no_count_but_is_told():
    talk = started()
    inputs(talk, 0, 0)
    (fault,) = inputs(talk, 1, 0)
    assert (fault.code, fault.input, fault.attention) == ("glitch", 0, False)


def test_inverted_input():
    talk = started({"inverted": [0]})
    inputs(talk, 1, 1)
    assert kinds(inputs(talk, 0, 0)) == ["InputCounted"]


def test_stuck_input_is_a_fault_and_its_end_is_told():
    talk = started({"stuck_s": 1.0})
    inputs(talk, 0, 0, 1, 1)
    got = inputs(talk, *[1] * 40, 0, 0)
    assert [(e.code, e.cleared) for e in got if isinstance(e, SensorFault)] == [("stuck", False), ("stuck", True)]


def test_each_start_is_a_new_epoch_where_the_driver_counts():
    first = started()
    inputs(first, 0, 0, 1, 1)
    again = started(memory=first.device.memory())
    inputs(again, 0, 0)
    (counted,) = inputs(again, 1, 1)
    assert (counted.epoch, counted.counter) == (2, 1)


def test_a_gap_in_which_a_pulse_fits_is_told_without_a_bound():
    talk = started()
    inputs(talk, 0, 0)
    talk.ask()
    talk.answer(None)
    (lost,) = inputs(talk, 0)
    assert isinstance(lost, CountDiscontinuity)
    assert (lost.input, lost.lost_min, lost.lost_max) == (None, 0, None)


def test_a_level_that_rose_while_the_link_was_down_is_a_loss_and_no_bet():
    talk = started()
    inputs(talk, 0, 0)
    talk.at_s += 5
    got = inputs_after_silence(talk, 1, 1)
    assert [(e.input, e.lost_min, e.lost_max) for e in got if isinstance(e, CountDiscontinuity)] == [
        (None, 0, None),
        (0, 1, None),
    ]
    assert "InputCounted" not in kinds(got)


def inputs_after_silence(talk: Talk, *samples: int) -> list:
    talk.exchange(w(READ_OUTPUTS), w("01 01 01 00"))
    return inputs(talk, *samples)


COUNTING = {"profile": "counters_8in_8out", "count_by": "counters"}


def counted(talk: Talk, *values: int) -> list:
    sent = talk.ask()
    got = []
    while sent == w(READ_OUTPUTS):
        got += talk.answer(w("01 01 01 00"))
        sent = talk.ask()
    assert sent == w(READ_COUNTERS)
    return got + talk.answer(counters(*values, *[0] * (8 - len(values))))


def test_first_reading_is_a_baseline_then_counts_by_difference_mod_65536():
    talk = started(COUNTING)
    assert counted(talk, 65535, 7) == []
    got = counted(talk, 2, 8)
    assert [(e.input, e.counter, e.epoch) for e in got] == [(0, 1, 1), (0, 2, 1), (0, 3, 1), (1, 1, 1)]


def test_more_counts_than_plausible_is_a_loss_and_no_bet():
    talk = started(COUNTING)
    counted(talk, 100)
    (lost,) = counted(talk, 5000)
    assert (lost.expected, lost.got, lost.lost_min, lost.lost_max) == (100, 5000, 0, 4900)


@pytest.mark.parametrize(
    ("lamps_at_start", "bounds"), [("01", (3, 3)), ("00", (3, None))], ids=["a lamp is still lit", "no proof"]
)
def test_counts_made_while_the_daemon_was_stopped_are_a_loss(lamps_at_start, bounds):
    talk = started(COUNTING)
    counted(talk, 100)
    counted(talk, 101)
    again = started(COUNTING, talk.device.memory(), first_shown=lamps_at_start)
    lost = counted(again, 104)[0]
    assert (lost.expected, lost.got, lost.lost_min, lost.lost_max) == (101, 104, *bounds)
    (bet,) = counted(again, 105)
    assert (bet.epoch, bet.counter) == (1, 5)


def test_a_module_whose_lamps_went_out_was_reset_and_the_loss_has_no_upper_bound():
    talk = started(COUNTING)
    counted(talk, 50)
    talk.device.command(SetOutputs({0: Lamp.ON}), talk.at_s)
    talk.exchange(w("01 0F 00 00 00 08 01 01"), w(WRITTEN))
    (confirmed,) = talk.exchange(w(READ_OUTPUTS), w("01 01 01 01"))
    assert isinstance(confirmed, OutputConfirmed) and confirmed.outputs[0] is True
    talk.at_s += 1.0
    (reset,) = talk.exchange(w(READ_OUTPUTS), w("01 01 01 00"))
    assert isinstance(reset, DeviceReset) and reset.epoch == 2
    talk.exchange(w("01 0F 00 00 00 08 01 01"), w(WRITTEN))
    talk.exchange(w(READ_OUTPUTS), w("01 01 01 01"))
    got = talk.exchange(w(READ_COUNTERS), counters(2, *[0] * 7))
    assert (got[0].input, got[0].expected, got[0].got, got[0].lost_min, got[0].lost_max) == (0, 50, 2, 2, None)
    assert "InputCounted" not in kinds(got)
    (bet,) = talk.exchange(w(READ_COUNTERS), counters(3, *[0] * 7))
    assert (bet.epoch, bet.counter) == (2, 1)


def test_a_lamp_still_lit_proves_that_there_was_no_reset():
    talk = started(COUNTING)
    counted(talk, 2)
    talk.device.command(SetOutputs({0: True}), talk.at_s)
    talk.exchange(w("01 0F 00 00 00 08 01 01"), w(WRITTEN))
    talk.exchange(w(READ_OUTPUTS), w("01 01 01 01"))
    talk.at_s += 1.0
    assert talk.exchange(w(READ_OUTPUTS), w("01 01 01 01")) == []
    assert kinds(talk.exchange(w(READ_COUNTERS), counters(3, *[0] * 7))) == ["InputCounted"]


def test_a_count_that_a_reset_could_explain_is_no_bet():
    talk = started(COUNTING)
    counted(talk, 2)
    talk.at_s += 1.0
    lost, silent = counted(talk, 3)
    assert (lost.input, lost.lost_min, lost.lost_max) == (0, 1, None)
    assert (silent.input, silent.lost_min, silent.lost_max) == (None, 0, None)


def test_a_counter_that_fell_after_a_silence_is_a_reset():
    talk = started(COUNTING)
    counted(talk, 50, 9)
    talk.at_s += 1.0
    got = counted(talk, 1, 9)
    assert kinds(got)[:2] == ["DeviceReset", "CountDiscontinuity"]
    assert "InputCounted" not in kinds(got)
    assert [(e.input, e.expected, e.lost_min) for e in got if isinstance(e, CountDiscontinuity)][:2] == [
        (0, 50, 1),
        (None, None, 0),
    ]


def test_a_reset_seen_but_not_yet_counted_survives_a_restart_of_the_daemon():
    talk = started(COUNTING)
    counted(talk, 50)
    talk.device.command(SetOutputs({0: True}), talk.at_s)
    talk.exchange(w("01 0F 00 00 00 08 01 01"), w(WRITTEN))
    talk.exchange(w(READ_OUTPUTS), w("01 01 01 01"))
    talk.at_s += 1.0
    talk.exchange(w(READ_OUTPUTS), w("01 01 01 00"))
    again = started(COUNTING, talk.device.memory())
    got = counted(again, 60)
    assert (got[0].expected, got[0].lost_min, got[0].lost_max) == (50, 10, None)


def test_outputs_are_written_read_back_and_written_again_when_they_differ():
    talk = started()
    inputs(talk, 0)
    talk.device.command(SetOutputs({1: Lamp.ON, 7: Lamp.OFF}), talk.at_s)
    talk.exchange(w("01 0F 00 00 00 08 01 02"), w(WRITTEN))
    assert talk.exchange(w(READ_OUTPUTS), w("01 01 01 00")) == []
    talk.exchange(w("01 0F 00 00 00 08 01 02"), w(WRITTEN))
    (told,) = talk.exchange(w(READ_OUTPUTS), w("01 01 01 02"))
    assert told.outputs == {i: i == 1 for i in range(8)}


def test_a_write_without_reply_is_repeated():
    talk = started()
    talk.device.command(SetOutputs({1: True}), talk.at_s)
    talk.exchange(w("01 0F 00 00 00 08 01 02"), None)
    talk.exchange(w("01 0F 00 00 00 08 01 02"), w(WRITTEN))


def test_a_confirmation_of_an_older_wish_is_not_told_as_the_newer_one():
    talk = started()
    talk.device.command(SetOutputs({1: True}), talk.at_s)
    talk.exchange(w("01 0F 00 00 00 08 01 02"), w(WRITTEN))
    assert talk.ask() == w(READ_OUTPUTS)
    talk.device.command(SetOutputs({1: False}), talk.at_s)
    assert talk.answer(w("01 01 01 02")) == []
    talk.exchange(w(WRITE_NONE), w(WRITTEN))
    (told,) = talk.exchange(w(READ_OUTPUTS), w("01 01 01 00"))
    assert told.outputs[1] is False


def test_blink_writes_each_phase_and_is_confirmed_once():
    talk = started(step_s=0.1)
    talk.device.command(SetOutputs({0: Lamp.BLINK}), talk.at_s)
    written, told = [], []
    for _ in range(40):
        sent = talk.ask()
        if sent is None:
            continue
        if sent[1] == 0x0F:
            written.append(sent[7])
            told += talk.answer(w(WRITTEN))
        elif sent[1] == 1:
            told += talk.answer(w(f"01 01 01 {written[-1] if written else 0:02X}"))
        else:
            told += talk.answer(w("01 02 01 00"))
    assert 4 <= len(written) <= 9
    assert all(a != b for a, b in itertools.pairwise(written))
    assert [e.outputs[0] for e in told if isinstance(e, OutputConfirmed)] == ["blink"]


def test_busy_is_for_later_and_another_exception_is_a_fault_told_once_and_cleared():
    talk = started()
    sent = talk.ask()
    assert sent == w(READ_INPUTS)
    assert talk.answer(w("01 82 06")) == []
    talk.at_s += 1
    talk.ask()
    talk.answer(w("01 01 01 00"))
    assert talk.ask() == w(READ_INPUTS)
    (fault,) = talk.answer(w("01 82 02"))
    assert fault.code == "refused_inputs" and "exception 2" in fault.detail
    talk.at_s += 2
    talk.ask()
    talk.answer(w("01 01 01 00"))
    assert talk.ask() == w(READ_INPUTS)
    assert talk.answer(w("01 82 02")) == []
    talk.at_s += 2
    talk.ask()
    talk.answer(w("01 01 01 00"))
    talk.ask()
    assert [(e.code, e.cleared) for e in talk.answer(w("01 02 01 00")) if isinstance(e, SensorFault)] == [
        ("refused_inputs", True)
    ]


@pytest.mark.parametrize(
    "stray",
    ["02 02 01 01", "01 01 01 01", "01 02 02 01 00", "01 82 0C", "01 02 00 00 00 08"],
    ids=["other unit", "other function", "other byte count", "no exception", "a request"],
)
def test_what_is_not_the_reply_is_ignored(stray):
    talk = started()
    inputs(talk, 0, 0)
    talk.ask()
    assert talk.answer(w(stray) + w("01 02 01 01")) == []
    assert kinds(inputs(talk, 1)) == ["InputCounted"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"unit": 0}, "unit must be 1..255"),
        ({"unit": 1, "speed": 3}, "unknown setting speed"),
        ({}, "missing setting unit"),
        ({"unit": "1"}, "mod.unit: int is wanted"),
        ({"unit": 1, "profile": "other"}, "unknown profile"),
        ({"unit": 1, "poll_s": 0.2}, "can slip between"),
        ({"unit": 1, "count_by": "counters"}, "has no counters"),
        ({"unit": 1, "map": {"inputz": 3}}, "unknown setting inputz"),
        ({"unit": 1, "inverted": [9]}, "inverted names an input"),
    ],
)
def test_wrong_settings_are_named(settings, words):
    with pytest.raises(SettingsError, match=words):
        Settings.from_dict(settings, "mod")


def test_a_command_for_something_else_is_refused():
    from drivers.device import ShowText

    with pytest.raises(DriverError, match="no output 8"):
        started().device.command(SetOutputs({8: True}), 0.0)
    with pytest.raises(DriverError, match="no ShowText"):
        started().device.command(ShowText("a", "b"), 0.0)
    assert PROTOCOL == "modbus_rtu"
