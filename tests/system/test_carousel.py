"""Two tables and their host over a real Mosquitto: one sum, a prize out of both parts, the broker killed in between."""

from functools import partial
from pathlib import Path

import pytest

from tests.services import Mosquitto, free_port
from tests.system.daemon import daemon
from tests.system.dealing import NOTHING, SHARE, START, STRAIGHT_FLUSH, Dealer, is_awarded, meter_is, straight_flushes
from tests.system.pit_files import CAROUSEL, OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.broker]


@pytest.mark.requirement("R16", "R50", "R52")
@pytest.mark.article("O-65")
async def test_two_tables_one_sum_and_a_prize_from_both(tmp_path: Path, mosquitto: Mosquitto) -> None:
    one, two = OasisHardware.new(), OasisHardware.new()
    config = write_site(
        tmp_path,
        free_port(),
        CAROUSEL.format(port=mosquitto.port, role="host", facts=""),
        oasis_table("t1", one, "gran"),
        oasis_table("t2", two, "gran"),
    )
    async with one.running(), two.running(), daemon(config) as node:
        for screen in ("table-t1", "table-t2", "signage-gran"):
            await node.until(screen, partial(meter_is, amount=2 * START), "sum of both start values")
        await one.ready()
        await two.ready()
        await Dealer(node, "t2", two).play(5, hands=NOTHING)
        whole = 2 * START + SHARE
        for screen in ("table-t1", "table-t2", "signage-gran"):
            await node.until(screen, partial(meter_is, amount=whole), "t2's share")

        mosquitto.kill()
        await node.until("table-t1", lambda s: s["stage"]["kind"] == "link_lost", "lost link at t1")
        mosquitto.start()
        await node.until("table-t1", partial(meter_is, amount=whole), "link again")

        await Dealer(node, "t1", one).play(3, hands=STRAIGHT_FLUSH)
        whole += SHARE
        pending = await node.until("table-t1", is_awarded, "pending prize")
        win = straight_flushes(pending)[0]
        assert (win["seat"], int(win["amount"])) == (3, whole // 10)
        left = whole - whole // 10
        assert int(pending["stage"]["before"]) == whole
        for screen in ("table-t2", "signage-gran"):
            scene = await node.until(screen, partial(meter_is, amount=left), "the sum less the prize")
        assert [each["category"] for each in scene["pending"]] == ["straight_flush"]
        parts = {each["label"]: int(each["amount"]) for each in scene["tables"]}
        assert set(parts) == {"1", "2"}
        assert all(abs(part - left // 2) <= 1 for part in parts.values())
        assert await node.stop() == 0
