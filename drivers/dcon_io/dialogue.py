"""What can be said to a DCON module, and which line is the reply to it.

Replies carry no hint of their question, so each has a shape of its own; `$AA2` is the only one of nine characters and
serves to get in step again after a lost reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

from drivers.dcon_io.codec import Frame

Accepts = Callable[[Frame], bool]


class Asked(Enum):
    """What is on the line: name for people. Pages are of the ICP DAS I-7000 DIO manual B1.2."""

    CONFIG = "configuration ($AA2, p. 30)"
    NAME = "module name ($AAM, p. 43)"
    RESET = "reset status ($AA5, p. 36)"
    GUARD_STATUS = "watchdog status (~AA0, p. 47)"
    GUARD_CLEAR = "watchdog reset (~AA1, p. 48)"
    GUARD_SET = "watchdog time (~AA3EVV, p. 51)"
    HOST_OK = "host OK (~**, p. 46)"
    WRITE = "outputs to write (#AABBDD, p. 34)"
    LEVELS = "inputs and outputs ($AA6, p. 37)"
    COUNTER = "counter (#AAN, p. 33)"
    LATCHES = "latches ($AALS, p. 41)"
    CLEAR = "latch clear ($AAC, p. 42)"


_QUESTIONS = {
    Asked.CONFIG: "${a}2",
    Asked.NAME: "${a}M",
    Asked.RESET: "${a}5",
    Asked.GUARD_STATUS: "~{a}0",
    Asked.GUARD_CLEAR: "~{a}1",
    Asked.GUARD_SET: "~{a}31{x}",
    Asked.HOST_OK: "~**",
    Asked.WRITE: "#{a}00{x}",
    Asked.LEVELS: "${a}6",
    Asked.COUNTER: "#{a}{x}",
    Asked.LATCHES: "${a}L{x}",
    Asked.CLEAR: "${a}C",
}

_REPLIES = {
    Asked.CONFIG: r"!{a}[0-9A-F]{{6}}",
    Asked.NAME: r"!{a}.+",
    Asked.RESET: r"!{a}[01]",
    Asked.GUARD_STATUS: r"!{a}[0-9A-F]{{2}}",
    Asked.GUARD_CLEAR: r"!{a}",
    Asked.GUARD_SET: r"!{a}",
    Asked.WRITE: r"[>!]",
    Asked.LEVELS: r"!(?:{a})?[0-9A-F]{{4}}00",
    Asked.COUNTER: r"!{a}[0-9]{{5}}",
    Asked.LATCHES: r"!(?:{a})?[0-9A-F]{{4}}00",
    Asked.CLEAR: r"!{a}",
}


def question(asked: Asked, address: str, extra: str = "") -> str:
    """The request without checksum."""
    return _QUESTIONS[asked].format(a=address, x=extra)


def reply_to(asked: Asked, address: str) -> Accepts:
    """True for the reply to `asked`, or the module's `?AA`."""
    good = re.compile(_REPLIES[asked].format(a=address))
    invalid = f"?{address}"

    def accepts(frame: Frame) -> bool:
        return frame.text == invalid or good.fullmatch(frame.text) is not None

    return accepts


def data_bytes(text: str) -> tuple[int, int]:
    """The two bytes of a `$AA6` or `$AALS` reply, with or without address before them: told by its length."""
    data = text[-6:-2]
    return int(data[:2], 16), int(data[2:], 16)
