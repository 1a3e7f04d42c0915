"""A draw of seats that waits for its seed, crossed by whoever sits down, a source that fails, a restore."""

import dataclasses
from hashlib import sha256

import pytest

from controller.core.circle_events import PlayerLeft, PlayerSeated, SeatsDrawAsked
from controller.core.draw_events import DrawSourceBack, DrawSourceFailed
from controller.core.draws import commitment_of
from controller.core.events import DrawChainCommitted, DrawSeedRevealed, TableStarted
from controller.core.refusal import Refusal
from tests.engine.circle_pit import CirclePit
from tests.engine.pit import SEEDS
from tests.engine.test_papers import reason_of
from tests.engine.test_table_restored import restore

OTHER = sha256(b"another chain").digest()


def waiting(pit: CirclePit) -> CirclePit:
    """Everybody has left, and the seats of two players are asked for."""
    for each in pit.state.hand.game.table.players:
        pit.told(PlayerLeft(each.seat))
    pit.told(SeatsDrawAsked(("ana", "bea")))
    return pit


def seed(pit: CirclePit) -> None:
    index = pit.state.chain_next
    pit.told(DrawSeedRevealed(index, SEEDS[index].hex()))


def drawn_and_seated(pit: CirclePit) -> None:
    """Both have their seats, and sit down there."""
    assert [name for name, _ in pit.state.hand.game.table.drawn] == ["ana", "bea"]
    for _, seat in pit.state.hand.game.table.drawn:
        pit.told(PlayerSeated(seat, 10_000))
    assert pit.state == pit.replayed()


@pytest.mark.article("C-18")
def test_nobody_sits_down_between_the_question_and_its_seed() -> None:
    """Somebody who did made a draw that cannot be applied: each start would have ended at the same seed again."""
    pit = waiting(CirclePit())
    assert reason_of(pit.do(PlayerSeated(1, 10_000))) is Refusal.DRAW_PENDING
    seed(pit)
    drawn_and_seated(pit)


@pytest.mark.parametrize("holds", [False, True])
def test_a_source_that_fails_calls_the_draw_of_seats_off(holds: bool) -> None:
    """Nothing waits for a seed that never comes, and the next chain is begun; also where hands wait for the source."""
    pit = waiting(CirclePit(settings=dataclasses.replace(CirclePit().settings, draws_hold=holds)))
    pit.told(DrawSourceFailed("no_seed"))
    assert pit.state.seat_draw == ()
    assert pit.journal[-1].body["seats_called_off"] == ["ana", "bea"]
    asked = SeatsDrawAsked(("ana", "bea"))
    assert reason_of(pit.do(asked)) is Refusal.DRAW_PENDING, "a seed that nobody has is not asked for"
    pit.told(DrawChainCommitted(commitment_of(OTHER).hex(), 1))
    pit.told(DrawSourceBack())
    pit.told(asked)
    pit.told(DrawSeedRevealed(1, OTHER.hex()))
    drawn_and_seated(pit)


def test_a_restored_table_draws_no_seats_that_its_backup_asked_for() -> None:
    pit = waiting(CirclePit())
    restore(pit)
    pit.told(TableStarted("n2"))
    assert pit.state.seat_draw == ()
    pit.told(DrawChainCommitted(SEEDS[0].hex(), 20))
    for seat in (1, 2):
        pit.told(PlayerSeated(seat, 10_000))
    assert pit.state == pit.replayed()
