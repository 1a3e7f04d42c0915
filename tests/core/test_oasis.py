"""A table of Oasis, hand by hand: what the dealer presses and a reader sees, and what stands then."""

from dataclasses import replace

import pytest

from controller.core.cards import DECK, Card
from controller.core.events import (
    AntePlaced,
    AnteWithdrawn,
    BoxesShared,
    CardCorrected,
    CardRead,
    CardsEntered,
    ClockRan,
    GameEvent,
    Key,
    KeyPressed,
)
from controller.core.games.game import Game, Stage
from controller.core.games.layout import Correction
from controller.core.games.oasis import CardsRead, Oasis, OasisSettings, OasisState
from controller.core.games.oasis_hand import TRANSITIONS, Phase
from controller.core.hands import Category
from controller.core.records import from_record, to_record
from controller.core.refusal import Refusal, Refused, refuse
from tests.core.sessions import cards, played, refusal

SETTINGS = OasisSettings(seats=(1, 2, 3, 4, 5, 6, 7), minimum_minor=1_000, maximum_minor=50_000)
BLIND_TABLE = Oasis(SETTINGS)
DEALT = Oasis(replace(SETTINGS, cards_read=CardsRead.DEAL))
SHOWN = Oasis(replace(SETTINGS, cards_read=CardsRead.SHOWDOWN))


SEAT_2 = "9d 8d 7d 6d 5d"
SEAT_5 = "Qs Qh 4c 3d 2s"
BANK = "Ah Kh 7c 4d 2h"
TO_THE_DECISIONS = ("ante 2", "ante 5", "close_bets", f"read {SEAT_2}", f"read {SEAT_5}", f"read {BANK}")


@pytest.mark.article("O-26")
def test_bets_are_locked_at_no_va_mas() -> None:
    state = played(BLIND_TABLE, "ante 2", "close_bets")
    assert BLIND_TABLE.stage(state) is Stage.PLAY
    assert refusal(BLIND_TABLE, state, "ante 3") == refuse(Refusal.BETS_CLOSED, seat=3)
    assert refusal(BLIND_TABLE, state, AnteWithdrawn(2)) == refuse(Refusal.BETS_CLOSED, seat=2)


@pytest.mark.article("O-29")
def test_a_box_folds_with_five_counted_cards_and_not_before() -> None:
    four = played(DEALT, "ante 2", "close_bets", "read 9d 8d 7d 6d")
    assert DEALT.turn(four) is None
    assert isinstance(DEALT.step(four, KeyPressed(Key.FOLD)), Refused)
    state = played(DEALT, *TO_THE_DECISIONS, "fold")
    assert state.cards.at("seat-2") == cards(SEAT_2)
    assert len(state.cards.at("seat-2")) == 5


@pytest.mark.article("O-11", "O-22", "O-23")
@pytest.mark.parametrize(
    ("ante", "answer"),
    [
        ("ante 2 999", refuse(Refusal.BET_BELOW_MINIMUM, seat=2, amount=999, minimum=1_000)),
        ("ante 2 50001", refuse(Refusal.BET_ABOVE_MAXIMUM, seat=2, amount=50_001, maximum=50_000)),
        ("ante 8", refuse(Refusal.UNKNOWN_SEAT, seat=8)),
    ],
)
def test_ante_outside_the_limits(ante: str, answer: Refused) -> None:
    assert refusal(BLIND_TABLE, BLIND_TABLE.first_hand(), ante) == answer


@pytest.mark.article("O-17", "O-1")
def test_a_box_without_an_ante_is_dealt_nothing() -> None:
    state = played(DEALT, *TO_THE_DECISIONS)
    assert [(box.seat, len(box.cards)) for box in DEALT.boxes(state)] == [(2, 5), (5, 5)]
    assert (
        refusal(BLIND_TABLE, played(BLIND_TABLE, "ante 2", "close_bets"), "play 3").reason is Refusal.SEAT_NOT_IN_HAND
    )
    assert refusal(BLIND_TABLE, BLIND_TABLE.first_hand(), "close_bets") == refuse(Refusal.NO_BOX_IN_PLAY)


@pytest.mark.article("O-18", "O-70")
def test_a_bet_is_in_a_box_of_the_table_and_a_box_is_one_players() -> None:
    assert refusal(BLIND_TABLE, BLIND_TABLE.first_hand(), "ante 8") == refuse(Refusal.UNKNOWN_SEAT, seat=8)
    twice = played(BLIND_TABLE, "ante 2 3000", "ante 2 5000")
    assert [(box.seat, box.ante_minor) for box in BLIND_TABLE.boxes(twice)] == [(2, 5_000)]


@pytest.mark.article("O-25")
def test_an_ante_may_change_until_bets_close() -> None:
    state = played(BLIND_TABLE, "ante 2", "ante 3 5000", "ante 3 2000", AnteWithdrawn(2))
    assert [(box.seat, box.ante_minor) for box in BLIND_TABLE.boxes(state)] == [(3, 2_000)]
    assert refusal(BLIND_TABLE, state, AnteWithdrawn(2)) == refuse(Refusal.NO_ANTE, seat=2)


@pytest.mark.article("O-26")
def test_five_cards_to_each_box_clockwise_the_bank_last() -> None:
    state = played(DEALT, "ante 5", "ante 2", "close_bets", f"read {SEAT_2}", f"read {SEAT_5}", "read Ah Kh 7c 4d")
    assert (DEALT.phase(state), DEALT.dealer(state)) == ("deal", cards("Ah Kh 7c 4d"))
    state = played(DEALT, *TO_THE_DECISIONS)
    assert (DEALT.phase(state), DEALT.dealer(state)) == ("decisions", cards(BANK))
    assert [box.cards for box in DEALT.boxes(state)] == [cards(SEAT_2), cards(SEAT_5)]


@pytest.mark.requirement("R113")
@pytest.mark.article("O-68")
def test_a_card_too_many_or_twice_is_refused_by_name() -> None:
    state = played(DEALT, "ante 2", "close_bets", "read 9d 8d")
    twice = refuse(Refusal.DUPLICATE_CARD, card="8d", place="seat-2", other="seat-2")
    assert refusal(DEALT, state, "read 8d") == twice
    assert refusal(DEALT, state, CardRead(Card("1x"))) == refuse(Refusal.UNKNOWN_CARD, card="1x", place="seat-2")
    assert refusal(DEALT, played(DEALT, *TO_THE_DECISIONS), "read 9c") == refuse(Refusal.CARDS_COMPLETE, card="9c")


def test_a_reader_that_missed_a_card_is_not_believed() -> None:
    state = played(DEALT, "ante 2", "close_bets", "read 9d 8d 7d", "deal")
    assert (DEALT.phase(state), DEALT.boxes(state)[0].cards) == ("decisions", ())
    over = played(DEALT, "ante 2", "close_bets", "read 9d 8d 7d", "deal", "play", "hand_over")
    assert (DEALT.stage(over), DEALT.settlement(over)) == (Stage.OVER, ())


@pytest.mark.article("O-28")
def test_boxes_are_asked_clockwise_from_the_first_occupied() -> None:
    state = played(BLIND_TABLE, "ante 6", "ante 2", "ante 4", "close_bets")
    assert BLIND_TABLE.turn(state) == 2
    assert refusal(BLIND_TABLE, state, "play 4") == refuse(Refusal.NOT_YOUR_TURN, seat=4, turn=2)
    state = played(BLIND_TABLE, "ante 6", "ante 2", "ante 4", "close_bets", "play", "fold")
    assert BLIND_TABLE.turn(state) == 6
    assert refusal(BLIND_TABLE, state, "fold 2") == refuse(Refusal.ALREADY_DECIDED, seat=2)
    assert refusal(BLIND_TABLE, state, "hand_over") == refuse(Refusal.DECISION_MISSING, seat=6)


@pytest.mark.article("O-2", "O-30")
def test_the_bet_is_exactly_twice_the_ante() -> None:
    state = played(BLIND_TABLE, "ante 2 3000", "close_bets")
    wrong = refuse(Refusal.BET_WRONG_AMOUNT, seat=2, amount=5_999, exact=6_000)
    assert refusal(BLIND_TABLE, state, "play 2 5999") == wrong
    assert BLIND_TABLE.boxes(played(BLIND_TABLE, "ante 2 3000", "close_bets", "play 2 6000"))[0].decided


@pytest.mark.article("O-31", "O-3")
@pytest.mark.parametrize(
    ("script", "buy", "answer"),
    [
        ([], "buy 2", refuse(Refusal.BET_MISSING, seat=2)),
        (["fold"], "buy 2", refuse(Refusal.BOX_FOLDED, seat=2)),
        (["play", "buy"], "buy 2", refuse(Refusal.ALREADY_BOUGHT, seat=2)),
        (["play"], "buy 2 1001", refuse(Refusal.BET_WRONG_AMOUNT, seat=2, amount=1_001, exact=1_000)),
        (["play"], "buy 7", refuse(Refusal.SEAT_NOT_IN_HAND, seat=7)),
        ([], "buy", refuse(Refusal.SEAT_NOT_IN_HAND, seat=0)),
    ],
)
def test_one_card_after_the_bet_for_one_ante(script: list[str], buy: str, answer: Refused) -> None:
    state = played(BLIND_TABLE, "ante 2", "ante 5", "close_bets", *script)
    assert refusal(BLIND_TABLE, state, buy) == answer


@pytest.mark.article("O-36")
def test_a_passed_box_buys_only_while_no_later_box_has() -> None:
    opening = ("ante 1", "ante 2", "ante 3", "close_bets")
    passed = played(BLIND_TABLE, *opening, "play", "play", "play", "buy 2")
    late = refuse(Refusal.LATER_BOX_HAS_BOUGHT, seat=1, later=2)
    assert refusal(BLIND_TABLE, passed, "buy 1") == late
    both = played(BLIND_TABLE, *opening, "play", "play", "buy 1", "buy 2", "play", "buy 3")
    assert [box.bought for box in BLIND_TABLE.boxes(both)] == [True, True, True]


@pytest.mark.article("O-71")
def test_a_player_in_several_boxes_buys_in_the_one_he_sees() -> None:
    opening = ("ante 1", "ante 2", "ante 3", BoxesShared((1, 2), 2), "close_bets", "play", "play", "play")
    state = played(BLIND_TABLE, *opening)
    assert refusal(BLIND_TABLE, state, "buy 1") == refuse(Refusal.SEEN_IN_OTHER_BOX, seat=1)
    assert BLIND_TABLE.boxes(played(BLIND_TABLE, *opening, "buy 2"))[1].bought
    absent = refuse(Refusal.SEAT_NOT_IN_HAND, seat=6)
    assert refusal(BLIND_TABLE, state, BoxesShared((1, 6), 1)) == absent
    bought = played(BLIND_TABLE, "ante 1", "ante 2", "close_bets", "play", "buy", "play")
    assert refusal(BLIND_TABLE, bought, BoxesShared((1, 2), 2)) == refuse(Refusal.ALREADY_BOUGHT, seat=1)


@pytest.mark.article("O-4", "O-37", "O-38")
def test_the_bank_never_buys() -> None:
    state = played(DEALT, *TO_THE_DECISIONS, "play", "play")
    assert refusal(DEALT, state, CardsEntered("dealer", cards("Ah Kh 7c 4d"))).reason is Refusal.WRONG_CARD_COUNT
    assert refusal(DEALT, state, "read 9c") == refuse(Refusal.CARDS_COMPLETE, card="9c")


@pytest.mark.requirement("O34")
@pytest.mark.article("O-7", "O-34", "O-35", "O-51")
def test_a_buyer_loses_the_progressive_at_once() -> None:
    state = played(DEALT, *TO_THE_DECISIONS, "play")
    assert DEALT.jackpot_cards(state, 2) == cards(SEAT_2)
    state = played(DEALT, *TO_THE_DECISIONS, "play", "buy")
    assert (DEALT.lost_jackpot(state, 2), DEALT.jackpot_cards(state, 2)) == (True, None)
    assert DEALT.boxes(state)[0].bought


@pytest.mark.article("O-48", "O-i")
def test_a_folded_box_keeps_its_jackpot_only_where_the_site_says_so() -> None:
    keeps = Oasis(replace(DEALT.settings, folded_box_keeps_jackpot=True))
    for game, lost in ((DEALT, True), (keeps, False)):
        state = played(game, *TO_THE_DECISIONS, "fold")
        assert game.lost_jackpot(state, 2) is lost
        assert (game.jackpot_cards(state, 2) is None) is lost


@pytest.mark.requirement("R105", "O34")
@pytest.mark.article("O-64", "O-l", "O-m", "O-q")
def test_carta_magica_counts_the_five_dealt_cards_also_of_a_buyer() -> None:
    state = played(DEALT, *TO_THE_DECISIONS, "play", "play", "buy 5", "read 2s", "read Qd")
    assert DEALT.magic_cards(state, 5) == cards(SEAT_5)
    assert DEALT.boxes(state)[1].cards == cards("Qs Qh 4c 3d Qd")
    assert DEALT.magic_cards(played(DEALT, *TO_THE_DECISIONS, "fold"), 2) == ()


@pytest.mark.article("O-33", "O-32", "O-44")
def test_bought_card_comes_by_the_reader_and_the_hand_is_settled() -> None:
    script = (*TO_THE_DECISIONS, "play", "play", "buy", "read 2s", "read Qd", "hand_over")
    results = DEALT.settlement(played(DEALT, *script))
    assert [(result.seat, result.reason, result.net, result.bets) for result in results] == [
        (2, "straight_flush", 101_000, (("ante", 1_000), ("bet", 100_000), ("purchase", 0))),
        (5, "three_of_a_kind", 6_000, (("ante", 1_000), ("bet", 6_000), ("purchase", -1_000))),
    ]


@pytest.mark.article("O-33")
def test_bought_card_entered_by_people() -> None:
    script = (*TO_THE_DECISIONS, "play", "play", "buy")
    exchange = played(DEALT, *script, CardsEntered("seat-5", cards("2s Qd")))
    shown = played(DEALT, *script, CardsEntered("seat-5", cards("Qd Qs Qh 4c 3d")))
    assert DEALT.settlement(exchange) == DEALT.settlement(shown)
    state = played(DEALT, *script)
    not_his = CardsEntered("seat-5", cards("9c Qd"))
    assert refusal(DEALT, state, not_his) == refuse(Refusal.CARD_NOT_THERE, card="9c", place="seat-5")
    of_another = CardsEntered("seat-5", cards("2s 9d"))
    assert refusal(DEALT, state, of_another).reason is Refusal.DUPLICATE_CARD
    his_own = CardsEntered("seat-5", cards("2s Qh"))
    assert refusal(DEALT, state, his_own).reason is Refusal.DUPLICATE_CARD
    two_new = CardsEntered("seat-5", cards("Qd Qc Qh 4c 3d"))
    assert refusal(DEALT, state, two_new) == refuse(Refusal.CARD_NOT_THERE, card="Qd Qc", place="seat-5")
    three = CardsEntered("seat-5", cards("2s Qd 9c"))
    assert refusal(DEALT, state, three) == refuse(Refusal.WRONG_CARD_COUNT, place="seat-5", cards=3, need=5)


@pytest.mark.article("O-40")
def test_a_reader_at_the_showdown_sees_the_bank_and_then_the_boxes_still_in() -> None:
    opening = ("ante 2", "ante 3", "ante 5", "close_bets", "play", "fold", "play", "buy")
    state = played(SHOWN, *opening, f"read {BANK}", f"read {SEAT_2}", "read Qs Qh 4c 3d Qd", "hand_over")
    reasons = {result.seat: (result.reason, result.net) for result in SHOWN.settlement(state)}
    assert reasons == {2: ("straight_flush", 101_000), 3: ("folded", -1_000), 5: ("three_of_a_kind", 6_000)}
    assert (SHOWN.jackpot_cards(state, 2), SHOWN.jackpot_cards(state, 5)) == (cards(SEAT_2), None)
    too_early = played(SHOWN, "ante 2", "close_bets")
    assert refusal(SHOWN, too_early, "read As") == refuse(Refusal.DECISION_MISSING, seat=2)
    half = played(SHOWN, *opening, f"read {BANK}", "read 9d 8d")
    missing = refuse(Refusal.CARDS_MISSING, place="seat-2", cards=2, need=5)
    assert refusal(SHOWN, half, "hand_over") == missing


@pytest.mark.article("O-39", "O-46")
def test_a_table_without_a_reader_ends_its_hand_without_cards() -> None:
    state = played(BLIND_TABLE, "ante 2", "ante 3", "close_bets", "play", "fold", "hand_over")
    assert [result.seat for result in BLIND_TABLE.settlement(state)] == [3]
    assert BLIND_TABLE.stage(state) is Stage.OVER
    assert BLIND_TABLE.next_hand(state) == BLIND_TABLE.first_hand()


@pytest.mark.article("O-50")
def test_cards_of_one_box_entered_for_a_prize() -> None:
    entered = CardsEntered("seat-2", cards(SEAT_2))
    state = played(BLIND_TABLE, "ante 2", "ante 3", "close_bets", "play", "fold", entered, "hand_over")
    assert BLIND_TABLE.jackpot_cards(state, 2) == cards(SEAT_2)
    nowhere = CardsEntered("seat-6", cards(SEAT_2))
    before = played(BLIND_TABLE, "ante 2", "close_bets")
    assert refusal(BLIND_TABLE, before, nowhere) == refuse(Refusal.SEAT_NOT_IN_HAND, place="seat-6")
    short = CardsEntered("seat-2", cards("9d 8d 7d 6d"))
    assert refusal(BLIND_TABLE, before, short) == refuse(Refusal.WRONG_CARD_COUNT, place="seat-2", cards=4, need=5)
    cleared = played(BLIND_TABLE, "ante 2", "close_bets", entered, CardsEntered("seat-2", ()))
    assert BLIND_TABLE.boxes(cleared)[0].cards == ()


def test_a_misread_card_is_corrected_with_a_trace_also_after_the_hand() -> None:
    wrong = (Card("5d"), Card("4d"))
    over = played(DEALT, *TO_THE_DECISIONS, "play", "play", "hand_over")
    assert refusal(DEALT, over, CardCorrected("seat-2", *wrong)).reason is Refusal.DUPLICATE_CARD
    absent = refuse(Refusal.CARD_NOT_THERE, card="9c", place="seat-2")
    assert refusal(DEALT, over, CardCorrected("seat-2", Card("9c"), Card("Td"))) == absent
    fixed = DEALT.step(over, CardCorrected("seat-2", Card("5d"), Card("5c")))
    assert isinstance(fixed, OasisState)
    assert fixed.cards.corrections == (Correction("seat-2", Card("5d"), Card("5c")),)
    assert DEALT.settlement(fixed)[0].reason == "straight"
    assert refusal(DEALT, over, "play").reason is Refusal.WRONG_PHASE


BASE = [
    ("O-42 the bank does not qualify", "7d 5c 4h 3s 2d", "Kc Qd Jh 9s 8c", False, False, "dealer_not_qualified", 1_000),
    ("O-42 a buyer pays for his card", "7d 5c 4h 3s 2d", "Kc Qd Jh 9s 8c", False, True, "dealer_not_qualified", 0),
    ("O-29 folded", "As Ks Qs Js Ts", "Kc Qd Jh 9s 8c", True, False, "folded", -1_000),
    ("O-45 worse", "2c 2d 5h 4s 3d", "Ac Ad 5c 4d 3h", False, False, "lost", -3_000),
    ("O-45 worse, with a card", "2c 2d 5h 4s 3d", "Ac Ad 5c 4d 3h", False, True, "lost", -4_000),
    ("O-20 equal", "Ac Kd 5h 4s 3d", "Ad Kc 5c 4d 3h", False, False, "tie", 0),
    ("O-20 equal, with a card", "Ac Kd 5h 4s 3d", "Ad Kc 5c 4d 3h", False, True, "tie", -1_000),
    ("O-44 ace-king", "Ac Kd 6h 4s 3d", "Ad Kc 5c 4d 3h", False, False, "ace_king", 3_000),
    ("O-44 pair", "2c 2d 5h 4s 3d", "Ad Kc 5c 4d 3h", False, False, "pair", 3_000),
    ("O-44 two pair", "2c 2d 4h 4s 3d", "Ad Kc 5c 4d 3h", False, False, "two_pair", 5_000),
    ("O-44 three", "2c 2d 2h 4s 3d", "Ad Kc 5c 4d 3h", False, False, "three_of_a_kind", 7_000),
    ("O-44 straight", "2c As 5h 4s 3d", "Ad Kc 5c 4d 3h", False, False, "straight", 9_000),
    ("O-44 flush", "2c 9c 5c 4c 3c", "Ad Kc 6h 4d 3h", False, False, "flush", 11_000),
    ("O-44 full house", "2c 2d 2h 3c 3d", "Ad Kc 5c 4d 3h", False, False, "full_house", 15_000),
    ("O-44 four", "2c 2d 2h 2s 3d", "Ad Kc 5c 4d 3h", False, False, "four_of_a_kind", 41_000),
    ("O-44 straight flush", "9d 8d 7d 6d 5d", "Ad Kc 5c 4d 3h", False, False, "straight_flush", 101_000),
    ("O-44 royal", "As Ks Qs Js Ts", "Ad Kc 5c 4d 3h", False, False, "royal_flush", 201_000),
]


@pytest.mark.article("O-5", "O-10", "O-20", "O-41", "O-42", "O-43", "O-44", "O-45")
@pytest.mark.parametrize(("row", "hand", "bank", "folded", "bought", "reason", "net"), BASE)
def test_base_game(row: str, hand: str, bank: str, folded: bool, bought: bool, reason: str, net: int) -> None:
    decision = ("fold",) if folded else ("play", "buy") if bought else ("play",)
    entered = (CardsEntered("seat-1", cards(hand)), CardsEntered("dealer", cards(bank)))
    state = played(BLIND_TABLE, "ante 1", "close_bets", *decision, *entered, "hand_over")
    result = BLIND_TABLE.settlement(state)[0]
    assert (result.reason, result.net, sum(amount for _, amount in result.bets)) == (reason, net, net)


def test_a_site_pays_by_its_own_table() -> None:
    own = Oasis(replace(DEALT.settings, pay_table={**SETTINGS.pay_table, Category.STRAIGHT_FLUSH: 75}))
    state = played(own, *TO_THE_DECISIONS, "play", "play", "hand_over")
    assert (own.settlement(state)[0].net, own.settlement(state)[0].uncapped) == (1_000 + 75 * 2_000, None)
    capped = Oasis(replace(DEALT.settings, payout_limit_minor=60_000))
    state = played(capped, *TO_THE_DECISIONS, "play", "play", "hand_over")
    assert (capped.settlement(state)[0].net, capped.settlement(state)[0].uncapped) == (1_000 + 60_000, 100_000)


@pytest.mark.parametrize("key", [Key.CHECK, Key.CALL, Key.BET, Key.RAISE, Key.ALL_IN])
def test_keys_of_other_games_are_unknown(key: Key) -> None:
    state = played(BLIND_TABLE, "ante 1", "close_bets")
    assert refusal(BLIND_TABLE, state, KeyPressed(key)) == refuse(Refusal.UNKNOWN_KEY, key=key.value, game="oasis")


@pytest.mark.parametrize("phase", list(Phase))
def test_every_phase_answers_every_event_by_name(phase: Phase) -> None:
    stages = {
        Phase.BETS: ("ante 1",),
        Phase.DEAL: ("ante 1", "close_bets"),
        Phase.DECISIONS: ("ante 1", "close_bets", "deal"),
        Phase.OVER: ("ante 1", "close_bets", "deal", "play", "hand_over"),
    }
    showdown = played(SHOWN, "ante 1", "close_bets", "play", "read As")
    state = showdown if phase is Phase.SHOWDOWN else played(DEALT, *stages[phase])
    assert state.phase is phase
    others: list[GameEvent] = [
        AntePlaced(2),
        AnteWithdrawn(1),
        BoxesShared((1,), 1),
        CardRead(Card("2c")),
        ClockRan("x"),
    ]
    others += [CardsEntered("dealer", cards(BANK)), CardCorrected("dealer", Card("2c"), Card("3c"))]
    for event in [*(KeyPressed(key) for key in Key), *others]:
        trigger = event.key if isinstance(event, KeyPressed) else type(event)
        answer = DEALT.step(state, event)
        if (phase, trigger) not in TRANSITIONS:
            assert isinstance(answer, Refused)
            assert answer.reason in (Refusal.WRONG_PHASE, Refusal.UNKNOWN_KEY, Refusal.BETS_CLOSED)


def test_states_survive_the_journal() -> None:
    state = played(DEALT, *TO_THE_DECISIONS, "play", "play", "buy", "read 2s", "read Qd", "hand_over")
    assert from_record(OasisState, to_record(state)) == state
    game: Game = DEALT
    assert (game.board(state), game.deadline(state), game.turn(state)) == ((), None, None)
    assert set(DECK) >= set(game.dealer(state))
