"""Which driver packages there are; each is imported only when a configuration names it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from drivers.device import Device, DriverModule, SettingsError
from drivers.link import OpenLink
from drivers.serial_link import open_serial

DRIVERS: Mapping[str, str] = {
    "alpha_sign": "drivers.alpha_sign",
    "cctalk_coin": "drivers.cctalk_coin",
    "dcon_io": "drivers.dcon_io",
    "hid_keypad": "drivers.hid_keypad",
    "line_reader": "drivers.line_reader",
    "modbus_rtu_io": "drivers.modbus_rtu_io",
}


def driver(name: str) -> DriverModule:
    """The driver package `name`: it exposes `PROTOCOL`, `Settings` (with `from_dict`) and `build`."""
    if name not in DRIVERS:
        raise SettingsError(f"unknown driver {name!r} (known: {', '.join(sorted(DRIVERS))})")
    module: Any = import_module(DRIVERS[name])
    return module  # type: ignore[no-any-return]  # a test checks that each package offers the names


def build(name: str, driver_name: str, settings: Mapping[str, Any], memory: Mapping[str, Any] | None) -> Device:
    """The device `name` from its plain settings; SettingsError names what is wrong with them."""
    module = driver(driver_name)
    return module.build(name, module.Settings.from_dict(settings, name), memory)


def protocol(driver_name: str, settings: Mapping[str, Any], where: str) -> str:
    """What the bytes of such a device are explained by: the driver package's own, unless it depends on the settings."""
    module: Any = driver(driver_name)
    own = getattr(module, "protocol", None)
    return str(own(module.Settings.from_dict(settings, where)) if own is not None else module.PROTOCOL)


def opener(driver_name: str, settings: Mapping[str, Any], where: str) -> OpenLink:
    """How the bus of such a device opens its port: as a serial port, unless the driver package has its own way."""
    module: Any = driver(driver_name)
    own = getattr(module, "opener", None)
    if own is None:
        return open_serial
    opening: OpenLink = own(module.Settings.from_dict(settings, where))
    return opening
