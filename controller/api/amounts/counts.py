"""What the count room entered for a table and a day, what was metered by then, and the difference."""

from controller.api.amounts.trace import Line, Trace, journaled, unknown
from controller.api.context import ApiPorts
from controller.api.periods import day_period
from controller.api.reports import table_figures

FIGURES = ("counted", "metered", "variance")


async def trace_count(ports: ApiPorts, table: str, count_id: str, what: str) -> Trace:
    """counted: as typed; metered: the day's bets by now, less those that came after the count; variance: both."""
    address, minor = f"table/{table}/count/{count_id}/{what}", ports.minor_micros
    entered = (each for each in ports.accounts.state.counts if (each.id, each.table) == (count_id, table))
    count = next(entered, None)
    if count is None or what not in FIGURES:
        raise unknown(address)
    journal, here = ports.accounts.journal, f"table/{table}/count/{count_id}"
    stored = (await journal.find([count.id]))[count.id]
    day = count.shift[:10]
    if what == "counted":
        lines = [journaled(Line("count_typed", count.counted_minor * minor), journal.name, stored)]
    elif what == "metered":
        handle = (await table_figures(ports, table, day_period(ports, day))).handle_minor
        lines = [Line("period_handle", handle * minor, f"table/{table}/day/{day}/handle", facts={"day": day})]
        after = Line("since_the_count", (count.metered_minor - handle) * minor)
        lines += [journaled(after, journal.name, stored)] if after.micros else []
    else:
        lines = [
            Line("count_typed", count.counted_minor * minor, f"{here}/counted"),
            Line("less_metered", -count.metered_minor * minor, see=f"{here}/metered"),
        ]
    totals = {"counted": count.counted_minor, "metered": count.metered_minor, "variance": count.variance_minor}
    facts = {"table": table, "shift": count.shift}
    return Trace(address, f"count_{what}", totals[what] * minor, tuple(lines), facts)
