"""A node's accounts, followed entry by entry: two people for an approval, one outcome, no lock-out that lasts."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.core.ledger import Entry
from tests.invariants.broken import hold

LONGEST_WAIT_MS = 3_600_000
APPROVAL_MS = 600_000
SESSION_MS = 12 * 3_600_000


@dataclass
class AccountsBook:
    """asked, given, done: entries by approval."""

    node: str
    asked: dict[str, Entry] = field(default_factory=dict)
    given: dict[str, Entry] = field(default_factory=dict)
    done: dict[str, Entry] = field(default_factory=dict)

    def follow(self, entry: Entry) -> None:
        """One more entry; Violation when it must not be."""
        body = entry.body
        match entry.kind:
            case "approval.asked":
                self.asked[entry.id] = entry
                self._lasts(entry, body["until_ms"], APPROVAL_MS)
            case "approval.given":
                asked = self.asked[body["approval"]]
                hold(entry.actor != asked.actor, f"{self.node}: {entry.actor} approves what they asked for")
                hold(body["digest"] == asked.body["digest"], f"{self.node}: {entry.id} approves something else")
                hold(body["approval"] not in self.given, f"{self.node}: {body['approval']} is given twice")
                late = body["at_ms"] - asked.body["at_ms"]
                hold(0 <= late < APPROVAL_MS, f"{self.node}: {body['approval']} is given after {late} ms")
                self.given[body["approval"]] = entry
            case "approval.executed":
                hold(body["approval"] in self.given, f"{self.node}: {body['approval']} is done and was not given")
                hold(body["approval"] not in self.done, f"{self.node}: {body['approval']} is done twice")
                self.done[body["approval"]] = entry
            case "login.passed":
                self._lasts(entry, body["until_ms"], SESSION_MS)
            case "login.begun":
                for tries in ("account_tries", "station_tries"):
                    if body[tries]["until_ms"] > body["at_ms"]:
                        self._lasts(entry, body[tries]["until_ms"], LONGEST_WAIT_MS)

    def _lasts(self, entry: Entry, until_ms: int, most_ms: int) -> None:
        lasts = until_ms - entry.body["at_ms"]
        hold(lasts <= most_ms, f"{self.node}: {entry.id} lasts {lasts} ms")
