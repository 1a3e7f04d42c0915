"""Amounts of the base game: a box's ante, and what the advice for the dealer says that a box won or lost."""

from collections.abc import Mapping

from controller.api.amounts.then import state_then
from controller.api.amounts.trace import Line, Trace, journaled, unknown
from controller.api.context import ApiPorts
from controller.api.routes_journal import entries_about
from controller.api.views import hand_named
from controller.engine import subjects
from controller.engine.ports import StoredEntry
from controller.engine.table_state import Hand

MADE = ("hand.over", "hand.corrected", "hand.void")
"""Entries after which a hand stands as it was played."""


async def hand_then(ports: ApiPorts, table: str, number: int, address: str) -> tuple[Hand, list[StoredEntry]]:
    """A hand with its entries: as the table holds it, or played again from its journal; Problem for none."""
    desk = ports.table(table)
    story = await entries_about(desk.journal, subjects.of_hand(number))
    hand = hand_named(desk.state, number)
    if hand is None:
        made = [stored.seq for stored in story if stored.entry.kind in MADE]
        hand = hand_named(await state_then(ports, table, made[-1]), number) if made else None
    if hand is None:
        raise unknown(address)
    return hand, story


async def trace_ante(ports: ApiPorts, table: str, number: int, seat: int) -> Trace:
    """What lies in a box's ante: each time it was put down, changed or taken back."""
    address = f"table/{table}/ante/{number}/{seat}"
    hand, story = await hand_then(ports, table, number, address)
    desk, minor = ports.table(table), ports.minor_micros
    settings = desk.read(hand.settings)
    box = next((each for each in settings.game.boxes(hand.game) if each.seat == seat), None)
    lines, lies = [], 0
    for stored in story:
        event = stored.entry.body.get("event")
        if not isinstance(event, Mapping) or event.get("seat") != seat:
            continue
        if event["type"] in ("AntePlaced", "AnteWithdrawn"):
            amount = event.get("amount_minor")
            then = settings.minimum_minor if amount is None else amount
            then = then if event["type"] == "AntePlaced" else 0
            lines.append(journaled(Line(event["type"], (then - lies) * minor), desk.journal.name, stored))
            lies = then
    total = 0 if box is None else box.ante_minor * minor
    shown = tuple(line for line in lines if line.micros)
    return Trace(address, "ante", total, shown, {"table": table, "hand": number, "seat": seat})


async def trace_result(ports: ApiPorts, table: str, number: int, seat: int) -> Trace:
    """The net of a box against the bank, or of a player at the circle: bet by bet, as the advice has it."""
    address = f"table/{table}/result/{number}/{seat}"
    hand, story = await hand_then(ports, table, number, address)
    desk, minor = ports.table(table), ports.minor_micros
    advised = desk.read(hand.settings).game.settlement(hand.game)
    result = next((each for each in advised if each.seat == seat), None)
    if result is None:
        raise unknown(address)
    made = [stored for stored in story if stored.entry.kind in MADE]
    lines = [Line(f"base_{bet}", micros * minor) for bet, micros in result.bets if micros]
    if made:
        lines = [journaled(line, desk.journal.name, made[-1]) for line in lines]
    facts = {"table": table, "hand": number, "seat": seat}
    return Trace(address, "result", result.net * minor, tuple(lines), facts)
