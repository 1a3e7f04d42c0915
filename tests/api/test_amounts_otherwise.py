"""An amount that two people set in place of the computed one is asked like any other, on every screen and page."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from controller.api.amounts.ask import trace
from controller.api.amounts.listed import amounts_of_carousel, amounts_of_table
from controller.api.problems import Problem
from controller.api.words import Words, today
from controller.core.cards import parse_cards
from controller.core.causes import PoolCause
from controller.core.events import (
    AntePlaced,
    CardsEntered,
    CreditWagered,
    HandCorrected,
    HandVoided,
    Key,
    KeyPressed,
    PrizePaid,
    PrizeVerified,
    VoidReason,
)
from controller.core.prize_events import OverrideReason, PrizeOverridden, SlipIssued
from controller.engine.host_events import ClosedDisposed, ClosingAsked, ClosingDayCame, OrphansAssigned
from controller.engine.ledger_state import ORPHANS
from tests.api.crawl import every_amount_leads_to_its_origin
from tests.api.office import STRAIGHT_FLUSH, Client, Office, open_office, until
from tests.api.test_amounts import NOTHING, ROYAL, asked_of_scenes, hand, pay, pit_file, settled, tell_host, walk

FOUR = "4c 4d 4h 4s 2c"
HEARTS = "Ah Kh Qh Jh Th"
WHY = "the sign showed more"


@pytest_asyncio.fixture
async def pit(tmp_path: Path) -> AsyncIterator[Office]:
    async with open_office(tmp_path, site=pit_file) as office:
        yield office


def prizes(office: Office, table: str, number: int) -> list[str]:
    """The carousel's prizes of a hand."""
    rows = office.node.tables[table].runner.state.link.rows.values()
    return [row.id for row in sorted(rows, key=lambda row: row.seat) if row.hand == number]


def drawn(office: Office, table: str, number: int) -> str:
    """The draw's prize of a hand."""
    found = office.node.tables[table].runner.state.draw_prizes
    return next(prize for prize, each in found.items() if each.hand == number)


async def verify(office: Office, table: str, prize: str) -> None:
    await office.tell(table, PrizeVerified(prize), "ana")


async def override(office: Office, table: str, prize: str, minor: int, note: str = WHY) -> None:
    await office.tell(table, PrizeOverridden(prize, minor, OverrideReason.DISPLAY_DIFFERED, note), "ana", "carla")


async def paid(office: Office, table: str, prize: str) -> None:
    await office.tell(table, PrizePaid(prize), "ana", "beto")
    row = office.node.tables[table].runner.state.link.rows.get(prize)
    if row is not None:
        host = office.node.hosts["gran"].runner
        await until(
            lambda: (
                (row.paid_minor, row.beside_minor) == (host.state.paid.get(prize, 0), host.state.beside.get(prize, 0))
            ),
            "the host hears of the payment",
        )


async def two_royals(office: Office, table: str) -> int:
    """A hand in which two boxes have a royal."""
    number = office.node.tables[table].runner.state.hand.number
    boxes = {3: ROYAL, 5: HEARTS}
    for seat in boxes:
        await office.tell(table, AntePlaced(seat))
        await office.tell(table, CreditWagered(seat, 1, manual=True))
    await office.tell(table, KeyPressed(Key.CLOSE_BETS))
    await until(lambda: not office.node.tables[table].runner.state.hand.draw_pending, "the draw")
    for seat, cards in boxes.items():
        await office.tell(table, CardsEntered(f"seat-{seat}", parse_cards(cards) or ()), "ana", "beto")
    for seat in boxes:
        await office.tell(table, KeyPressed(Key.PLAY, seat))
    await office.tell(table, KeyPressed(Key.HAND_OVER))
    await until(lambda: len(prizes(office, table, number)) == 2, "the awards")
    return number


async def correct(office: Office, number: int, old: str, new: str) -> None:
    await office.tell("t1", HandCorrected(number, "seat-3", *parse_cards(f"{old} {new}") or ()), "ana", "beto")
    await until(lambda: not office.node.tables["t1"].runner.state.link.open_claims, "the correction is answered")


@pytest.mark.requirement("R85", "R82")
@pytest.mark.promise("P4")
async def test_every_amount_with_overrides_adds_up_down_to_its_bets(pit: Office) -> None:
    """Set twice and paid with a slip; of a draw; a share of a royal; to nothing, then corrected; ended by a correction,
    paid, and paid again; void; and in force."""
    state = pit.node.tables["t1"].runner
    first = await hand(pit, "t1", STRAIGHT_FLUSH)
    (flush,), draw = prizes(pit, "t1", first), drawn(pit, "t1", first)
    computed = state.state.link.rows[flush].payable_minor
    await verify(pit, "t1", flush)
    await pit.tell("t1", SlipIssued(flush, 7, 7, {}), "ana")
    await override(pit, "t1", flush, 1, "a slip of the pen")
    await override(pit, "t1", flush, computed + 900)
    await pit.tell("t1", SlipIssued(flush, 50, 7, {}, "as the office says"), "ana")
    asked_of_scenes(pit)
    await walk(pit)
    await paid(pit, "t1", flush)
    await verify(pit, "t1", draw)
    await override(pit, "t1", draw, 300)
    await paid(pit, "t1", draw)
    asked_of_scenes(pit)

    shared = await two_royals(pit, "t2")
    third, fifth = prizes(pit, "t2", shared)
    await verify(pit, "t2", third)
    await override(pit, "t2", third, 77)
    await paid(pit, "t2", third)
    asked_of_scenes(pit)
    await verify(pit, "t2", fifth)
    await paid(pit, "t2", fifth)
    asked_of_scenes(pit)

    nothing = await hand(pit, "t1", STRAIGHT_FLUSH)
    (unpaid,) = prizes(pit, "t1", nothing)
    await verify(pit, "t1", unpaid)
    await override(pit, "t1", unpaid, 0)
    await paid(pit, "t1", unpaid)
    await correct(pit, nothing, "5d", "2d")
    row = state.state.link.rows[unpaid]
    assert 0 < row.amount_minor < row.paid_minor
    asked_of_scenes(pit)

    ended = await hand(pit, "t1", STRAIGHT_FLUSH)
    (again,) = prizes(pit, "t1", ended)
    await verify(pit, "t1", again)
    await override(pit, "t1", again, 5)
    await correct(pit, ended, "5d", "2d")
    await verify(pit, "t1", again)
    await override(pit, "t1", again, 6)
    asked_of_scenes(pit)
    await paid(pit, "t1", again)
    await correct(pit, ended, "2d", "5d")
    await verify(pit, "t1", again)
    await override(pit, "t1", again, 8)
    gone = await hand(pit, "t2", FOUR)
    (void,) = prizes(pit, "t2", gone)
    await verify(pit, "t2", void)
    await override(pit, "t2", void, 9)
    await pit.tell("t2", HandVoided(VoidReason.DEAL_ERROR, "a card was shown", gone), "ana", "beto")
    waits = await hand(pit, "t1", FOUR)
    (four,) = prizes(pit, "t1", waits)
    await verify(pit, "t1", four)
    await override(pit, "t1", four, 0)
    await until(lambda: settled(pit.node), "the host has absorbed every bet")
    asked_of_scenes(pit)
    asked = await walk(pit)
    of = {
        f"table/t1/due/{flush}": computed + 900,
        f"table/t1/difference/{flush}": 900,
        f"table/t1/slip/{flush}": computed + 850,
        f"table/t1/withheld/{flush}": 50,
        f"table/t1/due/{draw}": 300,
        f"table/t2/due/{third}": 77,
        f"carousel/gran/cash/{third}": 77,
        f"table/t1/due/{again}": 6 + 8,
        f"table/t1/payable/{again}": 8,
        f"table/t1/payable/{four}": 0,
        f"table/t1/computed/{four}": 10_000_000,
    }
    minor = pit.node.api_ports().minor_micros
    assert {address: asked[address].total_micros for address in of} == {each: of[each] * minor for each in of}
    assert f"table/t2/due/{fifth}" not in asked, "it was paid as computed"
    decisions = [line for line in asked[f"table/t1/due/{flush}"].lines if line.what == "override"]
    assert [(line.why, line.actor, line.second) for line in decisions] == [
        ("a slip of the pen", "ana", "carla"),
        (WHY, "ana", "carla"),
    ]
    assert all(line.seq and line.journal == "table-t1" and line.wall_ms for line in decisions)
    told = [line.what for line in asked[f"table/t1/difference/{again}"].lines]
    assert told == ["override", "override_ended", "override", "override"]
    assert {"paid_before_correction", "less_paid", "override_at_table", "withheld"} <= {
        line.what for found in asked.values() for line in found.lines
    }
    pages = [f"/prizes/t1?prize={each}" for each in (flush, again, four, draw)]
    seen = await follow(
        pit, "/prizes", "/table/t1", "/table/t2", "/seeds", "/shift", f"/prizes/t2?prize={third}", *pages
    )
    day = today(pit.node.api_ports())
    growth = ("opening", "contributions", "awards", "closing", "growth", "growth_played")
    assert {f"carousel/gran/day/{day}/{each}" for each in growth} <= seen
    assert {f"node/all/{each}" for each in ("pending", "guarded", "house")} <= seen
    assert {"table/t1/pending", "table/t1/guarded", "carousel/gran/guarded"} <= seen
    nobody_s = await trace(pit.node.api_ports(), f"table/t1/due/{unpaid}")
    assert (nobody_s.total_micros, nobody_s.sum_micros) == (0, 0)
    for what in ("due", "difference"):
        told = await trace(pit.node.api_ports(), f"table/t2/{what}/{void}")
        assert told.total_micros == told.sum_micros == 0
    payment = next(address.rpartition("/")[0] for address in seen if "/payment/" in address)
    wrong = [f"table/t1/slip/{four}", "table/t1/due/none", f"carousel/gran/cash/{again}x"]
    wrong += [
        "table/t1/pending/x",
        "node/all/x",
        "node/x/house",
        "table/t1/payment/1/amount",
        "table/t1/payment/x/amount",
        f"{payment}/x",
        f"carousel/gran/day/{day}/x",
        "carousel/gran/guarded/x",
    ]
    for address in wrong:
        with pytest.raises(Problem):
            await trace(pit.node.api_ports(), address)


async def test_the_money_of_a_closed_jackpot_is_asked_too(pit: Office) -> None:
    await pay(pit, "t1", await hand(pit, "t1", STRAIGHT_FLUSH))
    await hand(pit, "t2", NOTHING)
    await until(lambda: settled(pit.node), "the host has absorbed every bet")
    close = PoolCause.APPROVED_CLOSING
    await tell_host(pit, ClosingAsked("2026-12-31", ORPHANS, "the season ends", True, close))
    await tell_host(pit, ClosingDayCame("2026-12-31"))
    host = pit.node.hosts["gran"].runner
    await until(
        lambda: len(host.state.settled) == len(host.state.ledger.tables), "nothing of before is open at a table"
    )
    await tell_host(pit, ClosedDisposed("as announced", close))
    await tell_host(pit, OrphansAssigned(5_000_000, "norte", "approved", PoolCause.APPROVED_MOVE))
    await until(lambda: settled(pit.node), "every table has the moves")
    asked_of_scenes(pit)
    asked = await walk(pit)
    seen = await follow(pit, "/seeds", "/shift")
    assert {"carousel/gran/orphans", "carousel/gran/guarded"} <= seen
    await every_amount_leads_to_its_origin(pit, people=["carla"])
    register = asked["carousel/gran/orphans"]
    assert register.total_micros == host.state.ledger.orphans_micros > 0
    assert {(line.what, line.actor, line.second) for line in register.lines} == {
        ("transfer", "ana", "beto"),
        ("orphans", "ana", "beto"),
    }


async def links(ana: Client, page: str) -> dict[str, str]:
    """The addresses of amounts that a page leads to, each with the amount that stands there."""
    found = re.findall(r'href="/amount\?of=([^"]+)"[^>]*>([^<]*)<', (await ana.get(page)).text)
    return {address.replace("%2F", "/"): text for address, text in found}


async def follow(office: Office, *pages: str) -> set[str]:
    """Every amount of these pages that leads to its origin is what the origin sums up to; the addresses."""
    ana, ports = await office.person("ana"), office.node.api_ports()
    words, seen = Words(ports, "es"), set()
    for page in pages:
        for address, text in (await links(ana, page)).items():
            if any(sign.isdigit() for sign in text):
                found = await trace(ports, address)
                assert found.sum_micros == found.total_micros, (page, found)
                written = {words.exact(found.total_micros), words.amount(found.total_micros // ports.minor_micros)}
                assert text.strip() in written, (page, address, text, written)
                seen.add(address)
    return seen


@pytest.mark.requirement("R85")
async def test_the_pages_lead_from_what_is_paid_to_how_it_came_about(pit: Office) -> None:
    number = await hand(pit, "t1", FOUR)
    (prize,) = prizes(pit, "t1", number)
    await verify(pit, "t1", prize)
    await override(pit, "t1", prize, 10_250_000)
    await pit.tell("t1", SlipIssued(prize, 250_000, 250_000, {}), "ana")
    ana = await pit.person("ana")
    shown = await links(ana, f"/prizes/t1?prize={prize}")
    told = {address.split("/")[2]: text for address, text in shown.items()}
    assert {what: text.removeprefix("$").strip() for what, text in told.items()} == {
        "prize": "100.000,00",
        "difference": "2.500,00",
        "due": "102.500,00",
        "computed": "100.000,00",
        "slip": "100.000,00",
        "withheld": "2.500,00",
    }
    for page in ("/prizes", "/table/t1"):
        assert "102.500,00" in (await links(ana, page))[f"table/t1/payable/{prize}"]
    for language, words in (
        ("en", ("Another amount, by two people", "The screen showed another amount")),
        ("es", ("Otro importe, de dos personas", "La pantalla mostraba otro importe")),
    ):
        answer = (await ana.get(f"/amount?of=table/t1/due/{prize}&lang={language}")).text
        assert all(said in answer for said in (*words, WHY, "Ana, Carla"))
        assert re.search(r"journal=table-t1&(amp;)?before=\d+", answer)
    answer: dict[str, Any] = (await ana.get(f"/api/v1/amounts/origin?of=table/t1/due/{prize}")).json()
    assert answer["adds_up"] and answer["shown_minor"] == 10_250_000
    assert [line["micros"] for line in answer["lines"]] == [100_000_000_000, 2_500_000_000]
    (line,) = [each for each in answer["lines"] if each["what"] == "override"]
    assert (line["override"], line["why"], line["actor"], line["second"]) == ("display_differed", WHY, "ana", "carla")

    await paid(pit, "t1", prize)
    last = await links(ana, "/prizes")
    assert "102.500,00" in last[f"table/t1/due/{prize}"]
    day = today(pit.node.api_ports())
    shift = await links(ana, "/shift")
    assert f"table/t1/day/{day}/withheld" in shift
    (payment,) = {address.rpartition("/")[0] for address in shift if "/payment/" in address}
    assert "2.500,00" in shift[f"{payment}/difference"]
    assert "102.500,00" in shift[f"{payment}/amount"]
    for what, minor in (("overridden", 250_000), ("withheld", 250_000)):
        address = f"table/t1/day/{day}/{what}"
        found = await trace(pit.node.api_ports(), address)
        assert found.total_micros == found.sum_micros == minor * pit.node.api_ports().minor_micros
    ports = pit.node.api_ports()
    everything = [each.what for each in (*amounts_of_table(ports, "t1"), *amounts_of_carousel(ports, "gran"))]
    assert everything.count("due") == 1
