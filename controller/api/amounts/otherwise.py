"""What a player gets of a prize: the computed amount, and what two people set in its place, entry by entry."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.api.amounts.trace import Line, Trace, journaled, unknown
from controller.api.context import ApiPorts
from controller.api.origin import ledger_of
from controller.api.prize_views import find_prize
from controller.api.routes_journal import entries_about
from controller.engine import subjects
from controller.engine.host_outbox import cash_minor
from controller.engine.ports import StoredEntry
from controller.engine.table_overrides import in_force, paid_difference

Prize = Mapping[str, Any]
PAYMENTS = ("prize.paid", "draw.prize_paid")


@dataclass
class Way:
    """A prize's cash in the journal up to an entry, in minor units.

    lines: each decision of two people with what it changed; waits: by how much the one in force differs from what was
    computed, settled: by how much those that were paid did; computed: what was paid by the rules.
    """

    lines: list[Line] = field(default_factory=list)
    waits: int = 0
    settled: int = 0
    computed: int = 0

    def take(self, stored: StoredEntry, journal: str, minor_micros: int) -> None:
        """The prize's next entry."""
        body = stored.entry.body
        match stored.entry.kind:
            case "prize.overridden":
                difference = body["amount_minor"] - body["computed_minor"]
                facts = {name: body[name] for name in ("amount_minor", "computed_minor")} | {"override": body["reason"]}
                line = Line("override", (difference - self.waits) * minor_micros, facts=facts, why=body["note"])
                self.lines.append(journaled(line, journal, stored))
                self.waits = difference
            case "prize.paid" | "draw.prize_paid":
                self.computed += body.get("computed_minor", body["amount_minor"])
                if "override" in body:
                    self.settled, self.waits = self.settled + self.waits, 0
            case "prize.advanced":
                self.computed += body["amount_minor"]

    def difference(self, amount_minor: int, holds: bool, minor_micros: int) -> tuple[Line, ...]:
        """Lines that sum up to what the player gets beyond a prize of this amount; holds: the last decision does."""
        lines = list(self.lines)
        if self.waits and not holds:
            lines.append(Line("override_ended", -self.waits * minor_micros))
        excess = max(self.computed - amount_minor, 0)
        if excess and self.settled + (self.waits if holds else 0):
            lines.append(Line("paid_before_correction", excess * minor_micros))
        return tuple(lines)


async def _way(ports: ApiPorts, table: str, prize: Prize, until: str = "") -> Way:
    """The way of a prize's cash; until: up to the entry of this id."""
    journal, way = ports.table(table).journal, Way()
    about_prize = await entries_about(journal, subjects.of_prize(prize["id"]))
    about_hand = await entries_about(journal, subjects.of_hand(prize["hand"]))
    advances = [stored for stored in about_hand if stored.entry.kind == "prize.advanced"]
    mine = [stored for stored in advances if stored.entry.body["seat"] == prize["seat"] and prize["source"] != "draw"]
    for _, stored in sorted({stored.seq: stored for stored in (*about_prize, *mine)}.items()):
        way.take(stored, journal.name, ports.minor_micros)
        if stored.entry.id == until:
            break
    return way


async def _difference(ports: ApiPorts, table: str, prize: Prize) -> tuple[Line, ...]:
    holds = in_force(ports.table(table).state, prize["id"]) is not None
    return (await _way(ports, table, prize)).difference(prize["amount_minor"], holds, ports.minor_micros)


def _of(table: str, what: str, prize: Prize) -> str:
    return f"table/{table}/{what}/{prize['id']}"


async def trace_otherwise(ports: ApiPorts, table: str, what: str, prize_id: str) -> Trace:
    """One of the amounts of a prize that are about cash, by the name that an address uses."""
    prize = find_prize(ports.table(table).state, prize_id)
    address = f"table/{table}/{what}/{prize_id}"
    total = None if prize is None else OTHERWISE[what](prize)
    if prize is None or total is None:
        raise unknown(address)
    minor, paid = ports.minor_micros, prize["paid_minor"]
    computed = Line("prize", prize["amount_minor"] * minor, _of(table, "prize", prize))
    match what:
        case "difference":
            lines = await _difference(ports, table, prize)
        case "due":
            lines = (computed, *await _difference(ports, table, prize))
        case "payable":
            due = Line("due", prize["due_minor"] * minor, _of(table, "due", prize))
            lines = (due, *_less(paid, prize["due_minor"], minor, _of(table, "paid", prize)))
        case "computed":
            by_rules = paid - paid_difference(ports.table(table).state, prize_id)
            lines = (computed, *_less(by_rules, prize["amount_minor"], minor, _of(table, "paid", prize)))
        case _:
            lines = await _slip(ports, table, prize, what)
    facts = {"table": table, **{name: prize[name] for name in ("hand", "seat", "category")}}
    return Trace(address, what, total * minor, lines, facts)


def _less(paid_minor: int, whole_minor: int, minor_micros: int, see: str) -> tuple[Line, ...]:
    """What was paid of a sum already; more than all of it is the house's."""
    lines = (
        Line("less_paid", -paid_minor * minor_micros, see=see),
        Line("paid_before_correction", max(paid_minor - whole_minor, 0) * minor_micros),
    )
    return tuple(line for line in lines if line.micros)


async def _slip(ports: ApiPorts, table: str, prize: Prize, what: str) -> tuple[Line, ...]:
    """The latest slip, as its entry has it: the prize and what was set in its place by then, less the tax."""
    desk, minor = ports.table(table), ports.minor_micros
    note = desk.state.slips[prize["id"]]
    stored = (await desk.journal.find([note.entry]))[note.entry]
    content = stored.entry.body["content"]
    amount, tax = content["amount_minor"], content["withheld_minor"]
    sign = 1 if what == "withheld" else -1
    withheld = Line("withheld", sign * tax * minor, facts={"slip": content["number"]}, why=content["note"])
    taken = (journaled(withheld, desk.journal.name, stored),) if tax else ()
    if what == "withheld":
        return taken
    same, address = amount == prize["amount_minor"], _of(table, "prize", prize)
    computed = Line("prize", amount * minor, address if same else "", "" if same else address)
    way = await _way(ports, table, prize, note.entry)
    return (computed, *way.difference(amount, content.get("override") is not None, minor), *taken)


def trace_cash(ports: ApiPorts, carousel: str, row_id: str) -> Trace:
    """What was paid of an award, as its table tells the host: what people decided there is in that table's journal."""
    address = f"carousel/{carousel}/cash/{row_id}"
    host = ports.hosts.get(carousel)
    key, _, seat = row_id.rpartition("/")
    answered = None if host is None else ledger_of(ports, carousel)[1].awards.get(key)
    row = None if answered is None else next((each for each in answered.granted.rows if str(each.seat) == seat), None)
    if host is None or answered is None or row is None:
        raise unknown(address)
    state, minor, name = host.state, ports.minor_micros, answered.granted.name
    total, beside = cash_minor(state, row, name), state.beside.get(row_id, 0)
    here = f"table/{name.table}/due/{row_id}" if name.table in ports.tables else ""
    other = total - beside - row.amount_minor
    lines = (
        Line("prize", row.amount_minor * minor, f"carousel/{carousel}/award/{row_id}"),
        Line("paid_before_correction" if other > 0 else "still_to_pay", other * minor),
        Line("override_at_table", beside * minor, see=here, facts={"table": name.table}),
    )
    facts = {"carousel": carousel, "table": name.table, "hand": name.hand, "seat": row.seat, "category": row.category}
    return Trace(address, "cash", total * minor, tuple(line for line in lines if line.micros), facts)


def _while_open(what: str) -> Callable[[Prize], int | None]:
    return lambda prize: None if prize["status"] in ("paid", "void") else prize[what]


def _of_slip(what: str) -> Callable[[Prize], int | None]:
    return lambda prize: prize["slip"][what] if prize["slip"] else None


OTHERWISE: Mapping[str, Callable[[Prize], int | None]] = {
    "due": lambda prize: prize["due_minor"],
    "difference": lambda prize: prize["difference_minor"],
    "payable": _while_open("payable_minor"),
    "computed": _while_open("computed_minor"),
    "slip": _of_slip("net_minor"),
    "withheld": _of_slip("withheld_minor"),
}
"""Amounts of a prize that are about its cash, in minor units, by the table's state; None where there is none."""


async def trace_payment(ports: ApiPorts, table: str, seq: int, what: str) -> Trace:
    """One payment by another amount than the computed one: the cash, what was computed, or the difference."""
    address = f"table/{table}/payment/{seq}/{what}"
    desk, minor = ports.table(table), ports.minor_micros
    page = await desk.journal.page(seq - 1, 1) if seq > 0 else ()
    body = page[0].entry.body if page and page[0].entry.kind in PAYMENTS else {}
    if "override" not in body or what not in ("amount", "computed", "difference"):
        raise unknown(address)
    amount, computed = body["amount_minor"], body["computed_minor"]
    named = find_prize(desk.state, body["prize"]) is not None
    by_rules = Line("computed", computed * minor, see=f"table/{table}/prize/{body['prize']}" if named else "")
    facts = {"amount_minor": amount, "computed_minor": computed, "override": body["override"]}
    actor, second = (*body["authorised"], "", "")[:2]
    set_instead = Line("override", (amount - computed) * minor, facts=facts, actor=actor, second=second)
    lines = {
        "amount": (by_rules, journaled(set_instead, desk.journal.name, page[0])),
        "computed": (by_rules,),
        "difference": (journaled(set_instead, desk.journal.name, page[0]),),
    }
    total = {"amount": amount, "computed": computed, "difference": amount - computed}
    place = {"table": table, "hand": body["hand"], "seat": body["seat"]}
    return Trace(address, f"payment_{what}", total[what] * minor, lines[what], place)
