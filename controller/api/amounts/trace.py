"""An amount with its parts: they add up to the micro, and most parts are amounts that can be asked again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controller.api.context import ApiPorts
from controller.api.problems import Problem
from controller.core.refusal import Refusal, refuse
from controller.engine.ports import StoredEntry

MOST_LINES = 2000
"""Lines of one answer; the older ones are summed in one."""
Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """One part of an amount, in micros.

    what: a word of the catalogue. ask: address of the amount that these micros are. see: address of something else
    that explains it. cause: of the closed list, beside the reason in people's words. facts: table, hand, seat and
    figures. The rest says where it is journaled, who did it and why.
    """

    what: str
    micros: int
    ask: str = ""
    see: str = ""
    facts: Facts = field(default_factory=dict)
    journal: str = ""
    seq: int | None = None
    wall_ms: int | None = None
    actor: str = ""
    second: str = ""
    why: str = ""
    cause: str = ""
    device: str = ""

    def plain(self) -> dict[str, Any]:
        """As the API answers it: what is empty is left out, the money never."""
        said = {name: getattr(self, name) for name in self.__slots__ if name != "facts"}
        kept = {name: value for name, value in said.items() if value not in ("", None) or name == "micros"}
        return {**self.facts, **kept}


@dataclass(frozen=True, slots=True)
class Trace:
    """The answer to one question. total_micros comes from the state of things, never from the lines."""

    of: str
    what: str
    total_micros: int
    lines: tuple[Line, ...]
    facts: Facts = field(default_factory=dict)
    as_of: int | None = None
    """Sequence number of the ledger record, or of the journal entry, at which it is true."""

    @property
    def sum_micros(self) -> int:
        return sum(line.micros for line in self.lines)

    def plain(self, minor_micros: int) -> dict[str, Any]:
        """As the API answers it."""
        shown = folded(self.lines)
        return {
            "of": self.of,
            "what": self.what,
            "facts": dict(self.facts),
            "as_of": self.as_of,
            "total_micros": self.total_micros,
            "shown_minor": self.total_micros // minor_micros,
            "sum_micros": self.sum_micros,
            "adds_up": self.sum_micros == self.total_micros,
            "lines": [line.plain() for line in shown],
        }


def folded(lines: Sequence[Line]) -> Sequence[Line]:
    """The newest lines, and all older ones summed in one, so that the sum stays."""
    if len(lines) <= MOST_LINES:
        return lines
    older, newer = lines[: len(lines) - MOST_LINES + 1], lines[len(lines) - MOST_LINES + 1 :]
    return (Line("earlier", sum(line.micros for line in older), facts={"count": len(older)}), *newer)


def journaled(line: Line, journal: str, stored: StoredEntry) -> Line:
    """A line with its place in a journal and who was there."""
    entry = stored.entry
    source = entry.body.get("device_count")
    device = f"{source['device']} {source['channel']} #{source['counter']}" if source else ""
    return replace(
        line,
        journal=journal,
        seq=stored.seq,
        wall_ms=stored.wall_ms,
        actor=line.actor or entry.actor,
        second=line.second or entry.body.get("second") or "",
        device=device,
    )


def unknown(of: str) -> Problem:
    """There is no amount of that address."""
    return Problem(refuse(Refusal.UNKNOWN_AMOUNT, amount=of[:160]))


def elsewhere(ports: ApiPorts, carousel: str, of: str) -> Problem:
    """An amount that this node cannot answer for, as only the carousel's host has its parts: says where to ask."""
    mirrors = (desk.state.link.ledger for desk in ports.tables.values() if desk.state.link.ledger.carousel == carousel)
    ledger = next(mirrors, None)
    if ledger is None:
        return unknown(of)
    return Problem(refuse(Refusal.AMOUNT_AT_HOST, carousel=carousel, host_key=ledger.epoch.host[:12], address=of[:160]))
