"""The demo as its reader runs it: hands at every table, both draws, an award, and journals that hold by themselves."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.control_client import DaemonJournal
from controller.adapters.journal.errors import JournalError
from tests.system.daemon import REPOSITORY, soon
from tests.system.enrolment import carrusel

pytestmark = [pytest.mark.system, pytest.mark.slow]

DEADLINE_S = 600.0
HANDS = 2
"""So many at every table: who ends the second one has counted the first."""


async def started(*command: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *command, cwd=REPOSITORY, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )


async def said(process: asyncio.subprocess.Process) -> tuple[int, str]:
    """Exit code of a process, and everything it said."""
    async with asyncio.timeout(DEADLINE_S):
        out, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode()


def kinds(state: Path, journal: str) -> list[str]:
    """Kinds of a journal's entries, asked of the demo while it runs; none before it answers."""
    try:
        return [entry["kind"] for entry in DaemonJournal(state, journal).entries(1, None)]
    except (JournalError, OSError):
        return []


async def has_shown_all(state: Path, demo: asyncio.subprocess.Process) -> bool:
    """Whether every table has played, and the carousel has given a prize; or the demo has ended by itself."""
    tables = [await asyncio.to_thread(kinds, state, path.stem) for path in state.glob("table-*.db")]
    awards = [await asyncio.to_thread(kinds, state, path.stem) for path in state.glob("carousel-*.db")]
    played = bool(tables) and all(each.count("hand.over") >= HANDS for each in tables)
    return demo.returncode is not None or (played and any("ledger.award" in each for each in awards))


@pytest.mark.promise("P4")
async def test_the_demo_leaves_journals_that_hold(tmp_path: Path) -> None:
    told, state = tmp_path / "out.json", tmp_path / "state"
    state.mkdir()
    arguments = ["--unattended", "--json", str(told), "--state", str(state)]
    demo = await started(sys.executable, "-m", "controller", "demo", *arguments)
    saying = asyncio.create_task(said(demo))
    try:
        await soon(partial(has_shown_all, state, demo), "hands at every table and an award", DEADLINE_S)
    finally:
        if demo.returncode is None:
            demo.send_signal(signal.SIGINT)
        code, words = await saying
    assert code == 0, words[-4000:]
    summary: dict[str, Any] = json.loads(told.read_text())
    assert summary["awards"] >= 1
    assert set(summary["hands"]) == {"oasis", "holdem-bonus", "holdem-circle"}
    assert all(count >= 1 for count in summary["hands"].values()), summary
    assert all(count >= 1 for count in summary["draws"].values()), summary
    assert summary["equation"] == "holds"
    journals = sorted(state.glob("*.db"))
    assert {each["name"] for each in summary["journals"]} == {path.stem for path in journals}
    assert all(each["verified"] for each in summary["journals"])
    await asyncio.gather(*(hold(path, tmp_path) for path in journals))


async def test_a_demo_with_a_time_ends_by_itself(tmp_path: Path) -> None:
    told = tmp_path / "out.json"
    code, words = await said(
        await started(sys.executable, "-m", "controller", "demo", "--seconds", "5", "--json", str(told))
    )
    assert code == 0, words[-4000:]
    summary = json.loads(told.read_text())
    assert (summary["seconds"], summary["equation"]) == (5, "holds")


async def hold(path: Path, directory: Path) -> None:
    """One journal, by the product's own command, by its export's verifier alone, and draw by draw."""
    code, out, trouble = await carrusel("journal", "verify", str(path))
    assert code == 0, (path.name, out, trouble)
    exported = directory / f"{path.stem}.jsonl"
    code, out, trouble = await carrusel("journal", "export", str(path), str(exported))
    assert code == 0, trouble
    verifier = out.split("python3 ")[1].split()[0]
    code, out = await said(await started(sys.executable, "-I", verifier, str(exported)))
    assert code == 0, out
    if path.stem.startswith("table-"):
        code, out, trouble = await carrusel("draws", "verify", str(exported))
        assert code == 0, (path.name, out, trouble)
