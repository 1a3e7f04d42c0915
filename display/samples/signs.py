"""A carousel's sign: in play, with prizes, without data, and with many tables."""

from __future__ import annotations

from dataclasses import replace

from display import scene as s
from display.samples.story import (
    NOW_MS,
    meter_of,
)
from display.scene import Amount, PrizeState


def signage() -> dict[str, s.SignageScreen]:
    """The carousel's sign: in play, with prizes, without data, and with many tables."""
    day = 86_400_000
    tables = (
        s.SignageTable("3", "oasis", Amount.of(1_402_118_210)),
        s.SignageTable("4", "oasis", Amount.of(1_655_900_130)),
        s.SignageTable("7", "holdem_bonus", Amount.of(902_743_200)),
        s.SignageTable("9", "holdem_circle", Amount.of(863_000_000)),
    )
    prizes = (
        s.SignagePrize("7", "straight_flush", Amount.of(391_200_456), PrizeState.PAID, NOW_MS - day),
        s.SignagePrize("3", "four_of_a_kind", Amount.of(250_000_000), PrizeState.PAID, NOW_MS - 3 * day),
        s.SignagePrize("9", "full_house", Amount.of(60_000_000), PrizeState.PAID, NOW_MS - 4 * day),
    )
    fresh = s.SignageScreen("puerto", "Carrusel Puerto", meter_of(4_823_761_540), tables, last_prizes=prizes)
    royal = s.SignagePrize("4", "royal_flush", Amount.of(5_190_624_010), PrizeState.PENDING, NOW_MS)
    more = s.SignagePrize("7", "flush", Amount.of(7_500_000), PrizeState.PENDING, NOW_MS)
    crowd = tuple(
        s.SignageTable(str(number), "oasis", Amount.of(523_400_000 + number * 7_310_011), linked=number != 6)
        for number in range(1, 9)
    )
    return {
        "fresh": fresh,
        "pending": replace(fresh, meter=meter_of(2_000_000_000), pending=(royal, more)),
        "verified": replace(fresh, pending=(replace(royal, state=PrizeState.VERIFIED), more)),
        "paid": replace(fresh, meter=meter_of(2_000_000_000), just_paid=replace(royal, state=PrizeState.PAID)),
        "stale": replace(fresh, state=s.SignageState.STALE, meter=meter_of(4_823_761_540, freshness=s.Freshness.STALE)),
        "out": replace(fresh, state=s.SignageState.OUT_OF_SERVICE),
        "crowd": replace(fresh, tables=crowd, meter=meter_of(44_823_761_540)),
        "new": replace(fresh, last_prizes=(), tables=tables[:2]),
    }
