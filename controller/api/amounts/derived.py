"""Amounts that screens work out of others: a prize's part of the meter today, and the meter with its pending prizes."""

from controller.api.amounts.trace import Line, Trace, unknown
from controller.api.context import ApiPorts
from controller.api.origin import copy_at, ledger_at
from controller.api.prize_views import OPEN, prizes_of
from controller.core.hands import Category
from controller.engine.ledger_state import LedgerState
from controller.engine.table_state import TableState

TAKEN, HELD, ROYAL = "taken", "held", "royal"


def part_minor(meter_micros: int, percent: int, minor_micros: int) -> int:
    """What a prize of so many percent is today, in whole minor units."""
    return max(meter_micros, 0) * percent // (100 * minor_micros)


def written(at: int | None) -> str:
    """A ledger record at the end of an address."""
    return "" if at is None else f"@{at}"


async def trace_part(ports: ApiPorts, carousel: str, percent: int, at: int | None) -> Trace:
    """The prize list's percentage of the meter as it stands; what is not of this prize stays in the meter."""
    meter = max((await ledger_at(ports, carousel, at)).amount_micros, 0)
    total = part_minor(meter, percent, ports.minor_micros) * ports.minor_micros
    lines = (
        Line("meter", meter, f"carousel/{carousel}/meter{written(at)}"),
        Line("stays_in_meter", total - meter, facts={"percent": percent}),
    )
    address = f"carousel/{carousel}/part/{percent}{written(at)}"
    return Trace(address, "part", total, lines, {"carousel": carousel, "percent": percent}, at)


def limit_lines(ledger: LedgerState) -> tuple[Line, ...]:
    """Each active table's ceiling, or what it held above one that was lowered; none where a table has no ceiling."""
    accounts = [ledger.tables[table] for table in ledger.active()]
    lines = [
        Line("ceiling_of_table", account.profile.ceiling_micros, facts={"table": account.profile.table})
        for account in accounts
        if account.profile.ceiling_micros is not None
    ]
    if len(lines) < len(accounts) or not lines:
        return ()
    above = ledger.amount_micros - sum(line.micros for line in lines)
    return (*lines, Line("above_ceiling", above)) if above > 0 else tuple(lines)


async def trace_limit(ports: ApiPorts, carousel: str, at: int | None) -> Trace:
    """The highest that the meter can be: the sum of its tables' ceilings as they were enrolled."""
    lines = limit_lines(await ledger_at(ports, carousel, at))
    address = f"carousel/{carousel}/limit{written(at)}"
    if not lines:
        raise unknown(address)
    return Trace(address, "limit", sum(line.micros for line in lines), lines, {"carousel": carousel}, at)


def hand_prizes(state: TableState, hand: int, which: str) -> list[tuple[str, str, int]]:
    """Prizes out of the meter of a hand, each with the word of its address and its minor units.

    which: all as they were computed (`taken`), those not yet paid (`held`), or the royals as a screen sums them up
    (`royal`): what was paid where that was another amount.
    """
    found = []
    for prize in prizes_of(state):
        if prize["hand"] != hand or prize["paid_by"] != "meter" or prize["status"] in ("void", "claimed"):
            continue
        otherwise = which == ROYAL and prize["status"] == "paid" and prize["difference_minor"] != 0
        wanted = {TAKEN: True, HELD: prize["status"] in OPEN, ROYAL: prize["category"] == Category.ROYAL_FLUSH.value}
        if wanted[which]:
            what = "due" if otherwise else "prize"
            found.append((prize["id"], what, prize["due_minor"] if otherwise else prize["amount_minor"]))
    return found


def trace_prizes(ports: ApiPorts, table: str, hand: int, which: str, with_meter: bool) -> Trace:
    """A hand's prizes out of the meter together; `with_meter`: the meter before them, as the cheque shows it."""
    state, minor = ports.table(table).state, ports.minor_micros
    address = f"table/{table}/{'before' if with_meter else 'prizes'}/{hand}/{which}"
    if which not in (TAKEN, HELD, ROYAL) or (with_meter and which == ROYAL):
        raise unknown(address)
    found = hand_prizes(state, hand, which)
    lines = [Line(what, amount * minor, f"table/{table}/{what}/{prize}") for prize, what, amount in found]
    total = sum(amount for _, _, amount in found) * minor
    if with_meter:
        meter = max(state.link.meter_micros, 0)
        carousel = ports.config.table(table).carousel_id
        lines.append(Line("meter", meter, f"carousel/{carousel}/meter{copy_at(ports, table)}"))
        lines.append(Line("fraction", -(meter % minor)))
        total += meter - meter % minor
    facts = {"table": table, "hand": hand}
    what = "before" if with_meter else "royals" if which == ROYAL else "prizes"
    return Trace(address, what, total, tuple(lines), facts)
