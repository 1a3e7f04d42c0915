"""Runs one simulated life again and prints it: `python -m tests.engine.replay SEED [MUTANT]`."""

import sys
from unittest.mock import patch

from controller.core.ledger import LedgerBroken
from tests.engine.mutants import MUTANTS, Mutant
from tests.engine.sim_nodes import Violation
from tests.engine.sim_run import run_seed
from tests.engine.simulator import World


def main(arguments: list[str]) -> int:
    """Exit code 1 when the life ends in a violation."""
    seed = int(arguments[0])
    named = [mutant for mutant in MUTANTS if arguments[1:] == [mutant.name]]
    mutant = named[0] if named else Mutant("none")
    worlds: list[World] = []
    prepare = World.prepare

    def remembered(self: World, tables: int) -> None:
        worlds.append(self)
        prepare(self, tables)

    ended = "all is well"
    with mutant.at_work(), patch.object(World, "prepare", remembered):
        try:
            run_seed(seed, behaviour=dict(mutant.behaviour), faults=mutant.faults, ends=mutant.ends)
        except (Violation, LedgerBroken) as broken:
            ended = str(broken)
    show(worlds[0])
    print(ended)
    return 0 if ended == "all is well" else 1


def show(world: World) -> None:
    print("\n".join(world.trace))
    for node in world.nodes():
        print(f"--- {node.name}")
        for entry in node.journal:
            print(f"    {entry.id} {entry.kind} {str(dict(entry.body))[:200]}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
