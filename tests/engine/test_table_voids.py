"""Hands taken back and cards corrected at a table, during the hand and after it."""

import pytest

from controller.core.cards import Card
from controller.core.events import CardCorrected, HandCorrected, HandVoided, Key, KeyPressed, VoidReason
from controller.core.refusal import Refusal, Refused
from tests.engine.pit import BANK, START, Pit

STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
NOTHING = "2c 4s 6h 8c Tc"


def reason(answer: object) -> Refusal:
    assert isinstance(answer, Refused), answer
    return answer.reason


@pytest.fixture
def pit() -> Pit:
    return Pit()


@pytest.mark.requirement("R68", "R113")
@pytest.mark.article("O-68")
def test_a_void_reverses_every_posting_of_the_hand(pit: Pit) -> None:
    pit.bet(1, 2, credits=2)
    pit.close()
    pit.deliver()
    pit.do(HandVoided(VoidReason.DEAL_ERROR, "card face up"), actor="ana", second="bea")
    for account in ("bets", "patrons", "carousel.main", "carousel.reserve", "house.revenue"):
        assert pit.balance(account) == 0, account
    pit.deliver()
    assert pit.meter_minor == START
    assert (pit.state.hand.number, pit.state.wagered_micros) == (2, 0)


def voided_before_its_prize(pit: Pit, why: VoidReason) -> None:
    """A hand with a straight flush, void as the regulation says: bets return, nobody wins, the meter is whole."""
    pit.bet(1, credits=2)
    pit.close()
    pit.deal(STRAIGHT_FLUSH, BANK)
    pit.do(HandVoided(why), actor="ana", second="bea")
    pit.deliver()
    for account in ("bets", "patrons", "prizes.payable", "carousel.main", "carousel.reserve", "house.revenue"):
        assert pit.balance(account) == 0, account
    assert (pit.meter_minor, pit.state.hand.number, pit.state.link.rows) == (START, 2, {})
    assert any(entry.kind == "hand.void" and entry.body["reason"] == why.value for entry in pit.journal)


@pytest.mark.article("O-67")
def test_an_exchange_of_information_voids_the_whole_hand(pit: Pit) -> None:
    voided_before_its_prize(pit, VoidReason.EXCHANGED_INFORMATION)


@pytest.mark.article("O-69")
def test_an_exposed_card_of_the_bank_voids_the_whole_hand(pit: Pit) -> None:
    voided_before_its_prize(pit, VoidReason.BANK_CARD_EXPOSED)


def test_a_void_called_by_the_dealer_needs_only_the_pit_boss(pit: Pit) -> None:
    pit.bet(1)
    pit.do(KeyPressed(Key.VOID))
    pit.do(HandVoided(VoidReason.BANK_CARD_EXPOSED), actor="ana")
    assert (pit.state.hand.number, pit.balance("bets")) == (2, 0)


def test_a_hand_voided_after_its_award_takes_the_award_back(pit: Pit) -> None:
    pit.play(STRAIGHT_FLUSH)
    pit.deliver()
    pit.do(HandVoided(VoidReason.EXCHANGED_INFORMATION, hand=1), actor="ana", second="bea")
    pit.deliver()
    (row,) = pit.state.link.rows.values()
    assert (row.status.value, row.payable_minor, pit.meter_minor) == ("void", 0, START)
    assert reason(pit.do(HandVoided(VoidReason.OTHER, hand=1), actor="ana", second="bea")) is Refusal.UNKNOWN_HAND


@pytest.mark.requirement("R85")
def test_a_corrected_card_after_the_hand_withdraws_the_prize_and_leaves_a_trace(pit: Pit) -> None:
    pit.play(STRAIGHT_FLUSH)
    pit.deliver()
    correction = HandCorrected(1, "seat-1", Card("5d"), Card("5s"))
    assert reason(pit.do(correction, actor="ana")) is Refusal.SECOND_PERSON_MISSING
    pit.do(correction, actor="ana", second="bea")
    pit.deliver()
    (row,) = pit.state.link.rows.values()
    assert (row.status.value, pit.meter_minor) == ("void", START + 20)
    assert any(entry.kind == "hand.corrected" and entry.body["event"]["new"] == "5s" for entry in pit.journal)


def test_a_card_corrected_during_the_hand_needs_two_people(pit: Pit) -> None:
    pit.bet(1)
    pit.close()
    pit.deal(NOTHING, BANK)
    correction = CardCorrected("seat-1", Card("Tc"), Card("Th"))
    assert reason(pit.do(correction, actor="ana")) is Refusal.SECOND_PERSON_MISSING
    assert not isinstance(pit.do(correction, actor="ana", second="bea"), Refused)
