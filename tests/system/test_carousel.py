"""Two tables and their host over a real Mosquitto: one sum, a prize out of both parts, the broker killed in between."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.services import Mosquitto, free_port
from tests.system.daemon import Daemon, daemon
from tests.system.pit_files import CAROUSEL, OasisHardware, oasis_table, write_site
from tests.system.test_kill import BANK, NOTHING, STRAIGHT_FLUSH, is_deciding, seat

pytestmark = [pytest.mark.system, pytest.mark.broker]

START = 500_000
BET = 100
SHARE = BET * 20 // 100


def meter_is(scene: dict[str, Any], amount: int) -> bool:
    return scene["meter"]["freshness"] == "fresh" and scene["meter"]["amount"] == str(amount)


async def play(node: Daemon, table: str, hardware: OasisHardware, *boxes: int, hands: str) -> None:
    """One hand at a table: a chip at each box, the cards as given, everybody plays."""
    screen = f"table-{table}"
    for box in boxes:
        hardware.boxes.set_level(box - 1, True)
        await node.until(screen, lambda s, box=box: seat(s, box)["credits"] == 1, f"credit at {box}")
    await hardware.press("close_bets")
    await node.until(screen, lambda s: s["jugador_afortunado"] is not None, "draws")
    await hardware.deal(f"{hands} {BANK}")
    for box in boxes:
        await node.until(screen, partial(is_deciding, number=box), f"turn of {box}")
        await hardware.press("play")
    await node.until(screen, lambda s: not any(each["deciding"] for each in s["seats"]), "all decided")
    await hardware.press("hand_over")
    for box in boxes:
        hardware.boxes.set_level(box - 1, False)


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
            await node.until(screen, lambda s: meter_is(s, 2 * START), "sum of both start values")
        await one.ready()
        await two.ready()
        await play(node, "t2", two, 5, hands=NOTHING)
        whole = 2 * START + SHARE
        for screen in ("table-t1", "table-t2", "signage-gran"):
            await node.until(screen, partial(meter_is, amount=whole), "t2's share")

        mosquitto.kill()
        await node.until("table-t1", lambda s: s["stage"]["kind"] == "link_lost", "lost link at t1")
        mosquitto.start()
        await node.until("table-t1", partial(meter_is, amount=whole), "link again")

        await play(node, "t1", one, 3, hands=STRAIGHT_FLUSH)
        whole += SHARE
        pending = await node.until("table-t1", lambda s: s["stage"]["kind"] == "prize_pending", "pending prize")
        win = next(each for each in pending["stage"]["wins"] if each["category"] == "straight_flush")
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
