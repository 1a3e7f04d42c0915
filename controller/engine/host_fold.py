"""A host's journal entries folded into its state, and the pen that decides write them with."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from controller.core.ledger import Entry
from controller.core.prizes import PaidBy
from controller.core.records import from_record
from controller.engine import alarms
from controller.engine.epoch import Epoch, dotted
from controller.engine.frozen_map import FrozenMap
from controller.engine.host_state import (
    KEPT_RECORDS,
    Excluded,
    HostState,
    Known,
    Phase,
    Quarantined,
    Reported,
    WaitingClaim,
)
from controller.engine.ledger_fold import fold
from controller.engine.ledger_reading import record_from_plain
from controller.engine.ledger_records import (
    Awarded,
    Body,
    ClaimRefused,
    CountersAbsorbed,
    CountersAccepted,
    EpochBegan,
    Granted,
    JoinAsked,
    Joined,
    Left,
    Mark,
    Record,
    Sealed,
    Voided,
    seal_record,
)
from controller.engine.ledger_state import LedgerState
from controller.engine.payment_records import PaidTold, Settled


class Pen:
    """The entries one decision writes, each folded at once so that the next is decided on what it left.

    The first entry carries the envelope's id when an event of people causes it; others are named by their content.
    """

    def __init__(self, state: HostState, entry_id: str | None = None, actor: str = "host") -> None:
        self.state = state
        self.entries: list[Entry] = []
        self._entry_id = entry_id
        self._actor = actor

    def _name(self, otherwise: str) -> str:
        if self._entry_id is not None and not self.entries:
            return self._entry_id
        return otherwise

    def record(self, body: Body) -> Record:
        """Append one ledger record under this host's epoch."""
        ledger = self.state.ledger
        return self.adopt(seal_record(ledger.seq + 1, self.state.epoch, ledger.hash, body))

    def adopt(self, record: Record) -> Record:
        """Append a record as it is."""
        ledger, postings = fold(self.state.ledger, record)
        # A promoted host may copy records that its journal already holds from before it let go of its own ledger.
        writer = "" if record.epoch == self.state.epoch else f":{dotted(self.state.epoch)}"
        entry_id = self._name(f"ledger:{record.seq}:{record.hash[:16]}{writer}")
        plain = {"record": record.to_plain()}
        self.entries.append(Entry(entry_id, f"ledger.{record.kind}", plain, postings, self._actor))
        self.state = after_record(self.state, record, ledger)
        return record

    def note(self, kind: str, name: str, body: Mapping[str, Any]) -> None:
        """Append a note of the host's own, which is no part of the ledger."""
        entry_id = self._name(f"host:{name}:{self.state.notes + 1}")
        entry = Entry(entry_id, kind, body, (), self._actor)
        self.entries.append(entry)
        self.state = apply(self.state, entry)


def apply(state: HostState, entry: Entry) -> HostState:
    """The state after one entry of the host's journal."""
    if entry.kind.startswith("ledger."):
        record = record_from_plain(entry.body["record"])
        ledger, _ = fold(state.ledger, record)
        return after_record(state, record, ledger)
    if entry.kind in alarms.KINDS:
        return replace(state, alarms=alarms.apply(state.alarms, entry))
    step = _NOTES.get(entry.kind)
    return state if step is None else step(replace(state, notes=state.notes + 1), entry.body)


def after_record(state: HostState, record: Record, ledger: LedgerState) -> HostState:
    """The host's state once a record is part of its ledger."""
    paid, beside = state.paid, state.beside
    if ledger.award_order is not state.ledger.award_order:
        for key in (key for key in state.ledger.award_order if key not in ledger.awards):
            for row in state.ledger.awards[key].granted.rows:
                paid = paid.without(f"{key}/{row.seat}")
                beside = beside.without(f"{key}/{row.seat}")
    recent = (*state.recent, record)[-KEPT_RECORDS:]
    state = replace(state, ledger=ledger, recent=recent, paid=paid, beside=beside)
    body = record.body
    match body:
        case EpochBegan() if record.epoch == state.epoch:
            return replace(state, phase=Phase.SERVING, served=record.epoch, reports=FrozenMap(), excluded=FrozenMap())
        case CountersAbsorbed() | CountersAccepted():
            known = _farther(state.known.get(body.table), Known(body.incarnation, body.mark))
            state = replace(state, known=state.known.set(body.table, known))
            return replace(state, quarantined=state.quarantined.without(body.table))
        case Awarded():
            state = replace(state, waiting=state.waiting.without(body.granted.name.key))
            return opened(replace(state, arrivals=body.arrival), body.granted)
        case ClaimRefused():
            return replace(state, waiting=state.waiting.without(body.name.key))
        case Voided():
            for granted in body.granted:
                state = opened(state, granted)
            return state
        case PaidTold():
            rows = [(row.row, row.minor) for row in body.rows]
            told = [(row.row, row.beside) for row in body.rows if row.beside or row.row in state.beside]
            in_force = body.mark[1] > 0 and ledger.account(body.table, body.incarnation) is not None
            where = Known(body.incarnation, Mark(*body.mark)) if in_force else None
            return _paid_at(state, where, body.table, rows, told)
        case Settled():
            return replace(state, open_awards=state.open_awards.without(body.key))
        case JoinAsked():
            known_map = state.known.without(body.profile.table)
            joins = state.join_seqs.set(body.profile.table, record.seq)
            return replace(state, known=known_map, join_seqs=joins)
        case Joined() | Left() | Sealed():
            joins = state.join_seqs.without(body.table)
            received = state.received if joins else FrozenMap[int]()
            state = replace(state, join_seqs=joins, received=received)
            return replace(_without_waiting(state, body.table), quarantined=state.quarantined.without(body.table))
    return state


def _without_waiting(state: HostState, table: str) -> HostState:
    """A table's incarnation is over: what it claimed and got no answer for is for people to settle."""
    gone = [key for key in state.waiting if state.waiting[key].name.table == table]
    waiting = state.waiting
    for key in gone:
        waiting = waiting.without(key)
    return replace(state, waiting=waiting)


def _farther(was: Known | None, now: Known) -> Known:
    if was is None or was.incarnation != now.incarnation or now.mark.seq >= was.mark.seq:
        return now if was is None or was.incarnation != now.incarnation else replace(now, forked=was.forked)
    return was


def opened(state: HostState, granted: Granted) -> HostState:
    """The meter rows of a grant that are not known to be paid hold later awards."""
    key = granted.name.key
    unpaid = tuple(
        (f"{key}/{row.seat}", row.amount_minor)
        for row in granted.rows
        if row.paid_by == PaidBy.METER.value and row.amount_minor > state.paid.get(f"{key}/{row.seat}", 0)
    )
    return replace(state, open_awards=state.open_awards.set(key, unpaid) if unpaid else state.open_awards.without(key))


def _paid(state: HostState, body: Mapping[str, Any]) -> HostState:
    known = Known(body["incarnation"], Mark(*body["mark"]))
    return _paid_at(state, known, body["table"], body["rows"], body.get("beside", ()))


def _paid_at(
    state: HostState,
    where: Known | None,
    table: str,
    rows: Iterable[tuple[str, int]],
    besides: Iterable[tuple[str, int]],
) -> HostState:
    for row_id, minor in rows:
        state = replace(state, paid=state.paid.set(row_id, minor))
        key = row_id.rpartition("/")[0]
        unpaid = tuple(row for row in state.open_awards.get(key, ()) if row[1] > state.paid.get(row[0], 0))
        held = state.open_awards.set(key, unpaid) if unpaid else state.open_awards.without(key)
        state = replace(state, open_awards=held)
    for row_id, minor in besides:
        state = replace(state, beside=state.beside.set(row_id, minor))
    if where is None:
        return state
    return replace(state, known=state.known.set(table, _farther(state.known.get(table), where)))


def _settled(state: HostState, body: Mapping[str, Any]) -> HostState:
    return replace(state, open_awards=state.open_awards.without(body["key"]))


def _forked(state: HostState, body: Mapping[str, Any]) -> HostState:
    known = Known(body["incarnation"], Mark(*body["mark"]), forked=True)
    return replace(state, known=state.known.set(body["table"], known))


def _quarantined(state: HostState, body: Mapping[str, Any]) -> HostState:
    step = from_record(Quarantined, {key: body[key] for key in ("incarnation", "counters", "mark")})
    return replace(state, quarantined=state.quarantined.set(body["table"], step))


def _waiting(state: HostState, body: Mapping[str, Any]) -> HostState:
    claim = from_record(WaitingClaim, body)
    return replace(state, waiting=state.waiting.set(claim.name.key, claim))


def _received(state: HostState, body: Mapping[str, Any]) -> HostState:
    return replace(state, received=state.received.set(body["table"], body["seq"]))


def _table_settled(state: HostState, body: Mapping[str, Any]) -> HostState:
    name = f"{body['table']}/{body['incarnation']}"
    known = _farther(state.known.get(body["table"]), Known(body["incarnation"], Mark(*body["mark"])))
    state = replace(state, known=state.known.set(body["table"], known))
    return replace(state, settled=state.settled.set(name, body["seq"]))


def _fenced(state: HostState, body: Mapping[str, Any]) -> HostState:
    seen = max(state.seen, Epoch(*body["seen"]))
    phase = Phase.BLANK if state.phase is Phase.BLANK else Phase.FENCED
    return replace(state, phase=phase, seen=seen, why_fenced=body["why"])


def _promoted(state: HostState, body: Mapping[str, Any]) -> HostState:
    fresh = replace(state, phase=Phase.COLLECTING, epoch=Epoch(*body["epoch"]), source="", why_fenced="")
    alone = body.get("no_other_ledger", False)
    fresh = replace(fresh, incarnation=body.get("incarnation", ""), begun_minor=body.get("minor_micros", 0))
    return replace(fresh, reports=FrozenMap(), excluded=FrozenMap(), no_other_ledger=alone)


def _began(state: HostState, body: Mapping[str, Any]) -> HostState:
    begun = replace(state, epoch=Epoch(*body["epoch"]), begun_minor=body.get("minor_micros", 0))
    return replace(begun, incarnation=body.get("incarnation", ""))


def _reported(state: HostState, body: Mapping[str, Any]) -> HostState:
    return replace(state, reports=state.reports.set(body["table"], from_record(Reported, body["report"])))


def _excluded(state: HostState, body: Mapping[str, Any]) -> HostState:
    signed = from_record(Excluded, body["signed"])
    return replace(state, excluded=state.excluded.set(f"{body['table']}/{body['incarnation']}", signed))


def _adopting(state: HostState, body: Mapping[str, Any]) -> HostState:
    """From here the winner's records follow; `blank`: this host's own ledger is not a beginning of it and is let go."""
    state = replace(state, phase=Phase.ADOPTING, source=body["source"])
    if not body["blank"]:
        return state
    settings = state.settings
    return replace(
        state,
        ledger=LedgerState(settings.carousel, settings.minor_micros),
        known=FrozenMap(),
        paid=FrozenMap(),
        beside=FrozenMap(),
        open_awards=FrozenMap(),
        quarantined=FrozenMap(),
        waiting=FrozenMap(),
        received=FrozenMap(),
        settled=FrozenMap(),
        join_seqs=FrozenMap(),
        recent=(),
    )


_NOTES: dict[str, Callable[[HostState, Mapping[str, Any]], HostState]] = {
    "host.paid": _paid,
    "host.settled": _settled,
    "host.forked": _forked,
    "host.quarantined": _quarantined,
    "host.waiting": _waiting,
    "host.received": _received,
    "host.table_settled": _table_settled,
    "host.fenced": _fenced,
    "host.promoted": _promoted,
    "host.began": _began,
    "host.reported": _reported,
    "host.excluded": _excluded,
    "host.adopting": _adopting,
}
