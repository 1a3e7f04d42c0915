"""Collects what the cross checks find: faults, which stop the start, and warnings, which do not."""

from dataclasses import dataclass, field

from controller.config.faults import Fault, Key, Places


@dataclass(frozen=True, slots=True)
class Findings:
    """Faults and warnings of one configuration, each at its key."""

    places: Places
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)

    def refuse(self, key: Key, reason: str) -> None:
        self.faults.append(self.places.fault(key, reason))

    def warn(self, key: Key, reason: str) -> None:
        self.warnings.append(self.places.fault(key, reason))
