"""Pools of draws that a table has no more, or whose prizes the house pays now: two people move what they hold.

It goes to the pool of a draw in force, or to the table's register of orphans; from there to such a pool, or to a
jackpot that people name, whose own ledger takes it in by an adjustment.
"""

from controller.core.causes import PoolChange, typed_reason
from controller.core.draw_events import DrawPoolMoved
from controller.core.events import Envelope
from controller.core.evolve import evolve
from controller.core.ledger import Entry, move
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import pool_causes
from controller.engine.ledger_state import ORPHANS
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, TableSettings, TableState

KINDS = (CARTA_MAGICA, JUGADOR_AFORTUNADO)


def pools_in_force(settings: TableSettings) -> tuple[str, ...]:
    """The draws that have a pool of their own by these settings."""
    return tuple(terms.kind for terms in settings.draws if terms.pool_bp)


def left_pools(settings: TableSettings, state: TableState) -> dict[str, int]:
    """Pools that nothing is paid out of any more and that hold money, in micros by draw."""
    used = pools_in_force(settings)
    return {kind: micros for kind, micros in state.pools.items() if micros and kind not in used}


def decide_pool_moved(
    settings: TableSettings, state: TableState, envelope: Envelope, event: DrawPoolMoved
) -> tuple[Entry, ...] | Refused:
    """The money of a pool that is left over; nothing is taken from one that pays prizes."""
    refused = _check_people(envelope, event) or _check_places(settings, event)
    if refused is not None:
        return refused
    held = state.orphans_micros if event.pool == ORPHANS else state.pools.get(event.pool, 0)
    if not 0 < event.micros <= held:
        return refuse(Refusal.BALANCE_TOO_LOW, most=held // settings.minor_micros)
    assert event.cause is not None
    places = ((event.pool, -event.micros), (event.target, event.micros))
    body = {
        "pool": event.pool,
        "goes_to": event.target.strip(),
        "micros": event.micros,
        "pools": {place: micros for place, micros in places if place in KINDS},
        "reason": typed_reason(event.cause, event.reason),
        "second": envelope.second,
    }
    postings = move(_account(event.pool), _account(event.target), event.micros)
    return (Entry(envelope.id, "pool.moved", body, postings, envelope.actor),)


def _check_people(envelope: Envelope, event: DrawPoolMoved) -> Refused | None:
    if not event.reason.strip():
        return refuse(Refusal.REASON_MISSING)
    if envelope.second is None:
        return refuse(Refusal.SECOND_PERSON_MISSING)
    if envelope.second == envelope.actor:
        return refuse(Refusal.SAME_PERSON_TWICE, person=envelope.actor)
    change = PoolChange.ORPHANS if event.pool == ORPHANS else PoolChange.DRAW_POOL
    return pool_causes.check(event.cause, change)


def _check_places(settings: TableSettings, event: DrawPoolMoved) -> Refused | None:
    """A named jackpot gets orphaned money alone, so that the register tells all that left the table's draws."""
    used, target = pools_in_force(settings), event.target.strip()
    if event.pool not in (*KINDS, ORPHANS):
        return refuse(Refusal.UNKNOWN_POOL, draw=event.pool)
    if event.pool in used:
        return refuse(Refusal.POOL_IN_USE, draw=event.pool)
    named = event.pool == ORPHANS and bool(target) and target not in (*KINDS, ORPHANS)
    if target in used or (target == ORPHANS and event.pool != ORPHANS) or named:
        return None
    return refuse(Refusal.UNKNOWN_POOL, draw=target)


def _account(place: str) -> str:
    if place == ORPHANS:
        return ORPHANS
    return f"pool.{place}" if place in KINDS else "transfers"


def apply_pool_moved(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    """What left one place is in the other, or at the jackpot that was named."""
    body, pools = entry.body, dict(state.pools)
    for kind, micros in body["pools"].items():
        pools[kind] = pools.get(kind, 0) + micros
    orphans = body["micros"] * ((body["goes_to"] == ORPHANS) - (body["pool"] == ORPHANS))
    return evolve(state, pools=pools, orphans_micros=state.orphans_micros + orphans)
