"""The demo as its reader runs it: hands at every table, both draws, an award, and journals that hold by themselves."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.system.daemon import REPOSITORY
from tests.system.enrolment import carrusel

pytestmark = [pytest.mark.system, pytest.mark.slow, pytest.mark.timeout(900)]

SECONDS = 60
DEADLINE_S = 240.0


async def run(*command: str) -> tuple[int, str]:
    """Exit code, and everything it said."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=REPOSITORY, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(DEADLINE_S):
        out, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode()


@pytest.mark.promise("P4")
async def test_the_demo_leaves_journals_that_hold(tmp_path: Path) -> None:
    told, state = tmp_path / "out.json", tmp_path / "state"
    state.mkdir()
    arguments = ["--seconds", str(SECONDS), "--unattended", "--json", str(told), "--state", str(state)]
    code, said = await run(sys.executable, "-m", "controller", "demo", *arguments)
    assert code == 0, said[-4000:]
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


async def hold(path: Path, directory: Path) -> None:
    """One journal, by the product's own command, by its export's verifier alone, and draw by draw."""
    code, out, trouble = await carrusel("journal", "verify", str(path))
    assert code == 0, (path.name, out, trouble)
    exported = directory / f"{path.stem}.jsonl"
    code, out, trouble = await carrusel("journal", "export", str(path), str(exported))
    assert code == 0, trouble
    verifier = out.split("python3 ")[1].split()[0]
    code, out = await run(sys.executable, "-I", verifier, str(exported))
    assert code == 0, out
    if path.stem.startswith("table-"):
        code, out, trouble = await carrusel("draws", "verify", str(exported))
        assert code == 0, (path.name, out, trouble)
