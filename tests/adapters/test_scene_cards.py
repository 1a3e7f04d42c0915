"""Cards on a table's screen: none before its time, those that won after."""

import re
from typing import Any

import pytest

from controller.adapters.screens.scene_table import Moment, TableFace, table_scene
from controller.config.table import Table
from controller.core.cards import DECK, Card
from controller.core.events import CardRead, DrawWinnerNamed, Key, KeyPressed
from controller.core.games.oasis import CardsRead, Oasis, OasisSettings
from controller.core.refusal import Refused
from controller.engine.table_state import CARTA_MAGICA
from display import scene as show
from tests.adapters.scene_moments import DRAWS, NOTHING, STRAIGHT_FLUSH, scene
from tests.engine.circle_pit import CirclePit
from tests.engine.pit import MINIMUM, Pit, oasis_settings

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')


@pytest.fixture
def pit() -> Pit:
    return Pit(oasis_settings(draws=DRAWS))


def cards_told(pit: Pit, **moment: Any) -> set[str]:
    """Every card named anywhere in what leaves for a screen."""
    return set(CARD.findall(show.to_json(scene(pit, **moment))))


def drawn(pit: Pit) -> set[str]:
    return {each.outcome for each in pit.state.hand.draws if each.kind == CARTA_MAGICA}


def boxes_with(card: str) -> tuple[str, str, str]:
    """Two boxes and a bank; the first box holds the card."""
    rest = [each for each in DECK if each != card]
    return " ".join([card, *rest[:4]]), " ".join(rest[4:9]), " ".join(rest[9:14])


@pytest.mark.article("O-67")
def test_no_hidden_card_leaves_for_a_screen_before_the_end_of_the_hand(pit: Pit) -> None:
    pit.bet(1, 2)
    pit.close()
    card = next(iter(drawn(pit)))
    for each in " ".join(boxes_with(card)).split():
        assert not isinstance(pit.do(CardRead(Card(each))), Refused)
        assert cards_told(pit) == cards_told(pit, revealing=CARTA_MAGICA) == {card}
    while pit.settings.game.turn(pit.state.hand.game) is not None:
        assert scene(pit).carta_magica == show.CartaMagicaMark(card), "who holds it is a card of that box"
        assert scene(pit, revealing=CARTA_MAGICA).stage == show.CartaMagica(card, show.Amount.of(50))
        assert not isinstance(pit.do(KeyPressed(Key.PLAY)), Refused)
        assert cards_told(pit) == {card}
    assert scene(pit).carta_magica == show.CartaMagicaMark(card), "cards may still be bought"
    pit.do(KeyPressed(Key.HAND_OVER))
    stage = scene(pit).stage
    assert isinstance(stage, show.PrizePending)
    assert (CARTA_MAGICA, 1, (card,)) in [(win.category, win.seat, win.cards) for win in stage.wins]


@pytest.mark.article("O-62")
def test_the_holder_is_told_when_the_cards_are_turned_up() -> None:
    seats = tuple(range(1, 8))
    game = Oasis(OasisSettings(seats, MINIMUM, 50_000, cards_read=CardsRead.SHOWDOWN))
    pit = Pit(oasis_settings(draws=DRAWS, game=game))
    pit.bet(1, 2)
    pit.close()
    card = next(iter(drawn(pit)))
    pit.decide_all()
    first, _, bank = boxes_with(card)
    pit.deal(bank)
    assert scene(pit).carta_magica == show.CartaMagicaMark(card)
    pit.deal(first)
    assert scene(pit).carta_magica == show.CartaMagicaMark(card, (1,))


@pytest.mark.article("O-62")
def test_two_people_name_the_holder_before_the_showdown(pit: Pit) -> None:
    pit.bet(3)
    pit.close()
    card = next(iter(drawn(pit)))
    pit.do(DrawWinnerNamed(CARTA_MAGICA, 3), actor="ana", second="bea")
    assert scene(pit).carta_magica == show.CartaMagicaMark(card, (3,))


def test_after_a_hand_only_the_cards_that_won_are_told() -> None:
    pit = Pit()
    pit.play(NOTHING, STRAIGHT_FLUSH, seats=(1, 2))
    pit.deliver()
    assert cards_told(pit) == set(STRAIGHT_FLUSH.split())


def test_the_circle_tells_the_board_and_no_hole_card() -> None:
    pit = CirclePit(draws=DRAWS)
    pit.wager(1)
    face = TableFace(
        Table.model_validate({"id": "t1", "name": "Mesa 1", "game": "holdem-circle", "seats": 10}),
        pit.settings,
        show.Currency(),
        None,
        "1",
    )

    def told() -> set[str]:
        return set(CARD.findall(show.to_json(table_scene(face, pit.state, Moment(1_000)))))

    pit.close()
    card = next(iter(drawn(pit)))
    hole = [each for each in DECK if each != card][:8]
    for each in [card, *hole[:7]]:
        pit.told(CardRead(Card(each)))
        assert told() == drawn(pit)
