"""Chips of a circle game: the table's journal is played again, and each entry that moved them is told."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from controller.api.amounts.base_game import MADE, hand_then
from controller.api.amounts.trace import Line, Trace, journaled, unknown
from controller.api.context import ApiPorts
from controller.api.origin import PAGE
from controller.core.games.circle_state import CircleState
from controller.core.games.holdem_circle import HoldemCircle
from controller.core.pots import PaidPot
from controller.engine.ports import StoredEntry
from controller.engine.table import TableMachine
from controller.engine.table_state import Hand, TableState


def _pot(game: HoldemCircle, state: CircleState, index: int) -> int:
    pots = game.pots(state)
    return pots[index].amount if index < len(pots) else 0


def _bet(game: HoldemCircle, state: CircleState, seat: int) -> int:
    betting = state.betting
    return 0 if betting is None or game.turn(state) is None else betting.in_street.get(seat, 0)


def _to_call(game: HoldemCircle, state: CircleState, seat: int) -> int:
    if game.turn(state) != seat:
        return 0
    return min(state.bets.to_call(seat), state.bets.stacks[seat])


def _rebuy(game: HoldemCircle, state: CircleState, seat: int) -> int:
    return dict(state.table.rebought).get(seat, 0)


FIGURES: Mapping[str, Callable[[HoldemCircle, CircleState, int], int]] = {
    "stack": lambda game, state, seat: game.stack(state, seat),
    "bet": _bet,
    "pot": _pot,
    "to_call": _to_call,
    "rebuy": _rebuy,
}


def figure_minor(game: HoldemCircle, state: CircleState, what: str, number: int) -> int:
    """A seat's stack, bet, call or rebuy, or a pot by its index, in minor units, as the screen shows it."""
    return FIGURES[what](game, state, number)


async def trace_chips(ports: ApiPorts, table: str, what: str, number: int) -> Trace:
    """Every entry that changed the figure, from the table's first one on."""
    desk, address = ports.table(table), f"table/{table}/{what}/{number}"
    game = desk.settings.game
    if not isinstance(game, HoldemCircle) or what not in FIGURES:
        raise unknown(address)
    machine = TableMachine(desk.read(""), desk.read)
    played = _Played(machine, what, number, desk.journal.name, ports.minor_micros)
    after = 0
    while page := await desk.journal.page(after, PAGE):
        await asyncio.to_thread(played.take, page)
        after = page[-1].seq
    total = figure_minor(game, desk.state.hand.game, what, number) * ports.minor_micros
    place = "pot" if what == "pot" else "seat"
    return Trace(address, what, total, tuple(played.lines), {"table": table, place: number})


def paid_pots(hand: Hand) -> tuple[PaidPot, ...]:
    """How the pots of a hand were paid; none while they are not."""
    state = hand.game
    return () if not isinstance(state, CircleState) or state.payout is None else state.payout.pots


async def trace_won(ports: ApiPorts, table: str, number: int, pot: int) -> Trace:
    """A pot as it was paid: what each player had put into it, less what the house kept."""
    address = f"table/{table}/won/{number}/{pot}"
    hand, story = await hand_then(ports, table, number, address)
    minor, pots = ports.minor_micros, paid_pots(hand)
    if pot >= len(pots):
        raise unknown(address)
    put, levels = hand.game.bets.put, _levels(hand.game)
    below, level = (levels[pot - 1] if pot else 0), (levels[pot] if pot + 1 < len(levels) else max(put.values()))
    parts = {seat: min(chips, level) - min(chips, below) for seat, chips in sorted(put.items())}
    lines = [Line("put_in_pot", part * minor, facts={"seat": seat}) for seat, part in parts.items()]
    lines += [Line("dead_chips", hand.game.dead * minor)] if pot == 0 else []
    lines.append(Line("rake", -pots[pot].rake * minor))
    over = [stored for stored in story if stored.entry.kind in MADE]
    journal = ports.table(table).journal.name
    shown = tuple(journaled(line, journal, over[-1]) if over else line for line in lines if line.micros)
    facts = {"table": table, "hand": number, "pot": pot + 1}
    return Trace(address, "won", (pots[pot].amount - pots[pot].rake) * minor, shown, facts)


def _levels(state: CircleState) -> list[int]:
    """Up to which bet of a player each pot goes, the main pot first; what lies above the last is in the last pot."""
    betting = state.bets
    return sorted({chips for seat, chips in betting.put.items() if chips and seat not in betting.folded})


class _Played:
    """A table's machine over its stored entries, and what they did to one figure."""

    def __init__(self, machine: TableMachine, what: str, number: int, journal: str, minor_micros: int) -> None:
        self._machine = machine
        self._what = (what, number)
        self._journal = journal
        self._minor_micros = minor_micros
        self._state = machine.first()
        self.lines: list[Line] = []

    def _figure(self, state: TableState) -> int:
        """By the terms of the hand: blinds and the smallest chip may have changed between games."""
        game = self._machine.settings_of(state).game
        return figure_minor(game, state.hand.game, *self._what) if isinstance(game, HoldemCircle) else 0

    def take(self, page: Sequence[StoredEntry]) -> None:
        """Play one page."""
        for stored in page:
            before, hand = self._figure(self._state), self._state.hand.number
            self._state = self._machine.apply(self._state, stored.entry)
            moved = (self._figure(self._state) - before) * self._minor_micros
            if moved:
                event = stored.entry.body.get("event")
                what = event["type"] if isinstance(event, Mapping) else stored.entry.kind
                key = event.get("key", "") if isinstance(event, Mapping) else ""
                line = Line(what, moved, facts={"hand": hand, **({"key": key} if key else {})})
                self.lines.append(journaled(line, self._journal, stored))
