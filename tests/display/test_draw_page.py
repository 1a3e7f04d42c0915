"""The players' page of a draw as it is served: its words, what it refuses, what a browser's sum reads from it."""

from __future__ import annotations

import hmac
import html
import itertools
import json
import re
from collections.abc import AsyncIterator
from dataclasses import asdict, replace

import httpx
import pytest
import pytest_asyncio

from display.draws import DrawOutcome, TableDraws
from display.feed import Feed
from display.pages import ScreenSettings, build_app
from display.samples import oasis_tables
from tests.display.drawn import Told, records


@pytest.fixture
def told() -> Told:
    return Told(records())


@pytest_asyncio.fixture
async def client(told: Told) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build_app(Feed(), ScreenSettings(), told))
    async with httpx.AsyncClient(transport=transport, base_url="http://screens") as one:
        yield one


async def words(client: httpx.AsyncClient, path: str) -> str:
    answer = await client.get(path)
    assert answer.status_code == 200
    return re.sub(r"<[^>]*>|\s+", " ", answer.text).replace("\u00a0", " ")


async def test_a_hand_without_a_draw_is_said_to_have_none(client: httpx.AsyncClient) -> None:
    answer = await client.get("/draw/4/17", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "No hay sorteo de la mano 17." in answer.text
    assert 'href="/draw/4/18342?lang=es"' in answer.text, "its table's latest draws are there"
    english = await client.get("/draw/4/17?lang=en", headers={"Accept": "text/html"})
    assert "There is no draw of hand 17." in english.text
    asked = await client.get("/draw/4/17")
    assert (asked.status_code, asked.json()["type"]) == (404, "urn:carrusel:refusal:unknown_draw")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/draw/4/18342", "Mesa 4 · Mano 18.342"),
        ("/draw/4/18342", "Cinco de corazones"),
        ("/draw/4/18342", "No tenía apuesta de jackpot: en esta mano nadie gana."),
        ("/draw/4/18342", "A las 21:51:00, 08/07/2026 se cerraron las apuestas"),
        ("/draw/4/18342", "$ 20.000,00"),
        ("/draw/4/18342", "con la mano 18.341"),
        ("/draw/4/18336", "al empezar la cadena y antes de todo sorteo"),
        ("/draw/4/18337", "La mano se anuló después del sorteo"),
        ("/draw/4/18337", "Tenía apuesta de jackpot: gana."),
        ("/draw/4?lang=en", "Five of hearts · Seat 4"),
        ("/draw/4?lang=en", "Eight of diamonds · Seat 6 · void"),
        ("/draw/4?lang=en", "Fingerprint of draw number 8"),
        ("/draw/4/18342?lang=en", "Bets were closed at 21:51:00, 8 Jul 2026"),
    ],
)
async def test_the_page_says_what_was_drawn_and_how(client: httpx.AsyncClient, path: str, said: str) -> None:
    assert said in await words(client, path)


@pytest.mark.parametrize(
    "path",
    ["/draw/5", "/draw/4/1", "/draw/5/18342", f"/draw/4/{10**30}", f"/draw/4/{'9' * 5_000}", "/draw/4/x", "/draw/4/-1"],
)
async def test_unknown_tables_and_hands_are_refused_by_name(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 404
    assert answer.json()["title"] in ("unknown_draw", "not_found")


async def test_the_browser_reads_exactly_what_is_recorded(client: httpx.AsyncClient, told: Told) -> None:
    page = (await client.get("/draw/4/18341")).text
    found = re.search(r'<script id="draws" type="application/json">(.*?)</script>', page)
    assert found is not None
    expected = await told.of_hand("4", 18_341)
    assert expected is not None
    assert json.loads(found.group(1)) == json.loads(json.dumps(asdict(expected)))


async def test_no_record_can_close_the_script_or_bring_markup(client: httpx.AsyncClient, told: Told) -> None:
    first = replace(told.draws.records[0], site="</script><b>", outside="<i>")
    told.draws = replace(told.draws, records=(first,))
    page = (await client.get("/draw/4/18342")).text
    assert "</script><b>" not in page
    assert "<i>" not in page


async def test_a_draw_of_nobody_is_told(client: httpx.AsyncClient, told: Told) -> None:
    first = replace(told.draws.records[0], boxes=(), outcomes=(DrawOutcome("jugador_afortunado", ""),))
    told.draws = replace(told.draws, records=(first,))
    page = await words(client, "/draw/4/18342")
    assert "Nadie podía salir sorteado." in page
    assert "Ninguna casilla tenía ante." in page


async def test_a_table_before_its_first_draw_shows_what_is_published(client: httpx.AsyncClient, told: Told) -> None:
    told.draws = TableDraws((), "ab" * 32, 1)
    page = await words(client, "/draw/4")
    assert "Todavía no hay sorteos." in page
    assert "abababab abababab" in page


async def test_the_page_has_no_inline_script_style_or_foreign_address(client: httpx.AsyncClient) -> None:
    page = (await client.get("/draw/4/18342")).text
    assert not re.search(r"<script(?![^>]*(src=|application/json))", page)
    assert not re.search(r"\sstyle=|<style|\son\w+=|https?://|//cdn", page)


async def test_the_label_is_that_of_the_tables_screen_and_the_index_links_the_draws(told: Told) -> None:
    feed = Feed()
    feed.show("table-4", replace(oasis_tables()["idle"], label="14"))
    transport = httpx.ASGITransport(build_app(feed, ScreenSettings(), told))
    async with httpx.AsyncClient(transport=transport, base_url="http://screens") as client:
        assert "Mesa 14 · Mano 18.342" in await words(client, "/draw/4/18342")
        assert 'href="/draw/4?lang=en"' in (await client.get("/?lang=en")).text


async def test_a_listener_without_draws_refuses_by_name() -> None:
    transport = httpx.ASGITransport(build_app(Feed(), ScreenSettings()))
    async with httpx.AsyncClient(transport=transport, base_url="http://screens") as client:
        assert (await client.get("/draw/4")).json()["title"] == "unknown_draw"


@pytest.mark.parametrize(
    ("language", "none", "seats"),
    [
        ("es", "ninguno: un texto vacío", "En orden: casillas 1, 2, 3, 4, 5, 6, 7."),
        ("en", "none: an empty text", "In order: seats 1, 2, 3, 4, 5, 6, 7."),
    ],
)
async def test_what_the_page_prints_is_enough_to_make_its_draws_again(
    client: httpx.AsyncClient, told: Told, language: str, none: str, seats: str
) -> None:
    """As a stranger would with paper and any program: without the page's own, and without its hidden record."""
    for record in told.draws.records[:3] + told.draws.records[4:5]:
        page = (await client.get(f"/draw/4/{record.hand}?lang={language}")).text.split("</script>")[-1]
        seed = bytes.fromhex("".join(re.findall(r"<code>([0-9a-f ]+)</code>", page)[2].split()))
        blocks = re.findall(r'<div class="sum" data-sum="(\w+)">(.*?)</details></div>', page, re.DOTALL)
        assert [kind for kind, _ in blocks] == ["carta_magica", "jugador_afortunado"]
        for kind, block in blocks:
            fields = [html.unescape(each).split(" · ")[0] for each in re.findall(r"<dd>(.*?)</dd>", block)]
            fields = ["" if each == none else each for each in fields]
            numbers = re.search(re.escape(seats.split("1", 1)[0]) + r"([\d, ]+)\.", block)
            deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
            of = deck if kind == "carta_magica" else numbers[1].split(", ") if numbers else []
            (outcome,) = (each for each in record.outcomes if each.kind == kind)
            assert of[number_of(seed, fields, len(of))] == outcome.result, (record.hand, kind)
        assert seats in page
        assert (none in page) == (not record.outside)


def number_of(seed: bytes, fields: list[str], size: int) -> int:
    """The published rule, written here once more."""
    for counter in itertools.count():
        parts = [each.encode() for each in (*fields, str(counter))]
        message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        number = int(f"{int(hmac.new(seed, message, 'sha256').hexdigest(), 16):0256b}"[: (size - 1).bit_length()], 2)
        if number < size:
            return number
    raise AssertionError("a number comes")
