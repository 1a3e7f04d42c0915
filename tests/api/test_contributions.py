"""What the tables of a report gave is what came into their carousel, also where a later period takes a hand back."""

from pathlib import Path

import pytest

from controller.api.amounts.ask import trace
from controller.api.context import ApiPorts
from controller.api.periods import day_period, month_period, open_shift, shift_period
from controller.api.reports import Report, report_of
from controller.api.words import today
from controller.core.cards import parse_cards
from controller.core.causes import PoolCause
from controller.core.events import CardsEntered, HandVoided, Key, KeyPressed, LeaveAsked, VoidReason
from tests.api.acts import approved
from tests.api.office import DAY_MS, Clock, Office, open_office, until
from tests.api.test_amounts import NOTHING, pit_file, play, settled
from tests.api.test_reports import moved

CREDIT_MICROS = 100_000_000
"""At both Oasis tables; 20 % of it joins the meter, 5 % the reserve."""


async def equals(ports: ApiPorts, report: Report, address: str) -> list[int]:
    """Each table's contributions, which are the carousel's together and the sum of the entries that are shown."""
    given = [row.contribution_micros for row in report.tables]
    assert sum(given) == report.carousels[0].moved_micros.get("contributions", 0), report.period
    for row in report.tables:
        asked = await trace(ports, f"table/{row.table}/{address}/contribution")
        assert asked.total_micros == asked.sum_micros == row.contribution_micros, asked
    return given


async def finished(office: Office) -> int:
    """The hand at the second table whose bets the story leaves open, played to its end."""
    number = office.node.tables["t2"].runner.state.hand.number
    await office.tell("t2", KeyPressed(Key.CLOSE_BETS))
    await until(lambda: not office.node.tables["t2"].runner.state.hand.draw_pending, "the draw")
    await office.tell("t2", CardsEntered("seat-2", parse_cards(NOTHING) or ()), "ana", "beto")
    await office.tell("t2", KeyPressed(Key.PLAY, 2))
    await office.tell("t2", KeyPressed(Key.HAND_OVER))
    await until(lambda: settled(office.node), "the host has absorbed every bet")
    return number


@pytest.mark.requirement("R82")
async def test_what_tables_gave_is_what_came_in_over_every_period(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = moved(Clock(), monkeypatch)
    async with open_office(tmp_path, site=pit_file) as office:
        ports = office.node.api_ports()
        first = today(ports)
        await play(office)
        late = await finished(office)
        ana = await office.person("ana")
        asked = await ana.post("/api/v1/shifts/close", {"shift": f"{first}/night"})
        assert (await approved(office, asked)).status_code == 200
        before = await equals(ports, await report_of(ports, shift_period(ports, 1)), "shift/1")
        clock.ahead_ms += DAY_MS
        await office.tell("t2", HandVoided(VoidReason.DEAL_ERROR, "a card was shown", late), "ana", "beto")
        await office.tell("t2", LeaveAsked("to another room", PoolCause.APPROVED_MOVE), "ana", "beto")
        await until(lambda: settled(office.node), "the host has absorbed the void")
        given_back = [0, -3 * CREDIT_MICROS // 4, 0]
        assert await equals(ports, await report_of(ports, open_shift(ports)), "shift/0") == given_back
        (line,) = (await trace(ports, "table/t2/shift/0/contribution")).lines
        assert (line.what, line.facts["hand"], line.micros) == ("hand.void", late, given_back[1])
        child = await trace(ports, line.ask)
        assert child.total_micros == child.sum_micros == line.micros
        second = today(ports)
        for day, given in ((first, before), (second, given_back)):
            assert await equals(ports, await report_of(ports, day_period(ports, day)), f"day/{day}") == given
        for month in {first[:7], second[:7]}:
            await equals(ports, await report_of(ports, month_period(ports, month)), f"month/{month}")
        ledger = office.node.hosts["gran"].runner.state.ledger
        assert sum(before) + sum(given_back) == ledger.contributions_micros
        ana = await office.person("ana")
        sheet = (await ana.get("/api/v1/reports/shift.csv")).text
        assert sum(1 for row in sheet.splitlines() if "-75" in row) == 2, "of the table, and of the carousel"
        page = (await ana.get("/amount?of=table/t2/shift/0/contribution")).text
        assert "Mano anulada" in page and "75,00" in page
