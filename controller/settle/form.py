"""Reading a hand record: every key known, every value of its kind, every fault by name and place in the file."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, TypeVar

from controller.core.cards import Card, parse_card
from controller.core.refusal import Refusal
from controller.settle.faults import Fault

LARGEST_AMOUNT = 10**12
"""Amounts above this are refused: no table holds them, and a file that does is damaged."""

E = TypeVar("E", bound=Enum)


class RecordFault(Exception):
    """A record that is not answered: `reason` and its `name`, found by us or refused by the game; `at` its place.

    `is_form`: the record itself is wrong (an unknown key, no number); otherwise the hand it tells cannot be.
    """

    def __init__(self, reason: Fault | Refusal, at: str, is_form: bool = True) -> None:
        super().__init__(f"{reason.value} at {at}" if at else reason.value)
        self.reason = reason
        self.name = reason.value
        self.at = at
        self.is_form = is_form


def impossible(reason: Fault | Refusal, at: str) -> RecordFault:
    """A hand that cannot be: the record is well formed, the game forbids what it says."""
    return RecordFault(reason, at, is_form=False)


def no_integer(value: object) -> Fault:
    """What a value is that should be a whole number: a fraction (also `1e3`, NaN), or no number at all."""
    return Fault.NOT_A_WHOLE_NUMBER if isinstance(value, float) else Fault.NOT_A_NUMBER


class Fields:
    """One object of a record; `at` is its place ("seats[0]"), empty for the whole record."""

    def __init__(self, value: object, at: str, known: Collection[str]) -> None:
        if not isinstance(value, dict):
            raise RecordFault(Fault.NOT_AN_OBJECT, at)
        self._values: Mapping[str, Any] = value
        self._at = at
        for key in value:
            if key not in known:
                raise RecordFault(Fault.UNKNOWN_KEY, self.place(key))

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def place(self, key: str) -> str:
        """Where a key of this object stands."""
        return f"{self._at}.{key}" if self._at else str(key)

    def raw(self, key: str) -> Any:
        """A value as it stands; a missing one is a fault."""
        if key not in self._values:
            raise RecordFault(Fault.MISSING_KEY, self.place(key))
        return self._values[key]

    def whole(self, key: str, default: int | None = None, most: int = LARGEST_AMOUNT, least: int = 0) -> int:
        """A whole number between bounds; a fraction, a text or a truth value is none."""
        value = self._values.get(key, default)
        if value is None:
            value = self.raw(key)
        if type(value) is not int:
            raise RecordFault(no_integer(value), self.place(key))
        if value < least:
            raise RecordFault(Fault.NEGATIVE_AMOUNT if value < 0 else Fault.TOO_SMALL, self.place(key))
        if value > most:
            raise RecordFault(Fault.AMOUNT_TOO_LARGE if most == LARGEST_AMOUNT else Fault.TOO_LARGE, self.place(key))
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """True or false."""
        value = self._values.get(key, default)
        if not isinstance(value, bool):
            raise RecordFault(Fault.NOT_TRUE_OR_FALSE, self.place(key))
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """A text."""
        value = self.raw(key) if default is None else self._values.get(key, default)
        if not isinstance(value, str):
            raise RecordFault(Fault.NOT_A_TEXT, self.place(key))
        return value

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        """One of the known words."""
        value = self.text(key, default)
        if value not in choices:
            raise RecordFault(Fault.UNKNOWN_VALUE, self.place(key))
        return value

    def member(self, key: str, kind: type[E], default: E) -> E:
        """One of the words of an Enum."""
        if key not in self._values:
            return default
        return kind(self.choice(key, [each.value for each in kind], default.value))

    def object(self, key: str, known: Collection[str]) -> "Fields":
        """An object inside this one; an absent one is empty."""
        return Fields(self._values.get(key, {}), self.place(key), known)

    def objects(self, key: str, known: Collection[str]) -> Iterator["Fields"]:
        """The objects of a list."""
        value = self.raw(key)
        if not isinstance(value, list):
            raise RecordFault(Fault.NOT_A_LIST, self.place(key))
        for index, each in enumerate(value):
            yield Fields(each, f"{self.place(key)}[{index}]", known)

    def cards(self, key: str) -> tuple[Card, ...]:
        """Cards in one text, or in an object's `cards`; none when the key is absent. Their number is not checked."""
        if isinstance(self._values.get(key), dict):
            return self.object(key, ("cards",))._cards_in("cards")
        return self._cards_in(key)

    def _cards_in(self, key: str) -> tuple[Card, ...]:
        value = self.text(key, "")
        cards: list[Card] = []
        for word in value.replace(",", " ").split():
            card = parse_card(word)
            if card is None:
                raise impossible(Fault.UNKNOWN_CARD, self.place(key))
            cards.append(card)
        return tuple(cards)


class Deck:
    """The cards of a record, each once."""

    def __init__(self) -> None:
        self._seen: set[Card] = set()

    def take(self, cards: Sequence[Card], need: int, at: str) -> tuple[Card, ...]:
        """Cards of one place, none or as many as needed; a wrong number or a card seen before cannot be."""
        if cards and len(cards) != need:
            raise impossible(Fault.WRONG_CARD_COUNT, at)
        for card in cards:
            if card in self._seen:
                raise impossible(Fault.DUPLICATE_CARD, at)
            self._seen.add(card)
        return tuple(cards)
