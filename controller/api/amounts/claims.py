"""Prizes that the carousel has not answered: what the table's copy of the ledger gives, and what may be advanced."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from controller.api.amounts.past import story_of
from controller.api.amounts.trace import Line, Trace, journaled, unknown
from controller.api.context import ApiPorts
from controller.api.origin import PAGE, steps_of
from controller.api.views import open_claims
from controller.core.prizes import Balance, settle_prizes
from controller.core.records import from_record
from controller.engine.ledger_state import LedgerState
from controller.engine.member import row_of
from controller.engine.messages import Claim
from controller.engine.ports import StoredEntry


@dataclass(slots=True)
class _Journaled:
    """The table's copy of the ledger as its journal went on, and as it was at the newest claim of a hand."""

    hand: int
    ledger: LedgerState
    claim: Claim | None = None
    at_claim: LedgerState | None = None
    stored: StoredEntry | None = None

    def take(self, page: Sequence[StoredEntry]) -> None:
        for stored in page:
            steps = steps_of(self.ledger, [stored])
            self.ledger = steps[-1].after if steps else self.ledger
            if stored.entry.kind == "link.claimed" and stored.entry.body["name"]["hand"] == self.hand:
                self.claim, self.at_claim, self.stored = from_record(Claim, stored.entry.body), self.ledger, stored


async def trace_claim(ports: ApiPorts, table: str, hand: int, seat: int) -> Trace:
    """The estimate of an unanswered prize: what each table's pool would pay by the ledger as it was at the claim."""
    address, desk = f"table/{table}/claim/{hand}/{seat}", ports.table(table)
    estimate = _figure(ports, table, hand, seat, "estimate_minor", address)
    copy = desk.state.link.ledger
    then = _Journaled(hand, LedgerState(copy.carousel, copy.minor_micros))
    after = 0
    while page := await desk.journal.page(after, PAGE):
        await asyncio.to_thread(then.take, page)
        after = page[-1].seq
    ledger, claim, stored = then.at_claim, then.claim, then.stored
    if ledger is None or claim is None or stored is None:
        raise unknown(address)
    link = desk.state.link
    before = [Balance(each.table, each.micros, each.start_micros, each.reserve_micros) for each in ledger.balances()]
    settled = settle_prizes(link.prizes_of(claim.name), before, claim.winners, ledger.minor_micros)
    award = next((each for each in settled.awards if each.seat == seat), None)
    debits = () if award is None else award.debits
    at = f"@{ledger.seq}"
    lines = [
        Line("debit", micros, see=f"carousel/{ledger.carousel}/main/{payer}{at}", facts={"table": payer})
        for payer, micros in debits
    ]
    total = estimate * ports.minor_micros
    house = 0 if award is None else award.amount_minor * ports.minor_micros - sum(line.micros for line in lines)
    lines += [Line("from_house", house)] if house else []
    facts = {"table": table, "hand": hand, "seat": seat}
    return Trace(address, "claim", total, tuple(journaled(each, desk.journal.name, stored) for each in lines), facts)


async def trace_advance(ports: ApiPorts, table: str, hand: int, seat: int) -> Trace:
    """What two people may still advance of it while the link is lost."""
    address, minor = f"table/{table}/advance/{hand}/{seat}", ports.minor_micros
    most = _figure(ports, table, hand, seat, "most_minor", address)
    desk = ports.table(table)
    estimate = _figure(ports, table, hand, seat, "estimate_minor", address)
    lines = [Line("claim", estimate * minor, f"table/{table}/claim/{hand}/{seat}")]
    prize = {"id": row_of(desk.state.link, hand, seat), "hand": hand, "seat": seat, "source": "carousel"}
    for stored in await story_of(ports, table, prize):
        if stored.entry.kind == "prize.advanced":
            line = Line("advanced", -stored.entry.body["amount_minor"] * minor)
            lines.append(journaled(line, desk.journal.name, stored))
    return Trace(address, "advance", most * minor, tuple(lines), {"table": table, "hand": hand, "seat": seat})


def _figure(ports: ApiPorts, table: str, hand: int, seat: int, what: str, address: str) -> int:
    """A figure of a claim that is open, in minor units; Problem where none is."""
    claims = open_claims(ports.table(table).state)
    found = next((each for each in claims if (each["hand"], each["seat"]) == (hand, seat)), None)
    if found is None:
        raise unknown(address)
    minor: int = found[what]
    return minor
