"""A disk that takes no more, under a real daemon: it stops and says why, acknowledged nothing, and starts clean."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from controller.adapters.journal.equations import equations
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from tests.disks import SmallDisk, mounted
from tests.services import Postgres, free_port
from tests.system.books import bring, check_books
from tests.system.daemon import Daemon, daemon
from tests.system.dealing import NOTHING, SHARE, START, Dealer, has_credit, meter_is, stage_is
from tests.system.enrolment import carrusel
from tests.system.people import hire, panel, until_alarm
from tests.system.pit_files import OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.promise("P8")]


@pytest.mark.requirement("R51")
async def test_a_full_disk_ends_the_daemon_and_nothing_half_done_is_left(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    async with hardware.running(), daemon(config) as node:
        await node.until("table-t1", partial(stage_is, kind="idle"), "idle scene")
        await Dealer(node, "t1", hardware).bet(1)
        assert node.process is not None
        written = max(path.stat().st_size for path in node.state.glob("*-wal"))
        resource.prlimit(node.process.pid, resource.RLIMIT_FSIZE, (written, written))
        hardware.boxes.set_level(3, True)
        assert await node.ended() == 1
        said = node.log.read_text()
        assert "the journal could not be written" in said
        assert "Traceback" not in said
        before = check_books(node.state)
        assert before.kinds("table-t1")["credit.wagered"] == 1

        hardware.boxes.set_level(3, False)
        await node.start()
        scene = await node.until("table-t1", partial(stage_is, kind="bets"), "the hand again")
        assert [has_credit(scene, box) for box in (1, 4)] == [True, False]
        await hardware.ready()
        dealer = Dealer(node, "t1", hardware)
        await dealer.bet(4)
        await dealer.close()
        await dealer.deal(f"{NOTHING} 3s 5h 7d 9h Js", 1, 4)
        await dealer.end()
        await node.until("table-t1", partial(meter_is, amount=START + 2 * SHARE), "both bets, once")
        assert await node.stop() == 0
    assert check_books(node.state).kinds("table-t1")["credit.wagered"] == 2


DISK_KB = 8192


@pytest.fixture
def small_disk(tool: Callable[[str], str]) -> Iterator[SmallDisk]:
    with mounted(tool, DISK_KB, os.getuid()) as disk:
        yield disk


@pytest.mark.requirement("R51", "R66")
async def test_a_small_disk_fills_up_under_a_daemon_and_has_room_again(tmp_path: Path, small_disk: SmallDisk) -> None:
    hardware = OasisHardware.new()
    config = write_site(small_disk.directory, free_port(), oasis_table("t1", hardware))
    node = Daemon(config)
    node.log = tmp_path / "carrusel.log"

    async def refuses_to_start() -> None:
        before = len(node.log.read_text()) if node.log.exists() else 0
        await node.launch()
        assert await node.ended() == 1
        said = node.log.read_text()[before:]
        assert "Traceback" not in said and ("the disk is full" in said or "No space left" in said), said

    async with hardware.running():
        for free_kb in (0, 40, 160):
            small_disk.leave(free_kb)
            await refuses_to_start()
            small_disk.clear()
        await hire(config)
        await node.start()
        try:
            await node.until("table-t1", partial(stage_is, kind="idle"), "idle scene")
            await Dealer(node, "t1", hardware).bet(1)
            code, _, trouble = await carrusel(
                "journal", "backup", str(node.state / "table-t1.db"), str(tmp_path / "copy.db")
            )
            assert code != 0 and "no room" in trouble, trouble
            assert await node.stop() == 0
            small_disk.leave(DISK_KB // 25)
            await node.start()
            async with panel(node) as ana:
                await until_alarm(ana, "t1", "disk_low")
                small_disk.leave(0)
                hardware.boxes.set_level(3, True)
                assert await node.ended() == 1
            small_disk.leave(0)  # what the closed write-ahead log gave back
            await refuses_to_start()
            small_disk.clear()
            hardware.boxes.set_level(3, False)
            await node.start()
            scene = await node.until("table-t1", partial(stage_is, kind="bets"), "the hand again")
            assert [has_credit(scene, box) for box in (1, 4)] == [True, False]
            assert await node.stop() == 0
        finally:
            await node.stop()
    assert check_books(node.state).kinds("table-t1")["credit.wagered"] == 1


@pytest.mark.requirement("R51")
@pytest.mark.postgres
async def test_the_disk_of_a_database_fills_up_under_a_daemon(
    tmp_path: Path, tool: Callable[[str], str], postgres_server: Postgres
) -> None:
    hardware = OasisHardware.new()
    with mounted(tool, 4 * DISK_KB, postgres_server.owner) as disk, postgres_server.database_on(disk.directory) as url:
        config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
        config.write_text(config.read_text().replace("[state]", f'[state]\ndatabase = "{url}"', 1))
        async with hardware.running(), daemon(config) as node:
            await node.until("table-t1", partial(stage_is, kind="idle"), "idle scene")
            await Dealer(node, "t1", hardware).bet(1)
            # From here on a page takes one entry, so that the next one asks for room.
            postgres_server.run('ALTER TABLE "table-t1".entries SET (fillfactor = 10)', database=url.rpartition("/")[2])
            disk.leave(0)
            hardware.boxes.set_level(3, True)
            assert await node.ended() == 1
            said = node.log.read_text()
            assert "the journal could not be written (the disk is full)" in said
            assert "Traceback" not in said
            with Journal.open(url, name="table-t1", create=False) as journal:
                assert verify(journal, equations=equations()).ok
                assert [stored.entry.kind for stored in journal.entries()].count("credit.wagered") == 1
            await node.launch()
            assert await node.ended() == 1
            assert "Traceback" not in node.log.read_text()
            disk.clear()
            hardware.boxes.set_level(3, False)
            await node.start()
            scene = await node.until("table-t1", partial(stage_is, kind="bets"), "the hand again")
            assert [has_credit(scene, box) for box in (1, 4)] == [True, False]
            await hardware.ready()
            await Dealer(node, "t1", hardware).bet(4)
            assert await node.stop() == 0
        bring(url, node.state, "table-t1", "carousel-t1")
    assert check_books(node.state).kinds("table-t1")["credit.wagered"] == 2
