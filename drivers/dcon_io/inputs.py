"""Counting with a DCON module's own means: its counters, or its latches where it has none."""

from __future__ import annotations

from collections.abc import Sequence

from drivers.counts import Counts
from drivers.dcon_io.dialogue import Asked
from drivers.events import CountDiscontinuity, DeviceReset, Event
from drivers.health import DOWN_AFTER_S

_NEVER = float("-inf")


class CounterInputs:
    """`#AAN`: a changed value is told only when a second reading confirms it, since a line without checksum may lie."""

    def __init__(self, counts: Counts, count: int, plausible_per_s: int) -> None:
        self._counts = counts
        self._count = count
        self._plausible_per_s = plausible_per_s
        self._read_s = [_NEVER] * count
        self._pending: int | None = None
        self._doubt_told = False

    @property
    def settled(self) -> bool:
        return all(at_s != _NEVER for at_s in self._read_s)

    def doubt_reset(self) -> None:
        """The answer about a reset was lost, and asking clears it: what the next readings prove is less."""
        self._counts.doubt()
        self._doubt_told = False

    def value(self, number: int, value: int, now_s: float, raw: bytes) -> tuple[bool, list[Event]]:
        """A reading; False first: the same counter is to be read again before anything is told."""
        last = self._counts.last(number)
        pending, self._pending = self._pending, None
        known = value if last is None else last
        gap_s = now_s - self._read_s[number]
        plausible = int(self._plausible_per_s * min(max(1.0, gap_s), 3600.0))
        if value != known or last is None:
            if pending is None or (value - pending) % 65536 > self._plausible_per_s:
                self._pending = value
                return False, []
            value = pending
        first = self._read_s[number] == _NEVER
        self._read_s[number] = now_s
        apart = "daemon was stopped" if first else "link was down" if gap_s > DOWN_AFTER_S else ""
        events = self._counts.read(number, value, plausible=plausible, apart=apart, raw=raw)
        if any(isinstance(event, DeviceReset) for event in events):
            self.reset_seen()
        return True, [told for event in events for told in self._once_for_all(event)]

    def reset_seen(self) -> None:
        """A new epoch: what its first readings cannot show is told again."""
        self._doubt_told = False
        self._pending = None

    def interrupted(self) -> None:
        """A reply was lost: a reading from before confirms nothing after it, since the module may have restarted."""
        self._pending = None

    def _once_for_all(self, event: Event) -> list[Event]:
        """Where nothing was seen and only a reset is possible, one report stands for all inputs."""
        if not isinstance(event, CountDiscontinuity) or (event.lost_min, event.lost_max) != (0, None):
            return [event]
        if self._doubt_told:
            return []
        self._doubt_told = True
        return [self._counts.missed(None, 0, None, event.why, event.raw)]


class LatchInputs:
    """`$AALS` then `$AAC` then `$AA6`: a latched edge is one count; edges lost by the clearing are seen as levels.

    Only with checksum on: a changed digit would be a bet.
    A pulse lasts at least `pulse_s` and the next comes no sooner than as long after it. Whatever took longer on the
    line than that, or stayed without reply, may have hidden pulses: told as a loss without an upper bound.
    """

    def __init__(self, counts: Counts, count: int, pulse_s: float) -> None:
        self._counts = counts
        self._count = count
        self._pulse_s = pulse_s
        self._read_s = _NEVER
        self._empty_s = _NEVER
        self.settled = False
        self.forget()

    def forget(self) -> None:
        """The module was reset: its latches are empty."""
        self.wanted = Asked.LATCHES
        self._told: set[int] = set()
        self._clear_lost = False
        self._on: set[int] = set()
        self._by_level: set[int] = set()

    def latched(self, bits: Sequence[bool], now_s: float, raw: bytes) -> list[Event]:
        """The latches as read. The first ones after a start are a baseline; after a long silence, a loss."""
        latched = {i for i, on in enumerate(bits) if on}
        events: list[Event] = []
        if self._clear_lost:
            events.append(self._counts.missed(None, 0, None, "the reply to the clearing of the latches was lost", raw))
        found = sorted(latched - self._by_level - (self._told if self._clear_lost else set()))
        if now_s - self._read_s > DOWN_AFTER_S and self.settled:
            events += [self._counts.missed(i, 1, None, "latched while it was not seen", raw) for i in found]
        elif self.settled:
            events += [self._counts.counted(i, raw) for i in found]
            events += self._hidden(found, now_s - self._empty_s, "one latch may stand for several pulses", raw)
        self._clear_lost = False
        self._by_level = set()
        self._told = latched
        self._read_s = now_s
        if latched:
            self.wanted = Asked.CLEAR
        else:
            self.wanted, self._empty_s, self.settled = Asked.LATCHES, now_s, True
        return events

    def _hidden(self, numbers: list[int], took_s: float, why: str, raw: bytes) -> list[Event]:
        if took_s <= 2 * self._pulse_s:
            return []
        return [self._counts.missed(i, 0, None, why, raw) for i in numbers]

    def cleared(self, now_s: float, raw: bytes) -> list[Event]:
        self.wanted = Asked.LEVELS
        self._empty_s = now_s
        return self._hidden(sorted(self._told), now_s - self._read_s, "cleared late", raw)

    def clear_lost(self) -> None:
        """No reply to `$AAC`: the latches are read again before anything is told twice."""
        self._clear_lost = True
        self.wanted = Asked.LATCHES

    def levels(self, levels: Sequence[bool], now_s: float, raw: bytes) -> list[Event]:
        """Levels right after the clearing: an input that is on and was not latched went on in between.

        If it went on after the clearing it is latched as well: the next reading of the latches does not count it again.
        """
        on = {i for i, level in enumerate(levels) if level}
        if self.wanted is not Asked.LEVELS:
            self._on = on
            return []
        events: list[Event] = []
        if now_s - self._read_s > self._pulse_s:
            events.append(self._counts.missed(None, 0, None, "inputs were looked at late after the clearing", raw))
        risen = sorted(on - self._told - self._on) if self.settled else []
        self._on = on
        self._by_level = set(risen)
        self._told = set()
        self.wanted = Asked.LATCHES
        self.settled = True
        return [*events, *[self._counts.counted(i, raw) for i in risen]]
