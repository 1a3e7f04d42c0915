"""The end of a circle hand: all-ins, who shows, the cards speak, rake, what the jackpot sees."""

from typing import Any

import pytest

from controller.core.circle_events import HandsKilled, ShowdownTold
from controller.core.events import CardCorrected, CardsEntered
from controller.core.games.circle_showdown import RakeTerms, show_order
from controller.core.games.circle_state import CircleState, Phase
from controller.core.games.holdem_circle import HoldemCircle
from tests.core.circle_hands import DEAL, FOUR, READ, TABLE, dealt, opened
from tests.core.circle_play import after, chips, game, reading, refused, seated, stacks_of
from tests.core.sessions import cards


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


@pytest.mark.article("C-71")
def test_a_bet_of_an_earlier_round_shows_nobody_first() -> None:
    """What counts is the last bet of the fourth round; without one the first active seat left of the button shows."""
    flop = after(READ, dealt(READ), "call", "call", "call", "check", "read 3c 4h 5h 9c")
    state = after(READ, flop, "check", "check", "bet 400", "call", "fold", "call")
    state = after(READ, state, "read 3d 9d", *["check"] * 3, "read 3h Th", *["check"] * 3)
    assert show_order(state.bets) == (2, 3, 4)


@pytest.mark.article("C-66", "C-71")
def test_a_dead_hand_shows_nothing_though_it_bet_last() -> None:
    state = river(READ, "check", "bet 400", "call", "call", "call")
    assert show_order(after(READ, state, HandsKilled((2,), "mixed with the discard")).bets) == (1, 3, 4)


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
