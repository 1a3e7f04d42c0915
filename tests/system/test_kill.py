"""Power cuts in the middle of a hand: the same state, lamps and screen come back by themselves, and it goes on."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.services import free_port
from tests.system.daemon import daemon, soon
from tests.system.dealing import (
    BANK,
    NOTHING,
    START,
    STRAIGHT_FLUSH,
    Dealer,
    is_awarded,
    is_deciding,
    nobody_decides,
    seat,
    straight_flushes,
)
from tests.system.pit_files import OasisHardware, oasis_table, write_site

pytestmark = pytest.mark.system


def steady(scene: dict[str, Any]) -> dict[str, Any]:
    """What of a scene must survive a kill: everything but the moment and what is being revealed."""
    return {key: scene[key] for key in ("hand_number", "phase", "seats", "board", "carta_magica", "jugador_afortunado")}


@pytest.mark.requirement("R01", "R46", "R53", "R67", "R68")
@pytest.mark.promise("P1", "P2")
async def test_a_hand_survives_two_kills_and_its_straight_flush_is_claimed(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    async with hardware.running(), daemon(config) as node:
        await node.until("table-t1", lambda s: s["stage"]["kind"] == "idle", "idle scene")
        dealer = Dealer(node, "t1", hardware)
        await hardware.ready()
        await dealer.bet(1, 4)
        await soon(lambda: hardware.boxes.outputs[0] and hardware.boxes.outputs[3], "lamps")

        await node.kill()
        hardware.boxes.power_cycle()
        assert not any(hardware.boxes.outputs)
        await node.start()
        scene = await node.until("table-t1", lambda s: s["stage"]["kind"] == "bets", "bets again")
        assert [seat(scene, n)["credits"] for n in range(1, 8)] == [1, 0, 0, 1, 0, 0, 0]
        await soon(lambda: hardware.boxes.outputs[0] and hardware.boxes.outputs[3], "lamps again")

        await hardware.ready()
        await dealer.close()
        await hardware.deal(STRAIGHT_FLUSH + " " + NOTHING + " " + BANK)
        before = await node.until("table-t1", lambda s: s["phase"]["current"] == "decisions", "decisions")
        await node.kill()
        await node.start()
        after = await node.until("table-t1", lambda s: s["meter"]["freshness"] == "fresh", "the hand again")
        assert steady(after) == steady(before)

        await hardware.ready()
        for turn in (1, 4):
            await node.until("table-t1", partial(is_deciding, number=turn), f"turn of seat {turn}")
            await dealer.press("play", lambda s, turn=turn: not is_deciding(s, turn), f"play of {turn}")
        await node.until("table-t1", nobody_decides, "all decided")
        await dealer.end()
        scene = await node.until("table-t1", is_awarded, "pending prize")
        prize = straight_flushes(scene)[0]
        contribution = 2 * 100 * 20 // 100
        assert (prize["seat"], int(prize["amount"])) == (1, (START + contribution) // 10)
        assert await node.stop() == 0


async def test_a_second_daemon_on_the_same_state_is_refused_by_name(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    async with hardware.running(), daemon(config) as node:
        await node.until("table-t1", lambda s: s["stage"]["kind"] == "idle", "idle scene")
        with pytest.raises(AssertionError, match="in use"):
            async with daemon(config):
                pass
