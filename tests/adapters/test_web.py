"""The listeners under strangers: connections that say nothing never take what the tables need."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncIterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from controller.adapters.web import MOST_CONNECTIONS, listen_on, most_connections, serve

WITHIN_S = 20.0
ASK = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def _hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


APP = Starlette(routes=[Route("/", _hello)])


@contextlib.asynccontextmanager
async def served(most: int, head_within_s: float) -> AsyncIterator[int]:
    listener: socket.socket = listen_on("127.0.0.1:0")
    serving = asyncio.create_task(serve(APP, listener, most=most, head_within_s=head_within_s))
    try:
        yield listener.getsockname()[1]
    finally:
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving


@contextlib.asynccontextmanager
async def connected(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def closed(reader: asyncio.StreamReader) -> bool:
    try:
        return await asyncio.wait_for(reader.read(), WITHIN_S) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "])
async def test_a_connection_without_a_whole_request_is_closed(said: bytes) -> None:
    async with served(8, 0.2) as port, connected(port) as (reader, writer):
        writer.write(said)
        assert await closed(reader)


async def test_the_head_of_a_second_request_has_its_deadline_too() -> None:
    async with served(8, 0.2) as port, connected(port) as (reader, writer):
        writer.write(ASK)
        assert (await asyncio.wait_for(reader.readuntil(b"hello"), WITHIN_S)).startswith(b"HTTP/1.1 200")
        writer.write(b"GET /")
        assert await closed(reader)


async def test_beyond_the_bound_a_connection_is_let_go_and_the_one_that_was_there_is_served() -> None:
    async with served(1, WITHIN_S) as port, connected(port) as (reader, writer):
        for _ in range(2):
            writer.write(ASK)
            assert await asyncio.wait_for(reader.readuntil(b"hello"), WITHIN_S)
            async with connected(port) as (late, _unused):
                assert await closed(late)


@pytest.mark.parametrize(
    ("open_files", "most"), [(1_024, 352), (16_384, MOST_CONNECTIONS), (-1, MOST_CONNECTIONS), (100, 64)]
)
def test_two_listeners_leave_files_to_the_tables(open_files: int, most: int) -> None:
    assert most_connections(open_files) == most


async def test_servers_leave_the_signals_of_the_process_alone() -> None:
    """A handler left behind by a server that has ended would end every later stream at once."""
    before = signal.getsignal(signal.SIGTERM)
    listeners = [listen_on("127.0.0.1:0") for _ in range(2)]
    serving = [asyncio.create_task(serve(APP, listener)) for listener in listeners]
    await asyncio.sleep(0.3)
    assert signal.getsignal(signal.SIGTERM) is before
    for task in serving:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    assert signal.getsignal(signal.SIGTERM) is before
