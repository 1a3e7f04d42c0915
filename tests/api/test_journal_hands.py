"""The journal page and its API find everything that concerns a hand by its number, and show what it moved."""

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from tests.api.acts import REASON, approved
from tests.api.office import Client, Office, until
from tests.api.test_reports import settled


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
    assert ">Mesa 1, 1</td>" in page and ">Mesa 2, 1</td>" in page
    own = (await ana.get(f"/journal?journal=table-t1&hand={paid['hand']}&kind=prize.")).text
    assert own.count(f'data-label="mano">{paid["hand"]}</td>') >= 5
