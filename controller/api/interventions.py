"""What people changed in a period, out of the entries: pools, start values, voids, cards, amounts paid otherwise."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from controller.api.origin import pools_of
from controller.api.trail import Step
from controller.core.causes import split_reason
from controller.engine.closing_records import Disposed, OrphansMoved
from controller.engine.ledger_records import Adjusted, CountersAccepted, Voided
from controller.engine.ledger_state import LedgerState
from controller.engine.ports import StoredEntry


@dataclass(frozen=True, slots=True)
class Change:
    """A figure or a card before and after: an amount in micros, or the codes of two cards at a place."""

    what: str
    before: int | str
    after: int | str


@dataclass(frozen=True, slots=True)
class Intervention:
    """One act: when, where, what, how much it moved (micros), why, by whom, and the entry that holds it.

    cause: a word of the list that `kind` has; hand: 0 where it concerns none. carousel, record: of an act on a
    carousel's pools, the record of its ledger; empty and 0 of an act at a table.
    """

    kind: str
    journal: str
    seq: int
    wall_ms: int
    table: str
    actor: str
    second: str
    hand: int = 0
    amount_micros: int = 0
    cause: str = ""
    note: str = ""
    changes: tuple[Change, ...] = ()
    carousel: str = ""
    record: int = 0

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def in_ledger(step: Step, journal: str) -> Intervention | None:
    """What people did to a carousel's pools with a record."""
    match step.record.body:
        case Adjusted() as body:
            kind = "transfer" if body.transfer else "adjustment" if body.start_micros is None else "start_value"
            table, hand = body.table, 0
        case CountersAccepted() as body:
            kind, table, hand = "accepted", body.table, 0
        case Disposed() as body:
            kind, table, hand = "disposed", body.table, 0
        case OrphansMoved() as body:
            kind, table, hand = "orphans", "", 0
        case Voided() as body:
            kind, table, hand = "award_void", body.name.table, body.name.hand
        case _:
            return None
    signed = body.signed
    cause, note = split_reason(signed.reason)
    return Intervention(
        kind,
        journal,
        step.stored_seq,
        step.wall_ms,
        table,
        signed.actor,
        signed.second,
        hand,
        pools_of(step.after) - pools_of(step.before),
        cause.value if cause is not None else "",
        note,
        _figures(step.before, step.after, table),
        step.after.carousel,
        step.record.seq,
    )


def _figures(before: LedgerState, after: LedgerState, table: str) -> tuple[Change, ...]:
    """The table's own figures that are others after it, and the register of orphans."""
    found = []
    was, then = before.tables.get(table), after.tables.get(table)
    if was is not None and then is not None:
        found = [
            Change("start_value", was.start_micros, then.start_micros),
            Change("table_meter", was.main_micros, then.main_micros),
            Change("table_reserve", was.reserve_micros, then.reserve_micros),
        ]
    found.append(Change("orphans", before.orphans_micros, after.orphans_micros))
    return tuple(each for each in found if each.before != each.after)


def at_table(stored: StoredEntry, table: str, journal: str, minor_micros: int) -> Intervention | None:
    """What people changed at a table with an entry."""
    entry, body = stored.entry, stored.entry.body

    def told(kind: str, amount: int, cause: str, note: str, *changes: Change) -> Intervention:
        second, hand = body.get("second") or "", body.get("hand", 0)
        place = (journal, stored.seq, stored.wall_ms, table)
        return Intervention(kind, *place, entry.actor, second, hand, amount, cause, note, changes)

    match entry.kind:
        case "hand.void":
            back = sum(each.micros for each in entry.postings if each.account == "patrons")
            return told("void", back, body["reason"], body["note"])
        case "prize.overridden":
            computed, amount = body["computed_minor"] * minor_micros, body["amount_minor"] * minor_micros
            change = Change("prize_override", computed, amount)
            return told("override", amount - computed, body["reason"], body["note"], change)
        case "pool.moved":
            cause, note = split_reason(body["reason"])
            return told("pool_moved", body["micros"], cause.value if cause is not None else "", note)
    event = body.get("event")
    if isinstance(event, Mapping) and event.get("type") == "CardCorrected":
        return told("card", 0, "", event.get("reason", ""), Change(event["place"], event["old"], event["new"]))
    return None
