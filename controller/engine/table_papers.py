"""Papers of prizes: slips in one sequence, kept as they were issued, and the checks before a large payment."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from controller.core.events import Envelope
from controller.core.evolve import evolve
from controller.core.ledger import Entry
from controller.core.prize_events import CheckItem, PrizeChecked, SlipCopied, SlipIssued, SlipVoided, SlipVoidReason
from controller.core.records import to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.core.typed_text import is_reason, says_something
from controller.engine.table_holds import check_hold, is_open
from controller.engine.table_overrides import difference_of, overridden
from controller.engine.table_state import Check, SlipNote, TableSettings, TableState, with_item

KEPT_SLIPS = 150
"""Slips that the state still names, as many prizes as it names; the journal keeps all of them."""
SLIP_FROM = frozenset({"verified", "paid"})
"""What a prize must be before its slip is written: its cards were seen, so its amount stands."""


def slip_number(table: str, series: int, number: int) -> str:
    """A slip's number as people read it; a journal restored from a backup numbers anew, in a series of its own."""
    return f"{table}-{number:06d}" if series == 0 else f"{table}-R{series}-{number:06d}"


def prize_facts(state: TableState, prize: str) -> dict[str, Any] | None:
    """What a slip says of a prize out of the table's own state; amounts in minor units."""
    row = state.link.rows.get(prize)
    if row is not None:
        return {
            "hand": row.hand,
            "seat": row.seat,
            "category": row.category,
            "amount_minor": row.amount_minor,
            "paid_by": row.paid_by,
            "article": row.article,
            "status": row.status.value,
        }
    drawn = state.draw_prizes.get(prize)
    if drawn is None:
        return None
    return {
        "hand": drawn.hand,
        "seat": drawn.seat,
        "category": drawn.kind,
        "amount_minor": drawn.amount_minor,
        "paid_by": "pool" if drawn.pool_micros else "house",
        "article": "62" if drawn.kind == "carta_magica" else "63",
        "status": drawn.status.value,
    }


def content_hash(content: Mapping[str, Any]) -> str:
    """SHA-256 over the canonical JSON of what a slip says."""
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


PRIZES_CHANGE = frozenset({"link.record", "draw.prize_void", "prize.overridden"})
"""Kinds of entries by which the amount of a prize, or what is paid of it, changes, or the prize is void."""


def open_slips(state: TableState, entries: Iterable[Entry]) -> Mapping[str, SlipNote]:
    """Slips in force by which nobody was paid yet, where these entries may change a prize."""
    if not any(entry.kind in PRIZES_CHANGE for entry in entries):
        return {}
    return {prize: slip for prize, slip in state.slips.items() if not slip.void and not _is_paid_by(state, prize, slip)}


def _is_paid_by(state: TableState, prize: str, slip: SlipNote) -> bool:
    """Whether the sum on a slip was paid; a correction that comes later does not change what it tells."""
    row = state.link.rows.get(prize)
    return not is_open(state, prize) if row is None else row.paid_minor >= slip.amount_minor


def outdated(after: TableState, slips: Mapping[str, SlipNote]) -> tuple[Entry, ...]:
    """These slips say what is no longer true of their prizes: void, so that nobody is paid by them."""
    entries = []
    for prize, slip in slips.items():
        facts = prize_facts(after, prize)
        said = (slip.amount_minor, slip.difference_minor)
        says = None if facts is None else (facts["amount_minor"], difference_of(after, prize))
        if facts is not None and facts["status"] != "void" and says == said:
            continue
        body = {
            "number": slip.number,
            "prize": prize,
            "reason": SlipVoidReason.PRIZE_CHANGED.value,
            "note": "",
            "withheld_minor": slip.withheld_minor,
        }
        name = f"slip:{after.link.settings.incarnation}:{slip.number}:changed"
        entries.append(Entry(name, "slip.voided", body, (), "table"))
    return tuple(entries)


def decide_issued(
    settings: TableSettings, state: TableState, envelope: Envelope, event: SlipIssued
) -> tuple[Entry, ...] | Refused:
    """The next number of the sequence, for a prize without a slip in force; the entry holds all that is printed."""
    facts = prize_facts(state, event.prize)
    if facts is None:
        return refuse(Refusal.UNKNOWN_PRIZE, prize=event.prize)
    held = check_hold(state, event.prize)
    if held is not None:
        return held
    if facts["status"] not in SLIP_FROM:
        return refuse(Refusal.PRIZE_NOT_VERIFIED, prize=event.prize, status=facts["status"])
    was = state.slips.get(event.prize)
    if was is not None and not was.void:
        return refuse(Refusal.SLIP_IN_FORCE, slip=slip_number(settings.table, state.slip_series, was.number))
    difference, override = difference_of(state, event.prize), overridden(state, event.prize)
    gross = facts["amount_minor"] + difference
    if not 0 <= event.withheld_minor <= gross:
        return refuse(Refusal.WITHHOLDING_OUT_OF_BOUNDS, most=gross)
    if event.withheld_minor != event.proposed_minor and not is_reason(event.note):
        return refuse(Refusal.REASON_MISSING, field="withheld_note")
    check = state.checks.get(event.prize)
    number = state.slip_last + 1
    content = {
        "prize": event.prize,
        **facts,
        "number": slip_number(settings.table, state.slip_series, number),
        "withheld_minor": event.withheld_minor,
        "proposed_minor": event.proposed_minor,
        "net_minor": gross - event.withheld_minor,
        "note": event.note,
        "checked": list(check.done) if check is not None else [],
        "seal": check.seal if check is not None else "",
        "facts": dict(event.facts),
    }
    if override is not None or difference:
        content["difference_minor"] = difference
        content["override"] = to_record(override) if override is not None else None
    body = {"number": number, "prize": event.prize, "content": content, "sha256": content_hash(content)}
    return (Entry(envelope.id, "slip.issued", body, (), envelope.actor),)


def _in_force(state: TableState, prize: str) -> SlipNote | Refused:
    slip = state.slips.get(prize)
    return slip if slip is not None else refuse(Refusal.SLIP_NOT_ISSUED, prize=prize)


def decide_copied(
    settings: TableSettings, state: TableState, envelope: Envelope, event: SlipCopied
) -> tuple[Entry, ...] | Refused:
    """A copy has the slip's own number; a void slip is copied too, and says that it is void."""
    slip = _in_force(state, event.prize)
    if isinstance(slip, Refused):
        return slip
    body = {"number": slip.number, "prize": event.prize, "copy": slip.copies + 1}
    return (Entry(envelope.id, "slip.copied", body, (), envelope.actor),)


def decide_slip_voided(
    settings: TableSettings, state: TableState, envelope: Envelope, event: SlipVoided
) -> tuple[Entry, ...] | Refused:
    """A slip is void for ever; its number is not used again."""
    slip = _in_force(state, event.prize)
    if isinstance(slip, Refused):
        return slip
    if slip.void:
        return refuse(Refusal.SLIP_NOT_ISSUED, prize=event.prize)
    if not is_reason(event.note):
        return refuse(Refusal.REASON_MISSING, field="note")
    body = {
        "number": slip.number,
        "prize": event.prize,
        "reason": event.reason.value,
        "note": event.note,
        "withheld_minor": slip.withheld_minor,
    }
    return (Entry(envelope.id, "slip.voided", body, (), envelope.actor),)


def decide_checked(
    settings: TableSettings, state: TableState, envelope: Envelope, event: PrizeChecked
) -> tuple[Entry, ...] | Refused:
    """So much of the list is done; a sealed hand has the number of its bag."""
    if not is_open(state, event.prize):
        return refuse(Refusal.UNKNOWN_PRIZE, prize=event.prize)
    if CheckItem.HAND_SEALED in event.done and not says_something(event.seal):
        return refuse(Refusal.REASON_MISSING, field="seal")
    done = [item.value for item in CheckItem if item in event.done]
    body = {"prize": event.prize, "done": done, "seal": event.seal}
    return (Entry(envelope.id, "prize.checked", body, (), envelope.actor),)


def check_list(settings: TableSettings, state: TableState, prize: str, amount_minor: int) -> Refused | None:
    """Why a large prize is not paid yet: the part of the list that nobody has done."""
    if settings.checklist_from_minor is None or amount_minor < settings.checklist_from_minor:
        return None
    check = state.checks.get(prize)
    missing = next((item for item in CheckItem if check is None or item.value not in check.done), None)
    return None if missing is None else refuse(Refusal.CHECKLIST_OPEN, prize=prize, check=missing.value)


def _issued(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    body = entry.body
    content = body["content"]
    note = SlipNote(body["number"], entry.id, content["withheld_minor"], content["amount_minor"])
    note = evolve(note, difference_minor=content.get("difference_minor", 0))
    slips = with_item(with_item(state.slips, body["prize"], None), body["prize"], note)
    for old in list(slips)[:-KEPT_SLIPS]:
        del slips[old]
    return evolve(state, slips=slips, slip_last=body["number"])


def _copied(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    slip = evolve(state.slips[entry.body["prize"]], copies=entry.body["copy"])
    return evolve(state, slips=with_item(state.slips, entry.body["prize"], slip))


def _voided(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    slip = evolve(state.slips[entry.body["prize"]], void=entry.body["reason"])
    return evolve(state, slips=with_item(state.slips, entry.body["prize"], slip))


def _checked(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    body = entry.body
    kept = {prize: check for prize, check in state.checks.items() if is_open(state, prize)}
    return evolve(state, checks=with_item(kept, body["prize"], Check(tuple(body["done"]), body["seal"], entry.actor)))


APPLIERS: Mapping[str, Callable[[TableSettings, TableState, Entry], TableState]] = {
    "slip.issued": _issued,
    "slip.copied": _copied,
    "slip.voided": _voided,
    "prize.checked": _checked,
}
