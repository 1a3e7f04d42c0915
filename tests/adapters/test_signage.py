"""A carousel's signs and what its tables' screens say of each other: pending and paid prizes, and why a meter fell."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from controller.adapters.screens import screens, signage_board
from controller.adapters.screens.scene_falls import fall_between
from controller.adapters.screens.scene_table import TableFace
from controller.adapters.screens.screens import TableScreens
from controller.adapters.screens.signage_board import SignageBoard, SignageFace
from controller.config.loader import load
from controller.config.table import Table as TableConfig
from controller.core.causes import PoolCause
from controller.core.events import HandVoided, VoidReason
from controller.engine.host_events import BalanceTransferred, MeterAdjusted, StartValueReset
from controller.engine.host_outbox import meter
from controller.engine.messages import Meter
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms
from controller.rooms.site import table_places
from display import scene as show
from display.feed import Feed
from tests.engine.carousel_house import CENTAVO, House, royal, straight_flush
from tests.engine.pit import Pit, oasis_settings

FAULT = PoolCause.FAULT_CORRECTION

FACE = SignageFace("c1", "Gran Carrusel", show.Currency(), {"t1": "1", "t2": "2"}, {"t1": "oasis"})


@pytest.fixture
def house() -> House:
    return House.of("t1", "t2")


def board(house: House) -> tuple[SignageBoard, Feed]:
    feed = Feed()
    one = SignageBoard(FACE, feed, lambda: 1_000, lambda: {"t2": False}, dict)
    one.show(house.host.state)
    return one, feed


def sign(feed: Feed) -> show.SignageScreen:
    _, scene = feed.newest("signage-c1")
    assert isinstance(scene, show.SignageScreen)
    return scene


def act(house: House, event: object) -> None:
    assert house.host.decide(event) is None
    house.settle()


def test_a_table_that_is_not_heard_any_more_is_shown_so_though_no_money_moved(house: House) -> None:
    feed, heard = Feed(), {"t1": True, "t2": True}
    one = SignageBoard(FACE, feed, lambda: 1_000, lambda: dict(heard), dict)
    one.look()
    assert feed.newest("signage-c1") == (0, None), "nothing is shown before a committed state"
    one.show(house.host.state)
    version, _ = feed.newest("signage-c1")
    one.look()
    assert feed.newest("signage-c1")[0] == version
    heard["t2"] = False
    one.look()
    assert [(table.label, table.linked) for table in sign(feed).tables] == [("1", True), ("2", False)]


def test_tables_of_another_node_go_by_their_number() -> None:
    house = House.of("t1", "mesa-3")
    _, feed = board(house)
    assert {table.label for table in sign(feed).tables} == {"1", "3"}
    place = table_places(load(Path("config/carousel-host.example.toml")))
    assert place("mesa-3") == "Mesa 3"


@pytest.mark.requirement("R73", "R80")
@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (
            MeterAdjusted("t2", -100 * CENTAVO, "counted wrong", cause=FAULT),
            show.FallReason.ADJUSTMENT,
        ),
        (
            BalanceTransferred("t2", 100 * CENTAVO, "moved out", cause=FAULT),
            show.FallReason.TRANSFER,
        ),
        (
            StartValueReset("t2", 400_000 * CENTAVO, "new season", True, cause=FAULT),
            show.FallReason.RESET,
        ),
        (MeterAdjusted("t2", 100 * CENTAVO, "counted wrong", cause=FAULT), None),
        (BalanceTransferred("t2", 100 * CENTAVO, "to t1", "t1", cause=FAULT), None),
    ],
)
def test_a_fall_tells_the_record_and_the_reason(house: House, event: object, reason: show.FallReason | None) -> None:
    before = house.tables[0].state.ledger
    act(house, event)
    after = house.tables[0].state.ledger
    expected = None if reason is None else show.MeterFall(after.seq, reason)
    assert fall_between(before, after, "t1") == expected
    assert fall_between(after, before) is None


def test_an_award_is_a_fall_at_the_other_tables_only(house: House) -> None:
    first, second = house.tables
    second.bet(500)
    house.settle()
    before = first.state.ledger
    second.win(straight_flush(3))
    house.settle()
    after = first.state.ledger
    assert fall_between(before, after, "t1") == show.MeterFall(after.seq, show.FallReason.AWARD)
    assert fall_between(before, after, "t2") is None


def test_a_voided_hand_takes_its_contribution_back(house: House) -> None:
    first, second = house.tables
    second.bet(500)
    house.settle()
    before = first.state.ledger
    second.reverse(500)
    house.settle()
    after = first.state.ledger
    assert fall_between(before, after, "t1") == show.MeterFall(after.seq, show.FallReason.VOID)


async def test_a_sign_shows_a_prize_pending_then_paid_for_a_while(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signage_board, "PAID_S", 0.05)
    one, feed = board(house)
    second = house.tables[1]
    second.bet(500)
    second.win(straight_flush(3))
    house.settle()
    one.show(house.host.state)
    pending = sign(feed)
    assert [(each.table, each.seat, each.state) for each in pending.pending] == [("2", 3, show.PrizeState.PENDING)]
    assert pending.meter.fall is not None and pending.meter.fall.reason is show.FallReason.AWARD
    assert second.pay_all() > 0
    house.settle()
    one.show(house.host.state)
    paid = sign(feed)
    assert (paid.pending, paid.just_paid) == ((), replace(pending.pending[0], state=show.PrizeState.PAID, at_ms=1_000))
    while sign(feed).just_paid is not None:
        await asyncio.sleep(0.01)
    assert [each.category for each in sign(feed).last_prizes] == ["straight_flush"]


@pytest.mark.requirement("R85")
async def test_a_sign_tells_what_two_people_had_paid(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signage_board, "PAID_S", 0.05)
    one, feed = board(house)
    second = house.tables[1]
    second.bet(500)
    second.win(royal(3), royal(5))
    house.settle()
    one.show(house.host.state)
    share, other = (int(each.amount.minor) for each in sign(feed).pending if each.amount is not None)
    third = min(second.state.rows)
    second.pay_otherwise(third, share - 7)
    house.settle()
    one.show(house.host.state)
    paid = sign(feed)
    assert paid.just_paid is not None
    assert (paid.just_paid.seat, paid.just_paid.amount) == (3, show.Amount.of(share - 7))
    assert [(each.seat, each.amount) for each in paid.pending] == [(5, show.Amount.of(other))]
    assert second.pay_all() > 0
    house.settle()
    one.show(house.host.state)
    while sign(feed).just_paid is not None:
        await asyncio.sleep(0.01)
    told = {each.seat: each.amount for each in sign(feed).last_prizes}
    assert told == {3: show.Amount.of(share - 7), 5: show.Amount.of(other)}


async def test_a_sign_tells_that_a_prize_was_verified(house: House) -> None:
    feed, verified = Feed(), set[str]()
    one = SignageBoard(FACE, feed, lambda: 1_000, dict, dict, lambda: frozenset(verified))
    second = house.tables[1]
    second.bet(500)
    second.win(straight_flush(3))
    house.settle()
    one.show(house.host.state)
    assert [each.state for each in sign(feed).pending] == [show.PrizeState.PENDING]
    verified.update(second.state.rows)
    one.look()
    assert [each.state for each in sign(feed).pending] == [show.PrizeState.VERIFIED]


async def test_a_voided_award_is_not_told_as_paid(house: House) -> None:
    one, feed = board(house)
    second = house.tables[1]
    second.bet(500)
    second.win(royal(3))
    house.settle()
    one.show(house.host.state)
    assert len(sign(feed).pending) == 1
    second.win(revision=2)
    house.settle()
    one.show(house.host.state)
    assert (sign(feed).pending, sign(feed).just_paid) == ((), None)


async def test_the_newest_pending_prize_comes_first_and_a_silent_table_is_unlinked(house: House) -> None:
    one, feed = board(house)
    for table, winner in zip(house.tables, (straight_flush(1), straight_flush(2)), strict=True):
        table.bet(500)
        table.win(winner)
        house.settle()
    one.show(house.host.state)
    assert [each.table for each in sign(feed).pending] == ["2", "1"]
    assert [(each.label, each.linked) for each in sign(feed).tables] == [("1", True), ("2", False)]


def told(house: House) -> Meter:
    return meter(house.host.state)


class Watched:
    """The screen of table t1, fed by hand."""

    def __init__(self, pit: Pit | None = None) -> None:
        self.pit = pit or Pit()
        table = TableConfig.model_validate({"id": "t1", "name": "Mesa 1", "game": "oasis", "seats": 7})
        face = TableFace(table, self.pit.settings, show.Currency(), None, "1", {"t2": "9"})
        self.feed = Feed()
        self.screens = TableScreens(face, self.feed, lambda: 1_000, lambda: 5)
        self.screens.show(self.pit.state)

    def scene(self) -> show.TableScreen:
        """The newest scene, after the state was shown once more."""
        self.screens.show(self.pit.state)
        _, scene = self.feed.newest("table-t1")
        assert isinstance(scene, show.TableScreen)
        return scene


@pytest_asyncio.fixture
async def watched() -> AsyncIterator[Watched]:
    yield Watched()


async def test_a_void_is_shown_for_a_while_and_never_again(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "VOID_S", 0.05)
    watched.pit.bet(1)
    assert isinstance(watched.scene().stage, show.Bets)
    watched.pit.do(HandVoided(VoidReason.DEAL_ERROR), actor="ana", second="bea")
    assert watched.scene().stage == show.HandVoided(show.VoidReason.CARD_ERROR)
    while isinstance(watched.scene().stage, show.HandVoided):
        await asyncio.sleep(0.01)
    assert isinstance(watched.scene().stage, show.Idle)
    assert isinstance(Watched(watched.pit).scene().stage, show.Idle), "a restart tells no old void"


async def test_a_draw_is_on_the_stage_from_its_first_scene_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "REVEAL_S", {CARTA_MAGICA: 0.05, JUGADOR_AFORTUNADO: 0.05})
    draws = (DrawTerms(CARTA_MAGICA, 50), DrawTerms(JUGADOR_AFORTUNADO, 70))
    watched = Watched(Pit(oasis_settings(draws=draws)))
    watched.pit.bet(1)
    assert isinstance(watched.scene().stage, show.Bets)
    watched.pit.close()
    assert isinstance(watched.scene().stage, show.CartaMagica)
    while isinstance(watched.scene().stage, show.CartaMagica):
        await asyncio.sleep(0.01)
    assert isinstance(watched.scene().stage, show.JugadorAfortunado)
    while isinstance(watched.scene().stage, show.JugadorAfortunado):
        await asyncio.sleep(0.01)
    assert isinstance(watched.scene().stage, show.Hand)


async def test_a_meter_that_fell_says_so_until_the_next_fall(watched: Watched) -> None:
    watched.pit.host.decide(MeterAdjusted("t1", -100 * CENTAVO, "counted wrong", cause=FAULT))
    watched.pit.deliver()
    shown = watched.scene().meter
    assert shown is not None
    assert shown.fall == show.MeterFall(watched.pit.state.link.ledger.seq, show.FallReason.ADJUSTMENT)
    watched.pit.bet(1)
    later = watched.scene().meter
    assert later is not None
    assert later.fall == shown.fall


async def test_another_tables_prize_is_told_pending_then_paid_then_no_more(
    watched: Watched, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens, "PAID_S", 0.05)
    second = house.tables[1]
    second.bet(500)
    second.win(straight_flush(3))
    house.settle()
    watched.pit.state = replace(watched.pit.state, link=replace(watched.pit.state.link, ledger=house.host.state.ledger))
    watched.screens.show(watched.pit.state)
    watched.screens.hear(told(house))
    (pending,) = watched.scene().other_prizes
    assert (pending.table, pending.category, pending.state) == ("9", "straight_flush", show.PrizeState.PENDING)
    second.pay_all()
    house.settle()
    watched.screens.hear(told(house))
    assert watched.scene().other_prizes == (replace(pending, state=show.PrizeState.PAID),)
    while watched.scene().other_prizes:
        await asyncio.sleep(0.01)


@pytest.mark.requirement("R85")
async def test_another_tables_prize_is_told_as_it_was_paid(watched: Watched, house: House) -> None:
    """A royal is shared, and two people have one of the shares paid by another amount."""
    second = house.tables[1]
    second.bet(500)
    second.win(royal(3), royal(5))
    house.settle()
    watched.pit.state = replace(watched.pit.state, link=replace(watched.pit.state.link, ledger=house.host.state.ledger))
    watched.screens.show(watched.pit.state)
    watched.screens.hear(told(house))
    computed = [each.amount for each in watched.scene().other_prizes]
    third = min(second.state.rows)
    second.pay_otherwise(third, 4_321)
    second.pay_all()
    house.settle()
    watched.screens.hear(told(house))
    paid = watched.scene().other_prizes
    assert {each.state for each in paid} == {show.PrizeState.PAID}
    assert sorted(str(each.amount) for each in paid) == sorted(map(str, (computed[0], show.Amount.of(4_321))))


async def test_another_tables_prize_that_was_verified_is_told_so_and_not_as_paid(
    watched: Watched, house: House
) -> None:
    second = house.tables[1]
    second.bet(500)
    second.win(straight_flush(3))
    house.settle()
    watched.pit.state = replace(watched.pit.state, link=replace(watched.pit.state.link, ledger=house.host.state.ledger))
    watched.screens.show(watched.pit.state)
    message = told(house)
    watched.screens.hear(message)
    verified = replace(message, pending=tuple(replace(each, verified=True) for each in message.pending))
    watched.screens.hear(verified)
    (other,) = watched.scene().other_prizes
    assert other.state is show.PrizeState.VERIFIED


async def test_a_voided_prize_of_another_table_just_goes(watched: Watched, house: House) -> None:
    second = house.tables[1]
    second.bet(500)
    second.win(straight_flush(3))
    house.settle()
    watched.screens.hear(told(house))
    assert len(watched.scene().other_prizes) == 1
    second.win(revision=2)
    house.settle()
    watched.pit.state = replace(watched.pit.state, link=replace(watched.pit.state.link, ledger=house.host.state.ledger))
    watched.screens.show(watched.pit.state)
    watched.screens.hear(told(house))
    assert watched.scene().other_prizes == ()


async def test_a_meter_of_an_older_epoch_is_not_believed(watched: Watched, house: House) -> None:
    second = house.tables[1]
    second.bet(500)
    second.win(straight_flush(3))
    house.settle()
    message = told(house)
    watched.screens.hear(replace(message, epoch=message.epoch._replace(term=0)))
    assert watched.scene().other_prizes == ()
