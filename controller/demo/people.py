"""The demo's pit bosses: accounts made for this run, and two people who verify and pay what waits."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from controller.adapters.clock import wall_ms
from controller.core.events import (
    CardCorrected,
    CardsEntered,
    CreditsSettled,
    Envelope,
    HandCorrected,
    HandVoided,
    PrizePaid,
    PrizeVerified,
)
from controller.engine.accounts_events import UserAdded
from controller.engine.accounts_state import Role
from controller.engine.host_events import PrizeReleased
from controller.engine.ledger_records import ClaimName
from controller.engine.member_state import RowStatus
from controller.engine.table_state import PrizeStatus
from controller.main import Node
from controller.rooms import HostRoom, TableRoom, new_id

FIRST, SECOND = "ana", "beto"
LOOK_S = 1.0
DISPUTES = tuple(act.__name__ for act in (CardCorrected, HandCorrected, CardsEntered, HandVoided))
"""Acts of two people about a hand; it waits for them, as a dealer waits for who was called."""
PEOPLE = (
    (FIRST, "Ana Acosta", Role.PIT_BOSS),
    (SECOND, "Beto Ferreyra", Role.PIT_BOSS),
    ("carla", "Carla Ríos", Role.ADMIN),
)


@dataclass(frozen=True, slots=True)
class Login:
    """An account made for this run."""

    login: str
    pin: str
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A prize that waits for two people: its table's name, its hand or draw as the catalogues name it, minor units."""

    table: str
    kind: str
    amount_minor: int


async def add_people(node: Node) -> list[Login]:
    """Accounts with random PINs, so that the panel can be tried; they end with the run's journals.

    Each is made in its own person's name: the PINs are shown to whoever runs the demo, who is all of them.
    """
    logins = []
    for login, name, role in PEOPLE:
        pin = f"{secrets.randbelow(1_000_000):06d}"
        secret = await node.people.passwords.hash(pin, secrets.token_bytes(16))
        added = UserAdded(login, name, role.value, secret)
        await node.people.desk.submit(Envelope(new_id(), added, login))
        logins.append(Login(login, pin, name, role.value))
    return logins


def is_disputed(node: Node, table: str) -> bool:
    """Whether somebody has asked for an act about a table's cards, and a second person may still answer."""
    approvals = node.people.desk.state.approvals.values()
    asked = (each.act for each in approvals if each.waits_at(wall_ms()))
    return any(act["target"] == f"table:{table}" and act["event"]["type"] in DISPUTES for act in asked)


async def until_decided(node: Node, table: str) -> None:
    """Wait while a request about a table's cards waits."""
    while True:
        if not is_disputed(node, table):
            return
        await asyncio.sleep(LOOK_S)


async def settle_counts(rooms: list[TableRoom]) -> None:
    """Say of counts that a sensor lost what is true here: a chip that it surely missed is a bet, the rest was none."""
    while True:
        for room in rooms:
            for unread in room.runner.state.unread.values():
                answer = await room.runner.submit(_settled(unread.id, unread.lost_min))
                if answer.refused is not None:  # too late to bet
                    await room.runner.submit(_settled(unread.id, 0))
        await asyncio.sleep(LOOK_S)


def _settled(unread: str, credits: int) -> Envelope:
    return Envelope(new_id(), CreditsSettled(unread, credits), FIRST, SECOND)


async def pay_prizes(
    rooms: list[TableRoom], hosts: list[HostRoom], pending_s: float, below_minor: int | None = None
) -> None:
    """Verify and pay every pending prize after it has been shown for a while; release what was held.

    below_minor: leave larger prizes, and what is held, to whoever uses the panel.
    """
    seen: dict[tuple[str, str], float] = {}
    loop = asyncio.get_running_loop()
    while True:
        for host in hosts if below_minor is None else ():
            await _release(host)
        for room in rooms:
            for prize in _pending(room, below_minor):
                first_seen = seen.setdefault((room.table.id, prize), loop.time())
                if loop.time() - first_seen >= pending_s:
                    await room.runner.submit(Envelope(new_id(), PrizeVerified(prize), FIRST))
                    await room.runner.submit(Envelope(new_id(), PrizePaid(prize), FIRST, SECOND))
        await asyncio.sleep(LOOK_S)


async def watch_waiting(
    rooms: list[TableRoom],
    from_minor: int,
    waits: Callable[[Waiting], None],
    settled: Callable[[Waiting], None],
) -> None:
    """Tell of each prize that is left to people, once when it waits and once when it waits no more."""
    told: dict[tuple[str, str], Waiting] = {}
    while True:
        now = {
            (room.table.id, prize): Waiting(room.table.name, kind, amount)
            for room in rooms
            for prize, kind, amount in _open(room)
            if amount >= from_minor
        }
        for key in now.keys() - told.keys():
            waits(now[key])
        for key in told.keys() - now.keys():
            settled(told[key])
        told = now
        await asyncio.sleep(LOOK_S)


def _pending(room: TableRoom, below_minor: int | None) -> list[str]:
    return [prize for prize, _, amount in _open(room) if below_minor is None or amount < below_minor]


def _open(room: TableRoom) -> list[tuple[str, str, int]]:
    """Prizes of a table that are neither paid nor void: id, its hand or draw, amount."""
    state = room.runner.state
    open_rows = (RowStatus.PENDING, RowStatus.VERIFIED)
    open_draws = (PrizeStatus.PENDING, PrizeStatus.VERIFIED)
    prizes = [(row.id, row.category, row.payable_minor) for row in state.link.rows.values() if row.status in open_rows]
    draws = [each for each in state.draw_prizes.values() if each.status in open_draws]
    return prizes + [(each.id, each.kind, each.amount_minor) for each in draws]


async def _release(host: HostRoom) -> None:
    ledger = host.runner.state.ledger
    for answered in ledger.awards.values():
        if answered.held and not answered.released:
            name: ClaimName = answered.granted.name
            await host.runner.submit(Envelope(new_id(), PrizeReleased(name, "seen at the table"), FIRST, SECOND))
