"""Captured streams explained: every vector, with noise, cut, damaged, in both directions, and fuzzed."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.cctalk_coin.codec import encode as encode_cctalk
from drivers.dcon_io.codec import checksum_of
from drivers.decode import (
    PROTOCOLS,
    CaptureError,
    Explained,
    decode_line,
    decode_row,
    decode_stream,
    explain,
    from_hex,
    to_answer,
)
from drivers.line_reader.codec import encode_tag
from drivers.modbus_rtu_io.codec import crc16
from drivers.sas_progressive.codec import LevelAmount
from drivers.sas_progressive.codec import encode as encode_sas

ROWS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "vectors" / "devices.json").read_text())
GOOD = [row for row in ROWS if row["expect"].get("valid") is not False and "reply" not in row["expect"]]
ONE_WAY = [row for row in GOOD if row["direction"] != "received_line"]
NOT_IN_BYTES = {"state_before", "note"}
NOISE = {"modbus_rtu": "FF 55", "dcon": "00 7F 41", "cctalk": "FF 55", "alpha": "00 FF", "stx": "30 FF", "sas": "FF 55"}


def name(row: dict[str, Any]) -> str:
    return f"{row['protocol']}: {row['name']}"


def believed(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return [f for f in answer["frames"] if f["valid"] is True or (isinstance(f["valid"], dict) and "reason" not in f)]


def told(row: dict[str, Any], frame: dict[str, Any]) -> dict[str, Any]:
    """What the frame says of the keys that the row asks for."""
    return {key: frame.get(key, "missing") for key in row["expect"] if key not in NOT_IN_BYTES}


def wanted(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row["expect"].items() if key not in NOT_IN_BYTES}


def as_row(protocol: str, data: str, direction: str | None, state: dict[str, Any] | None = None) -> dict[str, Any]:
    row: dict[str, Any] = {"protocol": protocol, "bytes_hex": data}
    if direction:
        row["direction"] = direction
    if state is not None:
        row["expect"] = {"state_before": state}
    return row


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_row(row: dict[str, Any]) -> None:
    answer = decode_row(row)
    assert len(answer["frames"]) == 1
    assert told(row, answer["frames"][0]) == wanted(row)
    json.dumps(answer)


@pytest.mark.parametrize("row", ONE_WAY, ids=name)
def test_row_without_direction_is_found_too(row: dict[str, Any]) -> None:
    answer = decode_row({**row, "direction": None})
    assert told(row, answer["frames"][0]) == wanted(row)


@pytest.mark.parametrize("row", GOOD, ids=name)
def test_noise_before_and_after_a_row(row: dict[str, Any]) -> None:
    noise = NOISE[row["protocol"]]
    before = decode_row({**row, "bytes_hex": f"{noise} {row['bytes_hex']}"})
    after = decode_row({**row, "bytes_hex": f"{row['bytes_hex']} {noise}"})
    for answer in (before, after):
        assert [told(row, f) for f in believed(answer)] == [wanted(row)]
        assert answer["junk_hex"] == noise.replace(" ", "")


@pytest.mark.parametrize("row", [row for row in ONE_WAY if "state_before" not in row["expect"]], ids=name)
def test_a_row_twice_with_noise_between(row: dict[str, Any]) -> None:
    data = f"{row['bytes_hex']} {NOISE[row['protocol']]} {row['bytes_hex']}"
    assert [told(row, f) for f in believed(decode_row({**row, "bytes_hex": data}))] == [wanted(row)] * 2


@pytest.mark.parametrize("row", GOOD, ids=name)
def test_a_cut_row_is_never_believed(row: dict[str, Any]) -> None:
    data = from_hex(row["bytes_hex"])
    cuts = range(1, len(data)) if row["direction"] != "received_line" else range(1, 8)
    for at in cuts:
        answer = to_answer(decode_stream(row["protocol"], data[:at], row["direction"]))
        good = [f for f in answer["frames"] if f.get("valid") is True]
        assert not good, f"cut after {at}: {answer}"


@pytest.mark.parametrize("row", GOOD, ids=name)
def test_one_flipped_bit_is_never_the_same_frame(row: dict[str, Any]) -> None:
    data = bytearray(from_hex(row["bytes_hex"]))
    for at in range(len(data)):
        data[at] ^= 0x04
        answer = decode_row({**row, "bytes_hex": data.hex()})
        assert [told(row, f) for f in believed(answer)] != [wanted(row)] or (row["protocol"] == "alpha" and at < 6)
        data[at] ^= 0x04


DAMAGED = [
    ("modbus_rtu", "01 02 01 05 61 8C", "device_to_host", "checksum"),
    ("modbus_rtu", "07 03 0E 00 01 00 00", "device_to_host", "short"),
    ("modbus_rtu", "01 05 00 02 FF 00 2D FB", "host_to_device", "checksum"),
    ("dcon", "24 30 31 32 42 38 0D", "host_to_device", "checksum"),
    ("dcon", "21 30 31 30 30 30", "device_to_host", "short"),
    ("dcon", "24 30 0D", "host_to_device", "syntax"),
    ("cctalk", "02 00 01 FE FE", "host_to_device", "checksum"),
    ("cctalk", "01 0B 02 00 01 03 01", "device_to_host", "short"),
    ("cctalk", "01 03 72 00 41 53 54 C1", "device_to_host", "checksum"),
    ("alpha", "00 00 00 00 00 01 5A 30 30 02 47 31 31 03 30 30 30 30 04", "host_to_device", "checksum"),
    ("alpha", "00 00 00 00 00 01 5A 30 30 02 47 31 31", "host_to_device", "short"),
    ("alpha", "00 00 01 5A 30 30 02 47 31 31 04", "host_to_device", "preamble"),
    ("stx", "02 31 33 30 30 35 44", "device_to_host", "short"),
    ("sas", "01 80 01 01 00 01 23 45 67 62 C3", "host_to_device", "checksum"),
    ("sas", "01 80 01 01 00 01 23", "host_to_device", "short"),
]


@pytest.mark.parametrize(("protocol", "data", "direction", "reason"), DAMAGED)
def test_damage_is_named(protocol: str, data: str, direction: str, reason: str) -> None:
    answer = decode_row(as_row(protocol, data, direction))
    (frame,) = answer["frames"]
    assert (frame["valid"], frame["reason"], answer["junk_hex"]) == (False, reason, data.replace(" ", ""))


def test_a_tag_that_fits_no_check_is_damaged() -> None:
    answer = decode_row(as_row("stx", "02 31 33 30 30 35 44 31 44 41 35 46 37 03", "device_to_host"))
    assert answer["frames"][0]["valid"] == {"xor": False, "sum": False}
    assert answer["frames"][0]["reason"] == "checksum"


def test_damage_between_good_frames_costs_no_good_one() -> None:
    poll, bad = "02 00 01 FE FF", "02 00 01 FE FE"
    decoded = decode_stream("cctalk", from_hex(poll + bad + poll), "host_to_device")
    assert [f["valid"] for f in decoded.frames] == [True, False, True]
    assert decoded.junk == from_hex(bad)


COUNTERS = [
    ("21 30 31 30 30 30 30 32 0D", {"last_counter": 2, "reset_seen": False}, {"counter": 2, "new": 0}),
    ("21 30 37 30 30 30 30 39 0D", {"last_counter": 2}, {"address": "07", "counter": 9, "new": 7}),
    (
        "21 30 31 30 30 30 30 30 0D",
        {"last_counter": 9, "reset_seen": True},
        {"new": 0, "lost_min": 0, "lost_max": None},
    ),
]


@pytest.mark.parametrize(("data", "state", "expected"), COUNTERS)
def test_dcon_counter(data: str, state: dict[str, Any], expected: dict[str, Any]) -> None:
    (frame,) = decode_row(as_row("dcon", data, "device_to_host", state))["frames"]
    assert {key: frame[key] for key in expected} == expected


def credit(counter: int, *pairs: tuple[int, int]) -> str:
    body = bytes((1, 11, 2, 0, counter)) + b"".join(bytes(pair) for pair in (*pairs, *[(0, 0)] * 5)[:5])
    return (body + bytes((-sum(body) & 0xFF,))).hex()


COIN = {"kind": "coin", "coin": 1, "path": 2}
CREDITS = [
    (credit(7, (1, 2)), 7, {"events": [], "lost_min": 0, "lost_max": 0}),
    (credit(12, *[(1, 2)] * 5), 7, {"events": [COIN] * 5, "lost_min": 0, "lost_max": 0}),
    (credit(14, *[(1, 2)] * 5), 7, {"events": [COIN] * 5, "lost_min": 2, "lost_max": 2}),
    (credit(3, *[(1, 2)] * 3), 254, {"events": [COIN] * 4, "lost_min": 0, "lost_max": 0}),
    (credit(1, (1, 2)), 255, {"events": [COIN], "lost_min": 0, "lost_max": 0}),
    (credit(0), 255, {"events": [], "device_reset": True, "lost_max": None}),
    (credit(9, (1, 2)), None, {"events": [], "baseline": True, "counter": 9}),
]


@pytest.mark.parametrize(("data", "last", "expected"), CREDITS)
def test_cctalk_credit(data: str, last: int | None, expected: dict[str, Any]) -> None:
    (frame,) = decode_row(as_row("cctalk", data, "device_to_host", {"last_counter": last}))["frames"]
    if expected["events"] and last == 254:
        expected = {**expected, "events": [{"kind": "event", "code": 0}, *[COIN] * 3]}
    assert {key: frame[key] for key in expected} == expected


def test_cctalk_reset_then_coins_is_no_wrap() -> None:
    state = {"last_counter": 200, "reset_seen": True}
    (frame,) = decode_row(as_row("cctalk", credit(2, (1, 2), (1, 2)), "device_to_host", state))["frames"]
    assert (frame["device_reset"], frame["events"], frame["lost_min"], frame["lost_max"]) == (True, [], 2, None)


def test_a_conversation_without_direction_keeps_its_counter() -> None:
    ask = "02 00 01 E5 18"
    decoded = decode_stream("cctalk", from_hex(ask + credit(4) + ask + credit(5, (1, 2))))
    assert [f.get("events") for f in decoded.frames] == [None, [], None, [COIN]]
    assert [item.from_host for item in decoded.items] == [True, False, True, False]


ECHOES = [
    ("modbus_rtu", "07 05 00 02 FF 00 2D 9C", "07 05 00 02 FF 00 2D 9C"),
    ("modbus_rtu", "01 0F 00 00 00 08 01 55 3E AA", "01 0F 00 00 00 08 54 0D"),
    ("cctalk", "02 00 01 FE FF", "01 00 02 00 FD"),
    ("cctalk", "02 00 01 E5 18", credit(4)),
    ("dcon", "24 30 31 35 0D", "21 30 31 31 0D"),
]


@pytest.mark.parametrize(("protocol", "request_hex", "reply_hex"), ECHOES)
def test_echo_then_reply(protocol: str, request_hex: str, reply_hex: str) -> None:
    answer = decode_row(as_row(protocol, f"{request_hex} {reply_hex}", "received_line"))
    (frame,) = answer["frames"]
    echo, reply = from_hex(request_hex).hex().upper(), from_hex(reply_hex).hex().upper()
    assert (frame["valid"], frame["echo_hex"], frame["frame_hex"], frame["frames"]) == (True, echo, reply, 1)
    assert (frame["split_anywhere"], answer["echo_hex"], answer["junk_hex"]) == (True, echo, "")


def test_an_echo_that_nothing_answers() -> None:
    (frame,) = decode_row(as_row("cctalk", "02 00 01 FE FF", "received_line"))["frames"]
    assert (frame["frames"], frame["reply"], frame["echo_hex"]) == (0, "none", "020001FEFF")


OTHERS = [
    ("modbus_rtu", "01 83 02 C0 F1", {"function": 3, "exception": 2, "host_action": "configuration fault"}),
    ("modbus_rtu", "01 06 10 00 00 00 8D 0A", {"function": 6, "address": 4096, "value": 0}),
    ("modbus_rtu", "01 10 00 01 00 02 10 08", {"function": 16, "start": 1, "count": 2}),
    ("dcon", "3E 30 46 30 30 0D", {"data": "0F00", "checksum": False}),
    ("dcon", "21 30 46 30 30 30 30 0D", {"data": "0F00"}),
    ("dcon", "21 30 31 37 30 35 30 0D", {"address": "01", "model": "7050"}),
    ("dcon", "7E 2A 2A 0D", {"command": "host ok", "reply": "none"}),
    ("dcon", "23 30 31 30 30 30 35 0D", {"address": "01", "group": "00", "data": "05", "on": [0, 2]}),
    ("dcon", "23 30 31 31 33 30 31 0D", {"address": "01", "channel": 3, "value": True}),
    ("dcon", "21 30 31 38 34 0D", {"address": "01", "tripped": True, "enabled": True}),
    ("dcon", "25 30 31 30 32 32 30 30 36 34 30 0D", {"new_address": "02", "baud_code": "06", "format": "40"}),
    ("dcon", "21 0D", {"ok": False, "error": "ignored"}),
    ("dcon", "3E 0D", {"ok": True}),
    ("dcon", "3E 33 45 0D", {"ok": True, "checksum": True}),
    ("dcon", "21 30 31 41 32 2E 30 0D", {"address": "01", "checksum": False}),
    ("dcon", "21 30 31 30 46 30 30 30 30 0D", {"address": "01", "data": "0F00"}),
    ("cctalk", "02 02 01 E7 05 00 0F", {"coins": [1, 3]}),
    ("cctalk", "01 00 02 06 F7", {"meaning": "busy"}),
    ("alpha", "00" * 20 + "01 30 30 30 02 47 31 35 03 30 30 42 32 04", {"type": "0", "command": "G", "text": "5"}),
    ("alpha", "00 00 00 00 00 01 5A 30 30 02 41 30 04", {"command": "A", "label": "0", "text": ""}),
    ("stx", "02 31 33 30 30 35 44 31 44 41 35 46 36 0D 0A 03", {"tag": "005D1DA5"}),
]


@pytest.mark.parametrize(("protocol", "data", "expected"), OTHERS)
def test_other_frames_in_any_direction(protocol: str, data: str, expected: dict[str, Any]) -> None:
    (frame,) = decode_row(as_row(protocol, data, None))["frames"]
    assert {key: frame.get(key) for key in expected} == expected
    assert frame["valid"] is True or any(frame["valid"].values())


@given(protocol=st.sampled_from(PROTOCOLS), data=st.binary(max_size=300), way=st.sampled_from(
    [None, "host_to_device", "device_to_host", "received_line"]))  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_explained_and_none_is_lost(protocol: str, data: bytes, way: str | None) -> None:
    decoded = decode_stream(protocol, data, way)
    assert b"".join(item.raw for item in decoded.items) == data
    json.dumps(to_answer(decoded))
    assert len(explain(decoded)) >= len(decoded.items)


@given(st.lists(st.sampled_from([*GOOD, None]), max_size=6), st.binary(max_size=5))
@settings(max_examples=100, deadline=None)
def test_damaged_mixtures_of_real_frames_are_explained(rows: list[dict[str, Any] | None], noise: bytes) -> None:
    data = b"".join(noise if row is None else from_hex(row["bytes_hex"]) for row in rows)
    for protocol in PROTOCOLS:
        decoded = decode_stream(protocol, data)
        assert b"".join(item.raw for item in decoded.items) == data


def test_lines_are_explained_as_a_reader_takes_them() -> None:
    data = b"\x02CARD As\r\n\r\nCARD \xff9h\rCARD 1" + b"x" * 300 + b"\nCARD T"
    told = [(part.shown[:8], part.meaning) for part in explain(decode_stream("line", data))]
    assert told == [
        ("02", "noise, 1 bytes"),
        ("43 41 52", "line='CARD As'"),
        ("0D 0A", "noise, 2 bytes"),
        ("43 41 52", "damaged (no text)"),
        ("43 41 52", "damaged (long)"),
        ("43 41 52", "damaged (short)"),
    ]
    assert [item.from_host for item in decode_stream("line", b"JAM\n").items] == [False]


class Drawn:
    """Bytes that are the same in every run."""

    def __init__(self, seed: str) -> None:
        self._seed, self._left, self._turn = seed, b"", 0

    def bytes(self, count: int) -> bytes:
        while len(self._left) < count:
            self._left += hashlib.sha256(f"{self._seed}/{self._turn}".encode()).digest()
            self._turn += 1
        taken, self._left = self._left[:count], self._left[count:]
        return taken

    def below(self, limit: int) -> int:
        return int.from_bytes(self.bytes(4), "big") % limit


def some_frame(protocol: str, direction: str, drawn: Drawn) -> bytes:
    """A good frame of that direction with drawn address and values."""
    asks, address = direction == "host_to_device", 2 + drawn.below(240)
    match protocol:
        case "cctalk" if asks:
            return encode_cctalk(address, (254, 229, 228, 231, 184)[drawn.below(5)], drawn.bytes(drawn.below(3)))
        case "cctalk":
            return encode_cctalk(1, (0, 0, 5, 6)[drawn.below(4)], drawn.bytes(drawn.below(14)), address)
        case "modbus_rtu":
            size = 1 + drawn.below(6)
            reply = bytes((address, 3, 2 * size)) + drawn.bytes(2 * size)
            body = bytes((address, 1 + drawn.below(6), 0, drawn.below(8), 0, 8)) if asks else reply
            return body + crc16(body)
        case "dcon":
            text = f"#{address:02X}{drawn.below(7)}" if asks else f"!{address:02X}{drawn.below(65536):05d}"
            return (text + checksum_of(text) * drawn.below(2)).encode() + b"\r"
        case "sas":
            return encode_sas(LevelAmount(address, 1, drawn.below(9), drawn.below(10**9)))
        case "stx":
            return encode_tag(drawn.bytes(5), "xor" if drawn.below(2) else "sum")
    raise AssertionError(protocol)


@pytest.mark.parametrize("given_direction", [True, False], ids=["direction given", "direction guessed"])
@pytest.mark.parametrize("direction", ["host_to_device", "device_to_host"])
@pytest.mark.parametrize("protocol", ["cctalk", "modbus_rtu", "dcon", "sas", "stx"])
def test_other_addresses_and_values_through_noise_and_cuts(
    protocol: str, direction: str, given_direction: bool
) -> None:
    drawn = Drawn(f"{protocol} {direction}")
    wrong = []
    for _ in range(100):
        first, cut, last = (some_frame(protocol, direction, drawn) for _ in range(3))
        noise = drawn.bytes(1 + drawn.below(4))
        data = noise + first + cut[: 1 + drawn.below(len(cut) - 1)] + last + drawn.bytes(2)
        decoded = decode_stream(protocol, data, direction if given_direction else None)
        found = [item.raw for item in decoded.items if item.good]
        if found != [first, last]:
            wrong.append(data.hex(" "))
    allowed = 2 if protocol == "cctalk" else 0  # an eight-bit sum lets noise pass for a frame now and then
    assert len(wrong) <= allowed, wrong


def test_explained_for_people() -> None:
    data = from_hex("FF 55 02 00 01 FE FF 01 00 02 00 FC")
    noise, sent, bad = explain(decode_stream("cctalk", data))
    assert noise == Explained(0, "FF 55", "", "noise, 2 bytes")
    assert (sent.sender, "checksum='sum8', dst=2, src=1, header=254" in sent.meaning) == ("host", True)
    assert bad.meaning == "damaged (checksum)"


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"protocol": "cctalk"},
        {"protocol": "g2s", "bytes_hex": ""},
        {"protocol": "cctalk", "bytes_hex": "0G"},
        {"protocol": "cctalk", "bytes_hex": "", "direction": "sideways"},
        {"protocol": "dcon", "bytes_hex": "", "expect": {"state_before": {"last_counter": "two"}}},
    ],
)
def test_bad_question(row: dict[str, Any]) -> None:
    with pytest.raises(CaptureError):
        decode_row(row)


@pytest.mark.parametrize("text", ["01 02 ff", "0102FF", "0x01,0x02,0xFF", "01:02:ff", "1 2 FF", "\\x01\\x02\\xff"])
def test_ways_to_write_hex(text: str) -> None:
    assert from_hex(text) == b"\x01\x02\xff"


def test_lines_of_hex_and_of_rows() -> None:
    poll = {"valid": True, "checksum": "sum8", "dst": 2, "src": 1, "header": 254, "data_hex": ""}
    assert decode_line("cctalk", "02 00 01 FE FF\n") == {"frames": [poll], "junk_hex": ""}
    row = json.dumps({"bytes_hex": "02 00 01 FE FF", "direction": "host_to_device"})
    assert decode_line("cctalk", row) == {"frames": [poll], "junk_hex": ""}
    other = json.dumps({"protocol": "dcon", "bytes_hex": "24 30 31 35 0D"})
    assert decode_line("cctalk", other)["frames"][0]["text"] == "$015"
    assert decode_line("cctalk", "") == {"frames": [], "junk_hex": ""}


@pytest.mark.parametrize("line", ["0G", "{", '{"bytes_hex": 5}', '{"bytes_hex": "00", "direction": "up"}', "{" * 5000])
def test_a_line_that_cannot_be_answered(line: str) -> None:
    assert decode_line("cctalk", line)["error"] == "bad_line"
