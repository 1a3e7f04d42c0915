"""Two thousand seeded lives of a carousel under faults, and every deliberate mutant caught.

A failure names its seed: `python -m tests.engine.replay 1234` runs that life again and prints what happened.
"""

import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor

import pytest

from controller.core.ledger import LedgerBroken
from controller.engine.ledger_records import KINDS
from tests.engine.mutants import MUTANTS, Mutant
from tests.engine.mutants.money import WAITING
from tests.engine.sim_nodes import Violation
from tests.engine.sim_run import run_seed
from tests.engine.simulator import World

SEEDS = int(os.environ.get("CARRUSEL_SEEDS", "2000"))
CHUNK = 50
MUTANT_SEEDS = 120
"""Within so many seeds every mutant must be dead."""


def violations(seeds: Iterable[int]) -> list[str]:
    """What went wrong in these seeds' lives, in words that name the seed."""
    found = []
    for seed in seeds:
        try:
            run_seed(seed)
        except (Violation, LedgerBroken) as broken:
            found.append(str(broken))
    return found


@pytest.mark.promise("P1", "P3", "P4")
@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_no_life_breaks_a_promise() -> None:
    chunks = [range(start, min(start + CHUNK, SEEDS)) for start in range(0, SEEDS, CHUNK)]
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as workers:
        found = [text for texts in workers.map(violations, chunks) for text in texts]
    assert found == []


def test_the_same_seed_gives_the_same_life() -> None:
    assert life(run_seed(7)) == life(run_seed(7))


def life(world: World) -> list[object]:
    hosts = [[entry.id for entry in host.journal] for host in world.hosts]
    tables = [[entry.id for entry in table.journal] for table in world.tables.values()]
    return [world.trace, hosts, tables, [host.state.ledger.hash for host in world.hosts]]


def test_lives_are_eventful() -> None:
    """The simulator sees what it is for: awards, corrections, held prizes, promotions, seals, quarantines, ends; and
    contributions beyond a ceiling that come back out of the overflow, by a void, a wrong step and a restart."""
    kinds: dict[str, int] = {}
    for world in (run_seed(seed) for seed in range(80)):
        for node in [*world.hosts, *world.tables.values(), *world.old_tables]:
            for entry in node.journal:
                kinds[entry.kind] = kinds.get(entry.kind, 0) + 1
    ledger = {f"ledger.{kind}" for kind in KINDS}
    notes = {
        f"host.{kind}"
        for kind in ("promoted", "reported", "excluded", "adopting", "fenced", "quarantined", "paid", "table_settled")
    }
    tables = {"link.advanced", "link.leaving", "link.paid", "link.collect", "link.epoch"}
    rare = {"ledger.void_held"}  # stories have the rest of it
    assert {kind for kind in ledger | notes | tables if kinds.get(kind, 0) < (1 if kind in rare else 3)} == set()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_stories_end_well_without_a_mutant(mutant: Mutant) -> None:
    mutant.story()


@pytest.mark.promise("P5")
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_every_mutant_is_caught(mutant: Mutant) -> None:
    assert death(mutant) is not None, f"{mutant.name} lives through {MUTANT_SEEDS} seeds"


def death(mutant: Mutant) -> str | None:
    """What gave the mutant away."""
    WAITING.clear()
    with mutant.at_work():
        try:
            mutant.story()
            for seed in range(MUTANT_SEEDS):
                run_seed(seed, behaviour=dict(mutant.behaviour), faults=mutant.faults, ends=mutant.ends)
        except (Violation, LedgerBroken) as broken:
            return str(broken)
    return None
