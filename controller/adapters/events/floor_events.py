"""What surveillance and the floor's other systems are told: journal entries of note as signed events."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.link.wire import key_name
from controller.engine.ports import StoredEntry

VERSION = 1
SIGN_DOMAIN = b"carrusel/event/1\0"
NAMES: Mapping[str, str] = {
    "draw.prize": "prize.granted",
    "draw.prize_verified": "prize.verified",
    "draw.prize_paid": "prize.paid",
    "draw.prize_void": "prize.void",
    "prize.verified": "prize.verified",
    "prize.hold": "prize.held_back",
    "prize.overridden": "prize.overridden",
    "prize.override_ended": "prize.override_ended",
    "prize.checked": "prize.checked",
    "slip.issued": "slip.issued",
    "slip.copied": "slip.copied",
    "slip.voided": "slip.voided",
    "prize.hold_released": "prize.hold_released",
    "prize.paid": "prize.paid",
    "prize.advanced": "prize.advanced",
    "prize.dismissed": "prize.dismissed",
    "key.called": "person.called",
    "draw.source_failed": "draws.off",
    "draw.source_back": "draws.on",
    "draw.outside": "draws.outside",
    "hand.void": "hand.void",
    "hand.corrected": "hand.corrected",
    "credits.unread": "credits.unread",
    "credits.settled": "credits.settled",
    "seats.closed": "seats.closed",
    "bets.stopped": "bets.stopped",
    "bets.resumed": "bets.resumed",
    "deck.replaced": "deck.replaced",
    "shuffler.told": "shuffler.told",
    "alarm.raised": "alarm.raised",
    "alarm.cleared": "alarm.cleared",
    "alarm.acknowledged": "alarm.acknowledged",
    "table.started": "table.started",
    "table.leaving": "table.leaving",
    "settings.file": "settings.file",
    "settings.asked": "settings.asked",
    "settings.withdrawn": "settings.withdrawn",
    "settings.effective": "settings.effective",
    "settings.confirmed": "settings.confirmed",
    "host.quarantined": "carousel.quarantined",
    "host.forked": "carousel.forked",
    "host.fenced": "carousel.fenced",
    "host.promoted": "carousel.promoted",
}
"""Entries that are told, and what they are called; those of the ledger are `carousel.` and the record's kind."""
LEDGER_SILENT = frozenset({"counters", "counters_overflow", "refused"})
"""Records that only count bets, or say that a claim wins nothing."""
MIRRORED: Mapping[str, str] = {
    "award": "prize.granted",
    "void": "prize.revised",
    "void_held": "prize.revised",
    "release": "prize.released",
}
"""The carousel's answers to a table's own hands, told by that table too."""


@dataclass(frozen=True, slots=True)
class Place:
    """Whose journal it is: a table or a carousel of a site."""

    site: str
    table: str = ""
    carousel: str = ""

    @property
    def topic(self) -> str:
        """`carrusel/v1/{site}/events/{table}`, or `…/events/carousel/{carousel}`."""
        where = self.table or f"carousel/{self.carousel}"
        return f"carrusel/v1/{self.site}/events/{where}"


@dataclass(frozen=True, slots=True)
class FloorEvent:
    """One event as it goes out: the same entry has the same id and the same bytes, however often it is told."""

    id: str
    topic: str
    payload: bytes


def event_name(stored: StoredEntry, table: str = "") -> str | None:
    """What an entry is called outside; None when it is not told. `table`: whose journal it is, if a table's."""
    kind = stored.entry.kind
    if kind == "link.record":
        record = stored.entry.body["record"]
        return MIRRORED.get(record["kind"]) if _claimant(record["body"]) == table else None
    if kind.startswith("ledger."):
        record = kind.removeprefix("ledger.")
        return None if record in LEDGER_SILENT else f"carousel.{record}"
    return NAMES.get(kind)


def _claimant(body: Mapping[str, Any]) -> str | None:
    """The table whose hand a record answers."""
    granted = body.get("granted")
    name = body.get("name") or (granted.get("name") if isinstance(granted, dict) else None)
    return name.get("table") if isinstance(name, dict) else None


class EventWriter:
    """Makes events of one journal's entries, signed with the node's key (Ed25519 is deterministic)."""

    def __init__(self, place: Place, incarnation: str, key: Ed25519PrivateKey) -> None:
        self._place = place
        self._incarnation = incarnation
        self._key = key
        self._key_name = key_name(key)

    def event(self, stored: StoredEntry) -> FloorEvent | None:
        """The event of an entry, None when it is not told."""
        name = event_name(stored, self._place.table)
        if name is None:
            return None
        entry = stored.entry
        content: dict[str, Any] = {
            "version": VERSION,
            "site": self._place.site,
            "table": self._place.table,
            "carousel": self._place.carousel,
            "incarnation": self._incarnation,
            "id": entry.id,
            "seq": stored.seq,
            "wall_ms": stored.wall_ms,
            "event": name,
            "actor": entry.actor,
            "facts": dict(entry.body),
            "key": self._key_name,
        }
        signature = self._key.sign(SIGN_DOMAIN + msgspec.json.encode(content, order="sorted"))
        signed = content | {"signature": base64.b64encode(signature).decode()}
        return FloorEvent(entry.id, self._place.topic, msgspec.json.encode(signed, order="sorted"))
