"""The node's HTTP listeners, each an ASGI application on its own address, stopped with the node."""

import asyncio
import socket
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

STOP_WITHIN_S = 2
BACKLOG = 256


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
    """A server that leaves signals to the node."""

    def install_signal_handlers(self) -> None:
        return None


async def serve(app: ASGIApp, listener: socket.socket) -> None:
    """Serve until cancelled; open streams are cut after a moment."""
    config = uvicorn.Config(
        app,
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
