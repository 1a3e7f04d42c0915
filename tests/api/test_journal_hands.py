"""The journal page and its API find everything that concerns a hand by its number, and show what it moved."""

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from controller.api.moved_words import moved_rows
from controller.api.routes_journal import table_of
from controller.api.words import Words
from tests.api.acts import REASON, approved
from tests.api.office import Client, Office, until
from tests.api.test_reports import settled
from tests.api.test_texts import Named


@pytest_asyncio.fixture
async def paid(office: Office) -> AsyncIterator[dict[str, Any]]:
    """A jackpot on its whole way: won, held, verified, overridden, checked, slip issued and copied, paid."""
    await office.win("t2", cards="2c 4c 6c 8c Tc")
    prize = await office.win("t1")
    ana = await office.person("ana")
    at, form = "/api/v1/tables/t1", {"prize": prize["id"]}
    held = {**form, "reason": "camera_review", "note": REASON}
    assert (await ana.post(f"{at}/prizes/hold", held)).status_code == 200
    free = await ana.post(f"{at}/prizes/hold-release", {**form, "reason": REASON})
    assert (await approved(office, free)).status_code == 200
    assert (await ana.post(f"{at}/prizes/verify", form)).status_code == 200
    more = {**form, "amount_minor": prize["amount_minor"] + 100, "reason": "display_differed", "note": REASON}
    assert (await approved(office, await ana.post(f"{at}/prizes/override", more))).status_code == 200
    checks = {**form, "done": ["cards_to_camera", "deck_counted", "hand_sealed"], "seal": "B-17"}
    assert (await ana.post(f"{at}/prizes/check", checks)).status_code == 200
    assert (await ana.post(f"{at}/slips", form)).status_code == 200
    assert (await ana.post(f"{at}/slips/copy", form)).status_code == 200
    done = await approved(office, await ana.post(f"{at}/prizes/pay", form))
    assert done.status_code == 200, done.text
    await until(lambda: settled(office), "the carousel has heard of everything")
    yield prize


async def kinds(client: Client, journal: str, hand: int) -> set[str]:
    told = await client.get(f"/api/v1/journals/{journal}/entries?limit=200&hand={hand}")
    assert told.status_code == 200, told.text
    return {each["kind"] for each in told.json()["entries"]}


async def test_a_jackpots_whole_way_is_found_by_its_hand(office: Office, paid: dict[str, Any]) -> None:
    ana = await office.person("ana")
    at_table = await kinds(ana, "table-t1", paid["hand"])
    assert at_table >= {
        *("bets.closed", "hand.over", "link.claimed", "link.record", "prize.hold", "prize.hold_released"),
        *("prize.verified", "link.verified", "prize.overridden", "prize.checked", "slip.issued", "slip.copied"),
        *("prize.paid", "link.paid"),
    }
    assert await kinds(ana, "carousel-gran", paid["hand"]) >= {"ledger.award", "ledger.paid"}
    assert "approval.asked" in await kinds(ana, "node", paid["hand"])
    assert await kinds(ana, "table-t1", paid["hand"] + 70) == set()


async def test_a_tables_journal_finds_its_own_hands_and_a_carousels_names_the_table(
    office: Office, paid: dict[str, Any]
) -> None:
    ana = await office.person("ana")
    told = (await ana.get(f"/api/v1/journals/table-t2/entries?limit=200&hand={paid['hand']}")).json()["entries"]
    records = [each["body"]["record"]["body"] for each in told if each["kind"] == "link.record"]
    claims = [body["granted"]["name"]["table"] for body in records if "granted" in body]
    assert claims == ["t2"], "the record of table 1's hand of the same number is not table 2's"
    page = (await ana.get(f"/journal?journal=carousel-gran&hand={paid['hand']}")).text
    assert ">Mesa 1, mano 1</td>" in page and ">Mesa 2, mano 1</td>" in page
    own = (await ana.get(f"/journal?journal=table-t1&hand={paid['hand']}&kind=prize.")).text
    assert own.count(f'data-label="mano">{paid["hand"]}</td>') >= 5


async def test_every_payment_shows_what_was_paid_in_whichever_journal(office: Office, paid: dict[str, Any]) -> None:
    ana = await office.person("ana")
    ports = office.node.api_ports()
    words = Words(ports, "es")
    cash = paid["amount_minor"] + 100

    async def moved(journal: str, kind: str) -> list[tuple[str, str]]:
        told = (await ana.get(f"/api/v1/journals/{journal}/entries?limit=200&kind={kind}&hand={paid['hand']}")).json()
        own = table_of(journal)
        shown = [row for entry in told["entries"] for row in moved_rows(words, entry, own)]
        page = (await ana.get(f"/journal?journal={journal}&kind={kind}&hand={paid['hand']}")).text
        assert all(amount in page and whose in page for amount, whose in shown)
        return shown

    assert (words.amount(cash), "pagado al jugador") in await moved("table-t1", "prize.paid")
    told = (words.amount(cash), "pagado: Mesa 1, mano 1, casilla 3")
    assert told in await moved("carousel-gran", "ledger.paid")
    assert (words.amount(cash), "pagado: mano 1, casilla 3") in await moved("table-t1", "link.record")
    assert [whose for _, whose in await moved("table-t1", "link.paid")] == ["premios pagados", "premios por pagar"]


def test_a_posting_is_shown_to_the_last_micro() -> None:
    entry = {"kind": "link.counted", "body": {}, "postings": [["bets", -7], ["carousel.main", 7]]}
    assert [amount for amount, _ in moved_rows(Named("es"), entry, "t1")] == ["-7", "7"]
