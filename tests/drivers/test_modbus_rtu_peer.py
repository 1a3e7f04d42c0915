"""The driver against an independent Modbus server, PyPI pymodbus, over pseudo-terminals."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from pymodbus import FramerType
from pymodbus.server import ModbusSerialServer
from pymodbus.simulator import DataType, SimData, SimDevice

from drivers.device import Lamp, SetOutputs
from drivers.events import InputCounted, InputReleased, LinkState, OutputConfirmed
from drivers.link import PortSettings
from drivers.modbus_rtu_io import Settings, build
from drivers.modbus_rtu_io.codec import crc16
from drivers.modbus_rtu_io.sim import Sim
from drivers.serial_link import open_serial
from drivers.simulator import Pty, read_some, write_some
from tests.drivers.fault_proxy import FaultProxy
from tests.drivers.lines import running, tasks

UNIT = 1


@dataclass
class Peer:
    """The server, and the port to open for talking to it."""

    server: ModbusSerialServer
    path: str

    async def set_inputs(self, *on: int) -> None:
        await self.server.async_setValues(UNIT, 2, 0, [i in on for i in range(8)])

    async def set_counter(self, number: int, value: int) -> None:
        await self.server.async_setValues(UNIT, 16, number, [value])

    async def coils(self) -> list[bool]:
        return list(await self.server.async_getValues(UNIT, 1, 0, 8))[:8]

    async def modes(self) -> list[int]:
        return list(await self.server.async_getValues(UNIT, 3, 0x1000, 8))


async def joint(one: Pty, other: Pty) -> None:
    """Carries bytes between the far sides of two pseudo-terminals."""
    loop = asyncio.get_running_loop()
    loop.add_reader(one.master, lambda: write_some(other.master, read_some(one.master)))
    loop.add_reader(other.master, lambda: write_some(one.master, read_some(other.master)))
    try:
        await asyncio.Event().wait()
    finally:
        loop.remove_reader(one.master)
        loop.remove_reader(other.master)
        one.unplug()
        other.unplug()


@contextlib.asynccontextmanager
async def peer(modes: tuple[int, ...] = (0,) * 8) -> AsyncIterator[Peer]:
    logging.getLogger("pymodbus.logging").setLevel(logging.CRITICAL)
    device = SimDevice(
        id=UNIT,
        simdata=(
            [SimData(0, values=[False] * 16, datatype=DataType.BITS)],
            [SimData(0, values=[False] * 16, datatype=DataType.BITS)],
            [
                SimData(0, values=[0] * 8, datatype=DataType.REGISTERS),
                SimData(0x1000, values=list(modes), datatype=DataType.REGISTERS),
            ],
            [SimData(0, values=[0] * 8, datatype=DataType.REGISTERS)],
        ),
    )
    near, far = Pty(), Pty()
    async with tasks(joint(near, far)):
        await asyncio.sleep(0)
        server = ModbusSerialServer(device, framer=FramerType.RTU, port=far.node, baudrate=115200)
        await server.serve_forever(background=True)
        try:
            yield Peer(server, near.node)
        finally:
            await server.shutdown()


def module(**settings):
    quick = {"unit": UNIT, "poll_s": 0.01, "pulse_s": 10.0, "timeout_s": 30.0, **settings}
    return build("peer", Settings.from_dict(quick), None)


async def test_modes_inputs_and_outputs():
    async with peer(modes=(1, 0, 3, 0, 0, 0, 0, 2)) as other, running(other.path, module()) as seen:
        await seen.up("peer")
        assert await other.modes() == [0] * 8
        await other.set_inputs(0, 2)
        await seen.until(lambda: len(seen.of(InputCounted)) == 2)
        await other.set_inputs(2)
        await seen.until(lambda: len(seen.of(InputReleased)) == 1)
        seen.bus.command("peer", SetOutputs({1: Lamp.ON, 7: Lamp.ON}))
        await seen.until(lambda: any(e.outputs[7] is True for e in seen.of(OutputConfirmed)))
        assert await other.coils() == [i in (1, 7) for i in range(8)]
    assert [e.input for e in seen.of(InputCounted)] == [0, 2]
    assert seen.bus.counters.timeouts == 0


async def test_counters():
    settings = {"profile": "counters_8in_8out", "count_by": "counters"}
    async with peer() as other:
        await other.set_counter(3, 65534)
        async with running(other.path, module(**settings)) as seen:
            await seen.up("peer")
            await other.set_counter(3, 2)
            await seen.until(lambda: len(seen.of(InputCounted)) == 4)
    assert [(e.input, e.counter) for e in seen.of(InputCounted)] == [(3, 1), (3, 2), (3, 3), (3, 4)]


async def test_a_map_that_does_not_fit_is_never_up():
    wrong = module(map={"inputs_start": 500, "outputs": 8})
    async with peer() as other, running(other.path, wrong) as seen:
        await seen.until(lambda: LinkState.DOWN in seen.states("peer"))
        assert "refuses inputs (exception" in wrong.trouble
    assert LinkState.UP not in seen.states("peer")


async def test_through_a_line_that_echoes_and_comes_back(tmp_path):
    async with peer() as other:
        proxy = FaultProxy(other.path, str(tmp_path / "adapter"))
        proxy.echo = True
        async with tasks(proxy.run()), running(proxy.path, module()) as seen:
            await seen.up("peer")
            await other.set_inputs(5)
            await seen.until(lambda: [e.input for e in seen.of(InputCounted)] == [5])
            proxy.replug()
            await seen.until(lambda: seen.bus.counters.opens == 2)
            await seen.up("peer")
            await other.set_inputs(5, 6)
            await seen.until(lambda: [e.input for e in seen.of(InputCounted)] == [5, 6])


@pytest.mark.parametrize(
    "wire",
    [b"\xff\x55" + bytes.fromhex("01 02 00 00 00 08 79 CC"), bytes.fromhex("01 02 00 00 00 08 79 CD")],
    ids=["noise in front", "wrong CRC"],
)
async def test_the_peer_is_silent_where_the_simulated_module_is(wire):
    async with peer() as other:
        heard = await exchange(other.path, wire, 0)
    assert heard == b""
    assert Sim().receive(wire, 1.0) == b""


@pytest.mark.parametrize(
    "request_hex",
    ["01 02 00 00 00 08", "01 01 00 00 00 08", "01 0F 00 00 00 08 01 55", "01 05 00 02 FF 00", "01 03 10 00 00 08"],
)
async def test_the_simulated_module_answers_as_the_peer_does(request_hex):
    body = bytes.fromhex(request_hex)
    wire = body + crc16(body)
    answer = Sim().receive(wire, 1.0)
    async with peer() as other:
        heard = await exchange(other.path, wire, len(answer))
    assert heard == answer


async def exchange(path: str, wire: bytes, least: int) -> bytes:
    """Raw bytes out, and what came until there were at least so many bytes back and 0.2 s more had gone by."""
    heard = bytearray()
    lost = asyncio.Event()
    link = await open_serial(PortSettings(path=path, baud=115200), heard.extend, lambda _: lost.set())
    link.write(wire)
    async with asyncio.timeout(60):
        while len(heard) < least:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
    link.abort()
    await lost.wait()
    return bytes(heard)
