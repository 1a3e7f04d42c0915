"""The two draws: fixed vectors worked out outside this program, uniformity, an export recomputed by a third party."""

import hashlib
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from controller.core.draws import (
    CARTA_MAGICA,
    JUGADOR_AFORTUNADO,
    DrawContext,
    commitment_of,
    draw_card,
    draw_number,
    draw_position,
)
from controller.core.draws_verify import Finding, hash_of_list, verify_draws

SEEDS = [
    "f1dbb19522a6af789d8ab10ab0f7c881ecdd50026fae8ae6716b9e4220e9a894",
    "58f0830dafbae14e119d45bafdea96d0e95f255e4988a03d3a3280307cec00fc",
    "982c52be6ef398ac6ae414c1a1be5446198925872fe9f42e22d3b77c7857f435",
    "56fc2d9a9b80ac27f04ea219b6503ecec6516dc61813cf34cb7d6a74713755e0",
    "86addef47ef3d897d2eb81e0dcc2f91634bf88b0746abfddbb34fb868fcd6f78",
]
LIST = [{"seat": 2, "ante": 1000, "credits": 1}]
LIST_HASH = "ad0fa39473f55716575a37a992af531f7382ed50992b0ec18a3a65267b160e03"


def seed(index: int) -> bytes:
    return bytes.fromhex(SEEDS[index])


def context(hand: int, kind: str = CARTA_MAGICA, outside: str = "") -> DrawContext:
    return DrawContext("casino", "mesa-4", "t1-a", hand, kind, LIST_HASH, outside)


@pytest.mark.requirement("R103")
def test_the_chain_ends_in_the_published_commitment() -> None:
    assert seed(4) == hashlib.sha256(b"test vector").digest()
    assert [commitment_of(seed(index)).hex() for index in (1, 2, 3, 4)] == SEEDS[:4]


def test_frozen_list_hash() -> None:
    assert hash_of_list(LIST) == LIST_HASH


@pytest.mark.article("O-62")
@pytest.mark.parametrize(
    ("index", "hand", "card"),
    [(1, 1, "Qs"), (1, 2, "2s"), (2, 1, "Jd"), (2, 2, "Ah"), (3, 1, "7h"), (3, 2, "3c"), (4, 1, "2s"), (4, 2, "Qh")],
)
def test_carta_magica_vectors(index: int, hand: int, card: str) -> None:
    assert draw_card(seed(index), context(hand)) == card


@pytest.mark.article("O-63", "O-p")
@pytest.mark.parametrize(
    ("index", "hand", "outside", "positions", "seat"),
    [
        (1, 1, "", (1, 2, 3, 4, 5, 6, 7), 2),
        (1, 1, "17", (1, 2, 3, 4, 5, 6, 7), 3),
        (1, 2, "", (1, 2, 3, 4, 5, 6, 7), 4),
        (2, 2, "17", (1, 2, 3, 4, 5, 6, 7), 6),
        (3, 2, "17", (1, 2, 3, 4, 5, 6, 7), 1),
        (4, 1, "17", (6,), 6),
    ],
)
def test_jugador_afortunado_vectors(index: int, hand: int, outside: str, positions: tuple[int, ...], seat: int) -> None:
    assert draw_position(seed(index), context(hand, JUGADOR_AFORTUNADO, outside), positions) == seat


@pytest.mark.requirement("R100")
@pytest.mark.parametrize(("hand", "number"), [(1, 6), (2, 3), (3, 11), (4, 26), (5, 24)])
def test_a_number_too_large_is_thrown_away(hand: int, number: int) -> None:
    assert draw_number(seed(1), context(hand), 33) == number


@pytest.mark.parametrize(
    ("hand", "size", "number"), [(1, 8, 5), (2, 8, 0), (3, 8, 1), (4, 8, 6), (1, 64, 43), (3, 64, 11), (4, 64, 48)]
)
def test_a_power_of_two_needs_no_bit_more(hand: int, size: int, number: int) -> None:
    assert draw_number(seed(1), context(hand), size) == number


def test_nothing_to_draw_from() -> None:
    with pytest.raises(ValueError, match="nothing"):
        draw_number(seed(1), context(1), 0)


@pytest.mark.requirement("R100")
def test_every_field_is_bound() -> None:
    """The same letters in other fields, or one field changed, are another draw."""
    first = context(1)
    others = [
        replace(first, site="x"),
        replace(first, table="x"),
        replace(first, incarnation="x"),
        replace(first, hand=2),
        replace(first, kind=JUGADOR_AFORTUNADO),
        replace(first, list_hash="x"),
        replace(first, outside="x"),
        replace(first, site="casinom", table="esa-4"),
    ]
    assert len({draw_number(seed(1), each, 2**60) for each in (first, *others)}) == 1 + len(others)


@pytest.mark.requirement("R100", "R102")
@pytest.mark.promise("P14")
@pytest.mark.parametrize(
    ("size", "draws", "most"),
    # Chi-square's 99.9 % quantiles with size - 1 degrees of freedom: 87.97 for 51, 22.46 for 6, 27.88 for 9.
    [(52, 600_000, 88), (7, 250_000, 22), (10, 150_000, 28)],
)
def test_results_are_uniform(size: int, draws: int, most: int) -> None:
    """A million draws in all; in whole numbers: n × sum of squares <= draws × (draws + bound)."""
    counts = Counter(draw_number(seed(1), context(hand), size) for hand in range(draws))
    assert set(counts) == set(range(size))
    assert size * sum(count * count for count in counts.values()) <= draws * (draws + most)


def export() -> list[tuple[int, str, dict[str, Any]]]:
    """Two hands of a table whose chain was committed before."""
    entries: list[tuple[int, str, dict[str, Any]]] = [(1, "draw.chain", {"commitment": SEEDS[0], "length": 4})]
    for hand in (1, 2):
        closed = {"hand": hand, "list": LIST, "list_hash": LIST_HASH, "draws": [CARTA_MAGICA, JUGADOR_AFORTUNADO]}
        seats = [1, 2, 3, 4, 5, 6, 7]
        results = [
            [CARTA_MAGICA, str(draw_card(seed(hand), context(hand))), []],
            [JUGADOR_AFORTUNADO, str(draw_position(seed(hand), context(hand, JUGADOR_AFORTUNADO), seats)), seats],
        ]
        made = {"hand": hand, "index": hand, "seed": SEEDS[hand], "list_hash": LIST_HASH, "results": results}
        entries += [
            (10 * hand, "bets.closed", closed),
            (10 * hand + 1, "draw.made", made),
            (10 * hand + 2, "other", {}),
        ]
    return entries


@pytest.mark.requirement("R101")
@pytest.mark.promise("P14")
def test_an_export_is_recomputed() -> None:
    verification = verify_draws("casino", "mesa-4", "t1-a", export())
    assert (verification.draws, verification.findings) == (4, ())


def names(entries: list[tuple[int, str, dict[str, Any]]], table: str = "mesa-4") -> list[tuple[int, str]]:
    return [(finding.seq, finding.name) for finding in verify_draws("casino", table, "t1-a", entries).findings]


@pytest.mark.promise("P14")
def test_every_lie_in_an_export_is_found() -> None:
    for key, value, found in [
        ("results", [[CARTA_MAGICA, "Ac", []], [JUGADOR_AFORTUNADO, "2", [1, 2, 3, 4, 5, 6, 7]]], [CARTA_MAGICA]),
        ("results", [[CARTA_MAGICA, "Qs", []]], ["kinds"]),
        ("seed", SEEDS[3], ["commitment", CARTA_MAGICA, JUGADOR_AFORTUNADO]),
        ("seed", "ff", ["seed"]),
        ("seed", "no hex", ["seed"]),
        ("index", 2, ["index"]),
        ("index", 5, ["index", "index"]),
    ]:
        entries = export()[:3]
        entries[2] = (11, "draw.made", {**entries[2][2], key: value})
        assert names(entries) == [(11, name) for name in found], (key, value)
    listed = export()[:3]
    listed[1] = (10, "bets.closed", {**listed[1][2], "list": [{"seat": 2, "ante": 1000, "credits": 5}]})
    assert names(listed) == [(10, "list_hash")]
    again = export()[:3]
    again.append((12, "draw.made", {**again[2][2], "seed": SEEDS[2], "index": 2}))
    assert (12, "kinds") in names(again)
    assert len(names(export(), table="mesa-5")) >= 3


def test_a_draw_that_was_never_made_is_found_unless_its_hand_is_void() -> None:
    without = [entry for entry in export() if entry[0] != 11]
    assert names(without)[0] == (20, "draw_missing")
    voided = [*without[:2], (12, "hand.void", {"hand": 1}), (13, "hand.void", {"hand": 0}), *without[2:]]
    assert "draw_missing" not in [name for _, name in names(voided)]


def test_a_hand_that_ends_without_its_draw_is_found_at_once_and_once() -> None:
    """The last one too, after which no bets are closed any more."""
    over = (12, "hand.over", {"hand": 1})
    assert names([*export()[:3], over]) == []
    assert names([*export()[:2], over]) == [(12, "draw_missing")]
    without = export()
    without[2] = over
    assert [found for found in names(without) if found[1] == "draw_missing"] == [(12, "draw_missing")]


def test_the_hand_of_a_backup_that_was_restored_needs_no_draw() -> None:
    """Its bets are settled by two people, its seeds may be revealed: the next hand has another number and chain."""
    entries = export()
    entries[2:3] = [
        (12, "journal.restored", {"incarnation": "t1-a"}),
        (13, "draw.chain", {"commitment": seed(1).hex(), "length": 4}),
    ]
    entries = [(seq, kind, {**body, "index": 1} if kind == "draw.made" else body) for seq, kind, body in entries]
    assert names(entries) == []


def lucky(entries: list[tuple[int, str, dict[str, Any]]], at: int, hand: int, seats: list[int]) -> None:
    """The hand's Jugador Afortunado drawn out of these seats, as the seed says."""
    outcome = str(draw_position(seed(hand), context(hand, JUGADOR_AFORTUNADO), seats))
    seq, kind, made = entries[at]
    entries[at] = (seq, kind, {**made, "results": [made["results"][0], [JUGADOR_AFORTUNADO, outcome, seats]]})


@pytest.mark.promise("P14")
@pytest.mark.parametrize(
    ("seats", "found"),
    [
        ([2], []),  # who bet
        ([1, 2, 3, 4, 5, 6, 7], []),
        ([*range(1, 21)], ["extra_positions"]),
        ([2, 3, 4], ["extra_positions"]),
        ([2, 2, 2], ["extra_positions"]),
        ([7, 6, 5, 4, 3, 2, 1], ["extra_positions"]),
        ([1, 2, 3, 4, 5, 6, 7, 8], ["extra_positions"]),  # the hand before says that the table has seven
    ],
)
def test_positions_are_who_bets_who_plays_or_the_whole_table(seats: list[int], found: list[str]) -> None:
    entries = export()
    lucky(entries, 5, 2, seats)
    assert names(entries) == [(21, name) for name in found]


def test_the_table_may_have_other_boxes_once_its_file_is_read_again() -> None:
    entries = export()
    lucky(entries, 5, 2, [1, 2, 3, 4, 5, 6, 7, 8])
    entries.insert(3, (15, "settings.file", {}))
    verification = verify_draws("casino", "mesa-4", "t1-a", entries)
    assert (verification.findings, verification.boxes) == ((), 8)


OTHER = [hashlib.sha256(b"another vector").digest()]
while len(OTHER) < 5:
    OTHER.insert(0, commitment_of(OTHER[0]))


@pytest.mark.promise("P14")
@pytest.mark.parametrize(
    ("before", "found", "left"),
    [
        ([], [(15, "chain_left")], ()),
        ([(13, "draw.source_failed", {"why": "no_seed", "called_off": []})], [], ((15, "no_seed"),)),
        ([(13, "journal.restored", {"incarnation": "t1-a"})], [], ((15, "restored"),)),
        ([(13, "draw.source_back", {})], [(15, "chain_left")], ()),
    ],
)
def test_a_chain_left_before_its_end_needs_a_reason(
    before: list[tuple[int, str, dict[str, Any]]], found: list[tuple[int, str]], left: tuple[tuple[int, str], ...]
) -> None:
    entries = export()
    made = {**entries[5][2], "seed": OTHER[1].hex(), "index": 1}
    seats = [1, 2, 3, 4, 5, 6, 7]
    made["results"] = [
        [CARTA_MAGICA, str(draw_card(OTHER[1], context(2))), []],
        [JUGADOR_AFORTUNADO, str(draw_position(OTHER[1], context(2, JUGADOR_AFORTUNADO), seats)), seats],
    ]
    entries[5] = (21, "draw.made", made)
    entries[3:3] = [*before, (15, "draw.chain", {"commitment": OTHER[0].hex(), "length": 4})]
    assert names(entries) == found
    assert verify_draws("casino", "mesa-4", "t1-a", entries).left == left


def test_a_chain_drawn_to_its_end_is_followed_by_another_without_a_word() -> None:
    entries = export()
    entries[0] = (1, "draw.chain", {"commitment": SEEDS[0], "length": 2})
    entries.append((30, "draw.chain", {"commitment": OTHER[0].hex(), "length": 4}))
    verification = verify_draws("casino", "mesa-4", "t1-a", entries)
    assert (verification.findings, verification.left) == ((), ())


def test_a_box_left_out_of_the_positions_is_found() -> None:
    entries = export()[:3]
    seats = [1, 3, 4, 5, 6, 7]
    outcome = str(draw_position(seed(1), context(1, JUGADOR_AFORTUNADO), seats))
    results = [entries[2][2]["results"][0], [JUGADOR_AFORTUNADO, outcome, seats]]
    entries[2] = (11, "draw.made", {**entries[2][2], "results": results})
    found = verify_draws("casino", "mesa-4", "t1-a", entries).findings
    assert found == (Finding(11, "missing_positions", "", "2"),)
