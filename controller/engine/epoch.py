"""Who may write the ledger of a carousel: a term, a host's key and a start, compared in that order."""

from typing import NamedTuple


class Epoch(NamedTuple):
    """Who may write the ledger: compared by term, then host key, then start. Only a promotion raises the term."""

    term: int
    host: str
    start: int


NO_EPOCH = Epoch(0, "", 0)


def dotted(epoch: Epoch) -> str:
    """An epoch in one word, for ids and logs."""
    return f"{epoch.term}.{epoch.host}.{epoch.start}"
