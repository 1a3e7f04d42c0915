"""SIGKILL of three whole daemons, a host and two tables, at points that move on with every change of the program.

`make kills` strikes every point there is; here an evening is told in which each daemon dies seven times.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kills import play
from tests.kills.counted import ANY
from tests.kills.pit import HOST
from tests.kills.play import Point
from tests.kills.story import CHAPTERS, LAST_PRIZE, PRIZE, SECOND_PRIZE
from tests.kills.strikes import fingerprint
from tests.system.nursery import nursery

pytestmark = [
    pytest.mark.system,
    pytest.mark.broker,
    pytest.mark.promise("P1", "P2", "P3"),
    pytest.mark.timeout(1800),
]

DEATHS = 7
APART = {HOST: 25, "t1": 55, "t2": 55}
"""So many points lie between two deaths of a place."""


def strikes() -> list[Point]:
    """Every place's points that this very program dies at."""
    moved = int(fingerprint(), 16)
    ranks = {place: range(1 + moved % gap, gap * DEATHS + 1, gap) for place, gap in APART.items()}
    return [Point(0, 0, place, f"{ANY}{rank}") for place, found in ranks.items() for rank in found]


@pytest.mark.requirement("R67", "R103")
async def test_a_host_and_two_tables_outlive_twenty_one_kills(tmp_path: Path, tool: Callable[[str], str]) -> None:
    tool("mosquitto")
    base, evening = tmp_path / "base", tmp_path / "evening"
    await play.begin(base)
    wanted = strikes()
    async with nursery(tmp_path) as forks:
        played = await play.play(evening, forks, base, range(len(CHAPTERS)), wanted)
    assert played.struck == {(point.place, point.name) for point in wanted}
    assert sorted(played.told["paid"].values()) == sorted([PRIZE, SECOND_PRIZE])
    assert played.told["told"] == played.told["paid"]
    assert list(played.told["awards"].values()) == [SECOND_PRIZE, LAST_PRIZE]
    one, two = (played.told["kinds"][f"table-{table}"] for table in ("t1", "t2"))
    assert (one["credit.wagered"], one["hand.over"], one["hand.corrected"], one["prize.paid"]) == (3, 2, 1, 1)
    assert (two["credit.wagered"], two["hand.over"], two["hand.void"], two["prize.paid"]) == (4, 3, 1, 1)
    assert played.told["kinds"]["carousel-gran"] == {
        "ledger.joined": 2,
        "ledger.award": 3,
        "ledger.void": 1,
        "ledger.adjustment": 1,
        "ledger.seal": 1,
        "ledger.settled": 1,
    }
    assert all(played.told["kinds"][f"node-{place}"] == {"shift.closed": 1} for place in APART)
