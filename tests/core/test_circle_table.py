"""A circle table between hands: seats, newcomers, rests, button and blinds, the end of the game."""

from dataclasses import replace

import pytest

from controller.core.circle_events import (
    GameOpened,
    PlayerLeft,
    PlayerRested,
    PlayerReturned,
    PlayerSeated,
    Sanction,
    Sanctioned,
    SeatsDrawn,
    StackCounted,
)
from controller.core.events import ClockRan
from controller.core.games.circle_state import CircleState
from controller.core.games.circle_table import CircleSettings
from controller.core.games.holdem_circle import HoldemCircle
from controller.core.refusal import Refused
from tests.core.circle_play import after, game, refused, seated, stacks_of
from tests.core.circle_tables import TABLE, at_seats, folded, placed


def hands(table: HoldemCircle, state: CircleState, number: int) -> CircleState:
    for _ in range(number):
        state = folded(table, state)
    return state


@pytest.mark.article("C-4", "C-16")
def test_four_players_at_least() -> None:
    assert refused(TABLE, at_seats(TABLE, 1, 2, 3), "close_bets") == "too_few_players"
    assert placed(after(TABLE, at_seats(TABLE, 1, 2, 3, 4), "close_bets")) == (4, 1, 2)


@pytest.mark.article("C-18")
def test_seats_are_drawn_before_the_game_and_recorded() -> None:
    drawn = SeatsDrawn(("Ana", "Luis", "Eva", "Raúl"), (7, 2, 10, 5))
    state = after(TABLE, TABLE.first_hand(), drawn)
    assert state.table.drawn == (("Ana", 7), ("Luis", 2), ("Eva", 10), ("Raúl", 5))
    assert refused(TABLE, state, PlayerSeated(1, 4_000)) == "seat_not_drawn"
    state = after(TABLE, state, *(PlayerSeated(seat, 4_000) for seat in (7, 2, 10, 5)))
    assert refused(TABLE, state, drawn) == "seat_taken"


@pytest.mark.article("C-18")
@pytest.mark.parametrize("seats", [(1, 1), (1, 11), (1,)])
def test_draws_that_cannot_be(seats: tuple[int, ...]) -> None:
    assert refused(TABLE, TABLE.first_hand(), SeatsDrawn(("Ana", "Luis"), seats)) == "unknown_seat"


@pytest.mark.article("C-12", "C-21", "C-41", "C-42", "C-43")
def test_the_button_starts_at_the_highest_seat_and_goes_round() -> None:
    state = at_seats(TABLE, 2, 3, 5, 8, 9)
    seen = []
    for _ in range(6):
        state = folded(TABLE, state)
        seen.append(placed(state))
    assert seen == [(9, 2, 3), (2, 3, 5), (3, 5, 8), (5, 8, 9), (8, 9, 2), (9, 2, 3)]


@pytest.mark.article("C-34", "C-35", "C-36", "C-77", "C-78", "C-79", "C-d")
@pytest.mark.parametrize(
    ("row", "gone", "expected"),
    [
        ("nobody", (), (1, 2, 3)),
        ("who should have the button", (1,), (6, 2, 3)),
        ("who owes the small blind", (2,), (1, None, 3)),
        ("both", (1, 2), (6, None, 3)),
        ("who owes the big blind", (3,), (1, 2, 4)),
        ("who had the button", (6,), (1, 2, 3)),
    ],
)
def test_who_leaves_makes_button_or_blind_dead(
    row: str, gone: tuple[int, ...], expected: tuple[int, int | None, int]
) -> None:
    state = folded(TABLE, at_seats(TABLE, 1, 2, 3, 4, 5, 6))
    state = after(TABLE, state, *(PlayerLeft(seat) for seat in gone))
    assert placed(after(TABLE, state, "close_bets")) == expected


@pytest.mark.article("C-34")
def test_nobody_leaves_in_a_hand() -> None:
    state = after(TABLE, at_seats(TABLE, 1, 2, 3, 4), "close_bets")
    assert refused(TABLE, state, PlayerLeft(3)) == "wrong_phase"
    assert refused(TABLE, TABLE.first_hand(), PlayerLeft(3)) == "seat_free"


@pytest.mark.article("C-22")
def test_a_newcomer_sits_nearest_to_the_big_blind() -> None:
    state = folded(TABLE, at_seats(TABLE, 1, 2, 3, 6))
    assert placed(state) == (6, 1, 2)
    assert refused(TABLE, state, PlayerSeated(8)) == "seat_not_nearest"
    assert after(TABLE, state, PlayerSeated(4)).table.player(4) is not None


@pytest.mark.article("C-23")
def test_between_button_and_small_blind_he_waits_and_the_button_passes_him() -> None:
    """Button 4, blinds 6 and 7; only seat 5 is free of those before it, so he waits until the button has gone by."""
    table = game(seats=(1, 2, 3, 4, 5, 6, 7))
    state = at_seats(table, 1, 2, 3, 4, 6, 7)
    while placed(state := folded(table, state)) != (4, 6, 7):
        pass
    state = after(table, state, PlayerSeated(5, 10_000 if state.table.hands < state.table.orbit else None))
    assert (placed(folded(table, state)), table.has_ante(state, 5)) == ((6, 7, 1), True)
    state = after(table, state, "close_bets")
    assert table.has_ante(state, 5) and placed(state) == (6, 7, 1)


@pytest.mark.article("C-23")
def test_a_newcomer_between_the_blinds_waits_two_hands_and_gets_no_button() -> None:
    table = game(seats=(1, 2, 3, 4, 5, 6))
    state = at_seats(table, 1, 2, 4, 5, 6)
    state = hands(table, state, 2)
    assert placed(state) == (1, 2, 4)
    state = after(table, state, PlayerSeated(3, None if state.table.hands >= state.table.orbit else 10_000))
    seen = []
    for _ in range(4):
        state = after(table, state, "close_bets")
        seen.append((placed(state), table.has_ante(state, 3)))
        while table.turn(state) is not None:
            state = after(table, state, "fold")
        state = after(table, state, "hand_over", "next")
    assert seen == [((2, 4, 5), False), ((4, 5, 6), True), ((5, 6, 1), True), ((6, 1, 2), True)]


@pytest.mark.article("C-24")
def test_at_the_big_blind_he_plays_and_posts_it() -> None:
    state = folded(TABLE, at_seats(TABLE, 1, 2, 4, 5))
    assert placed(state) == (5, 1, 2)
    state = after(TABLE, state, PlayerSeated(3), "close_bets")
    assert (placed(state), state.bets.in_street[3]) == ((1, 2, 3), 200)


@pytest.mark.article("C-25")
def test_a_newcomer_brings_the_minimum_and_after_an_orbit_the_others_average() -> None:
    state = folded(TABLE, at_seats(TABLE, 1, 2, 3, 4))
    assert refused(TABLE, state, PlayerSeated(5, 3_990)) == "buy_below_minimum"
    assert stacks_of(TABLE, after(TABLE, state, PlayerSeated(5)))[5] == 4_000
    state = hands(TABLE, state, 3)
    state = after(TABLE, state, StackCounted(1, 16_000, "bought drinks"))
    average = sum(stacks_of(TABLE, state).values()) // 4 // 10 * 10
    nearest = placed(state)[2] + 1 if placed(state)[2] == 4 else 5
    assert refused(TABLE, state, PlayerSeated(nearest, 4_000)) == "buy_wrong_amount"
    assert stacks_of(TABLE, after(TABLE, state, PlayerSeated(nearest)))[nearest] == average


@pytest.mark.article("C-25", "C-7")
def test_a_newcomer_brings_no_more_than_the_game_lets_a_player_buy() -> None:
    """The others have won more chips than anybody may buy: he brings the most that is allowed."""
    table = game(buy_total_maximum=12_000)
    state = hands(table, at_seats(table, 1, 2, 3, 4, 5), 6)
    state = after(table, state, StackCounted(1, 60_000, "counted"))
    free = [seat for seat in range(1, 11) if state.table.player(seat) is None]
    seat = next(one for one in free if not isinstance(table.step(state, PlayerSeated(one)), Refused))
    assert stacks_of(table, after(table, state, PlayerSeated(seat)))[seat] == 12_000
    assert stacks_of(table, after(table, state, PlayerSeated(seat, 12_000)))[seat] == 12_000
    assert refused(table, state, PlayerSeated(seat, 4_000)) == "buy_wrong_amount"
    assert refused(table, state, PlayerSeated(seat, 12_010)) == "buy_wrong_amount"


@pytest.mark.article("C-37")
def test_a_rest_of_two_hands_without_cards() -> None:
    state = after(TABLE, folded(TABLE, at_seats(TABLE, 1, 2, 3, 4, 5, 6)), PlayerRested(6))
    state = after(TABLE, state, "close_bets")
    assert (state.dealt, TABLE.has_ante(state, 6)) == ((2, 3, 4, 5, 1), False)
    assert refused(TABLE, state, PlayerRested(6)) == "already_decided"
    assert refused(TABLE, state, PlayerRested(9)) == "seat_free"


@pytest.mark.article("C-38")
def test_beyond_two_hands_he_is_dealt_cards_that_are_folded_at_once() -> None:
    state = after(TABLE, folded(TABLE, at_seats(TABLE, 1, 2, 3, 4, 5, 6)), PlayerRested(6))
    dealt = []
    for _ in range(3):
        state = after(TABLE, state, "close_bets")
        dealt.append(6 in state.dealt)
        while TABLE.turn(state) is not None:
            state = after(TABLE, state, "fold")
        state = after(TABLE, state, "hand_over", "next")
    assert (dealt, state.table.player(6)) == ([False, False, True], replace(state.table.players[-1], missed=0))


@pytest.mark.article("C-38")
def test_at_the_minimum_of_players_a_rest_is_dealt_in_and_folded() -> None:
    state = after(TABLE, folded(TABLE, at_seats(TABLE, 1, 2, 3, 4)), PlayerRested(4), "close_bets")
    assert (state.dealt, sorted(state.bets.stacks)) == ((2, 3, 4, 1), [1, 2, 3])


@pytest.mark.article("C-38", "C-c")
def test_missed_blinds_go_into_the_pot_on_return() -> None:
    """Seat 2 rests through the hand of its big blind and that of its small blind."""
    table = game()
    state = after(table, at_seats(table, 1, 2, 3, 4, 5), PlayerRested(2), "close_bets")
    assert (placed(state), state.bets.in_street, state.bets.highest) == ((5, 1, 2), {1: 100, 3: 0, 4: 0, 5: 0}, 200)
    assert 2 in state.dealt
    state = after(table, state, "fold", "fold", "fold", "hand_over", "next")
    state = folded(table, state)
    player = state.table.player(2)
    assert player is not None and (player.missed, player.stack) == (300, 10_000)
    state = after(table, state, PlayerReturned(2), "close_bets")
    assert (state.dead, table.stack(state, 2), table.pots(state)[0].amount) == (300, 9_700, 300)
    state = after(table, state, "fold", "fold", "fold", "fold", "hand_over")
    assert state.payout is not None and state.payout.pots[0].amount == 300 + 200


@pytest.mark.article("C-14", "C-15", "C-26")
def test_when_the_time_is_over_the_hand_is_finished_and_one_more_played() -> None:
    table = game(duration_minutes=60)
    state = after(table, at_seats(table, 1, 2, 3, 4), "close_bets")
    for minute in range(1, 61):
        assert f"1/minute/{minute}" in [each.id for each in table.deadlines(state)]
        state = after(table, state, ClockRan(f"1/minute/{minute}"))
    assert (state.table.minutes, state.table.hands_left) == (60, 2)
    assert "minute" not in str(table.deadlines(state))
    state = after(table, state, "fold", "fold", "fold", "hand_over", "next")
    assert state.table.hands_left == 1
    state = folded(table, state)
    assert (state.table.ended, refused(table, state, "close_bets")) == ("time", "game_ended")


@pytest.mark.article("C-15")
def test_time_that_ends_between_hands_leaves_one_hand() -> None:
    table = game(duration_minutes=60)
    state = folded(table, at_seats(table, 1, 2, 3, 4))
    for minute in range(1, 61):
        state = after(table, state, ClockRan(f"1/minute/{minute}"))
    assert folded(table, state).table.ended == "time"


@pytest.mark.article("C-15", "C-61")
def test_a_void_hand_is_not_the_one_more() -> None:
    table = game(duration_minutes=60)
    state = folded(table, at_seats(table, 1, 2, 3, 4))
    for minute in range(1, 61):
        state = after(table, state, ClockRan(f"1/minute/{minute}"))
    state = table.next_hand(after(table, state, "close_bets", "fold"))
    assert state.table.hands_left == 1
    assert folded(table, state).table.ended == "time"


@pytest.mark.article("C-26")
def test_the_game_ends_when_three_remain() -> None:
    state = after(TABLE, folded(TABLE, at_seats(TABLE, 1, 2, 3, 4)), PlayerLeft(3))
    assert state.table.ended == "players"
    assert refused(TABLE, state, PlayerSeated(5)) == "game_ended"


@pytest.mark.article("C-27", "C-28")
def test_those_present_may_go_on_in_the_next_game() -> None:
    state = folded(TABLE, at_seats(TABLE, 1, 2, 3, 4))
    assert refused(TABLE, state, GameOpened()) == "game_in_course"
    state = after(TABLE, state, PlayerLeft(3), GameOpened(), PlayerSeated(9))
    assert (state.table.game, state.table.ended, state.table.minutes) == (2, "", 0)
    assert placed(after(TABLE, state, "close_bets")) == (9, 1, 2)


@pytest.mark.article("C-70")
def test_an_expelled_player_leaves_at_once_between_hands() -> None:
    state = folded(TABLE, at_seats(TABLE, 1, 2, 3, 4, 5))
    assert refused(TABLE, state, Sanctioned(3, Sanction.HAND_DEAD, "told")) == "seat_not_in_hand"
    state = after(TABLE, state, Sanctioned(3, Sanction.WARNING, "told"), Sanctioned(3, Sanction.PLAYER_OUT, "again"))
    assert state.table.player(3) is None


@pytest.mark.article("C-g")
def test_who_will_be_dealt_in_may_bet_on_the_jackpot() -> None:
    three = at_seats(TABLE, 1, 2, 3)
    assert not TABLE.has_ante(three, 1)
    four = after(TABLE, three, PlayerSeated(4))
    assert [seat for seat in range(1, 11) if TABLE.has_ante(four, seat)] == [1, 2, 3, 4]


def test_ten_places() -> None:
    settings: CircleSettings = TABLE.settings
    assert settings.places == 10
    assert stacks_of(TABLE, seated(TABLE, *[4_000] * 10)) == dict.fromkeys(range(1, 11), 4_000)
