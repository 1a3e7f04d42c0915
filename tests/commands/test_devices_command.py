"""`carrusel devices`: captured bytes explained, live events of real pseudo-terminals, the lamp test."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.cli import app
from tests.services import free_port
from tests.system.daemon import REPOSITORY
from tests.system.pit_files import OasisHardware, oasis_table, write_site

runner = CliRunner()


@pytest.mark.parametrize(
    ("arguments", "text", "code", "expected"),
    [
        (["modbus_rtu", "--hex", "01 02 01 05 61 8B", "--json"], None, 0, "junk_hex"),
        (["cctalk", "--hex", "01 00 02 00 FC"], None, 0, "checksum"),
        (["cctalk", "--hex", "zz"], None, 2, ""),
        (["latin", "--hex", "00"], None, 2, ""),
        (["cctalk"], None, 2, ""),
        (["--lines"], '{"protocol": "cctalk", "bytes_hex": "02 00 01 FE FF"}\n', 0, "254"),
        (["cctalk", "--lines"], "02 00 01 FE FF\nzz\n", 1, "bad_line"),
        (["--lines"], "not json {\n", 1, "error"),
    ],
)
def test_decode(arguments: list[str], text: str | None, code: int, expected: str) -> None:
    result = runner.invoke(app, ["devices", "decode", *arguments], input=text)
    assert (result.exit_code, expected in result.stdout) == (code, True), result.output


def test_list_is_json_when_asked() -> None:
    result = runner.invoke(app, ["devices", "list", "--json"])
    assert result.exit_code == 0
    assert isinstance(json.loads(result.stdout), list)


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


@pytest.mark.system
async def test_watch_tells_each_event_as_it_comes(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    async with hardware.running():
        watching = await _run("watch", "--config", str(config), "--json", "--seconds", "30")
        assert watching.stdout is not None
        seen: dict[str, dict[str, object]] = {}
        async with asyncio.timeout(60):
            while "InputCounted" not in seen:
                event = json.loads(await watching.stdout.readline())
                seen[event["event"]] = event
                if event["event"] == "LinkChanged" and event["device"] == "t1-cajas":
                    hardware.boxes.set_level(2, True)
        watching.terminate()
        await watching.wait()
    assert (seen["InputCounted"]["device"], seen["InputCounted"]["input"]) == ("t1-cajas", 2)


@pytest.mark.system
async def test_the_lamp_test_lights_every_lamp_once(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    lit: set[int] = set()
    async with hardware.running():
        testing = await _run("test", "--config", str(config))
        async with asyncio.timeout(60):
            while testing.returncode is None:
                lit |= {number for number, on in enumerate(hardware.boxes.outputs) if on}
                await asyncio.sleep(0.02)
    assert (testing.returncode, lit) == (0, set(range(7)))


def test_a_wrong_configuration_is_named(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text("[site]\nid = 'x'\nnaem = 'y'\n")
    result = runner.invoke(app, ["devices", "watch", "--config", str(path)])
    assert (result.exit_code, "naem" in result.output) == (2, True)
