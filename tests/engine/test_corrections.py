"""What two people agreed on of a prize ends with the amount they saw, and never comes back by a later correction."""

from pathlib import Path

import pytest

from controller.core.events import HandVoided, PrizePaid, PrizeVerified, VoidReason
from controller.core.ledger import Entry
from controller.core.prize_events import SlipIssued
from controller.core.refusal import Refusal, Refused
from controller.engine.host_events import PrizeReleased
from controller.engine.host_outbox import meter
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_records import ClaimName
from controller.engine.table_overrides import HOUSE, difference_of, in_force, paid_difference
from controller.engine.table_state import CARTA_MAGICA, DrawTerms
from tests.engine.carousel_house import Table, straight_flush, talk
from tests.engine.house import HousePit, done, site_file
from tests.engine.pit import CENTAVO, Pit, oasis_settings
from tests.engine.test_overrides import MORE, overridden
from tests.engine.test_papers import FACTS, HANDS, correct, issued, reason_of, won
from tests.invariants.check import check_carousel
from tests.invariants.ledger_book import LedgerBook
from tests.invariants.table_book import TableBook


def followed(pit: Pit) -> None:
    """The journal by the checker's own rules, and both ends of the carousel with one ledger."""
    book = TableBook(pit.settings.table, pit.settings.member.incarnation)
    for entry in pit.journal:
        book.follow(entry)
    ledger = LedgerBook("c1")
    for entry in pit.host.journal:
        ledger.follow(entry)
    check_carousel([book], [ledger], ledger)
    check_ledger(pit.host.state.ledger)
    assert pit.state == pit.replayed(), "a start folds it otherwise"
    assert pit.state.link.ledger == pit.host.state.ledger


def ends(pit: Pit) -> list[Entry]:
    return [entry for entry in pit.journal if entry.kind == "prize.override_ended"]


def verified(pit: Pit, prize: str) -> None:
    assert not isinstance(pit.do(PrizeVerified(prize), actor="ana"), Refused)


def paid(pit: Pit, prize: str) -> int:
    """Minor units of cash by the usual act of two people."""
    answer = pit.do(PrizePaid(prize), actor="ana", second="bea")
    assert not isinstance(answer, Refused), answer
    amount: int = answer[0].body["amount_minor"]
    return amount


@pytest.mark.requirement("R85")
@pytest.mark.promise("P4")
@pytest.mark.parametrize("away", [("5d", "5c"), ("8d", "Ad")], ids=["nothing", "a flush"])
@pytest.mark.parametrize("difference", [MORE, -MORE])
def test_corrected_away_and_back_the_computed_amount_is_paid(difference: int, away: tuple[str, str]) -> None:
    pit, (prize,) = won()
    computed = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, computed + difference)
    correct(pit, *away)
    pit.deliver()
    (end,) = ends(pit)
    assert (end.body["computed_minor"], end.body["amount_minor"]) == (computed, computed + difference)
    assert (end.body["payable_minor"], end.body["hand"], end.body["seat"]) == (0, 1, 1)
    correct(pit, *reversed(away))
    pit.deliver()
    verified(pit, prize)
    assert pit.state.link.rows[prize].payable_minor == computed
    assert (in_force(pit.state, prize), difference_of(pit.state, prize)) == (None, 0)
    assert paid(pit, prize) == computed
    pit.deliver()
    assert pit.balance(HOUSE) == 0
    assert meter(pit.host.state).paid == ()
    followed(pit)


def test_what_was_approved_before_the_corrections_pays_nothing_after_them() -> None:
    """The second person had the other amount before him; the act says so, and is refused."""
    pit, (prize,) = won()
    computed = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, computed + MORE)
    correct(pit, "5d", "5c")
    pit.deliver()
    correct(pit, "5c", "5d")
    pit.deliver()
    verified(pit, prize)
    act = PrizePaid(prize, computed + MORE)
    assert reason_of(pit.do(act, actor="ana", second="bea")) is Refusal.APPROVAL_DIFFERS
    overridden(pit, prize, computed + MORE)
    assert paid(pit, prize) == computed + MORE, "two people decided anew"
    followed(pit)


def test_an_override_ends_although_the_lesser_amount_was_paid_meanwhile() -> None:
    """A royal's override; as a straight flush it was paid; what is still due of the royal is then what was due once."""
    pit = Pit()
    pit.play("As Ks Qs Js Ts", seats=(1,))
    pit.deliver()
    (prize,) = pit.state.link.rows
    verified(pit, prize)
    whole = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, whole - MORE)
    correct(pit, "As", "9s")
    pit.deliver()
    verified(pit, prize)
    part = paid(pit, prize)
    assert (part, len(ends(pit))) == (pit.state.link.rows[prize].amount_minor, 1)
    correct(pit, "9s", "As")
    pit.deliver()
    verified(pit, prize)
    assert paid(pit, prize) == whole - part
    assert pit.balance(HOUSE) == 0
    followed(pit)


def test_what_an_ended_override_was_put_on_top_of_stays_paid() -> None:
    """Paid with more, corrected upwards, the rest overridden, corrected again: the first difference was paid."""
    pit, (prize,) = won()
    first = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, first + MORE)
    paid(pit, prize)
    for old, new in (("9d", "Td"), ("8d", "Jd"), ("7d", "Qd"), ("6d", "Kd")):
        correct(pit, old, new)
    correct(pit, "5d", "Ad")
    pit.deliver()
    verified(pit, prize)
    rest = pit.state.link.rows[prize].payable_minor
    assert rest > first
    overridden(pit, prize, rest + 5)
    assert difference_of(pit.state, prize) == MORE + 5
    correct(pit, "Ad", "9d")
    pit.deliver()
    assert (paid_difference(pit.state, prize), in_force(pit.state, prize)) == (MORE, None)
    correct(pit, "9d", "Ad")
    pit.deliver()
    verified(pit, prize)
    assert difference_of(pit.state, prize) == MORE
    assert paid(pit, prize) == rest
    assert pit.balance(HOUSE) == -MORE * CENTAVO
    assert issued(pit, prize).body["content"]["net_minor"] == first + rest + MORE
    followed(pit)


def test_a_correction_that_leaves_the_amount_leaves_the_override() -> None:
    """Two people saw the sum that is payable still; the cards are to be verified anew."""
    pit, (prize,) = won()
    computed = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, computed + MORE)
    correct(pit, "5d", "Td")
    pit.deliver()
    assert pit.state.link.rows[prize].amount_minor == computed
    assert reason_of(pit.do(PrizePaid(prize), actor="ana", second="bea")) is Refusal.PRIZE_NOT_VERIFIED
    verified(pit, prize)
    assert (ends(pit), paid(pit, prize)) == ([], computed + MORE)
    followed(pit)


def test_other_tables_records_end_no_override() -> None:
    """A hand elsewhere, a bet, a start of the host: what is payable here is what it was."""
    pit, (prize,) = won()
    computed = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, computed + MORE)
    pit.host.start("again")
    pit.play("As Kd Qs 4c 3d", seats=(2,))
    pit.deliver()
    assert ends(pit) == []
    assert paid(pit, prize) == computed + MORE
    followed(pit)


def test_another_table_s_void_changes_no_prize_that_people_released_and_overrode() -> None:
    """Held behind the other's open award; once it is released it stands as it is, and so does what two people set."""
    pit, other = Pit(), Table.new("t2")
    other.start()
    pit.host.join(other)
    pit.deliver()
    other.bet(0)
    exchange(pit, other)
    other.win(straight_flush(3))
    exchange(pit, other)
    pit.play(HANDS[0], seats=(1,))
    exchange(pit, other)
    (prize,) = pit.state.link.rows
    assert reason_of(pit.do(PrizeVerified(prize), actor="ana")) is Refusal.PRIZE_HELD
    assert pit.host.decide(PrizeReleased(ClaimName("t1", "t1-i1", 1), "seen")) is None
    exchange(pit, other)
    verified(pit, prize)
    overridden(pit, prize, 7)
    other.win(revision=2)
    exchange(pit, other)
    assert [record.kind for record in pit.host.records(1, 99)].count("void") == 1
    assert ends(pit) == []
    assert paid(pit, prize) == 7
    exchange(pit, other)
    followed(pit)


def exchange(pit: Pit, other: Table) -> None:
    pit.deliver()
    talk(pit.host, other)
    pit.deliver()


def test_a_void_of_the_hand_ends_the_override_with_its_prize() -> None:
    pit, (prize,) = won()
    overridden(pit, prize, 1)
    issued(pit, prize)
    answer = pit.do(HandVoided(VoidReason.DEAL_ERROR, "", 1), actor="ana", second="bea")
    assert not isinstance(answer, Refused)
    assert ends(pit) == [], "the carousel has not answered"
    pit.deliver()
    assert [(end.body["amount_minor"], end.body["payable_minor"]) for end in ends(pit)] == [(1, 0)]
    assert pit.state.slips[prize].void == "prize_changed"
    assert reason_of(pit.do(PrizePaid(prize), actor="ana", second="bea")) is Refusal.PRIZE_NOT_PENDING
    assert pit.balance("prizes.paid") == pit.balance(HOUSE) == pit.balance("prizes.payable") == 0
    followed(pit)


def test_a_void_hand_ends_the_override_of_a_draw_s_prize() -> None:
    pit = Pit(oasis_settings(draws=(DrawTerms(CARTA_MAGICA, 50),)))
    while not pit.state.draw_prizes:
        pit.play(HANDS[0], seats=(1,))
    (prize,) = pit.state.draw_prizes
    verified(pit, prize)
    overridden(pit, prize, 60)
    hand = pit.state.draw_prizes[prize].hand
    assert not isinstance(pit.do(HandVoided(VoidReason.DEAL_ERROR, "", hand), actor="ana", second="bea"), Refused)
    assert [(end.body["prize"], end.body["payable_minor"]) for end in ends(pit)] == [(prize, 0)]
    assert pit.balance(HOUSE) == 0
    assert pit.state == pit.replayed()


def test_one_that_an_earlier_journal_left_behind_ends_with_the_record_that_would_revive_it() -> None:
    """Where the correction was journaled before this rule, nothing says that the override is over."""
    pit, (prize,) = won()
    computed = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, computed + MORE)
    correct(pit, "5d", "5c")
    pit.deliver()
    before = [entry for entry in pit.journal if entry.kind != "prize.override_ended"]
    pit.journal.clear()
    pit.journal += before
    pit.state = pit.replayed()
    assert pit.state.overrides[prize].difference_minor == MORE
    correct(pit, "5c", "5d")
    pit.deliver()
    verified(pit, prize)
    assert len(ends(pit)) == 1
    assert paid(pit, prize) == computed
    followed(pit)


def test_a_slip_of_before_the_corrections_pays_nobody() -> None:
    pit, (prize,) = won()
    computed = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, computed + MORE)
    issued(pit, prize)
    correct(pit, "5d", "5c")
    pit.deliver()
    correct(pit, "5c", "5d")
    pit.deliver()
    assert pit.state.slips[prize].void == "prize_changed"
    verified(pit, prize)
    content = issued(pit, prize).body["content"]
    assert (content["net_minor"], "override" in content) == (computed, False)
    assert reason_of(pit.do(SlipIssued(prize, 0, 0, FACTS), actor="bea")) is Refusal.SLIP_IN_FORCE
    followed(pit)


@pytest.mark.parametrize("answered", [False, True], ids=["before the answer", "after the answer"])
def test_terms_changed_while_a_correction_is_under_way_touch_no_prize_of_before(tmp_path: Path, answered: bool) -> None:
    """The list pays more from the next hand on: the hand that comes back is paid by its own, and as computed."""
    pit = HousePit(site_file(tmp_path))
    pit.play("9s 9h 9d 9c 2d", seats=(1,))
    pit.deliver()
    (prize,) = pit.state.link.rows
    verified(pit, prize)
    computed = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, 1)
    correct(pit, "9c", "8c")
    if answered:
        pit.deliver()
    done(pit.change(jackpot__prizes__four_of_a_kind__fixed=computed + 1_000_000))
    pit.deliver()
    correct(pit, "8c", "9c")
    pit.deliver()
    verified(pit, prize)
    assert (len(ends(pit)), paid(pit, prize)) == (1, computed)
    assert pit.balance(HOUSE) == 0
    assert pit.balance("house.prizes") == -computed * CENTAVO
    assert pit.state == pit.replayed()
    assert pit.state.link.ledger == pit.host.state.ledger
