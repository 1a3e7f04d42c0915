"""ccTalk frames: both checks, every split, noise, an independent framer, and the rules of the credit buffer."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from crccheck.crc import CrcXmodem
from hypothesis import given
from hypothesis import strategies as st

from drivers.cctalk_coin.codec import (
    GAP_S,
    MAX_FRAME,
    CcTalkCodec,
    CcTalkFrame,
    Check,
    CoinEvent,
    Credit,
    FaultClass,
    classify,
    encode,
    parse,
    read_credit,
)
from tests.drivers.streams import check_any_bytes, check_codec, frames

POLL = bytes.fromhex("02 00 01 FE FF")
ACK = bytes.fromhex("01 00 02 00 FD")
CREDIT = bytes.fromhex("01 0B 02 00 01 03 01 00 00 00 00 00 00 00 00 ED")
AST = bytes.fromhex("01 03 72 00 41 53 54 C0")

byte = st.integers(0, 255)
messages = st.builds(
    CcTalkFrame, dst=byte, header=byte, data=st.binary(max_size=255), src=byte, check=st.just(Check.SUM8)
)


@given(messages)
def test_a_message_is_read_as_it_was_written(frame: CcTalkFrame) -> None:
    raw = CcTalkCodec().encode(frame)
    assert parse(raw, Check.SUM8) == (frame if any(raw) else None)


@given(dst=byte, header=byte, data=st.binary(max_size=255))
def test_crc_mode_agrees_with_another_implementation(dst: int, header: int, data: bytes) -> None:
    raw = encode(dst, header, data, check=Check.CRC16)
    crc = CrcXmodem.calc(bytes((dst, len(data), header)) + data)
    assert (raw[2], raw[-1]) == (crc & 0xFF, crc >> 8)
    frame = parse(raw, Check.CRC16)
    assert (frame is not None) is any(raw)
    if frame is None:
        return
    assert (frame.dst, frame.src, frame.header, frame.data, frame.crc) == (dst, None, header, data, crc)


def test_whole_byte_by_byte_cut_anywhere_and_with_noise() -> None:
    good = [(raw, parse(raw, Check.SUM8)) for raw in (ACK, CREDIT, ACK)]
    check_codec(lambda: CcTalkCodec(only_dst=1), good, bytes.fromhex("FF 55 00"))
    check_codec(CcTalkCodec, good, bytes.fromhex("FF 55"), drain_s=1.0)
    check_codec(lambda: CcTalkCodec(Check.CRC16, only_dst=1), [(AST, parse(AST, Check.CRC16))] * 2, b"\xff\x02")


@given(st.lists(st.binary(max_size=40), max_size=12))
def test_any_bytes(parts: list[bytes]) -> None:
    check_any_bytes(CcTalkCodec, parts, MAX_FRAME)
    check_any_bytes(lambda: CcTalkCodec(Check.CRC16), parts, MAX_FRAME)


def test_a_pause_ends_a_half_message() -> None:
    codec = CcTalkCodec(only_dst=1)
    assert frames(codec, CREDIT[:7], at_s=0.0) == []
    late = codec.feed(CREDIT[7:] + ACK, GAP_S * 1.2)
    assert list(late.frames)[-1:] == [parse(ACK, Check.SUM8)]
    assert CREDIT[:7] in late.junk
    assert codec.counters.short == 1


def test_a_bad_check_costs_one_byte_at_a_time() -> None:
    codec = CcTalkCodec(only_dst=1)
    bad = bytes.fromhex("01 00 02 00 FC")
    answer = codec.feed(bad + ACK, 0.0)
    assert (list(answer.frames), answer.junk) == ([parse(ACK, Check.SUM8)], bad)
    assert (codec.counters.frames, codec.counters.bad_check, codec.counters.junk_bytes) == (1, 1, 5)


def test_data_over_255_bytes_is_refused() -> None:
    with pytest.raises(ValueError, match="255"):
        encode(2, 1, bytes(256))


def pairs(*events: tuple[int, int]) -> bytes:
    return b"".join(bytes(pair) for pair in (*events, *[(0, 0)] * 5)[:5])


A, B, C = CoinEvent(1, 1, 0), CoinEvent(2, 1, 0), CoinEvent(0, 0, 14)
RULES = [
    (0, 0, (), Credit(0, (), 0)),
    (0, 1, ((1, 1),), Credit(1, (A,), 0)),
    (7, 7, ((1, 1),), Credit(7, (), 0)),
    (7, 9, ((2, 1), (1, 1), (5, 1)), Credit(9, (A, B), 0)),
    (7, 9, ((0, 14), (1, 1)), Credit(9, (A, C), 0)),
    (254, 255, ((1, 1),), Credit(255, (A,), 0)),
    (255, 1, ((1, 1), (2, 1)), Credit(1, (A,), 0)),
    (254, 1, ((1, 1), (2, 1)), Credit(1, (B, A), 0)),
    (253, 3, ((1, 1),) * 5, Credit(3, (A,) * 5, 0)),
    (252, 3, ((1, 1),) * 5, Credit(3, (A,) * 5, 1)),
    (1, 9, ((1, 1),) * 5, Credit(9, (A,) * 5, 3)),
    (9, 0, (), Credit(0, (), 0, reset=True)),
]


@pytest.mark.parametrize(("last", "now", "shown", "expected"), RULES)
def test_what_a_credit_reply_adds(last: int, now: int, shown: tuple[tuple[int, int], ...], expected: Credit) -> None:
    assert read_credit(bytes((now,)) + pairs(*shown), last) == expected


def test_a_credit_reply_has_eleven_bytes() -> None:
    assert read_credit(bytes(10), 0) is None


@pytest.mark.parametrize(
    ("codes", "kind"),
    [
        ((1, 2, 3, 8, 9, 10, 11, 12, 128, 159), FaultClass.NOTE),
        ((4, 7, 13, 14, 15, 21, 26, 33, 35, 36, 99, 255), FaultClass.HARDWARE),
        ((16, 17, 18, 19, 20, 22, 23, 24, 25, 34, 40), FaultClass.FRAUD),
        ((254,), FaultClass.RETURN_LEVER),
    ],
)
def test_classes_of_event_codes(codes: tuple[int, ...], kind: FaultClass) -> None:
    assert [classify(code) for code in codes] == [kind] * len(codes)


FRAMER = """
const { CCTalkParser } = require("@serialport/parser-cctalk");
const parser = new CCTalkParser(0);
const found = [];
parser.on("data", (frame) => found.push(frame.toString("hex")));
const chunks = JSON.parse(require("fs").readFileSync(0, "utf8"));
for (const chunk of chunks) parser.write(Buffer.from(chunk, "hex"));
parser.end(() => console.log(JSON.stringify(found)));
"""


@pytest.fixture(scope="module")
def framer(tool: Callable[[str], str]) -> tuple[str, Path]:
    """Node and a directory with the independent framer, installed once into the user's cache."""
    node, npm = tool("node"), tool("npm")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "carrusel-tests" / "parser-cctalk-13.0.0"
    if not (home / "node_modules" / "@serialport" / "parser-cctalk").is_dir():
        home.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [npm, "install", "--silent", "--no-save", "--prefix", str(home), "@serialport/parser-cctalk@13.0.0"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode != 0:
            shutil.rmtree(home, ignore_errors=True)
            reason = f"npm could not install the framer: {done.stderr[-300:]}"
            if os.environ.get("CI") == "true":
                pytest.fail(reason)
            pytest.skip(reason)
    return node, home


def test_clean_streams_are_framed_as_by_another_program(framer: tuple[str, Path]) -> None:
    node, home = framer
    sent = [
        encode(2, header, bytes(range(n)), check=Check.SUM8) for header, n in ((254, 0), (229, 11), (0, 250), (1, 3))
    ]
    stream = b"".join(sent) + POLL + CREDIT
    for size in (1, 3, 7, len(stream)):
        chunks = [stream[at : at + size].hex() for at in range(0, len(stream), size)]
        done = subprocess.run(
            [node, "-e", FRAMER],
            input=json.dumps(chunks),
            cwd=home,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        ours = frames(CcTalkCodec(), *(bytes.fromhex(chunk) for chunk in chunks))
        assert [frame.raw.hex() for frame in ours] == json.loads(done.stdout)
