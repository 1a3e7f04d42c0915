"""Whether a time service keeps the clock: systemd-timesyncd's mark, else the kernel's own word (adjtimex(2))."""

import ctypes
from collections.abc import Callable
from pathlib import Path

STA_UNSYNC = 0x0040
TIME_ERROR = 5
_LONGS_BEFORE_STATUS = 4
TIMESYNCD = Path("/run/systemd/timesync")
"""systemd-timesyncd keeps this directory, and the file `synchronized` in it from the first answer of a server on."""


class _Timex(ctypes.Structure):
    """struct timex up to `status` (modes 0: nothing is set), and room for the rest that the kernel writes."""

    _fields_ = (
        ("modes", ctypes.c_int),
        ("longs", ctypes.c_long * _LONGS_BEFORE_STATUS),
        ("status", ctypes.c_int),
        ("room", ctypes.c_byte * 512),
    )


def ask_kernel() -> tuple[int, int] | None:
    """State and status of the kernel's clock; None where it may not be asked (a hardened unit, another system)."""
    asking = _Timex()
    try:
        state: int = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(asking))
    except AttributeError:
        return None
    return None if state < 0 else (state, asking.status)


def clock_synchronised(timesyncd: Path = TIMESYNCD, kernel: Callable[[], tuple[int, int] | None] = ask_kernel) -> bool:
    """False when the clock is known to be nobody's; what cannot be known raises no alarm."""
    if (timesyncd / "synchronized").exists():
        return True
    answer = kernel()
    if answer is None:
        return not timesyncd.exists()
    state, status = answer
    return state != TIME_ERROR and not status & STA_UNSYNC
