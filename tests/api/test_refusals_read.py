"""What the panel answers to a pit boss who is refused at three in the morning: what is so, and what to do next."""

from typing import Any

import pytest

from controller.api.texts import LANGUAGES, catalogue
from controller.core.events import Envelope
from controller.core.refusal import Refusal
from controller.engine.ports import Answer, RunnerStopped
from tests.api.acts import REASON
from tests.api.office import PINS, Client, Office

AT, CAROUSEL = "/api/v1/tables/t1", "/api/v1/carousels/gran"


async def said(person: Client, path: str, body: dict[str, Any]) -> str:
    """The sentence that stands beside the form."""
    answer = await person.post(path, body, Accept_Language="es")
    assert answer.status_code >= 400, (path, answer.text)
    detail = answer.json()["detail"]
    assert isinstance(detail, str)
    return detail.replace("\u00a0", " ")


async def test_what_a_pit_boss_is_told_says_what_to_do_next(office: Office) -> None:
    prize = (await office.win())["id"]
    hand = await office.deal("t1", cards="2c 4d 6h 8s Tc")
    ana, beto, aldo = [await office.person(login) for login in ("ana", "beto", "aldo")]
    stranger = office.client()
    void = {"hand": hand, "reason": "other", "note": REASON}
    asked = (await ana.post(f"{AT}/void", void)).json()
    at, form = f"/api/v1/approvals/{asked['approval']}", {"digest": asked["digest"]}
    caused = {"table": "t1", "reason": REASON, "cause": "fault_correction"}
    rows = [
        (await said(stranger, "/api/v1/session", {"login": "ana", "pin": "999999"}), "intentos que quedan"),
        (await said(ana, f"{at}/approve", {**form, "pin": PINS["ana"]}), "que apruebe quien no lo pidió"),
        (await said(ana, f"{at}/approve", {**form, "login": "beto", "pin": "000001"}), "intentos que quedan"),
        (await said(beto, f"{at}/approve", {"digest": "ab" * 32, "pin": PINS["beto"]}), "pedirlo de nuevo"),
        (await said(beto, "/api/v1/approvals/ap-none/approve", {**form, "pin": PINS["beto"]}), "están en Pedidos"),
        (await said(aldo, f"{AT}/void", void), "(funciones que pueden: Jefe de sector)"),
        (await said(ana, f"{AT}/prizes/pay", {"prize": prize}), "primero se miran las cartas"),
        (await said(ana, f"{AT}/prizes/pay", {"prize": "t1/i/4/3"}), "los demás están en Premios"),
        (await said(ana, f"{AT}/slips/copy", {"prize": prize}), "se emite en su página"),
        (await said(ana, f"{AT}/prizes/hold-release", {"prize": prize, "reason": REASON}), "no hay qué liberar"),
        (await said(ana, f"{AT}/void", {**void, "hand": hand + 9}), "solo esas dos se cambian"),
        (await said(ana, f"{AT}/cards", {"place": "dealer", "cards": ["2c"] * 5, "hand": hand}), "mirar las dos"),
        (await said(ana, f"{AT}/cards", {"place": "dealer", "cards": ["3c"], "hand": hand}), "ni una más"),
        (await said(ana, f"{AT}/credits", {"seat": 3, "credits": 1}), "en la mano siguiente"),
        (await said(ana, f"{AT}/unread", {"unread": "x", "credits": 1}), "muestra los que faltan"),
        (await said(ana, f"{AT}/alarms/seen", {"code": "x", "source": "y", "note": ""}), "ya terminó"),
        (await said(ana, f"{CAROUSEL}/adjustment", {**caused, "main_minor": 0}), "es lo que ya está en vigor"),
        (await said(ana, f"{CAROUSEL}/adjustment", {**caused, "main_minor": -(10**11)}), "menor (mesa: Mesa 1)"),
        (await said(ana, f"{CAROUSEL}/adjustment", {**caused, "main_minor": 10**14}), "máximo: $ 10.000.000.000,00"),
        (await said(ana, f"{CAROUSEL}/transfer", {**caused, "amount_minor": -5}), "tiene que ser mayor que cero"),
        (await said(ana, f"{CAROUSEL}/transfer", {**caused, "amount_minor": 5, "target": "t1"}), "otra de destino"),
        (await said(ana, f"{CAROUSEL}/adjustment", {**caused, "main_minor": 5, "reason": "  "}), "Motivo"),
        (await said(ana, f"{CAROUSEL}/closing/move", {"cause": "approved_closing", "reason": REASON}), "después"),
    ]
    assert (await beto.post(f"{at}/reject", {"note": ""})).status_code == 200
    rows.append((await said(beto, f"{at}/approve", {**form, "pin": PINS["beto"]}), "se pide de nuevo"))
    wrong = [f"{text!r} lacks {wanted!r}" for text, wanted in rows if wanted not in text]
    assert not wrong, "\n".join(wrong)
    assert not [text for text, _ in rows if "t1" in text or "_" in text], "no id and no name of the code"


async def test_an_act_that_is_on_its_way_when_the_service_ends_is_told_so(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows here whether it counted: not an error of the page, but what to do before doing it again."""
    runner, ana = office.node.tables["t1"].runner, await office.person("ana")

    async def ended(envelope: Envelope) -> Answer:
        raise RunnerStopped("table-t1 ended before it answered")

    monkeypatch.setattr(runner, "submit", ended)
    answer = await ana.post(f"{AT}/credits", {"seat": 3, "credits": 1}, Accept_Language="es")
    assert (answer.status_code, answer.json()["refusal"]) == (503, "service_ended")
    assert "mirar si esto se hizo antes de hacerlo de nuevo" in answer.json()["detail"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_refusal_is_two_words_and_none_ends_with_a_point(language: str) -> None:
    texts = catalogue(language).texts
    for refusal in Refusal:
        text = texts[f"refusal.{refusal.value}"]
        assert not text.endswith((".", ":")) and text[0].isupper(), refusal
        assert len(text.split()) >= 3, refusal
