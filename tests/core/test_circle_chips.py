"""Chips at a circle table between hands: purchases, rebuys, who has lost all, what is counted."""

from dataclasses import replace

import pytest

from controller.core.circle_events import GameOpened, PlayerLeft, PlayerSeated, Rebought, StackCounted
from controller.core.events import GameEvent
from controller.core.games.circle_state import CircleState
from controller.core.games.circle_table import Player
from controller.core.games.holdem_circle import HoldemCircle
from tests.core.circle_play import after, game, reading, refused, stacks_of
from tests.core.circle_tables import TABLE, at_seats, folded, placed


@pytest.mark.article("C-7", "C-19")
def test_minimum_and_maximum_of_a_purchase() -> None:
    table = game(buy_total_maximum=6_000)
    state = table.first_hand()
    assert refused(table, state, PlayerSeated(1, 3_999)) == "buy_below_minimum"
    assert refused(table, state, PlayerSeated(1, 6_001)) == "buy_above_maximum"
    assert stacks_of(table, after(table, state, PlayerSeated(1))) == {1: 4_000}
    assert refused(table, after(table, state, PlayerSeated(1)), PlayerSeated(1)) == "seat_taken"
    assert refused(table, state, PlayerSeated(11)) == "unknown_seat"


@pytest.mark.article("C-29", "C-30", "C-31", "C-33", "C-91")
def test_rebuys() -> None:
    table = game(buy_total_maximum=14_000)
    state = at_seats(table, 1, 2, 3, 4)
    assert refused(table, state, Rebought(1, 1_999)) == "buy_below_minimum"
    assert refused(table, state, Rebought(1, 4_001)) == "buy_above_maximum"
    assert refused(table, state, Rebought(9, 4_000)) == "seat_free"
    state = after(table, state, Rebought(1, 2_500))
    assert (stacks_of(table, state)[1], state.table.rebought) == (12_500, ((1, 2_500),))
    state = after(table, state, "close_bets")
    assert state.table.rebought == ()
    state = after(table, state, Rebought(3, 2_000))
    assert (stacks_of(table, state)[3], state.table.rebought) == (10_000, ((3, 2_000),))
    state = after(table, state, "fold", "fold", "fold", "hand_over", "next")
    assert stacks_of(table, state)[3] == 12_000


@pytest.mark.article("C-31", "C-61")
def test_a_rebuy_told_in_a_hand_that_is_void_is_kept() -> None:
    state = after(TABLE, at_seats(TABLE, 1, 2, 3, 4), "close_bets", "raise 900", Rebought(3, 2_000))
    assert stacks_of(TABLE, TABLE.next_hand(state))[3] == 12_000


def lost_all(table: HoldemCircle) -> CircleState:
    """Five players; seat 3 loses all to seat 1, who holds aces."""
    state = after(table, at_seats(table, 1, 2, 3, 4, 5), "close_bets", "read As Kd Qh 2h 3h Ac Ks Qd 7d 8d")
    state = after(table, state, "all_in", "fold", "fold", "call", "fold")
    return after(table, state, "read 2c 3c 4d 5d", "read 6h 9s", "read 7h Ts", "hand_over", "next")


@pytest.mark.article("C-32", "C-76", "C-88")
def test_who_lost_all_stays_until_he_rebuys_or_goes() -> None:
    table = reading()
    state = lost_all(table)
    assert stacks_of(table, state)[3] == 0
    assert not table.has_ante(state, 3)
    assert table.has_ante(after(table, state, Rebought(3, 2_000)), 3)


@pytest.mark.article("C-76")
def test_who_may_buy_no_more_is_eliminated_and_his_blind_is_dead() -> None:
    table = reading(buy_total_maximum=10_500)
    state = lost_all(table)
    assert (state.table.player(3), state.table.ended) == (None, "")
    assert placed(after(table, state, "close_bets")) == (1, 2, 4)
    just_enough = lost_all(reading(buy_total_maximum=12_000)).table.player(3)
    assert just_enough is not None, "he may still buy the least there is"


LOST = "all of it lost"


@pytest.mark.article("C-23", "C-31", "C-32", "C-88")
@pytest.mark.parametrize(
    ("row", "in_hand", "between"),
    [
        ("bought between hands", (), (Rebought(1, 4_000),)),
        ("bought while the others played", (Rebought(1, 4_000),), ()),
        ("counted anew", (), (StackCounted(1, 4_000, "found under the cards"),)),
    ],
)
def test_who_has_chips_again_between_button_and_blinds_waits_for_the_button_to_pass(
    row: str, in_hand: tuple[GameEvent, ...], between: tuple[GameEvent, ...]
) -> None:
    state = after(TABLE, folded(TABLE, at_seats(TABLE, 1, 2, 3, 4, 5, 6)), StackCounted(1, 0, LOST), "close_bets")
    state = after(TABLE, state, *in_hand, "fold", "fold", "fold", "fold", "hand_over", "next")
    assert placed(state) == (6, 2, 3)
    state = after(TABLE, state, StackCounted(2, 0, LOST), *between)
    assert stacks_of(TABLE, state)[1] == 4_000
    assert not TABLE.has_ante(state, 1)
    state = after(TABLE, state, "close_bets")
    assert (placed(state), state.dealt) == ((6, 3, 4), (3, 4, 5, 6))
    state = after(TABLE, state, "fold", "fold", "fold", "hand_over", "next")
    assert TABLE.has_ante(state, 1)


@pytest.mark.article("C-28", "C-29")
def test_what_a_player_takes_along_is_his_purchase_in_the_next_game_and_he_owes_nothing() -> None:
    table = game(buy_total_maximum=14_000)
    ended = after(table, folded(table, at_seats(table, 1, 2, 3, 4)), PlayerLeft(3))
    rested = replace(ended.table.players[0], missed=300, rests=2)
    state = after(table, replace(ended, table=ended.table.with_player(rested)), GameOpened())
    stack = stacks_of(table, state)[1]
    assert state.table.player(1) == Player(1, stack, stack)
    assert refused(table, state, Rebought(1, 14_001 - stack)) == "buy_above_maximum"
    assert stacks_of(table, after(table, state, Rebought(1, 14_000 - stack)))[1] == 14_000


def test_a_counted_stack_has_a_reason() -> None:
    state = at_seats(TABLE, 1, 2, 3, 4)
    assert refused(TABLE, state, StackCounted(1, 9_000, "")) == "reason_missing"
    assert refused(TABLE, state, StackCounted(9, 9_000, "seen")) == "seat_free"
    assert refused(TABLE, state, StackCounted(1, -1, "seen")) == "buy_wrong_amount"
