"""Micros of the currency unit, minor units, basis points, and exact splits; integers only."""

from collections.abc import Sequence
from dataclasses import dataclass

MICROS_PER_UNIT = 1_000_000
BASIS_POINTS = 10_000


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency: ISO code, and how many decimals its minor unit has (0 to 2, others cannot be exact in micros)."""

    code: str
    decimals: int = 2

    def __post_init__(self) -> None:
        if self.decimals not in (0, 1, 2):
            raise ValueError(f"currency {self.code}: decimals must be 0, 1 or 2, not {self.decimals}")

    @property
    def minor_micros(self) -> int:
        """Micros in one minor unit: 10,000 for a centavo."""
        return MICROS_PER_UNIT // int(10**self.decimals)


def share_micros(bet_minor: int, rate_bp: int, minor_micros: int) -> int:
    """The part of a bet at a rate, in micros; exact, since a minor unit is a whole number of basis-point micros."""
    return bet_minor * rate_bp * (minor_micros // BASIS_POINTS)


def floor_minor(amount_micros: int, minor_micros: int) -> int:
    """Whole minor units of an amount, floored: the rest stays where it is."""
    return amount_micros // minor_micros


def split_proportionally(amount: int, weights: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Split an amount over named weights exactly: largest remainder first, ties by name; order of input kept.

    The sum of the shares is the amount, and no share exceeds its weight while the amount does not exceed their sum.
    """
    total = sum(weight for _, weight in weights)
    if amount < 0 or amount > total:
        raise ValueError(f"cannot take {amount} from weights that sum to {total}")
    if total == 0:
        return tuple((name, 0) for name, _ in weights)
    shares = {name: amount * weight // total for name, weight in weights}
    remainders = sorted(weights, key=lambda named: (-(amount * named[1] % total), named[0]))
    for name, _ in remainders[: amount - sum(shares.values())]:
        shares[name] += 1
    return tuple((name, shares[name]) for name, _ in weights)
