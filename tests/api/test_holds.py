"""Prizes held back on the panel, causes of pools as people choose them, and hands that are too old to correct."""

from pathlib import Path

import pytest

from tests.api.acts import REASON, approved
from tests.api.office import PINS, Office, open_office, site_file, until


async def test_a_prize_is_held_back_by_one_and_released_by_two(office: Office) -> None:
    prize = await office.win()
    ana, aldo = await office.person("ana"), await office.person("aldo")
    body = {"prize": prize["id"]}
    hold = {**body, "reason": "camera_review", "note": "cámara 14, minuto 3"}
    assert (await ana.post("/api/v1/tables/t1/prizes/hold", {**hold, "reason": "mood"})).status_code == 422
    assert (await aldo.post("/api/v1/tables/t1/prizes/hold", hold)).status_code == 403
    assert (await ana.post("/api/v1/tables/t1/prizes/hold", hold)).status_code == 200
    (waits,) = (await ana.get("/api/v1/prizes")).json()["pending"]
    assert (waits["status"], waits["hold"]["reason"], waits["hold"]["actor"]) == ("pending", "camera_review", "ana")
    for act in ("verify", "pay"):
        answer = await ana.post(f"/api/v1/tables/t1/prizes/{act}", body, Accept_Language="es")
        assert (answer.status_code, answer.json()["refusal"]) == (409, "prize_on_hold"), answer.text
        assert "causa: Revisión de cámaras" in answer.json()["detail"]
    for page in ("/", "/prizes", "/table/t1", f"/prizes/t1?prize={prize['id']}"):
        assert "Retenido" in (await ana.get(page)).text, page
    asked = await ana.post("/api/v1/tables/t1/prizes/hold-release", {**body, "reason": REASON})
    assert office.node.tables["t1"].runner.state.holds
    assert (await approved(office, asked)).status_code == 200
    assert (await ana.post("/api/v1/tables/t1/prizes/verify", body)).status_code == 200
    kinds = [each.entry.kind for each in office.node.tables["t1"].journal.entries()]
    assert (kinds.count("prize.hold"), kinds.count("prize.hold_released")) == (1, 1)
    again = await ana.post("/api/v1/tables/t1/prizes/hold-release", {**body, "reason": REASON})
    assert (again.status_code, again.json()["refusal"]) == (409, "prize_not_on_hold")


@pytest.mark.requirement("R73", "R80", "R81")
async def test_a_lower_reading_is_told_with_its_cause_and_note(office: Office) -> None:
    ana = await office.person("ana")
    body = {"table": "t1", "main_minor": -1_000, "reason": REASON}
    assert (await ana.post("/api/v1/carousels/gran/adjustment", body)).status_code == 422
    wrong = await ana.post("/api/v1/carousels/gran/adjustment", {**body, "cause": "house_contribution"})
    assert (wrong.status_code, wrong.json()["refusal"]) == (409, "cause_not_for_this")
    asked = await ana.post("/api/v1/carousels/gran/adjustment", {**body, "cause": "over_limit"})
    shown = (await ana.get(f"/approvals/{asked.json()['approval']}")).text
    assert "Pantalla por encima del tope" in shown and REASON in shown
    assert (await approved(office, asked)).status_code == 200
    points = (await ana.get("/api/v1/carousels/gran/history")).json()["points"]
    (fall,) = [each for each in points if "fell_minor" in each]
    assert (fall["fell_minor"], fall["cause"], fall["note"]) == (1_000, "over_limit", REASON)
    assert "Pantalla por encima del tope" in (await ana.get("/shift")).text


async def test_a_hand_too_old_to_correct_says_so(office: Office) -> None:
    prize = await office.win()
    ana = await office.person("ana")
    page = f"/prizes/t1?prize={prize['id']}"
    assert "Corregir una carta" in (await ana.get(page)).text
    for _ in range(2):
        await office.win(cards="4c 4d 4h 4s 2c", seat=2)
    assert "Las cartas ya no se corrigen" in (await ana.get(page)).text
    for path in ("correct?hand=1&place=seat-3", "void?hand=1", "cards?hand=1"):
        answer = await ana.get(f"/table/t1/{path}", Accept="text/html")
        assert answer.status_code == 409, path
        assert "solo la que está en curso y la última" in answer.text
    assert (await ana.get("/table/t1/correct?hand=99&place=seat-3", Accept="text/html")).status_code == 404


@pytest.mark.requirement("R74")
async def test_a_table_leaves_with_a_cause_by_two_people(office: Office) -> None:
    tomas = await office.person("tomas")
    assert "leave-cause" in (await tomas.get("/table/t2")).text
    body = {"cause": "approved_closing", "reason": REASON}
    asked = await tomas.post("/api/v1/tables/t2/leave", body)
    told = asked.json()
    second = await office.person("carla")
    done = await second.post(
        f"/api/v1/approvals/{told['approval']}/approve", {"digest": told["digest"], "pin": PINS["carla"]}
    )
    assert done.status_code == 200, done.text
    entries = [each.entry for each in office.node.tables["t2"].journal.entries()]
    (leaving,) = [entry for entry in entries if entry.kind == "table.leaving"]
    assert leaving.body["reason"] == f"approved_closing: {REASON}"


def held_pit(directory: Path) -> Path:
    """The office's site, whose carousel holds every prize back until two people let it go."""
    path = site_file(directory)
    path.write_text(path.read_text().replace('role = "host"', 'role = "host"\nheld_prize_from = 1'))
    return path


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "es",
            (
                "Liberar un premio retenido",
                "Premio que se libera",
                "Mesa 1, mano 1 · casilla 3",
                "100.002,00",
                "Segunda persona",
            ),
        ),
        (
            "en",
            ("Release a held prize", "Prize to be released", "Mesa 1, hand 1 · seat 3", "100,002.00", "Second person"),
        ),
    ],
)
async def test_what_the_host_releases_is_read_before_it_is_approved(
    tmp_path: Path, language: str, said: tuple[str, ...]
) -> None:
    async with open_office(tmp_path, site=held_pit) as office:
        prize = await office.win()
        ana, beto = await office.person("ana"), await office.person("beto")
        (held,) = (await ana.get("/api/v1/prizes")).json()["pending"]
        assert held["status"] == "held"
        claim = {"claim": prize["id"].rpartition("/")[0], "reason": REASON}
        asked = await ana.post("/api/v1/carousels/gran/release", claim)
        shown = (await beto.get(f"/approvals/{asked.json()['approval']}?lang={language}")).text
        assert [each for each in (*said, REASON) if each not in shown] == []
        assert (await approved(office, asked)).status_code == 200
        await until(
            lambda: office.node.tables["t1"].runner.state.link.rows[prize["id"]].status.value == "pending", "it"
        )
