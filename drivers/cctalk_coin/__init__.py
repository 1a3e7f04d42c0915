"""Coin and token acceptors on a ccTalk line."""

from collections.abc import Mapping
from typing import Any

from drivers.cctalk_coin.driver import CoinAcceptor
from drivers.cctalk_coin.profile import Settings
from drivers.device import Device

PROTOCOL = "cctalk"
PORT_DEFAULTS: Mapping[str, Any] = {"baud": 9600}


def build(name: str, settings: Settings, memory: Mapping[str, Any] | None) -> Device:
    """The device `name`; `memory` is what its `memory()` returned before the restart, or None."""
    return CoinAcceptor(name, settings, memory)


__all__ = ["PORT_DEFAULTS", "PROTOCOL", "Settings", "build"]
