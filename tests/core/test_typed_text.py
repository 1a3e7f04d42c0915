"""What is no reason, and which signs nobody sees."""

import unicodedata

import pytest

from controller.core.typed_text import BLANK_LETTERS, is_plain, is_reason, made_plain, says_something

BLANKS = (
    "",
    "    ",
    "\u00a0" * 5,
    "\u200b" * 4,
    "\u2800" * 4,
    "\u3164" * 4,
    "\u115f" * 9,
    "\0" * 4,
    "....",
    "\u0301" * 4,
)
HIDDEN = (
    "\0",
    "\x1b",
    "\r",
    "\t",
    "\x7f",
    "\x85",
    "\u200b",
    "\u200e",
    "\u202e",
    "\u2066",
    "\u2028",
    "\ufeff",
    "\ud800",
)


@pytest.mark.parametrize("text", [*BLANKS, "abc", "a b c", "¿?¡!", "a\u3164b\u3164c"])
def test_what_cannot_be_read_is_no_reason(text: str) -> None:
    assert not is_reason(text)


@pytest.mark.parametrize("text", ["roto", " r o t o ", "n° 417", "Ñandú", "4170", "中文说明"])
def test_four_letters_or_digits_are_a_reason(text: str) -> None:
    assert is_reason(text) and is_plain(text)


@pytest.mark.parametrize("text", BLANKS)
def test_blanks_say_nothing(text: str) -> None:
    assert not says_something(text)
    assert says_something(f"{text}x{text}")


@pytest.mark.parametrize("sign", HIDDEN)
def test_a_sign_that_is_not_seen_is_found_and_replaced(sign: str) -> None:
    assert not is_plain(f"Mesa {sign}1") and is_plain(made_plain(f"Mesa {sign}1"))


def test_lines_are_for_reasons_alone() -> None:
    assert is_plain("una\notra", lines=True) and not is_plain("una\notra")
    assert not is_plain("una\r\notra", lines=True)


def test_blank_letters_are_those_that_unicode_draws_as_nothing() -> None:
    assert {unicodedata.name(sign).split()[-1] for sign in BLANK_LETTERS} == {"FILLER", "BLANK"}
