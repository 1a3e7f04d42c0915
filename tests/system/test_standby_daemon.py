"""Two whole host daemons on one PostgreSQL database with a synchronous replica.

One serves until it is frozen, then the other, which the first does not notice; one serves until its machine is lost
with the database's, then the other on the replica.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from controller.engine.ledger_reading import record_from_plain
from controller.engine.ledger_records import Awarded, EpochBegan
from tests.adapters.test_replica import demand, url_of_both
from tests.services import Mosquitto, Postgres, free_port
from tests.system.books import bring, check_books
from tests.system.daemon import Daemon, daemon
from tests.system.dealing import NOTHING, SHARE, START, STRAIGHT_FLUSH, Dealer, is_awarded, meter_is, stage_is
from tests.system.enrolment import enrol
from tests.system.people import hire, panel
from tests.system.pit_files import CAROUSEL, OasisHardware, oasis_table, write_site
from tests.system.unlocked_program import LOST

pytestmark = [
    pytest.mark.system,
    pytest.mark.broker,
    pytest.mark.postgres,
    pytest.mark.promise("P3"),
]

TABLE = "table-t1"
LEDGER = "carousel-gran"


def host_file(directory: Path, port: int, database: str, replica: str) -> Path:
    """A host without tables of its own, its journals in the database."""
    path = write_site(directory, free_port(), CAROUSEL.format(port=port, role="host", facts='accept = ["t1"]'))
    state = f'[state]\ndatabase = "{database}"\nreplica = "{replica}"'
    path.write_text(path.read_text().replace("[state]", state, 1))
    return path


async def turned_away(node: Daemon, why: str) -> None:
    """It does not start, and says why."""
    before = len(node.log.read_text()) if node.log.exists() else 0
    await node.launch()
    assert await node.ended() == 1
    said = node.log.read_text()[before:]
    assert why in said and "Traceback" not in said, said


async def lose_locks(node: Daemon) -> None:
    """Have the daemon lose what keeps others out, without knowing."""
    assert node.process is not None and node.process.stdout is not None
    node.send(signal.SIGUSR1)
    while (await node.process.stdout.readline()).decode().strip() != LOST:
        pass


@pytest.mark.promise("P1")
async def test_a_frozen_host_is_fenced_by_the_term_and_a_promoted_replica_has_every_award(
    tmp_path: Path, mosquitto: Mosquitto, own_postgres: Callable[..., Postgres]
) -> None:
    hardware = OasisHardware.new()
    server = own_postgres()
    database = server.create_database().rpartition("/")[2]
    replica = own_postgres(of=server)
    demand(server, "*")
    either = url_of_both(database, server, replica)
    first_file = host_file(tmp_path / "first", mosquitto.port, either, "warn")
    second_file = host_file(tmp_path / "second", mosquitto.port, either, "require")
    carousel = CAROUSEL.format(port=mosquitto.port, role="member", facts="")
    node_file = write_site(tmp_path / "node", free_port(), carousel, oasis_table("t1", hardware, "gran"))
    for path in (first_file, node_file):
        await hire(path)
    async with daemon(first_file) as founding:
        await founding.until("signage-gran", lambda s: s["meter"]["freshness"] == "fresh", "a founded carousel")
        assert await founding.stop() == 0
    await enrol("gran", first_file, "t1", node_file)

    program = ("-m", "tests.system.unlocked_program")
    async with hardware.running(), daemon(first_file, program=program) as first, daemon(node_file) as node:
        table = Dealer(node, "t1", hardware)
        await node.until(TABLE, partial(meter_is, amount=START), "start value")
        await hardware.ready()
        await table.play(1, hands=NOTHING)
        await node.until(TABLE, partial(meter_is, amount=START + SHARE), "its bet")
        second = Daemon(second_file)
        await turned_away(second, "in use by another session")

        await lose_locks(first)
        first.send(signal.SIGSTOP)
        await node.until(TABLE, partial(stage_is, kind="link_lost"), "lost link")
        await second.start()
        try:
            await node.until(TABLE, partial(meter_is, amount=START + SHARE), "the second host")
            await hardware.ready()
            await table.play(2, hands=STRAIGHT_FLUSH)
            await node.until(TABLE, is_awarded, "an award of the second host")
            first.send(signal.SIGCONT)
            assert await first.ended() == 1
            said = first.log.read_text()
            assert f"another host has taken the journal {LEDGER} over" in said and "Traceback" not in said, said
            await turned_away(first, "in use by another session")
            ledger = [entry["kind"] for entry in await second.entries(LEDGER)]
        finally:
            server.crash()
            await second.kill()
        replica.promote()
        await turned_away(second, "the database has no synchronous replica")
        await first.start()
        await first.said("the database has no synchronous replica: synchronous_standby_names = ''")
        async with panel(node) as ana:
            prize = (START + 2 * SHARE) // 10
            assert await ana.pay_all("t1") >= prize
        await node.until(TABLE, partial(meter_is, amount=START + 2 * SHARE - prize), "the amount without the prize")
        kinds = [entry["kind"] for entry in await first.entries(LEDGER)]
        assert kinds[: len(ledger)] == ledger
        assert await node.stop() == 0
        assert await first.stop() == 0

    bring(either, tmp_path / "first" / "state", LEDGER)
    books = check_books(tmp_path / "node" / "state", tmp_path / "first" / "state")
    assert list(books.awards.values()) == list(books.paid.values()) == [prize]
    assert books.balance(LEDGER, "pool.main:t1") == (START + 2 * SHARE - prize)
    records = [record_from_plain(entry.body["record"]) for entry in books.entries[LEDGER] if "record" in entry.body]
    assert [record.epoch.term for record in records if isinstance(record.body, EpochBegan)] == [1, 1, 2, 3]
    assert [record.epoch.term for record in records if isinstance(record.body, Awarded)] == [2]
    raised = [entry.body for entry in books.entries[LEDGER] if entry.kind == "alarm.raised"]
    assert "replica_missing" in [body["code"] for body in raised]
