"""Who answers for an act of people in the ledger."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signed:
    """Why, by whom and with whom: every act of people in the ledger has all three."""

    reason: str
    actor: str
    second: str
