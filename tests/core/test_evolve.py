"""`evolve` gives what `replace` gives, and leaves the value it began with alone."""

from dataclasses import dataclass, field, replace

import pytest

from controller.core.evolve import evolve


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 2
    names: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Deep(Point):
    z: int = 3


@pytest.mark.parametrize("value", [Point(1), Point(1, 5, ("a",)), Deep(1, z=9)])
@pytest.mark.parametrize("changes", [{}, {"x": 7}, {"y": 8, "names": ("b",)}])
def test_it_is_replace(value: Point, changes: dict[str, object]) -> None:
    before = repr(value)
    assert evolve(value, **changes) == replace(value, **changes)  # type: ignore[arg-type]  # names checked at run time
    assert type(evolve(value, **changes)) is type(value)
    assert repr(value) == before


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(KeyError):
        evolve(Point(1), w=1)
