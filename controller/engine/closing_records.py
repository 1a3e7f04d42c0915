"""Records of a jackpot's end: announced, begun, its money moved, and what becomes of the register of orphans."""

from dataclasses import dataclass

from controller.engine.signed import Signed


@dataclass(frozen=True, slots=True)
class ClosingAnnounced:
    """Two people announce the jackpot's end: from `day` on (`2026-12-31`) no jackpot bets; "" takes it back.

    target: where its money goes then: `orphans`, or another jackpot as people name it. keep_start: the house takes the
    start values back first.
    """

    day: str
    target: str
    keep_start: bool
    signed: Signed


@dataclass(frozen=True, slots=True)
class JackpotClosed:
    """The announced day has come: no table takes a jackpot bet from here on."""

    day: str


@dataclass(frozen=True, slots=True)
class Disposed:
    """A table's pools of a closed jackpot go where it was announced; house: its start value, taken back."""

    table: str
    main_micros: int
    reserve_micros: int
    overflow_micros: int
    house_micros: int
    target: str
    signed: Signed


@dataclass(frozen=True, slots=True)
class OrphansMoved:
    """Money of the register of orphans goes to another jackpot, as people name it."""

    micros: int
    target: str
    signed: Signed
