"""A table's profile as one node prints it and another reads it, before two people let the table in."""

import re
from collections.abc import Mapping
from typing import Any

from controller.core.prizes import PrizeList
from controller.core.records import from_foreign, to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.ledger_records import Profile, digest_of

MOST_MICROS = 10**18
"""What still fits a signed number of 64 bits with room for sums."""
MOST_PERCENT = 100
_SHAPES = {
    "table": re.compile(r"[a-z0-9][a-z0-9_-]{0,31}"),
    "incarnation": re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"),
    "key": re.compile(r"[0-9a-f]{64}"),
    "currency": re.compile(r"[A-Z]{3}"),
}


def terms_of(profile: Profile) -> str:
    """Digest of what a table's prizes and contributions are computed with: equal at the table and at the host."""
    return told_digest(profile.currency, profile.prizes, profile.bound_micros, profile.ceiling_micros)


def told_digest(currency: str, prizes: PrizeList, bound_micros: int | None, ceiling_micros: int | None) -> str:
    """The same of its parts, where a table has no profile."""
    return digest_of((currency, prizes, bound_micros, ceiling_micros))


def profile_to_plain(profile: Profile) -> dict[str, Any]:
    """The profile as JSON holds it; no secret is in it."""
    plain: dict[str, Any] = to_record(profile)
    return plain


def profile_from_plain(plain: Mapping[str, Any]) -> Profile:
    """What `profile_to_plain` gave; ValueError names what does not fit."""
    profile = from_foreign(Profile, plain)
    for name, shape in _SHAPES.items():
        if shape.fullmatch(getattr(profile, name)) is None:
            raise ValueError(f"{name} is none: {getattr(profile, name)[:64]!r}")
    amounts = {"start": profile.start_micros, "bound": profile.bound_micros, "ceiling": profile.ceiling_micros}
    for name, micros in amounts.items():
        if micros is not None and not 0 <= micros <= MOST_MICROS:
            raise ValueError(f"{name} is out of bounds")
    return profile


def unfit_terms(table: str, prizes: PrizeList, bound_micros: int | None, ceiling_micros: int | None) -> Refused | None:
    """Why nobody can sign a table's prizes and limits: what `check-config` refuses in that table's own file."""
    categories = [row.category for row in prizes.rows]
    for row in prizes.rows:
        kind = row.category.value
        if categories.count(row.category) > 1:
            return refuse(Refusal.PROFILE_UNFIT, table=table, kind=kind, why="prize_twice")
        if (row.percent is None) == (row.fixed_minor is None):
            return refuse(Refusal.PROFILE_UNFIT, table=table, kind=kind, why="prize_of_one_kind")
        if not _within(row.percent, MOST_PERCENT) or not _within(row.fixed_minor, MOST_MICROS):
            return refuse(Refusal.PROFILE_UNFIT, table=table, kind=kind, why="prize_out_of_bounds")
    if not _within(bound_micros, MOST_MICROS) or not _within(ceiling_micros, MOST_MICROS):
        return refuse(Refusal.PROFILE_UNFIT, table=table, why="limit_out_of_bounds")
    return None


def _within(value: int | None, most: int) -> bool:
    return value is None or 1 <= value <= most
