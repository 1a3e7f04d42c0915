"""Inputs and outputs on Modbus RTU modules (Waveshare Modbus RTU IO 8CH and other maps)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drivers.device import Device
from drivers.modbus_rtu_io.driver import ModbusIo
from drivers.modbus_rtu_io.profile import Settings

PROTOCOL = "modbus_rtu"


def build(name: str, settings: Settings, memory: Mapping[str, Any] | None) -> Device:
    """The device `name`; `memory` is what its `memory()` returned before the restart, or None."""
    return ModbusIo(name, settings, memory)


__all__ = ["PROTOCOL", "Settings", "build"]
