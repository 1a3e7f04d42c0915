"""Which entries of a journal a period holds: days by its calendar, shifts by the heads that two people signed."""

from collections.abc import AsyncIterator, Sequence
from datetime import date, timedelta
from typing import Any

from controller.api.context import ApiPorts
from controller.api.days import Calendar, day_of
from controller.api.kept import PAGE, Span
from controller.api.periods import Period, day_of_site
from controller.api.problems import Problem
from controller.core.refusal import Refusal, refuse
from controller.engine.ports import JournalReader, StoredEntry

MOMENTS = 5000
"""Entries whose dates are read at once."""


async def calendar_of(ports: ApiPorts, reader: JournalReader) -> Calendar:
    """The days of a journal up to its head."""
    async with ports.kept.lock(reader.name):
        calendar = ports.kept.calendars.setdefault(reader.name, Calendar(ports.config.site.zone))
        while page := await reader.moments(calendar.seen, MOMENTS):
            calendar.note(page)
        return calendar


async def span_of(ports: ApiPorts, reader: JournalReader, period: Period) -> Span:
    """The entries of a journal that belong to a period; periods that follow one another leave none out."""
    match period.span:
        case "shift":
            return await _shift(ports, reader, period)
        case "month":
            first = date.fromisoformat(f"{period.name}-01")
            after = (first + timedelta(days=31)).replace(day=1)
        case _:
            first = date.fromisoformat(period.name)
            after = first + timedelta(days=1)
    calendar = await calendar_of(ports, reader)
    return Span(calendar.last_before(first), calendar.last_before(after))


async def span_between(ports: ApiPorts, reader: JournalReader, first: str, last: str) -> Span:
    """The entries of a journal from one day to another, both included; an empty one leaves its side open.

    Days are those of the reports. Problem for what is no day, and for a last day before the first.
    """
    begin = day_of_site(first, "query.from") if first else None
    end = day_of_site(last, "query.to") if last else None
    if begin is not None and end is not None and begin > end:
        raise Problem(refuse(Refusal.DAYS_BACKWARDS, **{"from": first, "to": last}))
    if begin is None and end is None:
        return Span(0, reader.head()[0])
    calendar = await calendar_of(ports, reader)
    after = calendar.last_before(begin) if begin is not None else 0
    return Span(after, calendar.last_before(end + timedelta(days=1)) if end is not None else reader.head()[0])


async def entries_in(reader: JournalReader, span: Span) -> AsyncIterator[StoredEntry]:
    """The entries of a span, in order."""
    after = span.after
    while after < span.last:
        page = await reader.page(after, min(PAGE, span.last - after))
        if not page:
            return
        for stored in page:
            yield stored
        after = page[-1].seq


async def _shift(ports: ApiPorts, reader: JournalReader, period: Period) -> Span:
    """From the head at the close before; the first shift of all begins with its day."""
    if period.begins:
        begin = await _place(reader, period.begins.get(reader.name))
    else:
        calendar = await calendar_of(ports, reader)
        begin = calendar.last_before(day_of(period.begin_ms, ports.config.site.zone))
    return Span(begin, max(await _place(reader, period.ends.get(reader.name)), begin))


async def _place(reader: JournalReader, head: Sequence[Any] | None) -> int:
    """The seq of a head, `[seq, first digits of its chain]`; 0 for a journal that was not there yet.

    A journal that went back to an older backup has no such entry: what it holds since then comes after that head.
    """
    if head is None or not head[0]:
        return 0
    seq, chain = head
    page = await reader.page(seq - 1, 1) if seq <= reader.head()[0] else ()
    if page and page[0].chain.hex().startswith(chain):
        return int(seq)
    opened = await reader.find([f"restored:{reader.incarnation}"])
    return next((stored.seq - 1 for stored in opened.values()), reader.head()[0])
