"""Keypads on the input layer of Linux."""

from collections.abc import Mapping
from typing import Any

from drivers.device import Device
from drivers.hid_keypad.driver import Keypad, Settings
from drivers.hid_keypad.link import opener

PROTOCOL = "evdev"


def build(name: str, settings: Settings, memory: Mapping[str, Any] | None) -> Device:
    """The device `name`; `memory` is what its `memory()` returned before the restart, or None."""
    return Keypad(name, settings, memory)


__all__ = ["PROTOCOL", "Settings", "build", "opener"]
