"""Settling circle hands beside pokerkit's own play-through of the same hands; at least twenty times as fast."""

import hashlib
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from controller.core.cards import DECK
from controller.settle import settle
from tests.settle.circle_oracle import play, replay

HANDS = 100
ROUNDS = 3
LEAST_RATIO = 20


def chooser(seed: str) -> Callable[[int], int]:
    """Numbers below a bound, the same in every run."""
    counter = 0

    def choose(among: int) -> int:
        nonlocal counter
        counter += 1
        return int.from_bytes(hashlib.sha256(f"{seed}/{counter}".encode()).digest()[:6]) % among

    return choose


def hands() -> list[dict[str, Any]]:
    """Records of random hands of four to ten players."""
    records = []
    for number in range(HANDS):
        choose = chooser(f"hand-{number}")
        deck = list(DECK)
        for last in range(len(deck) - 1, 0, -1):
            other = choose(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        stacks = [1_000 + choose(20_000) for _ in range(4 + choose(7))]
        records.append(play(stacks, deck, choose).record)
    return records


def timed(do: Callable[[dict[str, Any]], object], records: Sequence[dict[str, Any]]) -> float:
    """Seconds of processor time for all records: the machine may be busy with something else."""
    begun = time.process_time()
    for record in records:
        do(record)
    return time.process_time() - begun


def main() -> int:
    records = hands()
    rounds = [(timed(replay, records), timed(settle, records)) for _ in range(ROUNDS)]
    theirs, ours = (min(seconds) for seconds in zip(*rounds, strict=True))
    ratio = theirs / ours
    print(f"pokerkit play-through  {theirs / HANDS * 1e6:10.0f} us a hand")
    print(f"settle                 {ours / HANDS * 1e6:10.0f} us a hand")
    print(f"ratio                  {ratio:10.1f} (at least {LEAST_RATIO})")
    return 0 if ratio >= LEAST_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
