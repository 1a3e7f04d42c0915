"""Nodes of a carousel keep each other's newest checkpoint and sign below it, over a real broker."""

import contextlib
import dataclasses
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.journal import checkpoint_moments
from controller.adapters.journal.checkpoints import Checkpoint, public_bytes
from controller.adapters.journal.errors import Fault
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.store import Store
from controller.adapters.journal.verify import verify
from controller.adapters.link.ports import Link
from controller.adapters.link.topics import Topics
from controller.adapters.link.wire import Rejected
from controller.adapters.link.witness import KEPT, PROOF, OtherHistory, Witness
from controller.adapters.runner import Runner
from controller.adapters.shift_close import ShiftClose
from controller.commands.journal import read_checkpoints
from controller.core.events import AlarmRaised, Envelope, HistoryContradicted
from controller.core.ledger import Entry
from controller.engine.accounts import AccountsMachine
from controller.engine.accounts_events import ShiftClosed
from controller.engine.member_state import MemberState
from controller.engine.messages import SignedHead
from tests.adapters.journal_fixtures import bet
from tests.adapters.link_house import (
    Bet,
    DrawPaid,
    MemberMachine,
    Node,
    Paid,
    Won,
    enrol,
    host_node,
    mqtt_link,
    running,
    table_node,
    until,
    wall_ms,
)
from tests.engine.carousel_house import royal
from tests.services import Mosquitto

TOPICS = Topics("pit", "c1")
OURS, THEIRS = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()


def link_at(port: int, name: str, listens: tuple[str, ...]) -> Callable[[Ed25519PrivateKey, list[Rejected]], Link]:
    return lambda key, rejected: mqtt_link(port, name, key, listens, rejected)


def below(node: Node, by: str) -> set[int]:
    """Places of a node's journal that another one signed."""
    return {seq for seq, signer, _, _ in node.journal.ask_now(Store.cosignatures) if signer == by}


def signed(node: Node) -> int:
    newest = node.journal.newest_checkpoint()
    return 0 if newest is None else newest.seq


def absorbed(table: Node[MemberState]) -> bool:
    """Whether the ledger that a table mirrors has all that it contributed."""
    account = table.state.account
    return account is not None and account.absorbed == table.state.counters


def kept(directory: Path, name: str) -> Checkpoint:
    (file,) = (each for each in (directory / KEPT).glob(f"{name}.*.json") if PROOF not in each.name)
    assert file.stat().st_mode & 0o777 == 0o600
    return Checkpoint.from_record(json.loads(file.read_text()))


def cut_after(seq: int, path: Path) -> Path:
    """A journal's file without its tail, as whoever has the machine can make it."""
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.execute("DROP TRIGGER entries_never_go")
        for rows in ("entries", "mentions", "checkpoints", "cosignatures", "snapshots"):
            file.execute(f"DELETE FROM {rows} WHERE seq > ?", (seq,))
        file.commit()
    return path


@pytest.mark.broker
async def test_what_the_host_keeps_shows_a_table_whose_tail_was_cut(mosquitto: Mosquitto, tmp_path: Path) -> None:
    at_host, at_table = tmp_path / "host", tmp_path / "table"
    at_host.mkdir()
    at_table.mkdir()
    async with (
        host_node(at_host / "host.db", link_at(mosquitto.port, "host", TOPICS.for_host())) as host,
        table_node(at_table / "t1.db", "t1", link_at(mosquitto.port, "t1", TOPICS.for_table("t1"))) as table,
    ):
        await enrol(host, table)
        await table.do(Bet(100))
        await table.do(Won(1, (royal(1),)))
        await until(lambda: bool(table.state.rows), "the award")
        before = table.journal.head.seq
        await table.do(Paid(f"t1/{table.state.settings.incarnation}/1/1"))
        await table.do(Bet(1))
        await table.do(Won(2, (royal(2),)))
        await until(lambda: len(table.state.rows) == 2, "a second award")
        await until(lambda: signed(table) in below(table, "carousel-c1"), "the host signs below the table")
        await until(lambda: signed(host) in below(host, "table-t1"), "the table signs below the host")
        assert kept(at_host, "table-t1").seq == signed(table) > before
        assert kept(at_table, "carousel-c1").seq == signed(host)
        assert verify(table.journal).ok and verify(host.journal).ok
        assert (host.alarms, table.alarms, host.rejected, table.rejected) == ([], [], [], [])

    cut = cut_after(before, shutil.copy(at_table / "t1.db", tmp_path / "cut.db"))
    with Journal.open(cut, create=False) as journal:
        assert verify(journal).ok, "the file alone does not show it"
        (found,) = verify(journal, against=[kept(at_host, "table-t1")]).findings
    assert (found.fault, found.seq) == (Fault.CUT_TAIL, before + 1)


def spoken(journal: Journal, key: Ed25519PrivateKey, directory: Path) -> SignedHead:
    """The newest checkpoint as its node says it."""
    said = Witness(journal, key, directory).own(None)
    assert said is not None
    return said


def test_a_history_that_was_changed_is_not_signed_and_an_old_one_is_let_go(tmp_path: Path) -> None:
    theirs = public_bytes(THEIRS).hex()
    with (
        Journal.open(tmp_path / "host.db", name="carousel-c1", key=OURS) as own,
        Journal.open(tmp_path / "t1.db", name="table-t1", key=THEIRS, incarnation="i1") as table,
        Journal.open(tmp_path / "other.db", name="table-t1", key=THEIRS, incarnation="i1") as other,
    ):
        witness = Witness(own, OURS, tmp_path)
        table.append_now([bet(1)], 0, checkpoint=True)
        first = spoken(table, THEIRS, tmp_path)
        table.append_now([bet(2)], 0, checkpoint=True)
        second = spoken(table, THEIRS, tmp_path)
        other.append_now([bet(1), bet(3)], 0, checkpoint=True)
        changed = spoken(other, THEIRS, tmp_path)
        assert changed.seq == second.seq and changed.chain != second.chain

        answer = witness.sign_below("table-t1", second, theirs, (0, 1, 8))
        assert answer is not None
        assert witness.sign_below("table-t1", second, theirs) == answer, "the same again is signed again"
        assert witness.sign_below("table-t1", first, theirs, (0, 1, 7)) is None, "it was said before"
        with pytest.raises(OtherHistory, match="table-t1 signed another history at seq 3"):
            witness.sign_below("table-t1", changed, theirs)
        assert kept(tmp_path, "table-t1").chain.hex() == second.chain

        Witness(table, THEIRS, tmp_path).take("carousel-c1", answer, public_bytes(OURS).hex())
        assert [row[:2] for row in table.ask_now(Store.cosignatures)] == [(second.seq, "carousel-c1")]
        assert verify(table).ok


@pytest.mark.broker
@pytest.mark.promise("P9")
@pytest.mark.parametrize("more", [0, 2], ids=["shorter", "grown again beyond"])
async def test_a_table_whose_tail_was_cut_does_not_go_on(mosquitto: Mosquitto, tmp_path: Path, more: int) -> None:
    """Nothing of the cut part is the link's; the host keeps what was signed, and the table hears of it at its start."""
    at_host, at_table = tmp_path / "host", tmp_path / "table"
    at_host.mkdir()
    at_table.mkdir()
    path, key = at_table / "t1.db", Ed25519PrivateKey.generate()
    table_at = link_at(mosquitto.port, "t1", TOPICS.for_table("t1"))
    async with host_node(at_host / "host.db", link_at(mosquitto.port, "host", TOPICS.for_host())) as host:
        async with table_node(path, "t1", table_at, key) as table:
            await enrol(host, table)
            await table.do(DrawPaid())
            before = table.journal.head.seq
            await table.do(DrawPaid())
            await until(lambda: signed(table) in below(table, "carousel-c1"), "the host signs below the table")
            paid = signed(table)
        cut_after(before, path)
        with Journal.open(path, key=key) as grown:
            for number in range(more):
                grown.append_now([Entry(f"late {number}", "game.event", {})], 1, checkpoint=True)
        async with table_node(path, "t1", table_at, key) as table:
            await until(lambda: bool(table.alarms), "the table hears what was signed")
            (told,) = set(table.alarms)
            assert isinstance(told, HistoryContradicted) and told.seq == paid
            await table.do(told)
            assert table.state.stopped == "history"
            if not more:
                await until(lambda: bool(host.alarms), "and the host that it says less than it had signed")
                assert set(host.alarms) == {AlarmRaised("history_cut", "table-t1", f"seq {before}")}
    (file,) = (each for each in (at_host / KEPT).iterdir() if PROOF not in each.name)
    with Journal.open(path, create=False) as journal:
        found = verify(journal, against=read_checkpoints(file)).findings[0]
    assert found.fault is (Fault.OTHER_HISTORY if told.seq <= journal.head.seq else Fault.CUT_TAIL)


@pytest.mark.broker
async def test_a_shifts_close_is_signed_below_by_the_others(mosquitto: Mosquitto, tmp_path: Path) -> None:
    at_host, at_table = tmp_path / "host", tmp_path / "table"
    at_host.mkdir()
    at_table.mkdir()
    with Journal.open(tmp_path / "node.db", name="node", key=OURS) as journal:
        people = Runner(AccountsMachine(), journal, wall_ms, checkpoint_after=checkpoint_moments.of_people)
        people.start()
        async with (
            host_node(at_host / "host.db", link_at(mosquitto.port, "host", TOPICS.for_host())) as host,
            table_node(at_table / "t1.db", "t1", link_at(mosquitto.port, "t1", TOPICS.for_table("t1"))) as table,
        ):
            nodes = {"table-t1": table, "carousel-c1": host}
            closes = ShiftClose(people, {name: node.runner for name, node in nodes.items()})
            async with running(people.run(), closes.run()):
                await enrol(host, table)
                settings = table.state.settings
                await table.do(Bet(3))
                await until(lambda: absorbed(table), "the host has counted the bet")
                heads = {name: [node.journal.head.seq, node.journal.head.chain.hex()] for name, node in nodes.items()}
                assert all(signed(nodes[name]) < seq for name, (seq, _) in heads.items())
                closed = ShiftClosed("night", heads, {}, 0, wall_ms() + 1)
                answer = await people.submit(Envelope("close", closed, "ana", "bea"))
                assert answer.refused is None, answer
                await until(lambda: max(below(table, "carousel-c1"), default=0) >= heads["table-t1"][0], "the table's")
                await until(lambda: max(below(host, "table-t1"), default=0) >= heads["carousel-c1"][0], "the host's")
        assert len(journal.checkpoints()) == 1
    with Journal.open(at_table / "t1.db", key=THEIRS) as again:
        points = len(again.checkpoints())
        runner = Runner(MemberMachine(settings), again, wall_ms)
        runner.start()
        await runner.sign(heads["table-t1"][0])
        assert len(again.checkpoints()) == points, "what is signed already is not signed again"
        await runner.sign(again.head.seq + 1)
        assert again.checkpoints()[-1].seq == again.head.seq == (runner.checkpoint or again.checkpoints()[0]).seq


def test_a_checkpoint_that_goes_down_is_proof_and_ends_the_signing_for_its_incarnation(tmp_path: Path) -> None:
    theirs = public_bytes(THEIRS).hex()
    with (
        Journal.open(tmp_path / "host.db", name="carousel-c1", key=OURS) as own,
        Journal.open(tmp_path / "t1.db", name="table-t1", key=THEIRS, incarnation="i1") as table,
        Journal.open(tmp_path / "cut.db", name="table-t1", key=THEIRS, incarnation="i1") as cut,
        Journal.open(tmp_path / "new.db", name="table-t1", key=THEIRS, incarnation="i2") as replaced,
    ):
        witness = Witness(own, OURS, tmp_path)
        table.append_now([bet(1), bet(2), bet(3)], 0, checkpoint=True)
        long = spoken(table, THEIRS, tmp_path)
        assert witness.sign_below("table-t1", long, theirs, (0, 1, 1)) is not None
        assert not Witness(table, THEIRS, tmp_path).contradicted(long)
        assert Witness(cut, THEIRS, tmp_path).contradicted(long)
        for number in range(5, 10):
            cut.append_now([bet(number)], 0, checkpoint=True)
            short = spoken(cut, THEIRS, tmp_path)
            with pytest.raises(OtherHistory, match="table-t1"):
                witness.sign_below("table-t1", short, theirs, (0, 2, number))
        with pytest.raises(OtherHistory):
            witness.sign_below("table-t1", long, theirs, (0, 2, 99))
        files = {file.name: json.loads(file.read_text())["seq"] for file in (tmp_path / KEPT).iterdir()}
        assert files == {"table-t1.i1.json": 4, "table-t1.i1.contradicts.json": 2}, "both are kept"
        replaced.append_now([bet(1)], 0, checkpoint=True)
        assert witness.sign_below("table-t1", spoken(replaced, THEIRS, tmp_path), theirs, (0, 1, 1)) is not None


def test_a_boot_that_begins_is_told_what_those_before_it_had_signed(tmp_path: Path) -> None:
    theirs = public_bytes(THEIRS).hex()
    with (
        Journal.open(tmp_path / "host.db", name="carousel-c1", key=OURS) as own,
        Journal.open(tmp_path / "t1.db", name="table-t1", key=THEIRS, incarnation="i1") as table,
    ):
        witness = Witness(own, OURS, tmp_path)
        assert witness.said_before("table-t1", "i1", (0, 1, 1)) == ()
        said = []
        for number in range(1, 13):
            table.append_now([bet(number)], 0, checkpoint=True)
            said.append(spoken(table, THEIRS, tmp_path))
            assert witness.sign_below("table-t1", said[-1], theirs, (0, number, 1)) is not None
            assert witness.said_before("table-t1", "i1", (0, number, 2)) == ()
        assert witness.said_before("table-t1", "i1", (0, 13, 1)) == tuple(reversed(said[-9:]))
        assert witness.said_before("table-t1", "../i1", (0, 13, 1)) == ()


@pytest.mark.promise("P13")
@pytest.mark.parametrize(
    "change",
    [
        {"name": "table-t2"},
        {"incarnation": "../../node"},
        {"seq": 7},
        {"chain": "00" * 32},
        {"chain": "no hex"},
        {"signature": "00" * 64},
        {"key": public_bytes(OURS).hex()},
    ],
)
def test_what_is_not_what_it_says_is_neither_kept_nor_signed(tmp_path: Path, change: dict[str, object]) -> None:
    with (
        Journal.open(tmp_path / "host.db", name="carousel-c1", key=OURS) as own,
        Journal.open(tmp_path / "t1.db", name="table-t1", key=THEIRS) as table,
    ):
        table.append_now([bet(1)], 0, checkpoint=True)
        lie = dataclasses.replace(spoken(table, THEIRS, tmp_path), **change)  # type: ignore[arg-type]  # one field each
        witness = Witness(own, OURS, tmp_path)
        for key in (public_bytes(THEIRS).hex(), public_bytes(OURS).hex(), ""):
            assert witness.sign_below("table-t1", lie, key) is None
        assert not (tmp_path / KEPT).exists()
        Witness(table, THEIRS, tmp_path).take("carousel-c1", lie, public_bytes(OURS).hex())
        assert table.ask_now(Store.cosignatures) == []
