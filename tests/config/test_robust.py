"""Whatever a file holds, the loader answers with faults or a configuration, and knows the line of every key."""

import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.config import Hardware, load_checked
from controller.config.faults import Key
from controller.config.lines import key_lines
from controller.resources import config_directory
from tests.config.sites import DRIVERS

DEMO = tomllib.loads((config_directory() / "demo.toml").read_text(encoding="utf-8"))


def toml(value: Any) -> str:
    """A value on one line of TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(letter):08X}" for letter in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return "{" + ", ".join(f"{toml(key)} = {toml(item)}" for key, item in value.items()) + "}"


def document(values: dict[str, Any]) -> str:
    return "".join(f"{toml(key)} = {toml(value)}\n" for key, value in values.items())


def places(value: Any, path: Key = ()) -> list[Key]:
    """Every key and list position of a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    below = [place for key, item in items for place in places(item, (*path, key))]
    return ([path] if path else []) + below


def replaced(values: dict[str, Any], place: Key, new: Any) -> dict[str, Any]:
    changed = deepcopy(values)
    here: Any = changed
    for part in place[:-1]:
        here = here[part]
    here[place[-1]] = new
    return changed


SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(2**40), 2**62),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.sampled_from(["hand", "t1", "t2", "cartel", "gran-carrusel", "oasis", "progressive", "none", "key", "void"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("robust") / "site.toml"


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from(places(DEMO)), new=VALUES)
def test_one_wrong_value_is_answered(file: Path, place: Key, new: Any) -> None:
    file.write_text(document(replaced(DEMO, place, new)), encoding="utf-8")
    checked = load_checked(file, Hardware(DRIVERS))
    assert (checked.config is None) == bool(checked.faults)
    assert all(fault.reason and fault.line >= 0 for fault in (*checked.faults, *checked.warnings))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wrong=st.lists(st.tuples(st.sampled_from(places(DEMO)), SCALARS), min_size=2, max_size=6))
def test_many_wrong_values_are_answered(file: Path, wrong: list[tuple[Key, Any]]) -> None:
    values = DEMO
    for place, new in wrong:
        try:
            values = replaced(values, place, new)
        except (KeyError, IndexError, TypeError):
            continue
    file.write_text(document(values), encoding="utf-8")
    checked = load_checked(file, Hardware(DRIVERS))
    assert (checked.config is None) == bool(checked.faults)


@settings(max_examples=100, deadline=None)
@given(values=st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=6), VALUES, max_size=5))
def test_every_key_of_any_document_has_a_line(values: dict[str, Any]) -> None:
    text = document(values)
    lines = key_lines(text)
    assert set(lines) == set(places(tomllib.loads(text)))
    for number, key in enumerate(values, 1):
        assert lines[(key,)] == number


def test_the_demo_written_so_is_still_the_demo(file: Path) -> None:
    file.write_text(document(DEMO), encoding="utf-8")
    assert load_checked(file, Hardware(DRIVERS)).config is not None
