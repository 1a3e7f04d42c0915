"""The line of a key is where a person would point."""

import pytest

from controller.config.lines import key_lines

TEXT = '''# heading
title = "a # no comment"  # a comment
[site]
"id" = 'x'
dotted.key = 1
text = """
[no.header]
no = "key"
"""
[[tables]]   # first
id = "t1"
list = [
  1, # one
  { a = 1, b = { c = [2, 3] } },
]
[tables.limits]
minimum = 5
[[tables.devices]]
name = "d1"
[[tables.devices]]
name = "d2"
[[tables]]
id = "t2"
[tables.jackpot.prizes]
flush = { fixed = 1_000 }
when = 2026-01-01 10:00:00
last = true'''


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("title",), 2),
        (("site",), 3),
        (("site", "id"), 4),
        (("site", "dotted"), 5),
        (("site", "dotted", "key"), 5),
        (("site", "text"), 6),
        (("tables",), 10),
        (("tables", 0), 10),
        (("tables", 0, "id"), 11),
        (("tables", 0, "list"), 12),
        (("tables", 0, "list", 0), 13),
        (("tables", 0, "list", 1, "a"), 14),
        (("tables", 0, "list", 1, "b", "c", 1), 14),
        (("tables", 0, "limits", "minimum"), 17),
        (("tables", 0, "devices", 0, "name"), 19),
        (("tables", 0, "devices", 1, "name"), 21),
        (("tables", 1), 22),
        (("tables", 1, "jackpot"), 24),
        (("tables", 1, "jackpot", "prizes", "flush", "fixed"), 25),
        (("tables", 1, "jackpot", "prizes", "when"), 26),
        (("tables", 1, "jackpot", "prizes", "last"), 27),
    ],
)
def test_line_of_key(key: tuple[str | int, ...], line: int) -> None:
    assert key_lines(TEXT)[key] == line


def test_nothing_inside_a_string_is_a_key() -> None:
    assert ("no",) not in key_lines(TEXT)
    assert ("site", "no") not in key_lines(TEXT)


def test_line_ends_of_windows_count_once() -> None:
    assert key_lines("a = 1\r\nb = 2\r\n")[("b",)] == 2
