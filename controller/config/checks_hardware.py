"""Checks of devices and their meanings: names, ports, addresses, one thing per input and output, a screen."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from controller.config.devices import Device, Input, Keypad, Output, Reader, Sign
from controller.config.faults import Key
from controller.config.findings import Findings
from controller.config.model import Config
from controller.config.table import Table


@dataclass(frozen=True, slots=True)
class Hardware:
    """What the caller knows of drivers: their names, and why one would not take a device (None: it would)."""

    drivers: Collection[str] | None = None
    device_fault: Callable[[Device], str | None] | None = None


@dataclass(frozen=True, slots=True)
class _Placed:
    """A device and the key where it is configured."""

    device: Device
    key: Key
    owner: str


def check_hardware(config: Config, hardware: Hardware, findings: Findings) -> None:
    placed = list(_devices(config))
    _check_names(placed, findings)
    _check_ports(placed, findings)
    for one in placed:
        if hardware.drivers is not None and one.device.driver not in hardware.drivers:
            known = ", ".join(sorted(hardware.drivers))
            findings.refuse((*one.key, "driver"), f"unknown driver {one.device.driver!r}; known: {known}")
        elif hardware.device_fault is not None:
            reason = hardware.device_fault(one.device)
            if reason is not None:
                findings.refuse((*one.key, "settings"), reason)
    for index, table in enumerate(config.tables):
        _check_meanings(table, ("tables", index), findings)
        _check_bets(table, ("tables", index), findings)
    for index, carousel in enumerate(config.carousels):
        names = {device.name for device in carousel.devices}
        for position, sign in enumerate(carousel.signs):
            _check_known(sign.device, names, ("carousels", index, "signs", position), findings)


def _devices(config: Config) -> Iterator[_Placed]:
    for index, table in enumerate(config.tables):
        for position, device in enumerate(table.devices):
            yield _Placed(device, ("tables", index, "devices", position), f"table {table.id}")
    for index, carousel in enumerate(config.carousels):
        for position, device in enumerate(carousel.devices):
            yield _Placed(device, ("carousels", index, "devices", position), f"carousel {carousel.id}")


def _check_names(placed: list[_Placed], findings: Findings) -> None:
    owners: dict[str, str] = {}
    for one in placed:
        name = one.device.name
        if name in owners:
            findings.refuse((*one.key, "name"), f"device {name!r} is already there, at {owners[name]}")
        owners.setdefault(name, one.owner)


def _check_ports(placed: list[_Placed], findings: Findings) -> None:
    """Devices on one port share its line settings and differ in address; a device without address has it alone."""
    first_on: dict[str, _Placed] = {}
    taken: dict[tuple[str, str], _Placed] = {}
    for one in placed:
        port, other = one.device.port, first_on.setdefault(one.device.port, one)
        if other is one:
            taken[port, one.device.on_line] = one
            continue
        if one.device.serial != other.device.serial:
            text = f"{port} is shared with {other.device.name!r}, which has other settings"
            findings.refuse((*one.key, "serial"), text)
        if not (one.device.on_line and other.device.on_line):
            findings.refuse((*one.key, "port"), f"{port} is already taken by {other.device.name!r}")
            continue
        twin = taken.setdefault((port, one.device.on_line), one)
        if twin is not one:
            key = "unit" if one.device.unit is not None else "address"
            findings.refuse((*one.key, key), f"{one.device.on_line} on {port} is already {twin.device.name!r}")


def _check_known(name: str, names: Collection[str], key: Key, findings: Findings) -> None:
    if name not in names:
        known = f"known here: {', '.join(sorted(names))}" if names else "none is configured here"
        findings.refuse((*key, "device"), f"unknown device {name!r}; {known}")


def _check_meanings(table: Table, here: Key, findings: Findings) -> None:
    names = {device.name for device in table.devices}
    inputs: dict[tuple[str, str], int] = {}
    means: dict[tuple[object, ...], int] = {}
    for position, one in enumerate(table.inputs):
        key: Key = (*here, "inputs", position)
        _check_known(one.device, names, key, findings)
        if inputs.setdefault((one.device, str(one.input)), position) != position:
            findings.refuse((*key, "input"), f"input {one.input} of {one.device!r} has a meaning already")
        sensor = (one.means, one.seat, one.key, one.device) if one.means == "key" else None
        if sensor is not None and means.setdefault(sensor, position) != position:
            findings.warn(key, f"key {one.key} is on two inputs of {one.device!r}")
    outputs: dict[tuple[str, int], int] = {}
    for position, output in enumerate(table.outputs):
        key = (*here, "outputs", position)
        _check_known(output.device, names, key, findings)
        if outputs.setdefault((output.device, output.output), position) != position:
            findings.refuse((*key, "output"), f"output {output.output} of {output.device!r} is driven twice")
    labels: dict[tuple[str, str], int] = {}
    for position, sign in enumerate(table.signs):
        key = (*here, "signs", position)
        _check_known(sign.device, names, key, findings)
        if labels.setdefault((sign.device, sign.label), position) != position:
            findings.refuse((*key, "label"), f"label {sign.label!r} of {sign.device!r} is driven twice")
    sections: tuple[tuple[str, Sequence[Reader | Keypad]], ...] = (
        ("readers", table.readers),
        ("keypads", table.keypads),
    )
    for section, items in sections:
        claimed: dict[str, int] = {}
        for position, item in enumerate(items):
            key = (*here, section, position)
            _check_known(item.device, names, key, findings)
            if claimed.setdefault(item.device, position) != position:
                findings.refuse((*key, "device"), f"{item.device!r} is claimed twice")
            if section == "keypads" and any(device == item.device for device, _ in inputs):
                findings.refuse((*key, "device"), f"{item.device!r} is claimed by inputs too")


def _check_bets(table: Table, here: Key, findings: Findings) -> None:
    """A table whose bets or closing come from no input is played from the panel: said, not refused."""
    parts: tuple[Input | Output | Reader | Keypad | Sign, ...]
    parts = (*table.inputs, *table.outputs, *table.readers, *table.keypads, *table.signs)
    used = {one.device for one in parts}
    for position, device in enumerate(table.devices):
        if device.name not in used:
            findings.warn((*here, "devices", position, "name"), f"nothing uses device {device.name!r}")
    closing = any(one.key == "close_bets" for one in table.inputs)
    closing = closing or any("close_bets" in keypad.keys.values() for keypad in table.keypads)
    if table.game != "holdem-circle" and not closing:
        findings.warn((*here, "inputs"), "no key closes the bets (no va más): it is done on the panel")
    if table.jackpot.kind != "none" and not table.screen and not table.signs:
        findings.warn((*here, "screen"), "no screen and no sign: players cannot see what they play for (art. 53)")
