"""LED signs of the Alpha protocol: amounts in STRING files, so that the sign never blanks."""

from collections.abc import Mapping
from typing import Any

from drivers.alpha_sign.driver import Settings, Sign
from drivers.device import Device

PROTOCOL = "alpha"
PORT_DEFAULTS: Mapping[str, Any] = {"baud": 9600, "echo": "none"}


def build(name: str, settings: Settings, memory: Mapping[str, Any] | None) -> Device:
    """The device `name`; `memory` is what its `memory()` returned before the restart, or None."""
    return Sign(name, settings, memory)


__all__ = ["PORT_DEFAULTS", "PROTOCOL", "Settings", "build"]
