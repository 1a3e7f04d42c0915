"""A table of Texas Hold'em Bonus, hand by hand: what the dealer presses and a reader sees, and what stands then."""

from dataclasses import replace

import pytest

from controller.core.cards import Card
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
from controller.core.games.holdem_bonus import (
    BonusCards,
    CardsRead,
    HoldemBonus,
    HoldemBonusSettings,
    HoldemBonusState,
    Phase,
)
from controller.core.games.holdem_bonus_hand import TRANSITIONS
from controller.core.games.layout import Correction
from controller.core.hands import Category, rank
from controller.core.records import from_record, to_record
from controller.core.refusal import Refusal, Refused, refuse
from tests.core.sessions import cards, played, refusal

SETTINGS = HoldemBonusSettings(seats=(1, 2, 3, 4, 5, 6, 7), minimum_minor=2_000, maximum_minor=100_000)
BLIND_TABLE = HoldemBonus(SETTINGS)
DEALT = HoldemBonus(replace(SETTINGS, cards_read=CardsRead.DEAL))
SHOWN = HoldemBonus(replace(SETTINGS, cards_read=CardsRead.SHOWDOWN))

# Two rounds: boxes 2 and 5, then the dealer: Th Jh against Kd Kc, the dealer Ac Ad.
DEAL = ("ante 2", "ante 5", "close_bets", "read Th Kd Ac", "read Jh Kc Ad")
TO_THE_FLOP = (*DEAL, "play", "play", "read 2s", "read 9h 8h 7h")
TO_THE_TURN = (*TO_THE_FLOP, "bet", "check", "read 3s", "read 2c")
TO_THE_RIVER = (*TO_THE_TURN, "check", "bet", "read 4s", "read 3d")


@pytest.mark.article("B-10")
def test_two_rounds_of_one_card_left_to_right_the_dealer_last() -> None:
    state = played(DEALT, *DEAL[:-1], "read Jh Kc")
    assert (DEALT.phase(state), DEALT.dealer(state)) == ("deal", cards("Ac"))
    state = played(DEALT, *DEAL)
    assert (DEALT.phase(state), DEALT.dealer(state)) == ("flop_bets", cards("Ac Ad"))
    assert [(box.seat, box.cards) for box in DEALT.boxes(state)] == [(2, cards("Th Jh")), (5, cards("Kd Kc"))]


@pytest.mark.article("B-9")
def test_at_least_one_player_limits_and_one_box_each() -> None:
    assert refusal(DEALT, DEALT.first_hand(), "close_bets") == refuse(Refusal.NO_BOX_IN_PLAY)
    low = refuse(Refusal.BET_BELOW_MINIMUM, seat=2, amount=1_999, minimum=2_000)
    assert refusal(DEALT, DEALT.first_hand(), "ante 2 1999") == low
    several = refuse(Refusal.UNKNOWN_KEY, key="BoxesShared", game="holdem-bonus")
    assert refusal(DEALT, played(DEALT, "ante 2", "ante 3"), BoxesShared((2, 3), 2)) == several
    taken_back = played(DEALT, "ante 2", "ante 3", AnteWithdrawn(2))
    assert [box.seat for box in DEALT.boxes(taken_back)] == [3]
    assert refusal(DEALT, taken_back, AnteWithdrawn(2)) == refuse(Refusal.NO_ANTE, seat=2)
    assert refusal(DEALT, played(DEALT, *DEAL), "ante 4") == refuse(Refusal.BETS_CLOSED, seat=4)


@pytest.mark.article("B-11")
def test_flop_bet_of_twice_the_ante_or_fold_in_turn() -> None:
    state = played(DEALT, *DEAL)
    assert DEALT.turn(state) == 2
    wrong = refuse(Refusal.BET_WRONG_AMOUNT, seat=2, amount=2_000, exact=4_000)
    assert refusal(DEALT, state, "play 2 2000") == wrong
    assert refusal(DEALT, state, "fold 5") == refuse(Refusal.NOT_YOUR_TURN, seat=5, turn=2)
    early = refuse(Refusal.WRONG_PHASE, key="bet", phase="flop_bets")
    assert refusal(DEALT, state, "bet") == early
    assert DEALT.phase(played(DEALT, *DEAL, "play 2 4000", "fold")) == "flop"


@pytest.mark.article("B-11")
def test_burn_and_flop_burn_and_turn_burn_and_river() -> None:
    state = played(DEALT, *DEAL, "play", "play", "read 2s 9h 8h")
    assert (DEALT.phase(state), DEALT.board(state)) == ("flop", cards("9h 8h"))
    assert DEALT.phase(played(DEALT, *TO_THE_FLOP)) == "turn_bets"
    assert DEALT.phase(played(DEALT, *TO_THE_TURN)) == "river_bets"
    state = played(DEALT, *TO_THE_RIVER)
    assert (DEALT.phase(state), DEALT.board(state)) == ("showdown", cards("9h 8h 7h 2c 3d"))
    assert [state.cards.at(f"burn/{street}") for street in (1, 2, 3)] == [cards("2s"), cards("3s"), cards("4s")]


@pytest.mark.article("B-11")
@pytest.mark.parametrize(
    ("event", "answer"),
    [
        ("bet 2 2001", refuse(Refusal.BET_WRONG_AMOUNT, seat=2, amount=2_001, exact=2_000)),
        ("check 5", refuse(Refusal.NOT_YOUR_TURN, seat=5, turn=2)),
        ("check 3", refuse(Refusal.BOX_FOLDED, seat=3)),
        ("bet 7", refuse(Refusal.SEAT_NOT_IN_HAND, seat=7)),
        ("fold", refuse(Refusal.WRONG_PHASE, key="fold", phase="turn_bets")),
        ("hand_over", refuse(Refusal.WRONG_PHASE, key="hand_over", phase="turn_bets")),
    ],
)
def test_optional_bets_are_the_ante_or_a_check(event: str, answer: Refused) -> None:
    state = played(BLIND_TABLE, "ante 2", "ante 3", "ante 5", "close_bets", "play", "fold", "play", "deal")
    assert refusal(BLIND_TABLE, state, event) == answer


def test_a_box_answers_once() -> None:
    state = played(BLIND_TABLE, "ante 2", "ante 5", "close_bets", "play", "play", "deal", "bet 2 2000")
    assert refusal(BLIND_TABLE, state, "check 2") == refuse(Refusal.ALREADY_DECIDED, seat=2, turn=5)


@pytest.mark.article("B-13", "B-12", "B-e")
def test_a_hand_is_settled() -> None:
    state = played(DEALT, *TO_THE_RIVER, "hand_over")
    assert DEALT.stage(state) is Stage.OVER
    assert [(result.seat, result.reason, result.net, result.bets) for result in DEALT.settlement(state)] == [
        (2, "straight_flush", 8_000, (("ante", 2_000), ("flop_bet", 4_000), ("turn_bet", 2_000), ("river_bet", 0))),
        (5, "lost", -8_000, (("ante", -2_000), ("flop_bet", -4_000), ("turn_bet", 0), ("river_bet", -2_000))),
    ]


@pytest.mark.article("B-13")
def test_ante_pays_from_where_the_site_says() -> None:
    strict = HoldemBonus(replace(DEALT.settings, ante_pays_from=Category.ROYAL_FLUSH))
    assert strict.settlement(played(strict, *TO_THE_RIVER, "hand_over"))[0].bets[0] == ("ante", 0)


@pytest.mark.article("B-13", "B-b")
def test_cards_that_count_for_the_bonus() -> None:
    flop_only = HoldemBonus(replace(DEALT.settings, bonus_cards=BonusCards.HOLE_AND_FLOP))
    at_the_flop = played(DEALT, *TO_THE_FLOP)
    assert (DEALT.jackpot_cards(at_the_flop, 2), flop_only.jackpot_cards(at_the_flop, 2)) == (
        None,
        cards("Th Jh 9h 8h 7h"),
    )
    over = played(DEALT, *TO_THE_RIVER, "hand_over")
    seven = DEALT.jackpot_cards(over, 2)
    assert seven == cards("Th Jh 9h 8h 7h 2c 3d")
    assert rank(seven).category is Category.STRAIGHT_FLUSH
    assert flop_only.jackpot_cards(over, 2) == cards("Th Jh 9h 8h 7h")


@pytest.mark.article("B-c")
def test_a_folded_box_loses_its_bonus() -> None:
    keeps = HoldemBonus(replace(DEALT.settings, folded_box_keeps_jackpot=True))
    script = (*DEAL, "fold", "play", "read 2s", "read 9h 8h 7h", "check", "read 3s 2c", "check", "read 4s 3d")
    for game, lost in ((DEALT, True), (keeps, False)):
        state = played(game, *script, "hand_over")
        assert game.lost_jackpot(state, 2) is lost
        assert (game.jackpot_cards(state, 2) is None) is lost
        assert game.magic_cards(state, 2) == cards("Th Jh")


@pytest.mark.article("B-8")
def test_a_folding_box_shows_two_cards() -> None:
    opening = ("ante 2", "ante 5", "close_bets", "read Th")
    missing = refuse(Refusal.CARDS_MISSING, place="seat-2", cards=1, need=2)
    assert refusal(SHOWN, played(SHOWN, *opening), "fold") == missing
    three = played(SHOWN, *opening, "read Jh")
    assert refusal(SHOWN, three, "read Qh") == refuse(Refusal.CARDS_COMPLETE, card="Qh")
    folded = played(SHOWN, *opening, "read Jh", "fold")
    assert SHOWN.magic_cards(folded, 2) == cards("Th Jh")
    one = CardsEntered("seat-2", cards("Th"))
    assert refusal(BLIND_TABLE, played(BLIND_TABLE, "ante 2", "close_bets"), one) == refuse(
        Refusal.WRONG_CARD_COUNT, place="seat-2", cards=1, need=2
    )
    assert refusal(DEALT, played(DEALT, *DEAL), "read Qh") == refuse(Refusal.CARDS_COMPLETE, card="Qh")


@pytest.mark.article("B-11")
def test_everybody_folds() -> None:
    state = played(DEALT, *DEAL, "fold", "fold")
    assert DEALT.phase(state) == "showdown"
    over = played(DEALT, *DEAL, "fold", "fold", "hand_over")
    assert [(result.reason, result.net) for result in DEALT.settlement(over)] == [("folded", -2_000)] * 2


@pytest.mark.article("B-11")
def test_boxes_are_opened_from_the_last_one_down() -> None:
    opening = ("ante 2", "ante 5", "close_bets", "play", "play", "read 9h 8h 7h", "check", "check", "read 2c")
    state = played(SHOWN, *opening, "bet", "bet", "read 3d", "read Ac Ad", "read Kd Kc", "read Th Jh", "hand_over")
    assert [box.cards for box in SHOWN.boxes(state)] == [cards("Th Jh"), cards("Kd Kc")]
    assert [result.net for result in SHOWN.settlement(state)] == [8_000, -8_000]
    half = played(SHOWN, *opening, "bet", "bet", "read 3d", "read Ac")
    assert refusal(SHOWN, half, "hand_over") == refuse(Refusal.CARDS_MISSING, place="dealer", cards=1, need=2)


def test_a_table_without_a_reader() -> None:
    script = ("ante 2", "close_bets", "play", "deal", "bet", "deal", "check", "deal")
    over = played(BLIND_TABLE, *script, "hand_over")
    assert (BLIND_TABLE.stage(over), BLIND_TABLE.settlement(over)) == (Stage.OVER, ())
    assert BLIND_TABLE.next_hand(over) == BLIND_TABLE.first_hand()
    entered = (CardsEntered("board", cards("9h 8h 7h 2c 3d")), CardsEntered("seat-2", cards("Th Jh")))
    won = played(BLIND_TABLE, *script, *entered, "hand_over")
    assert BLIND_TABLE.jackpot_cards(won, 2) == cards("Th Jh 9h 8h 7h 2c 3d")


def test_board_entered_street_by_street() -> None:
    opening = ("ante 2", "close_bets", "play", CardsEntered("board", cards("9h 8h 7h")), "check")
    state = played(BLIND_TABLE, *opening, CardsEntered("board", cards("9h 8h 7h 2c")))
    assert BLIND_TABLE.phase(state) == "river_bets"
    short = refuse(Refusal.WRONG_CARD_COUNT, place="board", cards=3, need=4)
    before = played(BLIND_TABLE, *opening)
    assert refusal(BLIND_TABLE, before, CardsEntered("board", cards("9h 8h 7h"))) == short
    early = played(BLIND_TABLE, "ante 2", "close_bets")
    not_yet = refuse(Refusal.WRONG_PHASE, place="board", phase="flop_bets")
    assert refusal(BLIND_TABLE, early, CardsEntered("board", cards("9h 8h 7h"))) == not_yet
    nobody = CardsEntered("seat-4", cards("Th Jh"))
    assert refusal(BLIND_TABLE, early, nobody) == refuse(Refusal.SEAT_NOT_IN_HAND, place="seat-4")


def test_a_reader_that_misses_cards() -> None:
    unread = played(DEALT, "ante 2", "close_bets", "read Th", "deal")
    assert (DEALT.phase(unread), DEALT.boxes(unread)[0].cards) == ("flop_bets", ())
    half = played(DEALT, *DEAL, "play", "play", "read 2s 9h 8h")
    assert refusal(DEALT, half, "deal") == refuse(Refusal.CARDS_MISSING, place="board", cards=2, need=3)
    twice = refuse(Refusal.DUPLICATE_CARD, card="9h", place="board", other="board")
    assert refusal(DEALT, half, "read 9h") == twice
    burned = refuse(Refusal.DUPLICATE_CARD, card="2s", place="board", other="burn")
    assert refusal(DEALT, half, "read 2s") == burned


def test_a_misread_card_is_corrected_with_a_trace_also_after_the_hand() -> None:
    over = played(DEALT, *TO_THE_RIVER, "hand_over")
    fixed = DEALT.step(over, CardCorrected("board", Card("7h"), Card("7c")))
    assert isinstance(fixed, HoldemBonusState)
    assert fixed.cards.corrections == (Correction("board", Card("7h"), Card("7c")),)
    assert DEALT.settlement(fixed)[0].reason == "straight"
    assert refusal(DEALT, over, CardCorrected("board", Card("7h"), Card("Ac"))).reason is Refusal.DUPLICATE_CARD


SCRIPTS: dict[Phase, tuple[str, ...]] = {
    Phase.BETS: ("ante 2",),
    Phase.DEAL: ("ante 2", "close_bets"),
    Phase.FLOP_BETS: DEAL,
    Phase.FLOP: (*DEAL, "play", "play"),
    Phase.TURN_BETS: TO_THE_FLOP,
    Phase.TURN: (*TO_THE_FLOP, "bet", "check"),
    Phase.RIVER_BETS: TO_THE_TURN,
    Phase.RIVER: (*TO_THE_TURN, "bet", "check"),
    Phase.SHOWDOWN: TO_THE_RIVER,
    Phase.OVER: (*TO_THE_RIVER, "hand_over"),
}


@pytest.mark.parametrize("phase", list(Phase))
def test_every_phase_answers_every_event_by_name(phase: Phase) -> None:
    state = played(DEALT, *SCRIPTS[phase])
    assert state.phase is phase
    others: list[GameEvent] = [
        AntePlaced(3),
        AnteWithdrawn(2),
        BoxesShared((2,), 2),
        CardRead(Card("Qs")),
        ClockRan("x"),
    ]
    others += [CardsEntered("dealer", cards("Qs Qd")), CardCorrected("dealer", Card("Qs"), Card("Qd"))]
    for event in [*(KeyPressed(key) for key in Key), *others]:
        trigger = event.key if isinstance(event, KeyPressed) else type(event)
        answer = DEALT.step(state, event)
        if (phase, trigger) not in TRANSITIONS:
            assert isinstance(answer, Refused)
            assert answer.reason in (Refusal.WRONG_PHASE, Refusal.UNKNOWN_KEY, Refusal.BETS_CLOSED)


def test_states_survive_the_journal() -> None:
    state = played(DEALT, *TO_THE_RIVER, "hand_over")
    assert from_record(HoldemBonusState, to_record(state)) == state
    game: Game = DEALT
    assert (game.deadline(state), game.turn(state), game.has_ante(state, 2)) == (None, None, True)
