"""Whether the clock is kept: by timesyncd's mark, by the kernel's word, and by the real kernel."""

from pathlib import Path

import pytest

from controller.adapters.clock_sync import STA_UNSYNC, TIME_ERROR, ask_kernel, clock_synchronised

TIME_OK = 0
NO_TIMESYNCD, STARTING, MARKED = "none", "starting", "marked"


@pytest.mark.parametrize(
    ("timesyncd", "kernel", "expected"),
    [
        (NO_TIMESYNCD, (TIME_OK, 0), True),
        (NO_TIMESYNCD, (TIME_OK, 0x2001), True),
        (NO_TIMESYNCD, (TIME_ERROR, STA_UNSYNC), False),
        (NO_TIMESYNCD, (TIME_OK, STA_UNSYNC), False),
        (NO_TIMESYNCD, (TIME_ERROR, 0), False),
        (NO_TIMESYNCD, None, True),
        (STARTING, None, False),
        (STARTING, (TIME_OK, 0), True),
        (MARKED, None, True),
        (MARKED, (TIME_ERROR, STA_UNSYNC), True),
    ],
)
def test_synchronised(tmp_path: Path, timesyncd: str, kernel: tuple[int, int] | None, expected: bool) -> None:
    place = tmp_path / "timesync"
    if timesyncd != NO_TIMESYNCD:
        place.mkdir()
    if timesyncd == MARKED:
        (place / "synchronized").touch()
    assert clock_synchronised(place, lambda: kernel) is expected


def test_the_kernel_answers_or_may_not_be_asked() -> None:
    answer = ask_kernel()
    assert answer is None or answer[0] in range(TIME_ERROR + 1)
