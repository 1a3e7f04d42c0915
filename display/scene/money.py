"""Amounts of a scene: whole minor units in strings, and how the site writes its currency."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Currency:
    """How amounts are written. `decimals` is how many digits of `Amount.minor` are the fraction (0 to 6)."""

    code: str = "ARS"
    symbol: str = "$"
    decimals: int = 2

    def __post_init__(self) -> None:
        if not 0 <= self.decimals <= 6:
            raise ValueError(f"decimals out of 0..6: {self.decimals}")


PESOS = Currency()


@dataclass(frozen=True, slots=True)
class Amount:
    """Whole minor units (centavos) as decimal digits, floored by the caller; a screen never shows a negative amount."""

    minor: str

    def __post_init__(self) -> None:
        if not (self.minor.isascii() and self.minor.isdigit()) or (len(self.minor) > 1 and self.minor[0] == "0"):
            raise ValueError(f"not whole minor units: {self.minor!r}")

    @classmethod
    def of(cls, minor: int) -> Amount:
        """From an int of minor units, zero or more."""
        return cls(str(minor))
