"""Another amount than the computed one: two people, a cause of the list, and the difference is the house's.

The prize itself stays as the rules computed it, and so do the pools; what is paid more or less is moved between
`house.overrides` and the cash that left, in the entry of the payment.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from controller.core.events import Envelope, PrizePaid
from controller.core.evolve import evolve
from controller.core.ledger import Entry, Posting, move
from controller.core.prize_events import PrizeOverridden
from controller.core.refusal import Refusal, Refused, refuse
from controller.core.typed_text import is_reason
from controller.engine.table_holds import check_hold, is_open
from controller.engine.table_state import Override, TableSettings, TableState, with_item

HOUSE = "house.overrides"
"""The account of what the house pays beyond, or keeps of, computed amounts."""
AMOUNTS_CHANGE = frozenset({"link.record", "draw.prize_void"})
"""Kinds of entries by which what is payable of a prize becomes another amount, or nothing."""


def payable_of(state: TableState, prize: str) -> int:
    """What is payable of an open prize as computed, in minor units; 0 for one that is unknown, paid or void."""
    row, drawn = state.link.rows.get(prize), state.draw_prizes.get(prize)
    if row is not None:
        return row.payable_minor
    return drawn.amount_minor if drawn is not None and is_open(state, prize) else 0


def in_force(state: TableState, prize: str) -> Override | None:
    """The override by which an open prize will be paid: it speaks of the amount that is payable, and of no other."""
    found = state.overrides.get(prize)
    if found is None or not _waits(found) or not is_open(state, prize):
        return None
    return found if payable_of(state, prize) == found.computed_minor else None


def _waits(override: Override) -> bool:
    return not override.paid and override.difference_minor != 0


def waiting(state: TableState, entries: Iterable[Entry]) -> tuple[str, ...]:
    """Prizes with an override that nobody was paid by yet, where these entries may change what is payable of them."""
    if not state.overrides or not any(entry.kind in AMOUNTS_CHANGE for entry in entries):
        return ()
    return tuple(prize for prize, each in state.overrides.items() if _waits(each) and _is_named(state, prize))


def ended(before: TableState, after: TableState, prizes: Sequence[str], entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Of these prizes the overrides that speak of another amount than is payable: they are over, so that a later
    correction which comes back to that amount pays nobody what two people agreed on before it.

    before: also one that a journal of before this rule left behind ends here, with the record that would revive it.
    """
    cause = next((entry.id for entry in entries if entry.kind in AMOUNTS_CHANGE), "")
    return tuple(
        Entry(f"{cause}/override:{prize}", "prize.override_ended", _end(after, prize), (), "table")
        for prize in prizes
        if in_force(before, prize) is None or in_force(after, prize) is None
    )


def _end(state: TableState, prize: str) -> dict[str, Any]:
    override, named = state.overrides[prize], state.link.rows.get(prize) or state.draw_prizes.get(prize)
    place = {} if named is None else {"hand": named.hand, "seat": named.seat}
    said = {"computed_minor": override.computed_minor, "amount_minor": override.amount_minor}
    return {"prize": prize, **place, **said, "payable_minor": payable_of(state, prize)}


def paid_difference(state: TableState, prize: str) -> int:
    """What the house paid beyond the computed amount of a prize until now, in minor units; below 0: kept of it."""
    found = state.overrides.get(prize)
    if found is None:
        return 0
    return found.earlier_minor + (found.difference_minor if found.paid else 0)


def difference_of(state: TableState, prize: str) -> int:
    """By how much the player gets another sum than the computed one, in all: paid already, or in force.

    What was paid stays paid: where a later correction left less than the cash that an override was reckoned from, the
    house bears that too.
    """
    waits, row = in_force(state, prize), state.link.rows.get(prize)
    beside = paid_difference(state, prize) + (waits.difference_minor if waits is not None else 0)
    excess = max(row.paid_minor - row.amount_minor, 0) if row is not None else 0
    return beside + excess if beside else 0


def overridden(state: TableState, prize: str) -> Override | None:
    """The override that a slip tells of: in force, or paid."""
    found = state.overrides.get(prize)
    return found if found is not None and found.paid else in_force(state, prize)


def check_expected(event: PrizePaid | PrizeOverridden, amount_minor: int) -> Refused | None:
    """Why an act of two people is not done: the amount has become another than they saw, by a correction or an override
    that came before it.
    """
    if event.expected_minor in (None, amount_minor):
        return None
    return refuse(Refusal.APPROVAL_DIFFERS, prize=event.prize, amount=amount_minor)


def postings_of(override: Override | None, minor_micros: int) -> tuple[Posting, ...]:
    """What a payment by an override moves beside the computed amount."""
    return () if override is None else move(HOUSE, "prizes.paid", override.difference_minor * minor_micros)


def body_of(override: Override | None) -> dict[str, Any]:
    """What the entry of such a payment says beside the paid amount; authorised: who asked for it, and who approved."""
    if override is None:
        return {}
    authorised = [each for each in (override.actor, override.second) if each]
    return {"computed_minor": override.computed_minor, "override": override.reason, "authorised": authorised}


def decide_overridden(
    settings: TableSettings, state: TableState, envelope: Envelope, event: PrizeOverridden
) -> tuple[Entry, ...] | Refused:
    """Another amount for a verified prize, or back to the computed one; it is paid by the usual act."""
    held = check_hold(state, event.prize)
    if held is not None:
        return held
    row, drawn = state.link.rows.get(event.prize), state.draw_prizes.get(event.prize)
    prize = row or drawn
    if prize is None:
        return refuse(Refusal.UNKNOWN_PRIZE, prize=event.prize)
    if prize.status.value != "verified":
        return refuse(Refusal.PRIZE_NOT_VERIFIED, prize=event.prize, status=prize.status.value)
    if not is_reason(event.note):
        return refuse(Refusal.REASON_MISSING, field="note")
    if envelope.second is None:
        return refuse(Refusal.SECOND_PERSON_MISSING)
    if envelope.second == envelope.actor:
        return refuse(Refusal.SAME_PERSON_TWICE, person=envelope.actor)
    computed, now = payable_of(state, event.prize), in_force(state, event.prize)
    refused = check_expected(event, computed)
    if refused is not None:
        return refused
    if event.amount_minor == (now.amount_minor if now is not None else computed):
        return refuse(Refusal.NOTHING_CHANGES, prize=event.prize)
    if event.amount_minor < 0:
        return refuse(Refusal.OVERRIDE_BELOW_ZERO, amount=event.amount_minor)
    body = {
        "prize": event.prize,
        "hand": prize.hand,
        "seat": prize.seat,
        "computed_minor": computed,
        "amount_minor": event.amount_minor,
        "reason": event.override.value,
        "note": event.note,
        "second": envelope.second,
    }
    return (Entry(envelope.id, "prize.overridden", body, (), envelope.actor),)


def apply_overridden(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    """The override takes the place of an older one; those of prizes that the table no longer names are forgotten."""
    body = entry.body
    override = Override(
        body["amount_minor"],
        body["computed_minor"],
        body["reason"],
        body["note"],
        entry.actor,
        body["second"],
        earlier_minor=paid_difference(state, body["prize"]),
    )
    kept = {prize: each for prize, each in state.overrides.items() if _is_named(state, prize)}
    return evolve(state, overrides=with_item(kept, body["prize"], override))


def apply_ended(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    """The computed amount is paid from here on, as if two people had gone back to it; what was paid before stays."""
    over = state.overrides[entry.body["prize"]]
    over = evolve(over, amount_minor=over.computed_minor)
    return evolve(state, overrides=with_item(state.overrides, entry.body["prize"], over))


def settled(state: TableState, prize: str) -> TableState:
    """A prize was paid by its override."""
    return evolve(state, overrides=with_item(state.overrides, prize, evolve(state.overrides[prize], paid=True)))


def _is_named(state: TableState, prize: str) -> bool:
    return prize in state.link.rows or prize in state.draw_prizes
