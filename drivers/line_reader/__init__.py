"""Readers of tags and lines: RFID, barcodes, card shoes, shufflers."""

from collections.abc import Mapping
from typing import Any

from drivers.device import Device
from drivers.line_reader.driver import Reader, Settings

PROTOCOL = "stx"
PORT_DEFAULTS: Mapping[str, Any] = {"baud": 9600, "echo": "none"}


def build(name: str, settings: Settings, memory: Mapping[str, Any] | None) -> Device:
    """The device `name`; `memory` is what its `memory()` returned before the restart, or None."""
    return Reader(name, settings, memory)


def protocol(settings: Settings) -> str:
    """Tags and lines are told apart by the configuration alone."""
    return PROTOCOL if settings.form == "tag" else "line"


__all__ = ["PORT_DEFAULTS", "PROTOCOL", "Settings", "build", "protocol"]
