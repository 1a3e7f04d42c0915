"""Pools of draws that a table has no more: two people move what they hold, and nothing of a draw in force."""

import pytest

from controller.adapters.journal.equations import DrawPools
from controller.core.causes import PoolCause
from controller.core.draw_events import DrawPoolMoved
from controller.core.refusal import Refusal, Refused
from controller.engine.ledger_state import ORPHANS
from controller.engine.table import TableMachine
from controller.engine.table_pools import left_pools
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms
from tests.engine.pit import CENTAVO, Pit, oasis_settings

NOTHING = "2c 4s 6h 8c Tc"
BY_KEY = 0
CARTA = DrawTerms(CARTA_MAGICA, 50, BY_KEY, pool_bp=300)
LUCKY = DrawTerms(JUGADOR_AFORTUNADO, 60, BY_KEY, pool_bp=100)
MOVE, CLOSE = PoolCause.APPROVED_MOVE, PoolCause.APPROVED_CLOSING


def played(*later: DrawTerms) -> Pit:
    """Hands with both draws, and then the table has those."""
    pit = Pit(oasis_settings(draws=(CARTA, LUCKY)))
    for _ in range(2):
        pit.play(NOTHING, seats=(1,), credits=3)
    pit.settings = oasis_settings(draws=later)
    pit.machine = TableMachine(pit.settings)
    return pit


def moved(pit: Pit, pool: str, micros: int, target: str, cause: PoolCause | None = MOVE) -> Refusal | None:
    answer = pit.do(DrawPoolMoved(pool, micros, target, "the draw ended", cause), actor="ana", second="bea")
    return answer.reason if isinstance(answer, Refused) else None


def adds_up(pit: Pit) -> bool:
    """The draws' pools of the accounts are what the entries say, and the state is what a start folds."""
    pools = DrawPools({f"pool.{kind}": pit.balance(f"pool.{kind}") for kind in (CARTA_MAGICA, JUGADOR_AFORTUNADO)})
    return not [pools.after(entry) for entry in pit.journal][-1:][0] and pit.state == pit.replayed()


@pytest.mark.requirement("R77")
def test_a_removed_draw_s_pool_goes_to_another_draw_or_to_the_orphans_and_then_to_a_jackpot() -> None:
    pit = played(LUCKY)
    held, lucky = pit.state.pools[CARTA_MAGICA], pit.state.pools[JUGADOR_AFORTUNADO]
    assert left_pools(pit.settings, pit.state) == {CARTA_MAGICA: held} and held > 3 * CENTAVO
    assert moved(pit, CARTA_MAGICA, CENTAVO, JUGADOR_AFORTUNADO) is None
    assert pit.state.pools == {CARTA_MAGICA: held - CENTAVO, JUGADOR_AFORTUNADO: lucky + CENTAVO}
    assert moved(pit, CARTA_MAGICA, held - CENTAVO, ORPHANS, CLOSE) is None
    assert (left_pools(pit.settings, pit.state), pit.state.orphans_micros) == ({}, held - CENTAVO)
    assert pit.balance(ORPHANS) == held - CENTAVO
    assert moved(pit, ORPHANS, CENTAVO, JUGADOR_AFORTUNADO) is None
    assert moved(pit, ORPHANS, held - 2 * CENTAVO, "Carrusel Norte") is None
    assert (pit.state.orphans_micros, pit.balance("transfers")) == (0, held - 2 * CENTAVO)
    assert pit.state.pools[JUGADOR_AFORTUNADO] == pit.balance(f"pool.{JUGADOR_AFORTUNADO}") == lucky + 2 * CENTAVO
    assert adds_up(pit)


@pytest.mark.requirement("R77")
def test_nothing_leaves_a_draw_in_force_and_no_pool_gives_more_than_it_holds() -> None:
    pit = played(LUCKY)
    held = pit.state.pools[CARTA_MAGICA]
    for pool, micros, target, refusal in (
        (JUGADOR_AFORTUNADO, CENTAVO, ORPHANS, Refusal.POOL_IN_USE),
        (CARTA_MAGICA, held + 1, ORPHANS, Refusal.BALANCE_TOO_LOW),
        (CARTA_MAGICA, 0, ORPHANS, Refusal.BALANCE_TOO_LOW),
        (CARTA_MAGICA, CENTAVO, CARTA_MAGICA, Refusal.UNKNOWN_POOL),
        (CARTA_MAGICA, CENTAVO, "Carrusel Norte", Refusal.UNKNOWN_POOL),
        (CARTA_MAGICA, CENTAVO, " ", Refusal.UNKNOWN_POOL),
        ("main", CENTAVO, ORPHANS, Refusal.UNKNOWN_POOL),
        (ORPHANS, 1, "Carrusel Norte", Refusal.BALANCE_TOO_LOW),
        (ORPHANS, 1, ORPHANS, Refusal.UNKNOWN_POOL),
        (ORPHANS, 1, CARTA_MAGICA, Refusal.UNKNOWN_POOL),
    ):
        assert moved(pit, pool, micros, target) is refusal, (pool, target)
    assert moved(pit, CARTA_MAGICA, 1, ORPHANS, PoolCause.SEED_RECOVERY) is Refusal.CAUSE_NOT_FOR_THIS
    assert moved(pit, CARTA_MAGICA, 1, ORPHANS, None) is Refusal.REASON_MISSING
    event = DrawPoolMoved(CARTA_MAGICA, 1, ORPHANS, "the draw ended", MOVE)
    for second, refusal in ((None, Refusal.SECOND_PERSON_MISSING), ("ana", Refusal.SAME_PERSON_TWICE)):
        answer = pit.do(event, actor="ana", second=second)
        assert isinstance(answer, Refused) and answer.reason is refusal
    assert pit.state.pools[CARTA_MAGICA] == held


def test_a_draw_whose_prizes_the_house_pays_now_has_left_its_pool_too() -> None:
    pit = played(LUCKY, DrawTerms(CARTA_MAGICA, 50, BY_KEY))
    held = pit.state.pools[CARTA_MAGICA]
    assert moved(pit, CARTA_MAGICA, held, JUGADOR_AFORTUNADO) is None
    assert pit.state.pools[CARTA_MAGICA] == 0
