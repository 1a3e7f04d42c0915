"""A table leaves its carousel between hands: what a hand has bet is counted, and what it wins is claimed."""

import pytest

from controller.core.causes import PoolCause
from controller.core.events import CreditsSettled, CreditsUnread, HandVoided, Key, KeyPressed, LeaveAsked, VoidReason
from controller.core.refusal import Refusal, Refused
from controller.engine.ledger_state import Standing
from tests.engine.pit import BANK, CENTAVO, START, Pit

STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
LEAVE = LeaveAsked("another hall", PoolCause.APPROVED_MOVE)


def leave(pit: Pit) -> Refusal | None:
    answer = pit.do(LEAVE, actor="ana", second="bea")
    return answer.reason if isinstance(answer, Refused) else None


def test_a_hand_with_jackpot_bets_is_over_before_its_table_leaves() -> None:
    """Neither at its bets nor while it is played; its prize is claimed and paid before, too."""
    pit = Pit()
    pit.bet(1)
    assert leave(pit) is Refusal.HAND_HAS_BETS
    pit.close()
    pit.deal(STRAIGHT_FLUSH, BANK)
    assert leave(pit) is Refusal.HAND_HAS_BETS
    pit.decide_all()
    assert not isinstance(pit.do(KeyPressed(Key.HAND_OVER)), Refused)
    assert leave(pit) is Refusal.CLAIM_OPEN
    pit.deliver()
    assert leave(pit) is Refusal.PRIZE_OPEN
    assert [row.amount_minor for row in pit.state.link.rows.values()] == [(START + 20) // 10]


@pytest.mark.parametrize("void", [True, False])
def test_between_hands_it_leaves_with_all_that_was_counted(void: bool) -> None:
    pit = Pit()
    pit.bet(1)
    if void:
        pit.do(HandVoided(VoidReason.DEAL_ERROR), actor="ana", second="bea")
    else:
        pit.close()
        pit.deal("2c 4s 6h 8c Tc", BANK)
        pit.decide_all()
        pit.do(KeyPressed(Key.HAND_OVER))
    assert leave(pit) is None
    pit.deliver()
    assert pit.state.link.standing is Standing.LEFT
    assert pit.host.state.ledger.transfers_micros == START * CENTAVO + (0 if void else 25 * CENTAVO)
    assert pit.host.state.ledger.tables["t1"].absorbed == pit.state.link.counters


def test_counts_that_wait_for_an_answer_may_be_bets() -> None:
    pit = Pit()
    pit.do(CreditsUnread(1, 1, 2, "noise"), id="lost")
    assert leave(pit) is Refusal.HAND_HAS_BETS
    pit.do(CreditsSettled("lost", 0), actor="ana")
    assert leave(pit) is None
