"""Every write of a journal and every message of the link in this process has names; at one of them it is gone.

A commit has three points: before its first statement, before COMMIT, and after COMMIT but before anybody knows. A
message that says something new has two: before it is handed to the broker, and once the broker has it.
"""

from __future__ import annotations

import itertools
import os
import signal
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from controller.adapters.journal.journal import Journal
from controller.adapters.link.mqtt import MqttLink
from controller.engine.messages import HostStatus, Message, Meter

KIND = 2
"""Where a row of entries holds its kind."""
BETWEEN = " | "
STRUCK = "struck "
NOTE = "-- "
ANY = "point "
LAST_PHASES = (" committed", " sent")
UNCOUNTED = (HostStatus, Meter)
"""A host's beat and the figure for screens: how often they are said is a matter of time.
"""


class Points:
    """Writes each point's names to a file as it is passed: one for each entry of the commit, the first of them its own.

    Hence a point is found again although another run puts other entries into the same commit, and a life counts on from
    what the lives before it brought to an end. strikes: names at which this process is gone; `point 17` is the
    seventeenth of all.
    """

    def __init__(self, file: Path, strikes: Collection[str]) -> None:
        self._seen: Counter[str] = Counter()
        self._passed = itertools.count(1)
        for line in file.read_text().splitlines() if file.exists() else ():
            if not line.startswith((STRUCK, NOTE)):
                next(self._passed)
            if line.endswith(LAST_PHASES):
                self._seen.update(name.rsplit(" ", 2)[0] for name in line.split(BETWEEN))
        self._file = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._strikes = frozenset(strikes)

    def names(self, channel: str, said: Sequence[str]) -> list[str]:
        """A name for one more of each of these."""
        found = []
        for what in said:
            self._seen[f"{channel} {what}"] += 1
            found.append(f"{channel} {what} {self._seen[f'{channel} {what}']}")
        return found

    def passed(self, names: Sequence[str], phase: str) -> None:
        """Say so, and end here when it is one of them."""
        found = [f"{name} {phase}" for name in names]
        os.write(self._file, f"{BETWEEN.join(found)}\n".encode())
        struck = self._strikes.intersection([*found, f"{ANY}{next(self._passed)}"])
        if struck:
            os.write(self._file, "".join(f"{STRUCK}{name}\n" for name in sorted(struck)).encode())
            os.kill(os.getpid(), signal.SIGKILL)


class CountedCursor:
    """A journal's cursor; used by its writer thread alone."""

    def __init__(self, cursor: Any, journal: str, points: Points) -> None:
        self._cursor = cursor
        self._journal = journal
        self._points = points
        self._names: list[str] = []

    def execute(self, sql: str, *arguments: Any) -> Any:
        return self._run(self._cursor.execute, sql, *arguments)

    def executemany(self, sql: str, *arguments: Any) -> Any:
        return self._run(self._cursor.executemany, sql, *arguments)

    def close(self) -> None:
        self._cursor.close()

    def _run(self, run: Any, sql: str, *arguments: Any) -> Any:
        if sql.startswith("BEGIN"):
            self._names = []
        if sql.startswith(("INSERT", "DELETE")) and not self._names:
            self._names = self._points.names(self._journal, _said(sql, arguments))
            self._points.passed(self._names, "before")
        if sql != "COMMIT" or not self._names:
            return run(sql, *arguments)
        self._points.passed(self._names, "written")
        answer = run(sql, *arguments)
        self._points.passed(self._names, "committed")
        return answer


def _said(sql: str, arguments: tuple[Any, ...]) -> list[str]:
    """What the first statement of a commit writes: the kinds of its entries, or its table."""
    table = sql.split()[2].partition("(")[0]
    if table != "entries":
        return [table]
    (rows,) = arguments
    return [str(row[KIND]) for row in (rows if isinstance(rows, list) else [rows])]


def count_points(file: str, strikes: Collection[str]) -> None:
    """Let the journals and links of this process count, and be gone at the first point of such a name."""
    points = Points(Path(file), strikes)
    opened, publish_one = Journal.open, MqttLink._publish_one
    last: dict[str, Message | None] = {}

    def watched(*arguments: Any, **named: Any) -> Journal:
        journal = opened(*arguments, **named)
        cursor = CountedCursor(journal.ask_now(lambda store: store.cursor), journal.name, points)
        journal.ask_now(lambda store: setattr(store, "cursor", cursor))
        return journal

    async def sent(link: Any, client: Any, topic: str, message: Message | None) -> None:
        if isinstance(message, UNCOUNTED) or (topic in last and last[topic] == message):
            await publish_one(link, client, topic, message)
            return
        last[topic] = message
        names = points.names("send", ["/".join(topic.split("/")[4:])])
        points.passed(names, "before")
        await publish_one(link, client, topic, message)
        points.passed(names, "sent")

    Journal.open = watched  # type: ignore[method-assign]  # only in this process
    MqttLink._publish_one = sent  # type: ignore[method-assign]  # only in this process
