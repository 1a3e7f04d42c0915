"""Lets a table of another node into a host's carousel, as two people do at the two nodes' command lines."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from tests.system.daemon import DEADLINE_S, REPOSITORY
from tests.system.people import PINS


async def carrusel(*arguments: str, typed: str = "") -> tuple[int, str, str]:
    """The command line in a process of its own, without a terminal: exit code, what it printed, what it complained."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "controller",
        *arguments,
        cwd=REPOSITORY,
        env={**os.environ, "LC_ALL": "en_US.UTF-8"},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    async with asyncio.timeout(DEADLINE_S):
        out, err = await process.communicate(typed.encode())
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def enrol(carousel: str, host: Path, table: str, node: Path) -> None:
    """`node` is the table's file, `host` that of the host, whose daemon has run once; neither daemon is running."""
    code, said, trouble = await carrusel("carousel", "profile", table, "--config", str(node))
    assert code == 0, trouble
    profile = node.with_name(f"{table}.json")
    profile.write_text(said)
    people = ["--first", "ana", "--second", "bea", "--reason", "opening of the pit"]
    code, said, trouble = await carrusel(
        "carousel",
        "enrol",
        carousel,
        "--config",
        str(host),
        "--profile",
        str(profile),
        *people,
        typed=f"{PINS['ana']}\n{PINS['bea']}\n",
    )
    assert code == 0, said + trouble
