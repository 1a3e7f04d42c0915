"""The sheet of slips and reports: no label lies over what it names."""

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from fpdf import FPDF

from controller.api import slips
from controller.api.paper import LABEL_MM, LINE_MM, document, pair
from controller.api.slips import Slip, slip_pdf
from controller.api.texts import catalogue
from tests.api.office import Office


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_long_label_never_lies_over_its_amount(language: str) -> None:
    pdf = document(catalogue(language), "x", 0)
    for key, text in catalogue(language).texts.items():
        if not key.startswith(("liability.", "slip.", "shift.", "moved.")):
            continue
        top, page = pdf.get_y(), pdf.page
        pdf.set_font("sans", size=10)
        fits = pdf.get_string_width(text) <= LABEL_MM - 2 * pdf.c_margin
        pair(pdf, text, "$ 1,00")
        if pdf.page == page:
            lines = round((pdf.get_y() - top) / LINE_MM)
            assert lines == 1 if fits else lines >= 2, key
    assert pdf.output().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("currency", "language", "said"),
    [("ARS", "es", "pesos"), ("UYU", "es", "pesos uruguayos"), ("BRL", "en", "reais"), ("XYZ", "es", "XYZ")],
)
def test_words_name_the_configured_currency(currency: str, language: str, said: str) -> None:
    assert catalogue(language).name("currency", currency) == said


def slip_of(**others: Any) -> Slip:
    """A slip with the longest of everything that stands on one."""
    facts = {
        "site": "Casino y Hotel Internacional de las Cataratas del Iguazú",
        "table": "Mesa 3",
        "game": "holdem-bonus",
        "cards": ["Ts", "9h", "8c", "7d", "6s", "5h", "Ac"],
        "when_ms": 1_790_000_000_000,
        "verified_by": "María de los Ángeles Fernández Rodríguez",
        "paid_by_people": "María de los Ángeles Fernández Rodríguez, Juan Ignacio Aguirrezabala Etcheverry",
    }
    content = {
        "hand": 1_234_567,
        "seat": 7,
        "category": "three_of_a_kind",
        "amount_minor": 987_777_777_777,
        "net_minor": 777_777_777_777,
        "withheld_minor": 210_000_000_000,
        "note": "exento en parte " * 12,
        "paid_by": "meter",
        "article": "58",
        "status": "verified",
        "number": "mesa-3-R1-000123",
        "checked": ["cards_to_camera", "deck_counted", "hand_sealed"],
        "seal": "B-77",
        "facts": facts,
        **others,
    }
    return Slip(content, "ab" * 32, 3, "prize_changed", 1_790_000_000_000, "table-mesa-3/4711", "cd" * 32)


PAGE_MM, FREE_MM = 297, 15
TEXT_AT = re.compile(rb"BT ([\d.]+) ([\d.]+) Td")
IMAGE_AT = re.compile(rb"q ([\d.]+) 0 0 ([\d.]+) ([\d.]+) ([\d.]+) cm /I\d+ Do")
LONGEST = {
    "note": "Palabra larga de un motivo " * 11 + "fin",
    "seal": "S" * 60,
    "override": {"actor": "ana", "second": "beto", "reason": "meter_fault", "note": "W" * 500},
    "difference_minor": -555_555_555_555,
}
"""The longest texts that the forms allow, in letters that are wide."""


def marks_of(pdf: bytes) -> list[tuple[list[tuple[float, float]], list[tuple[float, float]]]]:
    """By page where texts begin (mm from the left, mm of their base line from the foot), where images end below."""
    found = []
    for stream in re.findall(rb"stream\n(.*?)\nendstream", pdf, re.DOTALL):
        try:
            drawn = zlib.decompress(stream)
        except zlib.error:
            continue
        texts = [(float(x) / 72 * 25.4, float(y) / 72 * 25.4) for x, y in TEXT_AT.findall(drawn)]
        if texts:
            images = [(float(x) / 72 * 25.4, float(y) / 72 * 25.4) for _, _, x, y in IMAGE_AT.findall(drawn)]
            found.append((texts, images))
    return found


OTHER = {"actor": "ana", "second": "beto", "reason": "meter_fault", "note": "El medidor mostró otro valor que el libro"}
SHEETS: Sequence[tuple[Mapping[str, Any], int]] = (
    ({"withheld_minor": 0, "note": "", "checked": [], "seal": ""}, 1),
    ({"withheld_minor": 0, "note": "", "override": OTHER, "difference_minor": 5}, 1),
    ({}, 1),
    (LONGEST, 2),
    ({**LONGEST, "note": "a\n" * 150}, 2),
)
"""What stands on a slip besides, and how many sheets it then takes."""


@pytest.mark.requirement("R83")
@pytest.mark.parametrize("language", ["es", "en"])
async def test_a_slip_fits_whatever_the_forms_allow(
    office: Office, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, str]] = []
    signed: list[int] = []

    def cells(pdf: FPDF, row: Sequence[tuple[str, str, float]]) -> None:
        told.extend((pdf.page, value) for _, value, _ in row)
        draw_cells(pdf, row)

    def signatures(pdf: FPDF, *given: Any) -> None:
        draw_signatures(pdf, *given)
        signed.append(pdf.page)
        assert pdf.get_y() <= PAGE_MM - FREE_MM - slips.QR_MM, "the QR lies below the signatures"

    draw_cells, draw_signatures = slips.cells, slips.signatures
    monkeypatch.setattr(slips, "cells", cells)
    monkeypatch.setattr(slips, "signatures", signatures)
    ports = office.node.api_ports()
    for others, pages in SHEETS:
        slip = slip_of(**others)
        if LONGEST.items() <= others.items():
            names = ", ".join(["Nombre Largo " * 9 + "Fin"] * 2)
            longest = {"verified_by": names, "paid_by_people": names, "site": "Mm " * 40, "table": "Tt " * 40}
            slip = replace(slip, content={**slip.content, "facts": {**slip.content["facts"], **longest}})
        told.clear()
        signed.clear()
        drawn = marks_of(slip_pdf(ports, slip, language))
        assert (len(drawn), signed) == (pages, [pages])
        assert [len(images) for _, images in drawn] == [0] * (pages - 1) + [1], "the QR stands where it is signed"
        for number, (texts, images) in enumerate(drawn, 1):
            low = [below for _, below in texts if below < FREE_MM]
            assert len(low) == (1 if pages > 1 else 0), "only the number of the page stands in the edge"
            assert all(below >= FREE_MM - 0.1 and left >= FREE_MM for left, below in images)
            assert number == 1 or (number, slip.content["number"]) in told
    assert slip_pdf(ports, slip, language) == slip_pdf(ports, slip, language)
