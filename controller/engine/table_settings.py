"""Settings of a table that change while it runs: asked by two people or by the site's file, in force between hands."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from controller.core.events import AlarmRaised, Envelope
from controller.core.evolve import evolve
from controller.core.ledger import Entry
from controller.core.records import to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.core.settings_events import (
    SettingChange,
    SettingsChanged,
    SettingsDayCame,
    SettingsRead,
    TermsConfirmed,
)
from controller.engine import alarms, member
from controller.engine.ledger_profiles import told_digest, unfit_terms
from controller.engine.ledger_records import Signed, Terms
from controller.engine.member_claims import check_two_people
from controller.engine.settings_values import Read, base_of, canonical, changes_between, values_of, with_file
from controller.engine.settings_waits import is_above_ceiling, own_value_micros, same_seats, waits_for
from controller.engine.table_state import PendingSettings, SettingsBook, TableSettings, TableState

FILE_CHANGED = "settings_file_changed"
INSTALLATION = ("configuration", "installation")
"""Who signs what the site's file says: one person installs it and another approves it."""
KEPT_HISTORY = 25
"""Entries about settings that a state names; the journal keeps all of them."""


def _plain(changes: Iterable[SettingChange]) -> list[dict[str, Any]]:
    """Changes as an entry holds them."""
    return [to_record(each) for each in changes]


def _is_vouched(book: SettingsBook, terms: str) -> bool:
    """Whether people answer for these jackpot terms: for those in force, or for those that wait."""
    waits = book.pending is not None and book.pending.vouched and book.pending.terms == terms
    return waits or book.vouched == terms


def _unconfirmed(book: SettingsBook, in_force: str) -> str:
    """The jackpot terms that people are still to confirm: those that wait, or else those in force."""
    if book.pending is not None:
        return "" if book.pending.vouched else book.pending.terms
    return "" if book.vouched == in_force else in_force


def decide_read(read: Read, state: TableState, envelope: Envelope, event: SettingsRead) -> tuple[Entry, ...] | Refused:
    """A start with a file that says something else than at the last one: an entry, and an alarm for a person.

    The first reading of all is the beginning that changes are told against. ValueError when what people changed does
    not go with the new file: the daemon does not start on a guess.
    """
    text, book = canonical(event.settings), state.book
    if book.file == text:
        return ()
    first = not book.file
    held = book.pending.settings if book.pending is not None else state.hand.settings
    wanted = dict(event.settings) if first else with_file(values_of(book.file), values_of(held), event.settings)
    now = read(state.hand.settings)
    terms = read(canonical(wanted)).terms
    unconfirmed = "" if first or _is_vouched(book, terms) else terms
    changes = () if first else changes_between(values_of(book.file), event.settings)
    body = {
        "hand": state.hand.number,
        "first": first,
        "settings": dict(event.settings),
        "wanted": wanted,
        "changes": _plain(changes),
        "terms_before": "" if first else now.terms,
        "terms_after": terms,
        "unconfirmed": unconfirmed if event.confirm else "",
        "resets": state.link.ledger.resets,
    }
    entries = [Entry(envelope.id, "settings.file", body, (), envelope.actor)]
    if first:
        entries += _unless_known(state, now)
    else:
        names = ", ".join(each.key for each in changes)
        raised = Envelope(f"{envelope.id}/alarm", None, envelope.actor)
        alarm = alarms.decide(state.alarms, raised, AlarmRaised(FILE_CHANGED, "file", names))
        entries += alarm if isinstance(alarm, tuple) else ()
    return tuple(entries)


def decide_changed(
    read: Read, state: TableState, envelope: Envelope, event: SettingsChanged
) -> tuple[Entry, ...] | Refused:
    """Two people change settings, on exactly those that they have seen; without changes they take back what waits."""
    signed = Signed(event.reason, envelope.actor, envelope.second or "")
    refused = check_two_people(signed) or _check_base(state, event)
    if refused is not None:
        return refused
    body = {"hand": state.hand.number, "reason": event.reason, "second": envelope.second}
    pending = state.book.pending
    if not event.changes:
        if pending is None:
            return refuse(Refusal.NOTHING_CHANGES)
        return (Entry(envelope.id, "settings.withdrawn", {**body, "asked": pending.entry}, (), envelope.actor),)
    before = values_of(state.hand.settings)
    wanted = canonical({**before, **{each.key: each.after for each in event.changes}})
    if pending is not None and (pending.settings, pending.day) == (wanted, event.day):
        return refuse(Refusal.NOTHING_CHANGES)
    try:
        now, then = read(state.hand.settings), read(wanted)
    except ValueError as wrong:
        return refuse(Refusal.SETTINGS_INVALID, why=str(wrong)[:200])
    refused = unfit_terms(then.table, then.jackpot.prizes, then.bound_micros, then.ceiling_micros)
    if refused is not None:
        return refused
    if not same_seats(now, then):
        return refuse(Refusal.SETTING_FIXED, setting="game")
    if then.terms != event.terms:
        return refuse(Refusal.TERMS_DIFFER, terms=then.terms)
    if is_above_ceiling(now, then, state):
        value, ceiling = own_value_micros(state), then.ceiling_micros or 0
        minor = now.minor_micros
        return refuse(Refusal.CEILING_BELOW_VALUE, value=value // minor, ceiling=ceiling // minor)
    body |= {
        "changes": _plain(event.changes),
        "wanted": values_of(wanted),
        "terms_before": now.terms,
        "terms_after": then.terms,
        "resets": state.link.ledger.resets,
    }
    if event.day:
        body["day"] = event.day
    return (Entry(envelope.id, "settings.asked", body, (), envelope.actor),)


def decide_day(read: Read, state: TableState, envelope: Envelope, event: SettingsDayCame) -> tuple[Entry, ...]:
    """The day of what waits has come; what else it waits for is looked at in the same commit."""
    pending = state.book.pending
    if pending is None or pending.day != event.day:
        return ()
    body = {"hand": state.hand.number, "asked": pending.entry, "day": event.day}
    return (Entry(envelope.id, "settings.day", body, (), envelope.actor),)


def _check_base(state: TableState, event: SettingsChanged) -> Refused | None:
    """What the two people saw in force, and waiting, is so still."""
    if not state.hand.settings or event.base != base_of(state):
        return refuse(Refusal.SETTINGS_CHANGED_MEANWHILE)
    before = values_of(state.hand.settings)
    for change in event.changes:
        if change.key not in before:
            return refuse(Refusal.SETTING_FIXED, setting=change.key)
        if before[change.key] != change.before:
            return refuse(Refusal.SETTINGS_CHANGED_MEANWHILE, setting=change.key)
    return None


def decide_confirmed(
    read: Read, state: TableState, envelope: Envelope, event: TermsConfirmed
) -> tuple[Entry, ...] | Refused:
    """Two people confirm the terms that the file changed: jackpot bets are taken again."""
    refused = check_two_people(Signed(event.reason, envelope.actor, envelope.second or ""))
    if refused is not None:
        return refused
    if not state.book.unconfirmed:
        return refuse(Refusal.NOTHING_CHANGES)
    if event.terms != state.book.unconfirmed:
        return refuse(Refusal.TERMS_DIFFER, terms=state.book.unconfirmed)
    body = {"terms": event.terms, "reason": event.reason, "second": envelope.second}
    return (Entry(envelope.id, "settings.confirmed", body, (), envelope.actor),)


def take_effect(read: Read, state: TableState) -> tuple[Entry, ...]:
    """The pending settings in force, from the hand in course on, when nothing keeps them; else nothing."""
    pending = state.book.pending
    if pending is None or waits_for(read, state):
        return ()
    was, wanted = read(state.hand.settings), read(pending.settings)
    before, after = values_of(state.hand.settings), values_of(pending.settings)
    count = state.book.count + 1
    body = {
        "count": count,
        "hand": state.hand.number,
        "asked": pending.entry,
        "settings": after,
        "changes": _plain(changes_between(before, after)),
        "terms_before": was.terms,
        "terms_after": wanted.terms,
        "reason": pending.reason,
        "second": pending.second,
    }
    name = f"settings:{state.link.settings.incarnation}:{count}"
    entries = [Entry(name, "settings.effective", body, (), pending.actor)]
    if _told_to_host(was) != _told_to_host(wanted):
        entries.append(_told(state, wanted, Signed(pending.reason, pending.actor, pending.second)))
    return tuple(entries)


def _told(state: TableState, settings: TableSettings, signed: Signed) -> Entry:
    terms = Terms(
        state.hand.number,
        settings.jackpot.prizes,
        settings.bound_micros,
        settings.ceiling_micros,
        settings.terms,
        signed,
    )
    return member.new_terms(state.link, terms)


def _unless_known(state: TableState, settings: TableSettings) -> tuple[Entry, ...]:
    """A journal of before settings were noted: its carousel may have been told the terms of an older file."""
    account = state.link.account
    if account is None:
        return ()
    known = (account.profile.prizes, account.profile.bound_micros, account.profile.ceiling_micros)
    if known == _told_to_host(settings)[1:]:
        return ()
    return (_told(state, settings, Signed("file", *INSTALLATION)),)


def _told_to_host(settings: TableSettings) -> tuple[object, ...]:
    """What the carousel's host knows of a table's terms."""
    return (settings.terms, settings.jackpot.prizes, settings.bound_micros, settings.ceiling_micros)


def told_terms(settings: TableSettings) -> str:
    """Digest by which a table and its host notice that they go by different terms."""
    return told_digest(
        settings.member.currency, settings.jackpot.prizes, settings.bound_micros, settings.ceiling_micros
    )


def _with_member(state: TableState, settings: TableSettings) -> TableState:
    """The member goes by the settings in force too: what it does without its host, and the terms that it names."""
    was, now = state.link.settings, settings.member
    member_settings = replace(
        was,
        prizes=now.prizes,
        on_link_loss=now.on_link_loss,
        lost_limit_minutes=now.lost_limit_minutes,
        terms=told_terms(settings) if was.terms else "",
    )
    return evolve(state, link=replace(state.link, settings=member_settings))


def apply_read(read: Read, state: TableState, entry: Entry) -> TableState:
    """What the file says is noted; what it changes waits for its moment."""
    body = entry.body
    text, wanted = canonical(body["settings"]), canonical(body["wanted"])
    if body["first"]:
        book = replace(state.book, file=text, vouched=body["terms_after"])
        return _with_member(evolve(state, hand=evolve(state.hand, settings=text), book=book), read(text))
    was = state.book.pending
    book = replace(state.book, file=text, pending=None)
    if wanted != state.hand.settings:
        resets = was.resets if was is not None else body["resets"]
        actor, second = INSTALLATION
        vouched = not body["unconfirmed"]
        day = _day_kept(state, body["wanted"])
        pending = PendingSettings(wanted, body["terms_after"], entry.id, actor, second, "file", resets, vouched, day)
        return evolve(state, book=replace(book, pending=pending))
    return evolve(state, book=book if body["unconfirmed"] else replace(book, vouched=body["terms_after"]))


def _day_kept(state: TableState, wanted: Mapping[str, Any]) -> str:
    """The day that two people named, while the file leaves anything of what they asked for it: none of it is early."""
    was = state.book.pending
    if was is None or not was.day:
        return ""
    asked = changes_between(values_of(state.hand.settings), values_of(was.settings))
    return was.day if any(wanted.get(each.key) == each.after for each in asked) else ""


def apply_asked(read: Read, state: TableState, entry: Entry) -> TableState:
    """The change waits; one that waited before gives way to it. Two people who change vouched terms vouch for them;
    what the file changed and nobody confirmed is not vouched for by a change of something else."""
    body = entry.body
    known = state.book.vouched in (body["terms_before"], body["terms_after"])
    pending = PendingSettings(
        canonical(body["wanted"]),
        body["terms_after"],
        entry.id,
        entry.actor,
        body["second"],
        body["reason"],
        body["resets"],
        known,
        body.get("day", ""),
    )
    return evolve(state, book=replace(state.book, pending=pending))


def apply_day(read: Read, state: TableState, entry: Entry) -> TableState:
    """What waits has no day to wait for any more."""
    pending = state.book.pending
    return state if pending is None else evolve(state, book=replace(state.book, pending=replace(pending, day="")))


def apply_withdrawn(read: Read, state: TableState, entry: Entry) -> TableState:
    """Nothing waits any more."""
    return evolve(state, book=replace(state.book, pending=None))


def apply_confirmed(read: Read, state: TableState, entry: Entry) -> TableState:
    """The terms in force, or about to be, are those that two people have seen."""
    book, terms = state.book, entry.body["terms"]
    if book.pending is not None and book.pending.terms == terms:
        book = replace(book, pending=replace(book.pending, vouched=True))
    if read(state.hand.settings).terms == terms:
        book = replace(book, vouched=terms)
    return evolve(state, book=book)


def apply_effective(read: Read, state: TableState, entry: Entry) -> TableState:
    """The hand in course, untouched yet, is played by the new settings."""
    text = canonical(entry.body["settings"])
    was, now = read(state.hand.settings), read(text)
    game = state.hand.game if same_seats(was, now) else now.game.first_hand()
    pending = state.book.pending
    vouched = now.terms if pending is not None and pending.vouched else state.book.vouched
    book = replace(state.book, count=entry.body["count"], pending=None, vouched=vouched)
    return _with_member(evolve(state, hand=evolve(state.hand, settings=text, game=game), book=book), now)


Decider = Callable[[Read, TableState, Envelope, Any], tuple[Entry, ...] | Refused]
Applier = Callable[[Read, TableState, Entry], TableState]

DECIDERS: Mapping[type, Decider] = {
    SettingsRead: decide_read,
    SettingsChanged: decide_changed,
    SettingsDayCame: decide_day,
    TermsConfirmed: decide_confirmed,
}
APPLIERS: Mapping[str, Applier] = {
    "settings.file": apply_read,
    "settings.asked": apply_asked,
    "settings.day": apply_day,
    "settings.withdrawn": apply_withdrawn,
    "settings.confirmed": apply_confirmed,
    "settings.effective": apply_effective,
}


def apply(read: Read, state: TableState, entry: Entry) -> TableState:
    """The state after an entry about settings."""
    state = APPLIERS[entry.kind](read, state, entry)
    history = (*state.book.history, entry.id)[-KEPT_HISTORY:]
    unconfirmed = _unconfirmed(state.book, read(state.hand.settings).terms)
    return evolve(state, book=replace(state.book, history=history, unconfirmed=unconfirmed))
