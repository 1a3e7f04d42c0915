"""What people type: whether it says anything, and whether it holds signs that nobody sees."""

import unicodedata

LEAST = 4
"""Letters or digits of a reason."""
HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of what is not seen or changes what is: control, format (direction, no width), half signs,
ends of lines."""
BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that are drawn as nothing."""
INSTEAD = "\ufffd"


def letters_in(text: str) -> int:
    """How many letters and digits a reader sees; blanks and signs without a width or a form are none."""
    return sum(unicodedata.category(sign)[0] in "LN" and sign not in BLANK_LETTERS for sign in text)


def is_reason(text: str) -> bool:
    """Whether a reason has so much to read that it may be one."""
    return letters_in(text) >= LEAST


def says_something(text: str) -> bool:
    """Whether there is anything to read at all."""
    return letters_in(text) > 0


def is_plain(text: str, *, lines: bool = False) -> bool:
    """Whether everything in a text is seen as it is; `lines`: it may have several."""
    return not any(unicodedata.category(sign) in HIDDEN and not (lines and sign == "\n") for sign in text)


def made_plain(text: str) -> str:
    """A text of a stranger, to be told: what is not seen is replaced."""
    return "".join(INSTEAD if unicodedata.category(sign) in HIDDEN else sign for sign in text)
