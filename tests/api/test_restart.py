"""A kill between the approval and its act: after the start the act is done once, and never twice."""

from functools import partial
from pathlib import Path

import pytest

from controller.core.events import Envelope
from controller.engine.accounts_events import ApprovalGiven
from tests.api.office import Office, open_office, until

REASON = "Visto por cámara 14 con el supervisor"


def meter(office: Office) -> int:
    return office.node.hosts["gran"].runner.state.ledger.amount_micros


def is_done(office: Office, approval: str) -> bool:
    return office.node.people.runner.state.approvals[approval].status.value == "done"


@pytest.mark.requirement("R76")
async def test_an_approved_act_is_done_once_after_a_restart(tmp_path: Path) -> None:
    async with open_office(tmp_path) as office:
        ana = await office.person("ana")
        body = {"table": "t1", "main_minor": 700, "cause": "fault_correction", "reason": REASON}
        told = (await ana.post("/api/v1/carousels/gran/adjustment", body)).json()
        given = ApprovalGiven(told["approval"], told["digest"])
        await office.node.people.desk.submit(Envelope(f"{told['approval']}/given/beto", given, "beto"))
        before = meter(office)
    for _ in range(2):
        async with open_office(tmp_path) as office:
            await until(partial(is_done, office, told["approval"]), "the act")
            assert meter(office) - before == 700 * 10_000
            kinds = [stored.entry.kind for stored in office.node.hosts["gran"].journal.entries()]
            assert kinds.count("ledger.adjustment") == 1
