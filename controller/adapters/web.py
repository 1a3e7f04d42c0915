"""The node's HTTP listeners, each an ASGI application on its own address, stopped with the node."""

import asyncio
import contextlib
import resource
import socket
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from controller.adapters.connections import HEAD_WITHIN_S, bounded
from controller.adapters.streams import EndedStreams, end_stream_watcher

STOP_WITHIN_S = 2
BACKLOG = 64
"""Also how many connections are accepted in one turn of the event loop."""
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


async def serve(
    app: ASGIApp,
    listener: socket.socket,
    *,
    most: int | None = None,
    most_of_one: int | None = None,
    head_within_s: float = HEAD_WITHIN_S,
) -> None:
    """Serve until cancelled; event streams end then, other answers are cut after a moment.

    most: connections at once; None for as many as files allow.
    most_of_one: connections from one address; where files allow few, others are left a quarter of them.
    """
    if most is None:
        most = most_connections(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    most_of_one = most if most_of_one is None else min(most_of_one, most - most // 4)
    streams = EndedStreams(app)
    config = uvicorn.Config(
        streams,
        http=bounded(most, most_of_one, head_within_s),
        ws="none",  # a connection that became another protocol's would be out of every bound
        proxy_headers=False,  # who asks is who is connected, whatever a header says
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
        streams.end()
        await serving
        raise
    finally:
        await end_stream_watcher()
