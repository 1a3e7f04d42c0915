"""What goes over a device's line is read on the panel: bytes and words, who may, and no card of an open hand."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from controller.api.frame_words import frame_said
from controller.api.texts import LANGUAGES, catalogue
from controller.core.events import AntePlaced
from drivers.decode import decode_stream
from tests.api.office import Client
from tests.api.wired import Wired, wired_office
from tests.drivers.test_decode import ROWS

CARD = "43 41 52 44 20 39 68"
"""`CARD 9h`"""


@pytest_asyncio.fixture
async def wired(tmp_path: Path) -> AsyncIterator[Wired]:
    async with wired_office(tmp_path) as one:
        await one.up()
        yield one


async def frames(person: Client, device: str) -> list[dict[str, Any]]:
    answer = await person.get(f"/api/v1/tables/t1/devices/{device}/frames")
    assert answer.status_code == 200, answer.text
    return list(answer.json()["frames"])


async def seen(person: Client, device: str, true: Any) -> list[dict[str, Any]]:
    """The frames once something is true of them."""
    async with asyncio.timeout(60):
        while True:
            found = await frames(person, device)
            if true(found):
                return found
            await asyncio.sleep(0.05)


async def test_polls_and_answers_are_told_with_their_bytes(wired: Wired) -> None:
    tomas = await wired.office.person("tomas")
    found = await seen(tomas, "caja", lambda found: any(each["times"] > 3 for each in found))
    assert found == sorted(found, key=lambda each: -each["at_ms"])
    asked = next(each for each in found if each["parts"][0]["fields"].get("function") == 2)
    assert [part["way"] for part in asked["parts"]] == ["out", "in"] and asked["outcome"] == "answered"
    assert asked["parts"][0]["hex"].startswith("01 02 ") and asked["parts"][1]["fields"]["on"] == []
    wired.module.silent = True
    silent = await seen(tomas, "caja", lambda found: found[0]["outcome"] == "silent")
    assert [part["way"] for part in silent[0]["parts"]] == ["out"]
    page = (await tomas.get("/devices?table=t1&device=caja")).text
    assert "sin respuesta" in page and "función 2 (leer entradas)" in page and "01 02 " in page


async def test_an_answer_is_read_beside_its_question(wired: Wired) -> None:
    """Of a token slot's five bytes of credits only the question says what they are."""
    tomas = await wired.office.person("tomas")

    def polled(found: list[dict[str, Any]]) -> bool:
        return any(part["fields"].get("counter") == 1 for each in found for part in each["parts"])

    await wired.office.tell("t1", AntePlaced(1))
    async with asyncio.timeout(60):
        while not (wired.slot.accepting and wired.slot.insert(1)):
            await asyncio.sleep(0.05)
    found = await seen(tomas, "ranura", polled)
    assert "dañada" not in (await tomas.get("/devices?table=t1&device=ranura")).text
    assert {each["outcome"] for each in found if each["parts"]} >= {"answered"}


async def test_noise_is_named(wired: Wired) -> None:
    ana = await wired.office.person("ana")
    await wired.office.deal()
    await wired.shoe.line.say(b"CARD \xff9h\r\nCAR")
    await seen(ana, "zapato", bool)
    await wired.end_hand()
    found = await seen(ana, "zapato", lambda found: found and not found[0]["withheld"])
    assert [part["bad"] for part in found[0]["parts"]] == ["no text", "short"]
    page = (await ana.get("/devices?table=t1&device=zapato&lang=en")).text
    assert "damaged: it holds bytes that are no text" in page


@pytest.mark.article("O-67")
async def test_what_a_reader_reads_in_a_hand_is_withheld_until_it_is_over(wired: Wired) -> None:
    people = [await wired.office.person(login) for login in ("ana", "tomas")]
    await wired.office.deal(seat=3)
    await wired.shoe.read_line("CARD 9h")
    for person in people:
        (withheld,) = await seen(person, "zapato", bool)
        assert withheld["withheld"] and not withheld["parts"] and withheld["outcome"] == "heard"
        page = (await person.get("/devices?table=t1&device=zapato")).text
        assert "Oculta hasta que termine la mano" in page and "39 68" not in page and "CARD" not in page
    await wired.end_hand()
    for person in people:
        (told,) = await frames(person, "zapato")
        assert told["parts"][0]["hex"].startswith(CARD) and told["parts"][0]["fields"] == {"line": "CARD 9h"}
    await wired.shoe.read_line("CARD 9h")
    again, before = await seen(people[0], "zapato", lambda found: len(found) == 2)
    assert (again["withheld"], before["withheld"]) == (True, False), "the same card again is nobody's to know"
    assert before["parts"] == told["parts"] and before["times"] == 1, "nothing of the earlier reading tells it either"


async def test_who_may_see_bytes_and_of_which_device(wired: Wired) -> None:
    for login in ("aldo", "carla"):
        person = await wired.office.person(login)
        answer = await person.get("/api/v1/tables/t1/devices/caja/frames")
        assert (answer.status_code, answer.json()["refusal"]) == (403, "role_missing")
        assert (await person.get("/devices?table=t1&device=caja")).status_code == 403
        page = await person.get("/devices")
        assert page.status_code == 200 and "frames-of-" not in page.text
    ana = await wired.office.person("ana")
    answer = await ana.get("/api/v1/tables/t1/devices/none/frames")
    assert (answer.status_code, answer.json()["refusal"]) == (404, "unknown_device")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_of_a_frame_has_its_word(language: str) -> None:
    """Over the makers' examples: no name of a field is shown as the code writes it."""
    texts = catalogue(language)
    shown: set[str] = set()
    for row in ROWS:
        decoded = decode_stream(row["protocol"], bytes.fromhex(row["bytes_hex"].replace(" ", "")), row.get("direction"))
        for frame in decoded.frames:
            fields = {key: value for key, value in frame.items() if key not in ("valid", "reason")}
            assert frame_said(texts, fields) or not fields
            shown |= fields.keys()
    ours = {"echo_hex", "frames", "frame_hex", "split_anywhere", "checksum", "crc", "check"}
    sas = {"group", "level", "levels", "cents", "length"}  # no device of a table speaks it
    assert [name for name in sorted(shown - ours - sas) if f"frame_field.{name}" not in texts.texts] == []
