"""The demo's pit bosses: accounts made for this run, and two people who verify and pay what waits."""

import asyncio
import secrets
from dataclasses import dataclass

from controller.core.events import Envelope, PrizePaid, PrizeVerified
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


async def add_people(node: Node) -> list[Login]:
    """Accounts with random PINs, so that the panel can be tried; they end with the run's journals."""
    logins = []
    for login, name, role in PEOPLE:
        pin = f"{secrets.randbelow(1_000_000):06d}"
        secret = await node.people.passwords.hash(pin, secrets.token_bytes(16))
        added = UserAdded(login, name, role.value, secret)
        await node.people.desk.submit(Envelope(new_id(), added, "demo"))
        logins.append(Login(login, pin, name, role.value))
    return logins


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


def _pending(room: TableRoom, below_minor: int | None) -> list[str]:
    state = room.runner.state
    open_rows = (RowStatus.PENDING, RowStatus.VERIFIED)
    open_draws = (PrizeStatus.PENDING, PrizeStatus.VERIFIED)
    prizes = [(row.id, row.payable_minor) for row in state.link.rows.values() if row.status in open_rows]
    prizes += [(each.id, each.amount_minor) for each in state.draw_prizes.values() if each.status in open_draws]
    return [prize for prize, amount in prizes if below_minor is None or amount < below_minor]


async def _release(host: HostRoom) -> None:
    ledger = host.runner.state.ledger
    for answered in ledger.awards.values():
        if answered.held and not answered.released:
            name: ClaimName = answered.granted.name
            await host.runner.submit(Envelope(new_id(), PrizeReleased(name, "seen at the table"), FIRST, SECOND))
