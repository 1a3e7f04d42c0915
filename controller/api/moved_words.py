"""What an entry moved, in amounts: its postings, and the payments that it tells of without any of its own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.api.entry_words import Names, account_said
from controller.api.texts import catalogue

PAYMENTS = ("prize.paid", "prize.advanced")
"""Entries of a payment whose postings are in the table's own chain, beside them."""


def moved_rows(names: Names, entry: Mapping[str, Any], own: str) -> list[tuple[str, str]]:
    """Each amount with the account it went into or came out of, or with whose payment it tells.

    own: the table whose journal it is; "" for another's.
    """
    posted = [(names.exact(micros), account_said(names, account)) for account, micros in entry["postings"]]
    return [*_told(names, entry["kind"], entry["body"], own), *posted]


def _told(names: Names, kind: str, body: Mapping[str, Any], own: str) -> Iterator[tuple[str, str]]:
    texts = catalogue(names.language)
    if kind in PAYMENTS:
        yield names.amount(body["amount_minor"]), texts.text("moved.cash")
    record = body.get("record")
    told = record["body"] if isinstance(record, Mapping) and record.get("kind") == "paid" else body
    rows: Sequence[Any] = told["rows"] if kind == "host.paid" or told is not body else ()
    for row, minor, *beside in rows:
        table = row.partition("/")[0]
        whose = names.prize_name(row) if table == own else f"{names.table_name(table)}, {names.prize_name(row)}"
        yield names.amount(minor + sum(beside)), texts.text("moved.cash_of", whose=whose)
