"""The machine's clocks: wall time for people, monotonic time for durations; nothing of money depends on either."""

import time


def wall_ms() -> int:
    """UTC milliseconds, informative only: the order of entries is their sequence."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Milliseconds that never jump, for clocks of the game and time-outs."""
    return time.monotonic_ns() // 1_000_000
