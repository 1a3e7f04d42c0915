"""Serial ports as byte links: the only importer of pyserial and pyserial-asyncio-fast.

Measured on Linux with pyserial 3.5 and pyserial-asyncio-fast 0.16: two plain opens of a port both succeed (so:
exclusive); a hanging drain can keep `connection_lost` away for ever (so: a watchdog that aborts); a second abort leaves
an unretrieved exception (so: once); opening blocks (so: a thread of its own).
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import termios
import threading
from dataclasses import dataclass
from typing import Any

import serial
from serial.tools import list_ports
from serial_asyncio_fast import SerialTransport

from drivers.link import Link, LinkUnavailable, OnLost, OnReceived, PortSettings

log = logging.getLogger(__name__)

WATCH_PERIOD_S = 0.25
LOST_WITHIN_S = 1.0
SELECT_LIMIT = 1000  # pyserial selects on the port and on a pipe opened right after it; select() ends at 1024


async def open_serial(port: PortSettings, on_received: OnReceived, on_lost: OnLost) -> Link:
    """Open `port` exclusively; LinkUnavailable tells why not. If cancelled, what the open returns is closed."""
    loop = asyncio.get_running_loop()
    _quiet_write_errors(loop)
    opening: asyncio.Future[serial.Serial] = loop.create_future()
    state = {"cancelled": False}

    def settle(instance: serial.Serial | None, problem: BaseException | None) -> None:
        if state["cancelled"] or opening.done():
            if instance is not None:
                instance.close()
        elif problem is not None:
            opening.set_exception(problem)
        elif instance is not None:
            opening.set_result(instance)

    def work() -> None:
        instance: serial.Serial | None = None
        problem: BaseException | None = None
        try:
            instance = _open_blocking(port)
        except (OSError, ValueError) as failed:
            problem = LinkUnavailable(_why_not(port.path, failed))
        try:
            loop.call_soon_threadsafe(settle, instance, problem)
        except RuntimeError:  # the loop is closed: nobody wants the port any more
            if instance is not None:
                instance.close()

    threading.Thread(target=work, name=f"open {port.path}", daemon=True).start()
    try:
        instance = await opening
    except asyncio.CancelledError:
        state["cancelled"] = True
        if opening.done() and not opening.cancelled() and opening.exception() is None:
            opening.result().close()
        raise
    try:
        return SerialLink(loop, instance, port.path, on_received, on_lost)
    except (OSError, termios.error) as refused:  # the transport sets the line settings once more
        instance.close()
        raise LinkUnavailable(_why_not(port.path, OSError(*refused.args))) from refused


def _open_blocking(port: PortSettings) -> serial.Serial:
    instance = serial.Serial()
    instance.port = port.path
    instance.baudrate = port.baud
    instance.bytesize = port.data_bits
    instance.parity = port.parity
    instance.stopbits = port.stop_bits
    instance.exclusive = True
    instance.timeout = 0
    if port.dtr is not None:
        instance.dtr = port.dtr
    if port.rts is not None:
        instance.rts = port.rts
    try:
        instance.open()
    except termios.error as refused:  # no OSError: pyserial lets it through when the port refuses the line settings
        instance.close()
        raise OSError(*refused.args) from refused
    try:
        if port.low_latency:
            _try_low_latency(instance, port.path)
        if port.settle_s > 0:
            threading.Event().wait(port.settle_s)
        _drop_input(instance)
        if instance.fileno() >= SELECT_LIMIT:
            raise OSError(errno.EMFILE, "too many open files: pyserial reads with select()")
    except BaseException:
        instance.close()
        raise
    return instance


def _drop_input(instance: serial.Serial) -> None:
    try:
        instance.reset_input_buffer()
    except termios.error as gone:
        raise OSError(*gone.args) from gone


def _try_low_latency(instance: serial.Serial, path: str) -> None:
    try:
        instance.set_low_latency_mode(True)
    except (ValueError, OSError, NotImplementedError):
        log.info("%s has no low latency mode", path)


def _why_not(path: str, problem: Exception) -> str:
    code = getattr(problem, "errno", None)
    if code == errno.ENOENT:
        return f"{path} is not there"
    if code in (errno.EACCES, errno.EPERM):
        return f"no permission for {path} (is the user in the group of serial ports?)"
    if code in (errno.EAGAIN, errno.EBUSY):
        return f"{path} is held by another program"
    if code == errno.EINVAL:
        return f"{path} does not take these line settings (data bits, parity, speed)"
    return f"{path} cannot be opened: {problem}"


def _quiet_write_errors(loop: asyncio.AbstractEventLoop) -> None:
    """A write to an unplugged port also calls the loop's exception handler: a loss, not a crash."""
    before = loop.get_exception_handler()
    if isinstance(before, _QuietHandler):
        return
    loop.set_exception_handler(_QuietHandler(before))


class _QuietHandler:
    def __init__(self, before: Any) -> None:
        self._before = before

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(context.get("transport"), SerialTransport):
            log.debug("%s: %s", context.get("message"), context.get("exception"))
        elif self._before is not None:
            self._before(loop, context)
        else:
            loop.default_exception_handler(context)


class SerialLink(asyncio.Protocol):
    """One open port. `on_lost` comes after the descriptor is closed, so that reopening cannot race with it."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        instance: serial.Serial,
        path: str,
        on_received: OnReceived,
        on_lost: OnLost,
    ) -> None:
        self._loop = loop
        self._path = path
        self._target = os.path.realpath(path)
        self._on_received = on_received
        self._on_lost: OnLost | None = on_lost
        self._aborted = False
        self._reason = ""
        self._closing_since_s: float | None = None
        self._instance = instance
        self._transport = SerialTransport(loop, self, instance)
        self._watch = loop.call_later(WATCH_PERIOD_S, self._look)

    def write(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)

    def abort(self) -> None:
        if self._aborted or self._on_lost is None:
            return
        self._aborted = True
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._on_lost is not None and not self._aborted:
            self._on_received(data)

    def connection_lost(self, exc: BaseException | None) -> None:
        self._lost(self._reason or _why_lost(exc))

    def _lost(self, reason: str) -> None:
        on_lost, self._on_lost = self._on_lost, None
        self._watch.cancel()
        if on_lost is not None:
            on_lost(reason)

    def _look(self) -> None:
        """The watchdog: a transport that closes without an end is aborted, then given up; a moved name is left."""
        now_s = self._loop.time()
        if self._transport.is_closing():
            self._closing_since_s = self._closing_since_s or now_s
            if now_s - self._closing_since_s > 2 * LOST_WITHIN_S:
                self._lost(self._reason or "the port did not close in time")
                return
            if now_s - self._closing_since_s > LOST_WITHIN_S:
                self._reason = self._reason or "the port hung while closing"
                self.abort()
        elif os.path.exists(self._path) and os.path.realpath(self._path) != self._target:
            self._reason = f"{self._path} now names another port"
            self.abort()
        self._watch = self._loop.call_later(WATCH_PERIOD_S, self._look)


def _why_lost(problem: BaseException | None) -> str:
    if problem is None:
        return "closed"
    if "returned no data" in str(problem):
        return "unplugged, or another program reads from the same port"
    return f"unplugged ({problem})"


@dataclass(frozen=True, slots=True)
class FoundPort:
    """One serial port of this machine; `name` is the stable one to put into the configuration."""

    name: str
    node: str
    description: str
    usb_id: str
    usb_serial: str


def found_ports() -> tuple[FoundPort, ...]:
    """Ports found now, by-id names first choice, by-path where the adapter has no serial number, else the bare node."""
    names: dict[str, str] = {}
    for folder in ("/dev/serial/by-path", "/dev/serial/by-id"):
        if os.path.isdir(folder):
            for entry in sorted(os.listdir(folder)):
                name = os.path.join(folder, entry)
                names[os.path.realpath(name)] = name
    ports = []
    for port in sorted(list_ports.comports(), key=lambda p: str(p.device)):
        node = os.path.realpath(port.device)
        usb_id = f"{port.vid:04x}:{port.pid:04x}" if port.vid is not None and port.pid is not None else ""
        found = FoundPort(names.get(node, node), node, port.description or "", usb_id, port.serial_number or "")
        ports.append(found)
    return tuple(ports)
