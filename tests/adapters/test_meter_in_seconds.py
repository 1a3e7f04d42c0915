"""How long the meters take to be right once a broker is there again, by a clock that the test drives.

Real ends of the link on a broker of this process; what it takes is counted in the protocol's own intervals, whatever
else the machine does. Over a real broker, and loosely, tests/system/test_broker.py holds the same.
"""

import asyncio

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.link import mqtt
from controller.adapters.link.host_end import meter_pause_s
from controller.adapters.link.pace import BEAT_S
from controller.adapters.link.wire import key_name
from controller.adapters.screens.screens import CONFIRM_S
from display.feed import HEARTBEAT_S
from tests.adapters.driven_link import BrokerHere, driven, host_end_of, table_end_of
from tests.engine.carousel_house import CENTAVO, House

PROMISED_S = 5.0
LOOK_S = 0.01
OUT_OF_STEP_S = 0.77
BET = 1_000
OUTAGES_S = [0.05 + 0.37 * number for number in range(12)] + [7.3, 11.9, 30.1, 61.7, 305.3]


async def right_after(outage_s: float) -> float:
    """Seconds from the broker's return until both ends hold what was bet while it was gone, and hear each other."""
    loop = asyncio.get_running_loop()
    broker, key = BrokerHere(), Ed25519PrivateKey.generate()
    house = House.of("t1", key=key_name(key))
    (table,) = house.tables
    host_end, _ = host_end_of(broker, house.host, key)
    table_end, at_table = table_end_of(broker, table)

    def right(amount: int) -> bool:
        return table.state.link_up and amount == house.amount_minor == table.state.meter_micros // CENTAVO

    async def until(amount: int) -> float:
        began = loop.time()
        while not right(amount):
            assert loop.time() - began < 20 * PROMISED_S, (outage_s, amount, table.state.link_up)
            await asyncio.sleep(LOOK_S)
        return loop.time() - began

    running = [asyncio.create_task(host_end.run())]
    await asyncio.sleep(OUT_OF_STEP_S)
    running.append(asyncio.create_task(table_end.run()))
    whole = table.state.meter_micros // CENTAVO
    await until(whole)
    broker.kill()
    await asyncio.sleep(outage_s / 2)
    table.bet(BET)
    at_table.committed()
    await asyncio.sleep(outage_s / 2)
    broker.up = True
    took_s = await until(whole + BET)
    for task in running:
        task.cancel()
    await asyncio.wait(running)
    return took_s


@pytest.mark.promise("P6")
def test_the_meters_are_right_within_five_seconds_of_a_broker_s_return(monkeypatch: pytest.MonkeyPatch) -> None:
    took = {outage_s: driven(right_after(outage_s), monkeypatch) for outage_s in OUTAGES_S}
    assert max(took.values()) + CONFIRM_S + HEARTBEAT_S <= PROMISED_S, took


@pytest.mark.promise("P6")
@pytest.mark.parametrize("tables", [1, 20, 200])
def test_the_intervals_on_the_way_to_a_right_meter_add_up_to_less_than_promised(tables: int) -> None:
    """Both ends find the broker, the host says that it serves, the table looks, METER is said, screens look."""
    found, told, looked, said = max(mqtt.RECONNECT_S), BEAT_S, BEAT_S, meter_pause_s(tables)
    assert found + told + looked + said + max(CONFIRM_S, HEARTBEAT_S) <= PROMISED_S
