"""Counts by difference: what a device's wrapping counter proves, and what it does not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Reset(Enum):
    """What is known about a reset of the device between two readings."""

    NO = "no"
    YES = "yes"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reading means: `new` counts to tell, or a loss within bounds (`lost_max` None: no bound)."""

    new: int = 0
    lost_min: int = 0
    lost_max: int | None = 0
    baseline: bool = False
    reset: bool = False
    why: str = ""

    @property
    def is_discontinuity(self) -> bool:
        return self.lost_max is None or self.lost_max > 0


def judge(
    last: int | None, now: int, *, modulus: int, plausible: int, reset: Reset = Reset.NO, apart: str = ""
) -> Reading:
    """Compare a counter's previous value with the present one.

    `plausible` is the most that can honestly be counted between the two. `apart` says why the two are too far apart
    for bets ("daemon was stopped"): the counts are then a loss with exact bounds.
    """
    if last is None:
        return Reading(baseline=True)
    if reset is Reset.UNKNOWN:
        reset = _infer_reset(last, now, plausible)
    delta = (now - last) % modulus
    if reset is Reset.YES:
        # A counter that did not fall may have survived the reset: then only the difference is sure.
        sure = now if now < last else now - last
        return Reading(lost_min=sure, lost_max=None, baseline=True, reset=True, why="device was reset")
    if reset is Reset.UNKNOWN:
        return Reading(lost_min=delta, lost_max=None, why="device may have been reset")
    if delta == 0:
        return Reading()
    if apart:
        return Reading(lost_min=delta, lost_max=delta, why=apart)
    if delta > plausible:
        return Reading(lost_min=0, lost_max=delta, why="more counts than plausible")
    return Reading(new=delta)


def _infer_reset(last: int, now: int, plausible: int) -> Reset:
    if now < last:
        return Reset.YES
    return Reset.NO if now > plausible else Reset.UNKNOWN
