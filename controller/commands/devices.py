"""`carrusel devices list | watch | test | decode`: for the technician at the table."""

import asyncio
import contextlib
import json as json_text
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from controller.adapters.devices import TableDevices
    from drivers.events import Event

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
        print(f"{port.name}\n    {port.node}  {port.description}  {port.usb_id}  {port.usb_serial}".rstrip())
    if not ports:
        print("no serial port found")


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

    async def lamps() -> None:
        async with _devices(config, table, lambda event: None) as rooms:
            for room in rooms:
                for output in room.outputs:
                    place = "attention" if output.seat is None else f"seat {output.seat}"
                    print(f"{output.device} output {output.output}: {place}", flush=True)
                    room.command(output.device, SetOutputs({output.output: Lamp.ON}))
                    await asyncio.sleep(seconds_each)
                    room.command(output.device, SetOutputs({output.output: Lamp.OFF}))
            await asyncio.sleep(seconds_each)

    _run(lamps())


@app.command("decode")
def decode(
    protocol: Annotated[str | None, typer.Argument(help="modbus_rtu, dcon, cctalk, alpha, stx or sas")] = None,
    hex: Annotated[str | None, typer.Option("--hex", help="Captured bytes: 01 02 …")] = None,
    direction: Annotated[str | None, typer.Option(help="host_to_device, device_to_host or received_line")] = None,
    lines: Annotated[bool, typer.Option("--lines", help="Each line of standard input: hex, or a JSON row.")] = False,
    json: Json = False,
) -> None:
    """Explain a captured byte stream, frame by frame, with noise and bad checksums named."""
    from drivers.decode import CaptureError, decode_line, decode_stream, explain, from_hex, to_answer

    if lines == (hex is not None) or (hex is not None and protocol is None):
        print("carrusel: give PROTOCOL and --hex, or --lines", file=sys.stderr)
        raise typer.Exit(2)
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
        print(f"carrusel: {problem}", file=sys.stderr)
        raise typer.Exit(2) from problem
    print(json_text.dumps(to_answer(decoded), indent=2) if json else "\n".join(explain(decoded)))


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
    from controller.adapters.devices import TableDevices, known_hardware
    from controller.config import ConfigError, load

    known = known_hardware()
    try:
        loaded = load(config, known.drivers, known.device_fault)
    except ConfigError as problem:
        for fault in problem.faults:
            print(f"carrusel: {fault}", file=sys.stderr)
        raise typer.Exit(2) from problem
    tables = [each for each in loaded.tables if table in (None, each.id)]
    if not tables:
        print(f"carrusel: no table {table} in {config}", file=sys.stderr)
        raise typer.Exit(2)

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
    with _interruptible():
        asyncio.run(work)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    with contextlib.suppress(KeyboardInterrupt):
        yield
