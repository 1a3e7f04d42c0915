"""What a table, a carousel or a node holds no more, or never held, is asked all the same, or says where to ask."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from controller.api.amounts.ask import trace
from controller.api.amounts.listed import amounts_of_carousel, carousels_told
from controller.api.amounts.trace import Trace
from controller.api.app import build_app
from controller.api.context import ApiPorts
from controller.api.origin import PAGE
from controller.api.problems import Problem
from controller.core.prize_events import SlipIssued
from controller.core.refusal import Refusal
from controller.engine import ledger_book, member_rows, table_apply
from tests.api.office import STRAIGHT_FLUSH, Client, Office, open_office, until
from tests.api.test_amounts import NOTHING, hand, pay, pit_file, settled
from tests.api.test_amounts_otherwise import FOUR, drawn, override, paid, prizes, verify

CASH = ("prize", "paid", "due", "payable", "computed", "difference", "slip", "withheld", "proposed")


@pytest_asyncio.fixture
async def pit(tmp_path: Path) -> AsyncIterator[Office]:
    async with open_office(tmp_path, site=pit_file) as office:
        yield office


async def paid_otherwise(office: Office, table: str) -> tuple[str, str]:
    """A straight flush and a draw's prize, both with a slip and another amount, paid; their names."""
    number = await hand(office, table, STRAIGHT_FLUSH)
    (prize,), draw = prizes(office, table, number), drawn(office, table, number)
    for each in (prize, draw):
        await verify(office, table, each)
        await override(office, table, each, 7_777)
        await office.tell(table, SlipIssued(each, 40, 7, {}, "as the office says"), "ana")
        await paid(office, table, each)
    return prize, draw


async def answers(ports: ApiPorts, addresses: list[str]) -> dict[str, Trace]:
    """What each address is answered with; the sums hold."""
    found = {each: await trace(ports, each) for each in addresses}
    assert [each for each in found.values() if each.sum_micros != each.total_micros] == []
    return found


@pytest.mark.requirement("R82")
async def test_a_prize_that_everybody_let_go_is_answered_as_when_it_was_held(
    pit: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_book, "KEPT_AWARDS", 3)
    monkeypatch.setattr(member_rows, "KEPT_ROWS", 1)
    monkeypatch.setattr(table_apply._forget_old, "__defaults__", (1,))
    prize, draw = await paid_otherwise(pit, "t1")
    await until(lambda: settled(pit.node), "the host has absorbed every bet")
    key = prize.rpartition("/")[0]
    asked = [f"table/t1/{what}/{each}" for what in CASH for each in (prize, draw)]
    asked += [f"carousel/gran/{what}" for what in (f"award/{prize}", f"cash/{prize}", f"before/{key}")]
    asked += [f"carousel/gran/{what}/{key}/t2" for what in ("had", "pays")]
    ports = pit.node.api_ports()
    held = await answers(ports, asked)
    assert held[f"carousel/gran/cash/{prize}"].total_micros == 7_777 * ports.minor_micros
    for _ in range(5):
        await pay(pit, "t1", await hand(pit, "t1", FOUR))
        await pay(pit, "t2", await hand(pit, "t2", FOUR))
    await until(lambda: settled(pit.node), "the host has absorbed every bet")
    state = pit.node.tables["t1"].runner.state
    assert prize not in state.link.rows and draw not in state.draw_prizes
    assert key not in pit.node.hosts["gran"].runner.state.ledger.awards
    assert await answers(ports, asked) == held
    assert await answers(pit.node.api_ports(), asked) == held, "a node that remembers nothing of the ledger"
    for wrong in ("9999/3", "1/9", "x/3"):
        with pytest.raises(Problem):
            await trace(ports, f"carousel/gran/award/{key.rpartition('/')[0]}/{wrong}")
    ana = await pit.person("ana")
    page = (await ana.get(f"/amount?of=table/t1/due/{prize}")).text
    assert "77,77" in page and "the sign showed more" in page and 'class="chip ok"' in page


async def test_an_old_prize_costs_pages_of_the_journal_and_never_the_whole(
    pit: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_book, "KEPT_AWARDS", 2)
    first = prizes(pit, "t1", await paid_hand(pit))[0]
    for _ in range(3):
        await paid_hand(pit)
    await until(lambda: settled(pit.node), "the host has absorbed every bet")
    assert first.rpartition("/")[0] not in pit.node.hosts["gran"].runner.state.ledger.awards
    monkeypatch.setattr("controller.api.origin.PAGE", 5)
    ports, taken = pit.node.api_ports(), []
    journal = ports.hosts["gran"].journal
    page = journal.page

    async def counted(pages: object, after: int, limit: int) -> object:
        taken.append(limit)
        return await page(after, limit)

    monkeypatch.setattr(type(journal), "page", counted)
    found = await trace(ports, f"carousel/gran/award/{first}")
    assert found.sum_micros == found.total_micros > 0
    assert len(taken) > 3 and set(taken) == {5} and PAGE > 5


async def paid_hand(office: Office) -> int:
    number = await hand(office, "t1", FOUR)
    await pay(office, "t1", number)
    return number


@pytest.mark.requirement("R85")
async def test_what_is_left_to_pay_of_a_paid_prize_says_when_and_by_whom_it_was_paid(pit: Office) -> None:
    prize, draw = await paid_otherwise(pit, "t2")
    ports = pit.node.api_ports()
    for each in (prize, draw):
        for what in ("payable", "computed"):
            found = await trace(ports, f"table/t2/{what}/{each}")
            assert found.total_micros == found.sum_micros == 0
            (payment,) = [line for line in found.lines if line.what == "less_paid"]
            assert (payment.actor, payment.second, payment.journal) == ("ana", "beto", "table-t2")
            assert payment.seq and payment.wall_ms
    aldo = await pit.person("aldo")
    page = (await aldo.get(f"/amount?of=table/t2/payable/{prize}")).text
    assert "Ya pagado" in page and "Ana, Beto" in page and re.search(r"Asiento \d+", page)


def without_host(office: Office) -> ApiPorts:
    """The first table's node, were the carousel hosted elsewhere: it has its own copy of the ledger."""
    whole = office.node.api_ports()
    return replace(whole, hosts={}, tables={"t1": whole.tables["t1"]})


async def test_a_node_without_the_host_answers_of_other_tables_what_the_ledger_tells(pit: Office) -> None:
    prize, _ = await paid_otherwise(pit, "t2")
    await until(lambda: settled(pit.node), "every table has the records")
    ports = without_host(pit)
    assert carousels_told(ports) == ("gran",)
    (cash,) = [each for each in amounts_of_carousel(ports, "gran") if each.what == "cash"]
    assert (cash.of, cash.minor) == (f"carousel/gran/cash/{prize}", 7_777)
    told = await trace(ports, cash.of)
    assert told.total_micros == told.sum_micros == 7_777 * ports.minor_micros
    (line,) = [each for each in told.lines if each.what == "override_at_table"]
    assert (line.see, line.facts["table"]) == ("", "t2"), "what people decided is in that table's own journal"
    for each in amounts_of_carousel(ports, "gran"):
        found = await trace(ports, each.of)
        assert found.total_micros // ports.minor_micros == each.minor and found.sum_micros == found.total_micros


async def test_what_only_the_host_can_answer_is_told_with_its_place_and_without_a_link(pit: Office) -> None:
    waits = prizes(pit, "t2", await hand(pit, "t2", FOUR))[0]
    await hand(pit, "t1", NOTHING)
    await until(lambda: settled(pit.node), "every table has the records")
    ports = without_host(pit)
    host_key = pit.node.hosts["gran"].runner.state.settings.key[:12]
    transport = httpx.ASGITransport(build_app(ports))
    async with httpx.AsyncClient(transport=transport, base_url=pit.base) as http:
        ana = Client(http, pit.base)
        assert (await ana.log_in("ana")).status_code == 200
        for what in (f"cash/{waits}", "guarded", "kept", "month/2026-11/growth"):
            address = f"carousel/gran/{what}"
            told = (await ana.get(f"/api/v1/amounts/origin?of={address}")).json()
            assert told["refusal"] == Refusal.AMOUNT_AT_HOST.value
            assert told["facts"] == {"carousel": "gran", "host_key": host_key, "address": address}
            for language, words in (("es", "máquina anfitriona"), ("en", "host machine")):
                page = await ana.get(f"/amount?of={address}&lang={language}", Accept="text/html")
                assert page.status_code == 404
                assert words in page.text and host_key in page.text and address in page.text
                assert 'href="/amount' not in page.text
        listed = (await ana.get("/amounts?lang=es")).text
        assert "Gran Carrusel" in listed and f"/amount?of=carousel/gran/award/{waits}" in listed
