"""Records of our own journals say nothing that nobody reads; those of another node may."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from controller.core.records import Kinds, from_foreign, from_record, to_record


@dataclass(frozen=True)
class Seat:
    number: int
    micros: int = 0


@dataclass(frozen=True)
class Hand:
    seats: tuple[Seat, ...] = ()
    by_kind: Mapping[str, Seat] | None = None
    last: Seat | None = None
    credits: tuple[tuple[int, int], ...] = ()


WHOLE = Hand((Seat(1), Seat(2, 5)), {"x": Seat(3)}, Seat(4), ((1, 2),))
EXTRA = {"number": 1, "minor": 7}


def test_what_was_written_is_read() -> None:
    assert from_record(Hand, to_record(WHOLE)) == WHOLE
    assert from_record(Hand, {"seats": [{"number": 1}]}) == Hand((Seat(1),))


@pytest.mark.parametrize(
    ("record", "place"),
    [
        ({"seat": []}, "Hand has no field `seat`"),
        ({"seats": [{"number": 1}, EXTRA]}, "Hand.seats has no field `minor`"),
        ({"by_kind": {"x": EXTRA}}, "Hand.by_kind.x has no field `minor`"),
        ({"last": EXTRA}, "Hand.last has no field `minor`"),
    ],
)
def test_a_field_that_nobody_reads_is_refused_by_name_and_let_go_of_another_node(
    record: dict[str, object], place: str
) -> None:
    with pytest.raises(ValueError, match=place):
        from_record(Hand, record)
    with pytest.raises(ValueError, match=place):
        Kinds(Hand).from_record({"type": "Hand", **record})
    assert isinstance(from_foreign(Hand, record), Hand)
