"""The rooms of a node restart from their snapshots: the same state, without folding what the snapshot holds."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.journal.store import Store
from controller.config import load
from controller.config.model import Config
from controller.core.events import AntePlaced, CreditWagered, Envelope
from controller.core.ledger import Entry
from controller.engine.accounts import AccountsMachine
from controller.engine.host import HostMachine
from controller.engine.table import TableMachine
from controller.engine.table_bets import bets_open
from controller.main import Node, opened
from tests.services import free_port

SITE = """
[site]
id = "prueba"
name = "Casino de prueba"
[state]
directory = "{state}"
[screens]
listen = "127.0.0.1:0"
[api]
listen = "127.0.0.1:{port}"
[[tables]]
id = "t1"
name = "Mesa 1"
preset = "oasis_argentina_2010"
"""


def config_in(directory: Path, more: str = "") -> Config:
    path = directory / "carrusel.toml"
    path.write_text(SITE.format(state=directory / "state", port=free_port()) + more)
    return load(path)


async def serving(node: Node, do: Callable[[Node], Any]) -> Any:
    """Run a node, do something with it once its table is a member, and stop it as SIGTERM does."""
    started = asyncio.Event()
    task = asyncio.create_task(node.run(lambda _: started.set()))
    try:
        async with asyncio.timeout(60):
            await started.wait()
            room = node.tables["t1"]
            while not (room.runner.state.link.confirmed and bets_open(room.settings, room.runner.state)):
                await asyncio.sleep(0.01)
            return await do(node)
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def play(node: Node) -> tuple[Any, Any]:
    """Some bets; answers the states of table and host."""
    room = node.tables["t1"]
    for seat in (1, 2):
        await room.runner.submit(Envelope(f"ante-{seat}", AntePlaced(seat), "dealer"))
        answer = await room.runner.submit(Envelope(f"bet-{seat}", CreditWagered(seat), "sensor"))
        assert answer.entries[0].kind == "credit.wagered", answer
    return room.runner.state, node.hosts["t1"].runner.state


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many entries each machine has folded."""
    counts: Counter[str] = Counter()
    for machine in (TableMachine, HostMachine, AccountsMachine):

        def counting(
            self: Any, state: Any, entry: Entry, apply: Any = machine.apply, name: str = machine.__name__
        ) -> Any:
            counts[name] += 1
            return apply(self, state, entry)

        monkeypatch.setattr(machine, "apply", counting)
    return counts


def started(config: Config) -> tuple[Any, Any, list[int]]:
    """The states that a start finds, and how many snapshots each journal holds."""
    with opened(config) as node:
        node._wire()
        held = [len(journal.ask_now(Store.snapshots)) for journal in node.journals().values()]
        return node.tables["t1"].runner.state, node.hosts["t1"].runner.state, held


async def test_a_restart_uses_the_snapshots_and_finds_the_same_states(tmp_path: Path, folded: Counter[str]) -> None:
    config = config_in(tmp_path)
    with opened(config) as node:
        last_seen = await serving(node, play)
    assert folded["TableMachine"] > 4  # a host has folded its entries as it decided them
    folded.clear()
    table, host, held = started(config)
    assert held == [1, 1, 1]
    assert folded.total() <= 1, folded
    assert repr(table.hand) == repr(last_seen[0].hand) and table.wagered_micros == last_seen[0].wagered_micros
    for room in ("table-t1", "carousel-t1"):
        _without_snapshots(config.state.directory / f"{room}.db")
    folded.clear()
    again = started(config)
    assert folded["TableMachine"] > 4 and folded["HostMachine"] > 4
    assert again[0] == table and again[1] == host


def _without_snapshots(path: Path) -> None:
    from controller.adapters.journal.journal import Journal

    with Journal.open(path, create=False) as journal:
        journal.ask_now(lambda store: store.execute("DELETE FROM snapshots"))


async def test_other_figures_of_the_table_are_folded_anew(tmp_path: Path, folded: Counter[str]) -> None:
    with opened(config_in(tmp_path)) as node:
        await serving(node, play)
    folded.clear()
    table, _, _ = started(config_in(tmp_path, "limits = { minimum = 200, maximum = 5000 }\n"))
    assert folded["TableMachine"] > 4
    assert set(table.hand.credits) == {1, 2}
