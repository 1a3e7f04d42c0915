"""A circle hand through its events: the streets, the bets, both clocks, what players do wrong with chips."""

import pytest

from controller.core.circle_events import BetOutOfTurn
from controller.core.events import ClockRan, Key, KeyPressed
from controller.core.games.circle_betting import Action
from controller.core.games.circle_state import Clock, Phase
from controller.core.games.game import Stage
from tests.core.circle_hands import DEAL, READ, TABLE, bets, dealt, opened
from tests.core.circle_play import after, refused
from tests.core.sessions import cards


@pytest.mark.article("C-41", "C-42", "C-44", "C-49")
def test_blinds_are_owed_from_the_deal_on() -> None:
    """Whether or not the chips lie there when the cards come: the table counts them as bet."""
    state = opened(READ)
    assert bets(state) == {1: 100, 2: 200, 3: 0, 4: 0}
    assert (state.phase, state.dealt) == (Phase.DEAL, (1, 2, 3, 4))
    assert READ.turn(after(READ, state, DEAL)) == 3


@pytest.mark.article("C-58")
def test_unequal_blinds_make_no_side_pot() -> None:
    """Nobody is all-in: while the cards are dealt they lie before their players, as any bet of a street in course."""
    state = opened(READ)
    assert READ.pots(state) == READ.pots(after(READ, state, DEAL)) == ()
    flop = after(READ, dealt(), "call", "call", "call", "check")
    assert [(pot.amount, pot.eligible) for pot in READ.pots(flop)] == [(800, (1, 2, 3, 4))]


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
    ("below a big blind: no bet, it goes back", ["check"], 199, 0, None),
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


def test_what_each_seat_did_last_is_known_for_the_screen() -> None:
    state = after(TABLE, opened(), "raise 900", "fold", "call")
    assert dict(state.bets.last) == {3: Action.RAISE, 4: Action.FOLD, 1: Action.CALL}
