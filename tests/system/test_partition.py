"""Two real daemons and a broker, with a proxy that parts them: claims on both sides, silence, loss, dead lines."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.services import Mosquitto, free_port
from tests.system.books import check_books
from tests.system.daemon import daemon, soon
from tests.system.dealing import NOTHING, SHARE, START, STRAIGHT_FLUSH, Dealer, meter_is, stage_is
from tests.system.enrolment import enrol
from tests.system.people import Panel, hire, panel
from tests.system.pit_files import CAROUSEL, OasisHardware, oasis_table, write_site
from tests.system.proxy import Way, proxy

pytestmark = [pytest.mark.system, pytest.mark.broker, pytest.mark.promise("P3")]

OTHER_STRAIGHT_FLUSH = "9s 8s 7s 6s 5s"
SLOW_S = 0.3


async def nothing_held(people: Panel) -> bool:
    return not await people.prizes("t2", "held")


@pytest.mark.requirement("R50", "R95")
async def test_claims_on_both_sides_of_a_partition_and_one_way_silence(tmp_path: Path, mosquitto: Mosquitto) -> None:
    near, far = OasisHardware.new(), OasisHardware.new()
    async with near.running(), far.running(), proxy(mosquitto.port) as between:
        facts = 'accept = ["t2"]'
        carousel = CAROUSEL.format(port=mosquitto.port, role="host", facts=facts)
        host_file = write_site(tmp_path / "a", free_port(), carousel, oasis_table("t1", near, "gran"))
        carousel = CAROUSEL.format(port=between.port, role="member", facts="")
        node_file = write_site(tmp_path / "b", free_port(), carousel, oasis_table("t2", far, "gran"))
        await hire(host_file)
        await hire(node_file)
        async with daemon(host_file) as founding:
            await founding.until("table-t1", partial(meter_is, amount=START), "its own start value")
            assert await founding.stop() == 0
        await enrol("gran", host_file, "t2", node_file)

        async with daemon(host_file) as host, daemon(node_file) as node:
            one, two = Dealer(host, "t1", near), Dealer(node, "t2", far)
            for dealer in (one, two):
                await dealer.node.until(dealer.screen, partial(meter_is, amount=2 * START), "both start values")
                await dealer.hardware.ready()

            await two.bet(5)
            await two.close()
            whole = 2 * START + SHARE
            await host.until("signage-gran", partial(meter_is, amount=whole), "t2's share")
            between.hold(Way.BOTH)
            await node.until("table-t2", partial(stage_is, kind="link_lost"), "lost link")
            await two.deal(STRAIGHT_FLUSH, 5)
            await two.end()
            await one.play(2, hands=OTHER_STRAIGHT_FLUSH)
            whole += SHARE
            first = whole // 10
            await host.until("signage-gran", partial(meter_is, amount=whole - first), "t1's prize out of both")
            between.heal()
            second = (whole - first) // 10
            whole -= first + second
            for place, screen in ((host, "signage-gran"), (host, "table-t1"), (node, "table-t2")):
                await place.until(screen, partial(meter_is, amount=whole), "both prizes out")

            async with panel(host) as ana, panel(node) as far_ana:
                (held,) = await far_ana.prizes("t2", "held")
                assert held["amount_minor"] == second
                assert await ana.pay_all("t1") >= first
                claim = held["id"].rpartition("/")[0]
                await ana.post("/carousels/gran/release", {"claim": claim, "reason": "seen at the table"})
                await soon(partial(nothing_held, far_ana), "the prize is released")
                assert await far_ana.pay_all("t2") >= second

            await node.until("table-t2", partial(stage_is, kind="prize_paid"), "paid stamp")
            await two.bet(1)
            between.hold(Way.OUT)
            await two.close()
            await two.deal(NOTHING, 1)
            await two.end()
            between.hold(Way.IN)
            await one.play(4, hands=NOTHING)
            await node.until("table-t2", partial(stage_is, kind="link_lost"), "lost link")
            between.heal()
            whole += 2 * SHARE
            for place, screen in ((host, "table-t1"), (node, "table-t2")):
                await place.until(screen, partial(meter_is, amount=whole), "both sides' bets")

            between.slow(SLOW_S)
            await two.play(3, hands=NOTHING)
            between.lose(Way.OUT)
            await two.play(4, hands=NOTHING)
            between.lose(Way.IN)
            await node.until("table-t2", partial(stage_is, kind="link_lost"), "lost link")
            await soon(lambda: between.lost > 3, "messages are lost")
            between.heal()
            whole += 2 * SHARE
            for place, screen in ((host, "table-t1"), (node, "table-t2")):
                await place.until(screen, partial(meter_is, amount=whole), "what was slow and what was lost")

            await two.bet(5)
            between.strand()
            await two.close()
            await two.deal(NOTHING, 5)
            await two.end()
            await one.play(6, hands=NOTHING)
            whole += 2 * SHARE
            for place, screen in ((host, "table-t1"), (node, "table-t2")):
                await place.until(screen, partial(meter_is, amount=whole), "what was said into the void")
            assert [await host.stop(), await node.stop()] == [0, 0]
    books = check_books(tmp_path / "a" / "state", tmp_path / "b" / "state", at_rest=True)
    assert sorted(books.awards.values()) == sorted(books.paid.values()) == [second, first]
    assert books.figures == {"gran": whole}
