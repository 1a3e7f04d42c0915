"""The end of a jackpot against the calendar: notice, the months it was played, and the day when its money is moved."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from controller.api.context import ApiPorts
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import host_closing
from controller.engine.host_events import ClosedDisposed, ClosingAsked
from controller.engine.ledger_state import ORPHANS, LedgerState

MONTHS = 12


def local_day(ports: ApiPorts, wall_ms: int) -> date:
    """The calendar day at the site."""
    return datetime.fromtimestamp(wall_ms // 1000, UTC).astimezone(ports.config.site.zone).date()


def months_after(day: date, months: int) -> date:
    """The same day so many months later, or the last one of that month."""
    years, month = divmod(day.month - 1 + months, MONTHS)
    first = date(day.year + years, month + 1, 1)
    last = (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    return first.replace(day=min(day.day, last.day))


async def check_closing(ports: ApiPorts, carousel: str, event: ClosingAsked | ClosedDisposed) -> Refused | None:
    """Why a jackpot cannot end on that day, or its money cannot be moved yet."""
    if isinstance(event, ClosedDisposed):
        return _check_moved(ports, carousel)
    if not event.day:
        return None
    try:
        day = date.fromisoformat(event.day)
    except ValueError:
        return refuse(Refusal.FORM_INVALID, place="body.day", why=event.day[:40])
    rules, today = ports.config.closing, local_day(ports, ports.clock())
    earliest = today + timedelta(days=rules.notice_days)
    if day < earliest:
        return refuse(Refusal.NOTICE_TOO_SHORT, days=rules.notice_days, earliest=earliest.isoformat())
    founded = await ports.host(carousel).journal.page(0, 1)
    if founded and rules.minimum_months:
        until = months_after(local_day(ports, founded[0].wall_ms), rules.minimum_months)
        if day < until:
            return refuse(Refusal.RAN_TOO_SHORT, months=rules.minimum_months, earliest=until.isoformat())
    return None


def _check_moved(ports: ApiPorts, carousel: str) -> Refused | None:
    """The money is moved from the day after on, so that a misread card of the last hands can still be corrected; that
    nothing of them is open at any table is the host's own rule.
    """
    state = ports.host(carousel).state
    closing = state.ledger.closing
    if closing is None or not closing.closed:
        return None  # the host says so
    if local_day(ports, ports.clock()).isoformat() <= closing.day:
        return refuse(Refusal.DAY_NOT_OVER, day=closing.day)
    return host_closing.check_disposal(state)


def closing_view(ports: ApiPorts, ledger: LedgerState) -> dict[str, Any] | None:
    """The announced end of a jackpot; `move_until`: the day by which its money must be with another one."""
    closing = ledger.closing
    if closing is None:
        return None
    until = date.fromisoformat(closing.day) + timedelta(days=ports.config.closing.move_days)
    return {
        "day": closing.day,
        "target": closing.target,
        "orphans": closing.target == ORPHANS,
        "keep_start": closing.keep_start,
        "closed": closing.closed,
        "move_until": until.isoformat(),
    }
