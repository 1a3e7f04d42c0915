"""A dealer and people who look again after every interruption, and do again only what was not done."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import httpx

from controller.adapters.journal.errors import JournalError
from tests.kills.pit import SCREENS, Pit, Place
from tests.system.dealing import BANK, has_credit, is_deciding, is_drawn, meter_is, nobody_decides
from tests.system.people import Panel
from tests.system.pit_files import KEYS, OasisHardware

DEADLINE_S = 240.0
PATIENCE_S = 20.0
"""How long somebody waits for what a key or a request does before looking again."""
WORLD = (httpx.HTTPError, OSError, JournalError, AssertionError)
"""What one meets when a daemon dies: no answer, and after it a refusal of what was done already."""
PAUSE_S = 0.1

T = TypeVar("T")
Seen = Callable[[dict[str, Any]], bool]


async def insist(place: Place, done: Callable[[], Awaitable[bool]], act: Callable[[], Awaitable[object]]) -> None:
    """Act until it is done, looking first, and again whenever the world fell to pieces meanwhile."""

    async def once() -> None:
        deaths = place.deaths
        if not await done():
            await act()
            async with asyncio.timeout(PATIENCE_S):
                while not await done():
                    assert place.deaths == deaths, "it died of it"
                    await asyncio.sleep(PAUSE_S)

    await over_deaths(place, once)


async def over_deaths(place: Place, do: Callable[[], Awaitable[T]]) -> T:
    """Do something with a daemon, from the beginning whenever it dies of it."""
    trouble: list[BaseException] = []
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DEADLINE_S):
            while True:
                await place.up()
                try:
                    return await do()
                except (*WORLD, TimeoutError) as met:
                    trouble.append(met)
                await asyncio.sleep(PAUSE_S)
    raise AssertionError(f"not done within {DEADLINE_S} s: {trouble[-5:]}\n{place.log.read_text()[-3000:]}")


@dataclass
class Table:
    """Dealer and players of one table."""

    pit: Pit
    name: str

    @property
    def place(self) -> Place:
        return self.pit.places[self.name]

    @property
    def hardware(self) -> OasisHardware:
        return self.pit.hardware[self.name]

    async def scene(self) -> dict[str, Any]:
        """What the screen shows now."""
        async for scene in self.place.scenes(SCREENS[self.name]):
            return scene
        raise AssertionError("a screen that shows nothing")

    async def until(self, true: Seen, what: str) -> dict[str, Any]:
        """Wait for something on the screen, over deaths of its daemon; a meter that is fresh goes before it."""
        return await over_deaths(self.place, lambda: self.place.until(SCREENS[self.name], true, what, 2 * PATIENCE_S))

    async def shows(self, true: Seen) -> bool:
        return true(await self.scene())

    async def ready(self) -> None:
        """It runs, it is linked, and it knows how its keys are."""
        await self.until(lambda scene: bool(scene["meter"]["freshness"] == "fresh"), "a fresh meter")
        await self.hardware.ready()

    async def bet(self, *boxes: int) -> None:
        """A credit on each box; one that did not count is lifted and put down again."""
        for box in boxes:
            await insist(self.place, partial(self.shows, partial(has_credit, number=box)), partial(self._put, box))

    async def _put(self, box: int) -> None:
        self.hardware.boxes.set_level(box - 1, False)
        await self.ready()
        self.hardware.boxes.set_level(box - 1, True)

    async def press(self, key: str, done: Seen) -> None:
        """A key down and up; who finds that nothing came of it presses again."""

        async def act() -> None:
            self.hardware.keys.set_level(KEYS.index(key), True)
            await self.hardware.ready()
            self.hardware.keys.set_level(KEYS.index(key), False)
            await self.hardware.ready()

        await insist(self.place, partial(self.shows, done), act)

    async def close(self) -> None:
        """No va más, and both draws."""
        await self.press("close_bets", lambda scene: bool(scene["phase"]["current"] != "bets"))
        await self.until(is_drawn, "draws")

    async def deal(self, hands: str, *boxes: int) -> None:
        """Cards to everybody, one after the other, and every box plays."""
        for number, card in enumerate(f"{hands} {BANK}".split(), 1):
            await insist(self.place, partial(self._dealt, number), partial(self._read, card, number))
        for box, after in zip(boxes, [*boxes[1:], None], strict=True):
            await self.until(partial(is_deciding, number=box), f"turn of {box}")
            done = nobody_decides if after is None else partial(is_deciding, number=after)
            await self.press("play", done)

    async def _read(self, card: str, number: int) -> None:
        """A card over the reader; after a death, only once it is known that what lay on the line is not this card."""
        if self.place.deaths:
            await self.hardware.ready()
            if await self._dealt(number):
                return
        await self.hardware.reader.read_line(f"CARD {card}")

    async def _dealt(self, number: int) -> bool:
        """Whether so many cards of the hand in course were read."""
        hand = (await self.scene())["hand_number"]
        read = sum(
            entry["kind"] == "game.event" and entry["body"].get("hand") == hand and "card" in entry["body"]["event"]
            for entry in await self.place.entries(SCREENS[self.name])
        )
        return read >= number

    async def end(self, hand: int) -> None:
        """Mano terminada, and the chips are lifted."""
        await self.press("hand_over", lambda scene: bool(scene["hand_number"] == hand + 1))
        await self.lift()

    async def lift(self) -> None:
        for box in range(7):
            self.hardware.boxes.set_level(box, False)
        await self.hardware.ready()

    async def meter(self, amount: int) -> None:
        await self.until(partial(meter_is, amount=amount), f"a meter of {amount}")


@dataclass
class Office:
    """Two people at the panel of one place; they do together what takes two."""

    place: Place
    ana: Panel

    async def act(self, done: Callable[[Panel], Awaitable[bool]], do: Callable[[Panel], Awaitable[object]]) -> None:
        async def found() -> bool:
            approvals = (await self.ana.get("/approvals"))["approvals"]
            while any(each["status"] == "given" for each in approvals):  # carried out at the start
                await asyncio.sleep(PAUSE_S)
                approvals = (await self.ana.get("/approvals"))["approvals"]
            return await done(self.ana)

        await insist(self.place, found, lambda: do(self.ana))

    async def pay(self, table: str) -> None:
        """Verify and pay whatever of a table waits, draws and carousel."""

        async def done(ana: Panel) -> bool:
            return not await ana.prizes(table, "pending", "verified", "held")

        await self.act(done, lambda ana: ana.pay_all(table))

    async def correct(self, table: str, misread: dict[str, Any]) -> None:
        async def done(ana: Panel) -> bool:
            return bool((await ana.get(f"/tables/{table}/hands/{misread['hand']}"))["revision"] == 2)

        await self.act(done, lambda ana: ana.post(f"/tables/{table}/cards/correction", misread))

    async def void(self, table: str, void: dict[str, Any]) -> None:
        async def done(ana: Panel) -> bool:
            return bool((await ana.get(f"/tables/{table}/hands/{void['hand']}"))["void"])

        await self.act(done, lambda ana: ana.post(f"/tables/{table}/void", void))

    async def reset_start(self, carousel: str, table: str, minor: int) -> None:
        """A new start value, the table's balance with it."""

        async def done(ana: Panel) -> bool:
            tables = (await ana.get(f"/carousels/{carousel}"))["tables"]
            return any(each["table"] == table and each["start_minor"] == minor for each in tables)

        form = {
            "table": table,
            "start_minor": minor,
            "meter_too": True,
            "cause": "approved_start",
            "reason": "a new one",
        }
        await self.act(done, lambda ana: ana.post(f"/carousels/{carousel}/start-value", form))

    async def seal(self, carousel: str, table: str) -> None:
        """The end of a table's incarnation, which they have seen switched off."""

        async def done(ana: Panel) -> bool:
            tables = (await ana.get(f"/carousels/{carousel}"))["tables"]
            return any(each["table"] == table and each["standing"] == "sealed" for each in tables)

        form = {"table": table, "seen_switched_off": True, "reason": "se quemó"}
        await self.act(done, lambda ana: ana.post(f"/carousels/{carousel}/seal", form))

    async def settle(self, carousel: str) -> None:
        """The awards that nobody but people can pay any more."""

        async def open_still(ana: Panel) -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = (await ana.get(f"/carousels/{carousel}"))["to_settle"]
            return found

        async def done(ana: Panel) -> bool:
            return not await open_still(ana)

        async def do(ana: Panel) -> None:
            for award in await open_still(ana):
                form = {"claim": award["claim"], "seen_switched_off": True, "reason": "pagado en caja"}
                await ana.post(f"/carousels/{carousel}/settle-award", form)

        await self.act(done, do)

    async def close_shift(self, name: str) -> None:
        async def done(ana: Panel) -> bool:
            return any(each["name"] == name for each in (await ana.get("/shifts"))["closed"])

        await self.act(done, lambda ana: ana.post("/shifts/close", {"shift": name}))
