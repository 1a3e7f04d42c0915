"""QR codes of scenes: the path is the code that the library makes, module for module, and coarse enough to be read."""

from __future__ import annotations

import re

import pytest
import segno

from display.qr import Qr, qr_of

SHORT = "http://10.0.0.7:8071/draw/t1/1"
LONG = "https://mesas.casino-del-puerto.example/pantallas/draw/mesa-con-un-nombre-largo-31/1234567"
QUIET_ZONE = 4
"""Modules that the screen leaves blank on every side (ISO/IEC 18004)."""
RUN = re.compile(r"M(\d+) (\d+)h(\d+)v1H(\d+)z")


def dark(code: Qr) -> set[tuple[int, int]]:
    """Dark modules (x, y) of a code's path, which holds nothing but rows of them."""
    assert RUN.sub("", code.path) == ""
    runs = [tuple(map(int, run)) for run in RUN.findall(code.path)]
    assert all(x == back for x, _, _, back in runs)
    return {(x + at, y) for x, y, length, _ in runs for at in range(length)}


@pytest.mark.parametrize("says", [SHORT, LONG])
def test_the_path_is_the_code(says: str) -> None:
    code = qr_of(says)
    rows = segno.make_qr(says, error="m").matrix
    assert code.says == says
    assert dark(code) == {(x, y) for y, row in enumerate(rows) for x, module in enumerate(row) if module}


@pytest.mark.parametrize(("says", "most"), [(SHORT, 29), (LONG, 41)])
def test_a_module_stays_large_enough_at_the_place_it_has(says: str, most: int) -> None:
    """At 250 design pixels of 0.63 mm (55 inches), quiet zone included, a module is 3.2 mm or more, as phones need."""
    code = qr_of(says)
    assert code.size <= most
    assert 250 * 63 // (code.size + 2 * QUIET_ZONE) >= 320


def test_the_same_text_is_made_once() -> None:
    assert qr_of(SHORT) is qr_of(SHORT)
