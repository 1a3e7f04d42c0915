"""What a table's card on the floor names of its alarms."""

import asyncio
from dataclasses import replace

from controller.api.panel.routes import grouped_alarms, own_alarms
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
