"""A table's node and its host get other keys, one after the other, while the other's daemon runs: nothing is lost."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from controller.adapters.journal.checkpoints import node_key
from controller.adapters.link.wire import key_name
from tests.services import Mosquitto
from tests.system.books import check_books
from tests.system.daemon import Daemon, daemon, soon
from tests.system.dealing import NOTHING, SHARE, START, STRAIGHT_FLUSH, Dealer, is_awarded, meter_is, stage_is
from tests.system.enrolment import carrusel
from tests.system.pair import linked
from tests.system.people import PINS, panel
from tests.system.pit_files import OasisHardware

pytestmark = [pytest.mark.system, pytest.mark.broker]

TABLE = "table-t1"
SIGN = "signage-gran"
STRANGER = "link_unknown_key"


async def rekeyed(node: Daemon) -> str:
    """Stop a daemon, give its node another key as two people do, and start it again; the key."""
    assert await node.stop() == 0
    before = key_name(node_key(node.state))
    people = ["--first", "ana", "--second", "bea", "--reason", "a laptop was stolen"]
    typed = f"{PINS['ana']}\n{PINS['bea']}\n"
    code, said, trouble = await carrusel("carousel", "rekey", "--config", str(node.config), *people, typed=typed)
    assert code == 0, trouble
    told = json.loads(said[said.index("{") :])
    assert told["old_key"] == before != told["key"] == key_name(node_key(node.state))
    await node.start()
    return str(told["key"])


def trust(node: Path, key: str) -> None:
    """Whom a member's file takes for its host."""
    lines = [line for line in node.read_text().splitlines() if not line.startswith("host_keys")]
    lines.insert(lines.index('role = "member"') + 1, f'host_keys = ["{key}"]')
    node.write_text("\n".join(lines) + "\n")


async def alarmed(node: Daemon, journal: str, code: str) -> None:
    """Wait until an alarm stands in a journal."""

    async def stands() -> bool:
        return code in [entry["body"].get("code") for entry in await node.entries(journal)]

    await soon(stands, code)


@pytest.mark.requirement("R54")
async def test_other_keys_are_let_in_by_two_people_and_nothing_is_lost(tmp_path: Path, mosquitto: Mosquitto) -> None:
    hardware = OasisHardware.new()
    host_file, node_file = await linked(tmp_path, mosquitto.port, hardware)
    trust(node_file, key_name(node_key(host_file.with_name("state"))))
    async with hardware.running(), daemon(host_file) as host, daemon(node_file) as node:
        table = Dealer(node, "t1", hardware)
        await node.until(TABLE, partial(meter_is, amount=START), "start value")
        await hardware.ready()
        await table.play(1, hands=NOTHING)
        await host.until(SIGN, partial(meter_is, amount=START + SHARE), "its bet")

        key = await rekeyed(node)
        await node.until(TABLE, partial(stage_is, kind="link_lost"), "a start that the host does not answer")
        await alarmed(host, "carousel-gran", STRANGER)
        await host.until(SIGN, partial(meter_is, amount=START + SHARE), "nothing of an unknown key")
        async with panel(host, "tito") as technician:
            asked = {"table": "t1", "key": key, "reason": "a laptop was stolen"}
            await technician.post("/carousels/gran/rekey", asked)
        await node.until(TABLE, partial(meter_is, amount=START + SHARE), "the host's word")
        await hardware.ready()
        await table.play(2, hands=NOTHING)
        await host.until(SIGN, partial(meter_is, amount=START + 2 * SHARE), "a bet under the new key")

        trust(node_file, await rekeyed(host))
        await alarmed(node, TABLE, STRANGER)
        await node.until(TABLE, partial(stage_is, kind="link_lost"), "a host that is not believed")
        assert await node.stop() == 0
        await node.start()
        await node.until(TABLE, partial(meter_is, amount=START + 2 * SHARE), "the host under its new key")
        await hardware.ready()
        await table.play(3, hands=STRAIGHT_FLUSH)
        await node.until(TABLE, is_awarded, "an award under both new keys")
        async with panel(node) as ana:
            prize = (START + 3 * SHARE) // 10
            assert await ana.pay_all("t1") >= prize
        await host.until(SIGN, partial(meter_is, amount=START + 3 * SHARE - prize), "the amount without the prize")
        assert [await node.stop(), await host.stop()] == [0, 0]
    books = check_books(tmp_path / "host" / "state", tmp_path / "node" / "state")
    assert list(books.awards.values()) == list(books.paid.values()) == [prize]
    assert books.kinds("carousel-gran")["ledger.rekey"] == 1
