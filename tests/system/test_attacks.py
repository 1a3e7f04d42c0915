"""What people and machines do to a pair of daemons on a bad day: stops, kills, copies, old backups, one key twice."""

from __future__ import annotations

import asyncio
import shutil
import signal
from functools import partial
from pathlib import Path

import pytest

from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from tests.services import Mosquitto
from tests.system.books import check_books
from tests.system.daemon import Daemon, daemon, soon
from tests.system.dealing import NOTHING, SHARE, START, STRAIGHT_FLUSH, Dealer, is_awarded, meter_is, stage_is
from tests.system.enrolment import carrusel
from tests.system.pair import linked, table_site
from tests.system.people import PINS, Panel, panel
from tests.system.pit_files import OasisHardware

pytestmark = [pytest.mark.system, pytest.mark.broker, pytest.mark.promise("P1", "P3")]

TABLE = "table-t1"


async def carousel_rows(ana: Panel, *status: str) -> list[str]:
    """Ids of the carousel's prizes in one of these states."""
    return [prize["id"] for prize in await ana.prizes("t1", *status) if prize["source"] == "carousel"]


async def pay(ana: Panel, row: str) -> bool:
    """Whether people get a prize verified and paid here."""
    await ana.client.post("/api/v1/tables/t1/prizes/verify", json={"prize": row}, headers=ana.headers)
    asked = await ana.client.post("/api/v1/tables/t1/prizes/pay", json={"prize": row}, headers=ana.headers)
    if asked.status_code >= 300:
        return False
    told = asked.json()
    body = {"digest": told["digest"], "login": "bea", "pin": PINS["bea"]}
    answer = await ana.client.post(f"/api/v1/approvals/{told['approval']}/approve", json=body, headers=ana.headers)
    return answer.status_code < 300


async def know_two(host: Daemon, *tables: Daemon) -> bool:
    """Whether the host found a copied journal, or a table a head in the ledger that is not its own."""
    told = [entry["kind"] for entry in await host.entries("carousel-gran")]
    for table in tables:
        told += [entry["kind"] for entry in await table.entries("table-t1")]
    return "host.forked" in told or "link.stopped" in told


async def test_a_host_that_stops_a_backup_that_is_killed_and_an_old_backup_in_place(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    hardware = OasisHardware.new()
    host_file, node_file = await linked(tmp_path, mosquitto.port, hardware)
    async with hardware.running(), daemon(host_file) as host, daemon(node_file) as node:
        held, old = node.state / "table-t1.db", tmp_path / "old.db"
        dealer = Dealer(node, "t1", hardware)
        await node.until(TABLE, partial(meter_is, amount=START), "start value")
        await hardware.ready()
        code, _, trouble = await carrusel("journal", "backup", str(held), str(old))
        assert code == 0, trouble

        await dealer.bet(1)
        host.send(signal.SIGSTOP)
        await node.until(TABLE, partial(stage_is, kind="link_lost"), "lost link")
        await dealer.close()
        await dealer.deal(STRAIGHT_FLUSH, 1)
        await dealer.end()
        host.send(signal.SIGCONT)
        prize = (START + SHARE) // 10
        await node.until(TABLE, is_awarded, "the award, once the host goes on")
        await node.until(TABLE, partial(meter_is, amount=START + SHARE - prize), "the sum less the prize")

        copy = tmp_path / "copy.db"
        copying = asyncio.create_task(carrusel("journal", "backup", str(held), str(copy)))
        await soon(lambda: copying.done() or any(node.state.glob(".backup-*")), "a copy is being made")
        await node.kill()
        code, _, _ = await copying
        if code == 0:
            with Journal.open(copy, create=False) as journal:
                assert verify(journal).ok
        else:
            assert not copy.exists()
        await node.start()
        await node.until(TABLE, partial(meter_is, amount=START + SHARE - prize), "the same")
        assert not list(node.state.glob(".backup-*")), "what a killed copy left is gone"

        aside = tmp_path / "aside"
        aside.mkdir()
        code, _, trouble = await carrusel("journal", "restore", str(old), str(held))
        assert code != 0 and "exists" in trouble, trouble
        for part in ("", "-wal"):
            shutil.move(f"{held}{part}", aside / f"table-t1.db{part}")
        code, _, trouble = await carrusel("journal", "restore", str(old), str(held))
        assert code != 0 and "in use" in trouble, trouble
        await node.kill()
        code, _, trouble = await carrusel("journal", "restore", str(old), str(held))
        assert code == 0, trouble
        await node.start()
        async with panel(node) as ana:
            assert not await carousel_rows(ana, "pending", "verified", "held", "paid")
            await node.until(TABLE, partial(stage_is, kind="link_lost"), "no member yet")
            await node.kill()

        held.unlink()
        for part in ("", "-wal"):
            shutil.move(aside / f"table-t1.db{part}", f"{held}{part}")
        await node.start()
        await node.until(TABLE, partial(meter_is, amount=START + SHARE - prize), "the true journal again")
        async with panel(node) as ana:
            assert await ana.pay_all("t1") >= prize
        await hardware.ready()
        await dealer.play(2, hands=NOTHING)
        whole = START + 2 * SHARE - prize
        for place, screen in ((host, "signage-gran"), (node, TABLE)):
            await place.until(screen, partial(meter_is, amount=whole), "the bet after all that")
        assert [await node.stop(), await host.stop()] == [0, 0]
    books = check_books(host.state, node.state, at_rest=True)
    assert list(books.awards.values()) == list(books.paid.values()) == [prize]
    assert books.figures == {"gran": whole}


async def test_one_node_on_two_machines_pays_once(tmp_path: Path, mosquitto: Mosquitto) -> None:
    """State, key and name copied to a second machine that starts while the first one runs: the same client, too."""
    hardware, twin_hardware = OasisHardware.new(), OasisHardware.new()
    host_file, node_file = await linked(tmp_path, mosquitto.port, hardware)
    async with hardware.running(), twin_hardware.running(), daemon(host_file) as host:
        async with daemon(node_file) as node:
            await node.until(TABLE, partial(meter_is, amount=START), "start value")
            await hardware.ready()
            await Dealer(node, "t1", hardware).play(1, hands=STRAIGHT_FLUSH)
            prize = (START + SHARE) // 10
            await node.until(TABLE, is_awarded, "the award")
            await node.kill()
        twin_file = table_site(tmp_path / "twin", mosquitto.port, twin_hardware)
        shutil.copytree(
            node_file.with_name("state"), twin_file.with_name("state"), ignore=shutil.ignore_patterns("*.sock")
        )
        async with daemon(node_file) as node, daemon(twin_file) as twin, panel(node) as ana, panel(twin) as ana_there:
            (row,) = await carousel_rows(ana, "pending")
            assert await carousel_rows(ana_there, "pending") == [row]
            await soon(lambda: know_two(host, node, twin), "somebody knows of two")
            assert [await pay(people, row) for people in (ana, ana_there)].count(True) <= 1
            assert [await node.stop(), await twin.stop(), await host.stop()] == [0, 0, 0]
    books = check_books(host.state)
    assert list(books.awards.values()) == [prize]
