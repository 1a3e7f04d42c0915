"""Whether a table hears the host that serves: only what answers this start of the table counts as its word."""

from collections.abc import Callable

from controller.adapters.link.pace import SILENCE_S, UNPROVEN_S


class Hearing:
    """What one start of a table has heard of its host. clock: monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._heard_at: float | None = None
        self._unproven: tuple[float, float] | None = None

    @property
    def up(self) -> bool:
        """Whether the host was heard lately."""
        return self._heard_at is not None and self._clock() - self._heard_at < SILENCE_S

    def answered(self) -> None:
        """A beat that repeats this start's nonce: nobody could have recorded it before."""
        self._heard_at, self._unproven = self._clock(), None

    def gone(self) -> None:
        """The host has said, or the broker for it, that it serves no more."""
        self._heard_at = None

    def unanswered(self) -> bool:
        """A beat that answers another start, or none: whether such beats, and only such, have come for too long.

        A host that has just come, or is far behind, says some before it hears of this start: a gap begins anew.
        """
        now = self._clock()
        since, last = self._unproven or (now, now)
        if now - last > SILENCE_S:
            since = now
        self._unproven = (since, now)
        return now - since >= UNPROVEN_S
