"""`make kills`: an evening of whole daemons, one of which is killed at each counted write and send in turn.

See `story` for the evening and `counted` for the points. What is found is kept below `build/kills`, by the
fingerprint of the program: the same command goes on where it stopped, and several may run at once.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections import Counter
from pathlib import Path

from tests.kills.strikes import OTHER, SAME, Point, Shop, chosen, fingerprint, grouped
from tests.system.daemon import REPOSITORY
from tests.system.nursery import nursery


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make kills", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="strike one of so many points (1: all)")
    parser.add_argument("--seed", type=int, default=0, help="which of those selections")
    parser.add_argument("--workers", type=int, default=2, help="pits at once")
    parser.add_argument("--deaths", type=int, default=4, help="of each daemon in one play of a chapter (1: one alone)")
    parser.add_argument("--points", help="strike these in one play, as 12 or 12,40, and say what happened")
    parser.add_argument("--whole", action="store_true", help="go on to the end of the evening, not of the chapter")
    parser.add_argument("--again", action="store_true", help="strike those again that failed or were not met")
    parser.add_argument("--list", action="store_true", help="name the points and end")
    parser.add_argument("--directory", type=Path, default=REPOSITORY / "build" / "kills")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


async def work(shop: Shop, groups: list[list[Point]], own: Path, *, whole: bool) -> None:
    """Strike what nobody else strikes."""
    own.mkdir(exist_ok=True)
    async with nursery(own) as forked:
        for group in groups:
            if group[0].number not in shop.results() and shop.claim(group[0]):
                for row in await shop.strike(group, forked, whole=whole):
                    shop.note(row)


async def main(asked: argparse.Namespace) -> int:
    shop = Shop((asked.directory / fingerprint()).resolve())
    shop.directory.parent.mkdir(parents=True, exist_ok=True)
    await shop.prepare()
    if asked.list:
        for point in shop.points:
            print(f"{point.number:>5}  {point.place:<4}  {point.name}")
        return 0
    points = chosen(shop.points, asked.every, asked.seed)
    if asked.points:
        numbers = {int(each) for each in asked.points.split(",")}
        points = [point for point in shop.points if point.number in numbers]
        shop.forget(numbers)
    elif asked.again:
        shop.forget({number for number, row in shop.results().items() if row["outcome"] != SAME})
    if asked.worker or asked.points:
        groups = [points] if asked.points else grouped(points, asked.deaths)
        if asked.deaths == 1 and not asked.points:
            groups = [[point] for point in points]
        await work(shop, groups, shop.directory / f"worker-{os.getpid()}", whole=asked.whole)
        return 0 if asked.worker else summary(shop, points)
    passed = [each for each in sys.argv[1:] if each != "--again"]
    command = (sys.executable, "-m", "tests.kills", "--worker", *passed)
    workers = [await asyncio.create_subprocess_exec(*command, cwd=REPOSITORY) for _ in range(asked.workers)]
    for worker in workers:
        await worker.wait()
    return summary(shop, points)


def summary(shop: Shop, points: list[Point]) -> int:
    """Exit code 1 unless every point asked for was struck, and the evening ended the same."""
    results = shop.results()
    outcomes = Counter(results[point.number]["outcome"] if point.number in results else "open" for point in points)
    by_place = Counter(point.place for point in points)
    places = ", ".join(f"{count} of {place}" for place, count in sorted(by_place.items()))
    print(f"{len(shop.points)} points counted, {len(points)} asked for ({places}); {shop.directory}")
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())))
    for point in points:
        row = results.get(point.number)
        if row is not None and row["outcome"] != SAME:
            why = row["trouble"].strip().splitlines()
            print(f"{row['outcome']}: point {point.number}, {point.place}: {point.name}: {why[-1] if why else ''}")
    if outcomes[OTHER]:
        print('replay one with: make kills ARGS="--points NUMBER"; its journals are kept below troubles/')
    return int(set(outcomes) != {SAME})


if __name__ == "__main__":
    sys.exit(asyncio.run(main(arguments())))
