"""Connections of strangers within bounds: how many, from where, how large a request is, how long its head takes."""

import asyncio
import logging
from collections import Counter
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from controller.engine.stations import network_of

log = logging.getLogger("carrusel")

HEAD_WITHIN_S = 10.0
"""A connection on which no whole request has come within this time is closed."""
HEAD_BYTES = 16 * 1024
"""A request's line and headers; beyond, it is refused. A browser's are below 2 kB."""
REQUEST_BYTES = 512 * 1024
"""A request with its body, however it is cut: beyond what any form takes, the connection ends."""
SLICE = 4096
"""Bytes that are looked at in one go, so that no head passes by coming in one large piece."""
WARN_EVERY_S = 60.0
HEAD_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


def address_key(transport: asyncio.Transport) -> str:
    """Whose connection it is: an IPv4 address, the 64 bits of a network in IPv6; empty for a Unix socket."""
    peer = transport.get_extra_info("peername")
    return network_of(str(peer[0])) if isinstance(peer, tuple) else ""


class Addresses:
    """Connections of each address, so that one stranger leaves the others theirs; warns once in a while."""

    def __init__(self, most_of_one: int) -> None:
        self._most_of_one = most_of_one
        self._held: Counter[str] = Counter()
        self._quiet_until_s = 0.0

    def admit(self, address: str) -> bool:
        """Count one more connection, unless the address holds as many as it may; a Unix socket holds any number."""
        if address and self._held[address] >= self._most_of_one:
            self._warn(address)
            return False
        self._held[address] += 1
        return True

    def release(self, address: str) -> None:
        self._held[address] -= 1
        if not self._held[address]:
            del self._held[address]

    def _warn(self, address: str) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._quiet_until_s:
            self._quiet_until_s = now + WARN_EVERY_S
            log.warning("%s holds %d connections: more are let go", address, self._most_of_one)


class _Heads(HttpToolsProtocol):
    """uvicorn's protocol, which says where in a request the bytes are."""

    heads = 0
    """Whole heads that came."""
    is_in_body = False
    """Between a head and the end of its request."""

    def on_headers_complete(self) -> None:
        self.heads += 1
        self.is_in_body = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.is_in_body = False
        super().on_message_complete()


class _Bounded(asyncio.Protocol):
    """uvicorn's protocol for connections below two bounds; every request's head has a deadline and a bound."""

    most: int
    head_within_s: float
    addresses: Addresses

    def __init__(self, **uvicorns: Any) -> None:
        self._connections = uvicorns["server_state"].connections
        self._address = ""
        self._inner = _Heads(**uvicorns)
        self._transport: asyncio.Transport | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._request_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        address = address_key(transport)
        if len(self._connections) >= self.most or not self.addresses.admit(address):
            transport.abort()
            return
        self._address = address
        self._transport = transport
        self._inner.connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        for begin in range(0, len(data), SLICE):
            if self._transport is None or self._transport.is_closing():
                return
            self._take(self._transport, data[begin : begin + SLICE])

    def _take(self, transport: asyncio.Transport, data: bytes) -> None:
        if self._deadline is None and self._is_idle:
            self._expect_head()
        heads = self._inner.heads
        self._inner.data_received(data)
        if self._inner.heads != heads:
            self._head_is_whole()
            return
        self._request_bytes += len(data)
        if not self._inner.is_in_body:
            self._head_bytes += len(data)
        if self._head_bytes > HEAD_BYTES and self._is_idle:
            transport.write(HEAD_TOO_LARGE)
            transport.close()
        elif self._head_bytes > HEAD_BYTES or self._request_bytes > REQUEST_BYTES:
            transport.abort()

    def _head_is_whole(self) -> None:
        """What came after it in the same slice is not counted."""
        self._head_bytes = self._request_bytes = 0
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        if self._transport is not None:
            self.addresses.release(self._address)
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


def bounded(most: int, most_of_one: int, head_within_s: float) -> type[asyncio.Protocol]:
    """The protocol of one listener: its connections at once, those of one address, seconds that a head may take."""
    own = {"most": most, "head_within_s": head_within_s, "addresses": Addresses(most_of_one)}
    return type("Bounded", (_Bounded,), own)
