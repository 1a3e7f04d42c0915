"""A circle hand in which dealers or players err with cards, or a chief decides: article 61 to 70."""

import pytest

from controller.core.circle_events import AbsentSeatDealt, HandRestored, HandsKilled, Sanction, Sanctioned
from tests.core.circle_hands import DEAL, FOUR, READ, TABLE, dealt, opened
from tests.core.circle_play import after, refused, seated
from tests.core.sessions import cards


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


@pytest.mark.article("C-63")
def test_after_a_bet_of_the_round_a_card_shown_early_is_void_and_not_the_next_burned_one() -> None:
    flop = after(READ, dealt(), "call", "call", "call", "check", "read 3c 4c 5c 6c")
    state = after(READ, flop, "check", "read 8c", "check", "check", "check", "read 9c Tc")
    assert (state.cards.at("void"), state.cards.at("burn/turn")) == (cards("8c"), cards("9c"))
    assert READ.board(state) == cards("4c 5c 6c Tc")


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
