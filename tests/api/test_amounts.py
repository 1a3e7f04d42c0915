"""Every centavo of every amount on a screen can be asked how it came about, and the answer adds up exactly."""

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from controller.api.amounts.ask import trace
from controller.api.amounts.listed import Shown, amounts_of_carousel, amounts_of_table
from controller.api.amounts.trace import MOST_LINES, Line, Trace, folded
from controller.api.context import ApiPorts
from controller.api.origin import origin
from controller.api.problems import Problem
from controller.core.cards import parse_cards
from controller.core.causes import PoolCause
from controller.core.circle_events import PlayerSeated
from controller.core.events import (
    AntePlaced,
    AnteWithdrawn,
    CardsEntered,
    CreditWagered,
    CreditWithdrawn,
    HandVoided,
    Key,
    KeyPressed,
    PrizePaid,
    PrizeVerified,
    VoidReason,
)
from controller.core.refusal import Refusal
from controller.engine.host_events import BalanceTransferred, MeterAdjusted
from controller.engine.ledger_fold import fold
from controller.engine.ledger_records import Record
from controller.engine.ledger_state import LedgerState
from controller.main import Node
from display.scene import Amount
from tests.api.office import SITE, STRAIGHT_FLUSH, TABLE, Office, open_office, until

ROYAL = "As Ks Qs Js Ts"
NOTHING = "2c 4s 6h 8c Tc"
DRAWS = """
[tables.draws]
draw_prizes_from = "pool"
pool_bp = 500
jugador_afortunado = { prize = 1_000, lucky_seat_from = "betting" }
"""
CIRCLE = """
[[tables]]
id = "t3"
name = "Mesa 3"
preset = "holdem_circle_argentina_2009"
carousel = "gran"

[tables.jackpot]
kind = "progressive"
credit = 1_000
start = 5_000_000
contribution_bp = 2_000
reserve_bp = 500

[tables.jackpot.prizes]
royal_flush = { percent = 100 }
straight_flush = { percent = 10 }
"""


def pit_file(directory: Path) -> Path:
    """Two Oasis tables, one with a low ceiling, both with a draw from its pool, and a circle table."""
    path = directory / "site.toml"
    first = TABLE.format(id="t1", number=1).replace("start = 50_000_000", "start = 50_000_000\nceiling = 50_001_000")
    second = TABLE.format(id="t2", number=2)
    third = CIRCLE.replace("start = 5_000_000", "start = 5_000_000\nceiling = 90_000_000")
    second = second.replace("start = 50_000_000", "start = 50_000_000\nceiling = 90_000_000")
    path.write_text(SITE.format(directory=directory / "state") + first + DRAWS + second + DRAWS + third)
    return path


@pytest_asyncio.fixture
async def played(tmp_path: Path) -> AsyncIterator[Office]:
    """A pit in which everything that moves money has happened, with prizes pending and a circle hand in course."""
    async with open_office(tmp_path, site=pit_file) as office:
        await play(office)
        yield office


async def play(office: Office) -> None:
    await hand(office, "t1", NOTHING)
    await hand(office, "t2", NOTHING)
    paid = await hand(office, "t1", STRAIGHT_FLUSH)
    await pay(office, "t1", paid)
    await tell_host(office, MeterAdjusted("t2", 1_234_567, "corrected reading", 89_000, PoolCause.FAULT_CORRECTION))
    await tell_host(office, BalanceTransferred("t2", 5_000_000, "moved to table 1", "t1", PoolCause.APPROVED_MOVE))
    royal = await hand(office, "t2", ROYAL)
    await pay(office, "t2", royal)
    for _ in range(3):
        beyond = await hand(office, "t1", NOTHING)
    await until(lambda: settled(office.node), "the host has absorbed what passes the ceiling")
    await office.tell("t1", HandVoided(VoidReason.DEAL_ERROR, "dealt twice", beyond), "ana", "beto")
    voided = await hand(office, "t2", NOTHING)
    await office.tell("t2", HandVoided(VoidReason.DEAL_ERROR, "a card was shown", voided), "ana", "beto")
    await hand(office, "t1", STRAIGHT_FLUSH)
    await office.tell("t2", AntePlaced(2))
    await office.tell("t2", CreditWagered(2, 3, manual=True))
    await circle(office)
    await until(lambda: settled(office.node), "the host has absorbed every bet")


async def hand(office: Office, table: str, cards: str) -> int:
    """A hand with bets, one of them taken back, one returned for want of an ante, and the drawn seat's prize."""
    number = office.node.tables[table].runner.state.hand.number
    for seat in (3, 5, 6):
        await office.tell(table, AntePlaced(seat))
        await office.tell(table, CreditWagered(seat, 2, manual=True))
    await office.tell(table, CreditWithdrawn(5, 2))
    await office.tell(table, AnteWithdrawn(6))
    await office.tell(table, KeyPressed(Key.CLOSE_BETS))
    await until(lambda: not office.node.tables[table].runner.state.hand.draw_pending, "the draw")
    await office.tell(table, CardsEntered("seat-3", parse_cards(cards) or ()), "ana", "beto")
    await office.tell(table, KeyPressed(Key.PLAY, 3))
    await office.tell(table, KeyPressed(Key.HAND_OVER))
    await until(lambda: not office.node.tables[table].runner.state.link.open_claims, "the claim is answered")
    return number


async def pay(office: Office, table: str, number: int) -> None:
    state = office.node.tables[table].runner.state
    prizes = [row.id for row in state.link.rows.values() if row.hand == number]
    for prize in [*prizes, *(name for name, each in state.draw_prizes.items() if each.hand == number)]:
        await office.tell(table, PrizeVerified(prize), "ana")
        await office.tell(table, PrizePaid(prize), "ana", "beto")


async def tell_host(office: Office, event: object) -> None:
    from controller.core.events import Envelope

    runner = office.node.hosts["gran"].runner
    answer = await runner.submit(Envelope(f"test/{event!r}"[:60], event, "ana", "beto"))
    assert answer.refused is None


async def circle(office: Office) -> None:
    """Four players, blinds and two bets: stacks, pots and a call are on the screen."""
    for seat in (1, 2, 3, 4):
        await office.tell("t3", PlayerSeated(seat, 100_000 * seat))
    await office.tell("t3", CreditWagered(2, 1, manual=True))
    for key in (Key.CLOSE_BETS, Key.CALL, Key.CALL, Key.CALL, Key.CHECK, Key.DEAL):
        await office.tell("t3", KeyPressed(key))
    await office.tell("t3", KeyPressed(Key.BET, None, 5_000))


def settled(node: Node) -> bool:
    ledger = node.hosts["gran"].runner.state.ledger
    links = (room.runner.state.link for room in node.tables.values())
    return all(
        link.ledger.seq == ledger.seq and ledger.tables[link.settings.table].absorbed == link.counters for link in links
    )


def listed(office: Office) -> dict[str, list[Shown]]:
    """What the node says it shows, by screen."""
    ports = office.node.api_ports()
    tables = {f"table-{name}": list(amounts_of_table(ports, name)) for name in ports.tables}
    return tables | {f"signage-{name}": list(amounts_of_carousel(ports, name)) for name in ("gran",)}


async def walk(office: Office) -> dict[str, Trace]:
    """Every listed amount and every amount that its parts lead to, asked: each adds up, and is what was shown."""
    ports = office.node.api_ports()
    asked: dict[str, Trace] = {}
    for screen, amounts in listed(office).items():
        for shown in amounts:
            found = asked[shown.of] = await trace(ports, shown.of)
            assert found.total_micros // ports.minor_micros == shown.minor, (screen, shown)
    waiting = list(asked.values())
    while waiting:
        found = waiting.pop()
        assert found.sum_micros == found.total_micros, found
        for line in found.lines:
            if line.ask and line.ask not in asked:
                child = asked[line.ask] = await trace(ports, line.ask)
                waiting.append(child)
            if line.ask:
                assert asked[line.ask].total_micros == line.micros, (found.of, line)
            if line.see:
                await trace(ports, line.see)
    return asked


@pytest.mark.promise("P4")
async def test_every_amount_of_a_played_pit_adds_up_down_to_its_bets(played: Office) -> None:
    asked = await walk(played)
    kinds = {line.what for found in asked.values() for line in found.lines}
    expected = {"bet", "bet_withdrawn", "bet_returned", "hand", "hand_void", "contributions", "ceiling", "opening"}
    expected |= {"adjustment", "transfer", "award", "joined", "debit", "restart", "paid", "draw_prize", "from_pool"}
    assert expected <= kinds
    meter = await trace(played.node.api_ports(), "carousel/gran/meter")
    assert [line for line in meter.lines if line.what == "from_overflow" and line.micros > 0], "the void beyond it"
    bets = [line for found in asked.values() for line in found.lines if line.what == "bet"]
    assert all(line.seq and line.journal and line.wall_ms and line.facts["seat"] for line in bets)
    people = [line for found in asked.values() for line in found.lines if line.what in ("adjustment", "transfer")]
    assert {(line.actor, line.second, line.why, line.cause) for line in people} == {
        ("ana", "beto", "corrected reading", "fault_correction"),
        ("ana", "beto", "moved to table 1", "approved_move"),
    }


SHOWN_AS = {
    r"meter\.amount|stage\.(in_play|after|restart)": {"meter"},
    r"meter\.limit": {"limit"},
    r"prizes\.\d+\.today": {"part"},
    r"prizes\.\d+\.fixed|draw_prizes\.\d+\.amount|minimum|maximum|stage\.(credit|prize)": {"setting"},
    r"circle\.(small|big)_blind_amount|jugador_afortunado\.(prize|amount)": {"setting"},
    r"circle\.results\.\d+\.amount": {"won"},
    r"stage\.before": {"before"},
    r"stage\.held": {"prizes"},
    r"stage\.amount": {"royals"},
    r"stage\.wins\.\d+\.amount": {"prize", "due"},
    r"seats\.\d+\.win\.amount": {"prize"},
    r"stage\.wins\.\d+\.of": {"meter_before"},
    r"seats\.\d+\.stack": {"stack"},
    r"seats\.\d+\.bet": {"bet"},
    r"circle\.pots\.\d+\.amount": {"pot"},
    r"circle\.clock\.to_call": {"to_call"},
    r"notices\.\d+\.amount": {"rebuy"},
    r"tables\.\d+\.amount": {"main"},
    r"standing\.\d+\.amount": {"prize", "due"},
    r"pending\.\d+\.amount": {"award"},
    r"(other_prizes|last_prizes)\.\d+\.amount|just_paid\.amount": {"award", "cash"},
}
"""Where a scene has amounts, and which of the listed amounts each is."""


def amounts_in(value: object, path: str = "") -> Iterator[tuple[str, int]]:
    """Every amount of a scene with its place."""
    if isinstance(value, Amount):
        yield path, int(value.minor)
    elif is_dataclass(value):
        for each in fields(value):
            yield from amounts_in(getattr(value, each.name), f"{path}.{each.name}".lstrip("."))
    elif isinstance(value, tuple):
        for index, each in enumerate(value):
            yield from amounts_in(each, f"{path}.{index}")


async def test_every_amount_of_every_scene_is_one_that_can_be_asked(played: Office) -> None:
    seen = asked_of_scenes(played)
    assert len(seen) >= 9, seen


def asked_of_scenes(office: Office) -> set[str]:
    """The places of the amounts that the screens show now, each of which is held against the list."""
    seen = set()
    everywhere = {(each.what, each.minor) for amounts in listed(office).values() for each in amounts}
    for screen, amounts in listed(office).items():
        known = {(each.what, each.minor) for each in amounts}
        scene = office.node.feed._channels[screen].scene
        for path, minor in amounts_in(scene):
            pattern = next((each for each in SHOWN_AS if re.fullmatch(each, path)), None)
            assert pattern is not None, f"{screen}: nobody can ask for {path}"
            here = everywhere if path.startswith("other_prizes") else known
            assert any((what, minor) in here for what in SHOWN_AS[pattern]), (screen, path, minor)
            seen.add(pattern)
    return seen


async def test_the_panel_shows_an_amount_in_both_languages(played: Office) -> None:
    ana = await played.person("ana")
    overview = await ana.get("/amounts")
    assert overview.status_code == 200
    address = "carousel/gran/meter"
    assert f"/amount?of={address}" in overview.text.replace("%2F", "/")
    for language, words in (("es", "Cómo se formó"), ("en", "How")):
        page = await ana.get(f"/amount?of={address}&lang={language}")
        assert page.status_code == 200
        assert words in page.text
        assert "corrected reading" not in page.text  # before the last restart
    before = await ana.get("/amount?of=carousel/gran/main/t2@12")
    assert before.status_code == 200


async def test_the_api_answers_with_what_adds_up_and_refuses_by_name(played: Office) -> None:
    ana = await played.person("ana")
    told = (await ana.get("/api/v1/amounts/origin?of=carousel/gran/meter")).json()
    assert told["adds_up"] is True
    assert sum(line["micros"] for line in told["lines"]) == told["total_micros"]
    everything = (await ana.get("/api/v1/amounts")).json()
    assert {"t1", "t2", "t3"} == set(everything["tables"])
    wrong = [
        "carousel/gran",
        "carousel/gran/nothing",
        "table/t1/hand/x/main",
        "table/t1/hand/1/what",
        "table/t1/paid/x",
    ]
    wrong += ["carousel/gran/main", "table/t1/setting/none", "table/t1/stack/1", "carousel/gran/meter@x", "x/y/z"]
    wrong += [
        "table/t3/pot/x",
        "table/t1/pool/x",
        "table/t1/prize/x",
        "carousel/gran/award/t1/i/1/1",
        "table/t1/day/1/2",
    ]
    wrong += ["carousel/gran/meter/record/999999", "carousel/gran/before/t1/i/1", "carousel/gran/meter/what/t1"]
    for address in wrong:
        answer = await ana.get(f"/api/v1/amounts/origin?of={address}")
        assert answer.json()["refusal"] == Refusal.UNKNOWN_AMOUNT.value, address
    with pytest.raises(Problem):
        await trace(played.node.api_ports(), "carousel/none/meter")


@pytest.mark.requirement("R82")
async def test_a_question_costs_what_is_new_and_answers_as_the_whole_ledger(
    played: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each figure asked again after a while, and at places of before, beside an answer folded from the first record."""
    ports, folded_records = played.node.api_ports(), []

    def counted(state: LedgerState, record: Record) -> Any:
        folded_records.append(record.seq)
        return fold(state, record)

    monkeypatch.setattr("controller.api.origin.fold", counted)
    names = ["meter", "pools", "contributions", "main/t1", "overflow/t1", "reserve/t2", "held/t2", "awards"]
    asked = [f"carousel/gran/{name}" for name in names]

    async def answers(ports: ApiPorts) -> list[Any]:
        return [await origin(ports, "gran"), *[await trace(ports, address) for address in asked]]

    before = await answers(ports)
    last = max(folded_records)
    folded_records.clear()
    assert await answers(ports) == before
    assert folded_records == []
    await hand(played, "t1", STRAIGHT_FLUSH)
    await hand(played, "t1", NOTHING)
    await until(lambda: settled(played.node), "the host has absorbed every bet")
    now = await answers(ports)
    assert now != before and set(folded_records) == set(range(last + 1, max(folded_records) + 1))
    assert now == await answers(played.node.api_ports())
    assert all(each.sum_micros == each.total_micros for each in now[1:])
    assert now[0]["adds_up"] is True
    (reset,) = ports.trails.of("carousel-gran", LedgerState("gran", ports.minor_micros)).resets
    for seq in (max(folded_records), reset + 1, reset, reset - 1, 3):
        for address in asked:
            fresh = await trace(played.node.api_ports(), f"{address}@{seq}")
            folded_records.clear()
            assert await trace(ports, f"{address}@{seq}") == fresh, (address, seq)
            if seq > reset and address != "carousel/gran/contributions" and not address.endswith("awards"):
                assert min(folded_records) == reset


def test_a_long_answer_folds_its_older_lines_and_keeps_the_sum() -> None:
    lines = [Line("bet", number) for number in range(MOST_LINES + 100)]
    shown: list[Any] = list(folded(lines))
    assert len(shown) == MOST_LINES
    assert shown[0].what == "earlier"
    assert sum(line.micros for line in shown) == sum(line.micros for line in lines)


async def test_a_table_of_another_node_answers_from_its_own_copy_of_the_ledger(played: Office) -> None:
    """Without the host's journal, and without the other tables' hands: their part is told record by record."""
    whole = played.node.api_ports()
    alone = replace(whole, hosts={}, tables={"t1": whole.tables["t1"]})
    meter = await trace(alone, "carousel/gran/meter")
    assert meter.sum_micros == meter.total_micros == (await trace(whole, "carousel/gran/meter")).total_micros
    for line in meter.lines:
        if line.what == "contributions":
            part = await trace(alone, line.ask)
            assert part.sum_micros == line.micros
            mine = line.facts["table"] == "t1"
            assert {each.what for each in part.lines} == ({"hand", "hand_void"} if mine else {"hands_elsewhere"})
