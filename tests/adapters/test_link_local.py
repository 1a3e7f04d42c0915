"""A carousel in one process: real runners and journals, messages without a broker."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.link.local import LocalHub
from tests.adapters.link_house import Bet, Paid, Verified, Won, enrol, host_node, table_node, until
from tests.engine.carousel_house import CENTAVO, royal, straight_flush

KEY = Ed25519PrivateKey.generate()


@pytest.mark.requirement("R16")
async def test_two_tables_and_a_host_share_one_meter(tmp_path: Path) -> None:
    hub = LocalHub("c1")
    async with (
        host_node(tmp_path / "host.db", lambda key, rejected: hub.host()) as host,
        table_node(tmp_path / "t1.db", "t1", lambda key, rejected: hub.table("t1")) as one,
        table_node(tmp_path / "t2.db", "t2", lambda key, rejected: hub.table("t2")) as two,
    ):
        await enrol(host, one)
        await enrol(host, two)
        await one.do(Bet(100_000))
        await two.do(Bet(300_000))
        await until(lambda: one.state.meter_micros == 1_400_000 * CENTAVO, "both contributions at t1")
        await two.do(Won(1, (straight_flush(3),)))
        await until(lambda: bool(two.state.rows), "the award")
        (row,) = two.state.rows.values()
        assert row.amount_minor == 140_000
        answer = await two.do(Paid(row.id))
        assert answer.refused is None
        await until(lambda: not host.state.open_awards, "the host knows of the payment")
        await until(lambda: one.state.meter_micros == 1_260_000 * CENTAVO, "the meter at t1")


async def test_a_prize_that_its_table_verified_is_told_so_to_every_other_table(tmp_path: Path) -> None:
    hub = LocalHub("c1")
    async with (
        host_node(tmp_path / "host.db", lambda key, rejected: hub.host()) as host,
        table_node(tmp_path / "t1.db", "t1", lambda key, rejected: hub.table("t1")) as one,
        table_node(tmp_path / "t2.db", "t2", lambda key, rejected: hub.table("t2")) as two,
    ):
        await enrol(host, one)
        await enrol(host, two)
        await two.do(Won(1, (straight_flush(3),)))
        await until(lambda: bool(two.state.rows), "the award")

        def told() -> list[bool]:
            return [prize.verified for prize in one.meters[-1].pending] if one.meters else []

        await until(lambda: told() == [False], "pending at t1")
        assert (await two.do(Verified(next(iter(two.state.rows))))).refused is None
        await until(lambda: told() == [True], "verified at t1")


@pytest.mark.requirement("R53")
async def test_a_carousel_of_one_goes_on_after_a_restart_of_everything(tmp_path: Path) -> None:
    await one_life(tmp_path, 1)
    await one_life(tmp_path, 2)
    assert await one_life(tmp_path, 3) == [500_010, 500_010, 500_010]


async def one_life(directory: Path, hand: int) -> list[int]:
    """Start host and table, bet, win a royal, be paid; what all rows were paid."""
    hub = LocalHub("c1")
    async with (
        host_node(directory / "host.db", lambda key, rejected: hub.host(), KEY) as host,
        table_node(directory / "t1.db", "t1", lambda key, rejected: hub.table("t1")) as table,
    ):
        if hand == 1:
            await enrol(host, table)
        await until(lambda: table.state.confirmed and table.state.link_up, "confirmed")
        await table.do(Bet(10))
        await table.do(Won(hand, (royal(1),)))
        await until(lambda: len(table.state.rows) == hand, "the award")
        await table.do(Paid(f"t1/{table.state.settings.incarnation}/{hand}/1"))
        await until(lambda: not host.state.open_awards, "the host knows of the payment")
        return [table.state.rows[row].paid_minor for row in table.state.rows]
