"""A dealer at a real daemon's table: touches the simulated hardware and reads the table's screen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from tests.system.daemon import Daemon
from tests.system.pit_files import OasisHardware

BANK = "Ah Kh 7c 4d 2h"
STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
NOTHING = "2c 4s 6h 8c Tc"
START = 500_000
"""The preset's start value, and below: what a bet of one credit adds to the meter (minor units)."""
SHARE = 20
AGAIN_S = 20.0
"""Whoever has seen nothing of a chip or a key for so long lifts it and puts it down, or presses it, once more."""
TRIES = 6
Seen = Callable[[dict[str, Any]], bool]


def seat(scene: dict[str, Any], number: int) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in scene["seats"] if each["number"] == number)
    return found


def has_credit(scene: dict[str, Any], number: int) -> bool:
    return bool(seat(scene, number)["credits"] == 1)


def is_deciding(scene: dict[str, Any], number: int) -> bool:
    return bool(seat(scene, number)["deciding"])


def nobody_decides(scene: dict[str, Any]) -> bool:
    return not any(each["deciding"] for each in scene["seats"])


def is_drawn(scene: dict[str, Any]) -> bool:
    return scene["carta_magica"] is not None and scene["jugador_afortunado"] is not None


def stage_is(scene: dict[str, Any], kind: str) -> bool:
    return bool(scene["stage"]["kind"] == kind)


def straight_flushes(scene: dict[str, Any]) -> list[dict[str, Any]]:
    """Pending straight flushes on the stage; a draw's prize may stand there before the carousel has answered."""
    wins = scene["stage"].get("wins", []) if stage_is(scene, "prize_pending") else []
    return [win for win in wins if win["category"] == "straight_flush"]


def is_awarded(scene: dict[str, Any]) -> bool:
    return bool(straight_flushes(scene))


def meter_is(scene: dict[str, Any], amount: int) -> bool:
    return bool(scene["meter"]["freshness"] == "fresh" and scene["meter"]["amount"] == str(amount))


def is_at_hand(scene: dict[str, Any], number: int) -> bool:
    return bool(scene["hand_number"] >= number)


@dataclass
class Dealer:
    """One table: its daemon and hardware. Boxes are seat numbers; cards are as `9d 8d`, the bank's are added."""

    node: Daemon
    table: str
    hardware: OasisHardware

    @property
    def screen(self) -> str:
        return f"table-{self.table}"

    async def scene(self) -> dict[str, Any]:
        """What the screen shows now."""
        return await self.node.until(self.screen, lambda scene: True, "scene")

    async def insist(self, act: Callable[[], Awaitable[object]], done: Seen, what: str) -> None:
        """Act, and again where nothing came of it: a table that does not hear its host, or a device, takes nothing."""

        trouble = AssertionError(what)
        for _ in range(TRIES):
            await act()
            try:
                await self.node.until(self.screen, done, what, AGAIN_S)
                return
            except AssertionError as nothing:
                trouble = nothing
        raise trouble

    async def press(self, key: str, done: Seen, what: str) -> None:
        """A key until its effect is shown."""
        await self.insist(partial(self.hardware.press, key), done, what)

    async def bet(self, *boxes: int) -> None:
        for box in boxes:
            await self.insist(partial(self._put, box), partial(has_credit, number=box), f"credit at {box}")

    async def _put(self, box: int) -> None:
        """A chip on a box, where none is seen before."""
        if self.hardware.boxes.levels[box - 1]:
            self.hardware.boxes.set_level(box - 1, False)
            await self.hardware.ready()
        self.hardware.boxes.set_level(box - 1, True)

    async def close(self) -> None:
        await self.press("close_bets", is_drawn, "draws")

    async def deal(self, hands: str, *boxes: int) -> None:
        """Cards to everybody, and every box plays."""
        await self.hardware.deal(f"{hands} {BANK}")
        for box in boxes:
            await self.node.until(self.screen, partial(is_deciding, number=box), f"turn of {box}")
            await self.press("play", lambda scene, box=box: not is_deciding(scene, box), f"play of {box}")  # type: ignore[misc]  # bound at once
        await self.node.until(self.screen, nobody_decides, "all decided")

    async def end(self) -> None:
        """Mano terminada, and the chips are lifted."""
        next_one = (await self.scene())["hand_number"] + 1
        await self.press("hand_over", partial(is_at_hand, number=next_one), f"hand {next_one}")
        for box in range(7):
            self.hardware.boxes.set_level(box, False)

    async def play(self, *boxes: int, hands: str) -> None:
        """A whole hand."""
        await self.bet(*boxes)
        await self.close()
        await self.deal(hands, *boxes)
        await self.end()
