"""Amounts and parts of one as people read them in faults and figures."""

from fractions import Fraction

from controller.core.money import Currency


def written(minor: int | Fraction, money: Currency) -> str:
    """An amount as people read it, floored to minor units: `5,000.00 ARS`."""
    whole, rest = divmod(int(minor // 1), 10**money.decimals)
    return f"{whole:,}.{rest:0{money.decimals}d} {money.code}" if money.decimals else f"{whole:,} {money.code}"


def percent(part: Fraction) -> str:
    """A part of one as a percentage of two decimals."""
    return f"{float(part * 100):.2f} %"
