"""A whole node for tests of the API: real tables, carousel, journals and listener, on a directory of the test's own."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.adapters.clock import wall_ms
from controller.adapters.hardware.devices import known_hardware
from controller.adapters.passwords import ArgonPasswords, Cost
from controller.config import load
from controller.core.cards import parse_cards
from controller.core.events import AntePlaced, CardsEntered, CreditWagered, Envelope, Key, KeyPressed
from controller.engine.accounts_events import UserAdded
from controller.main import Node, ended, opened
from display import scene as show

CHEAP = Cost(time=1, memory_kib=8, lanes=1)
PINS = {"ana": "314159", "beto": "271828", "carla": "161803", "tomas": "141421", "aldo": "173205"}
ROLES = {"ana": "pit_boss", "beto": "pit_boss", "carla": "admin", "tomas": "technician", "aldo": "auditor"}
STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
SITE = """
[site]
id = "prueba"
name = "Casino de prueba"

[state]
directory = "{directory}"

[api]
listen = "127.0.0.1:0"

[screens]
listen = "localhost:0"

[[carousels]]
id = "gran"
name = "Gran Carrusel"
role = "host"
"""
TABLE = """
[[tables]]
id = "{id}"
name = "Mesa {number}"
preset = "oasis_argentina_2010"
carousel = "gran"
seats = 7

[tables.limits]
minimum = 50_000
maximum = 5_000_000

[tables.jackpot]
credit = 10_000
start = 50_000_000

[tables.jackpot.prizes]
four_of_a_kind = {{ fixed = 5_000_000 }}
full_house = {{ fixed = 1_500_000 }}
flush = {{ fixed = 750_000 }}
"""
DAY_MS = 24 * 3_600_000
_numbers = itertools.count(1)


@dataclass
class Clock:
    """The node's wall clock, which a test moves."""

    ahead_ms: int = 0

    def __call__(self) -> int:
        return wall_ms() + self.ahead_ms

    def installed(self, monkeypatch: pytest.MonkeyPatch) -> Clock:
        """What accounts and API of the nodes opened from now on take for the time."""
        monkeypatch.setattr("controller.adapters.people.wall_ms", self)
        monkeypatch.setattr("controller.main.wall_ms", self)
        return self


@dataclass
class Client:
    """A person at a browser: the cookie, the token, and the headers a browser sends."""

    http: httpx.AsyncClient
    base: str
    token: str = ""

    async def get(self, path: str, **headers: str) -> httpx.Response:
        return await self.http.get(path, headers=headers)

    async def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = None,
        drop: tuple[str, ...] = (),
        **headers: str,
    ) -> httpx.Response:
        """A state change as the panel makes it; `drop` leaves headers out."""
        sent = {"Origin": self.base, "X-CSRF-Token": self.token}
        if key is not None:
            sent["Idempotency-Key"] = key
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in sent.items() if name not in drop}
        return await self.http.request(method, path, json={} if body is None else body, headers=sent)

    async def post(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        return await self.send("POST", path, body, **options)

    async def log_in(self, login: str, pin: str | None = None, **options: Any) -> httpx.Response:
        answer = await self.post("/api/v1/session", {"login": login, "pin": pin or PINS[login]}, **options)
        if answer.status_code == 200:
            self.token = answer.json()["csrf_token"]
        return answer


@dataclass
class Office:
    """The running node and the people at it."""

    node: Node
    clients: list[httpx.AsyncClient] = field(default_factory=list)

    @property
    def base(self) -> str:
        return self.node.api_address

    def client(self) -> Client:
        # A connection is let go before the node's five seconds of rest end, at which the two could cross.
        rest = httpx.Limits(keepalive_expiry=2)
        http = httpx.AsyncClient(base_url=self.base, trust_env=False, timeout=60, limits=rest)
        self.clients.append(http)
        return Client(http, self.base)

    async def person(self, login: str) -> Client:
        """Somebody who has logged in."""
        client = self.client()
        answer = await client.log_in(login)
        assert answer.status_code == 200, answer.text
        return client

    async def tell(self, table: str, event: object, actor: str = "table", second: str | None = None) -> Any:
        """What a device or a dealer tells a table."""
        envelope = Envelope(f"test/{next(_numbers)}", event, actor, second)
        answer = await self.node.tables[table].runner.submit(envelope)
        assert answer.refused is None, answer.refused
        return answer

    async def deal(self, table: str = "t1", seat: int = 3, cards: str = STRAIGHT_FLUSH, credits: int = 1) -> int:
        """A hand with one box and these cards, not yet over; answers its number."""
        await self.tell(table, AntePlaced(seat))
        await self.tell(table, CreditWagered(seat, credits, manual=True))
        await self.tell(table, KeyPressed(Key.CLOSE_BETS))
        parsed = parse_cards(cards)
        assert parsed is not None
        await self.tell(table, CardsEntered(f"seat-{seat}", parsed), "ana", "beto")
        return self.node.tables[table].runner.state.hand.number

    async def win(self, table: str = "t1", seat: int = 3, cards: str = STRAIGHT_FLUSH) -> dict[str, Any]:
        """A hand played to its end with a prize of the carousel; answers the pending prize."""
        hand = await self.deal(table, seat, cards)
        await self.tell(table, KeyPressed(Key.PLAY, seat))
        await self.tell(table, KeyPressed(Key.HAND_OVER))
        state = self.node.tables[table].runner
        await until(lambda: any(row.hand == hand for row in state.state.link.rows.values()), "the award")
        row = next(row for row in state.state.link.rows.values() if row.hand == hand)
        return {"id": row.id, "hand": hand, "amount_minor": row.amount_minor}


def screen_notices(office: Office, table: str = "t1") -> set[show.NoticeCode]:
    """What a table's screen tells beside its stage."""
    _, scene = office.node.feed.newest(f"table-{table}")
    assert isinstance(scene, show.TableScreen)
    return {notice.code for notice in scene.notices}


async def until(condition: Any, what: str, deadline_s: float = 60) -> None:
    """Wait for what other tasks make true."""
    async with asyncio.timeout(deadline_s):
        while not condition():
            await asyncio.sleep(0.01)


def site_file(directory: Path) -> Path:
    """The configuration of the office."""
    path = directory / "site.toml"
    tables = "".join(TABLE.format(id=f"t{number}", number=number) for number in (1, 2))
    path.write_text(SITE.format(directory=directory / "state") + tables)
    return path


@contextlib.asynccontextmanager
async def open_office(
    directory: Path, *, people: bool = True, joined: bool = True, site: Callable[[Path], Path] = site_file
) -> AsyncIterator[Office]:
    """A node on this directory with its tables joined; opened again, it finds what was journaled."""
    config = load(site(directory), known_hardware().drivers)
    with opened(config) as node:
        node.people.passwords = ArgonPasswords(CHEAP)
        ready = asyncio.Event()
        running = asyncio.create_task(node.run(lambda _: ready.set()))
        office = Office(node)
        try:
            await ready.wait()
            if joined:
                await until(lambda: all(_joined(node, table) for table in node.tables), "tables have joined")
            if people:
                await add_people(office)
            yield office
        finally:
            for client in office.clients:
                await client.aclose()
            running.cancel()
            await ended(running, asked=True)


def _joined(node: Node, table: str) -> bool:
    link = node.tables[table].runner.state.link
    return link.link_up and link.confirmed and link.standing is not None and link.standing.value == "active"


async def add_people(office: Office) -> None:
    """One person of each role, and two pit bosses, with PINs of their own."""
    for login, role in ROLES.items():
        if login in office.node.people.runner.state.users:
            continue
        secret = await office.node.people.passwords.hash(PINS[login], login.encode().ljust(16, b"."))
        added = UserAdded(login, login.title(), role, secret)
        await office.node.people.desk.submit(Envelope(f"test/user/{login}", added, login))
