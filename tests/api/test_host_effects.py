"""What two people see of a promotion and of a seal: the ledger, the key, the journal that ends, not a reason alone."""

from typing import Any

from controller.api.texts import fingerprint_text
from tests.api.office import Office

REASON = "el anfitrion anterior se perdio"


def effects(office: Office, approval: str) -> list[dict[str, Any]]:
    return [dict(each) for each in office.node.people.runner.state.approvals[approval].effects]


async def test_a_promotion_is_approved_with_what_it_is_about(office: Office) -> None:
    carla, state = await office.person("carla"), office.node.hosts["gran"].runner.state
    form = (await carla.get("/seeds")).text
    assert f"mandato 1, hasta el registro {state.ledger.seq}" in form and "apagado para siempre" in form
    asked = (await carla.post("/api/v1/carousels/gran/promote", {"reason": REASON})).json()
    shown = {each["what"]: (each["before"], each["after"]) for each in effects(office, asked["approval"])}
    amount = state.ledger.amount_micros // state.ledger.minor_micros
    assert shown == {
        "host_key": ("", state.settings.key),
        "ledger_term": ("1", "2"),
        "ledger_record": (str(state.ledger.seq), ""),
        "carousel_meter": (amount, None),
    }
    page = (await carla.get(f"/approvals/{asked['approval']}")).text
    assert fingerprint_text(state.settings.key) in page and "host_keys" in page and "apagado para siempre" in page


async def test_a_seal_is_approved_with_the_journal_that_ends(office: Office) -> None:
    carla, state = await office.person("carla"), office.node.hosts["gran"].runner.state
    body = {"table": "t1", "seen_switched_off": True, "reason": REASON}
    asked = (await carla.post("/api/v1/carousels/gran/seal", body)).json()
    account = state.ledger.tables["t1"]
    balance = account.main_micros // state.ledger.minor_micros
    shown = {each["what"]: (each["before"], each["after"]) for each in effects(office, asked["approval"])}
    assert shown == {
        "sealed_journal": (account.profile.incarnation, ""),
        "table_meter": (balance, balance),
        "prizes_open": (0, 0),
    }
    page = (await carla.get(f"/approvals/{asked['approval']}")).text
    assert account.profile.incarnation in page and "El libro de esta mesa termina acá" in page
