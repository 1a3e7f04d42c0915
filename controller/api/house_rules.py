"""The settings of one table as the API and the panel show them: in force, what waits and why, what happened to them."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from controller.api.closing import local_day
from controller.api.context import ApiPorts
from controller.api.problems import Problem
from controller.api.routes_settings import in_force
from controller.config.faults import Fault
from controller.config.house_rules import FIXED, checked, terms_of
from controller.config.texts import in_language
from controller.core.refusal import Refusal, Refused, refuse
from controller.core.settings_events import SettingsChanged
from controller.engine.host_events import StartValueReset
from controller.engine.ports import TableDesk
from controller.engine.settings_values import base_of, canonical, changes_between, values_of
from controller.engine.settings_waits import is_above_ceiling, own_value_micros, waits_for
from controller.engine.table_state import JackpotKind

MOST_AHEAD_DAYS = 7
"""How far ahead a change may be scheduled (R76: Indiana)."""
MOST_FAULTS = 20
"""Faults that one answer names; a form with more is mended in turns."""


def tag_of(desk: TableDesk) -> str:
    """The ETag of the settings in force and of what waits."""
    return f'"{base_of(desk.state)}"'


def settings_in_force(desk: TableDesk) -> dict[str, Any]:
    """By name; refused while the table has not read its file yet."""
    if not desk.state.hand.settings:
        raise Problem(refuse(Refusal.NOT_READY))
    return values_of(desk.state.hand.settings)


def maximum_bet(ports: ApiPorts, table: str) -> int:
    """The highest first bet in force, in minor units; the engine's games know it as their own."""
    text = ports.table(table).state.hand.settings
    found: int = values_of(text)["limits.maximum"] if text else ports.config.table(table).limits.maximum
    return found


def settings_view(desk: TableDesk) -> dict[str, Any]:
    """Settings in force, what waits and for what, the terms' hash, and a hash that waits for two people."""
    state = desk.state
    now = settings_in_force(desk)
    pending = state.book.pending
    waiting = None
    if pending is not None:
        waiting = {
            "changes": _lines(now, values_of(pending.settings)),
            "day": pending.day,
            "waits_for": [wait.value for wait in waits_for(desk.read, state)],
            "terms": pending.terms,
            "reason": pending.reason,
            "actor": pending.actor,
            "second": pending.second,
            "entry": pending.entry,
        }
    return {
        "settings": now,
        "fixed": [name for name in now if name in FIXED],
        "hand": state.hand.number,
        "terms": desk.settings.terms,
        "unconfirmed": state.book.unconfirmed,
        "told_to_host": not state.link.terms_waiting,
        "pending": waiting,
        "from_file": _lines(values_of(state.book.file), now) if state.book.file else [],
    }


def _lines(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    changes = changes_between(before, after)
    return [{"key": each.key, "before": each.before, "after": each.after} for each in changes]


async def history_of(desk: TableDesk) -> list[dict[str, Any]]:
    """The newest entries about the table's settings, newest first."""
    found = await desk.journal.find(desk.state.book.history)
    stored = sorted(found.values(), key=lambda each: -each.seq)
    return [
        {
            "seq": each.seq,
            "id": each.entry.id,
            "kind": each.entry.kind,
            "wall_ms": each.wall_ms,
            "actor": each.entry.actor,
            "second": each.entry.body.get("second", ""),
            "hand": each.entry.body.get("hand"),
            "reason": each.entry.body.get("reason", ""),
            "day": each.entry.body.get("day", ""),
            "changes": each.entry.body.get("changes", []),
            "terms_before": each.entry.body.get("terms_before", ""),
            "terms_after": each.entry.body.get("terms_after", each.entry.body.get("terms", "")),
        }
        for each in stored
    ]


def change_asked(
    ports: ApiPorts, table: str, settings: Mapping[str, Any], reason: str, language: str
) -> SettingsChanged:
    """What people want changed, checked as the loader checks a file; Problem that names every fault by its key."""
    desk = ports.table(table)
    now = settings_in_force(desk)
    for name in now:
        if name in FIXED and name in settings and settings[name] != now[name]:
            raise Problem(refuse(Refusal.SETTING_FIXED, setting=name))
    wanted, faults, _ = checked(in_force(ports), ports.config.table(table), settings, start_in_force(ports, desk))
    if wanted is None:
        raise Problem(_invalid(faults, language))
    changes = changes_between(now, wanted)
    if not changes and desk.state.book.pending is None:
        raise Problem(refuse(Refusal.NOTHING_CHANGES))
    terms = terms_of(ports.config.table(table), wanted)
    _check_ceiling(ports, desk, {**now, **wanted})
    return SettingsChanged(base_of(desk.state), changes, terms, reason)


def days_ahead(ports: ApiPorts) -> tuple[str, str]:
    """The first and the last day that may be named for a change."""
    today = local_day(ports, ports.clock())
    return (today + timedelta(days=1)).isoformat(), (today + timedelta(days=MOST_AHEAD_DAYS)).isoformat()


def check_day(ports: ApiPorts, day: str | None) -> str:
    """The day from which a change may take effect, "" without one: from tomorrow on, seven days ahead at most."""
    if day is None:
        return ""
    today = local_day(ports, ports.clock())
    try:
        ahead = (date.fromisoformat(day) - today).days
    except ValueError as wrong:
        raise Problem(refuse(Refusal.FORM_INVALID, place="body.day", why="day")) from wrong
    if not 1 <= ahead <= MOST_AHEAD_DAYS:
        raise Problem(refuse(Refusal.DAY_NOT_AHEAD, days=MOST_AHEAD_DAYS, day=day))
    return day


def _invalid(faults: tuple[Fault, ...], language: str) -> Refused:
    told = {fault.key[:120]: in_language(fault.reason, "en" if language == "en" else "es") for fault in faults}
    return refuse(Refusal.SETTINGS_INVALID, **dict(list(told.items())[:MOST_FAULTS]))


def check_change(ports: ApiPorts, table: str, event: SettingsChanged, language: str) -> Refused | None:
    """Why settings that were asked for no longer go together with what is in force by now."""
    desk = ports.table(table)
    wanted = settings_in_force(desk) | {each.key: each.after for each in event.changes}
    _, faults, _ = checked(in_force(ports), ports.config.table(table), wanted, start_in_force(ports, desk))
    return _invalid(faults, language) if faults else None


def check_start(ports: ApiPorts, carousel: str, event: StartValueReset, language: str) -> Refused | None:
    """Why a start value does not go with the settings of a table of this node; another node's are not known here."""
    desk = ports.tables.get(event.table)
    if desk is None or ports.config.table(event.table).carousel_id != carousel or not desk.state.hand.settings:
        return None
    start = ports.minor(event.start_micros)
    _, faults, _ = checked(in_force(ports), ports.config.table(event.table), settings_in_force(desk), start)
    return _invalid(faults, language) if faults else None


def start_in_force(ports: ApiPorts, desk: TableDesk) -> int | None:
    """The start value as the carousel's ledger has it; people may have reset it."""
    account = desk.state.link.account
    if account is None or desk.settings.jackpot.kind is not JackpotKind.PROGRESSIVE:
        return None
    return ports.minor(account.start_micros)


def _check_ceiling(ports: ApiPorts, desk: TableDesk, wanted: Mapping[str, Any]) -> None:
    """R48, told before a second person is asked."""
    then = desk.read(canonical(wanted))
    if is_above_ceiling(desk.settings, then, desk.state):
        value, ceiling = ports.minor(own_value_micros(desk.state)), ports.minor(then.ceiling_micros or 0)
        raise Problem(refuse(Refusal.CEILING_BELOW_VALUE, value=value, ceiling=ceiling))
