"""What the house lends a meter that pays the fixed rows (reading O-f), in the long run: a bound from above.

One bet after the other: the meter grows by its share, and a row takes a sum, a part, or the whole of it; what it lacks
the house adds. The mean lent between two restarts is a falling, convex function of the meter where they begin (a meter
that begins higher is emptied later, when percentages have left less of the difference). Hence straight lines between
knots lie above it, and the linear equations of the knots bound it from above, however far apart these are. Closer knots
only bring the bound down to the figure: for the lists of the presets within a thousandth of the bet.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

KNOTS = 400
STARTS = 1_000
"""Quantiles of the value that a meter restarts at, each taken at its lower end."""
NEAR = 3
ROOM = 40
"""The meter is followed up to its start and so many times the highest fixed row; above, as if it stayed there."""
RESTARTS_UNKNOWN = 1e-7
"""Where no row takes the whole, an empty meter is restarted once in so many prizes: it bounds what is lent for ever."""
ROUNDED_UP = 10**9
UNSURE = 1e-6
"""What the arithmetic of floats may have lost, in parts of the answer."""


@dataclass(frozen=True, slots=True)
class Lending:
    """Terms of one bet: chances with sums in minor units, chances with parts of the meter, chance of the whole.

    `share_minor`, `reserve_minor`: what a bet adds to the meter and to its reserve; `start_minor`: where it restarts,
    at least; `floor_minor`: below this it is never left (reading O-g, topped up), else 0; `ceiling_minor`: above this
    it does not grow.
    """

    sums: tuple[tuple[Fraction, Fraction], ...]
    parts: tuple[tuple[Fraction, Fraction], ...]
    whole: Fraction
    share_minor: Fraction
    start_minor: int
    reserve_minor: Fraction
    floor_minor: int = 0
    ceiling_minor: int | None = None


@lru_cache(maxsize=256)
def lent_minor(terms: Lending) -> Fraction:
    """Most that the house lends per bet in the long run, in minor units, rounded up to a thousand-millionth."""
    # Only lists whose fixed rows the meter pays need it, and loading it takes longer than all else of a check.
    import numpy as np

    everything = sum((p * amount for p, amount in terms.sums), Fraction(0))
    everything += sum((p * part * terms.floor_minor for p, part in terms.parts), Fraction(0))
    if not terms.share_minor:
        return everything
    some = float(sum((p for p, _ in (*terms.sums, *terms.parts)), Fraction(0)))
    whole = float(terms.whole) or RESTARTS_UNKNOWN * some
    begins = _restarts(terms, whole)
    knots, bets = _knots(terms, float(begins[-1]))
    values = _lent_from(terms, whole + some, knots, bets)
    per_bet = whole * float(np.mean(np.interp(begins, knots, values)))
    return min(Fraction(int(per_bet * (1 + UNSURE) * ROUNDED_UP) + 1, ROUNDED_UP), everything)


def _restarts(terms: Lending, whole: float) -> "Array":
    """Quantiles of where the meter restarts: its start value, or the reserve since the last restart (reading O-h).

    A reserve that also pays what is topped up is not counted at all; an empty meter begins where nothing restarts it.
    """
    import numpy as np

    begin = terms.start_minor - terms.floor_minor if terms.whole else 0
    gathers = 0.0 if terms.floor_minor or not terms.whole else float(terms.reserve_minor)
    bets = np.floor(np.log1p(-np.arange(STARTS) / STARTS) / np.log1p(-whole))
    return np.asarray(np.maximum(bets * gathers, float(begin)), dtype=np.float64)


def _knots(terms: Lending, highest: float) -> "tuple[Array, Array]":
    """Values of the meter above its floor, and the bets that take it from each to the next.

    Half of them lie where prizes of a fixed row's size empty the meter, the others further and further apart.
    """
    import numpy as np

    largest, share = float(max(amount for _, amount in terms.sums)), float(terms.share_minor)
    top = highest + ROOM * largest
    if terms.ceiling_minor is not None:
        top = max(min(top, float(terms.ceiling_minor - terms.floor_minor)), 0.0)
    near = min(NEAR * largest, top)
    steps = np.arange(1, KNOTS // 2 + 1) / (KNOTS // 2)
    wanted = np.concatenate(([0.0], near * steps, near + (top - near) * steps**2))
    bets = np.maximum(np.floor(np.diff(wanted) / share), 1.0)
    knots = np.concatenate(([0.0], np.cumsum(bets * share)))
    knots = knots[knots <= top]
    return knots, bets[: len(knots) - 1]


def _lent_from(terms: Lending, event: float, knots: "Array", bets: "Array") -> "Array":
    """What is lent from each knot to the next restart, in the mean; `event`: chance that a bet wins of it."""
    import numpy as np

    count = len(knots)
    at = np.arange(count)
    # Just before a prize at a knot: what is lent for it, and between which knots the meter stands after it.
    lent = np.zeros(count)
    moves = np.zeros((count, count))
    sums = [(float(p), knots - float(amount)) for p, amount in terms.sums]
    parts = [(float(p), knots * (1 - float(part)) - float(part) * terms.floor_minor) for p, part in terms.parts]
    for chance, left in (*sums, *parts):
        lent += chance / event * np.maximum(-left, 0.0)
        stands = np.maximum(left, 0.0)
        below = np.minimum(np.searchsorted(knots, stands, side="right") - 1, max(count - 2, 0))
        above = np.minimum(below + 1, count - 1)
        width = np.where(above > below, knots[above] - knots[below], 1.0)
        weight = np.where(above > below, (stands - knots[below]) / width, 0.0)
        np.add.at(moves, (at, below), chance / event * (1 - weight))
        np.add.at(moves, (at, above), chance / event * weight)
    # From a knot on: no prize in the bets up to the next knot, or the first with one of them, on the straight line.
    stays = (1 - event) ** bets
    towards = ((1 - stays) / event - bets * stays) / bets
    reach = np.zeros((count, count))
    reach[at[:-1], at[:-1]] = 1 - stays - towards
    reach[at[:-1], at[1:]] = towards
    reach[-1, -1] = 1.0
    onward = np.zeros((count, count))
    onward[at[:-1], at[1:]] = stays
    return np.asarray(np.linalg.solve(np.eye(count) - onward - reach @ moves, reach @ lent), dtype=np.float64)
