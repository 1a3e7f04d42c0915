"""`carrusel devices simulate`: the devices of a configuration as pseudo-terminals, moved by lines of standard input."""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path
from stat import S_ISCHR, S_ISREG
from typing import Annotated, Any

import typer

from controller.commands.console_words import complain, fail, speak_as, words
from controller.config.texts import Said, said

PULSE_S = 0.15
ON, PULSE = "on", "pulse"
HELP = "help"
COMMANDS = """DEVICE INPUT on|off|pulse   an input, counted from 0
DEVICE CARD As              a card passes a reader
DEVICE COIN 3               a token falls in
DEVICE KEYS 1 2 enter       keys of a key pad"""


def simulate(
    config: Annotated[
        Path, typer.Option("--config", help="The site's TOML file; each port is a path that is not there yet.")
    ],
) -> None:
    """Answer as the configured devices do, at their ports, to try a configuration without hardware; Ctrl-C ends.

    Standard input moves them: `DEVICE INPUT on|off|pulse` (inputs count from 0, as in the file), `DEVICE CARD As` (a
    reader), `DEVICE COIN 3`, `DEVICE KEYS 1 2 enter`; `help` lists them.
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
        if place.is_symlink() and place.exists():
            fail(
                said(
                    "{port}: this link is there already, left behind or in use; remove it if it is left",
                    port=port,
                )
            )
        if place.exists() or not place.is_absolute():
            fail(said("{port}: a simulated device's port is an absolute path where nothing is yet", port=port))
        place.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_serve(devices))


async def _serve(devices: list[Any]) -> None:
    from controller.demo.hardware import line_at, sim_of

    ending = asyncio.current_task()
    assert ending is not None, "a task serves"
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ending.cancel)  # each port is unplugged at the end
    ports = {device.port: line_at(device.port) for device in devices}
    sims = {device.name: sim_of(device, ports[device.port]) for device in devices}
    async with asyncio.TaskGroup() as tasks:
        for port in ports.values():
            tasks.create_task(port.run())
        for device in devices:
            print(f"{device.name:<16} {device.driver:<16} {ports[device.port].path}  {device.port}", flush=True)
        async for line in _standard_input():
            if line.split() == [HELP]:
                print(words(COMMANDS), flush=True)
            elif refused := await move(sims, line.split()):
                complain(said("not understood: {line} ({why})", line=line.strip(), why=refused))
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


async def move(sims: dict[str, Any], told: list[str]) -> Said | None:
    """Do what a line says to a simulated device; why not, where it cannot be done."""
    name, what = told[0], told[1:]
    if name not in sims:
        return said("there is no device {device}, but {devices}", device=name, devices=", ".join(sims))
    sim = sims[name]
    match what:
        case [number, ("on" | "off" | "pulse") as how] if number.isdecimal() and hasattr(sim, "set_level"):
            if int(number) >= len(sim.levels):
                return said("{device} has inputs 0 to {last}", device=name, last=len(sim.levels) - 1)
            if how == PULSE:
                sim.press(int(number), PULSE_S)
            else:
                sim.set_level(int(number), how == ON)
        case ["CARD", card] if hasattr(sim, "read_line"):
            await sim.read_line(f"CARD {card}")
        case ["COIN", coin] if coin.isdecimal() and int(coin) and hasattr(sim, "insert"):
            if not sim.insert(int(coin)):
                return said("{device} gives this coin back", device=name)
        case ["KEYS", *keys] if keys and hasattr(sim, "lose"):
            if unknown := [key for key in keys if not sim.has_key(key)]:
                return said("{device} has no key {keys}", device=name, keys=", ".join(unknown))
            await sim.press(*keys)
        case _:
            return said("{device} is not moved so; `help` lists what can be typed", device=name)
    return None
