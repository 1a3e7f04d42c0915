"""DCON lines: the vectors, every split, noise, cuts, fuzz."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.counting import Reset, judge
from drivers.dcon_io.codec import MAX_LINE, REPLY_LEADS, REQUEST_LEADS, Command, DconCodec, checksum_of

ROWS = json.loads((Path(__file__).parent / "vectors" / "dcon.json").read_text())
STATE = {"state_before", "baseline", "new", "device_reset", "lost_min", "lost_max", "note"}


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r["name"])
def test_vector_is_decoded_into_the_named_fields(row):
    leads = REQUEST_LEADS if row["direction"] == "host_to_device" else REPLY_LEADS
    codec = DconCodec(checksum=row["expect"]["checksum"], leads=leads)
    (frame,) = codec.feed(bytes.fromhex(row["bytes_hex"]), 0.0).frames
    wanted = {k: v for k, v in row["expect"].items() if k not in STATE}
    assert frame.describe() | wanted == frame.describe()


@pytest.mark.parametrize("row", [r for r in ROWS if r["direction"] == "host_to_device"], ids=lambda r: r["name"])
def test_command_is_encoded_as_the_manual_writes_it(row):
    text, checksum = row["expect"]["text"], row["expect"]["checksum"]
    bare = text[:-2] if checksum else text
    assert DconCodec(checksum=checksum).encode(Command(bare)) == bytes.fromhex(row["bytes_hex"])


@pytest.mark.parametrize("row", [r for r in ROWS if "state_before" in r["expect"]], ids=lambda r: r["name"])
def test_counter_vectors_are_judged_as_told(row):
    expect = row["expect"]
    before = expect["state_before"]
    reset = Reset.YES if before.get("reset_seen") else Reset.NO
    reading = judge(before["last_counter"], expect["counter"], modulus=65536, plausible=20, reset=reset)
    assert reading.new == expect["new"]
    assert (reading.lost_min, reading.lost_max) == (expect.get("lost_min", 0), expect.get("lost_max", 0))
    assert reading.reset is expect.get("device_reset", False)


@pytest.mark.parametrize("noise", [b"", b"\x00\xff", b"xyz", b"!0", b"\r", b"0" * 200], ids=lambda n: n[:4].hex())
@pytest.mark.parametrize("checksum", [True, False])
def test_noise_before_between_and_after_costs_no_frame(noise, checksum):
    codec = DconCodec(checksum=checksum)
    wire = codec.encode(Command("!0100002"))
    stream = noise + wire + noise + wire + noise
    assert [f.text for f in codec.feed(stream, 0.0).frames].count("!0100002") == 2
    bytewise = DconCodec(checksum=checksum)
    texts = [f.text for b in stream for f in bytewise.feed(bytes([b]), 0.0).frames]
    assert texts.count("!0100002") == 2


def test_a_cut_line_is_no_frame_and_is_counted_short():
    wire = b"!0100002\r"
    for cut in range(1, len(wire)):
        codec = DconCodec(checksum=False)
        assert codec.feed(wire[:cut], 0.0).frames == ()
        codec.clear()
        assert codec.counters.short == 1
        assert [f.raw for f in codec.feed(wire, 0.0).frames] == [wire]


def test_with_checksum_any_single_bit_flip_is_refused_or_seen():
    wire = DconCodec(checksum=True).encode(Command("!0100002"))
    for position in range((len(wire) - 1) * 8):
        broken = bytearray(wire)
        broken[position // 8] ^= 1 << position % 8
        assert DconCodec(checksum=True).feed(bytes(broken), 0.0).frames == ()


def test_bad_checksum_is_counted():
    codec = DconCodec(checksum=True)
    assert codec.feed(b"!01200600AB\r", 0.0).frames == ()
    assert codec.counters.bad_check == 1


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=6), st.booleans())
def test_never_raises_never_grows_and_any_split_gives_the_same(data, cuts, checksum):
    whole = DconCodec(checksum=checksum)
    once = whole.feed(data, 0.0)
    parts = DconCodec(checksum=checksum)
    frames, junk, at = [], b"", 0
    for cut in [*sorted(c for c in cuts if c <= len(data)), len(data)]:
        got = parts.feed(data[at:cut], 0.0)
        frames += got.frames
        junk += got.junk
        at = cut
    assert (tuple(frames), junk, parts.pending) == (once.frames, once.junk, whole.pending)
    assert len(whole.pending) <= MAX_LINE
    assert sum(len(f.raw) for f in frames) + len(junk) + len(whole.pending) == len(data)


@given(st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), max_size=20))
def test_checksum_is_the_sum_of_the_characters(text):
    assert int(checksum_of(text), 16) == sum(map(ord, text)) % 256
