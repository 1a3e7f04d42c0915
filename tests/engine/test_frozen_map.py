"""The map that is never changed, against a dict; and its cost, which hardly grows."""

from hypothesis import given
from hypothesis import strategies as st

from controller.engine.frozen_map import FrozenMap

KEYS = st.integers(0, 200).map(lambda number: f"t{number}")
STEPS = st.lists(st.tuples(KEYS, st.one_of(st.none(), st.integers())), max_size=150)


@given(STEPS)
def test_it_is_a_dict_that_is_copied(steps: list[tuple[str, int | None]]) -> None:
    made: FrozenMap[int] = FrozenMap()
    model: dict[str, int] = {}
    for key, value in steps:
        before, snapshot = made, dict(made)
        if value is None:
            made = made.without(key)
            model.pop(key, None)
        else:
            made = made.set(key, value)
            model[key] = value
        assert dict(before) == snapshot
        assert (key in made, made.get(key), made.get(key, -1)) == (key in model, model.get(key), model.get(key, -1))
    assert (list(made), dict(made), len(made)) == (sorted(model), model, len(model))
    assert FrozenMap(model) == made


def test_a_change_copies_a_small_part_of_a_large_map() -> None:
    large: FrozenMap[int] = FrozenMap({f"t{number}": number for number in range(10_000)})
    changed = large.set("t5", -1)
    shared = sum(mine is theirs for mine, theirs in zip(large._shards, changed._shards, strict=True))
    assert shared == 63
