"""What screens and signs call a table, in one place: names of another node's tables do not travel, only their ids."""

import re
from collections.abc import Mapping

WORDED = re.compile(r"(?:mesa|table)[-_](.+)|(?:mesa|table|m|t)(\d+)")
"""Ids that say "table" themselves: `mesa-3`, `table_norte`, `t3`."""


def label_of(labels: Mapping[str, str], table: str) -> str:
    """The number of a table that this node knows; else its id without the word that every screen puts before it.

    The whole id where that would be what another table is called.
    """
    known = labels.get(table)
    if known is not None:
        return known
    found = WORDED.fullmatch(table)
    if found is None:
        return table
    rest: str = found[1] or found[2]
    label = (rest.lstrip("0") or rest) if rest.isdigit() else rest
    return table if label in labels.values() else label
