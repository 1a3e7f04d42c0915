"""The demo's players on real drivers: a busy machine looks late at their chips and loses none."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.adapters.hardware.devices import TableDevices
from controller.core.events import CreditsUnread, Envelope, SeatsClosed
from controller.demo.hardware import TableHands
from controller.demo.run import demo_config
from tests.engine.pit import Pit
from tests.steady_loop import SteadyLoop

BUSY_S = 1.3
SEAT = 3


async def until(pit: Pit, credits: int) -> None:
    async with asyncio.timeout(60):
        while pit.state.hand.credits.get(SEAT, 0) != credits:
            await asyncio.sleep(0.02)


@pytest.mark.promise("P10")
async def test_a_late_look_hides_no_chip(tmp_path: Path) -> None:
    config, hardware = demo_config(tmp_path)
    table = next(each for each in config.tables if each.id == "t1")
    pit, told = Pit(), []

    async def submit(envelope: Envelope) -> None:
        told.append(envelope.event)
        pit.do(envelope.event, actor=envelope.actor, id=envelope.id, source=envelope.source)

    devices = TableDevices(table, submit, "boot")
    devices.build({})
    devices.show(pit.settings, pit.state)
    hands = TableHands(table, hardware)
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SteadyLoop)
    running = [asyncio.create_task(hardware.run()), asyncio.create_task(devices.run())]
    async with asyncio.timeout(60):
        while SeatsClosed("t1-cajas", (), "answers") not in told:
            await asyncio.sleep(0.02)
    for _ in range(2):
        await hands.put_credit(SEAT)
        await until(pit, 1)
        loop.leap(BUSY_S)  # the machine was busy elsewhere
        await hands.lift_credits()
        await until(pit, 0)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    assert not [event for event in told if isinstance(event, CreditsUnread)]
