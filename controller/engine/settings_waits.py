"""What changed settings wait for: a day, the hand, the circle game, the jackpot, a meter above the new ceiling."""

from collections.abc import Callable, Mapping
from enum import Enum

from controller.core.games.game import Stage
from controller.core.games.holdem_circle import HoldemCircle
from controller.engine.settings_values import Read, changes_between, values_of
from controller.engine.table_state import JackpotKind, TableSettings, TableState

JACKPOT = "jackpot"
CIRCLE = "circle."


class Wait(Enum):
    """Why settings are not in force yet. HAND: bets of a hand lie there, or it is played. GAME: the circle game's
    terms are fixed for a game (art. C 7-9), and its last hand may still be taken back; other seats wait until nobody
    sits with chips. RESET: the jackpot is to be won first. CEILING: it is above the new one. DAY: one was named."""

    DAY = "day"
    HAND = "hand"
    GAME = "game"
    RESET = "reset"
    CEILING = "ceiling"


def own_value_micros(state: TableState) -> int:
    """This table's part of the meter with what the ledger has not absorbed of it yet."""
    account = state.link.account
    if account is None:
        return 0
    return account.main_micros + state.link.counters.net_main_micros - account.absorbed.net_main_micros


def is_above_ceiling(was: TableSettings, wanted: TableSettings, state: TableState) -> bool:
    """R48: a limit that is lowered is never below the current value."""
    if wanted.ceiling_micros is None or wanted.ceiling_micros == was.ceiling_micros:
        return False
    return wanted.jackpot.kind is JackpotKind.PROGRESSIVE and own_value_micros(state) > wanted.ceiling_micros


def same_seats(was: TableSettings, wanted: TableSettings) -> bool:
    """Whether what lies at the table goes on lying there."""
    return (was.game.name, was.seats) == (wanted.game.name, wanted.seats)


def _hand_begun(was: TableSettings, wanted: TableSettings, state: TableState, names: frozenset[str]) -> bool:
    hand = state.hand
    if was.game.stage(hand.game) is not Stage.BETS or hand.credits or hand.prize_called:
        return True
    if any(unread.hand == hand.number for unread in state.unread.values()):
        return True
    return any(box.ante_minor for box in was.game.boxes(hand.game))


def _game_begun(was: TableSettings, wanted: TableSettings, state: TableState, names: frozenset[str]) -> bool:
    if not isinstance(was.game, HoldemCircle):
        return False
    table = state.hand.game.table
    if not same_seats(was, wanted):
        return bool(table.players)
    return any(name.startswith(CIRCLE) for name in names) and table.positions is not None


def _jackpot_waits(was: TableSettings, wanted: TableSettings, state: TableState, names: frozenset[str]) -> bool:
    pending = state.book.pending
    if not was.terms_after_reset or was.jackpot.kind is not JackpotKind.PROGRESSIVE:
        return False
    if not any(name.startswith(JACKPOT) for name in names):
        return False
    return pending is None or state.link.ledger.resets <= pending.resets


def _ceiling_waits(was: TableSettings, wanted: TableSettings, state: TableState, names: frozenset[str]) -> bool:
    return is_above_ceiling(was, wanted, state)


def _day_waits(was: TableSettings, wanted: TableSettings, state: TableState, names: frozenset[str]) -> bool:
    return state.book.pending is not None and bool(state.book.pending.day)


WAITS: Mapping[Wait, Callable[[TableSettings, TableSettings, TableState, frozenset[str]], bool]] = {
    Wait.DAY: _day_waits,
    Wait.HAND: _hand_begun,
    Wait.GAME: _game_begun,
    Wait.RESET: _jackpot_waits,
    Wait.CEILING: _ceiling_waits,
}


def waits_for(read: Read, state: TableState) -> tuple[Wait, ...]:
    """What the pending settings wait for; nothing when they may take effect now."""
    pending = state.book.pending
    if pending is None:
        return ()
    was, wanted = read(state.hand.settings), read(pending.settings)
    names = frozenset(each.key for each in changes_between(values_of(state.hand.settings), values_of(pending.settings)))
    return tuple(wait for wait, holds in WAITS.items() if holds(was, wanted, state, names))
