"""Two pit bosses and a technician of a test's pit: accounts made before the first start, what they do on the panel."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from controller.adapters.hardware.devices import known_hardware
from controller.adapters.journal.checkpoints import node_key
from controller.adapters.people import PeopleRoom
from controller.config import load
from controller.core.events import Envelope
from controller.engine.accounts_events import UserAdded
from tests.system.daemon import DEADLINE_S, Daemon, soon

PINS = {"ana": "731946", "bea": "284519", "tito": "615203"}
ROLES = {"ana": "pit_boss", "bea": "pit_boss", "tito": "technician"}


async def hire(path: Path) -> None:
    """Accounts for all of them in the node's journal; the daemon is not running."""
    config = load(path, known_hardware().drivers)
    config.state.directory.mkdir(parents=True, exist_ok=True)
    room = PeopleRoom(config, node_key(config.state.directory))
    running = asyncio.create_task(room.run())
    try:
        for login, pin in PINS.items():
            secret = await room.passwords.hash(pin, f"salt-of-{login}-000".encode()[:16])
            added = UserAdded(login, login.title(), ROLES[login], secret)
            answer = await room.desk.submit(Envelope(f"test/{login}", added, login))
            assert answer.refused is None, answer
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        room.close()


@dataclass
class Panel:
    """One of them, logged in at a node's panel; bea approves with her own PIN."""

    client: httpx.AsyncClient
    headers: dict[str, str]

    async def get(self, path: str) -> Any:
        answer = await self.client.get(f"/api/v1{path}")
        answer.raise_for_status()
        return answer.json()

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """A request; when it takes two people, bea's approval of exactly that."""
        answer = await self.client.post(f"/api/v1{path}", json=body, headers=self.headers)
        assert answer.status_code < 300, f"{path}: {answer.status_code} {answer.text}"
        told: dict[str, Any] = answer.json()
        if told.get("status") != "needs_approval":
            return told
        approval = {"digest": told["digest"], "login": "bea", "pin": PINS["bea"]}
        answer = await self.client.post(
            f"/api/v1/approvals/{told['approval']}/approve", json=approval, headers=self.headers
        )
        assert answer.status_code < 300, f"{path}: {answer.status_code} {answer.text}"
        told = answer.json()
        return told

    async def prizes(self, table: str, *status: str) -> list[dict[str, Any]]:
        """A table's prizes in one of these states."""
        found = (await self.get(f"/tables/{table}/prizes"))["prizes"]
        return [prize for prize in found if prize["status"] in status]

    async def pay_all(self, table: str) -> int:
        """Verify and pay whatever of a table waits; minor units paid."""
        paid = 0
        for prize in await self.prizes(table, "pending"):
            await self.post(f"/tables/{table}/prizes/verify", {"prize": prize["id"]})
        for prize in await self.prizes(table, "verified"):
            await self.post(f"/tables/{table}/prizes/pay", {"prize": prize["id"]})
            paid += prize["payable_minor"]
        return paid


@contextlib.asynccontextmanager
async def panel(node: Daemon, login: str = "ana") -> AsyncIterator[Panel]:
    """Log in. A connection for each request: one that was kept may be closed by the daemon while it is used again."""
    timeout, limits = httpx.Timeout(DEADLINE_S), httpx.Limits(max_keepalive_connections=0)
    headers = {"Origin": node.panel}
    async with httpx.AsyncClient(base_url=node.panel, timeout=timeout, limits=limits, headers=headers) as client:
        answer = await client.post("/api/v1/session", json={"login": login, "pin": PINS[login]})
        assert answer.status_code == 200, answer.text
        yield Panel(client, {"X-CSRF-Token": answer.json()["csrf_token"]})


async def until_alarm(person: Panel, table: str, code: str) -> dict[str, Any]:
    """An alarm of a table, once the panel shows it."""
    found: list[dict[str, Any]] = []

    async def shown() -> bool:
        found[:] = [alarm for alarm in (await person.get(f"/tables/{table}"))["alarms"] if alarm["alarm"] == code]
        return bool(found)

    await soon(shown, f"an alarm {code}")
    return found[0]
