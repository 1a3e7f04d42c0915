"""The bus over real pseudo-terminals: one silent device, echo, unplug, rename, garbage, two opens, commands."""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading

import pytest

from drivers import serial_link
from drivers.bus import Bus
from drivers.device import DriverError, Lamp, SetOutputs
from drivers.events import CountDiscontinuity, InputCounted, LinkChanged, LinkState, OutputConfirmed
from drivers.frame_log import KEPT, Outcome
from drivers.link import LinkUnavailable, PortSettings
from drivers.modbus_rtu_io import Settings, build
from drivers.modbus_rtu_io.sim import Sim
from drivers.serial_link import open_serial
from drivers.simulator import Faults, SimLine
from tests.drivers import lines
from tests.drivers.fault_proxy import FaultProxy
from tests.drivers.lines import running, tasks

UP, DEGRADED, DOWN = LinkState.UP, LinkState.DEGRADED, LinkState.DOWN


PATIENT_S = 1.0
"""How long an answer is waited for: a busy kernel takes its time to carry bytes over a pseudo-terminal."""
SHORT_S = 0.04


def module(unit: int = 1, **settings) -> object:
    quick = {"unit": unit, "poll_s": 0.01, "timeout_s": PATIENT_S, "gap_s": 0.0, "pulse_s": 10.0, **settings}
    return build(f"m{unit}", Settings.from_dict(quick), None)


async def test_presses_are_counted_once_each_and_lamps_shown():
    sim = Sim()
    async with tasks(sim.run()), running(sim.path, module()) as seen:
        await seen.up("m1")
        for number in (0, 3, 3, 6):
            before = len(seen.of(InputCounted))
            sim.set_level(number, True)  # held until it is seen: a busy machine may miss a short press
            await seen.until(lambda n=before: len(seen.of(InputCounted)) > n)
            sim.set_level(number, False)
            served = sim.served
            await seen.until(lambda n=served: sim.served > n + 6)
        seen.bus.command("m1", SetOutputs({2: Lamp.ON}))
        await seen.until(lambda: sim.outputs[2] and any(e.outputs[2] for e in seen.of(OutputConfirmed)))
    assert [(e.input, e.counter) for e in seen.of(InputCounted)] == [(0, 1), (3, 1), (3, 2), (6, 1)]


async def test_a_silent_device_is_reported_and_does_not_stop_the_others():
    line = SimLine()
    sims = [Sim(unit, line=line) for unit in (1, 2, 3)]
    devices = [module(unit) for unit in (1, 2, 3)]
    async with tasks(line.run()), running(line.path, *devices) as seen:
        await seen.up("m1", "m2", "m3")
        sims[1].silent = True
        await seen.until(lambda: seen.states("m2") == [UP, DEGRADED, DOWN])
        served = [sim.served for sim in sims]
        await seen.until(lambda: all(sims[i].served > served[i] + 20 for i in (0, 2)))
        assert seen.bus.link_state("m2") is DOWN
        sims[0].set_level(5, True)
        await seen.until(lambda: any(e.input == 5 for e in seen.of(InputCounted)))
        assert seen.bus.counters.opens == 1
        sims[1].silent = False
        await seen.up("m2")
    assert seen.states("m1")[:1] == seen.states("m3")[:1] == [UP]
    assert seen.states("m2")[:4] == [UP, DEGRADED, DOWN, UP]


async def test_a_device_that_was_never_there_is_down_with_a_reason():
    sim = Sim(unit=1)
    async with tasks(sim.run()), running(sim.path, module(1), module(9)) as seen:
        await seen.until(lambda: seen.states("m9") == [DOWN])
        assert seen.bus.link_state("m1") is UP
    assert "no valid reply" in seen.of(LinkChanged)[1].why


@pytest.mark.parametrize("echo", ["auto", "strip"])
async def test_the_own_bytes_are_taken_out_on_a_line_with_echo(echo):
    line = SimLine(echo=True)
    sim = Sim(line=line, modes=[1] * 8)  # FC06 replies equal their requests: a true reply and an echo look the same
    async with tasks(line.run()), running(line.path, module(timeout_s=30.0), echo=echo) as seen:
        await seen.up("m1")
        assert sim.modes == [0] * 8
        sim.set_level(1, True)
        await seen.until(lambda: len(seen.of(InputCounted)) == 1)
        assert seen.bus.counters.timeouts == 0


async def test_unplugged_and_back_under_another_node(tmp_path, caplog):
    caplog.set_level(logging.INFO, "drivers.bus")
    line = SimLine(str(tmp_path / "usb-adapter-7"))
    sim = Sim(line=line)
    async with tasks(line.run()), running(line.path, module()) as seen:
        await seen.up("m1")
        seen.bus.command("m1", SetOutputs({4: True}))
        await seen.until(lambda: sim.outputs[4])
        first = line.pty.node
        line.unplug()
        sim.power_cycle(0)
        await seen.until(lambda: seen.states("m1") == [UP, DOWN])
        await asyncio.sleep(0.5)  # tries to open it meanwhile are told nobody
        line.replug()
        assert line.pty.node != first
        await seen.until(lambda: seen.states("m1") == [UP, DOWN, UP])
        await seen.until(lambda: sim.outputs[4])
    told = [r.getMessage() for r in caplog.records if r.name == "drivers.bus"]
    assert len([t for t in told if "is down" in t and "stopped" not in t and "closed" not in t]) == 1
    assert len([t for t in told if "is up" in t]) == 2


async def test_a_name_that_is_re_pointed_while_the_old_node_lives_is_followed(tmp_path):
    link = tmp_path / "adapter"
    old, new = Sim(), Sim()
    link.symlink_to(old.path)
    async with tasks(old.run(), new.run()), running(str(link), module()) as seen:
        await seen.up("m1")
        link.unlink()
        link.symlink_to(new.path)
        await seen.until(lambda: new.served > 20)
        await seen.up("m1")
        before = old.served
        await seen.until(lambda: new.served > 60)
        assert old.served == before


async def test_noise_and_half_frames_cost_polls_but_never_a_false_count():
    sim = Sim()
    sim.line.faults = Faults(noise=200, cut=100, flip_bit=10, drop_byte=10, repeat=100, seed=3)
    async with tasks(sim.run()), running(sim.path, module(timeout_s=SHORT_S)) as seen:

        def surely_lost() -> int:  # polls may fail for longer than the three seconds after which a press is no bet
            return sum(e.lost_min for e in seen.of(CountDiscontinuity))

        await seen.up("m1")
        for made in range(1, 6):
            sim.set_level(0, True)
            await seen.until(lambda n=made: len(seen.of(InputCounted)) + surely_lost() == n)
            sim.set_level(0, False)
            await seen.answered(12)
    counted = [e.counter for e in seen.of(InputCounted)]
    assert counted
    assert counted == list(range(1, len(counted) + 1))
    assert len(counted) + surely_lost() == 5
    assert {e.input for e in seen.of(InputCounted)} == {0}


async def test_byte_by_byte_and_late():
    sim = Sim()
    sim.line.faults = Faults(bytewise=True, delay_s=0.01)
    async with tasks(sim.run()), running(sim.path, module(timeout_s=30.0)) as seen:
        await seen.up("m1")
        sim.set_level(2, True)
        await seen.until(lambda: [e.input for e in seen.of(InputCounted)] == [2])
        assert seen.bus.counters.timeouts == 0


async def test_garbage_alone_is_not_a_device():
    line = SimLine()
    async with tasks(line.run()), running(line.path, module()) as seen:
        for _ in range(40):
            await line.say(bytes(range(256)))
            await asyncio.sleep(0.01)
        await seen.until(lambda: seen.states("m1") == [DOWN])
    assert not seen.of(InputCounted)


async def test_through_the_fault_proxy_stalled_killed_and_back(tmp_path):
    sim = Sim()
    proxy = FaultProxy(sim.path, str(tmp_path / "by-id"))
    proxy.echo = True
    async with tasks(sim.run(), proxy.run()), running(proxy.path, module()) as seen:
        await seen.up("m1")
        proxy.stall = True
        await seen.until(lambda: DEGRADED in seen.states("m1"))
        proxy.stall = False
        await seen.up("m1")
        proxy.kill()
        await seen.until(lambda: seen.states("m1")[-1] is DOWN)
        proxy.replug()
        await seen.up("m1")


async def test_a_second_open_is_refused_with_the_reason():
    sim = Sim()
    async with tasks(sim.run()), running(sim.path, module()) as seen:
        await seen.up("m1")
        with pytest.raises(LinkUnavailable, match="held by another program"):
            await open_serial(PortSettings(path=sim.path), lambda _: None, lambda _: None)
        async with running(sim.path, module()) as second:
            await second.until(lambda: second.states("m1") == [DOWN])
            assert "held by another program" in second.of(LinkChanged)[0].why
        assert seen.bus.link_state("m1") is UP


async def test_a_port_that_is_not_there_is_told_once(tmp_path, caplog, monkeypatch):
    tried = 0

    async def counted(*arguments) -> object:
        nonlocal tried
        tried += 1
        return await open_serial(*arguments)

    monkeypatch.setattr(lines, "open_serial", counted)
    async with running(str(tmp_path / "none"), module()) as seen:
        await seen.until(lambda: tried > 3)
    assert [e.why for e in seen.of(LinkChanged)] == [f"{tmp_path / 'none'} is not there"]
    assert len([r for r in caplog.records if r.name == "drivers.bus"]) == 1


async def test_a_cancelled_open_leaves_the_port_free(monkeypatch):
    held, let_go = threading.Event(), threading.Event()
    drop_input = serial_link._drop_input

    def dawdle(instance) -> None:
        held.set()
        assert let_go.wait(60)
        drop_input(instance)

    monkeypatch.setattr(serial_link, "_drop_input", dawdle)
    sim = Sim()
    async with tasks(sim.run()):
        opening = asyncio.ensure_future(open_serial(PortSettings(path=sim.path), lambda _: None, lambda _: None))
        await asyncio.to_thread(held.wait, 60)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        let_go.set()
        async with running(sim.path, module()) as seen:
            await seen.up("m1")


async def test_abort_with_unsent_bytes_and_a_peer_that_does_not_read_ends_at_once():
    line = SimLine()
    lost: asyncio.Queue[str] = asyncio.Queue()
    link = await open_serial(PortSettings(path=line.path), lambda _: None, lost.put_nowait)
    link.write(b"x" * 200_000)
    link.abort()
    link.abort()
    async with asyncio.timeout(60):
        assert await lost.get() == "closed"  # and not given up by the watchdog, which has reasons of its own
    await asyncio.sleep(0.05)
    line.unplug()
    assert lost.empty()


async def test_memory_is_handed_out_before_the_events_of_its_epoch():
    sim = Sim()
    async with tasks(sim.run()), running(sim.path, module()) as seen:
        assert seen.memory == {} or seen.memory["m1"]["epoch"] == 1
        await seen.up("m1")
        assert seen.memory["m1"]["epoch"] == 1


async def test_the_last_frames_are_kept_with_their_answers_and_bounded():
    sim = Sim()
    async with tasks(sim.run()), running(sim.path, module()) as seen:
        await seen.up("m1")
        await seen.until(lambda: seen.bus.counters.exchanges > 300)
        frames = seen.bus.frames("m1")
        assert 0 < len(frames) <= KEPT
        assert sum(each.times for each in frames) > KEPT, "polls that repeat are counted, not kept"
        assert all(newer.at_s >= older.at_s for newer, older in itertools.pairwise(frames))
        answered = [each for each in frames if each.outcome is Outcome.ANSWERED]
        assert answered and all(each.heard[:2] == each.sent[:2] for each in answered), "unit and function are the same"
        sim.silent = True
        await seen.until(lambda: seen.bus.frames("m1")[0].outcome is Outcome.SILENT)
        unanswered = seen.bus.frames("m1")[0]
        assert (unanswered.heard, unanswered.sent in {each.sent for each in answered}) == (b"", True)


async def test_frames_belong_to_the_device_that_was_asked():
    sim = Sim()
    async with tasks(sim.run()), running(sim.path, module(1), module(2)) as seen:
        await seen.up("m1")
        await seen.until(lambda: bool(seen.bus.frames("m2")))
        assert {each.sent[0] for each in seen.bus.frames("m1")} == {1}
        silent = {(each.sent[0], each.outcome) for each in seen.bus.frames("m2")}
    assert silent == {(2, Outcome.SILENT)}


def test_two_devices_with_one_address_are_refused():
    with pytest.raises(DriverError, match="one address"):
        Bus(PortSettings(path="/dev/null"), [module(1), module(1)], lambda _: None)


async def test_line_settings_that_a_port_refuses_are_a_reason_and_no_hang():
    line = SimLine()
    port = PortSettings.from_dict({"path": line.path, "data_bits": 7, "parity": "E"})
    try:
        with pytest.raises(LinkUnavailable, match="does not take these line settings"):
            await asyncio.wait_for(open_serial(port, lambda data: None, lambda why: None), 60)
    finally:
        line.pty.unplug()
