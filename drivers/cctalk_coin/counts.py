"""The event counter of a coin acceptor over time: coins told once, losses with their bounds."""

from collections.abc import Mapping, Sequence
from typing import Any

from drivers.cctalk_coin.codec import EVENT_BUFFER, CoinEvent, read_credit
from drivers.device import DeviceMemory
from drivers.events import CoinAccepted, CountDiscontinuity, DeviceReset, Event

CHANNEL = "all"
_BEFORE = "before"
_MASK = "mask"


def counter_after(value: int, events: int) -> int:
    """The device's counter after so many more events: 255 is followed by 1, and 0 comes only from a reset."""
    return value if events == 0 else (value + events - 1) % 255 + 1


class CoinCounts:
    """Coins and codes share one count per epoch; a coin's counter is its place in it.

    A remembered count of another serial is not used. Every event read is told once: as a coin, as a code (returned
    apart), or inside the bounds of a discontinuity.
    """

    def __init__(self, device: str, memory: Mapping[str, Any] | None) -> None:
        self._device = device
        self._memory = DeviceMemory.from_dict(memory)

    @property
    def serial(self) -> str:
        return self._memory.serial

    @property
    def has_baseline(self) -> bool:
        """Has the counter been read in this epoch?"""
        return CHANNEL in self._memory.bases

    @property
    def last(self) -> int | None:
        """The device's counter as it must be if nothing happened since; None before the baseline."""
        base = self._memory.bases.get(CHANNEL)
        return None if base is None else counter_after(base, self._memory.counters.get(CHANNEL, 0))

    @property
    def mask(self) -> int | None:
        """The coin mask that was last known to be in the acceptor, also before a restart of the daemon."""
        return self._memory.bases.get(_MASK)

    def remember_mask(self, mask: int) -> None:
        self._memory.bases[_MASK] = mask

    def contradicts(self, data: bytes) -> bool:
        """Does the reply show fewer events than its counter claims? Then the acceptor was reset since the last one."""
        credit = read_credit(data, self.last or 0)
        return credit is not None and any(not event.coin and not event.code for event in credit.events)

    def to_dict(self) -> dict[str, Any]:
        return self._memory.to_dict()

    def identify(self, serial: str) -> None:
        """The acceptor on the line is this one; another one than remembered starts its own epochs."""
        if serial != self._memory.serial:
            self._memory = DeviceMemory(serial=serial, epoch=1)
        self._memory.epoch = max(1, self._memory.epoch)

    def jumped(self, counter: int) -> bool:
        """Did the counter wrap, or count more than the buffer holds? A reset with new coins can look so too."""
        last = self.last or 0
        return counter < last or counter - last > EVENT_BUFFER

    def reset(self, why: str) -> DeviceReset:
        """A new epoch; its baseline is the next reading, and tells what may have been lost before."""
        last = self.last
        before = self._memory.bases.get(_BEFORE) if last is None else last
        self._memory.epoch += 1
        self._memory.counters = {}
        mask = {} if self.mask is None else {_MASK: self.mask}
        self._memory.bases = mask if before is None else {**mask, _BEFORE: before}
        return DeviceReset(device=self._device, why=why, **self._where())

    def baseline(self, data: bytes, raw: bytes) -> list[Event]:
        """The first reading of an epoch: never bets. After a reset its coins are a loss without upper bound."""
        before = self._memory.bases.pop(_BEFORE, None)
        self._memory.bases[CHANNEL] = data[0]
        self._memory.counters[CHANNEL] = 0
        if before is None:
            return []
        credit = read_credit(data, 0)
        seen = _coins(credit.events) if credit else 0
        return [self._lost(before, data[0], seen, None, "acceptor was reset", raw)]

    def read(self, data: bytes, raw: bytes, apart: str = "") -> tuple[list[Event], tuple[CoinEvent, ...]]:
        """A later reading: events of coins and losses, and the codes, oldest first.

        `apart` says why the reading is too far from the last for bets: its coins are then a loss with exact bounds.
        Of events that left the buffer unread it is unknown how many were coins: from none to all.
        """
        last = self.last
        assert last is not None, "baseline first"
        credit = read_credit(data, last)
        if credit is None or credit.reset or not credit.events:
            return [], ()
        codes = tuple(event for event in credit.events if not event.coin)
        if apart:
            seen = _coins(credit.events)
            self._advance(len(credit.events) + credit.lost)
            if seen + credit.lost == 0:
                return [], codes
            return [self._lost(last, data[0], seen, seen + credit.lost, apart, raw)], codes
        told: list[Event] = []
        if credit.lost:
            self._advance(credit.lost)
            why = f"more than {EVENT_BUFFER} events between two readings"
            told.append(self._lost(last, data[0], 0, credit.lost, why, raw))
        for event in credit.events:
            counter = self._advance(1)
            if event.coin:
                told.append(
                    CoinAccepted(
                        device=self._device,
                        coin=event.coin,
                        path=event.path,
                        counter=counter,
                        raw=raw,
                        **self._where(),
                    )
                )
        return told, codes

    def _advance(self, by: int) -> int:
        self._memory.counters[CHANNEL] = self._memory.counters.get(CHANNEL, 0) + by
        return self._memory.counters[CHANNEL]

    def _where(self) -> dict[str, Any]:
        return {"serial": self._memory.serial, "epoch": self._memory.epoch}

    def _lost(self, expected: int, got: int, low: int, high: int | None, why: str, raw: bytes) -> CountDiscontinuity:
        return CountDiscontinuity(
            device=self._device,
            input=None,
            expected=expected,
            got=got,
            lost_min=low,
            lost_max=high,
            why=why,
            counter=self._memory.counters.get(CHANNEL, 0),
            raw=raw,
            **self._where(),
        )


def _coins(events: Sequence[CoinEvent]) -> int:
    return sum(event.coin > 0 for event in events)
