"""`settle --lines` over many hands of all games: its memory at a tenth of them and at their end, and its speed.

`python -m tests.bench.settle 1000000` reads a million; without a number, as many as fit a round of measurements.
"""

import json
import subprocess
import sys
import threading
import time
from itertools import cycle, islice
from pathlib import Path
from typing import IO, Any

from tests.bench.circle import hands as circle_hands

LINES = 50_000
MOST_GROWTH = 1.1
CHUNK = 1 << 16
OASIS: dict[str, Any] = {
    "game": "oasis",
    "jackpot": {"meter": 1_999_650, "contribution_bp": 7_000},
    "draws": {"carta_magica": {"card": "Qs", "prize": 5_000}, "jugador_afortunado": {"seat": 4, "prize": 5_000}},
    "seats": [
        {"seat": 1, "ante": 1_000, "bet": 2_000, "credits": 1, "cards": "9d 8d 7d 6d 5d"},
        {"seat": 2, "ante": 1_000, "credits": 4, "cards": "Qs Qh 4c 3d 2s", "bought": {"out": "2s", "in": "Qd"}},
    ],
    "dealer": {"cards": "Ah Kh 7c 4d 2h"},
}
BONUS: dict[str, Any] = {
    "game": "holdem-bonus",
    "seats": [{"seat": 1, "ante": 5_000, "flop_bet": 10_000, "credits": 1, "cards": "As Ks"}],
    "board": "Qs Js 4s 2d 9c",
    "dealer": "9h 9d",
}


def lines() -> list[bytes]:
    """A hundred different circle hands among as many of the banked games, and a line that is no hand."""
    records = [record for circle in circle_hands() for record in (OASIS, circle, BONUS)]
    return [*(json.dumps(record).encode() + b"\n" for record in records), b'{"game": "canasta"}\n']


def resident_kb(pid: int) -> int:
    """Resident size of a process, in kB."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def counted(output: IO[bytes], answers: list[int]) -> None:
    """Counts the lines that come out, and keeps none."""
    while chunk := output.read1(CHUNK):  # type: ignore[attr-defined]  # a buffered reader has it
        answers.append(chunk.count(b"\n"))


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else LINES
    command = [sys.executable, "-m", "controller", "settle", "-", "--lines"]
    begun = time.perf_counter()
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert child.stdin is not None and child.stdout is not None
    answers: list[int] = []
    reader = threading.Thread(target=counted, args=(child.stdout, answers))
    reader.start()
    source = cycle(lines())
    sizes = []
    # What is written is read but for a pipe's buffer, some fifty lines.
    for part in (count // 10, count - count // 10):
        for line in islice(source, part):
            child.stdin.write(line)
        child.stdin.flush()
        sizes.append(resident_kb(child.pid))
    child.stdin.close()
    reader.join()
    code = child.wait()
    seconds = time.perf_counter() - begun
    growth = sizes[1] / sizes[0]
    print(f"lines                  {count:10d}, answered {sum(answers)}")
    print(f"speed                  {count / seconds:10.0f} lines a second")
    print(f"resident at a tenth    {sizes[0]:10d} kB")
    print(f"resident at the end    {sizes[1]:10d} kB")
    print(f"ratio                  {growth:10.3f} (at most {MOST_GROWTH})")
    return 0 if growth <= MOST_GROWTH and sum(answers) == count and code == 2 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
