"""Prizes at a table: claims, what loses them, the two draws, what people say of a prize."""

import dataclasses

import pytest

from controller.core.events import (
    DrawSeedRevealed,
    HandVoided,
    Key,
    KeyPressed,
    PrizeCallDismissed,
    PrizePaid,
    PrizeVerified,
    VoidReason,
)
from controller.core.hands import Category
from controller.core.prizes import Prize
from controller.core.refusal import Refusal, Refused
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms, LuckySeatFrom
from controller.engine.table_view import SeatLamp, seat_lamps
from tests.engine.pit import BANK, CENTAVO, CREDIT, PRIZES, SEEDS, START, Pit, oasis_settings

STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
ROYAL = "As Ks Qs Js Ts"
NOTHING = "2c 4s 6h 8c Tc"


def reason(answer: object) -> Refusal:
    assert isinstance(answer, Refused), answer
    return answer.reason


@pytest.fixture
def pit() -> Pit:
    return Pit()


@pytest.mark.promise("P3")
@pytest.mark.article("O-59")
def test_a_straight_flush_claims_ten_percent_and_is_paid_once(pit: Pit) -> None:
    pit.play(STRAIGHT_FLUSH, seats=(4,))
    assert list(pit.state.link.open_claims)
    pit.deliver()
    meter = START * CENTAVO + CREDIT * CENTAVO * 20 // 100
    (row,) = pit.state.link.rows.values()
    assert (row.seat, row.amount_minor, row.status.value) == (4, meter // 10 // CENTAVO, "pending")
    assert seat_lamps(pit.settings, pit.state)[4] is SeatLamp.WINNER
    assert reason(pit.do(PrizePaid(row.id), second="bea")) is Refusal.PRIZE_NOT_VERIFIED
    pit.do(PrizeVerified(row.id), actor="ana")
    assert reason(pit.do(PrizePaid(row.id), actor="ana")) is Refusal.SECOND_PERSON_MISSING
    assert reason(pit.do(PrizePaid(row.id), actor="ana", second="ana")) is Refusal.SAME_PERSON_TWICE
    pit.do(PrizePaid(row.id), actor="ana", second="bea")
    assert reason(pit.do(PrizePaid(row.id), actor="ana", second="bea")) is Refusal.PRIZE_NOT_PENDING
    assert pit.balance("prizes.paid") == row.amount_minor * CENTAVO
    assert pit.balance("prizes.payable") == 0
    assert seat_lamps(pit.settings, pit.state)[4] is not SeatLamp.WINNER


@pytest.mark.article("O-50")
def test_ace_king_is_paid_where_the_list_names_it() -> None:
    """It is told apart from the other high cards, as the chances of the list count it."""
    low = dataclasses.replace(PRIZES, rows=(*PRIZES.rows, Prize(Category.ACE_KING, fixed_minor=300)))
    usual = oasis_settings()
    jackpot, member = (dataclasses.replace(each, prizes=low) for each in (usual.jackpot, usual.member))
    pit = Pit(dataclasses.replace(usual, jackpot=jackpot, member=member))
    pit.play("Ac Kd 7h 5s 3c", NOTHING, seats=(2, 5))
    pit.deliver()
    assert [(row.seat, row.category, row.amount_minor) for row in pit.state.link.rows.values()] == [
        (2, "ace_king", 300)
    ]


@pytest.mark.article("O-58")
def test_a_royal_takes_all_and_the_meter_restarts(pit: Pit) -> None:
    pit.play(ROYAL, seats=(1,))
    pit.deliver()
    (row,) = pit.state.link.rows.values()
    assert row.amount_minor == START + 20
    assert pit.meter_minor == START


@pytest.mark.requirement("O34")
@pytest.mark.article("O-34")
def test_a_bought_card_loses_the_progressive_and_shows_it(pit: Pit) -> None:
    pit.bet(1)
    pit.close()
    pit.deal(STRAIGHT_FLUSH, BANK)
    pit.do(KeyPressed(Key.PLAY))
    pit.do(KeyPressed(Key.BUY, seat=1))
    assert seat_lamps(pit.settings, pit.state)[1] is SeatLamp.OUT_OF_PROGRESSIVE
    pit.deal("3c")
    pit.do(KeyPressed(Key.HAND_OVER))
    assert not pit.state.link.open_claims


def test_a_called_prize_keeps_the_hand_open_until_people_answer(pit: Pit) -> None:
    pit.bet(1)
    pit.close()
    pit.do(KeyPressed(Key.DEAL))
    pit.decide_all()
    pit.do(KeyPressed(Key.PRIZE, 1))
    assert reason(pit.do(KeyPressed(Key.HAND_OVER))) is Refusal.PRIZE_CALLED
    pit.do(PrizeCallDismissed(), actor="ana")
    assert not isinstance(pit.do(KeyPressed(Key.HAND_OVER)), Refused)


@pytest.mark.requirement("R104", "R105")
@pytest.mark.article("O-61")
def test_both_draws_are_made_at_the_close_and_paid_by_the_house() -> None:
    draws = (DrawTerms(CARTA_MAGICA, 5_000), DrawTerms(JUGADOR_AFORTUNADO, 7_000, 1, 0, LuckySeatFrom.BETTING))
    pit = Pit(oasis_settings(draws=draws))
    pit.bet(2)
    pit.do(KeyPressed(Key.CLOSE_BETS))
    assert reason(pit.do(DrawSeedRevealed(1, SEEDS[2].hex()))) is Refusal.DRAW_SEED_WRONG
    pit.do(DrawSeedRevealed(1, SEEDS[1].hex()))
    card, seat = (result.outcome for result in pit.state.hand.draws)
    assert (len(card), seat) == (2, "2")
    pit.deal(NOTHING if card in NOTHING else f"{card} {NOTHING[3:]}", BANK if card not in BANK else "Ad Kd 7d 4h 3h")
    pit.decide_all()
    pit.do(KeyPressed(Key.HAND_OVER))
    prizes = {prize.kind: (prize.seat, prize.amount_minor) for prize in pit.state.draw_prizes.values()}
    assert prizes == {CARTA_MAGICA: (2, 5_000), JUGADOR_AFORTUNADO: (2, 7_000)}
    assert pit.balance("house.prizes") == -12_000 * CENTAVO
    for prize in list(pit.state.draw_prizes):
        pit.do(PrizeVerified(prize), actor="ana")
        pit.do(PrizePaid(prize), actor="ana", second="bea")
    assert pit.balance("prizes.paid") == 12_000 * CENTAVO


@pytest.mark.article("O-61")
def test_a_draw_from_its_pool_takes_the_rest_from_the_house() -> None:
    pit = Pit(oasis_settings(draws=(DrawTerms(JUGADOR_AFORTUNADO, 7_000, 1, 1_000, LuckySeatFrom.BETTING),)))
    pit.play(NOTHING, seats=(2,))
    pooled = CREDIT * CENTAVO * 10 // 100
    assert (pit.balance("pool.jugador_afortunado"), pit.state.pools) == (0, {JUGADOR_AFORTUNADO: 0})
    assert pit.balance("house.prizes") == -(7_000 * CENTAVO - pooled)
    pit.do(HandVoided(VoidReason.DEAL_ERROR, hand=1), actor="ana", second="bea")
    assert pit.balance("pool.jugador_afortunado") == 0
    assert (pit.balance("house.prizes"), pit.balance("prizes.payable"), pit.balance("patrons")) == (0, 0, 0)


@pytest.mark.requirement("R103")
def test_a_hand_waits_for_its_draw() -> None:
    pit = Pit(oasis_settings(draws=(DrawTerms(CARTA_MAGICA, 5_000),)))
    pit.bet(1)
    pit.do(KeyPressed(Key.CLOSE_BETS))
    pit.deal(NOTHING, BANK)
    pit.decide_all()
    assert reason(pit.do(KeyPressed(Key.HAND_OVER))) is Refusal.DRAW_PENDING
