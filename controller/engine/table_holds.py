"""Prizes that people hold back: an overlay on a prize's own way, so that screens and the carousel keep it pending."""

from collections.abc import Mapping

from controller.core.events import Envelope
from controller.core.ledger import Entry
from controller.core.prize_events import PrizeHoldReleased, PrizePutOnHold
from controller.core.refusal import Refusal, Refused, refuse
from controller.core.typed_text import is_reason
from controller.engine.member_rows import CLOSED
from controller.engine.table_state import Hold, PrizeStatus, TableState

STEPS: Mapping[tuple[type, bool], str | Refusal] = {
    (PrizePutOnHold, False): "prize.hold",
    (PrizePutOnHold, True): Refusal.PRIZE_ON_HOLD,
    (PrizeHoldReleased, True): "prize.hold_released",
    (PrizeHoldReleased, False): Refusal.PRIZE_NOT_ON_HOLD,
}
"""(act, whether the prize is held back) → the entry, or why not."""


def is_open(state: TableState, prize: str) -> bool:
    """Whether a prize is known and neither paid nor void."""
    row, drawn = state.link.rows.get(prize), state.draw_prizes.get(prize)
    if row is not None:
        return row.status not in CLOSED
    return drawn is not None and drawn.status not in (PrizeStatus.PAID, PrizeStatus.VOID)


def open_holds(state: TableState) -> dict[str, Hold]:
    """Holds of prizes that still wait: a void or a correction ends a prize whether it is held back or not."""
    return {prize: hold for prize, hold in state.holds.items() if is_open(state, prize)}


def standing_holds(state: TableState) -> dict[str, Hold]:
    """Holds of prizes that wait, or may wait again: a later correction gives back what an earlier one took, and the
    prize is then as doubtful as it was. A draw's prize that has ended stays so.
    """
    return {prize: hold for prize, hold in state.holds.items() if prize in state.link.rows or is_open(state, prize)}


def check_hold(state: TableState, prize: str) -> Refused | None:
    """Why nobody verifies or pays this prize now."""
    hold = state.holds.get(prize)
    if hold is None or not is_open(state, prize):
        return None
    return refuse(Refusal.PRIZE_ON_HOLD, prize=prize, cause=hold.reason, person=hold.actor)


def decide_hold(
    settings: object, state: TableState, envelope: Envelope, event: PrizePutOnHold | PrizeHoldReleased
) -> tuple[Entry, ...] | Refused:
    """One person holds a prize back, two release it; both say why."""
    if not is_open(state, event.prize):
        return refuse(Refusal.UNKNOWN_PRIZE, prize=event.prize)
    step = STEPS[type(event), event.prize in state.holds]
    if isinstance(step, Refusal):
        return check_hold(state, event.prize) or refuse(step, prize=event.prize)
    if isinstance(event, PrizePutOnHold):
        if not is_reason(event.note):
            return refuse(Refusal.REASON_MISSING, field="note")
        body = {"prize": event.prize, "reason": event.reason.value, "note": event.note, "others_stand": True}
        return (Entry(envelope.id, step, body, (), envelope.actor),)
    if not is_reason(event.reason):
        return refuse(Refusal.REASON_MISSING)
    if envelope.second is None:
        return refuse(Refusal.SECOND_PERSON_MISSING)
    if envelope.second == envelope.actor:
        return refuse(Refusal.SAME_PERSON_TWICE, person=envelope.actor)
    body = {"prize": event.prize, "reason": event.reason, "second": envelope.second, "others_stand": True}
    return (Entry(envelope.id, step, body, (), envelope.actor),)
