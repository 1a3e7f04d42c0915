"""What a player gets of a prize: the computed amount, and what two people set in its place, entry by entry."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from controller.api.amounts.past import PAYMENTS, Prize, prize_named, story_of
from controller.api.amounts.trace import Line, Trace, journaled, unknown
from controller.api.context import ApiPorts
from controller.api.prize_views import OPEN
from controller.engine.ports import StoredEntry
from controller.engine.table_overrides import in_force


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
            case "prize.override_ended":
                self.lines.append(journaled(Line("override_ended", -self.waits * minor_micros), journal, stored))
                self.waits = 0
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


def _way(ports: ApiPorts, table: str, story: Sequence[StoredEntry], until: str = "") -> Way:
    """The way of a prize's cash; until: up to the entry of this id."""
    journal, way = ports.table(table).journal, Way()
    for stored in story:
        way.take(stored, journal.name, ports.minor_micros)
        if stored.entry.id == until:
            break
    return way


def _difference(ports: ApiPorts, table: str, prize: Prize, story: Sequence[StoredEntry]) -> tuple[Line, ...]:
    holds = in_force(ports.table(table).state, prize["id"]) is not None
    return _way(ports, table, story).difference(prize["amount_minor"], holds, ports.minor_micros)


def _of(table: str, what: str, prize: Prize) -> str:
    return f"table/{table}/{what}/{prize['id']}"


async def trace_otherwise(ports: ApiPorts, table: str, what: str, prize_id: str) -> Trace:
    """One of the amounts of a prize that are about cash, by the name that an address uses."""
    prize = await prize_named(ports, table, prize_id)
    address = f"table/{table}/{what}/{prize_id}"
    total = None if prize is None else OTHERWISE[what](prize)
    if prize is None or total is None:
        raise unknown(address)
    minor, story = ports.minor_micros, await story_of(ports, table, prize)
    computed = Line("prize", prize["amount_minor"] * minor, _of(table, "prize", prize))
    match what:
        case "difference":
            lines = _difference(ports, table, prize, story)
        case "due":
            lines = (computed, *_difference(ports, table, prize, story))
        case "payable":
            due = Line("due", prize["due_minor"] * minor, _of(table, "due", prize))
            lines = (due, *_less(ports, table, prize, story, prize["due_minor"], "amount_minor"))
        case "computed":
            lines = (computed, *_less(ports, table, prize, story, prize["amount_minor"], "computed_minor"))
        case _:
            lines = _slip(ports, table, prize, story, what)
    facts = {"table": table, **{name: prize[name] for name in ("hand", "seat", "category")}}
    return Trace(address, what, total * minor, lines, facts)


def _less(
    ports: ApiPorts, table: str, prize: Prize, story: Sequence[StoredEntry], whole_minor: int, of: str
) -> tuple[Line, ...]:
    """What was paid of a sum already, each payment with who and when; more than all of it is the house's.

    of: what a payment counts as, its cash or what was computed. What nobody paid here of a prize that is no longer
    open was settled otherwise: by two people after a restore, or outside the tables.
    """
    desk, minor, see = ports.table(table), ports.minor_micros, _of(table, "paid", prize)
    lines, paid, settled = [], 0, None
    for stored in story:
        body, kind = stored.entry.body, stored.entry.kind
        if kind in (*PAYMENTS, "prize.advanced"):
            part: int = body.get(of, body["amount_minor"])
            paid += part
            lines.append(journaled(Line("less_paid", -part * minor, see=see), desk.journal.name, stored))
        elif kind == "restored.settled":
            settled = stored
    lines.append(Line("paid_before_correction", max(paid - whole_minor, 0) * minor))
    left = whole_minor - paid
    if left > 0 and settled is not None:
        said = Line("settled_after_restore", -left * minor, why=settled.entry.body["reason"])
        lines.append(journaled(said, desk.journal.name, settled))
    elif left > 0 and prize["status"] not in OPEN:
        lines.append(Line("settled_outside", -left * minor))
    return tuple(line for line in lines if line.micros)


def _slip(ports: ApiPorts, table: str, prize: Prize, story: Sequence[StoredEntry], what: str) -> tuple[Line, ...]:
    """The latest slip, as its entry has it: the prize and what was set in its place by then, less the tax."""
    desk, minor = ports.table(table), ports.minor_micros
    stored = [each for each in story if each.entry.kind == "slip.issued"][-1]
    content = stored.entry.body["content"]
    amount, tax = content["amount_minor"], content["withheld_minor"]
    sign = 1 if what == "withheld" else -1
    withheld = Line("withheld", sign * tax * minor, facts={"slip": content["number"]}, why=content["note"])
    taken = (journaled(withheld, desk.journal.name, stored),) if tax else ()
    if what == "withheld":
        return taken
    same, address = amount == prize["amount_minor"], _of(table, "prize", prize)
    computed = Line("prize", amount * minor, address if same else "", "" if same else address)
    way = _way(ports, table, story, stored.entry.id)
    return (computed, *way.difference(amount, content.get("override") is not None, minor), *taken)


def _of_slip(what: str) -> Callable[[Prize], int | None]:
    return lambda prize: prize["slip"][what] if prize["slip"] else None


OTHERWISE: Mapping[str, Callable[[Prize], int | None]] = {
    "due": lambda prize: prize["due_minor"],
    "difference": lambda prize: prize["difference_minor"],
    "payable": lambda prize: prize["payable_minor"],
    "computed": lambda prize: prize["computed_minor"],
    "slip": _of_slip("net_minor"),
    "withheld": _of_slip("withheld_minor"),
}
"""Amounts of a prize that are about its cash, in minor units; None where there is none."""


async def trace_proposed(ports: ApiPorts, table: str, prize_id: str) -> Trace:
    """The tax that is proposed for a slip: the site's rate on its part of what the player gets."""
    address = f"table/{table}/proposed/{prize_id}"
    prize = await prize_named(ports, table, prize_id)
    if prize is None:
        raise unknown(address)
    minor, due = ports.minor_micros, prize["due_minor"]
    tax = ports.config.papers.withholding.of(due)
    rest = Line("left_to_player", (tax - due) * minor, facts={"rate_bp": ports.config.papers.withholding_bp})
    lines = (Line("due", due * minor, _of(table, "due", prize)), rest)
    facts = {"table": table, **{name: prize[name] for name in ("hand", "seat", "category")}}
    return Trace(address, "proposed", tax * minor, tuple(line for line in lines if line.micros), facts)


async def trace_payment(ports: ApiPorts, table: str, seq: int, what: str) -> Trace:
    """One payment by another amount than the computed one: the cash, what was computed, or the difference."""
    address = f"table/{table}/payment/{seq}/{what}"
    desk, minor = ports.table(table), ports.minor_micros
    page = await desk.journal.page(seq - 1, 1) if seq > 0 else ()
    body = page[0].entry.body if page and page[0].entry.kind in PAYMENTS else {}
    if "override" not in body or what not in ("amount", "computed", "difference"):
        raise unknown(address)
    amount, computed = body["amount_minor"], body["computed_minor"]
    by_rules = Line("computed", computed * minor, see=f"table/{table}/prize/{body['prize']}")
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
