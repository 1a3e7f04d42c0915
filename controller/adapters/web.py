"""The node's HTTP listeners, each an ASGI application on its own address, stopped with the node."""

import asyncio
import contextlib
import resource
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.auto import AutoHTTPProtocol

STOP_WITHIN_S = 2
BACKLOG = 64
"""Also how many connections are accepted in one turn of the event loop."""
HEAD_WITHIN_S = 10.0
"""A connection on which no whole request has come within this time is closed."""
MOST_CONNECTIONS = 4096
KEPT_FILES = 320
"""Open files that listeners leave to the journals, the ports, the broker and the connections being accepted."""
LISTENERS = 2


class ListenerTaken(Exception):
    """An address of the configuration cannot be listened on; the message says which and why."""


def listen_on(listen: str) -> socket.socket:
    """A bound socket for `address:port`, `[ipv6]:port` or `unix:/path`; port 0 takes a free one."""
    if listen.startswith("unix:"):
        return _unix(Path(listen.removeprefix("unix:")))
    host, _, port = listen.rpartition(":")
    host = host.strip("[]")
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, int(port)))
        listener.listen(BACKLOG)
    except OSError as problem:
        listener.close()
        raise ListenerTaken(f"cannot listen on {listen}: {problem.strerror or problem}") from problem
    return listener


def _unix(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket():
            path.unlink()
        listener.bind(str(path))
        listener.listen(BACKLOG)
        path.chmod(0o660)
    except OSError as problem:
        listener.close()
        raise ListenerTaken(f"cannot listen on unix:{path}: {problem.strerror or problem}") from problem
    return listener


def address_of(listener: socket.socket) -> str:
    """The address people can open: `http://host:port`, or the socket's path."""
    name = listener.getsockname()
    if isinstance(name, str):
        return f"unix:{name}"
    host = f"[{name[0]}]" if ":" in name[0] else name[0]
    return f"http://{host}:{name[1]}"


class _Server(uvicorn.Server):
    """A server that leaves signals to the node.

    Two servers that each took them would give them back in the wrong order, and a handler of one that has ended makes
    every later stream of the process end at once.
    """

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def most_connections(open_files: int) -> int:
    """How many connections a listener holds at once, so that strangers never take the tables' own open files."""
    if open_files == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(min(MOST_CONNECTIONS, (open_files - KEPT_FILES) // LISTENERS), BACKLOG)


class _Bounded(asyncio.Protocol):
    """uvicorn's protocol for connections below a bound, each with a deadline for the head of every request."""

    most = MOST_CONNECTIONS
    head_within_s = HEAD_WITHIN_S

    def __init__(self, **uvicorns: Any) -> None:
        self._connections = uvicorns["server_state"].connections
        inner: Any = AutoHTTPProtocol
        self._inner = inner(**uvicorns)
        self._transport: asyncio.Transport | None = None
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        if len(self._connections) >= self.most:
            transport.abort()
            return
        self._transport = transport
        self._inner.connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        if self._transport is None:
            return
        if self._deadline is None and self._is_idle:
            self._expect_head()
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        answer: bool | None = None if self._transport is None else self._inner.eof_received()
        return answer

    def connection_lost(self, exc: Exception | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        if self._transport is not None:
            self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    @property
    def _is_idle(self) -> bool:
        """No request is being answered."""
        return self._inner.cycle is None or self._inner.cycle.response_complete

    def _expect_head(self) -> None:
        self._deadline = asyncio.get_running_loop().call_later(self.head_within_s, self._head_is_due)

    def _head_is_due(self) -> None:
        self._deadline = None
        if self._transport is not None and self._is_idle:
            self._transport.abort()


def _bounded(most: int, head_within_s: float) -> type[asyncio.Protocol]:
    return type("Bounded", (_Bounded,), {"most": most, "head_within_s": head_within_s})


async def serve(
    app: ASGIApp, listener: socket.socket, *, most: int | None = None, head_within_s: float = HEAD_WITHIN_S
) -> None:
    """Serve until cancelled; open streams are cut after a moment. At most `most` connections, or as files allow."""
    if most is None:
        most = most_connections(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    config = uvicorn.Config(
        app,
        http=_bounded(most, head_within_s),
        backlog=BACKLOG,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=STOP_WITHIN_S,
        lifespan="off",
    )
    server = _Server(config)
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        server.should_exit = True
        await serving
        raise
