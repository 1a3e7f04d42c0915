"""Two hosts of one carousel: an old one that wakes up after a promotion, and two copies of one ledger."""

from __future__ import annotations

import asyncio
import shutil
import signal
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.services import Mosquitto, free_port
from tests.system.books import check_books
from tests.system.daemon import DEADLINE_S, Daemon, daemon
from tests.system.dealing import NOTHING, SHARE, START, STRAIGHT_FLUSH, Dealer, is_awarded, meter_is, stage_is
from tests.system.enrolment import carrusel, enrol
from tests.system.people import PINS, Panel, hire, panel
from tests.system.pit_files import CAROUSEL, OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.broker, pytest.mark.promise("P3")]

TABLE = "table-t1"


def host_file(directory: Path, port: int) -> Path:
    """A host without tables of its own."""
    return write_site(directory, free_port(), CAROUSEL.format(port=port, role="host", facts='accept = ["t1"]'))


async def phase(node: Daemon) -> str:
    """What a host says of itself: `ready`, or the phase in which it is instead."""
    async with httpx.AsyncClient(timeout=DEADLINE_S) as client:
        answer = (await client.get(f"{node.panel}/readyz")).json()
    return str(answer.get("status") if answer.get("status") == "ready" else answer.get("phase", answer))


async def alarmed(ana: Panel) -> str:
    """What a table's view says in its alarms."""
    return str((await ana.get("/tables/t1"))["alarms"])


async def until(ask: Callable[[], Awaitable[str]], wanted: str) -> None:
    """Ask until the answer holds a word."""
    found = ""
    try:
        async with asyncio.timeout(DEADLINE_S):
            while wanted not in (found := await ask()):
                await asyncio.sleep(0.2)
    except TimeoutError:
        raise AssertionError(f"{found} never was {wanted}") from None


async def promote(config: Path) -> None:
    people = ["--first", "ana", "--second", "bea", "--reason", "the old host's machine is dead"]
    typed = f"{PINS['ana']}\n{PINS['bea']}\n"
    code, said, trouble = await carrusel("carousel", "promote", "gran", "--config", str(config), *people, typed=typed)
    assert code == 0, said + trouble


async def test_the_old_host_wakes_up_after_another_was_promoted_and_copies_pay_nothing(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    hardware = OasisHardware.new()
    old_file, new_file = host_file(tmp_path / "old", mosquitto.port), host_file(tmp_path / "new", mosquitto.port)
    carousel = CAROUSEL.format(port=mosquitto.port, role="member", facts="")
    node_file = write_site(tmp_path / "node", free_port(), carousel, oasis_table("t1", hardware, "gran"))
    for path in (old_file, new_file, node_file):
        await hire(path)
    async with daemon(old_file) as founding:
        await founding.until("signage-gran", lambda s: s["meter"]["freshness"] == "fresh", "a founded carousel")
        assert await founding.stop() == 0
    await enrol("gran", old_file, "t1", node_file)

    async with hardware.running(), daemon(old_file) as old, daemon(node_file) as node:
        table = Dealer(node, "t1", hardware)
        await node.until(TABLE, partial(meter_is, amount=START), "start value")
        await hardware.ready()
        await table.play(1, hands=NOTHING)
        whole = START + SHARE
        await node.until(TABLE, partial(meter_is, amount=whole), "its bet")

        old.send(signal.SIGSTOP)
        await node.until(TABLE, partial(stage_is, kind="link_lost"), "lost link")
        async with daemon(new_file) as blank:
            await blank.said("promote this host")
            assert await phase(blank) != "ready"
            assert await blank.stop() == 0
        await promote(new_file)
        async with daemon(new_file) as new:
            await node.until(TABLE, partial(meter_is, amount=whole), "the promoted host")
            await hardware.ready()
            await table.play(2, hands=NOTHING)
            whole += SHARE
            await node.until(TABLE, partial(meter_is, amount=whole), "a bet by the new ledger")

            old.send(signal.SIGCONT)
            for _ in range(2):
                await until(partial(phase, old), "fenced")
                await old.kill()
                await old.start()
            await until(partial(phase, old), "fenced")
            await table.play(3, hands=STRAIGHT_FLUSH)
            prize = (whole + SHARE) // 10
            whole += SHARE - prize
            await node.until(TABLE, is_awarded, "the award of the new host")
            assert await old.stop() == 0
            assert await new.stop() == 0

        copy_file = host_file(tmp_path / "copy", mosquitto.port)
        shutil.copytree(new_file.with_name("state"), copy_file.with_name("state"))
        async with daemon(new_file), daemon(copy_file), panel(node) as ana:
            (row,) = [each for each in await ana.prizes("t1", "pending") if each["source"] == "carousel"]
            await until(partial(alarmed, ana), "ledger_differs")
            answer = await ana.client.post(
                "/api/v1/tables/t1/prizes/verify", json={"prize": row["id"]}, headers=ana.headers
            )
            assert answer.status_code >= 400 and "ledger_differs" in answer.text, answer.text
        assert await node.stop() == 0
    books = check_books(tmp_path / "node" / "state", tmp_path / "new" / "state")
    assert list(books.awards.values()) == [prize]
    assert not books.paid
    assert books.kinds("table-t1")["link.stopped"] == 1
    check_books(tmp_path / "old" / "state")
