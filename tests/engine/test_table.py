"""A table's hands from the first credit to the paid prize, each rule with its refusal, and replay of all of it."""

import pytest

from controller.core.cards import Card
from controller.core.events import (
    AntePlaced,
    CardCorrected,
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
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms, LuckySeatFrom
from controller.engine.table_view import SeatLamp, seat_lamps
from tests.engine.pit import BANK, CENTAVO, CREDIT, SEEDS, START, Pit, oasis_settings

STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
ROYAL = "As Ks Qs Js Ts"
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
