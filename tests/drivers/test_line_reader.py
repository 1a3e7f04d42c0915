"""Tags and lines: both checks, every split, noise, age, patterns, repeats, and a real pseudo-terminal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.device import DriverError, PortEvent, SetAccepting, SettingsError
from drivers.events import LineRead, LinkState, SensorFault
from drivers.line_reader import PROTOCOL, Settings, build
from drivers.line_reader.codec import (
    MAX_LINE,
    MAX_TAG,
    LineCodec,
    LineFrame,
    TagCodec,
    encode_tag,
    parse_tag,
)
from drivers.line_reader.sim import Sim
from drivers.simulator import Faults, SimLine
from tests.drivers.lines import running, tasks
from tests.drivers.streams import check_any_bytes, check_codec, frames

RDM6300 = bytes.fromhex("02 31 33 30 30 35 44 31 44 41 35 46 36 03")
SUMMED = bytes.fromhex("02 32 45 30 30 41 46 30 45 43 39 42 34 03")
ID12LA = bytes.fromhex("02 31 33 30 30 35 44 31 44 41 35 46 36 0D 0A 03")


@given(number=st.binary(min_size=5, max_size=5), crlf=st.booleans())
def test_a_tag_is_read_as_it_was_written(number: bytes, crlf: bool) -> None:
    for check in ("xor", "sum"):
        tag = parse_tag(encode_tag(number, check, crlf))
        assert tag is not None
        assert bytes.fromhex(tag.version + tag.tag) == number
        assert tag.valid_xor if check == "xor" else tag.valid_sum


def test_only_the_configured_check_is_believed() -> None:
    for check, good, bad in (("xor", RDM6300, SUMMED), ("sum", SUMMED, RDM6300)):
        codec = TagCodec(check)  # type: ignore[arg-type]  # a literal
        answer = codec.feed(bad + good, 0.0)
        assert [frame.raw for frame in answer.frames] == [good]
        assert answer.junk == bad
        assert codec.counters.bad_check == 1


def test_tags_whole_byte_by_byte_cut_anywhere_and_with_noise() -> None:
    good = [(raw, parse_tag(raw)) for raw in (RDM6300, ID12LA, RDM6300)]
    for noise in (b"\xff\x00", b"\x02", b"\x0213005D", b"\x0213005D1DAZ\x03", b"\x0313"):
        check_codec(TagCodec, good, noise)


def test_lines_whole_byte_by_byte_cut_anywhere_and_with_noise() -> None:
    good = [(text + end, LineFrame(text.decode(), text + end[:1])) for text, end in
            ((b"CAs", b"\r\n"), (b"JAM 1", b"\r"), (b"READY", b"\n"))]  # fmt: skip
    check_codec(LineCodec, good, b"\x00\xff", settle=b"")
    check_codec(LineCodec, good, b"CA\xffs", settle=b"\r\n")


@given(st.lists(st.one_of(st.binary(max_size=20), st.just(RDM6300[:9])), max_size=12))
def test_any_bytes(parts: list[bytes]) -> None:
    check_any_bytes(TagCodec, parts, MAX_TAG)
    check_any_bytes(LineCodec, parts, MAX_LINE)


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=MAX_LINE))
def test_a_line_is_read_as_it_was_written(text: str) -> None:
    codec = LineCodec()
    assert [line.text for line in frames(codec, codec.encode(text))] == [text]


def test_a_part_older_than_200_ms_is_junk() -> None:
    codec = LineCodec()
    assert frames(codec, b"CA", at_s=0.0) == []
    late = codec.feed(b"Kd\r", 0.21)
    assert (late.junk, [line.text for line in late.frames]) == (b"CA", ["Kd"])
    tags = TagCodec()
    assert frames(tags, RDM6300[:5], at_s=0.0) == []
    assert frames(tags, RDM6300[5:], at_s=0.21) == []
    assert frames(tags, RDM6300, at_s=0.5) == [parse_tag(RDM6300)]


@pytest.mark.parametrize(
    ("sent", "texts"),
    [
        (b"CA\xffs\rCKd\r", ["CKd"]),
        (b"x" * 257 + b"\rCKd\r", ["CKd"]),
        (b"x" * 300 + b"CKd\r", []),
        (b"\x02CKd\r", ["CKd"]),
        (b"\r\n\r\nCKd\r\n", ["CKd"]),
        (b"y" * 256 + b"\r", ["y" * 256]),
    ],
)
def test_the_rest_of_a_damaged_line_is_no_line(sent: bytes, texts: list[str]) -> None:
    assert [line.text for line in frames(LineCodec(), sent)] == texts


PATTERNS = {
    "card_dealt": "C(?P<rank>[2-9TJQKA])(?P<suit>[shdc])",
    "card_shown": "S(?P<rank>[2-9TJQKA])(?P<suit>[shdc])",
    "deck_ready": "READY",
    "card_count": "COUNT (?P<count>[0-9]{1,3})",
    "jam": "JAM(?: (?P<where>[A-Z]+))?",
    "shuffle_done": "DONE",
}


def reader(memory: dict[str, Any] | None = None, **settings: Any) -> Any:
    device = build("shoe", Settings.from_dict({"patterns": PATTERNS, **settings}), memory)
    device.on_port(PortEvent.OPENED, 0.0)
    return device


def told(device: Any, sent: bytes, now_s: float = 1.0) -> list[Any]:
    return [event for frame in device.codec.feed(sent, now_s).frames for event in device.on_frame(frame, now_s)]


@pytest.mark.parametrize(
    ("sent", "kind", "fields"),
    [
        (b"CAs\r\n", "card_dealt", {"rank": "A", "suit": "s"}),
        (b"STd\r", "card_shown", {"rank": "T", "suit": "d"}),
        (b"READY\n", "deck_ready", {}),
        (b"COUNT 52\r\n", "card_count", {"count": "52"}),
        (b"JAM\r\n", "jam", {}),
        (b"JAM EXIT\r\n", "jam", {"where": "EXIT"}),
        (b"DONE\r\n", "shuffle_done", {}),
    ],
)
def test_a_configured_line_becomes_an_event(sent: bytes, kind: str, fields: dict[str, str]) -> None:
    (event,) = told(reader(), sent)
    assert isinstance(event, LineRead)
    assert (event.kind, event.fields, event.event_id, event.raw) == (
        kind,
        fields,
        "shoe/all/1/1",
        sent[:-1] if sent.endswith(b"\r\n") else sent,
    )


def test_repeats_within_a_second_are_one_event() -> None:
    device = build("rfid", Settings(form="tag"), None)
    counts = [len(told(device, RDM6300, at_s)) for at_s in (1.0, 1.05, 1.9, 2.1, 2.15)]
    assert counts == [1, 0, 0, 1, 0]
    lines = reader()
    assert [len(told(lines, line, 1.0)) for line in (b"CAs\r", b"CAs\r", b"CKs\r", b"CAs\r")] == [1, 0, 1, 0]


def test_an_unknown_line_is_told_once_and_never_quoted() -> None:
    device = reader()
    (fault,) = told(device, b"%B4111111111111111^X\r")
    assert isinstance(fault, SensorFault)
    assert (fault.code, fault.attention, "4111" in fault.detail) == ("unknown_line", False, False)
    assert told(device, b"CAsX\r") == []
    assert len(told(device, b"CAs\r")) == 1
    assert len(told(device, b"???\r")) == 1


def test_each_start_is_a_new_epoch_and_another_serial_starts_at_one() -> None:
    first = reader()
    told(first, b"CAs\r")
    second = reader(first.memory())
    assert told(second, b"CAs\r")[0].event_id == "shoe/all/2/1"
    assert reader(first.memory(), serial="other").memory()["epoch"] == 1


def test_private_kinds_keep_their_bytes_to_themselves() -> None:
    device = reader(patterns={"member": "M(?P<id>[0-9]{4})"}, private=["member"])
    assert told(device, b"M1234\r")[0].raw == b""


def test_a_reader_is_up_with_its_port_and_takes_no_commands() -> None:
    device = reader()
    assert device.identified
    assert (device.due_s(), device.next_request(0.0), PROTOCOL) == (None, None, "stx")
    device.on_port(PortEvent.LOST, 1.0)
    assert not device.identified
    with pytest.raises(DriverError):
        device.command(SetAccepting(True), 0.0)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"form": "tag", "patterns": {"a": "b"}},
        {"patterns": {"a": "("}},
        {"patterns": {"a": ".*"}},
        {"patterns": {"a": 5}},
        {"patterns": {"a": "b"}, "private": ["c"]},
        {"patterns": {"a": "b"}, "part_s": 0},
    ],
)
def test_bad_settings(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        Settings.from_dict(settings)


@pytest.mark.parametrize(
    "faults", [Faults(), Faults(bytewise=True), Faults(repeat=1000)], ids=["clean", "bytes", "twice"]
)
async def test_a_shoe_over_a_pseudo_terminal(faults: Faults) -> None:
    sim = Sim(line=SimLine(faults=faults))
    cards = ["CAs", "CKd", "C2c"]
    device = build("shoe", Settings.from_dict({"patterns": PATTERNS, "part_s": 30.0}), None)
    async with tasks(sim.run()), running(sim.path, device) as seen:
        await seen.up("shoe")
        for card in cards:
            await sim.read_line(card)
        await seen.until(lambda: len(seen.of(LineRead)) == 3)
        sim.line.unplug()
        await seen.until(lambda: seen.states("shoe") == [LinkState.UP, LinkState.DOWN])
    assert ["C" + e.fields["rank"] + e.fields["suit"] for e in seen.of(LineRead)] == cards


async def test_tags_through_noise_are_never_another_tag() -> None:
    sim = Sim(line=SimLine(faults=Faults(flip_bit=20, drop_byte=10, noise=200, seed=3)))
    device = build("rfid", Settings(form="tag", once_s=0.0), None)
    async with tasks(sim.run()), running(sim.path, device) as seen:
        await seen.up("rfid")
        await sim.read_tag(0x13, 0x005D1DA5, times=30)
        sim.line.faults = Faults()
        await sim.read_tag(0x2E, 0x00AF0EC9)
        await seen.until(lambda: any(e.fields["tag"] == "00AF0EC9" for e in seen.of(LineRead)))
    assert {e.fields["tag"] for e in seen.of(LineRead)} == {"005D1DA5", "00AF0EC9"}
    assert len(seen.of(LineRead)) > 5
    assert device.codec.counters.junk_bytes > 0
