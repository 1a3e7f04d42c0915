"""What the network and the machines of a simulated pit do: messages late, lost and doubled, partitions, kills."""

from __future__ import annotations

from tests.engine.sim_nodes import HostNode
from tests.engine.simulator import Flight, World


def deliver_some(world: World) -> None:
    """Some messages arrive, in any order; some never, some twice."""
    assert world.faults is not None
    for _ in range(1 + world.dice.below(8)):
        if not world.flights:
            return
        flight = world.flights.pop(world.dice.below(len(world.flights)))
        if world.dice.chance(world.faults.loss):
            continue
        if world.dice.chance(world.faults.doubling):
            world.flights.append(flight)
        world.deliver(flight)


def repeat_some(world: World) -> None:
    node = world.dice.one_of(world.nodes())
    if node.alive:
        world.run(node, node.repeat)


def reconnect(world: World) -> None:
    """A node hears what the broker kept."""
    node = world.dice.one_of(world.nodes())
    for source, message in list(world.retained.values())[-40:]:
        wanted = isinstance(node, HostNode) == hasattr(message, "incarnation")
        if wanted and source != node.name:
            world.flights.append(Flight(source, node.name, message))


def wipe_broker(world: World) -> None:
    world.retained.clear()
    world.flights.clear()


def part(world: World) -> None:
    """A link breaks, in one direction or in both; or all heal."""
    if world.blocked and world.dice.chance(50):
        world.blocked.clear()
        return
    table, host = world.dice.one_of(list(world.tables)), world.dice.one_of(world.hosts).name
    ways = ((table, host), (host, table))
    world.blocked |= {world.dice.one_of(ways)} if world.dice.chance(50) else set(ways)


def kill(world: World) -> None:
    node = world.dice.one_of(world.nodes())
    world.log(f"{node.name} killed")
    node.die()


def revive(world: World) -> None:
    """A dead process starts again; a host may also just go on where it was stopped."""
    dead = [node for node in world.nodes() if not node.alive and not getattr(node, "off_for_good", False)]
    if not dead:
        return
    node = world.dice.one_of(dead)
    if isinstance(node, HostNode) and world.dice.chance(40):
        node.alive = True
        return
    world.run(node, lambda: node.start(f"n{world.step_count}"))
