"""Collects what the cross checks find: faults, which stop the start, and warnings, which do not."""

from dataclasses import dataclass, field
from typing import Literal

from controller.config.faults import Fault, Key, Places

Refusable = Literal["trigger_above_ceiling", "unequal_links", "pays_less", "unseen_table"]
"""Warnings that a site may have refused instead, since regulations differ."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Faults and warnings of one configuration, each at its key. refused: warnings that this site takes for faults."""

    places: Places
    refused: frozenset[Refusable] = frozenset()
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)

    def refuse(self, key: Key, reason: str) -> None:
        self.faults.append(self.places.fault(key, reason))

    def warn(self, key: Key, reason: str, kind: Refusable | None = None) -> None:
        """A warning, or a fault where the site refuses its kind."""
        found = self.faults if kind in self.refused else self.warnings
        found.append(self.places.fault(key, reason))
