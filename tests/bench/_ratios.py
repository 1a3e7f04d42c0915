"""Two figures of one run side by side: what the measurements of this folder share."""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROUNDS = 7


@dataclass(frozen=True, slots=True)
class Rate:
    """Things per second: of the clock, and of the processor's time in this process, whatever else the machine does."""

    wall: float
    cpu: float


class Watch:
    """Both clocks from now on."""

    def __init__(self) -> None:
        self._began = time.perf_counter(), time.process_time()

    def rate(self, count: int) -> Rate:
        wall, cpu = time.perf_counter() - self._began[0], time.process_time() - self._began[1]
        return Rate(count / wall, count / cpu)


@dataclass(frozen=True, slots=True)
class Ratio:
    """Two figures of one run side by side, and the bound that the quotient has to keep."""

    name: str
    ours: float
    floor: float
    quotient: float
    bound: str
    kept: bool

    def __str__(self) -> str:
        mark = "" if self.kept else "  NOT KEPT"
        return f"{self.name}: {self.ours:,.3g} beside {self.floor:,.3g} = {self.quotient:.2f} ({self.bound}){mark}"


def at_least(name: str, least: float, ours: Callable[[int], Rate], floor: Callable[[int], Rate]) -> Iterator[Ratio]:
    """Rates in turns; medians, so that a burst of other work hardly counts. The wall clock is judged."""
    pairs = [(floor(number), ours(number)) for number in range(ROUNDS)]
    for clock, bound in (("wall", f"at least {least}"), ("cpu", "for information")):
        bare, mine = ([getattr(pair[side], clock) for pair in pairs] for side in (0, 1))
        quotient = statistics.median(one / other for one, other in zip(mine, bare, strict=True))
        kept = clock == "cpu" or quotient >= least
        yield Ratio(f"{name}, {clock} time", statistics.median(mine), statistics.median(bare), quotient, bound, kept)


@contextmanager
def scratch() -> Iterator[Path]:
    """A directory that goes with the measurement; it lies here, as /tmp may be memory."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as directory:
        yield Path(directory)


def told(ratios: Iterator[Ratio]) -> int:
    """Print each ratio as soon as it is measured; exit code 1 when a bound was not kept."""
    kept = True
    for ratio in ratios:
        print(ratio, flush=True)
        kept = kept and ratio.kept
    return 0 if kept else 1
