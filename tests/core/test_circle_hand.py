"""A circle hand through its events: bets, clocks, mistakes of players and dealers, showdown, payment."""

from typing import Any

import pytest

from controller.core.circle_events import (
    AbsentSeatDealt,
    BetOutOfTurn,
    HandRestored,
    HandsKilled,
    Sanction,
    Sanctioned,
    ShowdownTold,
)
from controller.core.events import CardCorrected, CardsEntered, ClockRan, Key, KeyPressed
from controller.core.games.circle_betting import Action
from controller.core.games.circle_showdown import RakeTerms, show_order
from controller.core.games.circle_state import CircleState, Clock, Phase
from controller.core.games.game import Stage
from controller.core.games.holdem_circle import HoldemCircle
from tests.core.circle_play import after, chips, game, reading, refused, seated, stacks_of
from tests.core.sessions import cards

TABLE = game()
READ = reading()
FOUR = (10_000, 10_000, 10_000, 10_000)
DEAL = "read As Kd Qh 2c Ac Ks Qd 7d"
"""Seats 1 to 4 are dealt As Ac, Kd Ks, Qh Qd and 2c 7d: the button is at seat 4."""


def opened(table: HoldemCircle = TABLE, *stacks: int) -> CircleState:
    """Blinds of seats 1 and 2 posted, seat 3 asked."""
    return after(table, seated(table, *(stacks or FOUR)), "close_bets")


def dealt(table: HoldemCircle = READ, *stacks: int) -> CircleState:
    return after(table, opened(table, *stacks), DEAL)


def bets(state: CircleState) -> dict[int, int]:
    return dict(state.bets.in_street)


@pytest.mark.article("C-41", "C-42", "C-44", "C-49")
def test_blinds_are_owed_from_the_deal_on() -> None:
    """Whether or not the chips lie there when the cards come: the table counts them as bet."""
    state = opened(READ)
    assert bets(state) == {1: 100, 2: 200, 3: 0, 4: 0}
    assert (state.phase, state.dealt) == (Phase.DEAL, (1, 2, 3, 4))
    assert READ.turn(after(READ, state, DEAL)) == 3


@pytest.mark.article("C-3", "C-44", "C-45", "C-46", "C-47")
def test_four_rounds_with_a_burned_card_before_each_of_the_board() -> None:
    state = after(READ, dealt(), "call", "call", "call", "check")
    assert state.phase is Phase.FLOP
    state = after(READ, state, "read 3c 4c 5c 6c")
    assert (READ.board(state), READ.turn(state)) == (cards("4c 5c 6c"), 1)
    state = after(READ, state, "check", "check", "check", "check", "read 8c 9c")
    assert READ.board(state) == cards("4c 5c 6c 9c")
    state = after(READ, state, "check", "check", "check", "check", "read Tc Jc")
    assert (READ.board(state), state.cards.at("burn/river")) == (cards("4c 5c 6c 9c Jc"), cards("Tc"))
    state = after(READ, state, "check", "check", "check", "check")
    assert state.phase is Phase.SHOWDOWN
    assert READ.stage(after(READ, state, "hand_over")) is Stage.OVER


@pytest.mark.article("C-44")
def test_the_big_blind_may_raise_when_all_have_called() -> None:
    state = after(TABLE, opened(), "call", "call", "call")
    assert TABLE.turn(state) == 2
    assert TABLE.turn(after(TABLE, state, "raise 600")) == 3


@pytest.mark.article("C-47", "C-48")
@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("raise 399", "raise_below_minimum"),
        ("raise 10001", "bet_above_stack"),
        ("bet 400", "bet_to_call"),
        ("check", "bet_to_call"),
        ("play", "unknown_key"),
        ("hand_over", "wrong_phase"),
    ],
)
def test_actions_that_are_refused(line: str, name: str) -> None:
    assert refused(TABLE, opened(), line) == name


@pytest.mark.article("C-48")
def test_without_an_amount_the_key_means_the_least() -> None:
    assert bets(after(TABLE, opened(), "raise"))[3] == 400
    flop = after(TABLE, opened(), "call", "call", "call", "check", "deal")
    assert bets(after(TABLE, flop, "bet"))[1] == 200


@pytest.mark.article("C-50")
def test_sixty_seconds_then_ten_then_the_hand_is_folded() -> None:
    state = opened()
    first = TABLE.deadline(state)
    assert first is not None and first[1] == 60
    state = after(TABLE, state, "clock")
    second = TABLE.deadline(state)
    assert second is not None and (second[1], state.clock) == (10, Clock.LAST_SECONDS)
    assert refused(TABLE, state, ClockRan(first[0])) == "wrong_phase"
    state = after(TABLE, state, "clock")
    assert (TABLE.turn(state), state.bets.folded, state.clock) == (4, {3}, Clock.ACTION)
    assert refused(TABLE, state, ClockRan(second[0])) == "wrong_phase"


@pytest.mark.article("C-50")
def test_no_clock_runs_while_cards_are_dealt() -> None:
    assert READ.deadline(opened(READ)) is None
    assert READ.deadlines(opened(READ)) == TABLE.deadlines(opened())[1:]


@pytest.mark.article("C-52", "C-56")
def test_a_declared_action_stands_and_nobody_acts_before_his_turn() -> None:
    state = after(TABLE, opened(), "call")
    assert refused(TABLE, state, KeyPressed(Key.RAISE, 3, 800)) == "not_your_turn"
    assert refused(TABLE, state, KeyPressed(Key.FOLD, 1)) == "not_your_turn"
    assert refused(TABLE, state, KeyPressed(Key.CALL, 9)) == "seat_not_in_hand"


@pytest.mark.article("C-53")
def test_a_raise_without_a_word_is_what_was_put_in() -> None:
    assert bets(after(TABLE, opened(), "raise 730"))[3] == 730


@pytest.mark.article("C-54")
def test_one_oversized_chip_without_a_word_is_a_call() -> None:
    state = after(TABLE, opened(), "call 5000")
    assert (bets(state)[3], TABLE.stack(state, 3)) == (200, 9_800)


@pytest.mark.article("C-55")
def test_too_few_chips_may_only_be_completed_to_a_call() -> None:
    state = after(TABLE, opened(), "call 150")
    assert (TABLE.turn(state), TABLE.stack(state, 3)) == (3, 9_850)
    assert refused(TABLE, state, "raise 800") == "may_not_raise"
    assert refused(TABLE, state, "all_in") == "may_not_raise"
    assert bets(after(TABLE, state, "call"))[3] == 200
    assert TABLE.stack(after(TABLE, state, "fold"), 3) == 9_850


OUT_OF_TURN = [
    ("nobody bets before: it stands as a bet", ["check"], 600, 600, None),
    ("a bet before: the excess goes back", ["bet 400"], 600, 400, None),
    ("just as much: a call", ["bet 600"], 600, 600, None),
    ("a higher bet before: he is asked", ["bet 800"], 600, 0, 2),
]


@pytest.mark.article("C-57")
@pytest.mark.parametrize(("row", "before", "ahead", "bet", "asked"), OUT_OF_TURN)
def test_a_bet_out_of_turn(row: str, before: list[str], ahead: int, bet: int, asked: int | None) -> None:
    flop = after(TABLE, opened(), "call", "call", "call", "check", "deal")
    state = after(TABLE, flop, BetOutOfTurn(2, ahead), *before)
    assert bets(state)[2] == bet
    assert TABLE.turn(state) == (3 if asked is None else asked)


@pytest.mark.article("C-57")
def test_a_bet_out_of_turn_binds_to_call_or_fold() -> None:
    flop = after(TABLE, opened(), "call", "call", "call", "check", "deal")
    state = after(TABLE, flop, BetOutOfTurn(2, 600), "bet 800")
    assert refused(TABLE, state, "raise 2000") == "may_not_raise"
    assert refused(TABLE, state, "all_in") == "may_not_raise"
    assert bets(after(TABLE, state, "call"))[2] == 800
    lost = after(TABLE, state, "fold")
    assert (TABLE.stack(lost, 2), bets(lost)[2]) == (9_200, 600)


@pytest.mark.article("C-57")
@pytest.mark.parametrize(
    ("event", "name"),
    [
        (BetOutOfTurn(1, 600), "wrong_phase"),
        (BetOutOfTurn(9, 600), "seat_not_in_hand"),
        (BetOutOfTurn(2, 20_000), "bet_above_stack"),
        (BetOutOfTurn(2, 0), "bet_wrong_amount"),
    ],
)
def test_bets_out_of_turn_that_are_none(event: BetOutOfTurn, name: str) -> None:
    flop = after(TABLE, opened(), "call", "call", "call", "check", "deal")
    assert refused(TABLE, flop, event) == name


@pytest.mark.article("C-b")
def test_a_short_all_in_gives_no_new_raise() -> None:
    state = after(TABLE, opened(TABLE, 10_000, 10_000, 10_000, 4_600), "raise 4500", "all_in", "call", "fold")
    assert TABLE.turn(state) == 3
    assert refused(TABLE, state, "raise 9000") == "may_not_raise"
    assert after(TABLE, state, "call").phase is Phase.FLOP


@pytest.mark.article("C-58", "C-80", "C-84", "C-86", "C-89")
def test_side_pots_and_a_seat_that_is_all_in_is_not_asked_again() -> None:
    state = after(TABLE, opened(TABLE, 10_000, 10_000, 10_000, 4_000), "raise 6000", "all_in", "call", "call")
    assert [(pot.amount, pot.eligible) for pot in TABLE.pots(state)] == [(16_000, (1, 2, 3, 4)), (6_000, (1, 2, 3))]
    flop = after(TABLE, state, "deal", "check", "check", "check")
    assert flop.phase is Phase.TURN


@pytest.mark.article("C-87")
def test_what_nobody_covers_goes_back_at_once() -> None:
    state = after(TABLE, opened(TABLE, 4_000, 4_000, 10_000, 10_000), "raise 9000", "fold", "all_in", "fold")
    assert (TABLE.stack(state, 3), state.returned) == (6_000, (3, 5_000))
    assert state.phase is Phase.FLOP and state.bets.turn is None


@pytest.mark.article("C-90")
def test_once_nobody_can_bet_the_cards_are_turned_up_and_the_board_runs() -> None:
    state = after(READ, dealt(), "all_in", "call", "call", "call")
    assert state.bets.turn is None
    state = after(READ, state, "read 3c 4h 5h 9c", "read 3d 9d", "read 3h Th")
    assert state.phase is Phase.SHOWDOWN
    over = after(READ, state, "hand_over")
    assert stacks_of(READ, over) == {1: 40_000, 2: 0, 3: 0, 4: 0}


@pytest.mark.article("C-62")
@pytest.mark.parametrize("moment", [0, 2, 5])
def test_cards_of_an_absent_seat_are_collected(moment: int) -> None:
    """The dealer finds that he deals to seat 7 too; whenever he says so, the others' cards are right."""
    read = [f"read {card}" for card in cards("9s As Kd Qh 2c 9d Ac Ks Qd 7d")]
    table = READ
    state = after(table, opened(table), *read[:moment], AbsentSeatDealt(7), *read[moment:])
    assert [box.cards for box in table.boxes(state)] == [cards(pair) for pair in ("As Ac", "Kd Ks", "Qh Qd", "2c 7d")]
    assert (table.turn(state), table.has_ante(state, 7)) == (3, False)


@pytest.mark.article("C-62")
def test_a_seat_that_plays_is_not_absent() -> None:
    assert refused(READ, opened(READ), AbsentSeatDealt(3)) == "already_decided"
    assert refused(READ, opened(READ), AbsentSeatDealt(11)) == "unknown_seat"


@pytest.mark.article("C-63")
def test_a_board_card_shown_before_the_bets_are_over_is_replaced() -> None:
    state = after(READ, dealt(), "call", "read 3c", "call", "call", "check", "read 4c 5c 6c 8c")
    assert (state.cards.at("void"), READ.board(state)) == (cards("3c"), cards("5c 6c 8c"))


@pytest.mark.article("C-64")
def test_the_first_surplus_board_card_is_the_next_burned_one() -> None:
    state = after(READ, dealt(), "call", "call", "call", "check", "read 3c 4c 5c 6c", "read 8c", "read 9c")
    assert (state.cards.at("burn/turn"), state.cards.at("void")) == (cards("8c"), cards("9c"))
    state = after(READ, state, "check", "check", "check", "check", "read Tc")
    assert READ.board(state) == cards("4c 5c 6c Tc")


@pytest.mark.requirement("R113")
@pytest.mark.article("C-61")
def test_a_void_hand_returns_the_bets_and_is_dealt_again() -> None:
    before = seated(READ, *FOUR)
    state = after(READ, before, "close_bets", DEAL, "raise 4000", "call", "call")
    again = READ.next_hand(state)
    assert again == before
    assert after(READ, again, "close_bets").table.positions == state.table.positions


@pytest.mark.article("C-66", "C-69")
def test_mixed_cards_kill_the_hands() -> None:
    state = after(TABLE, opened(), "raise 1000", HandsKilled((3, 1), "mixed"))
    assert (state.bets.folded, TABLE.turn(state), TABLE.stack(state, 3)) == ({1, 3}, 4, 9_000)
    assert refused(TABLE, state, HandsKilled((4,), "")) == "reason_missing"
    assert refused(TABLE, state, HandsKilled((3,), "mixed")) == "seat_not_in_hand"
    assert refused(TABLE, state, HandsKilled((2, 4), "mixed")) == "no_box_in_play"


@pytest.mark.article("C-69")
def test_a_hand_thrown_away_by_the_dealers_misreading_can_be_restored() -> None:
    state = after(READ, dealt(), "call", "call", "fold", "check", "read 3c 4h 5h 9c")
    state = after(READ, state, "check", "check", "check", "read 3d 9d", "check", "check", "check", "read 3h Th")
    state = after(READ, state, "check", "check", HandsKilled((4,), "discarded"))
    assert refused(READ, state, HandRestored(4, "")) == "reason_missing"
    assert 4 in after(READ, state, HandRestored(4, "cards seen by the chief")).bets.live


@pytest.mark.article("C-70")
@pytest.mark.parametrize(
    ("sanction", "folded", "stays"),
    [(Sanction.WARNING, False, True), (Sanction.HAND_DEAD, True, True), (Sanction.PLAYER_OUT, True, False)],
)
def test_sanctions(sanction: Sanction, folded: bool, stays: bool) -> None:
    state = after(TABLE, seated(TABLE, *FOUR, 10_000), "close_bets", Sanctioned(3, sanction, "asked for advice"))
    assert (3 in state.bets.folded, state.sanctions) == (folded, ((3, sanction.value, "asked for advice"),))
    while TABLE.turn(state) not in (None, 2):
        state = after(TABLE, state, "fold")
    state = after(TABLE, state, "hand_over", "next")
    assert (state.table.player(3) is not None) == stays


@pytest.mark.article("C-70")
def test_a_sanction_has_a_reason_and_a_player() -> None:
    assert refused(TABLE, opened(), Sanctioned(3, Sanction.WARNING, "")) == "reason_missing"
    assert refused(TABLE, opened(), Sanctioned(9, Sanction.WARNING, "told")) == "seat_free"


def river(table: HoldemCircle, *script: str) -> CircleState:
    state = after(table, dealt(table), "call", "call", "call", "check", "read 3c 4h 5h 9c")
    state = after(table, state, "check", "check", "check", "check", "read 3d 9d", "check", "check", "check", "check")
    return after(table, state, "read 3h Th", *script)


@pytest.mark.article("C-71")
@pytest.mark.parametrize(
    ("row", "script", "order"),
    [
        ("no bet: first active left of the button", ["check"] * 4, (1, 2, 3, 4)),
        ("the last to bet", ["check", "bet 400", "call", "call", "fold"], (2, 3, 4)),
        ("the last to raise", ["bet 400", "call", "raise 900", "fold", "call", "call"], (3, 1, 2)),
    ],
)
def test_who_shows_first(row: str, script: list[str], order: tuple[int, ...]) -> None:
    assert show_order(river(READ, *script).bets) == order


@pytest.mark.article("C-2", "C-71", "C-73", "C-74", "C-92")
def test_the_cards_speak_and_who_does_not_show_does_not_win() -> None:
    state = river(READ, *["check"] * 4)
    over = after(READ, state, "hand_over")
    assert {row.seat: (row.net, row.reason) for row in READ.settlement(over)} == {
        1: (600, "two_pair"),
        2: (-200, "lost"),
        3: (-200, "lost"),
        4: (-200, "lost"),
    }
    over = after(READ, state, "fold 1", "hand_over")
    assert {row.seat: row.net for row in READ.settlement(over)} == {1: -200, 2: 600, 3: -200, 4: -200}
    alone = after(READ, state, "fold 1", "fold 2", "fold 3")
    assert refused(READ, alone, "fold 4") == "no_box_in_play"


@pytest.mark.article("C-72", "C-81", "C-94")
def test_without_a_reader_people_tell_the_showdown() -> None:
    state = after(TABLE, opened(), "call", "call", "call", "check")
    for _ in range(3):
        state = after(TABLE, state, "deal", "check", "check", "check", "check")
    assert refused(TABLE, state, "hand_over") == "cards_missing"
    assert refused(TABLE, state, ShowdownTold(((1, 2), (3,)))) == "seat_not_in_hand"
    over = after(TABLE, state, ShowdownTold(((1, 2), (3, 4))), "hand_over")
    assert stacks_of(TABLE, over) == {1: 10_200, 2: 10_200, 3: 9_800, 4: 9_800}


@pytest.mark.article("C-72")
def test_cards_can_be_entered_and_corrected() -> None:
    state = after(TABLE, opened(), "fold", "fold", "call", "check", "deal", "check", "check", "deal")
    state = after(TABLE, state, "check", "check", "deal", "check", "check")
    state = after(TABLE, state, CardsEntered("board", cards("3c 4c 5c 9h Td")))
    state = after(TABLE, state, CardsEntered("seat-1", cards("As Ad")), CardsEntered("seat-2", cards("Ks Kd")))
    state = after(TABLE, state, CardCorrected("seat-2", cards("Kd")[0], cards("3h")[0]), "hand_over")
    assert stacks_of(TABLE, state)[1] == 10_200
    assert refused(TABLE, opened(), CardsEntered("seat-9", cards("As Ad"))) == "seat_not_in_hand"
    assert refused(TABLE, opened(), CardsEntered("board", cards("As Ad Ac"))) == "wrong_phase"


@pytest.mark.article("C-5", "C-95", "C-96", "C-a", "C-f")
@pytest.mark.parametrize(("without_flop", "won"), [(True, 10_100), (False, 10_110)])
def test_rake_of_a_hand_that_ends_before_the_flop(without_flop: bool, won: int) -> None:
    """Small and big blind are the pot but for the big blind's uncovered half: 5 % of 200 is 10."""
    table = game(rake=RakeTerms(500, 10, without_flop))
    state = after(table, opened(table), "fold", "fold", "fold", "hand_over")
    assert stacks_of(table, state)[2] == won - 10


@pytest.mark.article("C-g")
def test_jackpot_cards_of_a_circle_table() -> None:
    state = river(READ, *["check"] * 4)
    assert READ.jackpot_cards(state, 1) == cards("As Ac 4h 5h 9c 9d Th")
    assert reading(hole_and_flop=True).jackpot_cards(state, 1) == cards("As Ac 4h 5h 9c")
    folded = river(READ, "check", "check", "bet", "fold", "fold")
    assert (READ.jackpot_cards(folded, 1), READ.lost_jackpot(folded, 1), READ.magic_cards(folded, 1)) == (
        None,
        True,
        (),
    )
    assert READ.magic_cards(folded, 3) == cards("Qh Qd")
    keeping = reading(folded_box_keeps_jackpot=True)
    assert keeping.jackpot_cards(folded, 1) == cards("As Ac 4h 5h 9c 9d Th")
    preflop = dealt()
    assert (READ.jackpot_cards(preflop, 1), READ.lost_jackpot(preflop, 1)) == (None, False)


def test_chips_stay_the_same_through_a_hand() -> None:
    state: Any = seated(READ, *FOUR)
    for line in (
        "close_bets",
        DEAL,
        "raise 900",
        "fold",
        "call",
        "call",
        "read 3c 4h 5h 9c",
        "bet 700",
        "call",
        "fold",
    ):
        state = after(READ, state, line)
        assert chips(READ, state) == 40_000, line


def test_what_each_seat_did_last_is_known_for_the_screen() -> None:
    state = after(TABLE, opened(), "raise 900", "fold", "call")
    assert dict(state.bets.last) == {3: Action.RAISE, 4: Action.FOLD, 1: Action.CALL}
