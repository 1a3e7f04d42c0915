"""The colour tokens of the screens: measured contrast of every pair that carries words (WCAG 2: 4.5, large 3)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from display import scene

CSS = (Path(scene.__file__).parents[1] / "static" / "base.css").read_text("utf-8")
TOKENS = dict(re.findall(r"--([a-z]+-?[a-z0-9]*): (#[0-9a-f]{6})", CSS))


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("text", "ground", "least"),
    [
        ("ivory-100", "felt-800", 11.0),
        ("ivory-100", "felt-600", 7.0),
        ("ivory-200", "felt-700", 6.9),
        ("brass-300", "felt-700", 5.5),
        ("pend-felt", "felt-700", 5.3),
        ("faint", "felt-850", 4.5),
        ("ink-900", "ivory-50", 7.0),
        ("ink-900", "brass-400", 7.0),
        ("ink-900", "pend", 7.0),
        ("ink-700", "ivory-200", 7.0),
        ("brass-700", "ivory-200", 5.0),
        ("red-700", "ivory-50", 6.0),
        ("ok", "paper", 6.0),
    ],
)
def test_words_stand_out_from_their_ground(text: str, ground: str, least: float) -> None:
    assert contrast(TOKENS[text], TOKENS[ground]) >= least
