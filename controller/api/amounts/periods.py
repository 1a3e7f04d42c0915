"""Spans of time in addresses: `day/2026-11-29`, `month/2026-11`, `shift/7` (0 = in course), `request/ID` of a close."""

from dataclasses import dataclass

from controller.api.amounts.trace import Facts, unknown
from controller.api.context import ApiPorts
from controller.api.periods import Period, day_period, days_of, month_period, shift_period
from controller.api.problems import Problem

SPANS = ("day", "month", "shift", "request")


@dataclass(frozen=True, slots=True)
class Named:
    """A period by the words of its address."""

    span: str
    name: str
    period: Period

    @property
    def address(self) -> str:
        return f"{self.span}/{self.name}"

    @property
    def facts(self) -> Facts:
        """The period as people are told it; a shift in course has no name yet."""
        if self.span in ("day", "month"):
            return {self.span: self.name}
        return {"shift": self.period.name if self.span == "request" or self.period.number else "now"}

    def days(self, ports: ApiPorts) -> tuple[str, ...]:
        """The days of a month, of which its figures are the sums; none of other periods."""
        return tuple(day.name for day in days_of(ports, self.name)) if self.span == "month" else ()


def named(ports: ApiPorts, span: str, name: str, address: str) -> Named:
    """The period that an address speaks of; Problem for none."""
    try:
        match span:
            case "day":
                return Named(span, name, day_period(ports, name))
            case "month":
                return Named(span, name, month_period(ports, name))
            case "shift" if name.isascii() and name.isdigit() and len(name) < 10:
                return Named(span, name, shift_period(ports, int(name)))
            case "request":
                return Named(span, name, _requested(ports, name, address))
    except Problem as wrong:
        raise unknown(address) from wrong
    raise unknown(address)


def _requested(ports: ApiPorts, approval: str, address: str) -> Period:
    """The shift that two people are asked to close, whatever became of the request: between the heads that it names."""
    found = ports.accounts.state.approvals.get(approval)
    event = {} if found is None else found.act["event"]
    if event.get("type") != "ShiftClosed":
        raise unknown(address)
    after, begin = event["after"], event["begin_ms"]
    closed = ports.accounts.state.shifts
    before = next((each for each in closed if each.number == after or (after < 0 and each.end_ms == begin)), None)
    begins = {} if before is None else before.heads
    return Period("shift", event["shift"], begin, event["end_ms"], begins=begins, ends=event["heads"])
