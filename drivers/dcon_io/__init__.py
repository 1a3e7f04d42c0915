"""Inputs, counters and outputs on DCON modules (ICP DAS I-7050, ADAM-4050, CB-7050)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drivers.dcon_io.driver import DconIo
from drivers.dcon_io.settings import Settings
from drivers.device import Device

PROTOCOL = "dcon"


def build(name: str, settings: Settings, memory: Mapping[str, Any] | None) -> Device:
    """The device `name`; `memory` is what its `memory()` returned before the restart, or None."""
    return DconIo(name, settings, memory)


__all__ = ["PROTOCOL", "Settings", "build"]
