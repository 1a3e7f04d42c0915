"""Any screen is true: whatever page prints an amount leads to how it came about, and the answer adds up exactly."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi.routing import APIRoute

from controller.api.amounts.ask import trace
from controller.api.amounts.listed import Shown
from controller.api.amounts.periods import SPANS
from controller.api.panel.routes import router
from controller.api.words import today
from controller.core.events import Key, KeyPressed
from controller.core.games.circle_state import Phase
from controller.core.prize_events import SlipIssued
from display.samples import all_screens
from display.scene import to_json
from tests.api.acts import approved
from tests.api.crawl import EXCEPTIONS, every_amount_leads_to_its_origin
from tests.api.office import Office, open_office, until
from tests.api.test_amounts import NOTHING, SHOWN_AS, hand, listed, pit_file, play, settled
from tests.api.test_amounts_otherwise import FOUR, override, paid, prizes, verify
from tests.api.test_table_settings import ask


async def populate(office: Office) -> None:
    """A pit of two evenings' worth: a shift closed and one in course, acts of two people asked, done and refused."""
    ana, carla = await office.person("ana"), await office.person("carla")
    await play(office)
    first = await hand(office, "t1", FOUR)
    (prize,) = prizes(office, "t1", first)
    await verify(office, "t1", prize)
    await override(office, "t1", prize, 10_250_000)
    await office.tell("t1", SlipIssued(prize, 250_000, 250_000, {}), "ana")
    await paid(office, "t1", prize)
    second = await hand(office, "t1", FOUR)
    (waits,) = prizes(office, "t1", second)
    await verify(office, "t1", waits)
    await until(lambda: settled(office.node), "the host has absorbed every bet")
    day = today(office.node.api_ports())
    await carla.post("/api/v1/counts", {"table": "t1", "shift": day, "counted_minor": 123_456})
    asked = await ana.post("/api/v1/shifts/close", {"shift": f"{day}/night"})
    assert (await approved(office, asked)).status_code == 200
    await hand(office, "t1", NOTHING)
    await until(lambda: settled(office.node), "the host has absorbed every bet")
    assert (await approved(office, await ask(ana, limits__minimum=60_000))).status_code == 200
    await hand(office, "t1", NOTHING)
    await ask(ana, limits__minimum=70_000)
    reason = {"reason": "as the pit manager says", "cause": "fault_correction"}
    for path, body in {
        "/api/v1/shifts/close": {"shift": f"{day}/morning"},
        "/api/v1/tables/t1/prizes/pay": {"prize": waits},
        "/api/v1/tables/t1/prizes/override": {
            "prize": waits,
            "amount_minor": 9_000_000,
            "reason": "display_differed",
            "note": "the sign showed less",
        },
        "/api/v1/carousels/gran/adjustment": {"table": "t1", "main_minor": -700, "reserve_minor": 0, **reason},
    }.items():
        answer = await ana.post(path, body)
        assert answer.status_code == 202, (path, answer.text)


NAMES = re.compile(
    r"label|table_id|carousel_id|(just_paid|(other_prizes|last_prizes|pending)\.\d+)\.table|tables\.\d+\.label|meter\.linked_tables\.\d+"
)
"""What a screen's document has in digits and is no amount: names of tables."""


def digits_in(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every string of digits of a document with its place: amounts leave as such."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from digits_in(each, f"{place}.{name}".lstrip("."))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from digits_in(each, f"{place}.{index}")
    elif isinstance(value, str) and value.isdigit():
        yield place, value


def of_what(place: str) -> set[str]:
    """Which of the listed amounts may stand at a place of a document; none where it is a name."""
    if NAMES.fullmatch(place):
        return set()
    found = [what for pattern, what in SHOWN_AS.items() if re.fullmatch(pattern, place)]
    assert len(found) == 1, f"nobody can ask for {place}"
    return found[0]


def beside(document: Any, place: str) -> Any:
    """What stands beside an amount in its document."""
    *above, _ = place.split(".")
    for name in above:
        document = document[int(name) if isinstance(document, list) else name]
    return document


def test_no_document_of_any_screen_has_an_amount_without_a_place_on_the_list() -> None:
    told = [json.loads(to_json(scene)) for scene in all_screens().values()]
    places = {place for document in told for place, _ in digits_in(document)}
    assert len([place for place in places if of_what(place)]) > 50


async def document_of(office: Office, screen: str) -> Any:
    """What the screens' listener sends to whoever opens a screen."""
    async with (
        httpx.AsyncClient(base_url=office.node.screens_address, trust_env=False, timeout=60) as client,
        client.stream("GET", f"/feed/{screen}") as stream,
    ):
        kind = ""
        async for line in stream.aiter_lines():
            name, _, told = line.partition(": ")
            kind = told if name == "event" else kind
            if name == "data" and kind == "scene":
                return json.loads(told)["scene"]
    raise AssertionError("no scene came")


async def ask_the_screens(office: Office) -> set[str]:
    """Each amount in what the screens are sent has its twin on the panel: an address of the same hand, seat and sum
    whose answer adds up to it. The places of the amounts."""
    ports, seen, lists = office.node.api_ports(), set(), listed(office)
    everywhere = [each for amounts in lists.values() for each in amounts]
    for screen, here in lists.items():
        document = await document_of(office, screen)
        for place, minor in digits_in(document):
            wanted = of_what(place)
            if not wanted:
                continue
            around = beside(document, place)
            among = everywhere if place.startswith("other_prizes") else here
            twins = [each for each in among if each.what in wanted and each.minor == int(minor)]
            twins = [each for each in twins if agrees(each, around)]
            assert twins, (screen, place, minor)
            answer = await trace(ports, twins[0].of)
            assert answer.sum_micros == answer.total_micros, (screen, place, answer)
            assert answer.total_micros // ports.minor_micros == int(minor), (screen, place, answer)
            seen.add(re.sub(r"\d+", "…", place))
    return seen


def agrees(shown: Shown, around: Any) -> bool:
    """Whether what stands beside an amount on the screen is not another seat's, hand's or table's."""
    if not isinstance(around, dict):
        return True
    names = [name for name in ("seat", "category") if name in around and name in shown.facts]
    return all(around[name] == shown.facts[name] for name in names)


async def test_every_amount_that_a_screen_is_sent_has_its_twin_on_the_panel(tmp_path: Path) -> None:
    async with open_office(tmp_path, site=pit_file) as office:
        await play(office)
        seen = await ask_the_screens(office)
        circle = office.node.tables["t3"].runner
        while (played := circle.state.hand.game).phase is not Phase.BETS:
            await office.tell("t3", KeyPressed(Key.HAND_OVER if played.phase is Phase.SHOWDOWN else Key.FOLD))
        seen |= await ask_the_screens(office)
    needed = {"meter.amount", "meter.limit", "prizes.….today", "prizes.….fixed", "draw_prizes.….amount"}
    needed |= {"seats.….stack", "circle.pots.….amount", "circle.results.….amount", "circle.clock.to_call"}
    needed |= {"tables.….amount", "pending.….amount", "last_prizes.….amount", "other_prizes.….amount"}
    needed |= {"seats.….win.amount"}
    assert needed <= seen, needed - seen


NO_PAGES = {"/amount", "/login", "/feed", "/static/panel/{name}", "/static/fonts/{name}"}
"""Addresses of the panel that show nothing of the house, and the answers."""


def pages_left_out(places: Iterable[str]) -> set[str]:
    """The panel's addresses that none of these places is of."""
    paths = {urlsplit(place).path for place in places}
    routes = [each for each in router.routes if isinstance(each, APIRoute)]
    return {each.path for each in routes if not any(each.path_regex.match(path) for path in paths)}


@pytest.mark.requirement("R82", "R85")
@pytest.mark.promise("P4")
async def test_every_amount_of_every_page_of_a_populated_pit_leads_to_its_origin(tmp_path: Path) -> None:
    async with open_office(tmp_path, site=pit_file) as office:
        await populate(office)
        day = today(office.node.api_ports())
        last = office.node.tables["t1"].runner.state.hand.number - 1
        true_card = f"/table/t1/correct/effects?hand={last}&place=seat-3&old=2c&new=As"
        seen = await every_amount_leads_to_its_origin(
            office, "/shift?shift=0", f"/shift?month={day[:7]}", "/account", "/amounts?hand=1", true_card
        )
        assert seen.excepted == set(EXCEPTIONS)
        spans = {(parts[0], parts[2]) for parts in (address.split("/") for address in seen.addresses)}
        assert {(of, span) for of in ("table", "carousel") for span in SPANS} <= spans
        assert "node/shift/1/pending" in seen.addresses
        assert pages_left_out(place for _, place in seen.pages) == NO_PAGES
