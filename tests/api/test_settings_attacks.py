"""Settings through the API by people who make mistakes or mean harm: replays, races, nonsense, and hands of before."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from controller.api.words import today
from controller.core.events import AntePlaced, CardsEntered, Key, KeyPressed, PrizeVerified
from controller.core.hands import Category
from display.scene import PrizePending, TableScreen
from tests.api.office import Client, Office, open_office, until
from tests.api.test_table_settings import REASON, SETTINGS, V1, approve, ask, told_to_host, void

pytestmark = pytest.mark.asyncio


async def changed(office: Office, person: Client, **changes: Any) -> None:
    done = await approve(office, await ask(person, **changes))
    assert done.status_code == 200, done.text
    await told_to_host(office)


async def effects(person: Client, asked: Any) -> list[dict[str, Any]]:
    assert asked.status_code == 202, asked.text
    found: list[dict[str, Any]] = (await person.get(f"{V1}/approvals/{asked.json()['approval']}")).json()["effects"]
    return found


# nonsense

NONSENSE: list[tuple[str, Any]] = [
    ("jackpot.unreasonable_credits_per_hand", 10**13),
    ("jackpot.unreasonable_credits_per_hand", 10**30),
    ("base.pays.flush", 10**30),
    ("base.pays.flush", {}),
    ("base.pays.flush", {"percent": 5}),
    ("limits.minimum", True),
    ("limits.minimum", 10**30),
    ("limits.maximum", [[[[[[]]]]]]),
    ("jackpot.prizes.flush.fixed", {"fixed": 1}),
    ("jackpot.prizes.royal_flush.percent", 101),
    ("draws.carta_magica.prize", 10**15),
]


async def test_nonsense_is_a_fault_of_its_key(office: Office) -> None:
    ana = await office.person("ana")
    for name, value in NONSENSE:
        answer = await ask(ana, **{name.replace(".", "__"): value})
        assert (answer.status_code, answer.json()["refusal"]) == (422, "settings_invalid"), (name, value, answer.text)
        assert any(key.startswith(name.rpartition(".")[0]) for key in answer.json()["facts"]), answer.text


BODIES = [
    b'{"settings": {"limits.minimum": NaN}, "reason": "abcd"}',
    b'{"settings": {"limits.minimum": 1e999}, "reason": "abcd"}',
    b'{"settings": {"\\ud800": 1}, "reason": "abcd"}',
    b'{"settings": {"": 1, ".": 2, "limits..minimum": 3}, "reason": "abcd\\u0000"}',
    b'{"settings":' + b'{"a":' * 5_000 + b"1" + b"}" * 5_001,
    b"[" * 20_000,
    json.dumps({"settings": {str(number): 1 for number in range(401)}, "reason": REASON}).encode(),
]


async def test_hostile_bodies_and_tags_are_refused_by_name(office: Office) -> None:
    ana = await office.person("ana")
    tag = (await ana.get(SETTINGS)).headers["etag"]
    headers = {"Origin": ana.base, "X-CSRF-Token": ana.token, "Content-Type": "application/json"}
    for body in BODIES:
        answer = await ana.http.put(SETTINGS, content=body, headers={**headers, "If-Match": tag})
        assert answer.status_code in (400, 413, 422), (body[:60], answer.text)
        assert answer.json()["refusal"]
    for other in ("*", f"W/{tag}", f'"x", {tag}', ""):
        answer = await ana.http.put(SETTINGS, content=BODIES[0], headers={**headers, "If-Match": other})
        assert answer.status_code in (412, 422), other
    assert not office.node.people.runner.state.approvals


# what was seen is what is done


async def test_what_a_change_takes_back_is_before_both_people(office: Office) -> None:
    ana = await office.person("ana")
    await office.tell("t1", AntePlaced(2))
    await changed(office, ana, limits__minimum=60_000)
    line = {"unit": "setting", "where": {"setting": "limits.minimum"}, "before": 60_000, "after": 50_000}
    taken = await ask(ana)
    assert await effects(ana, taken) == [{"what": "setting_waiting", **line}]
    page = (await ana.get(f"/approvals/{taken.json()['approval']}")).text
    assert "esperaba" in page and "600,00" in page
    other = await effects(ana, await ask(ana, limits__maximum=4_000_000))
    assert [(each["what"], each["after"]) for each in other] == [("setting", 4_000_000), ("setting_waiting", 50_000)]


async def test_of_two_changes_that_wait_for_a_second_person_the_later_does_not_swallow_the_earlier(
    office: Office,
) -> None:
    ana, carla = await office.person("ana"), await office.person("carla")
    await office.tell("t1", AntePlaced(2))
    first, second = await ask(ana, limits__maximum=4_000_000), await ask(carla, limits__minimum=60_000)
    answers = await asyncio.gather(approve(office, first), approve(office, second))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    await void(office)
    in_force = (await ana.get(SETTINGS)).json()["settings"]
    seen = (in_force["limits.maximum"], in_force["limits.minimum"])
    assert seen == ((4_000_000, 50_000) if answers[0].status_code == 200 else (5_000_000, 60_000))


@pytest.mark.article("O-57")
async def test_a_start_value_that_does_not_go_with_the_settings_is_refused_also_when_they_changed_meanwhile(
    office: Office,
) -> None:
    ana, carla = await office.person("ana"), await office.person("carla")
    body = {"table": "t1", "meter_too": False, "cause": "approved_start", "reason": REASON}
    address = f"{V1}/carousels/gran/start-value"
    low = await carla.post(address, {**body, "start_minor": 45_000_000}, Accept_Language="en")
    assert (low.status_code, low.json()["refusal"]) == (422, "settings_invalid")
    assert "5,000 × the lowest jackpot bet" in low.json()["facts"]["jackpot.start"]
    await changed(office, ana, jackpot__credit=9_000)
    dearer = await ask(ana, jackpot__credit=10_000)
    lower = await carla.post(address, {**body, "start_minor": 45_000_000})
    assert (await approve(office, lower)).status_code == 200
    account = office.node.tables["t1"].runner
    await until(lambda: account.state.link.account.start_micros == 450_000_000_000, "the table has heard of it")  # type: ignore[union-attr]  # it has joined
    late = await approve(office, dearer)
    assert (late.status_code, late.json()["refusal"]) == (422, "settings_invalid")
    assert (await ana.get(SETTINGS)).json()["settings"]["jackpot.credit"] == 9_000


async def test_a_kill_after_an_approved_change_was_done_does_not_undo_its_outcome(tmp_path: Path) -> None:
    """The act is in the table's journal and its outcome not in the node's: what is known by then decides nothing."""
    async with open_office(tmp_path) as office:
        ana = await office.person("ana")
        told = (await ask(ana, limits__maximum=4_000_000)).json()
        accounts, kept = office.node.people.desk, []
        submit = type(accounts).submit

        async def lost(desk: Any, envelope: Any) -> Any:
            if envelope.id.endswith("/executed"):
                kept.append(envelope.id)
                raise asyncio.CancelledError
            return await submit(desk, envelope)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(accounts), "submit", lost)
            beto = await office.person("beto")
            body = {"digest": told["digest"], "pin": "271828"}
            await asyncio.gather(beto.post(f"{V1}/approvals/{told['approval']}/approve", body), return_exceptions=True)
        assert kept
        assert office.node.people.runner.state.approvals[told["approval"]].status.value == "given"
    async with open_office(tmp_path) as office:
        approvals = office.node.people.runner
        await until(lambda: approvals.state.approvals[told["approval"]].status.value != "given", "it is taken up again")
        assert approvals.state.approvals[told["approval"]].status.value == "done"
        assert office.node.tables["t1"].runner.state.book.count == 1


async def test_an_account_that_is_shut_changes_nothing_any_more(office: Office) -> None:
    ana, carla = await office.person("ana"), await office.person("carla")
    asked = await ask(ana, limits__maximum=4_000_000)
    assert (await carla.post(f"{V1}/users/ana/disable", {})).status_code == 200
    late = await approve(office, asked)
    assert (late.status_code, late.json()["refusal"]) == (409, "asker_changed")


# hands of before, told by what they were played by


async def test_the_void_of_the_last_hand_names_the_bets_as_they_were_made(office: Office) -> None:
    ana = await office.person("ana")
    hand = await office.deal("t1", cards="2c 5d 9h Jc 3d", credits=2)
    await office.tell("t1", KeyPressed(Key.PLAY, 3))
    await office.tell("t1", KeyPressed(Key.HAND_OVER))
    await changed(office, ana, jackpot__credit=9_000)
    asked = await ana.post(f"{V1}/tables/t1/void", {"hand": hand, "reason": "other", "note": REASON})
    assert (await effects(ana, asked))[0]["after"] == 20_000
    assert (await approve(office, asked)).status_code == 200
    of = f"table/t1/day/{today(office.node.api_ports())}/handle"
    origin = (await ana.get(f"{V1}/amounts/origin?of={of}")).json()
    assert (origin["adds_up"], origin["total_micros"]) == (True, 0)


@pytest.mark.promise("P16")
async def test_a_prize_is_told_by_the_list_it_was_won_by(office: Office) -> None:
    ana = await office.person("ana")
    prize = await office.win()
    await changed(office, ana, jackpot__prizes__straight_flush__percent=5)
    page = (await ana.get(f"/prizes/t1?prize={prize['id']}")).text
    assert "× 10 %" in page and "× 5 %" not in page
    origin = (await ana.get(f"{V1}/amounts/origin?of=table/t1/prize/{prize['id']}")).json()
    assert (origin["adds_up"], origin["facts"]["percent"]) == (True, 10)
    _, scene = office.node.feed.newest("table-t1")
    assert isinstance(scene, TableScreen)
    assert isinstance(scene.stage, PrizePending)
    (win,) = scene.stage.wins
    assert (win.category, win.percent_bp) == (Category.STRAIGHT_FLUSH.value, 1_000)


async def test_the_last_hand_is_settled_by_the_pays_it_was_played_by(office: Office) -> None:
    ana = await office.person("ana")
    hand = await office.deal("t1", cards="9d 8d 7d 6d 2d")
    await office.tell("t1", KeyPressed(Key.PLAY, 3))
    await office.tell("t1", CardsEntered("dealer", ("Ah", "Kh", "7c", "4d", "2h")), "ana", "beto")  # type: ignore[arg-type]  # cards are text
    await office.tell("t1", KeyPressed(Key.HAND_OVER))
    before = (await ana.get(f"{V1}/tables/t1/hands/{hand}")).json()
    assert any(box.get("advice", {}).get("net_minor") for box in before["boxes"])
    await changed(office, ana, base__pays__flush=1)
    assert (await ana.get(f"{V1}/tables/t1/hands/{hand}")).json() == before


# slips


async def test_a_slip_s_key_with_other_words_is_a_conflict_and_only_one_is_written(office: Office) -> None:
    ana, beto = await office.person("ana"), await office.person("beto")
    prize = (await office.win())["id"]
    await office.tell("t1", PrizeVerified(prize), "ana")
    address, body = f"{V1}/tables/t1/slips", {"prize": prize}
    asked = [(ana, "one"), (ana, "one"), (ana, "two"), (beto, "one"), (beto, "two")]
    answers = await asyncio.gather(*(person.post(address, body, key=key) for person, key in asked))
    assert {answer.status_code for answer in answers} == {200, 409}
    (slip,) = (await ana.get(address)).json()["slips"]
    writer, key = next(who for who, answer in zip(asked, answers, strict=True) if answer.status_code == 200)
    assert (await writer.post(address, body, key=key)).json()["repeated"] is True
    other = await writer.post(address, {**body, "withheld_minor": 500, "note": "otro monto"}, key=key)
    assert (other.status_code, other.json()["refusal"]) == (409, "conflict")
    assert slip["content"]["withheld_minor"] == 0
