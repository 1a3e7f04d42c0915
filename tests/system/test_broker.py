"""The broker killed and wiped, or left with a store that is empty, cut, of zeros or of yesterday.

No money changes, and the meters are right again by themselves. That the protocol needs no more than the promised
seconds is counted in tests/adapters/test_meter_in_seconds.py.
"""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from tests.services import Mosquitto, ServerFailed, free_port
from tests.system.books import check_books
from tests.system.daemon import Daemon, daemon
from tests.system.dealing import NOTHING, SHARE, START, STRAIGHT_FLUSH, Dealer, meter_is, stage_is
from tests.system.people import hire, panel
from tests.system.pit_files import CAROUSEL, OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.broker, pytest.mark.promise("P6")]

SCREENS = ("table-t1", "table-t2", "signage-gran")


async def all_right(node: Daemon, amount: int) -> None:
    """Wait until every screen shows the amount as fresh."""
    await asyncio.gather(*(node.until(screen, partial(meter_is, amount=amount), "amount") for screen in SCREENS))


def start_on(broker: Mosquitto, store: bytes) -> None:
    """Start it on a store that somebody left; one that it refuses is wiped, as people would."""
    broker.database.write_bytes(store)
    try:
        broker.start()
    except ServerFailed:
        broker.database.unlink()
        broker.start()


@pytest.mark.requirement("R53")
@pytest.mark.promise("P3")
async def test_the_broker_dies_with_a_prize_on_its_way_and_comes_back_empty(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    one, two = OasisHardware.new(), OasisHardware.new()
    carousel = CAROUSEL.format(port=mosquitto.port, role="host", facts="")
    config = write_site(tmp_path, free_port(), carousel, oasis_table("t1", one, "gran"), oasis_table("t2", two, "gran"))
    await hire(config)
    async with one.running(), two.running(), daemon(config) as node:
        whole = 2 * START
        await all_right(node, whole)
        stale = mosquitto.save()
        dealer = Dealer(node, "t1", one)
        await one.ready()
        await dealer.bet(3)
        await dealer.close()
        await dealer.deal(STRAIGHT_FLUSH, 3)
        await all_right(node, whole + SHARE)

        mosquitto.kill()
        await node.until("table-t1", partial(stage_is, kind="link_lost"), "lost link")
        await dealer.end()
        mosquitto.database.write_bytes(bytes(4096))
        with pytest.raises(ServerFailed):
            mosquitto.start()
        mosquitto.database.unlink()
        mosquitto.start()
        prize = (whole + SHARE) // 10
        whole += SHARE - prize
        await all_right(node, whole)

        for store in (b"", stale, stale[: len(stale) // 2]):
            mosquitto.kill()
            await node.until("table-t1", partial(stage_is, kind="link_lost"), "lost link")
            start_on(mosquitto, store)
            await all_right(node, whole)

        async with panel(node) as ana:
            assert await ana.pay_all("t1") >= prize
        await Dealer(node, "t2", two).play(6, hands=NOTHING)
        whole += SHARE
        await all_right(node, whole)
        assert await node.stop() == 0
    books = check_books(node.state, at_rest=True)
    assert list(books.awards.values()) == list(books.paid.values()) == [prize]
    assert books.figures == {"gran": whole}
