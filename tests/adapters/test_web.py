"""The listeners under strangers: connections that say nothing never take what the tables need."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncIterator

import pytest
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from controller.adapters.connections import HEAD_BYTES, REQUEST_BYTES, address_key
from controller.adapters.web import MOST_CONNECTIONS, listen_on, most_connections, serve

WITHIN_S = 60.0
ASK = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def _hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


async def _waits(request: Request) -> PlainTextResponse:
    """An answer that takes as long as whoever asked stays."""
    while not await request.is_disconnected():
        await asyncio.sleep(0.01)
    return PlainTextResponse("gone")


APP = Starlette(routes=[Route("/", _hello, methods=["GET", "POST"]), Route("/waits", _waits)])


@contextlib.asynccontextmanager
async def served(most: int, head_within_s: float, most_of_one: int | None = None) -> AsyncIterator[int]:
    listener: socket.socket = listen_on("127.0.0.1:0")
    serving = asyncio.create_task(serve(APP, listener, most=most, most_of_one=most_of_one, head_within_s=head_within_s))
    try:
        yield listener.getsockname()[1]
    finally:
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving


@contextlib.asynccontextmanager
async def connected(
    port: int, source: str = "127.0.0.1"
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
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


ENDLESS: dict[str, tuple[bytes, bytes]] = {
    "address": (b"GET /", b"a" * 1000),
    "one header": (ASK[:-2] + b"X: ", b"a" * 1000),
    "headers": (ASK[:-2], b"X: " + b"a" * 100 + b"\r\n"),
    "name": (ASK[:-2], b"a" * 1000),
    "second head": (ASK + ASK[:-2], b"X: y\r\n"),
    "empty lines": (b"", b"\r\n" * 500),
    "head behind an answer that waits": (b"GET /waits HTTP/1.1\r\nHost: x\r\n\r\n" + ASK[:-2], b"X: y\r\n"),
    "trailers": (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n"),
}


@pytest.mark.promise("P13")
@pytest.mark.parametrize("what", list(ENDLESS))
async def test_what_has_no_end_ends_the_connection_at_its_bound(what: str) -> None:
    begin, more = ENDLESS[what]
    async with served(8, WITHIN_S) as port, connected(port) as (reader, writer):
        writer.write(begin)
        sent = 0
        with contextlib.suppress(ConnectionError):
            while not reader.at_eof() and sent < 4_000_000:
                writer.write(more)
                sent += len(more)
                await writer.drain()
                if sent % 50 == 0:
                    await asyncio.sleep(0)
        assert sent < 4_000_000
        with contextlib.suppress(ConnectionError):
            await asyncio.wait_for(reader.read(), WITHIN_S)


async def test_a_large_head_is_refused_by_its_status_even_in_one_piece() -> None:
    async with served(8, WITHIN_S) as port, connected(port) as (reader, writer):
        writer.write(ASK[:-2] + b"X: " + b"a" * (HEAD_BYTES + 8192) + b"\r\n\r\n")
        assert (await asyncio.wait_for(reader.readline(), WITHIN_S)).startswith(b"HTTP/1.1 431 ")


async def test_a_head_below_the_bound_and_a_body_of_many_heads_are_served() -> None:
    async with served(8, WITHIN_S) as port, connected(port) as (reader, writer):
        for _ in range(3):
            writer.write(ASK[:-2] + b"X: " + b"a" * (HEAD_BYTES - 200) + b"\r\n\r\n")
            assert (await asyncio.wait_for(reader.readuntil(b"hello"), WITHIN_S)).startswith(b"HTTP/1.1 200 ")
        long = REQUEST_BYTES - HEAD_BYTES
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % long + b"a" * long + ASK)
        for _ in range(2):
            assert (await asyncio.wait_for(reader.readuntil(b"hello"), WITHIN_S)).startswith(b"HTTP/1.1 200 ")


async def test_a_kept_connection_outlives_the_deadline_of_its_heads() -> None:
    """One that is busy is never cut between two requests because its first head had a deadline."""
    loop = asyncio.get_running_loop()
    async with served(8, 0.2) as port, connected(port) as (reader, writer):
        until_s = loop.time() + 0.6
        while loop.time() < until_s:
            writer.write(ASK)
            assert (await asyncio.wait_for(reader.readuntil(b"hello"), WITHIN_S)).startswith(b"HTTP/1.1 200 ")


async def test_nobody_names_another_address_as_their_own() -> None:
    async def told(request: Request) -> PlainTextResponse:
        assert request.client is not None
        return PlainTextResponse(f"from {request.client.host} over {request.url.scheme}.")

    listener = listen_on("127.0.0.1:0")
    serving = asyncio.create_task(serve(Starlette(routes=[Route("/", told)]), listener))
    async with connected(listener.getsockname()[1]) as (reader, writer):
        writer.write(ASK[:-2] + b"X-Forwarded-For: 10.9.1.1\r\nX-Forwarded-Proto: https\r\n\r\n")
        assert await asyncio.wait_for(reader.readuntil(b"from 127.0.0.1 over http."), WITHIN_S)
    serving.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await serving


async def test_beyond_the_bound_a_connection_is_let_go_and_the_one_that_was_there_is_served() -> None:
    async with served(1, WITHIN_S) as port, connected(port) as (reader, writer):
        for _ in range(2):
            writer.write(ASK)
            assert await asyncio.wait_for(reader.readuntil(b"hello"), WITHIN_S)
            async with connected(port) as (late, _unused):
                assert await closed(late)


async def test_one_address_leaves_connections_to_the_others(caplog: pytest.LogCaptureFixture) -> None:
    async with served(8, WITHIN_S, most_of_one=2) as port, contextlib.AsyncExitStack() as held:
        for _ in range(2):
            reader, writer = await held.enter_async_context(connected(port))
            writer.write(ASK)
            assert await asyncio.wait_for(reader.readuntil(b"hello"), WITHIN_S)
        for _ in range(3):
            async with connected(port) as (third, _unused):
                assert await closed(third)
        async with connected(port, "127.0.0.2") as (other, ask):
            ask.write(ASK)
            assert await asyncio.wait_for(other.readuntil(b"hello"), WITHIN_S)
        writer.close()
        async with asyncio.timeout(WITHIN_S):
            while True:  # the closed one is forgotten as soon as the listener has seen its end
                async with connected(port) as (again, ask):
                    ask.write(ASK)
                    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                        assert await again.readuntil(b"hello")
                        break
    assert [record.getMessage() for record in caplog.records] == ["127.0.0.1 holds 2 connections: more are let go"]


class Peer(asyncio.Transport):
    """A connection of which only the other end's address is known."""

    def __init__(self, peer: object) -> None:
        super().__init__({"peername": peer})


@pytest.mark.parametrize(
    ("peer", "key"),
    [
        (("10.0.0.7", 5000), "10.0.0.7"),
        (("2001:db8:1:2:3:4:5:6", 5000, 0, 0), "2001:db8:1:2::/64"),
        (("::ffff:10.0.0.7", 5000, 0, 0), "10.0.0.7"),
        (("fe80::1%eth0", 5000, 0, 2), "fe80::/64"),
        (("x" * 100, 5000), "x" * 64),
        ("", ""),
    ],
)
def test_a_network_of_ipv6_counts_as_one_address(peer: object, key: str) -> None:
    assert address_key(Peer(peer)) == key


async def test_a_listener_that_ends_leaves_no_task_of_the_stream_library() -> None:
    async def ticks() -> AsyncIterator[dict[str, str]]:
        while True:
            yield {"data": "tick"}
            await asyncio.sleep(0.01)

    async def stream(request: Request) -> EventSourceResponse:
        return EventSourceResponse(ticks())

    listener = listen_on("127.0.0.1:0")
    before = asyncio.all_tasks()
    for _ in range(2):
        serving = asyncio.create_task(serve(Starlette(routes=[Route("/", stream)]), listener.dup()))
        async with connected(listener.getsockname()[1]) as (reader, writer):
            writer.write(ASK)
            assert await asyncio.wait_for(reader.readuntil(b"tick"), WITHIN_S)
            assert len(asyncio.all_tasks() - before) > 1
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving
        assert asyncio.all_tasks() == before
    listener.close()


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
    for listener in listeners:
        async with connected(listener.getsockname()[1]) as (reader, writer):
            writer.write(ASK)
            assert await asyncio.wait_for(reader.readuntil(b"hello"), WITHIN_S)
    assert signal.getsignal(signal.SIGTERM) is before
    for task in serving:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    assert signal.getsignal(signal.SIGTERM) is before


async def test_streams_end_whole_with_their_listener_and_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    """Browsers stand on their streams when the node is stopped: no error, and a last chunk."""

    async def ticks() -> AsyncIterator[dict[str, str]]:
        yield {"data": "tick"}
        await asyncio.Event().wait()

    async def stream(request: Request) -> EventSourceResponse:
        return EventSourceResponse(ticks())

    listener = listen_on("127.0.0.1:0")
    serving = asyncio.create_task(serve(Starlette(routes=[Route("/", stream)]), listener))
    async with connected(port := listener.getsockname()[1]) as (one, ask_one), connected(port) as (other, ask_other):
        for reader, writer in ((one, ask_one), (other, ask_other)):
            writer.write(ASK)
            assert await asyncio.wait_for(reader.readuntil(b"tick"), WITHIN_S)
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        for reader in (one, other):
            assert (await asyncio.wait_for(reader.read(), WITHIN_S)).endswith(b"0\r\n\r\n")
    assert not caplog.records
