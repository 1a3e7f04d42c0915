"""What people do with a table's equipment: decks taken out and brought in, and tests of the lamps."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DeckReceipt:
    """What was inspected before a deck came to the table, and who inspected it."""

    maker: str
    model: str
    serial: str
    operator: str


@dataclass(frozen=True, slots=True)
class DeckReplaced:
    """A deck is withdrawn (a wrong count, a marked card) and a new one with an id of its own takes its place."""

    old: str
    new: str
    reason: str = ""
    receipt: DeckReceipt | None = None


@dataclass(frozen=True, slots=True)
class LampTestSwitched:
    """Every lamp of the table is lit for people to look at, or shows the table again."""

    on: bool


@dataclass(frozen=True, slots=True)
class LampTested:
    """One lamp of one seat is lit for a few seconds; `lamp` is what it means there: lamp, invite or out."""

    seat: int
    lamp: str


@dataclass(frozen=True, slots=True)
class LampTestRan:
    """The seconds of that test are over: its lamp shows the table again."""

    test: str
