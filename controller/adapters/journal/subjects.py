"""What rows are about, read from kind and body, and the mentions that lead to them.

A hand has many entries close to each other and every bet is one of them, so only every now and then one is written
down: a mention of a hand stands for the `SPAN` entries from there on. Other subjects are mentioned by every entry.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec

from controller.engine import subjects

SPAN = 32
"""Entries, the mentioned one included, among which others about the same hand are not mentioned again."""
_GROUPS = {
    "slip": subjects.SLIPS,
    "login": subjects.PEOPLE,
    "access": subjects.PEOPLE,
    "settings": subjects.SETTINGS,
}
"""Subjects of every entry whose kind begins with a word."""


_may_name = re.compile(rb'"(?:hand":|prize":|row":"|rows":\[\["|key":")').search
"""How canonical JSON writes the fields that name a hand; most entries of a host have none of them."""


class _Named(msgspec.Struct, gc=False):
    """Of a body what may name a subject; whatever else it may be is not of interest here."""

    hand: Any = None
    prize: Any = None
    row: Any = None
    rows: Any = None
    name: Any = None
    record: Any = None
    act: Any = None


_named = msgspec.json.Decoder(_Named).decode


def subjects_of(kind: str, body: bytes) -> list[str]:
    """The subjects of an entry of this kind and canonical body, its hands first; none of a body that is damaged."""
    found: list[str] = []
    if _may_name(body):
        try:
            named = _named(body)
        except msgspec.DecodeError:
            return []
        if type(named.hand) is int and named == _Named(named.hand):  # a bet, a card: nearly all of a table's entries
            found.append(subjects.of_hand(named.hand))
        else:
            told = {field: value for field in subjects.NAMING if (value := getattr(named, field)) is not None}
            found += dict.fromkeys(subjects.of_hand(number) for _, number in subjects.hands_of(told))
        if type(named.prize) is str:
            found.append(subjects.of_prize(named.prize))
    if group := _group_of(kind):
        found.append(group)
    return found


@cache
def _group_of(kind: str) -> str:
    return _GROUPS.get(kind.partition(".")[0], "")


def is_hand(subject: str) -> bool:
    """Whether a mention of it stands for the entries after it, too."""
    return subject.startswith("hand ")


class Mentions:
    """Mentions of entries as they are appended. What it remembers only spares rows: forgetting costs one more."""

    def __init__(self) -> None:
        self._hand, self._until = "", 0

    def of(self, entries: Iterable[tuple[int, str, bytes]]) -> list[tuple[str, int]]:
        """(subject, seq) of entries in order, each as its seq, kind and body."""
        found = []
        for seq, kind, body in entries:
            for subject in subjects_of(kind, body):
                if is_hand(subject):
                    if subject == self._hand and seq < self._until:
                        continue
                    self._hand, self._until = subject, seq + SPAN
                found.append((subject, seq))
        return found

    def forget(self) -> None:
        """What was mentioned last may not be stored."""
        self._hand, self._until = "", 0
