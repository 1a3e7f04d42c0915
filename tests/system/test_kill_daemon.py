"""SIGKILL of a whole daemon at counted writes, through bets, awards, payments, corrections and voids."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.services import free_port
from tests.system.books import check_books
from tests.system.daemon import Daemon, soon
from tests.system.dealing import (
    BANK,
    NOTHING,
    SHARE,
    START,
    STRAIGHT_FLUSH,
    Dealer,
    has_credit,
    is_awarded,
    is_deciding,
    is_drawn,
    meter_is,
    nobody_decides,
)
from tests.system.mortal import Mortal, mortal
from tests.system.people import Panel, hire, panel
from tests.system.pit_files import OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.promise("P1", "P3")]

SCREEN = "table-t1"
PRIZE = (START + 2 * SHARE) // 10
MISREAD = {"hand": 1, "place": "seat-1", "old": "5d", "new": "5c", "reason": "visto por cámara"}
"""The straight flush was a straight."""
VOID = {"hand": 2, "reason": "device_fault", "note": "the module was changed"}


async def carousel_row(ana: Panel, *status: str) -> list[str]:
    """Ids of the carousel's prizes in one of these states."""
    return [prize["id"] for prize in await ana.prizes("t1", *status) if prize["source"] == "carousel"]


async def lift(hardware: OasisHardware) -> None:
    for box in range(7):
        hardware.boxes.set_level(box, False)
    await hardware.ready()


async def hand_is_void(ana: Panel, hand: int) -> bool:
    return bool((await ana.get(f"/tables/t1/hands/{hand}"))["void"])


async def correct(table: Mortal, ana: Panel, number: int) -> None:
    """Two people correct a card; the daemon dies of it, and they do what was not done."""
    await table.ask(number, lambda: ana.post("/tables/t1/cards/correction", MISREAD))
    if (await ana.get("/tables/t1/hands/1"))["revision"] == 1:
        await ana.post("/tables/t1/cards/correction", MISREAD)


async def void_the_second(table: Mortal, ana: Panel, number: int) -> None:
    await table.ask(number, lambda: ana.post("/tables/t1/void", VOID))
    if not await hand_is_void(ana, 2):
        await ana.post("/tables/t1/void", VOID)


async def are_read(node: Daemon, cards: int) -> bool:
    """Whether so many cards were read."""
    entries = await node.entries(SCREEN)
    return sum(entry["kind"] == "game.event" and "card" in entry["body"]["event"] for entry in entries) == cards


def closed(scene: dict[str, Any]) -> bool:
    return bool(scene["phase"]["current"] != "bets")


@pytest.mark.requirement("R67")
async def test_a_table_with_its_own_jackpot_outlives_eleven_kills(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    await hire(config)
    async with hardware.running(), mortal(config, SCREEN, hardware) as table:
        node = table.node
        await table.scene()
        await table.credit(1, 1, partial(has_credit, number=1))
        await table.credit(4, 2, partial(has_credit, number=4))
        await table.press("close_bets", 5, closed)
        await node.until(SCREEN, is_drawn, "draws")
        cards = f"{STRAIGHT_FLUSH} {NOTHING} {BANK}".split()
        await hardware.deal(" ".join(cards[:6]))
        await soon(partial(are_read, node, 6), "six cards")
        await table.arm(2)
        await hardware.deal(cards[6])
        await table.dead()
        if not await are_read(node, 7):
            await hardware.deal(cards[6])
        await soon(partial(are_read, node, 7), "the card that it died of")
        await hardware.deal(" ".join(cards[7:]))
        await node.until(SCREEN, partial(is_deciding, number=1), "turn of 1")
        await table.press("play", 1, partial(is_deciding, number=4))
        await table.dealer.press("play", nobody_decides, "all decided")
        await table.press("hand_over", 4, is_awarded)

        async with panel(node) as ana:
            (row,) = await carousel_row(ana, "pending")
            await table.ask(2, lambda: ana.post("/tables/t1/prizes/verify", {"prize": row}))
            await table.ask(8, lambda: ana.pay_all("t1"))
            await ana.pay_all("t1")
            assert not await ana.prizes("t1", "pending", "verified", "held")
            await node.until(SCREEN, partial(meter_is, amount=START + 2 * SHARE - PRIZE), "the sum less the prize")
            await lift(hardware)
            await correct(table, ana, 8)
            await node.until(SCREEN, partial(meter_is, amount=START + 2 * SHARE), "the prize taken back")
            await Dealer(node, "t1", hardware).bet(2)
            await table.press("close_bets", 3, closed)
            await void_the_second(table, ana, 7)
        await lift(hardware)
        await Dealer(node, "t1", hardware).play(7, hands=NOTHING)
        await node.until(SCREEN, partial(meter_is, amount=START + 3 * SHARE), "the bets that stand")
        await node.kill()
        await node.start()
        await table.scene()
        assert await node.stop() == 0
    assert table.kills == 11
    books = check_books(node.state, at_rest=True)
    assert list(books.paid.values()) == [PRIZE]
    assert books.awards == {}
    kinds = books.kinds("table-t1")
    assert (kinds["credit.wagered"], kinds["hand.void"], kinds["hand.corrected"]) == (4, 1, 1)
    assert books.figures == {"t1": START + 3 * SHARE}
