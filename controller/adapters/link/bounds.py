"""How large a number in a message may be: what no journal, sum or index could hold never gets past the link."""

from collections.abc import Mapping

MOST = 10**17
"""Micros of the currency unit, 100 thousand million of it, and any count; sums of many tables stay within 64 bits."""
NARROWER: Mapping[str, int] = {"seat": 1_000, "credits": 1_000_000, "strength": 1_000_000}
"""Most of what a prize is multiplied or ranked by."""
SIGNED = frozenset({"beside", "record", "records"})
"""Fields in which a number may be below zero: differences, and what the ledger's records move."""


def number_out_of_range(plain: object) -> str | None:
    """The first number of a message that no honest node could mean, with its place; None when there is none."""
    waiting: list[tuple[str, str, bool, object]] = [("", "", False, plain)]
    while waiting:
        place, name, signed, value = waiting.pop()
        if isinstance(value, Mapping):
            waiting += [(f"{place}/{key}", str(key), signed or key in SIGNED, each) for key, each in value.items()]
        elif isinstance(value, list):
            waiting += [(place, name, signed, each) for each in value]
        elif isinstance(value, int) and not (-MOST if signed else 0) <= value <= NARROWER.get(name, MOST):
            return f"{place[:64]} {str(value)[:24]}"
    return None
