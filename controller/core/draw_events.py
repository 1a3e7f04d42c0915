"""What happens around the draws: their source fails and is back, an outside input is set, a pool that is left moves."""

from dataclasses import dataclass

from controller.core.causes import PoolCause


@dataclass(frozen=True, slots=True)
class DrawSourceFailed:
    """The source of randomness gives nothing to draw from: why, in a word of ours."""

    why: str


@dataclass(frozen=True, slots=True)
class DrawSourceBack:
    """A chain is committed that the draws can be made of."""


@dataclass(frozen=True, slots=True)
class DrawOutsideSet:
    """Two people set the outside input of the draws to come, until another is set; "" = none.

    value: a public number as it was published; source: where anybody finds it.
    """

    value: str
    source: str


@dataclass(frozen=True, slots=True)
class DrawPoolMoved:
    """Two people move money of a pool that no draw of the table pays out of any more, or of the table's orphans.

    pool: the draw, or `orphans`. target: a draw in force with a pool, `orphans`, or a jackpot as people name it.
    """

    pool: str
    micros: int
    target: str
    reason: str
    cause: PoolCause | None = None
