"""The draws' source fails, and the draws alone are off; an outside input of the draws to come."""

from controller.core.draw_events import DrawOutsideSet, DrawSourceBack, DrawSourceFailed
from controller.core.events import Envelope
from controller.core.evolve import evolve
from controller.core.ledger import Entry
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.table_state import TableSettings, TableState

MOST_OUTSIDE = 100
"""Characters of an outside input, and of where it was published."""


def decide_failed(
    settings: TableSettings, state: TableState, envelope: Envelope, event: DrawSourceFailed
) -> tuple[Entry, ...]:
    """Draws to come are off, and those that the hand waits for are called off, unless the site would rather wait.

    A draw of seats is called off at any site: no hand waits for it that could be void, and it can be asked for again.
    """
    if state.draws_off:
        return ()
    waits = state.hand.draw_pending and not settings.draws_hold
    body = {
        "hand": state.hand.number,
        "why": event.why,
        "called_off": list(state.hand.draws_wanted) if waits else [],
        "hold": settings.draws_hold,
    }
    if state.seat_draw:
        body["seats_called_off"] = list(state.seat_draw)
    return (Entry(envelope.id, "draw.source_failed", body, (), envelope.actor),)


def decide_back(
    settings: TableSettings, state: TableState, envelope: Envelope, event: DrawSourceBack
) -> tuple[Entry, ...]:
    """The next hand has its draws again."""
    if not state.draws_off:
        return ()
    return (Entry(envelope.id, "draw.source_back", {"hand": state.hand.number}, (), envelope.actor),)


def decide_outside(
    settings: TableSettings, state: TableState, envelope: Envelope, event: DrawOutsideSet
) -> tuple[Entry, ...] | Refused:
    """Another input for the draws whose bets are not closed yet; what a hand was closed with stays."""
    if not settings.draws_outside:
        return refuse(Refusal.OUTSIDE_NOT_USED)
    if envelope.second is None:
        return refuse(Refusal.SECOND_PERSON_MISSING)
    if envelope.second == envelope.actor:
        return refuse(Refusal.SAME_PERSON_TWICE, person=envelope.actor)
    value, source = event.value.strip(), event.source.strip()
    if value and not source:
        return refuse(Refusal.REASON_MISSING, field="source")
    if len(value) > MOST_OUTSIDE or len(source) > MOST_OUTSIDE or not value.isprintable():
        return refuse(Refusal.OUTSIDE_NOT_PLAIN, most=MOST_OUTSIDE)
    told = (value, source if value else "")
    if told == state.draws_outside:
        return refuse(Refusal.NOTHING_CHANGES)
    body = {"hand": state.hand.number, "value": told[0], "source": told[1], "second": envelope.second}
    return (Entry(envelope.id, "draw.outside", body, (), envelope.actor),)


def apply_source(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    """On and off; a draw that was called off is wanted no more."""
    body = entry.body
    if entry.kind == "draw.source_back":
        return evolve(state, draws_off="")
    hand = evolve(state.hand, draws_wanted=()) if body["called_off"] else state.hand
    seats = () if body.get("seats_called_off") else state.seat_draw
    return evolve(state, draws_off=body["why"] or "failed", hand=hand, seat_draw=seats)


def apply_outside(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    """In force from the next no va más on."""
    return evolve(state, draws_outside=(entry.body["value"], entry.body["source"]))
