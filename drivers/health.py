"""Is a device well? Judged by valid frames, with all time passed in; and how long to rest before the next try."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.events import LinkState

DEGRADED_AFTER = 3
DOWN_AFTER_S = 3.0


@dataclass(slots=True)
class Backoff:
    """Rests of 0.2 s doubling to `longest_s`, back to the first after `good_s` without a failure."""

    first_s: float = 0.2
    longest_s: float = 10.0
    good_s: float = 30.0
    _next_s: float = 0.0
    _good_since_s: float | None = None

    def good(self, now_s: float) -> None:
        if self._good_since_s is None:
            self._good_since_s = now_s
        elif now_s - self._good_since_s >= self.good_s:
            self._next_s = 0.0

    def failed(self) -> float:
        """The rest to take now, seconds."""
        self._good_since_s = None
        rest_s = min(max(self._next_s, self.first_s), self.longest_s)
        self._next_s = rest_s * 2
        return rest_s


@dataclass(slots=True)
class Health:
    """State of one device's link. Each method returns the reason when the state changed, else None."""

    state: LinkState | None = None
    misses: int = 0
    silent_since_s: float | None = None

    def opened(self) -> None:
        """The port is open, which proves nothing yet."""
        self.misses = 0
        self.silent_since_s = None

    def good(self, identified: bool, trouble: str) -> str | None:
        """A valid reply came."""
        self.misses = 0
        self.silent_since_s = None
        if identified:
            return self._to(LinkState.UP, "answers")
        return self._to(LinkState.DOWN, trouble) if trouble else None

    def missed(self, now_s: float) -> str | None:
        """A poll got no valid reply."""
        self.misses += 1
        if self.silent_since_s is None:
            self.silent_since_s = now_s
        if self.state is LinkState.UP and self.misses >= DEGRADED_AFTER:
            return self._to(LinkState.DEGRADED, f"no valid reply to {self.misses} polls")
        return self.tick(now_s)

    def tick(self, now_s: float) -> str | None:
        """Time passed."""
        if self.silent_since_s is not None and now_s - self.silent_since_s >= DOWN_AFTER_S:
            return self._to(LinkState.DOWN, f"no valid reply for {DOWN_AFTER_S:.0f} s")
        return None

    def lost(self, why: str) -> str | None:
        """The port is gone."""
        return self._to(LinkState.DOWN, why)

    def _to(self, state: LinkState, why: str) -> str | None:
        if state is self.state:
            return None
        self.state = state
        return why
