"""Stored entries of the node's journal folded into its accounts, one small function for each kind."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from controller.core.ledger import Entry
from controller.core.records import from_record
from controller.engine.accounts_state import (
    KEPT_ATTEMPTS,
    KEPT_OPENED,
    KEPT_SESSIONS,
    KEPT_TRIES,
    AccountsState,
    Approval,
    ApprovalStatus,
    Attempt,
    ClosedShift,
    CountRoomEntry,
    Role,
    Session,
    Tries,
    User,
    newest,
    with_approval,
    with_tries,
)

KEPT_COUNTS = 1000
KEPT_SHIFTS = 1000
KEPT_CHAIN = 16
"""Hexadecimal digits of a head's chain by which a closed shift knows its journals again; the entry has all of it."""


def _added(state: AccountsState, entry: Entry) -> AccountsState:
    body = entry.body
    user = User(
        body["login"],
        body["name"],
        Role(body["role"]),
        body["secret"],
        body["language"],
        body["badge"],
        secret_at_ms=body["at_ms"],
        secret_given=body.get("given", False),
    )
    return replace(state, users=state.users.set(user.login, user))


def _changed(state: AccountsState, entry: Entry) -> AccountsState:
    body = entry.body
    user = state.users[body["login"]]
    changes: dict[str, Any] = {
        name: body[name] for name in ("name", "language", "badge", "disabled") if body[name] is not None
    }
    if body["role"] is not None:
        changes["role"] = Role(body["role"])
    state = replace(state, users=state.users.set(user.login, replace(user, **changes)))
    ends = changes.get("disabled") or changes.get("role", user.role) is not user.role
    return _without_sessions(state, user.login) if ends else state


def _secret(state: AccountsState, entry: Entry) -> AccountsState:
    body = entry.body
    given = body.get("given", False)
    was = state.users[body["login"]]
    user = replace(was, secret=body["secret"], secret_at_ms=body["at_ms"], secret_given=given)
    return _without_sessions(replace(state, users=state.users.set(user.login, user)), user.login)


def _without_sessions(state: AccountsState, login: str) -> AccountsState:
    return replace(state, sessions={key: each for key, each in state.sessions.items() if each.login != login})


def _begun(state: AccountsState, entry: Entry) -> AccountsState:
    body = entry.body
    login, station = body["login"], body["station"]
    tries, there = from_record(Tries, body["account_tries"]), from_record(Tries, body["station_tries"])
    return replace(
        state,
        account_tries=with_tries(state.account_tries, login, tries, state.users),
        station_tries=with_tries(state.station_tries, station, there),
        attempts=newest(state.attempts, entry.id, Attempt(login, station), KEPT_ATTEMPTS),
    )


def _passed(state: AccountsState, entry: Entry) -> AccountsState:
    """The account's count starts anew; the station's falls by this one try, so that others there stay counted."""
    body = entry.body
    login, station = body["login"], body["station"]
    there = state.station_tries.get(station)
    stations = state.station_tries
    if there is not None:
        stations = {**stations, station: Tries(max(there.failures - 1, 0), 0, there.last_ms)}
    sessions = state.sessions
    if body["session"]:
        session = Session(body["session"], login, station, body["at_ms"], body["until_ms"], used_ms=body["at_ms"])
        sessions = newest(sessions, session.id, session, KEPT_SESSIONS)
    return replace(
        state,
        account_tries=newest(state.account_tries, login, None, KEPT_TRIES),
        station_tries=stations,
        attempts=newest(state.attempts, body["attempt"], None, KEPT_ATTEMPTS),
        sessions=sessions,
    )


def _failed(state: AccountsState, entry: Entry) -> AccountsState:
    return replace(state, attempts=newest(state.attempts, entry.body["attempt"], None, KEPT_ATTEMPTS))


def _ended(state: AccountsState, entry: Entry) -> AccountsState:
    return replace(state, sessions=newest(state.sessions, entry.body["session"], None, KEPT_SESSIONS))


def _opened(state: AccountsState, entry: Entry) -> AccountsState:
    session = state.sessions.get(entry.body["session"])
    if session is None:
        return state
    of = entry.body.get("of", "")
    name = f"{entry.body['part']}/{of}" if of else entry.body["part"]
    now = replace(session, opened=(*session.opened, name)[-KEPT_OPENED:], used_ms=entry.body["at_ms"])
    return replace(state, sessions={**state.sessions, session.id: now})


def _taken(state: AccountsState, entry: Entry) -> AccountsState:
    """A paper is kept in the journal alone; its session was used."""
    session = state.sessions.get(entry.body["session"])
    if session is None:
        return state
    return replace(state, sessions={**state.sessions, session.id: replace(session, used_ms=entry.body["at_ms"])})


def _asked(state: AccountsState, entry: Entry) -> AccountsState:
    body = entry.body
    approval = Approval(
        entry.id,
        body["act"],
        body["digest"],
        tuple(body["roles"]),
        entry.actor,
        body["at_ms"],
        body["until_ms"],
        tuple(body["effects"]),
        asked_role=body.get("asked_role", ""),
    )
    return replace(state, approvals=with_approval(state.approvals, approval))


def _settled(status: ApprovalStatus) -> Callable[[AccountsState, Entry], AccountsState]:
    def apply(state: AccountsState, entry: Entry) -> AccountsState:
        was = state.approvals.get(entry.body["approval"])
        if was is None:
            return state
        now = replace(was, status=status, second=entry.actor, settled_ms=entry.body["at_ms"])
        return replace(state, approvals={**state.approvals, was.id: now})

    return apply


def _executed(state: AccountsState, entry: Entry) -> AccountsState:
    body = entry.body
    was = state.approvals.get(body["approval"])
    if was is None:
        return state
    status = ApprovalStatus.REFUSED if body["refused"] else ApprovalStatus.DONE
    outcome = {name: body[name] for name in ("refused", "facts", "entries")}
    now = replace(was, status=status, outcome=outcome, settled_ms=body["at_ms"])
    return replace(state, approvals={**state.approvals, was.id: now})


def _counted(state: AccountsState, entry: Entry) -> AccountsState:
    body = entry.body
    count = CountRoomEntry(
        entry.id,
        body["table"],
        body["shift"],
        body["counted_minor"],
        body["metered_minor"],
        entry.actor,
        body["at_ms"],
    )
    return replace(state, counts=(*state.counts, count)[-KEPT_COUNTS:])


def _head(told: Any) -> list[Any]:
    """Seq and first digits of the chain of a journal's head, which older entries tell by name."""
    seq, chain = (told["seq"], told["chain"]) if isinstance(told, Mapping) else told
    return [seq, chain[:KEPT_CHAIN]]


def _shift(state: AccountsState, entry: Entry) -> AccountsState:
    """Shifts of journals that named no times ended when they were closed."""
    body = entry.body
    number = state.shifts[-1].number + 1 if state.shifts else 1
    end_ms = body.get("end_ms") or body["at_ms"]
    begin_ms = body.get("begin_ms") or (state.shifts[-1].end_ms if state.shifts else end_ms)
    heads = {name: _head(told) for name, told in body["heads"].items()}
    begins = state.shifts[-1].heads if state.shifts else {}
    people = (entry.actor, body.get("second") or "")
    closed = ClosedShift(number, body["shift"], begin_ms, end_ms, *people, begins, heads)
    return replace(state, shifts=(*state.shifts, closed)[-KEPT_SHIFTS:])


APPLIERS: dict[str, Callable[[AccountsState, Entry], AccountsState]] = {
    "user.added": _added,
    "user.changed": _changed,
    "user.secret_set": _secret,
    "login.begun": _begun,
    "login.passed": _passed,
    "login.failed": _failed,
    "login.ended": _ended,
    "access.opened": _opened,
    "access.taken": _taken,
    "approval.asked": _asked,
    "approval.given": _settled(ApprovalStatus.GIVEN),
    "approval.rejected": _settled(ApprovalStatus.REJECTED),
    "approval.executed": _executed,
    "count.entered": _counted,
    "shift.closed": _shift,
}
