"""Modbus RTU frames: the vectors, every split, noise, cuts, fuzz."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from crccheck.crc import CrcModbus
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.modbus_rtu_io.codec import (
    Function,
    ReadBits,
    ReadRegisters,
    RtuCodec,
    WriteCoil,
    WriteCoils,
    WriteRegister,
    crc16,
    encode,
)

ROWS = json.loads((Path(__file__).parent / "vectors" / "modbus_rtu.json").read_text())
REPLIES = [bytes.fromhex(r["bytes_hex"]) for r in ROWS if r["direction"] == "device_to_host"]
REQUESTS = [bytes.fromhex(r["bytes_hex"]) for r in ROWS if r["direction"] == "host_to_device" and "unit" in r["expect"]]


def codec_for(direction: str) -> RtuCodec:
    return RtuCodec(replies=direction != "host_to_device", requests=direction == "host_to_device")


@pytest.mark.parametrize("row", [r for r in ROWS if "unit" in r["expect"]], ids=lambda r: r["name"])
def test_vector_is_decoded_into_the_named_fields(row):
    frames = codec_for(row["direction"]).feed(bytes.fromhex(row["bytes_hex"]), 0.0).frames
    assert len(frames) == 1
    wanted = {k: v for k, v in row["expect"].items() if k != "note"}
    assert frames[0].describe() | wanted == frames[0].describe()


@pytest.mark.parametrize(
    ("command", "wire"),
    [
        (ReadBits(1, Function.READ_INPUTS, 0, 8), "01 02 00 00 00 08 79 CC"),
        (WriteCoil(1, 2, True), "01 05 00 02 FF 00 2D FA"),
        (WriteCoils(1, 0, [True, False] * 4), "01 0F 00 00 00 08 01 55 3E AA"),
        (ReadRegisters(1, Function.READ_HOLDING, 0, 7), "01 03 00 00 00 07 04 08"),
        (WriteRegister(1, 0x1000, 0), "01 06 10 00 00 00 8D 0A"),
    ],
    ids=lambda v: v if isinstance(v, str) else type(v).__name__,
)
def test_commands_are_encoded_as_the_manual_writes_them(command, wire):
    assert encode(command) == bytes.fromhex(wire)


def test_echo_before_the_reply_does_not_hide_it():
    row = next(r for r in ROWS if r["direction"] == "received_line")
    stream = bytes.fromhex(row["bytes_hex"])
    for cut in range(len(stream) + 1):
        codec = RtuCodec()
        frames = [*codec.feed(stream[:cut], 0.0).frames, *codec.feed(stream[cut:], 0.0).frames]
        assert [f.raw.hex().upper() for f in frames if f.function == 2 and f.describe()["on"] == [0, 2]] == [
            row["expect"]["frame_hex"]
        ]


@pytest.mark.parametrize("wire", REPLIES, ids=bytes.hex)
@pytest.mark.parametrize("noise", [b"", b"\x00", b"\xff\x55", b"\x01\x02", b"\x01\x03\x40", b"\x01\x85"], ids=bytes.hex)
def test_noise_before_between_and_after_costs_no_frame(wire, noise):
    stream = noise + wire + noise + wire + noise
    whole = RtuCodec().feed(stream, 0.0).frames
    assert [f.raw for f in whole] == [wire, wire]
    codec = RtuCodec()
    assert [f.raw for b in stream for f in codec.feed(bytes([b]), 0.0).frames] == [wire, wire]


@pytest.mark.parametrize("wire", REPLIES, ids=bytes.hex)
def test_a_cut_frame_is_no_frame_and_is_counted_short(wire):
    for cut in range(1, len(wire)):
        codec = RtuCodec()
        assert codec.feed(wire[:cut], 0.0).frames == ()
        codec.clear()
        assert codec.counters.short == 1
        assert [f.raw for f in codec.feed(wire, 0.0).frames] == [wire]


@pytest.mark.requirement("R55")
@pytest.mark.parametrize("wire", REPLIES + REQUESTS, ids=bytes.hex)
def test_any_single_bit_flip_is_refused(wire):
    for position in range(len(wire) * 8):
        broken = bytearray(wire)
        broken[position // 8] ^= 1 << position % 8
        assert RtuCodec(requests=True).feed(bytes(broken), 0.0).frames == ()


def test_bad_crc_is_counted():
    codec = RtuCodec()
    codec.feed(bytes.fromhex("01 02 01 05 61 8C"), 0.0)
    assert codec.counters.bad_check >= 1


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=600), st.lists(st.integers(0, 600), max_size=6))
def test_never_raises_never_grows_and_any_split_gives_the_same(data, cuts):
    whole = RtuCodec(requests=True)
    once = whole.feed(data, 0.0)
    parts = RtuCodec(requests=True)
    frames, junk, at = [], b"", 0
    for cut in [*sorted(c for c in cuts if c <= len(data)), len(data)]:
        got = parts.feed(data[at:cut], 0.0)
        frames += got.frames
        junk += got.junk
        at = cut
    assert (tuple(frames), junk, parts.pending) == (once.frames, once.junk, whole.pending)
    assert len(whole.pending) <= 256
    assert sum(len(f.raw) for f in frames) + len(junk) + len(whole.pending) == len(data)


@given(st.binary(min_size=1, max_size=40))
def test_crc_equals_an_independent_one(data):
    assert crc16(data) == CrcModbus.calc(data).to_bytes(2, "little")
