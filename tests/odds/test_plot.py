"""The picture is well-formed, says what it shows in both languages, and stays small however long the path."""

from typing import Any
from xml.etree import ElementTree

import pytest

from controller.config import Jackpot, load_preset
from controller.odds.plot import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, draw_path
from controller.odds.simulation import simulate

SVG = "{http://www.w3.org/2000/svg}"


def jackpot(preset: str = "oasis_argentina_2010", **changes: Any) -> Jackpot:
    return Jackpot.model_validate(load_preset(preset)["jackpot"] | changes)


def corners(picture: str) -> list[tuple[float, float]]:
    root = ElementTree.fromstring(picture)
    [curve] = [path for path in root.iter(f"{SVG}path") if path.get("class") == "curve"]
    steps = curve.get("d", "")[1:].split("L")
    return [(float(x), float(y)) for x, y in (step.split() for step in steps)]


@pytest.mark.parametrize(("language", "title"), [("es", "El camino del pozo"), ("en", "The path of the meter")])
def test_title_and_description(language: Any, title: str) -> None:
    picture = draw_path(simulate(jackpot(), 3_000_000, seed=3), jackpot(), language=language)
    root = ElementTree.fromstring(picture)
    assert root.findtext(f"{SVG}title") == title
    assert root.get("role") == "img"
    grouped = {"es": "3.000.000", "en": "3,000,000"}[language]
    assert grouped in (root.findtext(f"{SVG}desc") or "") + picture


def test_the_curve_stays_inside_its_frame_and_runs_to_the_right() -> None:
    points = corners(draw_path(simulate(jackpot(), 3_000_000, seed=3), jackpot()))
    assert points[0][0] == LEFT
    assert points[-1][0] == WIDTH - RIGHT
    assert all(LEFT <= x <= WIDTH - RIGHT and TOP <= y <= HEIGHT - BOTTOM for x, y in points)
    assert points == sorted(points, key=lambda point: point[0])


def test_each_whole_meter_has_its_disc() -> None:
    path = simulate(jackpot(), 5_000_000, seed=3)
    root = ElementTree.fromstring(draw_path(path, jackpot()))
    legend = 1
    assert len(list(root.iter(f"{SVG}circle"))) == path.resets + legend


def test_a_long_path_is_thinned_and_keeps_its_peak() -> None:
    preset = jackpot("holdem_bonus_peru_2010")
    path = simulate(preset, 10_000_000, seed=2)
    assert len(path.won) > 2_000
    picture = draw_path(path, preset)
    assert len(picture) < 150_000
    peak = max(won.before_minor for won in path.won)
    [highest] = [label for label in _amounts(picture) if label == max(_amounts(picture))]
    drawn = (HEIGHT - BOTTOM - min(y for _, y in corners(picture))) / (HEIGHT - TOP - BOTTOM)
    assert drawn == pytest.approx(peak / (highest * 100), abs=0.001)


def _amounts(picture: str) -> list[int]:
    """The figures beside the grid, in whole units."""
    texts = (text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text"))
    return [int(text.removeprefix("$ ").replace(".", "")) for text in texts if text.startswith("$ ")]


def test_a_path_of_one_hand() -> None:
    ElementTree.fromstring(draw_path(simulate(jackpot(start=0), 1, seed=1), jackpot(start=0)))
