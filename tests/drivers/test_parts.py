"""The small parts under the drivers: health, back-off, echo, lamps, settings, memory, simulated faults, registry."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import registry
from drivers.counting import Reset, judge
from drivers.device import DeviceMemory, DriverError, Lamp, SettingsError
from drivers.echo import EchoFilter
from drivers.events import InputCounted, LinkState
from drivers.health import Backoff, Health
from drivers.link import LinkUnavailable, PortSettings
from drivers.outputs import DesiredOutputs
from drivers.serial_link import SELECT_LIMIT, found_ports, open_serial
from drivers.settings import read_settings
from drivers.simulator import Faults, Mangler, Pty


def test_three_missed_polls_are_degraded_three_seconds_are_down_a_good_frame_is_up():
    health = Health()
    health.opened()
    assert health.good(True, "") == "answers"
    assert [health.missed(t) for t in (10.0, 10.1)] == [None, None]
    assert health.missed(10.2) == "no valid reply to 3 polls"
    assert health.state is LinkState.DEGRADED
    assert health.tick(12.9) is None
    assert health.tick(13.0) is not None
    assert health.state is LinkState.DOWN
    assert health.good(True, "") is not None
    assert health.state is LinkState.UP


def test_valid_frames_of_an_unknown_device_are_not_up():
    health = Health()
    assert health.good(False, "") is None
    assert health.good(False, "model 4050 where 7050 is configured") == "model 4050 where 7050 is configured"
    assert health.state is LinkState.DOWN


def test_a_slow_poller_is_not_down_between_its_polls():
    health = Health()
    health.good(True, "")
    assert health.tick(1000.0) is None


def test_back_off_doubles_to_its_longest_and_starts_again_after_thirty_good_seconds():
    backoff = Backoff()
    assert [round(backoff.failed(), 1) for _ in range(8)] == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10.0, 10.0]
    backoff.good(0.0)
    backoff.good(29.9)
    assert backoff.failed() == 10.0
    backoff.good(100.0)
    backoff.good(130.0)
    assert backoff.failed() == 0.2


@given(st.binary(min_size=1, max_size=12), st.binary(max_size=12), st.lists(st.integers(0, 24), max_size=4))
def test_a_whole_echo_is_removed_at_any_split(sent, reply, cuts):
    stream = sent + reply
    echo = EchoFilter(sent, active=True)
    got, at = b"", 0
    for cut in [*sorted(c for c in cuts if c <= len(stream)), len(stream)]:
        got += echo.strip(stream[at:cut])
        at = cut
    assert (got, echo.removed) == (reply, True)


def test_a_partial_echo_is_given_back_and_a_quiet_line_left_alone():
    echo = EchoFilter(b"ABCD", active=True)
    assert echo.strip(b"AB") + echo.strip(b"Dx") == b"ABDx"
    assert not echo.removed
    assert EchoFilter(b"ABCD", active=False).strip(b"ABCD") == b"ABCD"


def test_lamps():
    lamps = DesiredOutputs(3)
    lamps.set({0: True, 2: Lamp.BLINK})
    assert lamps.levels(0.1) == (True, False, True)
    assert lamps.levels(0.6) == (True, False, False)
    assert lamps.next_change_s(0.1) == 0.5
    assert lamps.met_by((True, False, False)) and not lamps.met_by((True, True, False))
    with pytest.raises(DriverError, match="no output 3, 4"):
        lamps.set({0: False, 3: True, 4: True})
    assert lamps.lamps()[0] is Lamp.ON
    lamps.set({2: False})
    assert lamps.next_change_s(0.1) == float("inf")


@pytest.mark.parametrize(
    ("last", "now", "reset", "apart", "expected"),
    # expected: new, lost_min, lost_max, is a baseline
    [
        (None, 7, Reset.NO, "", (0, 0, 0, True)),
        (7, 7, Reset.NO, "", (0, 0, 0, False)),
        (7, 9, Reset.NO, "", (2, 0, 0, False)),
        (65535, 2, Reset.NO, "", (3, 0, 0, False)),
        (7, 9, Reset.NO, "daemon was stopped", (0, 2, 2, False)),
        (7, 7, Reset.NO, "daemon was stopped", (0, 0, 0, False)),
        (7, 107, Reset.NO, "", (0, 0, 100, False)),
        (65535, 2, Reset.YES, "", (0, 2, None, True)),
        (7, 9, Reset.YES, "", (0, 2, None, True)),
        (65535, 2, Reset.UNKNOWN, "", (0, 2, None, True)),
        (7, 9, Reset.UNKNOWN, "", (0, 2, None, False)),
        (7, 7, Reset.UNKNOWN, "", (0, 0, None, False)),
        (500, 502, Reset.UNKNOWN, "", (2, 0, 0, False)),
    ],
)
def test_what_a_counter_proves(last, now, reset, apart, expected):
    reading = judge(last, now, modulus=65536, plausible=20, reset=reset, apart=apart)
    assert (reading.new, reading.lost_min, reading.lost_max, reading.baseline) == expected


def test_memory_goes_through_a_plain_dict():
    memory = DeviceMemory("s", 2, {"in0": 3}, {"in0": 10})
    assert DeviceMemory.from_dict(memory.to_dict()) == memory
    assert DeviceMemory.from_dict(None) == DeviceMemory()
    with pytest.raises(SettingsError, match="damaged"):
        DeviceMemory.from_dict({"serial": "s"})


def test_the_id_of_a_count_is_serial_channel_epoch_counter():
    event = InputCounted(device="d", serial="s", epoch=2, counter=9, raw=b"", input=3)
    assert event.event_id == "s/in3/2/9"


@dataclass(frozen=True, slots=True)
class Example:
    word: str
    number: float = 1.0
    several: tuple[int, ...] = ()
    kind: Literal["a", "b"] = "a"
    maybe: int | None = None


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        ({"word": "x", "wrod": 1}, "unknown setting wrod"),
        ({}, "missing setting word"),
        ({"word": 1}, "x.word: str is wanted"),
        ({"word": "x", "several": 3}, "x.several: a list is wanted"),
        ({"word": "x", "several": [1, "2"]}, r"x.several\[1\]: int is wanted"),
        ({"word": "x", "kind": "c"}, "'c' is not one of a, b"),
        ({"word": "x", "maybe": "1"}, "x.maybe: int is wanted"),
        ({"word": "x", "number": float("nan")}, "x.number: a finite number is wanted"),
        ({"word": "x", "number": float("inf")}, "a finite number is wanted"),
        ({"word": "x", "number": -(10**400)}, "a finite number is wanted"),
        ({"word": "x", "maybe": True}, "a whole number is wanted"),
    ],
)
def test_wrong_settings_are_named(plain, words):
    with pytest.raises(SettingsError, match=words):
        read_settings(Example, plain, "x")


def test_right_settings_are_read():
    plain = {"word": "x", "number": 2, "several": [1, 2], "kind": "b", "maybe": None}
    assert read_settings(Example, plain, "x") == Example("x", 2.0, (1, 2), "b", None)


def test_wire_time_counts_start_parity_and_stop_bits():
    assert PortSettings(path="p", baud=9600).wire_time_s(96) == pytest.approx(0.1)
    assert PortSettings(path="p", baud=9600, data_bits=7, parity="E").wire_time_s(96) == pytest.approx(0.1)
    with pytest.raises(SettingsError, match="baud must be positive"):
        PortSettings.from_dict({"path": "p", "baud": 0})


@pytest.mark.parametrize("name", sorted(registry.DRIVERS))
def test_each_driver_package_offers_the_same_names(name):
    module = registry.driver(name)
    assert isinstance(module.PROTOCOL, str) and callable(module.build)
    with pytest.raises(SettingsError, match="colour"):
        module.Settings.from_dict({"colour": "red"}, "dev")


def test_an_unknown_driver_is_named():
    with pytest.raises(SettingsError, match="unknown driver 'x'"):
        registry.driver("x")


def test_a_device_is_built_from_plain_settings():
    device = registry.build("seats", "modbus_rtu_io", {"unit": 3}, None)
    assert (device.name, device.address, device.serial) == ("seats", "3", "seats")


def test_each_driver_says_how_its_port_is_opened():
    assert registry.opener("modbus_rtu_io", {"unit": 3}, "seats") is open_serial
    assert registry.opener("hid_keypad", {"match": "Some Keypad"}, "keys") is not open_serial


def test_the_same_seed_gives_the_same_damage_and_each_fault_acts():
    rates = {"drop_byte": 200, "flip_bit": 200, "noise": 500, "repeat": 200, "cut": 200, "seed": 4}
    data = [bytes(range(n, n + 8)) for n in range(50)]
    one, other = Mangler(Faults(**rates)), Mangler(Faults(**rates))
    damaged = [one.mangle(d) for d in data]
    assert damaged == [other.mangle(d) for d in data]
    assert damaged != [[d] for d in data]
    assert Mangler().mangle(b"abc") == [b"abc"]
    assert Mangler(Faults(bytewise=True)).mangle(b"abc") == [b"a", b"b", b"c"]
    assert Mangler(Faults(silent=True)).mangle(b"abc") == []
    assert Mangler(Faults(drop_chunk=1000)).mangle(b"abc") == []
    assert Mangler(Faults(repeat=1000)).mangle(b"abc") == [b"abcabc"]


def test_a_replugged_port_has_another_node_and_the_link_follows(tmp_path):
    link = tmp_path / "by-id"
    port = Pty(str(link))
    first = os.readlink(link)
    port.unplug()
    assert not link.is_symlink()
    port.replug()
    assert os.readlink(link) == port.node != first
    port.unplug()


async def test_with_too_many_files_open_a_port_is_refused_and_not_read_in_vain():
    port = Pty()
    held = [os.open(os.devnull, os.O_RDONLY)]
    try:
        while held[-1] < SELECT_LIMIT:
            held.append(os.dup(held[0]))
        with pytest.raises(LinkUnavailable, match="too many open files"):
            await open_serial(PortSettings(path=port.path), lambda _: None, lambda _: None)
    finally:
        for fd in held:
            os.close(fd)
    lost: asyncio.Queue[str] = asyncio.Queue()
    link = await open_serial(PortSettings(path=port.path), lambda _: None, lost.put_nowait)
    link.abort()
    assert await lost.get() == "closed"
    port.unplug()


def test_ports_of_this_machine_are_listed_without_a_port_being_opened():
    assert all(port.name and port.node for port in found_ports())
