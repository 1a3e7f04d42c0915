"""Cost of one COUNTER at a carousel's host from ten tables to ten thousand: it must not grow with the carousel."""

import sys
import time
from dataclasses import replace

from controller.core.events import Envelope
from controller.core.prizes import PrizeList
from controller.core.refusal import Refused
from controller.engine.frozen_map import FrozenMap
from controller.engine.host import HostMachine, HostSettings
from controller.engine.host_events import CarouselFounded, HostStarted
from controller.engine.host_state import HostState
from controller.engine.ledger_records import Counters, Mark, Profile
from controller.engine.ledger_state import Account, Standing
from controller.engine.machine import handle
from controller.engine.messages import Counter, LinkReceived

SIZES = (10, 100, 1_000, 10_000)
UPDATES = 1_000
MOST_GROWTH = 2.0
CENTAVO = 10_000


def founded() -> tuple[HostMachine, HostState]:
    machine = HostMachine(HostSettings("c1", "ARS", CENTAVO, "A"))
    state = machine.first()
    for number, event in enumerate((HostStarted("n"), CarouselFounded("measurement"))):
        state, _, refused = handle(machine, state, Envelope(f"e{number}", event, "ana", "bea"), 0)
        assert refused is None, refused
    return machine, state


def with_tables(state: HostState, count: int) -> HostState:
    """The host with so many tables in force; they are put into its fold, since joining is not what is measured."""
    accounts = {}
    for number in range(count):
        name = f"t{number}"
        profile = Profile(name, f"{name}-i1", "key", "ARS", 500_000 * CENTAVO, PrizeList(()))
        accounts[name] = Account(profile, Standing.ACTIVE, main_micros=profile.start_micros)
    total = sum(account.main_micros for account in accounts.values())
    ledger = replace(state.ledger, tables=FrozenMap(accounts), amount_micros=total, funding_micros=total)
    return replace(state, ledger=ledger)


def cost_s(machine: HostMachine, state: HostState, count: int) -> float:
    """Processor time of one update, tables in turn."""
    start = time.process_time()
    for number in range(UPDATES):
        name, hands = f"t{number % count}", 1 + number // count
        counters = Counters(main_micros=hands * 20 * CENTAVO, hands=hands)
        message = Counter(name, f"{name}-i1", state.epoch, Mark(1, hands, f"{name}-{hands}"), counters)
        answer = machine.decide(state, Envelope(f"m{number}", LinkReceived(message)), 0)
        assert not isinstance(answer, Refused), answer
        assert answer, "the counter was folded"
        for entry in answer:
            state = machine.apply(state, entry)
    return (time.process_time() - start) / UPDATES


def main() -> int:
    machine, blank = founded()
    cost_s(machine, with_tables(blank, SIZES[0]), SIZES[0])
    costs = {size: cost_s(machine, with_tables(blank, size), size) for size in SIZES}
    for size, cost in costs.items():
        print(f"{size:>6} tables: {cost * 1_000_000:.0f} µs of processor time per COUNTER")
    growth = costs[SIZES[-1]] / costs[SIZES[0]]
    print(f"growth {growth:.2f} (at most {MOST_GROWTH})")
    return int(growth > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
