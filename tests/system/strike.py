"""Counts what a process writes and sends, and ends it with SIGKILL at a number that a test names."""

from __future__ import annotations

import itertools
import os
import signal
from typing import Any

from controller.adapters.journal.journal import Journal


class Strike:
    """`step` is called before and after each commit and each send; at number `at` the process is gone."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.count = 0
        self._numbers = itertools.count(1)

    def step(self) -> None:
        self.count = next(self._numbers)
        if self.count == self.at:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch_journal(self, journal: Journal) -> None:
        """Strike before each commit reaches the disk, and after it did but before anybody knows."""
        cursor = _CountedCursor(journal.ask_now(lambda store: store.cursor), self)
        journal.ask_now(lambda store: setattr(store, "cursor", cursor))


class _CountedCursor:
    def __init__(self, cursor: Any, strike: Strike) -> None:
        self._cursor = cursor
        self._strike = strike

    def execute(self, *arguments: Any) -> Any:
        is_commit = arguments[0] == "COMMIT"
        if is_commit:
            self._strike.step()
        answer = self._cursor.execute(*arguments)
        if is_commit:
            self._strike.step()
        return answer

    def executemany(self, *arguments: Any) -> Any:
        return self._cursor.executemany(*arguments)

    def close(self) -> None:
        self._cursor.close()
