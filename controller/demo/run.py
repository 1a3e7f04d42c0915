"""Runs the demo's pit: hardware, node, dealers and pit bosses together, for a while or until Ctrl-C."""

import asyncio
import contextlib
import signal
import socket
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from controller.adapters.hardware.devices import known_hardware
from controller.config import load
from controller.config.model import Config
from controller.demo.banked_dealers import play_holdem_bonus, play_oasis
from controller.demo.circle_dealer import play_holdem_circle
from controller.demo.dealer import BETWEEN_S, Dealer
from controller.demo.hardware import Hardware, TableHands
from controller.demo.people import Login, Waiting, add_people, pay_prizes, settle_counts, until_decided, watch_waiting
from controller.main import Node, ended, opened
from controller.resources import config_directory

PENDING_S = 8.0
ATTENDED_S = 25.0
"""Between hands, where somebody is there to look at the cards and to dispute one of the last hand."""
PLAYS = {"oasis": play_oasis, "holdem-bonus": play_holdem_bonus, "holdem-circle": play_holdem_circle}


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """seconds None: until Ctrl-C; unattended: prizes that take two people are paid too, by nobody who is there."""

    state: Path
    seconds: int | None = None
    unattended: bool = False


class Tell(Protocol):
    """Who is told what happens: that all is running, that a prize waits for two people, that it waits no more."""

    def ready(self, node: Node, logins: list[Login]) -> None: ...

    def waiting(self, node: Node, logins: list[Login], prize: Waiting) -> None: ...

    def settled(self, prize: Waiting) -> None: ...


def demo_config(state: Path) -> tuple[Config, Hardware]:
    """The demo's configuration on pseudo-terminals, free addresses and a state directory of its own."""
    config = load(config_directory() / "demo.toml", known_hardware().drivers)
    hardware = Hardware(config)
    config = hardware.on_real_ports(config)
    mqtt = config.mqtt
    assert mqtt is not None, "the demo's file names a broker"
    screens = f"127.0.0.1:{free_port(8071)}"
    return (
        config.model_copy(
            update={
                "state": config.state.model_copy(update={"directory": state}),
                "screens": config.screens.model_copy(update={"listen": screens, "public_url": f"http://{screens}"}),
                "api": config.api.model_copy(update={"listen": f"127.0.0.1:{free_port(8070)}"}),
                "mqtt": mqtt.model_copy(update={"port": free_port(0)}),
                "tables": tuple(table for table in config.tables if table.game in PLAYS),
            }
        ),
        hardware,
    )


def free_port(wanted: int) -> int:
    """The wanted port where it is free, else any free one."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the listener does
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError:
            probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def run_demo(options: DemoOptions, tell: Tell) -> dict[str, int]:
    """Play until the time is over or Ctrl-C; answers hands played by game. What a part raises ends the demo."""
    config, hardware = demo_config(options.state)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    with opened(config) as node:
        between_s = BETWEEN_S if options.unattended else ATTENDED_S
        dealers = [
            Dealer(room, TableHands(room.table, hardware), partial(until_decided, node, room.table.id), between_s)
            for room in node.tables.values()
        ]
        playing = asyncio.create_task(_play(node, hardware, dealers, options, tell))
        stopping = asyncio.create_task(_stop_after(stop, options.seconds))
        await asyncio.wait({playing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        asked = not playing.done()
        for task in (stopping, playing):
            task.cancel()
        await ended(playing, asked)
        counts: dict[str, int] = {}
        for dealer in dealers:
            name = dealer.game.name
            counts[name] = counts.get(name, 0) + dealer.played
        return counts


async def _stop_after(stop: asyncio.Event, seconds: int | None) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()


async def _play(
    node: Node,
    hardware: Hardware,
    dealers: list[Dealer],
    options: DemoOptions,
    tell: Tell,
) -> None:
    async with asyncio.TaskGroup() as plugged:
        plugged.create_task(hardware.run(), name="hardware")  # outlives the node: a module is not unplugged at its end
        async with asyncio.TaskGroup() as tasks:
            started = asyncio.Event()
            tasks.create_task(node.run(lambda _: started.set()), name="node")
            await started.wait()
            logins = await add_people(node)
            tell.ready(node, logins)
            for dealer in dealers:
                dealer.watch()
                tasks.create_task(dealer.run(PLAYS[dealer.game.name]), name=f"dealer-{dealer.room.table.id}")
            rooms = list(node.tables.values())
            left = None if options.unattended else node.config.site.second_person_from
            people = pay_prizes(rooms, list(node.hosts.values()), PENDING_S, left)
            tasks.create_task(people, name="pit-bosses")
            tasks.create_task(settle_counts(rooms), name="lost-counts")
            if left is not None:
                waiting = watch_waiting(rooms, left, lambda prize: tell.waiting(node, logins, prize), tell.settled)
                tasks.create_task(waiting, name="waiting-prizes")
