"""What a table's card on the floor names of its alarms and of prizes that wait."""

import asyncio
import re
from dataclasses import replace

from controller.api.panel.routes import grouped_alarms, own_alarms
from controller.core.events import AntePlaced, AnteWithdrawn
from controller.engine.messages import Status
from tests.api.office import Office

CLOCK = {"alarm": "clock_unsynchronised", "source": "clock", "open": True}
STOPPED = {"alarm": "bets_stopped", "source": "people", "why": "sensor en duda"}
DEVICE = {"alarm": "device_down", "device": "cajas"}


def test_a_card_names_what_stops_its_table_first() -> None:
    own = own_alarms({"alarms": [CLOCK, DEVICE, STOPPED]})
    assert [each["alarm"] for each in own] == ["bets_stopped", "device_down"]


def test_an_alarm_of_the_node_stands_once_and_on_no_card() -> None:
    tables = [{"id": f"t{number}", "name": f"Mesa {number}", "alarms": [CLOCK]} for number in (1, 2, 3)]
    assert [own_alarms(table) for table in tables] == [[], [], []]
    assert grouped_alarms(tables) == [CLOCK]


async def test_the_floor_names_a_table_that_is_not_heard_until_it_is(office: Office) -> None:
    ana, end = await office.person("ana"), office.node.hosts["gran"].end
    assert end is not None
    link = office.node.tables["t1"].runner.state.link
    birth = Status("t1", link.settings.incarnation, link.epoch, link.mark, alive=True)

    async def named() -> bool:
        page = (await ana.get("/")).text
        says = "<b>Mesa 1: Una mesa del carrusel no se oye" in page
        assert not (says and "Todo en orden" in page)
        return says

    async def waits(for_it: bool) -> None:
        async with asyncio.timeout(60):
            while await named() is not for_it:
                await asyncio.sleep(0.1)

    await waits(for_it=False)
    end._hear_presence(replace(birth, alive=False))
    await waits(for_it=True)
    end._hear_presence(birth)
    await waits(for_it=False)


async def test_prizes_that_wait_name_their_hands_beside_the_phase_of_the_one_in_course(office: Office) -> None:
    ana = await office.person("ana")
    for said in ("Pendiente · mano 1", "Pendientes · manos 1, 2"):
        await office.win()
        await office.tell("t1", AntePlaced(5))
        for path in ("/", "/table/t1"):
            chips = re.findall('<span class="chip[^>]*>.*?</span>', (await ana.get(path)).text)
            told = [re.sub("<[^>]*>", "", chip) for chip in chips]
            assert told[told.index(said) - 1] == "Apuestas", told
        await office.tell("t1", AnteWithdrawn(5))
    assert (await ana.get("/api/v1/tables/t1")).json()["pending_hands"] == [1, 2]
