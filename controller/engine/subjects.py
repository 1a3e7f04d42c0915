"""What entries are about, by which a journal finds them again however old they are."""

from collections.abc import Iterator, Mapping
from typing import Any

SLIPS = "slips"
"""Every slip's entries."""
PEOPLE = "people"
"""Who came to the controller, and what they opened and took there."""
SETTINGS = "settings"
"""What happened to the table's settings."""
NAMING = ("hand", "prize", "row", "rows", "name", "record", "act")
"""The fields of a body in which a hand may be named."""
OWN = ""
"""The table of a hand that a body names by its number alone: the one whose journal it is."""

Hands = tuple[tuple[str, int], ...]


def of_hand(number: int) -> str:
    """The subject of a hand's entries, of whichever table."""
    return f"hand {number}"


def of_prize(prize_id: str) -> str:
    """The subject of a prize's entries."""
    return f"prize {prize_id}"


def hands_of(body: Mapping[str, Any]) -> Hands:
    """The hands that an entry tells of, as (table, number), each once: by number, prize, row, claim, record or act.

    What has another form than those who write it give it names no hand.
    """
    return tuple(dict.fromkeys(_hands(body)))


def _hands(body: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    if type(body.get("hand")) is int:
        yield OWN, body["hand"]
    for told in (body.get("prize"), body.get("row"), *_firsts(body.get("rows"))):
        yield from _of_prize(told)
    yield from _of_claim(body.get("name"))
    record = body.get("record")
    if isinstance(record, Mapping) and isinstance(record.get("body"), Mapping):
        yield from _of_record(record["body"])
    act = body.get("act")
    if isinstance(act, Mapping) and isinstance(act.get("event"), Mapping):
        kind, _, target = str(act.get("target", "")).partition(":")
        for table, hand in hands_of(act["event"]):
            yield table or (target if kind == "table" else OWN), hand


def _of_record(body: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """A record of a carousel's ledger: the claim that it answers, what else it grants, the rows that were paid."""
    yield from _of_claim(body.get("name"))
    granted = body.get("granted")
    for each in granted if isinstance(granted, list | tuple) else (granted,):
        if isinstance(each, Mapping):
            yield from _of_claim(each.get("name"))
    if isinstance(body.get("key"), str):  # `table/incarnation/hand` of an award that was settled
        yield from _of_prize(f"{body['key']}/0")
    for told in _firsts(body.get("rows")):
        yield from _of_prize(told)


def _of_claim(name: object) -> Iterator[tuple[str, int]]:
    if isinstance(name, Mapping) and type(name.get("hand")) is int:
        yield str(name.get("table", OWN)), name["hand"]


def _firsts(rows: object) -> tuple[object, ...]:
    """What rows as `[[name, amount], …]` name; rows of another form name none."""
    if not isinstance(rows, list | tuple):
        return ()
    return tuple(each[0] for each in rows if isinstance(each, list | tuple) and each)


def _of_prize(told: object) -> Iterator[tuple[str, int]]:
    """The hand of a prize: `table/incarnation/hand/seat` of the carousel, `hand-draw` of a draw."""
    if not isinstance(told, str):
        return
    parts = told.split("/")
    table, number = (parts[0], parts[2]) if len(parts) == 4 else (OWN, told.partition("-")[0])
    if number.isdecimal() and number.isascii() and len(number) < 17:
        yield table, int(number)
