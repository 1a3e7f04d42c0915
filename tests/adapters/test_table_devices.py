"""A table's devices over a real pseudo-terminal: what the table's state says is what the hardware is told."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pytest

from controller.adapters.hardware.devices import TableDevices
from controller.adapters.hardware.lamp_clock import LampClock
from controller.config.table import Table
from controller.core.equipment_events import LampTested, LampTestRan, LampTestSwitched
from controller.core.events import AlarmAcknowledged, AlarmRaised, AntePlaced, Envelope, Key, KeyPressed
from controller.core.refusal import Refusal, Refused
from drivers.cctalk_coin.sim import Sim as SlotSim
from drivers.events import LinkState
from drivers.modbus_rtu_io.sim import Sim as ModbusSim
from tests.engine.pit import Pit

SLOT_FRAUD = 20


class Floor:
    """A pit in memory whose device events come from real drivers."""

    def __init__(self, table: Table) -> None:
        self.pit = Pit()
        self.devices = TableDevices(table, self.submit, "boot")
        self.devices.build({})
        self.show()

    async def submit(self, envelope: Envelope) -> None:
        answer = self.pit.do(envelope.event, actor=envelope.actor, id=envelope.id, source=envelope.source)
        assert not isinstance(answer, Refused), answer
        self.show()

    def person(self, event: object) -> None:
        answer = self.pit.do(event, actor="ana")
        assert not isinstance(answer, Refused), answer
        self.show()

    def show(self) -> None:
        self.devices.show(self.pit.settings, self.pit.state)

    async def until(self, true: Callable[[], bool], what: str) -> None:
        try:
            async with asyncio.timeout(60):
                while not true():
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise AssertionError(f"not yet: {what}; {self.pit.state.alarms}") from None


@contextlib.asynccontextmanager
async def floor(sim: SlotSim | ModbusSim, **table: object) -> AsyncIterator[Floor]:
    floor = Floor(Table.model_validate({"id": "t1", "name": "Mesa 1", "game": "oasis", "seats": 7, **table}))
    running = [asyncio.create_task(sim.run()), asyncio.create_task(floor.devices.run())]
    try:
        yield floor
    finally:
        for task in reversed(running):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.mark.requirement("R66")
@pytest.mark.article("O-49")
async def test_a_slot_closed_by_fraud_stays_closed_until_a_person_has_seen_to_it() -> None:
    sim = SlotSim()
    device = {"name": "slot", "driver": "cctalk_coin", "port": sim.path, "settings": {"timeout_s": 1.0}}
    inputs = [{"device": "slot", "input": 1, "means": "credit", "seat": 3}]
    async with floor(sim, devices=[device], inputs=inputs) as run:
        await run.until(lambda: run.devices.link_states()["slot"] is LinkState.UP, "the slot is there")
        await run.until(lambda: not run.pit.state.closed_seats, "its seat is open")
        run.person(AntePlaced(3))
        await run.until(lambda: sim.accepting and sim.insert(1), "a token is taken")
        await run.until(lambda: run.pit.state.hand.credits == {3: 1}, "it is a bet")
        for _ in range(2):
            sim.happen(SLOT_FRAUD)
            await run.until(lambda: "coin_fraud@slot" in run.pit.state.alarms, "fraud is an alarm")
            assert run.pit.state.alarms["coin_fraud@slot"].seat == 3
            await run.until(lambda: not sim.accepting, "the slot closes")
            run.person(AlarmAcknowledged("coin_fraud", "slot"))
            await run.until(lambda: sim.accepting, "the slot opens again within the same hand")
        sim.happen(SLOT_FRAUD)
        await run.until(lambda: not sim.accepting, "the slot closes")
        run.person(KeyPressed(Key.CLOSE_BETS))
        await run.until(lambda: "coin_fraud@slot" in run.pit.state.alarms, "fraud is an alarm")
        assert not sim.accepting


async def test_the_attention_lamp_is_on_while_a_device_asks_for_a_person() -> None:
    sim = ModbusSim(1)
    device = {"name": "io", "driver": "modbus_rtu_io", "port": sim.path, "unit": 1, "settings": {"timeout_s": 1.0}}
    outputs = [{"device": "io", "output": 7, "means": "attention"}]
    async with floor(sim, devices=[device], outputs=outputs) as run:
        run.person(AlarmRaised("stuck", "io/in3", attention=False))
        run.person(AlarmRaised("clock_unsynchronised", "clock"))
        await run.until(lambda: sim.served > 5, "the module is served")
        assert not sim.outputs[7]
        run.person(AlarmRaised("stuck", "io/in3"))
        await run.until(lambda: sim.outputs[7], "the lamp is on")
        run.person(AlarmAcknowledged("stuck", "io/in3"))
        await run.until(lambda: not sim.outputs[7], "the lamp is off")


async def test_lamps_are_tested_between_hands_and_the_first_bet_ends_the_test() -> None:
    sim = ModbusSim(1)
    device = {"name": "io", "driver": "modbus_rtu_io", "port": sim.path, "unit": 1}
    means = (("lamp", 1), ("out", 1), ("lamp", 2), ("attention", None))
    outputs = [
        {"device": "io", "output": number, "means": name, **({"seat": seat} if seat else {})}
        for number, (name, seat) in enumerate(means)
    ]
    async with floor(sim, devices=[device], outputs=outputs) as one:
        await one.until(lambda: sim.served > 5 and not any(sim.outputs[:4]), "all dark")
        one.person(LampTestSwitched(True))
        await one.until(lambda: sim.outputs[:4] == (True,) * 4, "all lit")
        sim.power_cycle()
        await one.until(lambda: sim.outputs[:4] == (True,) * 4, "lit again after a reset")
        one.person(LampTestSwitched(False))
        await one.until(lambda: not any(sim.outputs[:4]), "dark again")
        one.person(LampTestSwitched(True))
        one.pit.bet(1)
        one.show()
        await one.until(lambda: sim.outputs[:4] == (True, False, False, False), "the bet's own lamp alone")
        refused = one.pit.do(LampTestSwitched(True), actor="ana")
        assert isinstance(refused, Refused) and refused.reason is Refusal.LAMPS_IN_USE
        assert one.pit.state == one.pit.replayed()


def wired_lamps() -> list[dict[str, object]]:
    means = (("lamp", 1), ("invite", 1), ("lamp", 2), ("attention", None))
    return [
        {"device": "io", "output": number, "means": name, **({"seat": seat} if seat else {})}
        for number, (name, seat) in enumerate(means)
    ]


async def test_one_lamp_is_lit_for_its_seconds_and_given_back_to_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the module's coils show, over its line: that lamp, again after a reset, and dark when its time ran."""
    monkeypatch.setattr("controller.adapters.hardware.lamp_clock.LAMP_TEST_S", 2)
    sim = ModbusSim(1)
    device = {"name": "io", "driver": "modbus_rtu_io", "port": sim.path, "unit": 1}
    async with floor(sim, devices=[device], outputs=wired_lamps()) as one:
        posted: asyncio.Queue[Envelope] = asyncio.Queue()
        clock = LampClock(posted.put_nowait, iter(map(str, range(9))).__next__)
        at_rest = (False, True, False, False)
        await one.until(lambda: sim.outputs[:4] == at_rest, "seat 1 is invited")
        one.person(LampTested(2, "lamp"))
        await one.until(lambda: sim.outputs[:4] == (False, True, True, False), "the lamp of seat 2 too")
        sim.power_cycle()
        await one.until(lambda: sim.outputs[:4] == (False, True, True, False), "lit again after a reset")
        clock.show(one.pit.state)
        clock.show(one.pit.state)
        async with asyncio.timeout(30):
            await one.submit(await posted.get())
        clock.show(one.pit.state)
        await one.until(lambda: sim.outputs[:4] == at_rest, "as the table says")
        assert posted.empty() and one.pit.state == one.pit.replayed()


async def test_the_first_bet_ends_the_test_of_a_lamp_and_none_begins_after_it() -> None:
    sim = ModbusSim(1)
    device = {"name": "io", "driver": "modbus_rtu_io", "port": sim.path, "unit": 1}
    async with floor(sim, devices=[device], outputs=wired_lamps()) as one:
        await one.until(lambda: sim.outputs[:4] == (False, True, False, False), "seat 1 is invited")
        one.person(LampTested(2, "lamp"))
        first = one.pit.state.lamp_on_test
        one.person(LampTested(1, "invite"))
        assert first is not None and not isinstance(one.pit.do(LampTestRan(first.id)), Refused)
        assert one.pit.state.lamp_on_test is not None, "the time of the first test is nothing to the second"
        await one.until(lambda: not sim.outputs[1], "lit anyway, it blinks")
        await one.until(lambda: sim.outputs[1] and not sim.outputs[2], "and the other one is given back")
        one.pit.bet(1)
        one.show()
        await one.until(lambda: sim.outputs[:4] == (True, False, False, False), "the bet's own lamp alone")
        assert one.pit.state.lamp_on_test is None
        refused = one.pit.do(LampTested(2, "lamp"), actor="ana")
        assert isinstance(refused, Refused) and refused.reason is Refusal.LAMPS_IN_USE
        unknown = one.pit.do(LampTested(9, "lamp"), actor="ana")
        assert isinstance(unknown, Refused) and unknown.reason is Refusal.UNKNOWN_SEAT
        assert one.pit.state == one.pit.replayed()


async def test_a_seat_shows_all_its_states_where_it_has_three_lamps() -> None:
    """Invited, accepted, out of the progressive, and off: each on the lamp of its own (art. 13, 35)."""
    sim = ModbusSim(1)
    device = {"name": "io", "driver": "modbus_rtu_io", "port": sim.path, "unit": 1}
    outputs = [
        {"device": "io", "output": number, "means": means, "seat": 1}
        for number, means in enumerate(("lamp", "invite", "out"))
    ]
    async with floor(sim, devices=[device], outputs=outputs) as one:
        await one.until(lambda: sim.outputs[:3] == (False, True, False), "invited")
        one.pit.bet(1)
        one.show()
        await one.until(lambda: sim.outputs[:3] == (True, False, False), "accepted")
        one.pit.close()
        one.pit.deal("2c 4s 6h 8c Tc", "Ah Kh 7c 4d 2h")
        for key in (Key.PLAY, Key.BUY):
            one.pit.do(KeyPressed(key, seat=1))
        one.show()
        await one.until(lambda: sim.outputs[:3] == (False, False, True), "out of the progressive")
        sim.power_cycle()
        await one.until(lambda: sim.outputs[:3] == (False, False, True), "the same again after a reset")
