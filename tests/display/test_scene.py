"""Scenes: what they refuse to hold, and what of them leaves the process."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from display.scene import (
    Amount,
    Currency,
    FallReason,
    Freshness,
    Idle,
    JugadorAfortunado,
    Meter,
    MeterFall,
    Phase,
    PhaseLine,
    PrizeRow,
    Seat,
    SeatState,
    SignageScreen,
    SignageTable,
    TableScreen,
    screen_id,
    to_json,
)

METER = Meter(Amount.of(4_823_761_540), as_of_ms=1_000, carousel="Puerto", linked_tables=("3", "4"))


def table(**changes: object) -> TableScreen:
    parts: dict[str, object] = {
        "table_id": "4",
        "label": "4",
        "game": "oasis",
        "stage": Idle(Amount.of(100_000)),
        "seats": (Seat(1, SeatState.PLAYING, credits=3), Seat(2, SeatState.FREE)),
        "meter": METER,
    }
    return TableScreen(**(parts | changes))  # type: ignore[arg-type]  # keyword rows of a test


@pytest.mark.parametrize("minor", ["", "-1", "1.5", "01", "1,0", "١", " 1", "1e3"])
def test_amount_takes_only_whole_minor_units(minor: str) -> None:
    with pytest.raises(ValueError, match="minor units"):
        Amount(minor)


def test_amount_of_a_negative_int_is_refused() -> None:
    with pytest.raises(ValueError, match="minor units"):
        Amount.of(-1)


@pytest.mark.parametrize("credits", [-1, 6])
def test_seat_holds_zero_to_five_credits(credits: int) -> None:
    with pytest.raises(ValueError, match="credits"):
        Seat(1, SeatState.PLAYING, credits=credits)


def test_prize_row_is_a_share_or_a_fixed_sum_never_both_nor_none() -> None:
    with pytest.raises(ValueError, match="flush"):
        PrizeRow("flush")
    with pytest.raises(ValueError, match="flush"):
        PrizeRow("flush", percent_bp=1000, fixed=Amount.of(1))


def test_wheel_must_hold_the_chosen_position() -> None:
    with pytest.raises(ValueError, match="wheel"):
        JugadorAfortunado((1, 2), 3, None, Amount.of(1))


def test_phase_must_be_a_step_of_the_line() -> None:
    with pytest.raises(ValueError, match="steps"):
        PhaseLine((Phase.BETS,), Phase.RIVER)


@pytest.mark.parametrize("card", ["10h", "Qx", "1s", "", "QS"])
def test_board_refuses_what_is_no_card(card: str) -> None:
    with pytest.raises(ValueError, match="card"):
        table(board=(card,))


def test_currency_decimals_are_bounded() -> None:
    with pytest.raises(ValueError, match="decimals"):
        Currency("XXX", "X", 7)


@pytest.mark.parametrize("freshness", [Freshness.STALE, Freshness.LOST])
def test_unconfirmed_amount_never_leaves_the_process(freshness: Freshness) -> None:
    meter = Meter(METER.amount, 1_000, freshness)
    text = to_json(table(meter=meter))
    assert METER.amount.minor not in text
    assert json.loads(text)["meter"]["amount"] is None
    assert json.loads(text)["meter"]["digits"] == 10


def test_json_is_canonical_and_names_each_kind() -> None:
    fall = Meter(METER.amount, 1_000, fall=MeterFall(91_204, FallReason.AWARD))
    body = json.loads(to_json(table(meter=fall)))
    assert to_json(table(meter=fall)) == json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert body["kind"] == "table"
    assert body["stage"] == {"kind": "idle", "credit": "100000", "max_credits": 5}
    assert body["seats"][0]["state"] == "playing"
    assert body["meter"]["amount"] == "4823761540"
    assert body["meter"]["fall"] == {"entry": 91_204, "reason": "award"}


@pytest.mark.requirement("R48")
def test_a_limit_is_never_below_the_amount() -> None:
    limited = replace(METER, limit=METER.amount)
    assert json.loads(to_json(table(meter=limited)))["meter"]["limit"] == "4823761540"
    with pytest.raises(ValueError, match="limit"):
        replace(METER, limit=Amount.of(4_823_761_539))


def test_screen_ids() -> None:
    signage = SignageScreen("puerto", "Carrusel Puerto", METER, (SignageTable("4", "oasis", Amount.of(5)),))
    assert screen_id(table()) == "table-4"
    assert screen_id(signage) == "signage-puerto"
    assert json.loads(to_json(signage))["tables"] == [
        {"amount": "5", "game": "oasis", "label": "4", "linked": True},
    ]
