"""`carrusel devices simulate`: the devices of a configuration as pseudo-terminals, moved by lines of standard input."""

import asyncio
import contextlib
import os
import sys
from pathlib import Path
from stat import S_ISCHR, S_ISREG
from typing import Annotated, Any

import typer

from controller.commands.console_words import complain, fail, speak_as
from controller.config.texts import said

PULSE_S = 0.15
ON, OFF, PULSE = "on", "off", "pulse"


def simulate(
    config: Annotated[
        Path, typer.Option("--config", help="The site's TOML file; each port is a path that is not there yet.")
    ],
) -> None:
    """Answer as the configured devices do, at their ports, to try a configuration without hardware; Ctrl-C ends.

    Standard input moves them: `DEVICE INPUT on|off|pulse`, `DEVICE CARD As` (a reader), `DEVICE COIN 3`,
    `DEVICE KEYS 1 2 enter`.
    """
    from controller.adapters.hardware.devices import known_hardware
    from controller.config import ConfigError, load

    known = known_hardware()
    try:
        loaded = load(config, known.drivers, known.device_fault)
    except ConfigError as problem:
        fail(*problem.faults)
    speak_as(loaded.site.language)
    devices = [device for table in loaded.tables for device in table.devices]
    devices += [device for carousel in loaded.carousels for device in carousel.devices]
    for port in dict.fromkeys(device.port for device in devices):
        place = Path(port)
        if place.exists() or not place.is_absolute():
            fail(said("{port}: a simulated device's port is an absolute path where nothing is yet", port=port))
        place.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(devices))


async def _serve(devices: list[Any]) -> None:
    from controller.demo.hardware import line_at, sim_of

    ports = {device.port: line_at(device.port) for device in devices}
    sims = {device.name: sim_of(device, ports[device.port]) for device in devices}
    async with asyncio.TaskGroup() as tasks:
        for port in ports.values():
            tasks.create_task(port.run())
        for device in devices:
            print(f"{device.name:<16} {device.driver:<16} {ports[device.port].path}  {device.port}", flush=True)
        async for line in _standard_input():
            if not await move(sims, line.split()):
                complain(said("not understood: {line}", line=line.strip()))
        await asyncio.Event().wait()


async def _standard_input() -> Any:
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if S_ISREG(mode) or (S_ISCHR(mode) and not sys.stdin.isatty()):  # a service has /dev/null; no loop waits for one
        for each in sys.stdin:
            if each.strip():
                yield each.strip()
        return
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        if text := line.decode("utf-8", "replace").strip():
            yield text


async def move(sims: dict[str, Any], told: list[str]) -> bool:
    """Do what a line says to a simulated device; False when there is no such device or it cannot do that."""
    if len(told) < 3 or told[0] not in sims:
        return False
    sim, what = sims[told[0]], told[1:]
    match what:
        case [number, ("on" | "off") as level] if number.isdigit() and _has_input(sim, int(number)):
            sim.set_level(int(number), level == ON)
        case [number, "pulse"] if number.isdigit() and _has_input(sim, int(number)):
            sim.press(int(number), PULSE_S)
        case ["CARD", card] if hasattr(sim, "read_line"):
            await sim.read_line(f"CARD {card}")
        case ["COIN", coin] if coin.isdigit() and hasattr(sim, "insert"):
            return bool(sim.insert(int(coin)))
        case ["KEYS", *keys] if hasattr(sim, "lose"):
            await sim.press(*keys)
        case _:
            return False
    return True


def _has_input(sim: Any, number: int) -> bool:
    return hasattr(sim, "set_level") and number < len(sim.levels)
