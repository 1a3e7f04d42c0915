"""Long polls 80 and 86: another CRC, every split, noise, what the protocol cannot say."""

from __future__ import annotations

import pytest
from crccheck.crc import CrcKermit
from hypothesis import given
from hypothesis import strategies as st

from drivers.sas_progressive.codec import (
    MAX_CENTS,
    MAX_FRAME,
    LevelAmount,
    LevelAmounts,
    SasCodec,
    SasFrame,
    crc16_kermit,
    encode,
    from_bcd,
    parse,
    to_bcd,
)
from tests.drivers.streams import check_any_bytes, check_codec

LP80 = bytes.fromhex("01 80 01 01 00 01 23 45 67 62 C2")
LP86 = bytes.fromhex("00 86 13 01 01 00 01 23 45 67 02 00 00 05 00 00 03 00 00 00 25 00 57 79")

byte = st.integers(0, 255)
cents = st.integers(0, MAX_CENTS)
frames = st.one_of(
    st.builds(LevelAmount, byte, byte, byte, cents),
    st.builds(LevelAmounts, byte, byte, st.lists(st.tuples(byte, cents), min_size=1, max_size=32).map(tuple)),
)


@given(frames)
def test_a_poll_is_read_as_it_was_written(frame: SasFrame) -> None:
    assert parse(encode(frame)) == frame


@given(st.binary(max_size=60))
def test_the_crc_agrees_with_another_implementation(data: bytes) -> None:
    assert crc16_kermit(data) == CrcKermit.calc(data)


def test_known_polls() -> None:
    assert encode(LevelAmount(1, 1, 1, 1234567)) == LP80
    assert encode(LevelAmounts(0, 1, ((1, 1234567), (2, 50000), (3, 2500)))) == LP86


def test_whole_byte_by_byte_cut_anywhere_and_with_noise() -> None:
    check_codec(SasCodec, [(raw, parse(raw)) for raw in (LP80, LP86, LP80)], b"\xff\x55\x01")


@given(st.lists(st.one_of(st.binary(max_size=20), st.just(LP86[:9])), max_size=12))
def test_any_bytes(parts: list[bytes]) -> None:
    check_any_bytes(SasCodec, parts, MAX_FRAME)


def test_a_good_crc_around_half_bytes_above_nine_is_no_amount() -> None:
    body = bytes.fromhex("01 80 01 01 00 01 23 45 6A")
    assert parse(body + crc16_kermit(body).to_bytes(2, "little")) is None
    assert from_bcd(b"\x6a") is None
    codec = SasCodec()
    assert list(codec.feed(body + crc16_kermit(body).to_bytes(2, "little") + LP80, 0.0).frames) == [parse(LP80)]


@pytest.mark.parametrize("amount", [-1, MAX_CENTS + 1])
def test_amounts_have_ten_digits(amount: int) -> None:
    with pytest.raises(ValueError, match="ten digits"):
        to_bcd(amount)


@pytest.mark.parametrize("count", [0, 33])
def test_one_to_thirty_two_levels(count: int) -> None:
    with pytest.raises(ValueError, match="levels"):
        encode(LevelAmounts(0, 1, ((1, 1),) * count))
