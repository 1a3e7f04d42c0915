"""The node's accounts as a machine: who may come in, how often a PIN is tried, and acts that take two people."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.core.events import Envelope
from controller.core.ledger import Entry
from controller.core.records import to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.accounts_apply import APPLIERS
from controller.engine.accounts_events import (
    ApprovalAsked,
    ApprovalExecuted,
    ApprovalGiven,
    ApprovalRejected,
    CountEntered,
    LoggedOut,
    LoginBegun,
    LoginFailed,
    LoginPassed,
    PartOpened,
    SecretSet,
    ShiftClosed,
    UserAdded,
    UserChanged,
)
from controller.engine.accounts_state import (
    DEFAULT_POLICY,
    MOST_OPEN,
    AccountsState,
    Approval,
    ApprovalStatus,
    LoginPolicy,
    Role,
    failed_once_more,
    secret_left_ms,
    wait_ms,
)

Decision = tuple[Entry, ...] | Refused


@dataclass(frozen=True, slots=True)
class AccountsMachine:
    """`decide` and `apply` over the node's journal; `now_ms` bounds tries, sessions and approvals, never money."""

    policy: LoginPolicy = DEFAULT_POLICY

    def first(self) -> AccountsState:
        """Nobody yet."""
        return AccountsState()

    def decide(self, state: AccountsState, envelope: Envelope, now_ms: int) -> Decision:
        """See `Machine.decide`."""
        decider = DECIDERS.get(type(envelope.event))
        if decider is None:
            return refuse(Refusal.UNKNOWN_EVENT, event=type(envelope.event).__name__)
        return decider(self.policy, state, envelope, envelope.event, now_ms)

    def apply(self, state: AccountsState, entry: Entry) -> AccountsState:
        """See `Machine.apply`."""
        applier = APPLIERS.get(entry.kind)
        return state if applier is None else applier(state, entry)


def _entry(envelope: Envelope, kind: str, now_ms: int, event: object, **more: Any) -> tuple[Entry, ...]:
    body = {**to_record(event), **more, "at_ms": now_ms}
    return (Entry(envelope.id, kind, body, (), envelope.actor),)


def _admins_after(state: AccountsState, event: UserChanged) -> int:
    """Admins that can still log in once the change is done."""
    count = 0
    for user in state.users.values():
        changed = user.login == event.login
        role = Role(event.role) if changed and event.role is not None else user.role
        disabled = event.disabled if changed and event.disabled is not None else user.disabled
        count += role is Role.ADMIN and not disabled
    return count


def _is_given(envelope: Envelope, event: UserAdded | SecretSet) -> bool:
    """Whether a PIN is set by somebody else than its owner, who has to change it at the first login."""
    return envelope.actor != event.login


def _decide_added(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: UserAdded, now_ms: int
) -> Decision:
    if event.login in state.users:
        return refuse(Refusal.USER_EXISTS, login=event.login)
    if state.user_of_badge(event.badge) is not None:
        return refuse(Refusal.BADGE_TAKEN, login=event.login)
    return _entry(envelope, "user.added", now_ms, event, given=_is_given(envelope, event))


def _decide_changed(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: UserChanged, now_ms: int
) -> Decision:
    if event.login not in state.users:
        return refuse(Refusal.UNKNOWN_USER, login=event.login)
    holder = state.user_of_badge(event.badge or "")
    if holder is not None and holder.login != event.login:
        return refuse(Refusal.BADGE_TAKEN, login=event.login)
    was_admin = state.users[event.login].role is Role.ADMIN
    if was_admin and _admins_after(state, event) == 0:
        return refuse(Refusal.LAST_ADMIN, login=event.login)
    return _entry(envelope, "user.changed", now_ms, event)


def _decide_secret(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: SecretSet, now_ms: int
) -> Decision:
    if event.login not in state.users:
        return refuse(Refusal.UNKNOWN_USER, login=event.login)
    return _entry(envelope, "user.secret_set", now_ms, event, given=_is_given(envelope, event))


def _decide_begun(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: LoginBegun, now_ms: int
) -> Decision:
    """Counted per account, known or not, and per station; refused without an entry while either must wait."""
    account, station = state.account_tries.get(event.login), state.station_tries.get(event.station)
    if station is not None and now_ms - station.last_ms > policy.forget_station_after_ms:
        station = None
    wait = max(wait_ms(policy, account, now_ms), wait_ms(policy, station, now_ms))
    if wait:
        return refuse(Refusal.TOO_MANY_TRIES, wait_s=-(-wait // 1000))
    tries = failed_once_more(policy, account, policy.tries, now_ms)
    there = failed_once_more(policy, station, policy.station_tries, now_ms)
    more = {"account_tries": to_record(tries), "station_tries": to_record(there)}
    return _entry(envelope, "login.begun", now_ms, event, **more)


def _decide_passed(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: LoginPassed, now_ms: int
) -> Decision:
    attempt = state.attempts.get(event.attempt)
    if attempt is None:
        return refuse(Refusal.LOGIN_FAILED)
    user = state.users.get(attempt.login)
    if user is None or user.disabled:
        return refuse(Refusal.LOGIN_FAILED)
    if event.session and secret_left_ms(policy, user, now_ms) == 0:
        return refuse(Refusal.SECRET_EXPIRED)
    more = {"login": attempt.login, "station": attempt.station, "until_ms": now_ms + policy.session_ms}
    return _entry(envelope, "login.passed", now_ms, event, **more)


def _decide_failed(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: LoginFailed, now_ms: int
) -> Decision:
    attempt = state.attempts.get(event.attempt)
    if attempt is None:
        return ()
    return _entry(envelope, "login.failed", now_ms, event, login=attempt.login, station=attempt.station)


def _decide_logout(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: LoggedOut, now_ms: int
) -> Decision:
    return _entry(envelope, "login.ended", now_ms, event) if event.session in state.sessions else ()


def _decide_opened(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: PartOpened, now_ms: int
) -> Decision:
    """The first opening of a part by a session, and every paper: what a log of everybody at the controller takes."""
    session = state.sessions.get(event.session)
    if session is None or (event.name in session.opened and not event.taken):
        return ()
    kind = "access.taken" if event.taken else "access.opened"
    return _entry(envelope, kind, now_ms, event, login=session.login, station=session.station)


def _decide_asked(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: ApprovalAsked, now_ms: int
) -> Decision:
    open_now = sum(each.asked_by == envelope.actor and each.waits_at(now_ms) for each in state.approvals.values())
    if open_now >= MOST_OPEN:
        return refuse(Refusal.TOO_MANY_REQUESTS, most=MOST_OPEN)
    asker = state.users.get(envelope.actor)
    role = "" if asker is None else asker.role.value
    return _entry(envelope, "approval.asked", now_ms, event, until_ms=now_ms + policy.approval_ms, asked_role=role)


def _open(state: AccountsState, approval_id: str, now_ms: int) -> Approval | Refused:
    approval = state.approvals.get(approval_id)
    if approval is None:
        return refuse(Refusal.UNKNOWN_APPROVAL, approval=approval_id)
    if approval.status is not ApprovalStatus.OPEN:
        return refuse(Refusal.APPROVAL_SETTLED, approval=approval_id, status=approval.status.value)
    if not approval.waits_at(now_ms):
        return refuse(Refusal.APPROVAL_EXPIRED, approval=approval_id)
    return approval


def _decide_given(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: ApprovalGiven, now_ms: int
) -> Decision:
    """Another person, of a role that may, approving exactly what was asked, in time, by one who is still who he was."""
    approval = _open(state, event.approval, now_ms)
    if isinstance(approval, Refused):
        return approval
    if event.digest != approval.digest:
        return refuse(Refusal.APPROVAL_DIFFERS, approval=event.approval)
    if envelope.actor == approval.asked_by:
        return refuse(Refusal.SAME_PERSON_TWICE)
    asker = state.users.get(approval.asked_by)
    if approval.asked_role and (asker is None or asker.disabled or asker.role.value != approval.asked_role):
        return refuse(Refusal.ASKER_CHANGED, person=approval.asked_by)
    second = state.users.get(envelope.actor)
    if second is None or second.disabled or second.role.value not in approval.roles:
        return refuse(Refusal.ROLE_MISSING, roles=", ".join(approval.roles))
    return _entry(envelope, "approval.given", now_ms, event)


def _decide_rejected(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: ApprovalRejected, now_ms: int
) -> Decision:
    approval = _open(state, event.approval, now_ms)
    return approval if isinstance(approval, Refused) else _entry(envelope, "approval.rejected", now_ms, event)


def _decide_executed(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: ApprovalExecuted, now_ms: int
) -> Decision:
    approval = state.approvals.get(event.approval)
    if approval is None or approval.status is not ApprovalStatus.GIVEN:
        return refuse(Refusal.UNKNOWN_APPROVAL, approval=event.approval)
    return _entry(envelope, "approval.executed", now_ms, event)


def _decide_count(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: CountEntered, now_ms: int
) -> Decision:
    return _entry(envelope, "count.entered", now_ms, event)


def _decide_shift(
    policy: LoginPolicy, state: AccountsState, envelope: Envelope, event: ShiftClosed, now_ms: int
) -> Decision:
    """By two people, and only as it was shown: from the last close on, which may have been another's meanwhile."""
    if envelope.second is None:
        return refuse(Refusal.SECOND_PERSON_MISSING)
    if envelope.second == envelope.actor:
        return refuse(Refusal.SAME_PERSON_TWICE)
    number, end_ms = (state.shifts[-1].number, state.shifts[-1].end_ms) if state.shifts else (0, event.begin_ms)
    if event.after != number if event.after >= 0 else event.begin_ms != end_ms:
        return refuse(Refusal.SHIFT_CLOSED_MEANWHILE)
    return _entry(envelope, "shift.closed", now_ms, event, second=envelope.second)


Decider = Callable[[LoginPolicy, AccountsState, Envelope, Any, int], Decision]
DECIDERS: dict[type, Decider] = {
    UserAdded: _decide_added,
    UserChanged: _decide_changed,
    SecretSet: _decide_secret,
    LoginBegun: _decide_begun,
    LoginPassed: _decide_passed,
    LoginFailed: _decide_failed,
    LoggedOut: _decide_logout,
    PartOpened: _decide_opened,
    ApprovalAsked: _decide_asked,
    ApprovalGiven: _decide_given,
    ApprovalRejected: _decide_rejected,
    ApprovalExecuted: _decide_executed,
    CountEntered: _decide_count,
    ShiftClosed: _decide_shift,
}
