"""What else people do through the API: reports, lists, seeds, decks, lamps, settings, members, shifts, names."""

import re

import pytest

from controller.api import routes_prizes
from controller.api.enrolment_lines import enrolment_lines
from controller.api.texts import Money, fingerprint_text
from controller.api.words import today
from controller.core.events import CreditsUnread
from controller.core.records import to_record
from controller.engine.ledger_profiles import profile_from_plain
from tests.api.acts import REASON, approved
from tests.api.office import PINS, Office


@pytest.mark.requirement("R22")
async def test_the_last_prizes_are_the_last_paid_whatever_their_hands_numbers(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table of which the hands have low numbers is beside one with high ones."""
    monkeypatch.setattr(routes_prizes, "LAST", 3)
    ana, flush = await office.person("ana"), "Kd 8d 7d 6d 2d"

    async def pay(table: str, prize: str) -> None:
        for what in ("verify", "pay"):
            answer = await ana.post(f"/api/v1/tables/{table}/prizes/{what}", {"prize": prize})
            if answer.status_code == 202:
                asked = answer.json()
                form = {"digest": asked["digest"], "pin": PINS["beto"], "login": "beto"}
                answer = await ana.post(f"/api/v1/approvals/{asked['approval']}/approve", form)
            assert answer.status_code == 200, answer.text

    first, paid = await office.win("t2", cards=flush), []
    for _ in range(4):
        paid.append((await office.win("t1", cards=flush))["id"])
        await pay("t1", paid[-1])
    await pay("t2", first["id"])
    last = (await ana.get("/api/v1/prizes")).json()["last"]
    assert [each["id"] for each in last] == [first["id"], *reversed(paid[2:])]
    assert [each["settled_ms"] for each in last] == sorted((each["settled_ms"] for each in last), reverse=True)
    assert first["id"] in (await ana.get("/prizes")).text


@pytest.mark.requirement("R21", "R80", "R82")
async def test_a_report_a_slip_and_a_count_come_from_the_journals(office: Office) -> None:
    prize = await office.win()
    ana, aldo = await office.person("ana"), await office.person("aldo")
    await ana.post("/api/v1/tables/t1/prizes/verify", {"prize": prize["id"]})
    await ana.post("/api/v1/tables/t1/slips", {"prize": prize["id"]})
    slip = await aldo.get(f"/api/v1/tables/t1/prizes/slip?prize={prize['id']}")
    assert slip.headers["content-type"] == "application/pdf" and slip.content.startswith(b"%PDF")
    history = (await aldo.get("/api/v1/carousels/gran/history")).json()["points"]
    falls = [point for point in history if "fell_minor" in point]
    assert [(point["fell_minor"], point["kind"]) for point in falls] == [(prize["amount_minor"], "award")]
    day = today(office.node.api_ports())
    report = (await aldo.get(f"/api/v1/reports/day?day={day}")).json()
    assert [(row["hands"], row["bets"], row["hits"]) for row in report["tables"]] == [(1, 1, 1), (0, 0, 0)]
    assert [account["holds"] for account in report["carousels"]] == [True]
    assert (await aldo.get(f"/api/v1/reports/day.pdf?day={day}")).content.startswith(b"%PDF")
    sheet = (await aldo.get(f"/api/v1/reports/day.csv?day={day}")).text.splitlines()
    assert sheet[0].split(";")[4:6] == ["Apostado (ARS)", "Aportes (ARS)"]
    assert sheet[1].startswith("Mesa 1;1;0;1;100,00;")
    english = (await aldo.get(f"/api/v1/reports/day.csv?day={day}&lang=en")).text.splitlines()
    assert english[1].startswith("Mesa 1,1,0,1,100.00,")
    assert sheet[4] == "carrusel;Movimiento;importe (ARS)"
    assert sheet[5] == "Gran Carrusel;Al abrir;0,00"
    counted = await aldo.post("/api/v1/counts", {"table": "t1", "shift": day, "counted_minor": 9_000})
    assert counted.status_code == 200, counted.text
    assert [each["variance_minor"] for each in (await aldo.get("/api/v1/counts")).json()["counts"]] == [-1_000]


async def test_unread_credits_of_every_seat_are_settled_as_none_at_once(office: Office) -> None:
    for seat, most in ((1, None), (2, 4), (5, None)):
        await office.tell("t1", CreditsUnread(seat, 0, most, "reset"))
    ana = await office.person("ana")
    shown = (await ana.get("/api/v1/tables/t1")).json()
    assert (shown["unread_count"], {each["hand"] for each in shown["unread"]}) == (3, {1})
    page = (await ana.get("/table/t1")).text
    assert "al menos 0 créditos, sin cota" in page and "casilla 2, mano 1" in page
    card = (await ana.get("/")).text.partition('id="table-t1"')[2].partition("</article>")[0]
    own = [each for each in shown["alarms"] if each["alarm"] != "clock_unsynchronised"]  # this one is the node's
    assert f"<b>{len(own)} alarma" in card and "Créditos sin leer" in card
    done = await ana.post("/api/v1/tables/t1/unread/none", {})
    assert (done.status_code, len(done.json()["entries"])) == (200, 3)
    assert not office.node.tables["t1"].runner.state.unread
    assert (await ana.post("/api/v1/tables/t1/unread/none", {})).json()["entries"] == []


async def test_the_largest_prizes_come_first_and_the_rest_is_folded(office: Office) -> None:
    for cards in (
        "9d 8d 7d 6d 5d",
        "4c 4d 4h 4s 9c",
        "3c 3d 3h 3s 9c",
        "Ac Kc 9c 8c 2c",
        "2c 2d 2h 2s 9c",
        "5c 5d 5h 5s 9c",
    ):
        await office.win(cards=cards)
    ana = await office.person("ana")
    amounts = [each["amount_minor"] for each in (await ana.get("/api/v1/prizes")).json()["pending"]]
    assert len(amounts) == 6 and amounts == sorted(amounts, reverse=True)
    page = (await ana.get("/table/t1")).text
    assert "1 premio más" in page and page.count('id="pay-') == 6


async def test_unknown_names_are_named(office: Office) -> None:
    ana = await office.person("ana")
    for path, refusal in (
        ("/api/v1/tables/t9", "unknown_table"),
        ("/api/v1/carousels/none", "unknown_carousel"),
        ("/api/v1/journals/none/entries", "unknown_journal"),
        ("/api/v1/approvals/none", "unknown_approval"),
        ("/api/v1/tables/t1/hands/7", "unknown_hand"),
        ("/api/v1/none", "not_found"),
    ):
        answer = await ana.get(path, Accept_Language="en")
        assert (answer.status_code, answer.json()["refusal"]) == (404, refusal)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["type"] == f"urn:carrusel:refusal:{refusal}"


async def test_an_unknown_page_is_a_page_and_an_unknown_path_of_the_api_a_problem(office: Office) -> None:
    client = office.client()
    for path in ("/nowhere", "/static/panel/none.js"):
        page = await client.get(path, Accept="text/html,*/*")
        assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert "No existe" in page.text and "Ir al piso" in page.text
    for path in ("/nowhere", "/api/v1/nowhere"):
        answer = await client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


@pytest.mark.requirement("R81")
@pytest.mark.parametrize("reason", [None, "", "no"])
async def test_no_seed_changes_without_a_reason(office: Office, reason: str | None) -> None:
    ana = await office.person("ana")
    body = {"table": "t1", "main_minor": 100, "cause": "fault_correction"} | (
        {} if reason is None else {"reason": reason}
    )
    answer = await ana.post("/api/v1/carousels/gran/adjustment", body)
    assert (answer.status_code, answer.json()["refusal"]) == (422, "form_invalid")
    assert answer.json()["facts"]["place"] == "body.reason"


async def test_boxes_are_shared_and_a_deck_is_replaced_by_name(office: Office) -> None:
    ana = await office.person("ana")
    for seat in (1, 2):
        assert (await ana.post("/api/v1/tables/t1/antes", {"seat": seat})).status_code == 200
    shared = await ana.post("/api/v1/tables/t1/boxes/shared", {"seats": [1, 2], "seen": 1})
    assert shared.status_code == 200, shared.text
    receipt = {"maker": "Fournier", "model": "818", "serial": "L-4711", "operator": "Ana"}
    deck = {"old": "none", "new": "otro", "reason": "mazo gastado"}
    assert (await ana.post("/api/v1/tables/t1/decks", deck)).status_code == 422
    replaced = await ana.post("/api/v1/tables/t1/decks", {**deck, **receipt})
    assert (replaced.status_code, replaced.json()["refusal"]) == (409, "unknown_deck")
    page = (await ana.get("/table/t1")).text
    assert 'name="seats" value="7" data-type="ints"' in page and "deck-serial" not in page


async def test_a_technician_tests_the_lamps_from_the_panel(office: Office) -> None:
    tomas, aldo = await office.person("tomas"), await office.person("aldo")
    address = "/api/v1/tables/t1/devices/lamps"
    assert (await aldo.post(address, {"on": True})).status_code == 403
    assert (await tomas.post(address, {"on": True})).status_code == 200
    assert (await tomas.get("/api/v1/tables/t1")).json()["lamp_test"]
    await office.deal()
    assert not (await tomas.get("/api/v1/tables/t1")).json()["lamp_test"]
    answer = await tomas.post(address, {"on": True})
    assert (answer.status_code, answer.json()["refusal"]) == (409, "lamps_in_use")


@pytest.mark.requirement("R90")
async def test_settings_have_an_etag_and_the_node_says_what_runs(office: Office) -> None:
    tomas = await office.person("tomas")
    first = await tomas.get("/api/v1/settings")
    assert first.json()["settings"]["tables"][0]["id"] == "t1"
    again = await tomas.get("/api/v1/settings", **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    about = (await tomas.get("/api/v1/about")).json()
    assert about["version"] and about["settings_etag"] == first.headers["etag"]


async def test_two_people_enrol_a_table_and_the_ledger_answers(office: Office) -> None:
    profiles = {
        name: to_record(table.profile(office.node.config, office.node.key))
        for name, table in office.node.tables.items()
    }
    profile, members, carla = profiles["t1"], "/api/v1/carousels/gran/members", await office.person("carla")
    again = await carla.post(members, {"profile": profile, "reason": REASON})
    assert (again.status_code, again.json()["refusal"]) == (409, "already_member")
    end = {"table": "t2", "seen_switched_off": False, "reason": REASON}
    on = await carla.post("/api/v1/carousels/gran/seal", end)
    assert (on.status_code, on.json()["refusal"]) == (409, "not_switched_off")
    sealed = await carla.post("/api/v1/carousels/gran/seal", {**end, "seen_switched_off": True})
    assert (await approved(office, sealed)).status_code == 200
    ledger = office.node.hosts["gran"].runner.state.ledger
    assert ledger.tables["t2"].standing.value == "sealed"
    replaced = {**profiles["t2"], "incarnation": "ab" * 16}
    altered = {**replaced, "start_micros": replaced["start_micros"] + 1}
    part = await carla.post(members, {"profile": altered, "reason": REASON})
    assert (part.status_code, part.json()["refusal"]) == (409, "amount_not_whole"), "on paper the same $ 500.000,00"
    royal, *others = replaced["prizes"]["rows"]
    above = {**replaced, "prizes": {**replaced["prizes"], "rows": [{**royal, "percent": 101}, *others]}}
    unfit = await carla.post(members, {"profile": above, "reason": REASON}, Accept_Language="es")
    assert (unfit.status_code, unfit.json()["refusal"]) == (422, "profile_unfit")
    assert "clase: Escalera real, causa: un premio es de 1 a 100 %" in unfit.json()["detail"]
    asked = await carla.post(members, {"profile": replaced, "reason": REASON})
    page = (await carla.get(f"/approvals/{asked.json()['approval']}")).text.replace("\u00a0", " ")
    money = Money("$", 2, "es")
    lines = enrolment_lines(profile_from_plain(replaced), money, office.node.config.site.money.minor_micros)
    texts = re.sub(r"<[^>]+>", "", re.sub(r"</t[dr]>", "|", page)).replace(" · Mesa 2", "").replace("\n", "")
    for name, value in lines:
        row = f"{name}|—|{value}||".replace("\u00a0", " ").lower()
        assert row in texts.lower(), f"the console shows it too: {row}"
    told = {name: value.replace("\u00a0", " ") for name, value in lines}
    assert told["Valor inicial"] == "$ 500.000,00" and told["Aporte máximo razonable por mano"] == "$ 875,00"
    assert told["Clave del equipo"] == fingerprint_text(replaced["key"]) and len(told["Clave del equipo"]) == 79
    grouped = fingerprint_text("c4" * 32)
    rekeyed = await carla.post("/api/v1/carousels/gran/rekey", {"table": "t1", "key": grouped, "reason": REASON})
    shown = (await carla.get(f"/approvals/{rekeyed.json()['approval']}")).text
    assert all(f'<span class="digest">{fingerprint_text(each)}</span>' in shown for each in (profile["key"], "c4" * 32))
    assert "Tecla" not in shown
    assert "mano Escalera real" not in page and '<td class="right"></td>' not in page
    assert (await approved(office, asked)).status_code == 200
    joining = office.node.hosts["gran"].runner.state.ledger.tables["t2"]
    assert joining.profile.incarnation == "ab" * 16
    foreign = await carla.post(
        "/api/v1/carousels/gran/members", {"profile": {**profile, "table": "t9"}, "reason": REASON}
    )
    assert (foreign.status_code, foreign.json()["refusal"]) == (404, "unknown_table")
    broken = await carla.post("/api/v1/carousels/gran/members", {"profile": {"table": 7}, "reason": REASON})
    assert (broken.status_code, broken.json()["refusal"]) == (422, "form_invalid")


@pytest.mark.requirement("R82")
async def test_a_shift_is_closed_and_signed_by_two_with_every_journals_head(office: Office) -> None:
    await office.win()
    ana = await office.person("ana")
    day = today(office.node.api_ports())
    asked = await ana.post("/api/v1/shifts/close", {"shift": day})
    beto = await office.person("beto")
    page = (await beto.get(f"/approvals/{asked.json()['approval']}")).text.replace("\u00a0", " ")
    for told in ("Apostado", "$ 100,00", "Coincide exactamente con el libro", "Mesa 2"):
        assert told in page, f"the second person sees what he signs: {told}"
    assert (await approved(office, asked)).status_code == 200
    closed = [each.entry for each in office.node.people.journal.entries() if each.entry.kind == "shift.closed"]
    assert [entry.actor for entry in closed] == ["ana"]
    body = closed[0].body
    assert set(body["heads"]) == {"node", "table-t1", "table-t2", "carousel-gran"}
    assert body["figures"]["tables"][0]["hits_by_category"] == {"straight_flush": 1}
