"""`carrusel devices list | watch | test | decode | simulate`: for the technician at the table."""

import asyncio
import contextlib
import json as json_text
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.commands.console_words import FINDING, fail, speak_as, spoken, words
from controller.config.recognized import recognized
from controller.config.texts import Said, said

if TYPE_CHECKING:
    from controller.adapters.hardware.devices import TableDevices
    from drivers.events import Event
    from drivers.serial_link import FoundPort

ANSWER_S = 10
"""A device that is there has answered by then."""
DOWN = "{device} does not answer ({why}); the test stops. Where the service uses the device, stop it first"

app = typer.Typer(no_args_is_help=True, help="Serial devices: what there is, what it says, what bytes mean.")

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ConfigFile = Annotated[Path, typer.Option("--config", help="The site's TOML file; its daemon must not be running.")]
TableId = Annotated[str | None, typer.Option("--table", help="Only this table.")]
Seconds = Annotated[int | None, typer.Option("--seconds", min=1, help="End by itself after so long.")]


@app.command("list")
def list_ports(json: Json = False) -> None:
    """Serial ports of this machine, by the names that survive re-plugging."""
    from drivers.serial_link import found_ports

    ports = found_ports()
    if json:
        rows = [
            {
                "name": port.name,
                "node": port.node,
                "description": port.description,
                "usb_id": port.usb_id,
                "usb_serial": port.usb_serial,
            }
            for port in ports
        ]
        print(json_text.dumps(rows, indent=2))
        return
    for port in ports:
        print(_told(port))
    if not ports:
        print(words("no serial port found"))


def _told(port: "FoundPort") -> str:
    """A port's name, and below it what else is known of it: nothing is said twice."""
    known = {"", "n/a", port.name, port.node.removeprefix("/dev/")}
    rest = [each for each in (port.node, port.description, port.usb_id, port.usb_serial) if each not in known]
    return "\n    ".join([port.name, *(["  ".join(rest)] if rest else [])])


@app.command("watch")
def watch(config: ConfigFile, table: TableId = None, json: Json = False, seconds: Seconds = None) -> None:
    """Every event of the configured devices as it comes, decoded; Ctrl-C ends."""

    def tell(event: "Event") -> None:
        row = _event_row(event)
        if json:
            print(json_text.dumps(row), flush=True)
        else:
            facts = "  ".join(f"{key}={value}" for key, value in row.items() if key not in ("event", "device"))
            print(f"{row['device']:<16} {row['event']:<20} {facts}", flush=True)

    async def watching() -> None:
        async with _devices(config, table, tell):
            await _for(seconds)

    _run(watching())


@app.command("test")
def test(config: ConfigFile, table: TableId = None, seconds_each: Annotated[int, typer.Option(min=1)] = 1) -> None:
    """Lamp test: each configured output on, one after the other; look at the table. Between hands only."""
    from drivers.device import Lamp, SetOutputs

    links = _Links()

    async def lamps() -> None:
        async with _devices(config, table, links.hear) as rooms:
            if not any(room.outputs for room in rooms):
                raise _TestStopped(said("no output is configured: there is nothing to test"))
            for room in rooms:
                for output in room.outputs:
                    why = await links.fault(output.device)
                    if why is not None:
                        raise _TestStopped(why)
                    place = said("attention") if output.seat is None else said("seat {seat}", seat=output.seat)
                    lamp = {"device": output.device, "output": output.output, "place": place}
                    print(words("{device} output {output}: {place}", **lamp), flush=True)
                    room.command(output.device, SetOutputs({output.output: Lamp.ON}))
                    await asyncio.sleep(seconds_each)
                    room.command(output.device, SetOutputs({output.output: Lamp.OFF}))
            await asyncio.sleep(seconds_each)

    try:
        _run(lamps())
    except* _TestStopped as stopped:
        fail(*stopped.exceptions, code=FINDING)


@app.command("decode")
def decode(
    protocol: Annotated[str | None, typer.Argument(help="modbus_rtu, dcon, cctalk, alpha, stx, line or sas")] = None,
    hex: Annotated[str | None, typer.Option("--hex", help="Captured bytes: 01 02 …")] = None,
    direction: Annotated[str | None, typer.Option(help="host_to_device, device_to_host or received_line")] = None,
    lines: Annotated[bool, typer.Option("--lines", help="Each line of standard input: hex, or a JSON row.")] = False,
    json: Json = False,
) -> None:
    """Explain a captured byte stream, frame by frame, with noise and bad checksums named."""
    from drivers.decode import CaptureError, decode_line, decode_stream, explain, from_hex, to_answer

    if lines == (hex is not None) or (hex is not None and protocol is None):
        fail(said("give PROTOCOL and --hex, or --lines"))
    if lines:
        faults = 0
        for text in sys.stdin:
            answer = decode_line(protocol or "", text.strip())
            faults += "error" in answer
            print(json_text.dumps(answer), flush=True)
        raise typer.Exit(1 if faults else 0)
    try:
        decoded = decode_stream(str(protocol), from_hex(hex or ""), direction)
    except CaptureError as problem:
        fail(problem)
    if json:
        print(json_text.dumps(to_answer(decoded), indent=2))
        return
    senders = {"host": f"{words('controller')}: ", "device": f"{words('device')}: ", "": ""}
    for part in explain(decoded):
        print(f"{part.offset:4d}  {part.shown}  {senders[part.sender]}{spoken(part.meaning)}")


class _TestStopped(Exception):
    """The lamp test cannot go on; why, and what to do, is in the words."""


class _Links:
    """Which devices answer, as their buses tell it."""

    def __init__(self) -> None:
        self._told: dict[str, Event] = {}
        self._news = asyncio.Event()

    def hear(self, event: "Event") -> None:
        """The newest state of a device's link."""
        from drivers.events import LinkChanged

        if isinstance(event, LinkChanged):
            self._told[event.device] = event
            self._news.set()

    async def fault(self, device: str) -> Said | None:
        """Why the device cannot be tested, once that is known; None when it answers."""
        from drivers.events import LinkChanged, LinkState

        try:
            async with asyncio.timeout(ANSWER_S):
                while device not in self._told:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            silent = {"device": device, "seconds": ANSWER_S}
            return said("{device} did not answer in {seconds} s; the test stops", **silent)
        last = self._told[device]
        if isinstance(last, LinkChanged) and last.state is LinkState.DOWN:
            down = {"device": device, "why": recognized(last.why)}
            return said(DOWN, **down)
        return None


def _event_row(event: "Event") -> dict[str, Any]:
    from dataclasses import fields

    row: dict[str, Any] = {"event": type(event).__name__, "device": event.device}
    for each in fields(event):
        value = getattr(event, each.name)
        if each.name == "key":
            value = "•"  # what is typed on a keypad is never shown
        row[each.name] = value.hex(" ") if isinstance(value, bytes) else getattr(value, "value", value)
    return {key: dict(value) if hasattr(value, "items") else value for key, value in row.items()}


class _Room:
    """The buses of one table, opened for the technician."""

    def __init__(self, devices: "TableDevices", outputs: tuple[Any, ...]) -> None:
        self.devices = devices
        self.outputs = outputs

    def command(self, device: str, command: Any) -> None:
        for bus in self.devices.buses.by_port.values():
            if device in bus.devices:
                bus.command(device, command)


@contextlib.asynccontextmanager
async def _devices(config: Path, table: str | None, tell: Any) -> Any:
    from controller.adapters.hardware.devices import TableDevices, known_hardware
    from controller.config import ConfigError, load

    known = known_hardware()
    try:
        loaded = load(config, known.drivers, known.device_fault)
    except ConfigError as problem:
        fail(*problem.faults)
    speak_as(loaded.site.language)
    tables = [each for each in loaded.tables if table in (None, each.id)]
    if not tables:
        fail(said("no table {table} in {config}", table=table, config=config))

    async def drop(envelope: object) -> None:
        """Nothing is stored: the technician only looks."""

    rooms = []
    async with asyncio.TaskGroup() as tasks:
        running = []
        for each in tables:
            devices = TableDevices(each, drop, "watch")
            devices.build({})
            devices.observers.append(tell)
            rooms.append(_Room(devices, each.outputs))
            running += [tasks.create_task(bus.run()) for bus in devices.buses.by_port.values()]
        yield rooms
        for task in running:
            task.cancel()


async def _for(seconds: int | None) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.Event().wait()


def _run(work: Any) -> None:
    logging.getLogger().addHandler(logging.NullHandler())  # the events say it, in the technician's language
    with _interruptible():
        asyncio.run(work)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    with contextlib.suppress(KeyboardInterrupt):
        yield
