"""What the panel offers where nobody answers: an advance on a claim, an open award of a table that is no more."""

import pytest

from controller.adapters.link.local import LocalHub
from controller.core.events import Envelope, Key, KeyPressed
from controller.engine.host_events import MemberSealed
from tests.api.acts import approved
from tests.api.crawl import every_amount_leads_to_its_origin
from tests.api.office import Office, until

REASON = "el jugador no espera al enlace"
ADVANCE = 'data-post="/api/v1/tables/t1/prizes/advance"'
SETTLE = 'data-post="/api/v1/carousels/gran/settle-award"'


async def win_cut_off(office: Office, patch: pytest.MonkeyPatch) -> int:
    """A straight flush in whose hand the link is lost, so that its claim stays unanswered; the hand's number."""
    hand = await office.deal()
    patch.setattr(LocalHub, "route", lambda _hub, _message: None)
    patch.setattr("controller.adapters.link.hearing.SILENCE_S", 0)
    await until(lambda: not office.node.tables["t1"].runner.state.link.link_up, "the table misses its host")
    await office.tell("t1", KeyPressed(Key.PLAY, 3))
    await office.tell("t1", KeyPressed(Key.HAND_OVER))
    return hand


@pytest.mark.parametrize(
    ("language", "said"), [("es", ("Adelantar el premio", "A lo sumo")), ("en", ("Advance the prize", "At most"))]
)
async def test_an_advance_is_asked_at_the_table_while_the_link_is_lost(
    office: Office, monkeypatch: pytest.MonkeyPatch, language: str, said: tuple[str, str]
) -> None:
    ana, tomas = await office.person("ana"), await office.person("tomas")
    hand = await win_cut_off(office, monkeypatch)
    (claim,) = (await ana.get("/api/v1/tables/t1")).json()["claims"]
    assert claim["most_minor"] == claim["estimate_minor"] > 100
    for page in ("/table/t1", "/prizes"):
        text = (await ana.get(f"{page}?lang={language}")).text
        assert [each for each in (ADVANCE, *said) if each not in text] == [], page
        assert ADVANCE not in (await tomas.get(page)).text
    await every_amount_leads_to_its_origin(office, people=["ana"])
    part = claim["most_minor"] - 100
    body = {"hand": hand, "seat": 3, "amount_minor": part, "reason": REASON}
    asked = await ana.post("/api/v1/tables/t1/prizes/advance", body)
    shown = (await ana.get(f"/api/v1/approvals/{asked.json()['approval']}")).json()
    assert [(each["before"], each["after"]) for each in shown["effects"]] == [(0, part)]
    assert (await approved(office, asked)).status_code == 200
    (claim,) = (await ana.get("/api/v1/tables/t1")).json()["claims"]
    assert (claim["paid_minor"], claim["most_minor"]) == (part, 100)
    seen = await every_amount_leads_to_its_origin(office, people=["ana"])
    assert {f"table/t1/{what}/{hand}/3" for what in ("claim", "advance")} <= seen.addresses
    (row,) = office.node.tables["t1"].runner.state.link.rows.values()
    assert ADVANCE in (await ana.get(f"/prizes/t1?prize={row.id}")).text, "what is left of it"
    rest = await ana.post("/api/v1/tables/t1/prizes/advance", {**body, "amount_minor": 100})
    shown = (await ana.get(f"/api/v1/approvals/{rest.json()['approval']}")).json()
    assert [(each["before"], each["after"]) for each in shown["effects"]] == [(part, part + 100)]
    assert (await approved(office, rest)).status_code == 200
    for page in ("/table/t1", "/prizes", f"/prizes/t1?prize={row.id}"):
        assert ADVANCE not in (await ana.get(page)).text, page


async def test_no_advance_is_offered_while_the_carousel_answers(office: Office) -> None:
    ana = await office.person("ana")
    prize = await office.win()
    pages = ("/table/t1", "/prizes", f"/prizes/t1?prize={prize['id']}")
    assert [page for page in pages if ADVANCE in (await ana.get(page)).text] == []


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es", "Premios abiertos de mesas que ya no están"),
        ("en", "Open prizes of tables that are no more"),
    ],
)
async def test_an_open_award_of_a_sealed_table_is_settled_where_the_carousel_is(
    office: Office, language: str, said: str
) -> None:
    ana, tomas = await office.person("ana"), await office.person("tomas")
    prize = await office.win()
    page = f"/seeds?lang={language}"
    assert SETTLE not in (await ana.get(page)).text, "its table pays it"
    ended = MemberSealed("t1", REASON, seen_switched_off=True)
    sealed = await office.node.hosts["gran"].runner.submit(Envelope("test/seal", ended, "tomas", "ana"))
    assert sealed.refused is None
    seen = await every_amount_leads_to_its_origin(office, people=["ana"])
    assert f"carousel/gran/unsettled/{prize['id'].rpartition('/')[0]}" in seen.addresses
    text = (await ana.get(page)).text
    assert [each for each in (said, SETTLE, prize["id"].rpartition("/")[0]) if each not in text] == []
    told = (await tomas.get(page)).text
    assert said in told and SETTLE not in told
    body = {"claim": prize["id"].rpartition("/")[0], "reason": REASON}
    on = await ana.post("/api/v1/carousels/gran/settle-award", {**body, "seen_switched_off": False})
    assert (on.status_code, on.json()["refusal"]) == (409, "not_switched_off")
    asked = await ana.post("/api/v1/carousels/gran/settle-award", {**body, "seen_switched_off": True})
    assert (await approved(office, asked)).status_code == 200
    assert said not in (await ana.get(page)).text
