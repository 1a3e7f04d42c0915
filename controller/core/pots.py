"""Pots of the circle game: the main pot and as many side pots as needed, and who takes them (art. C 58, 80-87)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd

from controller.core.rake import rake_of


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips that the same seats can win; the first is the main pot. Amounts in minor units."""

    amount: int
    eligible: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PaidPot:
    """A pot shared out: `share` to each winner after the rake, what cannot be split to the seat `odd_to`."""

    amount: int
    eligible: tuple[int, ...]
    rake: int
    winners: tuple[int, ...]
    share: int
    odd: int = 0
    odd_to: int | None = None
    payments: tuple[tuple[int, int], ...] = field(default=())


def uncovered(put: Mapping[int, int], out: Collection[int] = ()) -> tuple[int, int] | None:
    """The part of the highest bet that nobody covered, and whose it is; it goes back (art. 87). None when covered.

    `out` seats cover what they have put in, but get nothing back: they lost it with their cards.
    """
    if not put:
        return None
    seat = max(put, key=lambda each: put[each])
    second = max((chips for other, chips in put.items() if other != seat), default=0)
    return (seat, put[seat] - second) if put[seat] > second and seat not in out else None


def build_pots(put: Mapping[int, int], out: Collection[int], dead: int = 0) -> tuple[Pot, ...]:
    """Pots of what each seat has put in (uncovered parts already returned); `out` seats win none of them.

    `dead`: chips that belong to nobody's bet (blinds missed while resting, art. 38); they are in the main pot.
    What an `out` seat put in above everybody else's bet is in the last pot.
    """
    live = {seat: chips for seat, chips in put.items() if seat not in out}
    pots: list[Pot] = []
    below, waiting = 0, dead
    for level in sorted({chips for chips in live.values() if chips}):
        waiting += sum(min(chips, level) - min(chips, below) for chips in put.values())
        eligible = tuple(sorted(seat for seat, chips in live.items() if chips >= level))
        pots.append(Pot(waiting, eligible))
        below, waiting = level, 0
    waiting += sum(chips - min(chips, below) for chips in put.values())
    if waiting and pots:
        pots[-1] = Pot(pots[-1].amount + waiting, pots[-1].eligible)
    elif waiting and live:
        pots.append(Pot(waiting, tuple(sorted(live))))
    return tuple(pots)


def clockwise_from(button: int, seats: Collection[int]) -> tuple[int, ...]:
    """Seats in the order of play: first the one on the button's left (art. 41-42)."""
    return tuple(sorted(seats, key=lambda seat: (seat <= button, seat)))


def pay_pot(pot: Pot, strengths: Mapping[int, int], button: int, rate_bp: int, unit: int) -> PaidPot:
    """Share one pot: the rake first, then equal parts in whole chips to the best hands (art. 81-82, 95-96).

    What cannot be split goes to the first winner on the button's left, pot by pot. The smallest chip is `unit`; where a
    pot holds smaller money (an all-in of odd centavos), that is the smallest chip of this pot.
    """
    best = max(strengths[seat] for seat in pot.eligible)
    winners = clockwise_from(button, [seat for seat in pot.eligible if strengths[seat] == best])
    rake = rake_of(pot.amount, rate_bp, unit)
    net = pot.amount - rake
    chip = gcd(unit, net)
    share = net // (len(winners) * chip) * chip
    odd = net - share * len(winners)
    payments = tuple((seat, share + (odd if seat == winners[0] else 0)) for seat in winners)
    return PaidPot(
        pot.amount, pot.eligible, rake, tuple(sorted(winners)), share, odd, winners[0] if odd else None, payments
    )


def paid_by_seat(pots: Sequence[PaidPot]) -> dict[int, int]:
    """What each winner receives over all pots."""
    sums: dict[int, int] = {}
    for pot in pots:
        for seat, chips in pot.payments:
            sums[seat] = sums.get(seat, 0) + chips
    return sums
