"""A circle table as a machine in memory, with the carousel's host of the other pits."""

from typing import Any

from controller.core.cards import parse_cards
from controller.core.circle_events import PlayerLeft, PlayerSeated, SeatsDrawAsked
from controller.core.events import CardRead, CreditWagered, DrawSeedRevealed, Key, KeyPressed
from controller.core.refusal import Refused
from controller.engine.table_state import DrawTerms, TableSettings
from tests.core.circle_play import reading
from tests.engine.pit import SEEDS, Pit, oasis_settings


class CirclePit(Pit):
    """Four players at seats 1 to 4; the button of the first hand is at seat 4."""

    def __init__(
        self, draws: tuple[DrawTerms, ...] = (), *, settings: TableSettings | None = None, **terms: Any
    ) -> None:
        game = reading(**terms)
        super().__init__(
            settings or oasis_settings(draws=draws, game=game, seats=game.settings.seats, minimum_minor=200)
        )
        for seat in (1, 2, 3, 4):
            self.told(PlayerSeated(seat, 10_000))

    def told(self, event: object, **more: Any) -> None:
        """An event that is not refused."""
        answer = self.do(event, **more)
        assert not isinstance(answer, Refused), answer

    def draw_seats(self, *players: str) -> tuple[int, ...]:
        """Everybody leaves; seats are drawn for these players, in order of arrival."""
        for each in self.state.hand.game.table.players:
            self.told(PlayerLeft(each.seat))
        self.told(SeatsDrawAsked(players))
        index = self.state.chain_next
        self.told(DrawSeedRevealed(index, SEEDS[index].hex()))
        return tuple(seat for _, seat in self.state.hand.game.table.drawn)

    def wager(self, seat: int, credits: int = 1) -> None:
        self.told(CreditWagered(seat, credits))

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.told(KeyPressed(Key(key)))

    def read(self, text: str) -> None:
        for card in parse_cards(text) or ():
            self.told(CardRead(card))
