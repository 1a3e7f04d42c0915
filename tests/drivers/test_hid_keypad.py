"""The keypad: decoding without a device, opening by name and place, losses, a real virtual keypad if there is one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import registry
from drivers.device import DriverError, PortEvent, SetAccepting, SettingsError
from drivers.events import KeyPressed, LinkState, SensorFault
from drivers.hid_keypad import PROTOCOL, Settings, build
from drivers.hid_keypad.codec import EVENT, KEYS, EntryLost, KeyDown, KeypadCodec
from drivers.hid_keypad.link import KeypadLink, _open, opener
from drivers.hid_keypad.sim import Sim
from drivers.link import LinkUnavailable, PortSettings
from drivers.simulator import Faults, Pty, SimLine
from tests.drivers.lines import Watched, running, tasks
from tests.drivers.streams import check_any_bytes, frames


def record(kind: int, code: int, value: int) -> bytes:
    return EVENT.pack(1_700_000_000, 5, kind, code, value)


def down(code: int) -> bytes:
    return record(1, code, 1)


REPORT, DROPPED = record(0, 0, 0), record(0, 3, 0)
MAIN_ROW = [11, *range(2, 11)]
NUMERIC_PAD = [82, 79, 80, 81, 75, 76, 77, 71, 72, 73]


def keys(*parts: bytes) -> list[str]:
    return [frame.key if isinstance(frame, KeyDown) else "LOST" for frame in frames(KeypadCodec(), *parts)]


@pytest.mark.parametrize("codes", [MAIN_ROW, NUMERIC_PAD])
def test_both_rows_of_digits(codes: Sequence[int]) -> None:
    assert "".join(keys(*(down(code) for code in codes))) == "0123456789"


@pytest.mark.parametrize(
    ("code", "key"),
    [(28, "enter"), (96, "enter"), (1, "clear"), (111, "clear"), (14, "back"), (83, "."), (59, "f1"), (68, "f10")],
)
def test_other_keys(code: int, key: str) -> None:
    assert keys(down(code)) == [key]


@pytest.mark.parametrize("quiet", [record(1, 2, 0), record(1, 2, 2), down(30), down(69), record(4, 4, 1), REPORT])
def test_releases_repeats_and_other_events_say_nothing(quiet: bytes) -> None:
    assert keys(quiet, down(3)) == ["2"]


def test_after_dropped_events_all_is_ignored_up_to_the_report() -> None:
    assert keys(down(2), DROPPED, down(3), DROPPED, down(4), REPORT, down(5)) == ["1", "LOST", "4"]


def test_any_split_gives_the_same_keys() -> None:
    stream = down(2) + REPORT + DROPPED + down(9) + REPORT + down(3)
    for at in range(len(stream) + 1):
        assert keys(stream[:at], stream[at:]) == ["1", "LOST", "2"]
    assert keys(*(stream[at : at + 1] for at in range(len(stream)))) == ["1", "LOST", "2"]


@given(st.lists(st.one_of(st.binary(max_size=40), st.sampled_from([down(2), DROPPED, REPORT])), max_size=10))
def test_any_bytes(parts: list[bytes]) -> None:
    check_any_bytes(KeypadCodec, parts, EVENT.size)


def test_a_half_record_does_not_survive_a_loss() -> None:
    codec = KeypadCodec()
    codec.feed(down(2)[:7], 0.0)
    codec.clear()
    assert frames(codec, down(3)) == [KeyDown("2")]
    assert (codec.counters.short, codec.counters.junk_bytes) == (1, 7)
    with pytest.raises(DriverError):
        codec.encode("1")


def pad(memory: dict[str, Any] | None = None) -> Any:
    device = build("pin", Settings(match="KB"), memory)
    device.on_port(PortEvent.OPENED, 0.0)
    return device


def test_keys_are_counted_and_each_start_is_an_epoch() -> None:
    device = pad()
    (first,), (second,) = device.on_frame(KeyDown("7"), 0.0), device.on_frame(KeyDown("enter"), 0.0)
    assert (first.event_id, second.event_id, first.raw) == ("pin/all/1/1", "pin/all/1/2", b"")
    assert pad(device.memory()).memory()["epoch"] == 2


def test_a_lost_entry_is_told_and_cleared() -> None:
    fault, clear = pad().on_frame(EntryLost(), 0.0)
    assert isinstance(fault, SensorFault)
    assert (fault.code, fault.attention) == ("entry_lost", False)
    assert isinstance(clear, KeyPressed)
    assert clear.key == "clear"


def test_a_pulled_keypad_leaves_no_half_entry() -> None:
    device = pad()
    device.on_frame(KeyDown("1"), 0.0)
    assert [event.key for event in device.on_port(PortEvent.LOST, 1.0)] == ["clear"]
    assert device.on_port(PortEvent.LOST, 2.0) == ()


def test_no_key_appears_in_a_text() -> None:
    (event,) = pad().on_frame(KeyDown("7"), 0.0)
    assert "7" not in repr(KeyDown("7"))
    assert "key" not in repr(event)


def test_a_keypad_takes_no_commands_and_is_known_to_the_registry() -> None:
    with pytest.raises(DriverError):
        pad().command(SetAccepting(True), 0.0)
    device = registry.build("pin", "hid_keypad", {"match": "KB"}, None)
    assert (device.due_s(), device.next_request(0.0), device.address, PROTOCOL) == (None, None, "", "evdev")
    for bad in ({}, {"match": ""}, {"match": "x", "event": 3}):
        with pytest.raises(SettingsError):
            Settings.from_dict(bad)


async def test_keys_over_a_line_of_records() -> None:
    sim = Sim(line=SimLine(faults=Faults(bytewise=True)))
    device = build("pin", Settings(match="KB"), None)
    async with tasks(sim.run()), running(sim.path, device) as seen:
        await seen.up("pin")
        await sim.press("1", "2", repeats=3)
        await sim.lose("9")
        await sim.press("3", "enter")
        await seen.until(lambda: len(seen.of(KeyPressed)) == 5)
        assert seen.bus.frames("pin") == ()
        sim.line.unplug()
        await seen.until(lambda: seen.states("pin") == [LinkState.UP, LinkState.DOWN])
    assert [event.key for event in seen.of(KeyPressed)] == ["1", "2", "clear", "3", "enter", "clear"]


class Plugged:
    """An input device behind a descriptor, as the library hands it out."""

    def __init__(self, name: str = "KB", phys: str = "usb-1/input0", fd: int = -1, grabbed: bool = False) -> None:
        self.name, self.phys, self.fd, self.path = name, phys, fd, "/dev/input/event9"
        self.closed = False
        self.grabs = 0
        self._grabbed = grabbed

    def grab(self) -> None:
        if self._grabbed:
            raise OSError(16, "Device or resource busy")
        self.grabs += 1

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
        self.closed = True


def test_the_device_is_matched_by_name_and_place_and_grabbed() -> None:
    devices = [Plugged("Mouse"), Plugged(phys="usb-1/input0"), Plugged(phys="usb-2/input0")]
    chosen = _open(Settings(match="KB", phys="usb-2/input0"), lambda: devices)
    assert chosen is devices[2]
    assert [device.closed for device in devices] == [True, True, False]
    assert devices[2].grabs == 1


@pytest.mark.parametrize(
    ("devices", "why"),
    [
        ([], "no readable input device"),
        ([Plugged("Mouse")], "'Mouse' at usb-1/input0"),
        ([Plugged(), Plugged(phys="usb-2/input0")], "set phys to one of usb-1/input0, usb-2/input0"),
        ([Plugged(grabbed=True)], "in use by another program"),
    ],
)
def test_why_it_cannot_be_opened(devices: list[Plugged], why: str) -> None:
    with pytest.raises(LinkUnavailable, match=why):
        _open(Settings(match="KB"), lambda: devices)
    assert all(device.closed for device in devices)


async def test_unplugging_is_a_loss_told_once() -> None:
    pty = Pty()
    received, lost = bytearray(), []
    device = Plugged(fd=os.open(pty.path, os.O_RDWR | os.O_NOCTTY))
    link = KeypadLink(device, received.extend, lost.append)
    os.write(pty.master, down(2))
    async with asyncio.timeout(60):
        while len(received) < EVENT.size:
            await asyncio.sleep(0.005)
    assert bytes(received) == down(2)
    pty.unplug()
    async with asyncio.timeout(60):
        while not lost:
            await asyncio.sleep(0.005)
    link.abort()
    await asyncio.sleep(0)
    assert len(lost) == 1
    assert lost[0].startswith("unplugged")
    assert device.closed


async def test_without_a_keypad_the_reason_is_told() -> None:
    opening = opener(Settings(match="no such keypad"))
    with pytest.raises(LinkUnavailable, match=r"no input device|extra"):
        await opening(PortSettings(path="keypad"), lambda data: None, lambda why: None)


async def test_a_real_virtual_keypad() -> None:
    evdev = pytest.importorskip("evdev", reason="the extra keypad (evdev) is not installed")
    if not Path("/dev/uinput").exists():
        pytest.skip("no /dev/uinput here: the kernel offers no virtual keypads to this machine")
    from drivers.bus import Bus

    settings = Settings(match="carrusel test keypad")
    device = build("pin", settings, None)
    events: list[Any] = []
    bus = Bus(PortSettings(path="keypad"), [device], events.append, open_link=opener(settings))
    with evdev.UInput(name="carrusel test keypad") as keypad:
        async with tasks(bus.run()):
            seen = Watched(bus, events, {})
            await seen.up("pin")
            for code in (79, 2, 96):
                for value in (1, 2, 0):
                    keypad.write(1, code, value)
                    keypad.syn()
            await seen.until(lambda: len(seen.of(KeyPressed)) == 3)
    assert [event.key for event in seen.of(KeyPressed)][:3] == ["1", "1", "enter"]


def test_every_key_has_a_name() -> None:
    assert set("0123456789") <= set(KEYS.values())
