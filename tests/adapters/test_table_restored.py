"""A table restored from a backup by the real command: forks are refused, a new incarnation waits for two people."""

import asyncio
import contextlib
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controller.adapters.journal.equations import equations
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from controller.commands.journal import app
from controller.config.model import Config
from controller.core.cards import parse_cards
from controller.core.events import (
    AntePlaced,
    CardRead,
    CreditWagered,
    Envelope,
    Key,
    KeyPressed,
    PrizePaid,
    PrizeVerified,
)
from controller.core.refusal import Refusal
from controller.engine.host_events import AwardSettled, MemberAccepted, MemberSealed
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_records import ClaimName
from controller.engine.table_bets import bets_open
from controller.main import Node, opened
from controller.rooms import new_id
from tests.adapters.test_room_snapshots import config_in
from tests.engine.pit import BANK

STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
NOTHING = "2c 4s 6h 8c Tc"


async def until(true: Callable[[], bool], what: str) -> None:
    try:
        async with asyncio.timeout(60):
            while not true():
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"not within 60 s: {what}") from None


def dealt(config: Config) -> Config:
    """The same site with cards told as they are dealt; the test is their reader."""
    tables = tuple(table.model_copy(update={"cards_read": "deal"}) for table in config.tables)
    return config.model_copy(update={"tables": tables})


async def serving(config: Config, do: Callable[["Floor"], Awaitable[None]]) -> None:
    """Run a node on its journals, do something with it, and stop it as SIGTERM does."""
    with opened(config) as node:
        started = asyncio.Event()
        task = asyncio.create_task(node.run(lambda _: started.set()))
        try:
            async with asyncio.timeout(60):
                await started.wait()
            floor = Floor(node)
            assert await floor.at_table(PrizeVerified("none")) is Refusal.UNKNOWN_PRIZE  # answered after the start
            await do(floor)
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


class Floor:
    """The one table of a node and its carousel, with whoever acts there."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.table, self.host = node.tables["t1"], node.hosts["t1"]

    @property
    def link(self) -> Any:
        return self.table.runner.state.link

    @property
    def balance(self) -> int:
        return self.host.runner.state.ledger.tables["t1"].main_micros

    async def at_table(self, event: object, second: str | None = "bea") -> Refusal | None:
        refused = (await self.table.runner.submit(Envelope(new_id(), event, "ana", second))).refused
        return None if refused is None else refused.reason

    async def at_host(self, event: object, second: str | None = "bea") -> Refusal | None:
        refused = (await self.host.runner.submit(Envelope(new_id(), event, "ana", second))).refused
        return None if refused is None else refused.reason

    async def plays(self) -> None:
        await until(lambda: self.link.confirmed and bets_open(self.table.settings, self.table.runner.state), "bets")

    async def hand(self, cards: str) -> int:
        """A whole hand with one bet at box 1; its number."""
        number = self.table.runner.state.hand.number
        events = [AntePlaced(1), CreditWagered(1), KeyPressed(Key.CLOSE_BETS)]
        for event in events:
            assert await self.at_table(event) is None
        assert self.table.runner.state.hand.contribution.meter_micros > 0
        for card in parse_cards(f"{cards} {BANK}") or ():
            assert await self.at_table(CardRead(card)) is None
        assert await self.at_table(KeyPressed(Key.PLAY)) is None
        assert await self.at_table(KeyPressed(Key.HAND_OVER)) is None
        await until(
            lambda: self.host.runner.state.ledger.tables["t1"].absorbed == self.link.counters, "counters absorbed"
        )
        return number


def command(*arguments: object) -> str:
    done = CliRunner(env={"LC_ALL": "en_US.UTF-8"}).invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.requirement("R10", "R25")
async def test_a_restored_table_waits_for_two_people_and_inherits_its_balance(tmp_path: Path) -> None:
    config = dealt(config_in(tmp_path))
    journal = config.state.directory / "table-t1.db"
    copy = tmp_path / "backup.db"
    seen: dict[str, Any] = {}

    async def a_prize_is_won(floor: Floor) -> None:
        await floor.plays()
        await floor.hand(STRAIGHT_FLUSH)
        await until(lambda: bool(floor.link.rows), "the award")
        (seen["row"],) = floor.link.rows
        seen["incarnation"] = floor.link.settings.incarnation

    async def it_is_paid_and_play_goes_on(floor: Floor) -> None:
        await floor.plays()
        assert await floor.at_table(PrizeVerified(seen["row"])) is None
        assert await floor.at_table(PrizePaid(seen["row"])) is None
        seen["hand"] = await floor.hand(NOTHING)
        await until(lambda: not floor.host.runner.state.open_awards, "the host knows of the payment")
        seen["balance"] = floor.balance

    async def the_copy_stops(floor: Floor) -> None:
        await until(lambda: floor.link.stopped == "fork", "the ledger names a place that this journal lacks")
        assert not bets_open(floor.table.settings, floor.table.runner.state)
        assert await floor.at_table(PrizeVerified(seen["row"])) is Refusal.LEDGER_DIFFERS
        assert await floor.at_table(PrizePaid(seen["row"])) is Refusal.LEDGER_DIFFERS
        assert floor.balance == seen["balance"]

    async def its_next_start_is_a_fork_to_the_host(floor: Floor) -> None:
        await until(lambda: floor.host.runner.state.known["t1"].forked, "a later start at an earlier place")
        assert floor.balance == seen["balance"]

    await serving(config, a_prize_is_won)
    command("backup", journal, copy)
    await serving(config, it_is_paid_and_play_goes_on)
    gone = tmp_path / "gone.db"
    journal.rename(gone)
    shutil.copyfile(copy, journal)
    await serving(config, the_copy_stops)
    await serving(config, its_next_start_is_a_fork_to_the_host)

    journal.unlink()
    assert "a new incarnation begins" in command("restore", copy, journal)

    async def two_people_let_it_in(floor: Floor) -> None:
        ledger = floor.host.runner.state.ledger
        state = floor.table.runner.state
        fresh = floor.link.settings.incarnation
        assert fresh == floor.table.journal.incarnation != seen["incarnation"]
        assert state.hand.number == 3 and state.last is None  # the backup was in hand 2
        assert not floor.link.rows and not floor.link.open_claims
        assert floor.link.counters.net_micros == 0 and floor.link.mark.seq == 1
        for event in (PrizeVerified(seen["row"]), PrizePaid(seen["row"])):
            assert await floor.at_table(event) is Refusal.UNKNOWN_PRIZE
        profile = floor.table.profile(config, floor.node.key)
        assert ledger.tables["t1"].profile.incarnation == seen["incarnation"]
        assert not bets_open(floor.table.settings, floor.table.runner.state)
        for second, refusal in ((None, Refusal.SECOND_PERSON_MISSING), ("ana", Refusal.SAME_PERSON_TWICE)):
            assert await floor.at_host(MemberSealed("t1", "restored", True), second) is refusal
            assert await floor.at_host(MemberAccepted(profile, "restored"), second) is refusal
        assert await floor.at_host(MemberAccepted(profile, "restored")) is Refusal.ALREADY_MEMBER
        assert await floor.at_host(MemberSealed("t1", "restored", True)) is None
        assert floor.balance == seen["balance"]
        assert await floor.at_host(MemberAccepted(profile, "restored")) is None
        await floor.plays()
        assert floor.balance == seen["balance"]
        assert floor.host.runner.state.ledger.funding_micros == ledger.funding_micros
        assert await floor.hand(NOTHING) == 3
        assert floor.balance == seen["balance"] + floor.link.counters.net_main_micros
        row = (await floor.hand(STRAIGHT_FLUSH), 1)
        await until(lambda: bool(floor.link.rows), "the award")
        (name,) = floor.link.rows
        assert name == ClaimName("t1", fresh, row[0]).row(1)
        assert await floor.at_table(PrizeVerified(name)) is None
        assert await floor.at_table(PrizePaid(name)) is None
        check_ledger(floor.host.runner.state.ledger)

    async def a_restart_folds_it_all_again(floor: Floor) -> None:
        await floor.plays()
        assert floor.table.runner.state.hand.number == 5
        assert floor.link.counters.net_main_micros > 0

    await serving(config, two_people_let_it_in)
    await serving(config, a_restart_folds_it_all_again)
    for path in config.state.directory.glob("*.db"):
        with Journal.open(path, create=False) as held:
            held.ask_now(lambda store: store.execute("DELETE FROM snapshots"))
            report = verify(held, equations=equations())
            assert report.ok, (path, report.findings)
    await serving(config, a_restart_folds_it_all_again)


async def test_an_open_award_of_the_old_incarnation_is_settled_by_two_people(tmp_path: Path) -> None:
    config = dealt(config_in(tmp_path))
    journal, copy = config.state.directory / "table-t1.db", tmp_path / "backup.db"
    seen: dict[str, Any] = {}

    async def won(floor: Floor) -> None:
        await floor.plays()
        await floor.hand(STRAIGHT_FLUSH)
        await until(lambda: bool(floor.link.rows), "the award")
        (seen["key"],) = floor.host.runner.state.open_awards
        seen["name"] = floor.host.runner.state.ledger.awards[seen["key"]].granted.name

    async def settled(floor: Floor) -> None:
        profile = floor.table.profile(config, floor.node.key)
        assert await floor.at_host(MemberSealed("t1", "restored", True)) is None
        assert await floor.at_host(MemberAccepted(profile, "restored")) is None
        await floor.plays()
        assert list(floor.host.runner.state.open_awards) == [seen["key"]]
        settling = AwardSettled(seen["name"], "paid from the cage", True)
        assert await floor.at_host(settling, None) is Refusal.SECOND_PERSON_MISSING
        assert await floor.at_host(settling) is None
        assert not floor.host.runner.state.open_awards

    await serving(config, won)
    command("backup", journal, copy)
    journal.unlink()
    command("restore", copy, journal)
    await serving(config, settled)
