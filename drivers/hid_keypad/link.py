"""Opens an input device of Linux by its name and place, for this program alone. Needs the extra `keypad`."""

import asyncio
import os
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Protocol

from drivers.hid_keypad.codec import EVENT
from drivers.hid_keypad.driver import Settings
from drivers.link import Link, LinkUnavailable, OnLost, OnReceived, OpenLink, PortSettings

READ_SIZE = 64 * EVENT.size


class InputDevice(Protocol):
    """What is used of evdev.InputDevice."""

    @property
    def fd(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def phys(self) -> str: ...
    @property
    def path(self) -> str: ...
    def grab(self) -> None: ...
    def close(self) -> None: ...


class KeypadLink:
    """An open input device. A read error (ENODEV after unplugging) ends it; `on_lost` is called once."""

    def __init__(self, device: InputDevice, on_received: OnReceived, on_lost: OnLost) -> None:
        self._device = device
        self._on_received = on_received
        self._on_lost = on_lost
        self._ended = False
        os.set_blocking(device.fd, False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(device.fd, self._ready)

    def write(self, data: bytes) -> None:
        """A keypad takes no bytes."""

    def abort(self) -> None:
        self._end("closed")

    def _ready(self) -> None:
        try:
            data = os.read(self._device.fd, READ_SIZE)
        except BlockingIOError:
            return
        except OSError as problem:
            self._end(f"unplugged ({os.strerror(problem.errno or 0)})")
            return
        if data:
            self._on_received(data)
        else:
            self._end("unplugged")

    def _end(self, reason: str) -> None:
        if self._ended:
            return
        self._ended = True
        self._loop.remove_reader(self._device.fd)
        self._device.close()
        self._loop.call_soon(self._on_lost, reason)


def opener(settings: Settings) -> OpenLink:
    """What the bus calls in place of opening a serial port; the port's path is only a name for people."""

    async def open_keypad(port: PortSettings, on_received: OnReceived, on_lost: OnLost) -> Link:
        opening = asyncio.create_task(asyncio.to_thread(_open, settings, _all_devices))
        try:
            device = await asyncio.shield(opening)
        except asyncio.CancelledError:
            opening.add_done_callback(_close_late)
            raise
        return KeypadLink(device, on_received, on_lost)

    return open_keypad


def _close_late(opening: asyncio.Task[InputDevice]) -> None:
    """The device was opened after nobody wanted it any more."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


def _all_devices() -> Sequence[InputDevice]:
    try:
        evdev: Any = import_module("evdev")
    except ImportError as problem:
        raise LinkUnavailable('keypads need the extra "keypad" (evdev)') from problem
    found: list[InputDevice] = []
    for path in evdev.list_devices():
        try:
            found.append(evdev.InputDevice(path))
        except OSError:
            continue  # unplugged since it was listed
    return found


def _open(settings: Settings, devices: Callable[[], Sequence[InputDevice]]) -> InputDevice:
    """The one device of that name and place, grabbed; LinkUnavailable says what was found instead."""
    found = devices()
    fitting = [d for d in found if d.name == settings.match and settings.phys in ("", d.phys)]
    for device in found:
        if device not in fitting or len(fitting) != 1:
            device.close()
    if not fitting:
        names = ", ".join(sorted(f"{d.name!r} at {d.phys}" for d in found)) or "no readable input device"
        raise LinkUnavailable(f"no input device {settings.match!r} at {settings.phys or 'any place'} ({names})")
    if len(fitting) > 1:
        places = ", ".join(sorted(d.phys for d in fitting))
        raise LinkUnavailable(f"{len(fitting)} input devices {settings.match!r}: set phys to one of {places}")
    (device,) = fitting
    try:
        device.grab()
    except OSError as problem:
        device.close()
        raise LinkUnavailable(f"{settings.match!r} is in use by another program ({problem})") from problem
    return device
