"""The last frames of a table's devices, explained; of a card reader only what no open hand hides any more."""

import asyncio
from collections.abc import Iterable
from functools import lru_cache

from controller.adapters.clock import wall_ms
from controller.adapters.hardware.devices import TableDevices, driver_settings
from controller.config.devices import Device
from controller.config.table import Table
from controller.engine.ports import FramePart, FrameView
from controller.engine.table_state import TableState
from drivers import registry
from drivers.capture import Direction, Item
from drivers.decode import PROTOCOLS, decode_stream
from drivers.frame_log import Noted, Outcome

READS_CARDS = "line_reader"
"""Shoes, shufflers and readers: whatever says lines or tags by itself may have seen a card."""
NOISE = "noise"
VERDICT = frozenset({"valid", "reason"})
FROM_BEFORE = VERDICT | {"baseline", "events", "new", "lost_min", "lost_max"}
"""What a counter adds to the one before, which an exchange by itself does not know."""


class TableFrames:
    """Observer of the table, for when a hand began; nothing here is journaled."""

    def __init__(self, table: Table, devices: TableDevices, state: TableState) -> None:
        readers = {each.device for each in table.readers}
        self._devices = {each.name: each for each in table.devices}
        self._discreet = readers | {each.name for each in table.devices if each.driver == READS_CARDS}
        self._buses = devices.buses
        self._hand = state.hand.number
        self._hand_began_s = 0.0

    def follow(self, state: TableState) -> None:
        """What was read before the new hand began belongs to one that is over: it may be seen from now on."""
        if state.hand.number != self._hand:
            self._hand = state.hand.number
            self._hand_began_s = asyncio.get_running_loop().time()

    def of(self, name: str) -> tuple[FrameView, ...] | None:
        """A device's frames, newest first; None where there is no such device."""
        config = self._devices.get(name)
        if config is None:
            return None
        zero_ms = wall_ms() - round(asyncio.get_running_loop().time() * 1000)
        return tuple(self._view(config, noted, zero_ms) for noted in self._buses.by_device[name].frames(name))

    def _view(self, config: Device, noted: Noted, zero_ms: int) -> FrameView:
        at_ms, first_ms = zero_ms + round(noted.at_s * 1000), zero_ms + round(noted.first_s * 1000)
        if config.name in self._discreet and noted.at_s >= self._hand_began_s:
            return FrameView(at_ms, at_ms, 1, Outcome.HEARD.value, withheld=True)
        protocol = registry.protocol(config.driver, driver_settings(config), config.name)
        parts = _parts(protocol, noted.sent, noted.heard)
        return FrameView(at_ms, first_ms, noted.times, noted.outcome.value, noted.cut, parts=parts)


@lru_cache(maxsize=1024)
def _parts(protocol: str, sent: bytes, heard: bytes) -> tuple[FramePart, ...]:
    """Both directions, frame by frame. The same polls are asked for over and over: each is explained once."""
    if protocol not in PROTOCOLS:
        return tuple(FramePart(way, data) for way, data in (("out", sent), ("in", heard)) if data)
    asked = decode_stream(protocol, sent, Direction.HOST_TO_DEVICE).items
    return (*_explained("out", asked), *_explained("in", _answer(protocol, sent, heard)))


def _answer(protocol: str, sent: bytes, heard: bytes) -> tuple[Item, ...]:
    """What came back. Some answers mean something only beside their question, as on a line that hears itself."""
    items, at = decode_stream(protocol, sent + heard, Direction.RECEIVED_LINE).items, 0
    for number, item in enumerate(items):
        if at == len(sent) and any(each.good for each in items[number:]):
            return items[number:]
        at += len(item.raw)
    return decode_stream(protocol, heard, Direction.DEVICE_TO_HOST).items


def _explained(way: str, items: Iterable[Item]) -> Iterable[FramePart]:
    for item in items:
        if not item.frames:
            yield FramePart(way, item.raw, NOISE)
        for frame in item.frames:
            ours = FROM_BEFORE if frame.get("baseline") else VERDICT
            fields = {key: value for key, value in frame.items() if key not in ours}
            yield FramePart(way, item.raw, "" if item.good else str(frame.get("reason", NOISE)), fields)
