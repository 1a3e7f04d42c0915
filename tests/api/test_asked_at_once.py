"""What would be refused when the second person approves is refused when it is asked, by the same name."""

from typing import Any

from tests.api.acts import REASON
from tests.api.office import Office

AT, CAROUSEL = "/api/v1/tables/t1", "/api/v1/carousels/gran"
KEY = "ab" * 32


def caused(cause: str) -> dict[str, Any]:
    return {"cause": cause, "reason": REASON}


ROWS: list[tuple[str, str, dict[str, Any], str]] = [
    (
        "ana",
        f"{CAROUSEL}/start-value",
        {"table": "t1", "start_minor": 0, **caused("approved_start")},
        "settings_invalid",
    ),
    (
        "ana",
        f"{CAROUSEL}/start-value",
        {"table": "t1", "start_minor": 50_000_000, **caused("approved_start")},
        "nothing_changes",
    ),
    (
        "ana",
        f"{CAROUSEL}/start-value",
        {"table": "t9", "start_minor": 9, **caused("approved_start")},
        "unknown_table",
    ),
    (
        "ana",
        f"{CAROUSEL}/adjustment",
        {"table": "t1", "main_minor": 0, **caused("fault_correction")},
        "nothing_changes",
    ),
    (
        "ana",
        f"{CAROUSEL}/adjustment",
        {"table": "t1", "main_minor": -(10**12), **caused("fault_correction")},
        "balance_too_low",
    ),
    (
        "ana",
        f"{CAROUSEL}/adjustment",
        {"table": "t9", "main_minor": 5, **caused("fault_correction")},
        "unknown_table",
    ),
    (
        "ana",
        f"{CAROUSEL}/adjustment",
        {"table": "t1", "main_minor": 5, **caused("approved_start")},
        "cause_not_for_this",
    ),
    (
        "ana",
        f"{CAROUSEL}/transfer",
        {"table": "t1", "amount_minor": 10**12, "target": "t2", **caused("approved_move")},
        "balance_too_low",
    ),
    (
        "ana",
        f"{CAROUSEL}/transfer",
        {"table": "t1", "amount_minor": 5, "target": "t1", **caused("approved_move")},
        "same_table_twice",
    ),
    (
        "ana",
        f"{CAROUSEL}/transfer",
        {"table": "t1", "amount_minor": 5, "target": "t9", **caused("approved_move")},
        "unknown_table",
    ),
    (
        "ana",
        f"{CAROUSEL}/orphans",
        {"amount_minor": 5, "target": "norte", **caused("approved_move")},
        "balance_too_low",
    ),
    (
        "ana",
        f"{CAROUSEL}/closing",
        {"day": "2020-01-01", "target": "", **caused("approved_closing")},
        "notice_too_short",
    ),
    ("ana", f"{CAROUSEL}/closing", {"day": None, "target": "", **caused("approved_closing")}, "no_closing"),
    ("ana", f"{CAROUSEL}/closing/move", caused("approved_closing"), "jackpot_not_closed"),
    ("ana", f"{CAROUSEL}/release", {"claim": "t1/i/4", "reason": REASON}, "unknown_prize"),
    (
        "ana",
        f"{CAROUSEL}/settle-award",
        {"claim": "t1/i/4", "reason": REASON, "seen_switched_off": True},
        "unknown_prize",
    ),
    ("tomas", f"{CAROUSEL}/seal", {"table": "t9", "reason": REASON, "seen_switched_off": True}, "unknown_table"),
    ("tomas", f"{CAROUSEL}/seal", {"table": "t1", "reason": REASON, "seen_switched_off": False}, "not_switched_off"),
    (
        "tomas",
        f"{CAROUSEL}/exclude",
        {"table": "t1", "reason": REASON, "seen_switched_off": False},
        "host_not_serving",
    ),
    ("tomas", f"{CAROUSEL}/rekey", {"table": "t9", "key": KEY, "reason": REASON}, "unknown_table"),
    ("tomas", f"{CAROUSEL}/accept-step", {"table": "t1", "reason": REASON}, "nothing_quarantined"),
    (
        "ana",
        f"{AT}/pools/move",
        {"pool": "carta_magica", "target": "orphans", **caused("approved_move")},
        "balance_too_low",
    ),
    ("ana", f"{AT}/cards", {"place": "seat-3", "cards": ["9d", "9d"], "hand": 1}, "wrong_phase"),
    ("ana", f"{AT}/cards", {"place": "seat-3", "cards": ["9d"], "hand": 7}, "unknown_hand"),
    (
        "ana",
        f"{AT}/cards/correction",
        {"place": "seat-3", "old": "9d", "new": "8d", "hand": 1, "reason": REASON},
        "wrong_phase",
    ),
    ("ana", f"{AT}/draws/winner", {"kind": "carta_magica", "seat": 3, "hand": 1}, "draw_not_wanted"),
    ("ana", f"{AT}/draws/outside", {"value": "0417", "source": "Quiniela"}, "outside_not_used"),
    ("ana", f"{AT}/prizes/hold-release", {"prize": "t1/i/4/3", "reason": REASON}, "unknown_prize"),
    (
        "ana",
        f"{AT}/prizes/override",
        {"prize": "t1/i/4/3", "amount_minor": 5, "reason": "other", "note": REASON},
        "unknown_prize",
    ),
    ("ana", f"{AT}/prizes/advance", {"hand": 1, "seat": 3, "amount_minor": 5, "reason": REASON}, "unknown_prize"),
    ("ana", f"{AT}/restored", {"item": "hand/4", "outcome": "counted", "reason": REASON}, "nothing_restored"),
    ("ana", f"{AT}/settings/confirm", {"terms": KEY, "reason": REASON}, "nothing_changes"),
    ("carla", "/api/v1/users", {"login": "ana", "name": "Ana", "role": "auditor", "pin": "918273"}, "user_exists"),
    ("carla", "/api/v1/users/nadie", {"name": "Nadie"}, "unknown_user"),
    ("carla", "/api/v1/users/nadie/pin", {"pin": "918273"}, "unknown_user"),
]


async def test_whatever_stands_against_an_act_is_told_before_anybody_is_asked(office: Office) -> None:
    people = {login: await office.person(login) for login in ("ana", "tomas", "carla")}
    told = []
    for login, path, body, _ in ROWS:
        answer = await people[login].post(path, body)
        told.append(answer.json().get("refusal") or f"{answer.status_code} {answer.text[:80]}")
    wrong = [f"{row[1]} {row[3]}: {got}" for row, got in zip(ROWS, told, strict=True) if got != row[3]]
    assert not wrong, "\n".join(wrong)
    assert office.node.people.runner.state.approvals == {}, "nobody is asked for anything"


async def test_what_is_wrong_with_cards_is_told_before_anybody_is_asked(office: Office) -> None:
    hand, ana = await office.deal(cards="9d 8d 7d 6d 5d"), await office.person("ana")
    for path, body, refusal in (
        ("cards", {"place": "dealer", "cards": ["2c", "2c", "3h", "4h", "5h"], "hand": hand}, "duplicate_card"),
        ("cards", {"place": "dealer", "cards": ["9d", "2c", "3h", "4h", "5h"], "hand": hand}, "duplicate_card"),
        ("cards", {"place": "dealer", "cards": ["2c"], "hand": hand}, "wrong_card_count"),
        ("cards/correction", {"place": "seat-3", "old": "Kc", "new": "Kd", "hand": hand}, "card_not_there"),
        ("cards/correction", {"place": "seat-3", "old": "9d", "new": "8d", "hand": hand}, "duplicate_card"),
    ):
        answer = await ana.post(f"{AT}/{path}", {**body, "reason": REASON} if "old" in body else body)
        assert answer.json().get("refusal") == refusal, (path, body, answer.text)
    assert office.node.people.runner.state.approvals == {}


async def test_a_prize_is_judged_as_it_stands_when_another_amount_is_asked_for(office: Office) -> None:
    prize, ana = await office.win(), await office.person("ana")
    other = {"prize": prize["id"], "amount_minor": 5, "reason": "other", "note": REASON}
    too_soon = await ana.post(f"{AT}/prizes/override", other)
    assert (too_soon.status_code, too_soon.json()["refusal"]) == (409, "prize_not_verified")
    assert (await ana.post(f"{AT}/prizes/verify", {"prize": prize["id"]})).status_code == 200
    assert (await ana.post(f"{AT}/prizes/override", other)).status_code == 202
    again = await ana.post(f"{AT}/prizes/hold-release", {"prize": prize["id"], "reason": REASON})
    assert (again.status_code, again.json()["refusal"]) == (409, "prize_not_on_hold")


async def test_the_faults_of_a_start_value_are_told_in_the_askers_language(office: Office) -> None:
    ana = await office.person("ana")
    form = {"table": "t1", "start_minor": 0, **caused("approved_start")}
    for language, said in (("es", "Valor inicial"), ("en", "Start value")):
        answer = await ana.post(f"{CAROUSEL}/start-value", form, Accept_Language=language)
        assert (answer.status_code, answer.json()["refusal"]) == (422, "settings_invalid")
        assert said.lower() in answer.json()["detail"].lower()
