"""Alarms of a machine: raised once, open until the cause ends or a person has seen to them, each change an entry."""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.core.events import AlarmAcknowledged, AlarmCleared, AlarmRaised, Envelope
from controller.core.ledger import Entry
from controller.core.records import from_record
from controller.core.refusal import Refusal, Refused, refuse

RAISED = "alarm.raised"
CLEARED = "alarm.cleared"
ACKNOWLEDGED = "alarm.acknowledged"
KINDS = (RAISED, CLEARED, ACKNOWLEDGED)
MOST_ALARMS = 100
"""Open alarms that a state names; beyond, the oldest gives way (the journal keeps it)."""
MOST_TEXT = 200
"""Characters kept of what an alarm says: devices and strangers choose that text."""

AlarmEvent = AlarmRaised | AlarmCleared | AlarmAcknowledged


@dataclass(frozen=True, slots=True)
class Alarm:
    """An open alarm. attention: it asks for a person, else it is a note. entry: the id of what raised it."""

    code: str
    source: str
    detail: str
    seat: int | None
    attention: bool
    entry: str

    @property
    def key(self) -> str:
        return alarm_key(self.code, self.source)


Alarms = Mapping[str, Alarm]


def alarm_key(code: str, source: str) -> str:
    """What makes two alarms the same one."""
    return f"{code}@{source}"


def decide(alarms: Alarms, envelope: Envelope, event: AlarmEvent) -> tuple[Entry, ...] | Refused:
    """One entry for each change: the same alarm while it is open is nothing new, unless it now asks for a person."""
    code, source = event.code[:MOST_TEXT], event.source[:MOST_TEXT]
    alarm = alarms.get(alarm_key(code, source))
    named = {"code": code, "source": source}
    if isinstance(event, AlarmRaised):
        if alarm is not None and (alarm.attention or not event.attention):
            return ()
        body = {**named, "detail": event.detail[:MOST_TEXT], "seat": event.seat, "attention": event.attention}
        return (Entry(envelope.id, RAISED, body, (), envelope.actor),)
    if isinstance(event, AlarmAcknowledged):
        if alarm is None:
            return refuse(Refusal.UNKNOWN_ALARM, code=code, source=source)
        body = {**named, "raised": alarm.entry, "note": event.note[:MOST_TEXT]}
        return (Entry(envelope.id, ACKNOWLEDGED, body, (), envelope.actor),)
    if alarm is None:
        return ()
    body = {**named, "raised": alarm.entry, "why": event.why[:MOST_TEXT]}
    return (Entry(envelope.id, CLEARED, body, (), envelope.actor),)


def apply(alarms: Alarms, entry: Entry) -> dict[str, Alarm]:
    """The open alarms after a stored entry of one of KINDS, oldest first."""
    key = alarm_key(entry.body["code"], entry.body["source"])
    others = {each: alarm for each, alarm in alarms.items() if each != key}
    if entry.kind != RAISED:
        return others
    names = ("code", "source", "detail", "seat", "attention")
    facts = {name: entry.body[name] for name in names}
    kept = list(others.items())[-(MOST_ALARMS - 1) :]
    return {**dict(kept), key: from_record(Alarm, {**facts, "entry": entry.id})}
