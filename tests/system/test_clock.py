"""Clock jumps of ten years either way, under a whole hand with its prize: the same money in the same order."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.adapters.journal.journal import Journal
from controller.config.model import Config
from controller.rooms import host_room, table_room
from tests.services import free_port
from tests.system.books import check_books
from tests.system.both_hands import HubStrike, both_hands, check
from tests.system.daemon import DEADLINE_S, Daemon, daemon
from tests.system.dealing import NOTHING, SHARE, START, STRAIGHT_FLUSH, Dealer, is_awarded, meter_is, stage_is
from tests.system.fake_clock import TEN_YEARS_D, FakeClock
from tests.system.people import PINS, Panel, hire, panel, until_alarm
from tests.system.pit_files import OasisHardware, oasis_table, write_site
from tests.system.test_kill_points import config, in_directory

pytestmark = [pytest.mark.system, pytest.mark.promise("P7")]

__all__ = ["config"]

TEN_YEARS_MS = 10 * 365 * 24 * 3600 * 1000


PLAYED = ("credit.", "bets.", "game.", "draw.made", "hand.")


def order(directory: Path) -> list[tuple[str, str]]:
    """What was played at the table, in the journal's order; whether the draws hit is chance."""
    with Journal.open(directory / "table-t1.db", create=False) as journal:
        entries = [stored.entry for stored in journal.entries()]
    return [(entry.kind, str(entry.body.get("event"))) for entry in entries if entry.kind.startswith(PLAYED)]


def walls(directory: Path) -> list[int]:
    """What the clock said at each entry."""
    with Journal.open(directory / "table-t1.db", create=False) as journal:
        return [each.wall_ms for each in journal.entries()]


def test_a_hand_under_a_clock_that_jumps(config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(both_hands(in_directory(config, tmp_path / "steady"), HubStrike()))
    jumps = itertools.cycle((0, TEN_YEARS_MS, -TEN_YEARS_MS, 1, -1))
    for room in (table_room, host_room):
        monkeypatch.setattr(room, "wall_ms", lambda: time.time_ns() // 1_000_000 + next(jumps))
    asyncio.run(both_hands(in_directory(config, tmp_path / "jumping"), HubStrike()))
    for place in ("steady", "jumping"):
        check(tmp_path / place)
    assert len(order(tmp_path / "steady")) > 20
    assert order(tmp_path / "jumping") == order(tmp_path / "steady")
    seen = walls(tmp_path / "jumping")
    assert max(seen) - min(seen) > TEN_YEARS_MS, "the clock did jump"


PRIZE = (START + 2 * SHARE) // 10
LASTING_PINS = "pin_days = 0\n"
"""Further lines of `[api]`: ten years on every PIN would have ended."""


async def login(node: Daemon, who: str, pin: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=node.panel, headers={"Origin": node.panel}, timeout=DEADLINE_S) as client:
        return await client.post("/api/v1/session", json={"login": who, "pin": pin})


async def status(person: Panel) -> int:
    """What their session is answered."""
    return (await person.client.get("/api/v1/tables")).status_code


async def ask_for_cash(person: Panel, row: str) -> dict[str, Any]:
    """The request for a payment; two people are to agree to it."""
    answer = await person.client.post("/api/v1/tables/t1/prizes/pay", json={"prize": row}, headers=person.headers)
    told: dict[str, Any] = answer.json()
    assert told["status"] == "needs_approval", told
    return told


async def approve(person: Panel, asked: dict[str, Any]) -> httpx.Response:
    body = {"digest": asked["digest"], "login": "bea", "pin": PINS["bea"]}
    return await person.client.post(f"/api/v1/approvals/{asked['approval']}/approve", json=body, headers=person.headers)


async def lock_out(node: Daemon) -> int:
    """Five wrong PINs of tito's; the seconds he has to wait then."""
    for _ in range(5):
        assert (await login(node, "tito", "000000")).status_code == 401
    answer = await login(node, "tito", PINS["tito"])
    assert answer.status_code == 429, answer.text
    return int(answer.headers["retry-after"])


@pytest.mark.promise("P12")
@pytest.mark.requirement("R76", "R89")
async def test_the_clock_of_a_running_daemon_jumps_ten_years_either_way(
    tmp_path: Path, tool: Callable[[str], str]
) -> None:
    tool("faketime")
    clock, hardware = FakeClock(tmp_path), OasisHardware.new()
    config = write_site(tmp_path, free_port(), LASTING_PINS, oasis_table("t1", hardware))
    await hire(config)
    async with hardware.running(), daemon(config, clock.environment) as node:
        dealer = Dealer(node, "t1", hardware)
        await node.until("table-t1", partial(stage_is, kind="idle"), "idle scene")
        async with panel(node) as ana:
            await dealer.bet(1)
            clock.jump_to(TEN_YEARS_D)
            assert await status(ana) == 401
        async with panel(node) as ana:
            assert "->" in (await until_alarm(ana, "t1", "clock_jumped"))["detail"]
            await dealer.bet(4)
            await dealer.close()
            clock.jump_to(-TEN_YEARS_D)
            assert await status(ana) == 401
        await dealer.deal(f"{STRAIGHT_FLUSH} {NOTHING}", 1, 4)
        await dealer.end()
        await node.until("table-t1", is_awarded, "the award")

        asked = []
        async with panel(node) as ana:
            (row,) = [each["id"] for each in await ana.prizes("t1", "pending") if each["source"] == "carousel"]
            await ana.post("/tables/t1/prizes/verify", {"prize": row})
            asked.append(await ask_for_cash(ana, row))
            assert await lock_out(node) <= 60
        clock.jump_to(TEN_YEARS_D)
        async with panel(node) as ana:
            assert (await login(node, "tito", PINS["tito"])).status_code == 200
            asked.append(await ask_for_cash(ana, row))
            assert await lock_out(node) <= 60
        clock.jump_to(0)
        assert (await login(node, "tito", PINS["tito"])).status_code == 200
        async with panel(node) as ana:
            for each in asked:
                answer = await approve(ana, each)
                assert answer.status_code == 409 and "approval_expired" in answer.text, answer.text
            anew = await ask_for_cash(ana, row)
            assert (await approve(ana, anew)).status_code == 200
            await ana.pay_all("t1")
        await node.until("table-t1", partial(meter_is, amount=START + 2 * SHARE - PRIZE), "the sum less the prize")
        assert await node.stop() == 0
    books = check_books(node.state, at_rest=True)
    assert list(books.awards.values()) == list(books.paid.values()) == [PRIZE]
    assert books.figures == {"t1": START + 2 * SHARE - PRIZE}
    with Journal.open(node.state / "table-t1.db", create=False) as journal:
        years = {time.gmtime(each.wall_ms // 1000).tm_year for each in journal.entries()}
    assert max(years) - min(years) >= 19, years
