"""The JSON of hand records: each key once, and what is no such JSON is told with its place."""

import json
from typing import Any

from controller.settle import Fault, RecordFault

DIGITS_KEPT = 1_000
"""Of a number of thousands of digits so many are read: it is too large anyway, and is refused where it stands."""


class _KeyTwice(Exception):
    """An object has a key twice; where it is in the document, its reader does not know."""


class _Twice(dict[str, Any]):
    """An object with a key twice, in a document that is read again to find it."""

    def __init__(self, pairs: list[tuple[str, Any]], key: str) -> None:
        super().__init__(pairs)
        self.key = key


def parse(text: bytes) -> Any:
    """JSON in UTF-8 in which no key stands twice; raises RecordFault with the line and column, or the key's path."""
    try:
        document = text.decode("utf-8-sig")
        return json.loads(document, object_pairs_hook=_object, parse_int=_whole)
    except UnicodeDecodeError as problem:
        raise RecordFault(Fault.NOT_UTF8, f"byte {problem.start}") from problem
    except json.JSONDecodeError as problem:
        raise RecordFault(Fault.NOT_JSON, f"line {problem.lineno} column {problem.colno}") from problem
    except RecursionError as problem:
        # Nested deeper than anything can be read: the value that begins there is no record.
        raise RecordFault(Fault.NOT_JSON, "line 1 column 1") from problem
    except _KeyTwice as problem:
        raise RecordFault(Fault.DUPLICATE_KEY, _place_of_twice(document)) from problem


def _whole(digits: str) -> int:
    return int(digits if len(digits) <= DIGITS_KEPT else digits[:DIGITS_KEPT])


def _key_twice(pairs: list[tuple[str, Any]]) -> str | None:
    keys = [key for key, _ in pairs]
    return next((key for key in keys if keys.count(key) > 1), None)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise _KeyTwice
    return values


def _marked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    key = _key_twice(pairs)
    return dict(pairs) if key is None else _Twice(pairs, key)


def _place_of_twice(document: str) -> str:
    """The path of the first key that stands twice, the outermost first."""
    waiting: list[tuple[str, Any]] = [("", json.loads(document, object_pairs_hook=_marked, parse_int=_whole))]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, _Twice):
            return f"{at}.{value.key}" if at else value.key
        if isinstance(value, dict):
            waiting += [(f"{at}.{key}" if at else key, below) for key, below in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [(f"{at}[{index}]", below) for index, below in reversed(list(enumerate(value)))]
    raise AssertionError("a key that stood twice a moment ago")
