"""`carrusel devices`: captured bytes explained, live events of real pseudo-terminals, the lamp test."""

import asyncio
import contextlib
import itertools
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controller.cli import app
from drivers.serial_link import FoundPort
from tests.services import free_port
from tests.steady_loop import SteadyLoop
from tests.system.daemon import REPOSITORY
from tests.system.pit_files import OasisHardware, oasis_table, write_site

runner = CliRunner(env={"LC_ALL": "en_US.UTF-8"})


@pytest.mark.parametrize(
    ("arguments", "text", "code", "expected"),
    [
        (["modbus_rtu", "--hex", "01 02 01 05 61 8B", "--json"], None, 0, "junk_hex"),
        (["cctalk", "--hex", "01 00 02 00 FC"], None, 0, "checksum"),
        (["cctalk", "--hex", "02 zz"], None, 2, "part 2 of the bytes, 'zz': 'z' is no hex digit"),
        (["cctalk", "--hex", "02 123"], None, 2, "part 2 of the bytes, '123': an odd number of digits"),
        (["latin", "--hex", "00"], None, 2, ""),
        (["cctalk"], None, 2, ""),
        (["--lines"], '{"protocol": "cctalk", "bytes_hex": "02 00 01 FE FF"}\n', 0, "254"),
        (["cctalk", "--lines"], "02 00 01 FE FF\nzz\n", 1, "bad_line"),
        (["--lines"], "not json {\n", 1, "error"),
    ],
)
def test_decode(arguments: list[str], text: str | None, code: int, expected: str) -> None:
    result = runner.invoke(app, ["devices", "decode", *arguments], input=text)
    assert (result.exit_code, expected in result.output) == (code, True), result.output


def test_list_is_json_when_asked() -> None:
    result = runner.invoke(app, ["devices", "list", "--json"])
    assert result.exit_code == 0
    assert isinstance(json.loads(result.stdout), list)


def test_list_says_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    by_id = "/dev/serial/by-id/usb-FTDI-if00-port0"
    ports = (
        FoundPort("/dev/ttyS0", "/dev/ttyS0", "ttyS0", "", ""),
        FoundPort(by_id, "/dev/ttyUSB0", "FT232R USB UART", "0403:6001", "A10K1234"),
        FoundPort("/dev/serial/by-path/pci-0", "/dev/ttyUSB1", "n/a", "", ""),
    )
    monkeypatch.setattr("drivers.serial_link.found_ports", lambda: ports)
    assert runner.invoke(app, ["devices", "list"]).stdout.splitlines() == [
        "/dev/ttyS0",
        by_id,
        "    /dev/ttyUSB0  FT232R USB UART  0403:6001  A10K1234",
        "/dev/serial/by-path/pci-0",
        "    /dev/ttyUSB1",
    ]


async def _run(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "controller",
        "devices",
        *arguments,
        cwd=REPOSITORY,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )


@contextlib.asynccontextmanager
async def again_and_again(move: Callable[[bool], object]) -> AsyncIterator[None]:
    """On and off while the body runs: what goes on while a busy machine does not look is no count."""

    async def moving() -> None:
        for on in itertools.cycle((True, False)):
            move(on)
            await asyncio.sleep(1.0)

    task = asyncio.create_task(moving())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.system
async def test_watch_tells_each_event_as_it_comes(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    async with hardware.running():
        watching = await _run("watch", "--config", str(config), "--json", "--seconds", "300")
        assert watching.stdout is not None
        seen: dict[str, dict[str, object]] = {}
        async with asyncio.timeout(120), again_and_again(lambda on: hardware.boxes.set_level(2, on)):
            while "InputCounted" not in seen:
                event = json.loads(await watching.stdout.readline())
                seen[event["event"]] = event
        watching.terminate()
        await watching.wait()
    assert (seen["InputCounted"]["device"], seen["InputCounted"]["input"]) == ("t1-cajas", 2)


@pytest.mark.system
async def test_the_lamp_test_lights_every_lamp_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a thread of this process: a lamp is on for a second, in which the module must not stand still alone."""
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    lit: list[int] = []
    receive = hardware.boxes.receive

    def noted(data: bytes, now_s: float) -> bytes:
        before = hardware.boxes.outputs
        reply = receive(data, now_s)
        lit.extend(n for n, (was, on) in enumerate(zip(before, hardware.boxes.outputs, strict=True)) if on and not was)
        return reply

    def steadily(work: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=SteadyLoop) as loop:
            loop.run(work)

    monkeypatch.setattr(hardware.boxes, "receive", noted)
    monkeypatch.setattr("controller.commands.devices.asyncio.run", steadily)
    async with hardware.running():
        tested = await asyncio.to_thread(runner.invoke, app, ["devices", "test", "--config", str(config)])
    assert (tested.exit_code, lit) == (0, list(range(7))), tested.output


@pytest.mark.system
async def test_the_lamp_test_stops_at_a_device_that_is_not_there(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    hardware.boxes.line.unplug()
    environment = {**os.environ, "LC_ALL": "es_AR.UTF-8"}
    testing = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "controller", "devices", "test", "--config", str(config)),
        cwd=REPOSITORY,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(120):
        out, errors = await testing.communicate()
    assert (testing.returncode, b"salida" in out) == (1, False), (out, errors)
    assert "la prueba se detiene" in errors.decode("utf-8")


@pytest.mark.system
async def test_a_configuration_is_tried_on_simulated_devices_at_its_own_ports(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    text = config.read_text("utf-8")
    for sim, name in ((hardware.boxes, "boxes"), (hardware.keys, "keys"), (hardware.reader, "reader")):
        text = text.replace(sim.path, str(tmp_path / "ports" / name))
    config.write_text(text, "utf-8")
    simulating = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "controller", "devices", "simulate", "--config", str(config)),
        cwd=REPOSITORY,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert simulating.stdin is not None and simulating.stdout is not None and simulating.stderr is not None

    def move(on: bool) -> None:
        assert simulating.stdin is not None
        simulating.stdin.write(b"t1-cajas 2 %s\n" % (b"on" if on else b"off"))

    async with asyncio.timeout(120), again_and_again(move):
        while b"t1-lector" not in await simulating.stdout.readline():
            pass
        watching = await _run("watch", "--config", str(config), "--json", "--seconds", "300")
        assert watching.stdout is not None
        while (event := json.loads(await watching.stdout.readline()))["event"] != "InputCounted":
            pass
        simulating.stdin.write(b"t1-cajas 99 on\n")
        refused = await simulating.stderr.readline()
        simulating.stdin.write(b"t9-cajas 2 on\nt1-cajas CARD As\nhelp\n")
        unknown, unfit = [await simulating.stderr.readline() for _ in range(2)]
        while b"KEYS 1 2 enter" not in await simulating.stdout.readline():
            pass
        for process in (watching, simulating):
            process.terminate()
            await process.wait()
    assert (event["device"], event["input"]) == ("t1-cajas", 2)
    assert b"t1-cajas 99 on" in refused and "las entradas 0 a 7" in refused.decode()
    assert b"t1-cajas, t1-teclas, t1-lector" in unknown and b"help" in unfit
    assert list((tmp_path / "ports").iterdir()) == []


def test_a_port_that_is_a_link_already_is_to_be_removed(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    left = tmp_path / "boxes"
    left.symlink_to(hardware.boxes.path)
    config.write_text(config.read_text("utf-8").replace(hardware.boxes.path, str(left)), "utf-8")
    result = runner.invoke(app, ["devices", "simulate", "--config", str(config)])
    assert (result.exit_code, f"{left}: this link is there already" in result.output) == (2, True), result.output


def test_a_wrong_configuration_is_named(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text("[site]\nid = 'x'\nnaem = 'y'\n")
    result = runner.invoke(app, ["devices", "watch", "--config", str(path)])
    assert (result.exit_code, "naem" in result.output) == (2, True)
