"""Why people change a pool: a closed list, and which change each cause may explain.

A jackpot's value falls only for what was won, for a fault that is corrected, for a display over its limit, for the seed
that the house takes back, or for a pool that was never displayed and is booked as revenue; money moves to another pool
only for a fault, a replaced machine or an approved move or closing. What a closed jackpot left comes in as a transfer.
"""

from collections.abc import Mapping
from enum import Enum


class PoolCause(Enum):
    """The typed part of a reason; the note in people's own words stands beside it."""

    FAULT_CORRECTION = "fault_correction"
    RECORDED_WIN = "recorded_win"
    OVER_LIMIT = "over_limit"
    SEED_RECOVERY = "seed_recovery"
    UNDISPLAYED_POOL = "undisplayed_pool"
    HOUSE_CONTRIBUTION = "house_contribution"
    APPROVED_START = "approved_start"
    REPLACEMENT = "replacement"
    APPROVED_MOVE = "approved_move"
    APPROVED_CLOSING = "approved_closing"
    CLOSED_JACKPOT = "closed_jackpot"


class PoolChange(Enum):
    """What is done to a pool."""

    RAISE = "raise"
    LOWER = "lower"
    LOWER_RESERVE = "lower_reserve"
    START = "start"
    TRANSFER = "transfer"
    LEAVE = "leave"
    CLOSE = "close"
    ORPHANS = "orphans"
    DRAW_POOL = "draw_pool"
    WRONG_STEP = "wrong_step"


_FALLS = (PoolCause.FAULT_CORRECTION, PoolCause.RECORDED_WIN, PoolCause.OVER_LIMIT, PoolCause.SEED_RECOVERY)
_MOVES = (
    PoolCause.FAULT_CORRECTION,
    PoolCause.REPLACEMENT,
    PoolCause.APPROVED_MOVE,
    PoolCause.APPROVED_CLOSING,
)
CAUSES: Mapping[PoolChange, tuple[PoolCause, ...]] = {
    PoolChange.RAISE: (PoolCause.FAULT_CORRECTION, PoolCause.HOUSE_CONTRIBUTION, PoolCause.CLOSED_JACKPOT),
    PoolChange.LOWER: _FALLS,
    PoolChange.LOWER_RESERVE: (*_FALLS, PoolCause.UNDISPLAYED_POOL),
    PoolChange.START: (
        PoolCause.APPROVED_START,
        PoolCause.FAULT_CORRECTION,
        PoolCause.SEED_RECOVERY,
        PoolCause.REPLACEMENT,
    ),
    PoolChange.TRANSFER: (*_MOVES, PoolCause.SEED_RECOVERY),
    PoolChange.LEAVE: _MOVES,
    PoolChange.CLOSE: (PoolCause.APPROVED_CLOSING, PoolCause.REPLACEMENT, PoolCause.FAULT_CORRECTION),
    PoolChange.ORPHANS: (PoolCause.APPROVED_MOVE, PoolCause.APPROVED_CLOSING),
    PoolChange.DRAW_POOL: (PoolCause.APPROVED_MOVE, PoolCause.APPROVED_CLOSING, PoolCause.FAULT_CORRECTION),
    PoolChange.WRONG_STEP: (PoolCause.FAULT_CORRECTION,),
}
"""What may be given as the cause of each change, the usual one first."""


def typed_reason(cause: PoolCause, note: str) -> str:
    """Cause and note as one text, which is how records keep reasons: `fault_correction: note`."""
    return f"{cause.value}: {note}"


def split_reason(text: str) -> tuple[PoolCause | None, str]:
    """The cause and the note of a stored reason; no cause for one that was written freely."""
    head, colon, note = text.partition(": ")
    known = {cause.value: cause for cause in PoolCause}
    return (known[head], note) if colon and head in known else (None, text)
