"""A table through its machine: jackpot bets until no va más, what stops them, what devices counted."""

import pytest

from controller.core.cards import Card
from controller.core.events import (
    AntePlaced,
    CreditsSettled,
    CreditsUnread,
    CreditWagered,
    CreditWithdrawn,
    DeviceRemembered,
    DrawSeedRevealed,
    HandCorrected,
    HandVoided,
    HistoryContradicted,
    JackpotBetsResumed,
    JackpotBetsStopped,
    Key,
    KeyPressed,
    LinkStateChanged,
    PrizeCallDismissed,
    PrizePaid,
    PrizeVerified,
    SeatsClosed,
    Source,
    VoidReason,
)
from controller.core.refusal import Refusal, Refused
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms
from controller.engine.table_view import SeatLamp, seat_lamps
from tests.engine.pit import CENTAVO, CREDIT, SEEDS, START, Pit, oasis_settings

STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
NOTHING = "2c 4s 6h 8c Tc"


def reason(answer: object) -> Refusal:
    assert isinstance(answer, Refused), answer
    return answer.reason


@pytest.fixture
def pit() -> Pit:
    return Pit()


@pytest.mark.requirement("R37", "R46")
@pytest.mark.article("O-49", "O-13")
def test_credits_count_up_to_five_and_light_the_lamp(pit: Pit) -> None:
    pit.do(AntePlaced(3))
    for credits in range(1, 6):
        pit.do(CreditWagered(3))
        assert pit.state.hand.credits == {3: credits}
    assert reason(pit.do(CreditWagered(3, manual=True))) is Refusal.TOO_MANY_CREDITS
    assert seat_lamps(pit.settings, pit.state)[3] is SeatLamp.ACCEPTED
    assert pit.balance("bets") == 5 * CREDIT * CENTAVO


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (CreditWagered(9, manual=True), Refusal.UNKNOWN_SEAT),
        (CreditWagered(2, manual=True), Refusal.NO_ANTE),
        (CreditWagered(1, 0, manual=True), Refusal.TOO_FEW_CREDITS),
        (CreditWithdrawn(1), Refusal.NO_CREDIT_TO_WITHDRAW),
        (KeyPressed(Key.HAND_OVER), Refusal.WRONG_PHASE),
        (KeyPressed(Key.PRIZE), Refusal.WRONG_PHASE),
        (PrizePaid("nothing"), Refusal.UNKNOWN_PRIZE),
        (PrizeCallDismissed(), Refusal.UNKNOWN_PRIZE),
        (HandVoided(VoidReason.DEAL_ERROR), Refusal.SECOND_PERSON_MISSING),
        (HandCorrected(7, "seat-1", Card("As"), Card("Ks")), Refusal.HAND_NOT_CORRECTABLE),
        (DrawSeedRevealed(1, SEEDS[1].hex()), Refusal.DRAW_NOT_WANTED),
        (object(), Refusal.UNKNOWN_EVENT),
    ],
)
def test_refusals_by_name_change_nothing(pit: Pit, event: object, expected: Refusal) -> None:
    pit.do(AntePlaced(1))
    before, length = pit.state, len(pit.journal)
    assert reason(pit.do(event)) is expected
    assert (pit.state, len(pit.journal)) == (before, length)


@pytest.mark.requirement("R37")
@pytest.mark.article("O-52")
def test_credits_above_the_table_minimum_are_refused() -> None:
    pit = Pit(oasis_settings(minimum_minor=2 * CREDIT))
    pit.do(AntePlaced(1))
    pit.do(CreditWagered(1, 2))
    assert reason(pit.do(CreditWagered(1, manual=True))) is Refusal.CREDITS_ABOVE_TABLE_MINIMUM


@pytest.mark.article("O-s")
def test_a_credit_taken_back_before_no_va_mas_returns_its_money(pit: Pit) -> None:
    pit.do(AntePlaced(3))
    pit.do(CreditWagered(3, 2))
    pit.do(CreditWithdrawn(3))
    assert pit.state.hand.credits == {3: 1}
    assert pit.balance("bets") == CREDIT * CENTAVO
    assert pit.balance("patrons") == -CREDIT * CENTAVO


@pytest.mark.requirement("R37")
@pytest.mark.article("O-26")
def test_no_bet_after_no_va_mas_and_a_sensor_token_is_kept_as_evidence(pit: Pit) -> None:
    pit.bet(1)
    pit.close()
    assert reason(pit.do(CreditWagered(1, manual=True))) is Refusal.BETS_CLOSED
    assert reason(pit.do(CreditWithdrawn(1))) is Refusal.BETS_CLOSED
    (entry,) = pit.do(CreditWagered(1))  # type: ignore[misc]  # not refused
    assert (entry.kind, entry.body["reason"], entry.postings) == ("credit.refused", "bets_closed", ())
    assert pit.state.hand.refused_credits == {1: 1}


@pytest.mark.requirement("R30", "R31")
@pytest.mark.article("O-57")
def test_the_contribution_is_exact_and_joins_the_meter_at_no_va_mas(pit: Pit) -> None:
    pit.bet(1, 2, credits=3)
    pit.close()
    bets = 6 * CREDIT * CENTAVO
    parts = {name: pit.balance(name) for name in ("bets", "carousel.main", "carousel.reserve", "house.revenue")}
    assert parts == {
        "bets": 0,
        "carousel.main": bets * 20 // 100,
        "carousel.reserve": bets * 5 // 100,
        "house.revenue": bets * 75 // 100,
    }
    pit.deliver()
    assert pit.host.state.ledger.amount_micros == START * CENTAVO + bets * 20 // 100


@pytest.mark.article("O-49")
def test_a_credit_without_an_ante_goes_back_at_no_va_mas(pit: Pit) -> None:
    pit.bet(1)
    pit.do(CreditWagered(5, 2))
    pit.close()
    assert pit.state.hand.credits == {1: 1}
    assert -pit.balance("patrons") == CREDIT * CENTAVO
    assert pit.state.wagered_micros == CREDIT * CENTAVO


@pytest.mark.requirement("R50")
def test_lost_link_stops_jackpot_bets_and_says_why(pit: Pit) -> None:
    pit.do(LinkStateChanged(False))
    pit.do(AntePlaced(1))
    assert reason(pit.do(CreditWagered(1, manual=True))) is Refusal.JACKPOT_BETS_STOPPED
    pit.do(LinkStateChanged(True))
    assert not isinstance(pit.do(CreditWagered(1, manual=True)), Refused)


@pytest.mark.promise("P9")
def test_a_journal_that_lacks_what_was_signed_takes_no_bets_and_pays_nothing(pit: Pit) -> None:
    pit.play("9d 8d 7d 6d 5d", seats=(3,))
    pit.deliver()
    (prize,) = pit.state.link.rows
    answer = pit.do(HistoryContradicted(900, "ab" * 32), actor="node")
    assert isinstance(answer, tuple)
    (stopped,) = answer
    assert (stopped.kind, stopped.body) == ("link.stopped", {"why": "history", "seq": 900, "hash": "ab" * 32})
    assert pit.do(HistoryContradicted(901, "cd" * 32), actor="node") == ()
    pit.do(AntePlaced(1))
    assert reason(pit.do(CreditWagered(1, manual=True))) is Refusal.JACKPOT_BETS_STOPPED
    assert reason(pit.do(PrizeVerified(prize))) is Refusal.LEDGER_DIFFERS


def test_people_stop_and_resume_jackpot_bets(pit: Pit) -> None:
    pit.do(AntePlaced(1))
    pit.do(JackpotBetsStopped("pit_boss", "cleaning"), actor="ana")
    assert pit.do(JackpotBetsStopped("pit_boss", "cleaning"), actor="ana") == ()
    assert reason(pit.do(CreditWagered(1, manual=True))) is Refusal.JACKPOT_BETS_STOPPED
    pit.do(JackpotBetsResumed("pit_boss"), actor="ana")
    assert not isinstance(pit.do(CreditWagered(1, manual=True)), Refused)


@pytest.mark.requirement("R66")
def test_seats_of_a_lost_device_take_no_bets_the_others_do(pit: Pit) -> None:
    pit.do(SeatsClosed("cajas", (1, 2), "unplugged"))
    pit.do(AntePlaced(1))
    pit.do(AntePlaced(3))
    assert reason(pit.do(CreditWagered(1, manual=True))) is Refusal.JACKPOT_BETS_STOPPED
    assert not isinstance(pit.do(CreditWagered(3, manual=True)), Refused)
    pit.do(SeatsClosed("cajas"))
    assert not isinstance(pit.do(CreditWagered(1, manual=True)), Refused)


@pytest.mark.parametrize(
    ("credits", "expected"), [(0, {}), (3, {5: 3}), (4, {5: 4}), (5, Refusal.CREDITS_OUT_OF_BOUNDS)]
)
def test_unread_credits_are_settled_by_people_within_their_bounds(pit: Pit, credits: int, expected: object) -> None:
    pit.do(AntePlaced(5))
    pit.do(CreditsUnread(5, 2, 4, "reset"), id="lost")
    assert pit.state.hand.credits == {}
    answer = pit.do(CreditsSettled("lost", credits), actor="ana")
    assert (answer.reason if isinstance(answer, Refused) else dict(pit.state.hand.credits)) == expected
    assert ("lost" in pit.state.unread) == isinstance(answer, Refused)


def test_what_a_device_counted_is_stored_whatever_becomes_of_it(pit: Pit) -> None:
    memory = {"serial": "m1", "epoch": 1, "counters": {"in0": 0}, "bases": {"in0": 7}}
    pit.do(DeviceRemembered("cajas", memory))
    pit.do(KeyPressed(Key.HAND_OVER), source=Source("cajas", "m1", "in0", 1, 1))
    assert pit.journal[-1].kind == "input.refused"
    pit.do(AntePlaced(1), source=Source("cajas", "m1", "in0", 1, 2))
    pit.do(AntePlaced(1), source=Source("cajas", "m1", "in0", 2, 9))
    assert pit.state.devices["cajas"]["counters"] == {"in0": 2}


@pytest.mark.requirement("R53")
def test_replay_gives_the_same_state_at_every_entry() -> None:
    draws = (DrawTerms(CARTA_MAGICA, 5_000), DrawTerms(JUGADOR_AFORTUNADO, 7_000))
    pit = Pit(oasis_settings(draws=draws))
    pit.play(STRAIGHT_FLUSH, NOTHING, seats=(1, 3), credits=2)
    pit.deliver()
    row = next(iter(pit.state.link.rows))
    pit.do(PrizeVerified(row), actor="ana")
    pit.do(PrizePaid(row), actor="ana", second="bea")
    pit.bet(2)
    pit.do(HandVoided(VoidReason.DEVICE_FAULT), actor="ana", second="bea")
    pit.bet(6, credits=4)
    assert repr(pit.replayed()) == repr(pit.state)


def test_chips_that_the_dealer_collects_are_noted_not_refused(pit: Pit) -> None:
    pit.bet(1)
    pit.do(CreditWithdrawn(2), source=Source("cajas", "m1", "in1", 1, 5))
    assert pit.journal[-1].kind == "input.noted"
    pit.close()
    pit.do(CreditWithdrawn(1), source=Source("cajas", "m1", "in0", 1, 1))
    assert (pit.journal[-1].kind, pit.state.hand.credits) == ("input.noted", {1: 1})
