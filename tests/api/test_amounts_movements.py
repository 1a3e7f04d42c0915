"""What moved the pools: each record's part of each figure, each kind of movement since a restart, its entries."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from controller.adapters.journal.journal import Journal
from controller.api.amounts.ask import trace
from controller.api.amounts.ledger import Figure, other_parts
from controller.api.origin import is_reset, ledger_steps, steps_of
from controller.api.panel import report_pages
from controller.engine.ledger_state import LedgerState
from tests.api.crawl import Page
from tests.api.office import Office, open_office
from tests.api.test_amounts import pit_file, play

pytestmark = [pytest.mark.asyncio, pytest.mark.requirement("R82"), pytest.mark.promise("P4")]

FIGURES = ["meter", "pools", "contributions", "funding", "adjustments", "awards", "transfers", "orphans"]
OF_TABLES = ["main", "reserve", "overflow", "held", "start"]
KINDS = ["contributions", "funding", "adjustments", "recovered", "awards", "transfers"]


@pytest_asyncio.fixture
async def played(tmp_path: Path) -> AsyncIterator[Office]:
    async with open_office(tmp_path, site=pit_file) as office:
        await play(office)
        yield office


async def test_what_each_record_did_to_each_figure_adds_up(played: Office) -> None:
    ports = played.node.api_ports()
    seqs = [step.record.seq async for step in ledger_steps(ports, "gran")]
    moved = 0
    for figure in [*FIGURES, *(f"{name}/{table}" for name in OF_TABLES for table in ("t1", "t2", "t3"))]:
        for seq in seqs:
            told = await trace(ports, f"carousel/gran/{figure}/record/{seq}")
            assert told.sum_micros == told.total_micros, told
            moved += told.total_micros != 0
            assert all(line.journal == "carousel-gran" for line in told.lines if line.seq is not None)
    assert moved > 100


async def test_each_kind_of_movement_since_a_restart_adds_up_to_the_pools(played: Office) -> None:
    ports = played.node.api_ports()
    opening, resets, seen = 0, 0, set()
    async for step in ledger_steps(ports, "gran"):
        seq = step.record.seq
        pools = await trace(ports, f"carousel/gran/pools@{seq}")
        if is_reset(step):
            opening, resets = pools.total_micros, resets + 1
        since = 0
        for kind in KINDS:
            told = await trace(ports, f"carousel/gran/since/{kind}@{seq}")
            assert told.sum_micros == told.total_micros, told
            since += told.total_micros
            seen |= {kind} if told.total_micros else set()
            for line in told.lines:
                if line.ask:
                    assert (await trace(ports, line.ask)).total_micros == line.micros, line
                else:
                    assert line.see == f"carousel/gran/pools/record/{line.facts['record']}"
                    assert line.journal == "carousel-gran"
        assert opening + since == pools.total_micros, seq
        unshown = await trace(ports, f"carousel/gran/unshown@{seq}")
        meter = await trace(ports, f"carousel/gran/meter@{seq}")
        assert unshown.sum_micros == unshown.total_micros == pools.total_micros - meter.total_micros
    assert resets == 1
    nothing = await trace(ports, "carousel/gran/pools@0")
    assert (nothing.total_micros, nothing.lines) == (0, ())
    assert seen == set(KINDS) - {"recovered"}


async def test_the_page_of_movements_says_how_many_it_leaves_off_and_its_sums_can_be_asked(
    played: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    aldo = await played.person("aldo")
    whole = await aldo.get("/origin/gran")
    rows = whole.text.count("before=")
    assert "movimientos anteriores" not in whole.text
    monkeypatch.setattr(report_pages, "MOST_MOVEMENTS", 2)
    cut = await aldo.get("/origin/gran")
    assert cut.text.count("before=") == 2
    assert f"Hay {rows - 2} movimientos anteriores, que están en las sumas de arriba." in cut.text
    sums = [
        each for each in Page("/origin/gran", cut.text).printed if not each.inside("section", **{"class": "scroll"})
    ]
    assert len(sums) > 8
    assert all(each.of for each in sums)


async def test_a_part_that_is_a_record_leads_to_its_entry_and_a_start_value_to_who_let_the_table_in(
    played: Office,
) -> None:
    ports, aldo = played.node.api_ports(), await played.person("aldo")
    joined = 0
    for address in ("carousel/gran/meter@12", "carousel/gran/funding", "carousel/gran/overflow/t1"):
        told = await trace(ports, address)
        page = (await aldo.get(f"/amount?of={address}")).text.replace("&amp;", "&")
        for line in told.lines:
            if line.seq is None:
                continue
            entry = (await ports.host("gran").journal.page(line.seq - 1, 1))[0].entry
            assert entry.body["record"]["seq"] == line.facts["record"]
            assert f"/journal?journal=carousel-gran&before={line.seq + 1}" in page
            if line.what == "joined":
                joined += 1
                (asked,) = (await trace(ports, line.see)).lines
                assert (asked.what, asked.micros) == ("join", line.micros)
                assert (asked.actor, asked.second) == ("configuration", "installation")
    assert joined >= 3


async def test_a_correction_that_waits_for_its_release_is_told_and_asked_as_any_correction(tmp_path: Path) -> None:
    held = Path(__file__).parents[1] / "golden" / "journals" / "1-held.sqlite"
    with Journal.open(shutil.copy(held, tmp_path / "held.db"), create=False) as journal:
        steps = steps_of(LedgerState("c1", 10_000), list(journal.entries()))
    (step,) = [each for each in steps if each.record.kind == "void_held"]
    lines = other_parts(Figure("c1", "meter"), step)
    assert [(line.what, line.ask) for line in lines] == [("void", f"carousel/c1/meter/record/{step.record.seq}")]
