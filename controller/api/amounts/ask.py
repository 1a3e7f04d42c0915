"""Addresses of amounts: `carousel/ID/…`, `table/ID/…` and `node/all/…`; `@N` asks for the state at a ledger record."""

from collections.abc import Awaitable, Callable

from controller.api.amounts import circle, days, derived, hands, held, ledger, otherwise, tables
from controller.api.amounts.trace import Trace, unknown
from controller.api.context import ApiPorts

MOST = 2**53


async def trace(ports: ApiPorts, address: str) -> Trace:
    """The answer to an address; Problem where there is no such amount."""
    text, _, at = address.partition("@")
    parts = text.split("/")
    if len(parts) < 3 or (at and _number(at) is None):
        raise unknown(address)
    if parts[0] == held.NODE and not at and parts[1] == "all" and len(parts) == 3 and parts[2] in held.HELD:
        return held.trace_node(ports, parts[2])
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


async def _of_carousel(ports: ApiPorts, carousel: str, parts: list[str], at: int | None, address: str) -> Trace:
    match parts:
        case ["limit"]:
            return derived.trace_limit(ports, carousel)
        case ["guarded"]:
            return held.trace_carousel(ports, carousel)
        case ["day", day, what]:
            return await days.trace_account(ports, carousel, day, what)
        case ["part", percent]:
            return derived.trace_part(ports, carousel, _needed(percent, address))
        case ["before", *key] if len(key) == 3:
            return tables.trace_before(ports, carousel, "/".join(key))
        case ["award", *row] if len(row) == 4:
            return tables.trace_award(ports, carousel, "/".join(row))
        case ["cash", *row] if len(row) == 4:
            return otherwise.trace_cash(ports, carousel, "/".join(row))
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


async def _payment(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if len(rest) != 2:
        raise unknown(address)
    return await otherwise.trace_payment(ports, table, _needed(rest[0], address), rest[1])


async def _held(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if rest:
        raise unknown(address)
    return held.trace_table(ports, table, address.split("/")[2])


async def _day(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if len(rest) != 2:
        raise unknown(address)
    return await tables.trace_day(ports, table, rest[0], rest[1])


async def _prizes(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if len(rest) != 2:
        raise unknown(address)
    with_meter = address.split("/")[2] == "before"
    return derived.trace_prizes(ports, table, _needed(rest[0], address), rest[1], with_meter)


async def _setting(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    return derived.trace_setting(ports, table, "/".join(rest))


async def _chips(ports: ApiPorts, table: str, rest: list[str], address: str) -> Trace:
    if len(rest) != 1:
        raise unknown(address)
    return await circle.trace_chips(ports, table, address.split("/")[2], _needed(rest[0], address))


Asked = Callable[[ApiPorts, str, list[str], str], Awaitable[Trace]]
_OF_TABLE: dict[str, Asked] = {
    "hand": _hand,
    "void": _hand,
    "pool": _pool,
    "prize": _prize,
    "paid": _paid,
    "payment": _payment,
    **dict.fromkeys(otherwise.OTHERWISE, _otherwise),
    **dict.fromkeys(held.HELD, _held),
    "day": _day,
    "before": _prizes,
    "prizes": _prizes,
    "setting": _setting,
    **dict.fromkeys(circle.FIGURES, _chips),
}
