"""A table of another node is enrolled on the host's panel, over a broker that knows each node by its certificate."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from controller.adapters.journal.checkpoints import node_key
from controller.adapters.link.wire import key_name
from tests.certificates import Authority
from tests.services import BrokerOptions, Mosquitto, free_port
from tests.system.books import check_books
from tests.system.daemon import daemon, soon
from tests.system.dealing import SHARE, START, STRAIGHT_FLUSH, Dealer, meter_is, stage_is
from tests.system.enrolment import carrusel
from tests.system.people import Panel, hire, panel
from tests.system.pit_files import OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.broker]

LINK = """
[mqtt]
host = "127.0.0.1"
port = {port}
keepalive_s = 5
tls = {{ ca = "{files}/ca.crt", certificate = "{files}/{name}.crt", key = "{files}/{name}.key" }}
[[carousels]]
id = "gran"
name = "Gran Carrusel"
{facts}
"""


async def is_quiet(people: Panel, table: str) -> bool:
    """Whether no alarm says anything of broker or link: one of a loss that is over goes by itself."""
    alarms = str((await people.get(f"/tables/{table}"))["alarms"])
    return "broker_open" not in alarms and "link_" not in alarms


@pytest.mark.requirement("R50", "R56")
@pytest.mark.promise("P13")
async def test_a_table_of_another_node_joins_contributes_and_wins(
    tmp_path: Path, authority: Authority, mosquitto_with: Callable[..., Mosquitto]
) -> None:
    for name in ("server", "host", "t2"):
        authority.issue(name)
    near, far = OasisHardware.new(), OasisHardware.new()

    def host_file(port: int) -> Path:
        facts = 'role = "host"\naccept = ["t2"]'
        link = LINK.format(port=port, files=authority.directory, name="host", facts=facts)
        return write_site(tmp_path / "a", free_port(), link, oasis_table("t1", near, "gran"))

    code, acl, trouble = await carrusel("carousel", "acl", "--config", str(host_file(8883)))
    assert code == 0, trouble
    broker = mosquitto_with(BrokerOptions(tls=authority.directory, require_certificate=True, acl=acl))
    config = host_file(broker.port)
    await hire(config)
    facts = f'role = "member"\nhost_keys = ["{key_name(node_key(tmp_path / "a" / "state"))}"]'
    link = LINK.format(port=broker.port, files=authority.directory, name="t2", facts=facts)
    node_file = write_site(tmp_path / "b", free_port(), link, oasis_table("t2", far, "gran"))
    await hire(node_file)
    code, profile, trouble = await carrusel("carousel", "profile", "t2", "--config", str(node_file))
    assert code == 0 and profile.count("\n") == 1, trouble

    async with near.running(), far.running(), daemon(config) as host, daemon(node_file) as node:
        await host.until("table-t1", partial(meter_is, amount=START), "its own start value")
        async with panel(host) as ana, panel(node) as far_ana:
            asked = {"profile": json.loads(profile), "reason": "opening of the pit"}
            async with panel(host, "tito") as technician:
                await technician.post("/carousels/gran/members", asked)
            for place, screen in ((host, "signage-gran"), (node, "table-t2")):
                await place.until(screen, partial(meter_is, amount=2 * START), "both start values")
            await far.ready()
            await Dealer(node, "t2", far).play(3, hands=STRAIGHT_FLUSH)
            whole = 2 * START + SHARE
            prize = whole // 10
            await node.until("table-t2", partial(stage_is, kind="prize_pending"), "its prize")
            await host.until("signage-gran", partial(meter_is, amount=whole - prize), "the sum less the prize")
            assert await far_ana.pay_all("t2") >= prize
            for people, table in ((ana, "t1"), (far_ana, "t2")):
                await soon(partial(is_quiet, people, table), f"no alarm of the link at {table}")
        assert [await host.stop(), await node.stop()] == [0, 0]
    books = check_books(tmp_path / "a" / "state", tmp_path / "b" / "state")
    assert list(books.awards.values()) == list(books.paid.values()) == [prize]
    assert books.figures == {"gran": whole - prize}
