"""Deliberately broken carousels: each breaks one clause of the protocol, and the simulator must notice every one."""

from tests.engine.mutants import claims, closing, counters, hosts, members, money, order, payments
from tests.engine.mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (
    *counters.MUTANTS,
    *claims.MUTANTS,
    *hosts.MUTANTS,
    *order.MUTANTS,
    *money.MUTANTS,
    *members.MUTANTS,
    *payments.MUTANTS,
    *closing.MUTANTS,
)

__all__ = ["MUTANTS", "Mutant"]
