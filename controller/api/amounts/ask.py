"""Addresses of amounts: `carousel/ID/…`, `table/ID/…`, `node/…`, `request/ID/…`; `@N`: as it was at a ledger record."""

from collections.abc import Awaitable, Callable

from controller.api.amounts import (
    accounts,
    acts,
    awards,
    base_game,
    circle,
    claims,
    counts,
    derived,
    figures,
    hands,
    held,
    ledger,
    movements,
    otherwise,
    periods,
    requests,
    settings,
    tables,
    then,
)
from controller.api.amounts.trace import Trace, unknown
from controller.api.context import ApiPorts

MOST = 2**53


async def trace(ports: ApiPorts, address: str) -> Trace:
    """The answer to an address; Problem where there is no such amount."""
    text, _, at = address.partition("@")
    parts = text.split("/")
    if len(parts) < 3 or (at and _number(at) is None):
        raise unknown(address)
    if parts[0] == held.NODE and not at:
        return await _of_node(ports, parts[1:], address)
    if parts[0] == "request" and not at and len(parts) == 4:
        return await requests.trace_effect(ports, parts[1], _needed(parts[2], address), parts[3])
    if parts[0] == "carousel":
        return await _of_carousel(ports, parts[1], parts[2:], _number(at), address)
    if parts[0] == "table" and not at:
        ports.table(parts[1])
        asked = _OF_TABLE.get(parts[2])
        if asked is not None:
            return await asked(ports, parts[1], parts[3:], address)
    raise unknown(address)


def _number(text: str) -> int | None:
    """A whole number of an address, None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 16 else None


def _needed(text: str, address: str) -> int:
    number = _number(text)
    if number is None:
        raise unknown(address)
    return number


async def _of_node(ports: ApiPorts, parts: list[str], address: str) -> Trace:
    match parts:
        case ["all", what] if what in held.HELD:
            return held.trace_node(ports, what)
        case [span, name, "pending"] if span in periods.SPANS:
            return await then.trace_waited_anywhere(ports, periods.named(ports, span, name, address))
    raise unknown(address)


async def _of_carousel(ports: ApiPorts, carousel: str, parts: list[str], at: int | None, address: str) -> Trace:
    match parts:
        case ["limit"]:
            return await derived.trace_limit(ports, carousel, at)
        case ["guarded" | "kept" as what]:
            return held.trace_carousel(ports, carousel, what)
        case ["since", what]:
            return await movements.trace_since(ports, carousel, what, at)
        case ["unshown"]:
            return await movements.trace_unshown(ports, carousel, at)
        case [span, name, what] if span in periods.SPANS:
            return await accounts.trace_account(ports, carousel, periods.named(ports, span, name, address), what)
        case ["act", record, *what]:
            return await acts.trace_record_act(ports, carousel, _needed(record, address), what, address)
        case ["part", percent]:
            return await derived.trace_part(ports, carousel, _needed(percent, address), at)
        case ["before", *key] if len(key) == 3:
            return await awards.trace_before(ports, carousel, "/".join(key))
        case ["had", *key, table] if len(key) == 3:
            return await awards.trace_had(ports, carousel, "/".join(key), table)
        case ["pays", *key, table] if len(key) == 3:
            return await awards.trace_pays(ports, carousel, "/".join(key), table)
        case ["unsettled", *key] if len(key) == 3:
            return awards.trace_unsettled(ports, carousel, "/".join(key))
        case ["award", *row] if len(row) == 4:
            return await awards.trace_award(ports, carousel, "/".join(row))
        case ["cash", *row] if len(row) == 4:
            return await awards.trace_cash(ports, carousel, "/".join(row))
    figure, rest = ledger.figure_of(carousel, parts)
    match rest:
        case []:
            return await ledger.trace_figure(ports, figure, at)
        case ["from", table]:
            return await hands.trace_contributions(ports, figure, table, at)
        case ["over", table]:
            return await ledger.trace_over(ports, figure, table, at)
        case ["record", seq]:
            return await ledger.trace_record(ports, figure, _needed(seq, address))
    raise unknown(address)


async def _hand(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if len(rest) != 2:
        raise unknown(address)
    return await hands.trace_hand(ports, table, _needed(rest[0], address), rest[1], address.split("/")[2] == "void")


async def _pool(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    return await tables.trace_draw_pool(ports, table, "/".join(rest))


async def _prize(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    return await tables.trace_prize(ports, table, "/".join(rest))


async def _paid(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    return await tables.trace_paid(ports, table, "/".join(rest))


async def _otherwise(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    return await otherwise.trace_otherwise(ports, table, address.split("/")[2], "/".join(rest))


async def _proposed(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    return await otherwise.trace_proposed(ports, table, "/".join(rest))


async def _payment(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if len(rest) != 2:
        raise unknown(address)
    return await otherwise.trace_payment(ports, table, _needed(rest[0], address), rest[1])


async def _act(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if not rest:
        raise unknown(address)
    return await acts.trace_entry_act(ports, table, _needed(rest[0], address), rest[1:], address)


async def _held(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if rest:
        raise unknown(address)
    return held.trace_table(ports, table, address.split("/")[2])


async def _period(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if len(rest) != 2:
        raise unknown(address)
    asked = periods.named(ports, address.split("/")[2], rest[0], address)
    if rest[1] == "pending":
        return await then.trace_waited(ports, table, asked)
    return await figures.trace_figure(ports, table, asked, rest[1])


async def _prizes(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if len(rest) != 2:
        raise unknown(address)
    with_meter = address.split("/")[2] == "before"
    return derived.trace_prizes(ports, table, _needed(rest[0], address), rest[1], with_meter)


async def _box(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if len(rest) != 2:
        raise unknown(address)
    return await _OF_BOX[address.split("/")[2]](ports, table, _needed(rest[0], address), _needed(rest[1], address))


async def _orphans(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if rest:
        raise unknown(address)
    return await tables.trace_orphans(ports, table)


async def _count(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    return await counts.trace_count(ports, table, "/".join(rest[:-1]), rest[-1] if rest else "")


async def _setting(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    return await settings.trace_setting(ports, table, "/".join(rest))


async def _chips(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if len(rest) != 1:
        raise unknown(address)
    return await circle.trace_chips(ports, table, address.split("/")[2], _needed(rest[0], address))


Asked = Callable[[ApiPorts, str, list[str], str], Awaitable[Trace]]
_OF_BOX: dict[str, Callable[[ApiPorts, str, int, int], Awaitable[Trace]]] = {
    "ante": base_game.trace_ante,
    "result": base_game.trace_result,
    "claim": claims.trace_claim,
    "advance": claims.trace_advance,
    "won": circle.trace_won,
}
"""Amounts of a hand and seat, or pot."""
_OF_TABLE: dict[str, Asked] = {
    "hand": _hand,
    "void": _hand,
    "pool": _pool,
    "prize": _prize,
    "paid": _paid,
    "payment": _payment,
    "act": _act,
    "proposed": _proposed,
    "orphans": _orphans,
    "count": _count,
    **dict.fromkeys(_OF_BOX, _box),
    **dict.fromkeys(otherwise.OTHERWISE, _otherwise),
    **dict.fromkeys(held.HELD, _held),
    **dict.fromkeys(periods.SPANS, _period),
    "before": _prizes,
    "prizes": _prizes,
    "setting": _setting,
    **dict.fromkeys(circle.FIGURES, _chips),
}
