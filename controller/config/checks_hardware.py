"""Checks of devices and their meanings: names, ports, addresses, one thing per input and output, a screen."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from controller.config.devices import Device, Input, Keypad, Output, Reader, Sign
from controller.config.faults import Key
from controller.config.findings import Findings
from controller.config.model import Config
from controller.config.site import Carousel
from controller.config.table import Table
from controller.config.texts import said


@dataclass(frozen=True, slots=True)
class Hardware:
    """What the caller knows of drivers: their names, and why one would not take a device or a sign (None: it would).

    channels: how many inputs and outputs a module has; None where they are not numbered from 0.
    """

    drivers: Collection[str] | None = None
    device_fault: Callable[[Device], str | None] | None = None
    sign_fault: Callable[[Sign, Device], str | None] | None = None
    channels: Callable[[Device], tuple[int, int] | None] | None = None


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
            text = said("unknown driver '{driver}'; known: {known}", driver=one.device.driver, known=known)
            findings.refuse((*one.key, "driver"), text)
        elif hardware.device_fault is not None:
            reason = hardware.device_fault(one.device)
            if reason is not None:
                findings.refuse((*one.key, "settings"), reason)
    for index, table in enumerate(config.tables):
        _check_meanings(table, ("tables", index), findings)
        _check_bets(table, ("tables", index), findings)
        if hardware.channels is not None:
            _check_channels(table, hardware.channels, ("tables", index), findings)
    for index, carousel in enumerate(config.carousels):
        names = {device.name for device in carousel.devices}
        for position, sign in enumerate(carousel.signs):
            _check_known(sign.device, names, ("carousels", index, "signs", position), findings)
    if hardware.sign_fault is not None:
        _check_signs(config, hardware.sign_fault, findings)


def _check_channels(
    table: Table, channels_of: Callable[[Device], tuple[int, int] | None], here: Key, findings: Findings
) -> None:
    """An input that no module has would be a seat whose bets nobody ever takes."""
    known = {device.name: channels_of(device) for device in table.devices}
    wired = [("inputs", position, "input", one.device, one.input, 0) for position, one in enumerate(table.inputs)]
    lit = [("outputs", position, "output", one.device, one.output, 1) for position, one in enumerate(table.outputs)]
    for section, position, key, device, channel, kind in (*wired, *lit):
        channels = known.get(device)
        if channels is None or (isinstance(channel, int) and 0 <= channel < channels[kind]):
            continue
        text = said(
            "'{device}' has {count}, numbered from 0; {channel} is none",
            device=device,
            count=channels[kind],
            channel=repr(channel),
        )
        findings.refuse((*here, section, position, key), text)


def _check_signs(config: Config, sign_fault: Callable[[Sign, Device], str | None], findings: Findings) -> None:
    """What a sign is to show must be something that its device has a place for."""
    owners: list[tuple[str, Sequence[Table | Carousel]]] = [("tables", config.tables), ("carousels", config.carousels)]
    for section, items in owners:
        for index, owner in enumerate(items):
            devices = {device.name: device for device in owner.devices}
            for position, sign in enumerate(owner.signs):
                device = devices.get(sign.device)
                reason = None if device is None else sign_fault(sign, device)
                if reason is not None:
                    findings.refuse((section, index, "signs", position, "label"), reason)


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
            text = said("device '{name}' is already there, at {owner}", name=name, owner=owners[name])
            findings.refuse((*one.key, "name"), text)
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
            text = said("{port} is shared with '{name}', which has other settings", port=port, name=other.device.name)
            findings.refuse((*one.key, "serial"), text)
        if not (one.device.on_line and other.device.on_line):
            findings.refuse(
                (*one.key, "port"), said("{port} is already taken by '{name}'", port=port, name=other.device.name)
            )
            continue
        twin = taken.setdefault((port, one.device.on_line), one)
        if twin is not one:
            key = "unit" if one.device.unit is not None else "address"
            facts = {"address": one.device.on_line, "port": port, "name": twin.device.name}
            findings.refuse((*one.key, key), said("{address} on {port} is already '{name}'", **facts))


def _check_known(name: str, names: Collection[str], key: Key, findings: Findings) -> None:
    if name not in names:
        if names:
            text = said("unknown device '{name}'; known here: {known}", name=name, known=", ".join(sorted(names)))
        else:
            text = said("unknown device '{name}'; none is configured here", name=name)
        findings.refuse((*key, "device"), text)


def _check_meanings(table: Table, here: Key, findings: Findings) -> None:
    names = {device.name for device in table.devices}
    inputs: dict[tuple[str, str], int] = {}
    means: dict[tuple[object, ...], int] = {}
    for position, one in enumerate(table.inputs):
        key: Key = (*here, "inputs", position)
        _check_known(one.device, names, key, findings)
        if inputs.setdefault((one.device, str(one.input)), position) != position:
            text = said("input {input} of '{device}' has a meaning already", input=one.input, device=one.device)
            findings.refuse((*key, "input"), text)
        sensor = (one.means, one.seat, one.key, one.device) if one.means == "key" else None
        if sensor is not None and means.setdefault(sensor, position) != position:
            findings.warn(key, said("key {key} is on two inputs of '{device}'", key=one.key, device=one.device))
    outputs: dict[tuple[str, int], int] = {}
    for position, output in enumerate(table.outputs):
        key = (*here, "outputs", position)
        _check_known(output.device, names, key, findings)
        if outputs.setdefault((output.device, output.output), position) != position:
            text = said("output {output} of '{device}' is driven twice", output=output.output, device=output.device)
            findings.refuse((*key, "output"), text)
    labels: dict[tuple[str, str], int] = {}
    for position, sign in enumerate(table.signs):
        key = (*here, "signs", position)
        _check_known(sign.device, names, key, findings)
        if labels.setdefault((sign.device, sign.label), position) != position:
            text = said("label '{label}' of '{device}' is driven twice", label=sign.label, device=sign.device)
            findings.refuse((*key, "label"), text)
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
                findings.refuse((*key, "device"), said("'{device}' is claimed twice", device=item.device))
            if section == "keypads" and any(device == item.device for device, _ in inputs):
                findings.refuse((*key, "device"), said("'{device}' is claimed by inputs too", device=item.device))


def _check_bets(table: Table, here: Key, findings: Findings) -> None:
    """A table whose bets or closing come from no input is played from the panel: said, not refused."""
    parts: tuple[Input | Output | Reader | Keypad | Sign, ...]
    parts = (*table.inputs, *table.outputs, *table.readers, *table.keypads, *table.signs)
    used = {one.device for one in parts}
    for position, device in enumerate(table.devices):
        if device.name not in used:
            findings.warn((*here, "devices", position, "name"), said("nothing uses device '{name}'", name=device.name))
    closing = any(one.key == "close_bets" for one in table.inputs)
    closing = closing or any("close_bets" in keypad.keys.values() for keypad in table.keypads)
    if table.game != "holdem-circle" and not closing:
        findings.warn((*here, "inputs"), said("no key closes the bets (no va más): it is done on the panel"))
    if table.jackpot.kind != "none" and not table.screen and not table.signs:
        text = said("no screen and no sign: players cannot see what they play for (art. 53)")
        findings.warn((*here, "screen"), text, "unseen_table")
