"""Circle hands played at a live table, several in a row, and told as the records that `settle` reads."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from controller.core.cards import DECK, Card
from controller.core.circle_events import PlayerLeft, PlayerRested, PlayerReturned, Rebought
from controller.core.events import CardRead, ClockRan, GameEvent, Key, KeyPressed
from controller.core.games.boxes import CardsRead
from controller.core.games.circle_showdown import RakeTerms
from controller.core.games.circle_state import CircleState, Phase, hole_cards
from controller.core.games.holdem_circle import CircleSettings, HoldemCircle
from controller.core.refusal import Refused
from tests.core.circle_play import after, seated, step

Choose = Callable[[int], int]
BLINDS = (100, 200)
PAIRS = {"kind": "fixed", "credit": 10, "prizes": {"pair": {"fixed": 70}, "two_pair": {"fixed": 130}}}
KEYS = (Key.CALL, Key.CHECK, Key.BET, Key.RAISE, Key.ALL_IN, Key.FOLD)


@dataclass
class Played:
    """A hand as a record, and the live table at its end."""

    record: dict[str, Any]
    table: HoldemCircle
    over: CircleState
    credits: dict[int, int]


@dataclass
class LiveTable:
    """A table with players of any stacks; `choose(n)` decides everything that people decide."""

    choose: Choose
    table: HoldemCircle = field(init=False)
    state: CircleState = field(init=False)

    def __post_init__(self) -> None:
        choose = self.choose
        settings = CircleSettings(
            seats=tuple(range(1, 11)),
            small_blind=BLINDS[0],
            big_blind=BLINDS[1],
            rake=RakeTerms(choose(501), (1, 10, 50)[choose(3)], bool(choose(2))),
            buy_in_minimum=1,
            rebuy_minimum=1,
            cards_read=CardsRead.DEAL,
        )
        self.table = HoldemCircle(settings)
        self.state = seated(self.table, *(self._chips() for _ in range(4 + choose(7))))

    def hands(self, most: int) -> list[Played]:
        """Up to so many hands in a row, with rests, leaves and rebuys between them."""
        played = []
        for _ in range(most):
            closed = self.table.step(self.state, KeyPressed(Key.CLOSE_BETS))
            if isinstance(closed, Refused):
                break
            played.append(self._hand())
            self._between()
        return played

    def _chips(self) -> int:
        """Often less than a big blind, or just about one: there the rules of blinds are put to the test."""
        return 1 + self.choose((99, 260, 260, 3_000)[self.choose(4)])

    def _between(self) -> None:
        self.state = self.table.next_hand(self.state)
        for player in self.state.table.players:
            event = (Rebought(player.seat, self._chips()), PlayerRested(player.seat), PlayerReturned(player.seat))
            for each in event:
                if self.choose(3) == 0:
                    self._try(each)
            if player.stack == 0 and self.choose(2):
                self._try(PlayerLeft(player.seat))

    def _try(self, event: GameEvent) -> bool:
        answer = step(self.table, self.state, event)
        if isinstance(answer, Refused):
            return False
        self.state = answer
        return True

    def _hand(self) -> Played:
        before = self.state.table.players
        deck = list(DECK)
        for last in range(len(deck) - 1, 0, -1):
            other = self.choose(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        self.state = after(self.table, self.state, "close_bets")
        actions = []
        while self.state.phase is not Phase.SHOWDOWN:
            if self.table.turn(self.state) is None:
                assert self._try(CardRead(Card(deck.pop())))
            else:
                actions += self._action()
        self._muck()
        self.state = over = after(self.table, self.state, "hand_over")
        credits = {each.seat: self.choose(4) for each in before}
        return Played(self._record(before, actions, credits), self.table, over, credits)

    def _action(self) -> list[dict[str, Any]]:
        """One action of the seat that is asked: the first of the keys, from a chosen one on, that is not refused."""
        betting, seat = self.state.bets, self.table.turn(self.state)
        assert seat is not None
        street = betting.street.value
        if self.choose(40) == 0:
            for _ in range(2):
                deadline = self.table.deadline(self.state)
                assert deadline is not None
                assert self._try(ClockRan(deadline[0]))
            return [{"street": street, "seat": seat, "do": "fold", "to": betting.in_street[seat]}]
        first = self.choose(len(KEYS))
        for key in (*KEYS[first:], *KEYS[:first]):
            least, most = betting.least_raise, betting.most(seat)
            to = None
            if key in (Key.BET, Key.RAISE):
                to = min(least + self.choose(max(most - least, 0) + 1), most)
            elif key is Key.CALL and self.choose(3) == 0:
                to = 1 + self.choose(2 * betting.highest + 1)
            if not self._try(KeyPressed(key, amount_minor=to)):
                continue
            if self.table.turn(self.state) == seat and self.state.bets.short == seat:
                return []  # Too few chips for the call: he is asked for the rest (art. 55).
            action = {"street": street, "seat": seat, "do": key.value}
            if key is Key.FOLD:
                to = betting.in_street[seat]
            return [action | {"to": to} if key in (Key.BET, Key.RAISE, Key.FOLD) else action]
        raise AssertionError(f"seat {seat} may do nothing: {betting}")

    def _muck(self) -> None:
        """Some do not show (art. 71)."""
        for seat in self.state.bets.live:
            if self.choose(6) == 0:
                self._try(KeyPressed(Key.FOLD, seat))

    def _record(self, before: Any, actions: list[dict[str, Any]], credits: dict[int, int]) -> dict[str, Any]:
        state, settings = self.state, self.table.settings
        positions = state.table.positions
        assert positions is not None
        return {
            "game": "holdem-circle",
            "blinds": {"small": BLINDS[0], "big": BLINDS[1]},
            "rake_bp": settings.rake.rate_bp,
            "rake_unit": settings.rake.unit,
            "rake_without_flop": settings.rake.without_flop,
            "button": positions.button,
            "small_blind": positions.small_blind,
            "big_blind": positions.big_blind,
            "jackpot": PAIRS,
            "draws": {"carta_magica": {"card": "As", "prize": 500}},
            "seats": [self._seat(each, credits[each.seat]) for each in before if each.stack],
            "board": " ".join(self.table.board(state)),
            "actions": actions,
        }

    def _seat(self, player: Any, credits: int) -> dict[str, Any]:
        cards = () if player.seat in self.state.mucked else hole_cards(self.state, player.seat)
        told = {"seat": player.seat, "stack": player.stack, "cards": " ".join(cards), "credits": credits}
        if player.seat not in self.state.bets.stacks:
            return told | {"away": True, "credits": 0}
        return told | {"missed": self.state.missed.get(player.seat, 0)}
