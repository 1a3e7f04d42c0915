"""The typed cause of what people do to pools: checked against the list, and kept in the record beside their words."""

from dataclasses import replace

from controller.core.causes import CAUSES, PoolCause, PoolChange, typed_reason
from controller.core.events import LeaveAsked
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.host_events import (
    BalanceTransferred,
    ClosedDisposed,
    ClosingAsked,
    MeterAdjusted,
    OrphansAssigned,
    PeopleEvent,
    StartValueReset,
    StepAccepted,
)
from controller.engine.ledger_records import Signed

CAUSED = (
    MeterAdjusted,
    StartValueReset,
    BalanceTransferred,
    ClosingAsked,
    ClosedDisposed,
    OrphansAssigned,
    StepAccepted,
)
"""Acts of people that change pools, or say where their money will go."""


def changes_of(event: object) -> tuple[PoolChange, ...]:
    """What an act does to pools, as far as its own figures say."""
    match event:
        case MeterAdjusted(main_micros=main, reserve_micros=reserve):
            found = {
                PoolChange.RAISE: main > 0 or reserve > 0,
                PoolChange.LOWER: main < 0,
                PoolChange.LOWER_RESERVE: reserve < 0,
            }
            return tuple(change for change, is_so in found.items() if is_so)
        case StepAccepted(wrong_main_micros=main, wrong_reserve_micros=reserve):
            found = {PoolChange.WRONG_STEP: main != 0 or reserve != 0}
            return tuple(change for change, is_so in found.items() if is_so)
        case StartValueReset():
            return (PoolChange.START,)
        case BalanceTransferred():
            return (PoolChange.TRANSFER,)
        case LeaveAsked():
            return (PoolChange.LEAVE,)
        case ClosingAsked() | ClosedDisposed():
            return (PoolChange.CLOSE,)
        case OrphansAssigned():
            return (PoolChange.ORPHANS,)
    return ()


def check(cause: PoolCause | None, *changes: PoolChange) -> Refused | None:
    """Why a cause does not explain these changes."""
    if changes and cause is None:
        return refuse(Refusal.REASON_MISSING, field="cause")
    wrong = next((change for change in changes if cause not in CAUSES[change]), None)
    if wrong is None or cause is None:
        return None
    return refuse(Refusal.CAUSE_NOT_FOR_THIS, cause=cause.value, change=wrong.value)


def with_cause(event: PeopleEvent, signed: Signed) -> Signed | Refused:
    """The signature with the act's cause before the note; acts that touch no pool by themselves have none."""
    if not isinstance(event, CAUSED):
        return signed
    refused = check(event.cause, *changes_of(event))
    if refused is not None or event.cause is None:
        return refused or signed
    return replace(signed, reason=typed_reason(event.cause, signed.reason))


def leave_reason(event: LeaveAsked) -> str | Refused:
    """The reason of a table that leaves with its balance."""
    refused = check(event.cause, PoolChange.LEAVE)
    if refused is not None or event.cause is None:
        return refused or event.reason
    return typed_reason(event.cause, event.reason)
