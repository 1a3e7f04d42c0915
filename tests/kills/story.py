"""The evening that is interrupted at every point: chapters, each from what the one before left.

Two tables and their carousel: bets, draws, a straight flush claimed, verified and paid by two people, its hand
corrected, a hand void, a start value reset, a link cut in the middle of a hand, shifts closed, the prize of a machine
that does not come back settled by people, and the orderly end.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from tests.kills.hands import Office, Table, over_deaths
from tests.kills.pit import CAROUSEL_ID, HOST, PLACES, TABLES, Pit
from tests.system.dealing import NOTHING, SHARE, START, STRAIGHT_FLUSH, is_awarded, stage_is
from tests.system.people import panel
from tests.system.proxy import Way

OTHER_STRAIGHT_FLUSH = "9s 8s 7s 6s 5s"
LAST_STRAIGHT_FLUSH = "Th 9h 8h 7h 6h"
BOTH = 2 * START + 3 * SHARE
PRIZE = BOTH // 10
MISREAD = {"hand": 1, "place": "seat-1", "old": "5d", "new": "5c", "reason": "visto por cámara"}
"""The straight flush was a straight."""
VOID = {"hand": 2, "reason": "device_fault", "note": "the module was changed"}
NEW_START = 600_000
SHIFT = "2026-01-05/noche"


@dataclass(frozen=True)
class Chapter:
    """amount: what the carousel's meter shows at the end, in minor units. rest: nothing waits for anybody then.

    chips: boxes with a chip on them when it begins, by table.
    """

    name: str
    tell: Callable[[Pit], Awaitable[None]]
    amount: int
    rest: bool = True
    chips: tuple[tuple[str, int], ...] = ()


@contextlib.asynccontextmanager
async def office(pit: Pit, place: str, login: str = "ana") -> AsyncIterator[Office]:
    """Somebody logs in; who dies at that is asked again."""
    node = pit.places[place]
    async with contextlib.AsyncExitStack() as stack:
        yield Office(node, await over_deaths(node, lambda: stack.enter_async_context(panel(node, login))))


async def opening(pit: Pit) -> None:
    """Every node starts for the first time; the tables join."""


async def bets(pit: Pit) -> None:
    one, two = (Table(pit, name) for name in TABLES)
    await one.bet(1, 4)
    await two.bet(5)
    await one.close()
    await two.close()


async def straight_flush(pit: Pit) -> None:
    one, two = (Table(pit, name) for name in TABLES)
    await one.meter(BOTH)
    await two.deal(NOTHING, 5)
    await two.end(1)
    await one.deal(f"{STRAIGHT_FLUSH} {NOTHING}", 1, 4)
    await one.end(1)
    await one.until(is_awarded, "the award")


async def payment(pit: Pit) -> None:
    await pay(pit)


async def pay(pit: Pit) -> None:
    """Whatever waits at the tables is paid, and the host has heard it."""
    for table in TABLES:
        async with office(pit, table) as people:
            await people.pay(table)
    await Table(pit, HOST).until(lambda scene: not scene["pending"], "payments told")


async def correction(pit: Pit) -> None:
    async with office(pit, "t1") as people:
        await people.correct("t1", MISREAD)


async def void(pit: Pit) -> None:
    two = Table(pit, "t2")
    await two.bet(2)
    await two.close()
    async with office(pit, "t2") as people:
        await people.void("t2", VOID)
    await two.lift()


async def start_value(pit: Pit) -> None:
    async with office(pit, HOST) as people:
        await people.reset_start(CAROUSEL_ID, "t2", NEW_START)


async def cut(pit: Pit) -> None:
    """The link of t2 is cut between its bets and its straight flush, and comes back when t1 has played on."""
    one, two = (Table(pit, name) for name in TABLES)
    await two.bet(3)
    await two.close()
    await one.meter(RESET + SHARE)
    pit.between.hold(Way.BOTH)
    await two.deal(OTHER_STRAIGHT_FLUSH, 3)
    await two.end(3)
    await one.bet(7)
    await one.close()
    await one.deal(NOTHING, 7)
    await one.end(2)
    await two.until(partial(stage_is, kind="link_lost"), "a lost link")
    pit.between.heal()
    for table in (one, two):
        await table.meter(AFTER_CUT)
    await pay(pit)


async def shifts(pit: Pit) -> None:
    for place in PLACES:
        async with office(pit, place) as people:
            await people.close_shift(SHIFT)


async def settled(pit: Pit) -> None:
    """t2 is switched off for good before anybody has paid its prize: people end its incarnation and pay at the cage."""
    two = Table(pit, "t2")
    await two.bet(6)
    await two.close()
    await two.deal(LAST_STRAIGHT_FLUSH, 6)
    await two.end(4)
    await two.until(is_awarded, "the award")
    await pit.switch_off("t2")
    async with office(pit, HOST, "tito") as people:
        await people.seal(CAROUSEL_ID, "t2")
    async with office(pit, HOST) as people:
        await people.settle(CAROUSEL_ID)
    await Table(pit, HOST).until(lambda scene: not scene["pending"], "the prize settled")


CORRECTED = BOTH
RESET = START + 2 * SHARE + NEW_START
SECOND_PRIZE = (RESET + 2 * SHARE) // 10
AFTER_CUT = RESET + 2 * SHARE - SECOND_PRIZE
LAST_PRIZE = (AFTER_CUT + SHARE) // 10
AT_END = AFTER_CUT + SHARE - LAST_PRIZE
CHAPTERS = (
    Chapter("opening", opening, 2 * START),
    Chapter("bets", bets, BOTH, rest=False),
    Chapter("straight flush", straight_flush, BOTH - PRIZE, rest=False, chips=(("t1", 1), ("t1", 4), ("t2", 5))),
    Chapter("payment", payment, BOTH - PRIZE),
    Chapter("correction", correction, CORRECTED),
    Chapter("void", void, CORRECTED),
    Chapter("start value", start_value, RESET),
    Chapter("cut", cut, AFTER_CUT),
    Chapter("shifts", shifts, AFTER_CUT),
    Chapter("settled", settled, AT_END, rest=False),
)
