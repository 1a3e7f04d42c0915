"""The read-only listener: what it serves, what it refuses, and the headers on every answer."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from display.feed import Feed
from display.pages import FONTS, ScreenSettings, build_app
from display.samples import oasis_tables, signage


@pytest_asyncio.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    feed = Feed()
    feed.show("table-4", oasis_tables()["idle"])
    feed.show("signage-puerto", signage()["fresh"])
    settings = ScreenSettings(time_zone="America/Lima", names={"table-4": "Mesa 4", "signage-puerto": "Puerto"})
    transport = httpx.ASGITransport(build_app(feed, settings))
    async with httpx.AsyncClient(transport=transport, base_url="http://screens") as one:
        yield one


async def test_pages_carry_the_screen_the_language_and_the_time_zone(client: httpx.AsyncClient) -> None:
    page = (await client.get("/table/4")).text
    assert '<html lang="es" data-screen="table-4"' in page
    assert 'data-time-zone="America/Lima" data-stale-after-ms="2500" data-motion="full"' in page
    assert 'lang="en" data-screen="signage-puerto"' in (await client.get("/signage/puerto?lang=en")).text
    assert 'lang="es"' in (await client.get("/table/4?lang=xx")).text


async def test_texts_in_the_page_are_the_catalogue_and_cannot_close_the_script(client: httpx.AsyncClient) -> None:
    page = (await client.get("/table/4?lang=en")).text
    found = re.search(r'<script id="texts" type="application/json">(.*?)</script>', page)
    assert found is not None
    assert json.loads(found.group(1))["seat.free"] == "Free"
    assert "<" not in found.group(1)


@pytest.mark.parametrize(
    ("path", "refusal"),
    [
        ("/table/nine", "unknown_screen"),
        ("/signage/nowhere", "unknown_screen"),
        ("/feed/table-nine", "unknown_screen"),
        ("/feed/%2e%2e", "unknown_screen"),
        ("/static/fonts/other.ttf", "not_found"),
        ("/static/../pages.py", "not_found"),
        ("/static/%2e%2e/pages.py", "not_found"),
        ("/nothing", "not_found"),
    ],
)
async def test_unknown_paths_are_problems_by_name(client: httpx.AsyncClient, path: str, refusal: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == f"urn:carrusel:refusal:{refusal}"
    assert answer.json()["status"] == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", ["/table/4", "/feed/table-4", "/healthz", "/static/table.js", "/nothing"])
async def test_only_get_and_head_are_answered(client: httpx.AsyncClient, method: str, path: str) -> None:
    answer = await client.request(method, path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD"
    assert answer.json()["type"] == "urn:carrusel:refusal:read_only"


@pytest.mark.parametrize(
    "path",
    ["/", "/table/4", "/signage/puerto", "/feed/table-4", "/healthz", "/static/table.js", "/static/fonts/inter.ttf"],
)
async def test_head_answers_without_a_body_and_with_the_headers(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.head(path)
    assert answer.status_code == 200
    assert answer.content == b""
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "'unsafe-inline'" not in policy
    assert "http" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-frame-options"] == "DENY"


async def test_another_origin_may_only_know_that_the_listener_is_there(client: httpx.AsyncClient) -> None:
    policy = "cross-origin-resource-policy"
    assert (await client.get("/healthz")).headers[policy] == "cross-origin"
    for path in ("/", "/table/4", "/signage/puerto", "/static/table.js", "/nothing"):
        assert (await client.get(path)).headers[policy] == "same-origin"


async def test_refusals_carry_the_headers_too(client: httpx.AsyncClient) -> None:
    for answer in (await client.get("/nothing"), await client.post("/table/4")):
        assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_no_inline_script_style_or_foreign_address_in_pages(client: httpx.AsyncClient) -> None:
    for path in ("/", "/table/4", "/signage/puerto"):
        page = (await client.get(path)).text
        assert not re.search(r"<script(?![^>]*(src=|application/json))", page)
        assert not re.search(r"\sstyle=|<style|\son\w+=|https?://|//cdn", page)


async def test_fonts_are_served_from_their_packages(client: httpx.AsyncClient) -> None:
    for name in FONTS:
        answer = await client.get(f"/static/fonts/{name}")
        assert answer.headers["content-type"] == "font/ttf"
        assert answer.content[:4] == b"\x00\x01\x00\x00"


async def test_index_links_every_screen(client: httpx.AsyncClient) -> None:
    page = (await client.get("/?lang=en")).text
    assert '<a href="/table/4?lang=en">Mesa 4</a>' in page
    assert '<a href="/signage/puerto?lang=en">Puerto</a>' in page


@pytest.mark.parametrize(
    "path", ["/table/nine", "/signage/nowhere", "/draw/nine", "/draw/4/1", "/nothing", "/table/%3Cb%3E"]
)
async def test_a_person_at_an_unknown_address_is_shown_what_there_is(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "no hay ninguna pantalla" in answer.text and "<b>" not in answer.text
    assert '<a href="/table/4?lang=es">Mesa 4</a>' in answer.text
    assert "There is no screen at" in (await client.get(f"{path}?lang=en", headers={"Accept": "text/html"})).text


async def test_a_full_feed_asks_the_screen_to_come_back() -> None:
    feed = Feed(max_subscribers=0)
    feed.declare("table-4")
    transport = httpx.ASGITransport(build_app(feed, ScreenSettings()))
    async with httpx.AsyncClient(transport=transport, base_url="http://screens") as client:
        answer = await client.get("/feed/table-4")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert answer.json()["type"] == "urn:carrusel:refusal:too_many_screens"
