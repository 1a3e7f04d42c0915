"""Another amount than the computed one: by two people, with a cause of the list; the difference is the house's."""

import pytest

from controller.core.cards import parse_cards
from controller.core.events import HandCorrected, PrizePaid, PrizeVerified
from controller.core.prize_events import HoldReason, OverrideReason, PrizeOverridden, PrizePutOnHold, SlipIssued
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.table_overrides import HOUSE, difference_of, in_force
from controller.engine.table_state import CARTA_MAGICA, DrawTerms
from tests.engine.pit import CENTAVO, Pit, oasis_settings
from tests.engine.test_papers import FACTS, HANDS, issued, reason_of, won

MORE = 1_234


def overridden(pit: Pit, prize: str, amount: int) -> None:
    event = PrizeOverridden(prize, amount, OverrideReason.DISPLAY_DIFFERED, "the sign showed more")
    answer = pit.do(event, actor="ana", second="bea")
    assert not isinstance(answer, Refused), answer


@pytest.mark.requirement("R85")
@pytest.mark.promise("P4")
@pytest.mark.parametrize("difference", [MORE, -MORE])
def test_another_amount_is_paid_and_the_pools_stay_as_the_rules_left_them(difference: int) -> None:
    pit, (prize,) = won()
    usual, (same,) = won()
    computed = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, computed + difference)
    answer = pit.do(PrizePaid(prize), actor="ana", second="bea")
    usual.do(PrizePaid(same), actor="ana", second="bea")
    assert not isinstance(answer, Refused)
    paid = answer[0].body
    assert (paid["amount_minor"], paid["computed_minor"]) == (computed + difference, computed)
    assert (paid["override"], paid["second"]) == ("display_differed", "bea")
    assert pit.balance("prizes.paid") == (computed + difference) * CENTAVO
    assert pit.balance(HOUSE) == -difference * CENTAVO
    assert pit.balance("prizes.payable") == 0
    assert pit.host.state.ledger.amount_micros == usual.host.state.ledger.amount_micros
    for account in ("carousel.awards", "house.prizes", "patrons"):
        assert pit.balance(account) == usual.balance(account), account
    assert all(sum(each.micros for each in entry.postings) == 0 for entry in pit.journal)
    assert pit.state == pit.replayed()


@pytest.mark.requirement("R85")
def test_one_person_or_an_open_question_overrides_nothing() -> None:
    pit, (prize,) = won()
    event = PrizeOverridden(prize, 5, OverrideReason.OTHER, "because")
    amount = pit.state.link.rows[prize].amount_minor
    for wrong, people, refusal in (
        (event, ("ana", None), Refusal.SECOND_PERSON_MISSING),
        (event, ("ana", "ana"), Refusal.SAME_PERSON_TWICE),
        (PrizeOverridden("none", 5, OverrideReason.OTHER, "because"), ("ana", "bea"), Refusal.UNKNOWN_PRIZE),
        (PrizeOverridden(prize, 5, OverrideReason.OTHER, " "), ("ana", "bea"), Refusal.REASON_MISSING),
        (PrizeOverridden(prize, -1, OverrideReason.OTHER, "because"), ("ana", "bea"), Refusal.OVERRIDE_BELOW_ZERO),
        (PrizeOverridden(prize, amount, OverrideReason.OTHER, "because"), ("ana", "bea"), Refusal.NOTHING_CHANGES),
    ):
        assert reason_of(pit.do(wrong, actor=people[0], second=people[1])) is refusal, wrong
    pit.do(PrizePutOnHold(prize, HoldReason.IDENTITY, "no document"), actor="ana")
    assert reason_of(pit.do(event, actor="ana", second="bea")) is Refusal.PRIZE_ON_HOLD
    assert pit.state.overrides == {}


def test_a_payment_of_two_people_is_of_the_amount_they_saw_and_of_no_other() -> None:
    pit, (prize,) = won()
    computed = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, computed + MORE)
    for expected in (computed, computed + MORE + 1, 0):
        answer = pit.do(PrizePaid(prize, expected), actor="ana", second="bea")
        assert answer == refuse(Refusal.APPROVAL_DIFFERS, prize=prize, amount=computed + MORE)
    event = PrizeOverridden(prize, 5, OverrideReason.OTHER, "because", computed + MORE)
    assert reason_of(pit.do(event, actor="ana", second="bea")) is Refusal.APPROVAL_DIFFERS
    assert not isinstance(pit.do(PrizePaid(prize, computed + MORE), actor="ana", second="bea"), Refused)
    again = pit.do(PrizePaid(prize, computed + MORE), actor="ana", second="bea")
    assert reason_of(again) is Refusal.PRIZE_NOT_PENDING  # what became of it is said before what its amount is


def test_a_draw_s_prize_too_is_paid_as_two_people_saw_it() -> None:
    pit = Pit(oasis_settings(draws=(DrawTerms(CARTA_MAGICA, 50),)))
    while not pit.state.draw_prizes:
        pit.play(HANDS[0], seats=(1,))
    (prize,) = pit.state.draw_prizes
    pit.do(PrizeVerified(prize), actor="ana")
    amount = pit.state.draw_prizes[prize].amount_minor
    assert reason_of(pit.do(PrizePaid(prize, amount + 1), actor="ana", second="bea")) is Refusal.APPROVAL_DIFFERS
    assert not isinstance(pit.do(PrizePaid(prize, amount), actor="ana", second="bea"), Refused)


def test_a_prize_that_nobody_verified_or_that_is_paid_keeps_its_amount() -> None:
    pit = Pit()
    pit.play(HANDS[0], seats=(1,))
    pit.deliver()
    (prize,) = pit.state.link.rows
    event = PrizeOverridden(prize, 5, OverrideReason.OTHER, "because")
    assert reason_of(pit.do(event, actor="ana", second="bea")) is Refusal.PRIZE_NOT_VERIFIED
    pit.do(PrizeVerified(prize), actor="ana")
    pit.do(PrizePaid(prize), actor="ana", second="bea")
    assert reason_of(pit.do(event, actor="ana", second="bea")) is Refusal.PRIZE_NOT_VERIFIED


@pytest.mark.requirement("R85")
def test_the_slip_says_both_amounts_and_one_of_before_is_void() -> None:
    pit, (prize,) = won()
    computed = pit.state.link.rows[prize].amount_minor
    issued(pit, prize)
    overridden(pit, prize, computed + MORE)
    assert pit.state.slips[prize].void == "prize_changed"
    content = issued(pit, prize, withheld=computed + MORE, proposed=computed + MORE).body["content"]
    assert (content["amount_minor"], content["difference_minor"], content["net_minor"]) == (computed, MORE, 0)
    told = content["override"]
    assert (told["reason"], told["note"]) == ("display_differed", "the sign showed more")
    assert (told["actor"], told["second"]) == ("ana", "bea")
    pit.do(PrizePaid(prize), actor="ana", second="bea")
    assert not pit.state.slips[prize].void
    assert pit.state == pit.replayed()


def test_a_slip_cannot_withhold_more_than_is_paid() -> None:
    pit, (prize,) = won()
    overridden(pit, prize, 3)
    answer = pit.do(SlipIssued(prize, 4, 4, FACTS), actor="ana")
    assert reason_of(answer) is Refusal.WITHHOLDING_OUT_OF_BOUNDS


def test_two_people_go_back_to_the_computed_amount() -> None:
    pit, (prize,) = won()
    computed = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, 0)
    overridden(pit, prize, computed)
    pit.do(PrizePaid(prize), actor="ana", second="bea")
    assert pit.balance("prizes.paid") == computed * CENTAVO
    assert pit.balance(HOUSE) == 0


def test_a_correction_of_the_prize_ends_its_override() -> None:
    """What two people saw was another computed amount; a void takes the prize and the override away."""
    pit, (prize,) = won()
    overridden(pit, prize, 1)
    assert pit.state.last is not None
    old, new = parse_cards("5d") or (), parse_cards("2s") or ()
    event = HandCorrected(pit.state.last.number, "seat-1", old[0], new[0])
    assert not isinstance(pit.do(event, actor="ana", second="bea"), Refused)
    pit.deliver()
    assert in_force(pit.state, prize) is None
    assert difference_of(pit.state, prize) == 0


def test_a_large_other_amount_takes_two_people_to_pay_too() -> None:
    pit, (prize,) = won(second_person_from_minor=1_000_000_000)
    overridden(pit, prize, 1_000_000_000)
    assert reason_of(pit.do(PrizePaid(prize), actor="ana")) is Refusal.SECOND_PERSON_MISSING
    assert not isinstance(pit.do(PrizePaid(prize), actor="ana", second="bea"), Refused)
