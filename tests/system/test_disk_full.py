"""A disk that takes no more, under a real daemon: it stops and says why, acknowledged nothing, and starts clean."""

from __future__ import annotations

import resource
import time
from functools import partial
from pathlib import Path

import pytest

from tests.services import free_port
from tests.system.books import check_books
from tests.system.daemon import daemon
from tests.system.dealing import NOTHING, SHARE, START, Dealer, has_credit, meter_is, stage_is
from tests.system.pit_files import OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.promise("P8")]

WITHIN_S = 5.0
"""A second is promised; the test's machine has much else to do."""


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
        began = time.monotonic()
        hardware.boxes.set_level(3, True)
        assert await node.ended() == 1
        assert time.monotonic() - began < WITHIN_S
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
