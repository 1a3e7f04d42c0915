"""The demo's circle table: players sit down, rebuy and rest by people's events; the hand runs on keys and reader."""

import secrets
from functools import partial

from controller.core.circle_events import (
    GameOpened,
    PlayerRested,
    PlayerReturned,
    PlayerSeated,
    Rebought,
    SeatsDrawAsked,
)
from controller.core.events import Envelope
from controller.core.games.circle_betting import BOARD_CARDS
from controller.core.games.circle_state import BOARD_PHASES, CircleState, Phase
from controller.core.games.holdem_circle import HoldemCircle
from controller.demo.dealer import Dealer
from controller.demo.deck import shuffled
from controller.engine.table_state import TableState
from controller.rooms import new_id

NAMES = ("Alma", "Bruno", "Celia", "Darío", "Elena", "Fermín")
CHIEF = "ana"
REST_ONE_IN = 8


async def play_holdem_circle(dealer: Dealer) -> None:
    """A hand of the circle game: players between hands, jackpot bets, two cards each, four streets, the showdown."""
    await _between_hands(dealer)
    game = _game(dealer)
    playing = [seat for seat in dealer.room.settings.seats if game.has_ante(_state(dealer), seat)]
    await dealer.bet([seat for seat in playing if secrets.randbelow(4)])
    await dealer.close()
    deck = iter(shuffled())
    await dealer.deal([next(deck) for _ in range(2 * len(_state(dealer).dealt))])
    await dealer.until("first question", lambda state: state.hand.game.phase is not Phase.DEAL)
    while _state(dealer).phase is not Phase.SHOWDOWN:
        phase = _state(dealer).phase
        street = BOARD_PHASES.get(phase)
        if street is not None:
            missing = BOARD_CARDS[street] - len(game.board(_state(dealer)))
            await dealer.deal([next(deck) for _ in range(1 + missing)])
            await dealer.until("board", partial(_past, phase=phase))
        else:
            acts = _state(dealer).acts
            await dealer.think()
            await dealer.press_until(_choice(game, _state(dealer)), "action", partial(_acted, acts=acts))
    await dealer.end()


def _game(dealer: Dealer) -> HoldemCircle:
    game = dealer.game
    assert isinstance(game, HoldemCircle), "the circle dealer stands at a circle table"
    return game


def _state(dealer: Dealer) -> CircleState:
    state: CircleState = dealer.state.hand.game
    return state


def _past(state: TableState, phase: Phase) -> bool:
    return state.hand.game.phase is not phase


def _acted(state: TableState, acts: int) -> bool:
    return bool(state.hand.game.acts > acts or state.hand.game.phase is Phase.SHOWDOWN)


async def _tell(dealer: Dealer, event: object) -> None:
    """What the sector chief enters for the players."""
    await dealer.room.runner.submit(Envelope(new_id(), event, CHIEF))


async def _between_hands(dealer: Dealer) -> None:
    """Seats are drawn and taken, a new game is opened, who has lost all buys again, somebody goes to rest."""
    if not _state(dealer).table.players:
        await dealer.until("draw chain", lambda state: 1 <= state.chain_next <= state.chain_length)
        await _tell(dealer, SeatsDrawAsked(NAMES))
        await dealer.until("drawn seats", lambda state: bool(state.hand.game.table.drawn))
        for _, seat in _state(dealer).table.drawn:
            await _tell(dealer, PlayerSeated(seat))
    if _state(dealer).table.ended:
        await _tell(dealer, GameOpened())
    terms = _game(dealer).settings
    for player in _state(dealer).table.players:
        if player.stack < terms.big_blind:
            await _tell(dealer, Rebought(player.seat, terms.buy_in_minimum))
        if player.resting:
            await _tell(dealer, PlayerReturned(player.seat))
        elif secrets.randbelow(REST_ONE_IN * len(NAMES)) == 0:
            await _tell(dealer, PlayerRested(player.seat))


def _choice(game: HoldemCircle, state: CircleState) -> str:
    """A key that the rules allow; most players call or check."""
    betting = state.bets
    seat = game.turn(state)
    assert seat is not None, "somebody is asked"
    chance = secrets.randbelow(20)
    may_raise = seat not in betting.bound and betting.most(seat) > betting.highest
    if chance == 0 and may_raise:
        return "all_in"
    if chance < 4 and may_raise:
        return "raise" if betting.highest else "bet"
    if betting.to_call(seat):
        return "fold" if chance > 16 else "call"
    return "check"
