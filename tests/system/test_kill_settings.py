"""SIGKILL of a whole daemon at each commit of a change of settings, from the question to its outcome at the host."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from tests.services import free_port
from tests.system.books import check_books
from tests.system.mortal import mortal
from tests.system.people import PINS, Panel, hire, panel
from tests.system.pit_files import OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.promise("P1")]

SETTINGS = "/api/v1/tables/t1/settings"
STRIKES = (3, 5, 6, 7, 8, 10)
"""Writes from ana's reading on, each counted before and after it: the question, the approval, the act, its outcome."""


async def change(ana: Panel, rate_bp: int) -> None:
    """Two people change what of each bet goes to the meter, made on what ana reads now."""
    read = await ana.client.get(SETTINGS)
    wanted = {**read.json()["settings"], "jackpot.contribution_bp": rate_bp}
    headers = {**ana.headers, "If-Match": read.headers["etag"]}
    body = {"settings": wanted, "reason": "more for the meter"}
    told = (await ana.client.put(SETTINGS, json=body, headers=headers)).json()
    approval = {"digest": told["digest"], "login": "bea", "pin": PINS["bea"]}
    answer = await ana.client.post(f"/api/v1/approvals/{told['approval']}/approve", json=approval, headers=ana.headers)
    assert answer.status_code == 200, answer.text


async def in_force(ana: Panel) -> dict[str, Any]:
    found: dict[str, Any] = await ana.get("/tables/t1/settings")
    return found


async def test_a_change_of_settings_is_done_once_or_not_at_all_wherever_the_daemon_dies(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    await hire(config)
    done = 0
    async with hardware.running(), mortal(config, "table-t1", hardware) as table:
        await table.scene()
        for number in STRIKES:
            async with panel(table.node) as ana:
                before = (await in_force(ana))["settings"]["jackpot.contribution_bp"]
                await table.ask(number, lambda ana=ana, rate=before + 1: change(ana, rate))  # type: ignore[misc]  # bound at once
            async with panel(table.node) as ana:
                now = (await in_force(ana))["settings"]["jackpot.contribution_bp"]
                assert now in (before, before + 1)
                done += now - before
        async with panel(table.node) as ana:
            await change(ana, 3_000)
            shown = await in_force(ana)
            assert (shown["settings"]["jackpot.contribution_bp"], shown["pending"]) == (3_000, None)
        await table.node.until("table-t1", lambda scene: scene["phase"]["current"] == "bets", "bets")
        assert await table.node.stop() == 0
    books = check_books(table.node.state, at_rest=True)
    kinds = books.kinds("table-t1")
    assert 0 < done < len(STRIKES)
    assert kinds["settings.effective"] == done + 1
    for journal in table.node.state.glob("*.db"):
        with Journal.open(journal, create=False) as opened:
            assert verify(opened).ok
