"""Alpha packets: an independent encoder and reader, every split, noise, damage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from readerboard.protocol import frames as oracle
from readerboard.protocol import replies as reply_oracle

from drivers.alpha_sign.codec import (
    MAX_PACKET,
    AlphaBlock,
    AlphaCodec,
    AlphaCommand,
    AlphaPacket,
    Other,
    ReadString,
    SetMemory,
    WriteString,
    WriteText,
    encode,
    parse,
    read_command,
    string_file,
    text_file,
)
from tests.drivers.streams import check_any_bytes, check_codec

SAME = [
    (WriteText("A", "JACKPOT $\x101"), oracle.write_text_file(b"A", b"JACKPOT $\x101")),
    (WriteText("0", "WINNER"), oracle.write_text_file(b"0", b"WINNER")),
    (WriteText("0", "", None, None), oracle.clear_priority_file()),
    (WriteString("1", "12,345.67"), oracle.write_string_file(b"1", b"12,345.67")),
    (ReadString("1"), oracle.read_string_file(b"1")),
    (
        SetMemory((text_file("A", 256), string_file("1", 32))),
        oracle.set_memory_config([oracle.FileAllocation(b"A", 256), oracle.FileAllocation.string(b"1", 32)]),
    ),
    (SetMemory(()), oracle.clear_memory()),
    (Other("E.", "SUA"), oracle.set_run_sequence([b"A"])),
    (Other("E,", ""), oracle.write_special(b",")),
]


@pytest.mark.parametrize(("command", "payload"), SAME)
def test_same_bytes_as_another_program(command: AlphaCommand, payload: bytes) -> None:
    assert encode(command, "^") == oracle.packet(payload)
    packet = parse(oracle.packet(payload))
    assert packet is not None
    assert packet == AlphaPacket("^", "00", (AlphaBlock(command),))


def test_a_reply_is_read_by_another_program_and_by_us() -> None:
    body = WriteString("1", "12,345.67").encode().encode()
    total = 2 + sum(body) + 3
    raw = b"\0" * 20 + b"\x01000\x02" + body + b"\x03" + f"{total:04X}".encode() + b"\x04"
    assert reply_oracle.unwrap(raw, b"1", command=b"G") == b"12,345.67"
    packet = parse(raw)
    assert packet is not None
    assert (packet.type, packet.commands) == ("0", (WriteString("1", "12,345.67"),))


text = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=60)
label = st.sampled_from("123ABC")


@given(st.one_of(st.builds(WriteString, label, text), st.builds(WriteText, label, text)), st.booleans())
def test_a_command_is_read_as_it_was_written(command: AlphaCommand, checksum: bool) -> None:
    packet = parse(encode(command, checksum=checksum))
    assert packet is not None
    assert packet.commands == (command,)


def test_several_commands_in_one_transmission() -> None:
    total = 2 + sum(b"G1a") + 3
    raw = b"\0" * 5 + b"\x01Z00\x02G1a\x03" + f"{total:04X}".encode() + b"\x02G2b\x04"
    packet = parse(raw)
    assert packet is not None
    assert packet.commands == (WriteString("1", "a"), WriteString("2", "b"))


@pytest.mark.parametrize("data", ["", "A", "G", "E", "E$", "E$xyz", "H12", "A\x1b", "ZZ"])
def test_any_text_between_stx_and_eot_is_some_command(data: str) -> None:
    assert read_command(data).encode() == data


def test_whole_byte_by_byte_cut_anywhere_and_with_noise() -> None:
    packets = [encode(WriteString("1", "5"), checksum=True), encode(SetMemory((text_file("A", 64),)), "^")]
    good = [(raw, parse(raw)) for raw in packets]
    check_codec(AlphaCodec, good, b"\xff\x01\x00\x00A\x04")
    check_codec(AlphaCodec, good, b"\0\0\0\0\0\x01Z00\x02G1half")


@given(st.lists(st.one_of(st.binary(max_size=30), st.just(b"\0" * 6 + b"\x01Z00\x02")), max_size=12))
def test_any_bytes(parts: list[bytes]) -> None:
    check_any_bytes(AlphaCodec, parts, MAX_PACKET)


@pytest.mark.parametrize(
    "raw",
    [
        b"\0" * 4 + b"\x01Z00\x02G15\x04",
        b"\0" * 5 + b"\x01Z0\x02G15\x04",
        b"\0" * 5 + b"\x01Z00\x02G15\x030000\x04",
        b"\0" * 5 + b"\x01Z00\x02G1\xb5\x04",
        b"\0" * 5 + b"\x01Z00\x02\x04",
    ],
    ids=["too few NUL", "short address", "bad sum", "eighth bit", "no command"],
)
def test_damaged_packets_are_not_believed(raw: bytes) -> None:
    codec = AlphaCodec()
    answer = codec.feed(raw, 0.0)
    assert (list(answer.frames), answer.junk) == ([], raw)


@pytest.mark.parametrize(
    "bad", [lambda: string_file("0", 5), lambda: string_file("1", 126), lambda: string_file("?", 5)]
)
def test_files_that_a_sign_refuses(bad: object) -> None:
    with pytest.raises(ValueError, match="STRING"):
        bad()  # type: ignore[operator]  # a lambda


def test_control_characters_are_not_sent() -> None:
    with pytest.raises(ValueError, match="control"):
        encode(WriteString("1", "a\x04b"))
