"""The last frames of a device: bounded, repetitions counted, bursts told apart, secrets never kept."""

from __future__ import annotations

from drivers.frame_log import KEPT, LONGEST, FrameLog, Outcome
from drivers.line_reader import Settings as ReaderSettings
from drivers.line_reader import build as reader
from drivers.simulator import SimLine
from tests.drivers.lines import running, tasks

ASK, ANSWER, OTHER = b"\x01\x02", b"\x01\x02\x03", b"\x01\x02\x04"


def told(log: FrameLog, now_s: float = 100.0) -> list[tuple[bytes, bytes, int]]:
    return [(each.sent, each.heard, each.times) for each in log.newest_first(now_s)]


def test_an_exchange_that_repeats_is_counted_and_stands_where_it_was_last() -> None:
    log = FrameLog()
    for at_s in range(3):
        log.asked(at_s, ASK, ANSWER, Outcome.ANSWERED)
    log.asked(3, ASK, OTHER, Outcome.ANSWERED)
    log.asked(4, ASK, b"", Outcome.SILENT)
    log.asked(5, ASK, ANSWER, Outcome.ANSWERED)
    assert told(log) == [(ASK, ANSWER, 4), (ASK, b"", 1), (ASK, OTHER, 1)]
    newest = log.newest_first(6)[0]
    assert (newest.first_s, newest.at_s) == (0, 5)


def test_the_rare_one_stays_while_polls_repeat_and_the_oldest_goes() -> None:
    log = FrameLog()
    log.asked(0, ASK, b"", Outcome.SILENT)
    for at_s in range(10_000):
        log.asked(at_s, ASK, ANSWER, Outcome.ANSWERED)
    assert (ASK, b"", 1) in told(log)
    for number in range(KEPT):
        log.asked(number, number.to_bytes(2, "big"), b"", Outcome.SENT)
    assert len(told(log)) == KEPT and (ASK, b"", 1) not in told(log)


def test_what_is_heard_is_told_apart_by_silence_and_never_counted_together() -> None:
    log = FrameLog()
    for at_s in (0.0, 1.0):
        log.hear(at_s, b"CARD ")
        log.hear(at_s + 0.1, b"As\r\n")
    assert told(log, 1.15) == [(b"", b"CARD As\r\n", 1)], "the second may still go on"
    assert told(log, 2.0) == [(b"", b"CARD As\r\n", 1)] * 2


def test_noise_without_end_takes_no_more_room() -> None:
    log = FrameLog()
    for turn in range(1000):
        log.hear(turn * 0.01, bytes(500))
        log.asked(turn * 0.01, ASK, bytes(9000), Outcome.SILENT)
    noted = log.newest_first(10_000)
    assert len(noted) <= KEPT and all(len(each.heard) <= LONGEST for each in noted)
    assert {each.cut for each in noted if each.outcome is Outcome.SILENT} == {9000 - LONGEST}


async def test_of_a_reader_of_private_data_only_what_is_none_is_kept() -> None:
    line = SimLine()
    patterns = {"track": "%B(?P<number>[0-9]+)", "barcode": "(?P<code>[A-Z]+)"}
    device = reader("door", ReaderSettings(patterns=patterns, private=("track",)), None)
    async with tasks(line.run()), running(line.path, device) as seen:
        await seen.up("door")
        for text in (b"%B4111111111111111\r\n", b"4111111111\r\n", b"%B41111", b"\r\nTICKET\r\n"):
            await line.say(text)
        await seen.until(lambda: bool(seen.bus.frames("door")))
        assert [each.heard for each in seen.bus.frames("door")] == [b"TICKET\r"]


async def test_a_reader_without_private_kinds_shows_the_line_that_fits_nothing() -> None:
    line = SimLine()
    device = reader("shoe", ReaderSettings(patterns={"card": "CARD (?P<card>..)"}), None)
    async with tasks(line.run()), running(line.path, device) as seen:
        await seen.up("shoe")
        await line.say(b"KARTE As\r\n")
        await seen.until(lambda: bool(seen.bus.frames("shoe")))
        assert [each.heard for each in seen.bus.frames("shoe")] == [b"KARTE As\r\n"]
