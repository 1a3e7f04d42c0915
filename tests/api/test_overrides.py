"""Another amount than the computed one, as people ask for it, approve it, pay it and read of it afterwards."""

import asyncio
import csv
import io

import pytest

from controller.api import acts
from controller.api.context import ApiPorts
from controller.api.targets import Target
from controller.api.words import today
from controller.core.cards import parse_cards
from controller.core.events import Envelope, HandCorrected, PrizePaid, PrizeVerified
from controller.core.prize_events import OverrideReason, PrizeOverridden
from controller.engine.ports import Answer
from display import scene
from display.scene import Amount, SignageScreen, TableScreen
from tests.api.acts import REASON, approved
from tests.api.office import Office, until
from tests.api.test_slips import verified

OVERRIDE = "/api/v1/tables/t1/prizes/override"


@pytest.mark.requirement("R85", "R83")
async def test_two_people_pay_another_amount_and_every_paper_says_both(office: Office) -> None:
    prize = await verified(office, cards="4c 4d 4h 4s 2c")
    ana, aldo = await office.person("ana"), await office.person("aldo")
    form = {"prize": prize, "amount_minor": 5_250_000, "reason": "display_differed", "note": REASON}
    assert (await aldo.post(OVERRIDE, form)).status_code == 403
    assert (await ana.post(OVERRIDE, {**form, "reason": "mood"})).status_code == 422
    asked = await ana.post(OVERRIDE, form)
    shown = (await ana.get(f"/approvals/{asked.json()['approval']}")).text
    assert all(
        said in shown for said in ("Pagar otro importe", "50.000,00", "52.500,00", "La pantalla mostraba", REASON)
    )
    assert "Diferencia de la casa" in shown and "la casa paga de más" in shown and "−$" not in shown
    assert (await approved(office, asked)).status_code == 200

    (waits,) = (await ana.get("/api/v1/prizes")).json()["pending"]
    assert (waits["amount_minor"], waits["computed_minor"], waits["payable_minor"]) == (5_000_000, 5_000_000, 5_250_000)
    assert (waits["override"]["reason"], waits["override"]["second"]) == ("display_differed", "beto")
    (held,) = [each for each in (await ana.get("/api/v1/reports/liability")).json()["tables"] if each["table"] == "t1"]
    assert (held["unpaid_minor"], held["house_minor"]) == (0, 5_250_000)
    page = (await ana.get(f"/prizes/t1?prize={prize}")).text
    assert all(said in page for said in ("Diferencia de la casa, la casa paga de más", "2.500,00", "52.500,00"))
    assert (await ana.post("/api/v1/tables/t1/slips", {"prize": prize})).status_code == 200
    (slip,) = (await ana.get("/api/v1/tables/t1/slips")).json()["slips"]
    said = slip["content"]
    assert (said["amount_minor"], said["difference_minor"], said["net_minor"]) == (5_000_000, 250_000, 5_250_000)
    assert (await ana.get(f"/api/v1/tables/t1/prizes/slip?prize={prize}")).content.startswith(b"%PDF")

    paid = await ana.post("/api/v1/tables/t1/prizes/pay", {"prize": prize})
    assert paid.status_code in (200, 202)
    if paid.status_code == 202:
        assert (await approved(office, paid)).status_code == 200
    day = today(office.node.api_ports())
    report = (await ana.get(f"/api/v1/reports/day?day={day}")).json()
    (figures,) = [each for each in report["tables"] if each["table"] == "t1"]
    assert (figures["paid_minor"], figures["overridden_minor"]) == (5_250_000, 250_000)
    (line,) = figures["overrides"]
    assert (line["computed_minor"], line["amount_minor"], line["override"]) == (
        5_000_000,
        5_250_000,
        "display_differed",
    )
    shift = (await ana.get("/shift")).text
    assert "Pago con otro importe" in shift and "La pantalla mostraba otro importe" in shift
    rows = list(
        csv.reader(io.StringIO((await ana.get(f"/api/v1/reports/day.csv?day={day}&lang=es")).text), delimiter=";")
    )
    (row,) = [each for each in rows if each[:1] == ["Mesa 1"] and "La pantalla mostraba otro importe" in each]
    assert row[4:7] == ["50000,00", "52500,00", "2500,00"]
    assert line["authorised"] == ["ana", "beto"] and row[-1] == "Ana, Beto"
    (total,) = [each for each in rows if each[:1] == ["Total: 1"]]
    assert total[4:7] == ["50000,00", "52500,00", "2500,00"]
    report_page = (await ana.get(f"/api/v1/reports/day.pdf?day={day}&lang=es")).content
    assert report_page.startswith(b"%PDF")
    closed = await ana.post("/api/v1/shifts/close", {"shift": day})
    signed = (await ana.get(f"/approvals/{closed.json()['approval']}")).text
    told = signed.partition('id="overrides-t1"')[2].partition("</dl>")[0]
    assert all(said in told for said in ("autorizaron Ana, Beto", "2.500,00", "la casa paga de más"))
    assert "1 premio pagado con otro importe" in signed
    trace = (await ana.get(f"/api/v1/amounts/origin?of=table/t1/paid/{prize}")).json()
    assert trace["adds_up"] and trace["total_micros"] == 52_500_000_000


@pytest.mark.requirement("R85")
async def test_the_screen_and_the_sign_name_the_amount_that_was_paid(office: Office) -> None:
    prize = await verified(office, cards="9d 8d 7d 6d 5d")
    ana = await office.person("ana")
    form = {"prize": prize, "amount_minor": 7_700, "reason": "display_differed", "note": REASON}
    assert (await approved(office, await ana.post(OVERRIDE, form))).status_code == 200
    await office.tell("t1", PrizePaid(prize), "ana", "beto")
    _, screen = office.node.feed.newest("table-t1")
    assert isinstance(screen, TableScreen) and isinstance(screen.stage, scene.PrizePaid)
    assert [win.amount for win in screen.stage.wins] == [Amount.of(7_700)]
    async with asyncio.timeout(60):
        while not (sign := office.node.feed.newest("signage-gran")[1]).last_prizes:  # type: ignore[union-attr]  # a sign
            await asyncio.sleep(0.01)
    assert isinstance(sign, SignageScreen) and sign.just_paid is not None
    assert (sign.just_paid.amount, sign.last_prizes[0].amount) == (Amount.of(7_700), Amount.of(7_700))


async def test_a_second_person_sees_what_is_left_of_a_prize_that_is_not_paid_at_all(office: Office) -> None:
    prize = await verified(office)
    ana = await office.person("ana")
    form = {"prize": prize, "amount_minor": 0, "reason": "paid_elsewhere", "note": REASON}
    asked = await ana.post(OVERRIDE, form)
    shown = (await ana.get(f"/approvals/{asked.json()['approval']}")).text
    assert "la casa paga de menos" in shown and "−" in shown
    assert (await approved(office, asked)).status_code == 200
    page = (await ana.get(f"/prizes/t1?prize={prize}")).text
    assert "la casa paga de menos" in page
    again = await ana.post(OVERRIDE, form)
    assert (again.status_code, again.json()["refusal"]) == (409, "nothing_changes")
    (waits,) = (await ana.get("/api/v1/prizes")).json()["pending"]
    assert (waits["payable_minor"], waits["due_minor"]) == (0, 0)


async def test_a_payment_is_approved_of_the_amount_that_was_shown_and_of_no_other(office: Office) -> None:
    prize = await verified(office)
    ana, runner = await office.person("ana"), office.node.tables["t1"].runner
    asked = await ana.post("/api/v1/tables/t1/prizes/pay", {"prize": prize})
    more = runner.state.link.rows[prize].payable_minor + 4_000_000
    await office.tell("t1", PrizeOverridden(prize, more, OverrideReason.OTHER, REASON), "ana", "carla")
    assert (await approved(office, asked)).json()["refusal"] == "approval_differs"
    assert runner.state.link.rows[prize].paid_minor == 0
    again = await ana.post("/api/v1/tables/t1/prizes/pay", {"prize": prize})
    assert (await approved(office, again)).status_code == 200
    assert runner.state.overrides[prize].paid


async def test_an_amount_that_changes_on_the_way_to_the_table_is_not_paid(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another override is decided between the comparison with what was shown and the payment's place in the queue."""
    prize = await verified(office)
    ana, runner = await office.person("ana"), office.node.tables["t1"].runner
    asked = await ana.post("/api/v1/tables/t1/prizes/pay", {"prize": prize})
    more = runner.state.link.rows[prize].payable_minor + 4_000_000
    submit = acts.submit

    async def overtaken(ports: ApiPorts, target: Target, envelope: Envelope) -> Answer:
        await office.tell("t1", PrizeOverridden(prize, more, OverrideReason.OTHER, REASON), "ana", "carla")
        return await submit(ports, target, envelope)

    with monkeypatch.context() as late:
        late.setattr(acts, "submit", overtaken)
        answer = (await approved(office, asked)).json()
    assert (answer["refusal"], answer["facts"]["amount"]) == ("approval_differs", more)
    assert runner.state.link.rows[prize].paid_minor == 0
    again = await ana.post("/api/v1/tables/t1/prizes/pay", {"prize": prize})
    assert (await approved(office, again)).status_code == 200
    assert runner.state.overrides[prize].paid


async def test_of_two_other_amounts_the_later_was_asked_beside_one_that_is_no_more(office: Office) -> None:
    """The computed amount is as it was: only what stood beside the asked one on the page is not."""
    prize = await verified(office)
    ana, runner = await office.person("ana"), office.node.tables["t1"].runner
    asked = await ana.post(OVERRIDE, {"prize": prize, "amount_minor": 9_000_000, "reason": "other", "note": REASON})
    await office.tell("t1", PrizeOverridden(prize, 8_000_000, OverrideReason.OTHER, REASON), "ana", "carla")
    assert (await approved(office, asked)).json()["refusal"] == "approval_differs"
    assert runner.state.overrides[prize].amount_minor == 8_000_000


async def test_another_amount_is_approved_against_the_computed_one_that_was_shown(office: Office) -> None:
    """Shown was 2500,00 of the house; by the corrected card it would be 37500,00."""
    prize = await verified(office, cards="4c 4d 4h 4s 2c")
    ana, runner = await office.person("ana"), office.node.tables["t1"].runner
    form = {"prize": prize, "amount_minor": 5_250_000, "reason": "display_differed", "note": REASON}
    asked = await ana.post(OVERRIDE, form)
    assert runner.state.last is not None
    (old, new) = parse_cards("4s 2d") or ()
    await office.tell("t1", HandCorrected(runner.state.last.number, "seat-3", old, new), "ana", "carla")
    await until(lambda: runner.state.link.rows[prize].amount_minor == 1_500_000, "the correction")
    await office.tell("t1", PrizeVerified(prize), "ana")
    assert (await approved(office, asked)).json()["refusal"] == "approval_differs"
    assert prize not in runner.state.overrides
