"""What a circle table's screen shows: seats, button, blinds, pots, bets, clocks, the draw of seats and the end."""

from typing import Any

import pytest

from controller.adapters.screens.scene_table import Moment, TableFace, table_scene
from controller.config.table import Table
from controller.core.circle_events import PlayerRested, PlayerSeated, Rebought, StackCounted
from controller.core.events import ClockRan, HandVoided, Key, KeyPressed, VoidReason
from controller.core.games.circle_showdown import RakeTerms
from display import scene as show
from tests.engine.circle_pit import CirclePit

DEAL = "As 9d Qh 2c Ac 9h Qd 7d"


def scene(pit: CirclePit, now_ms: int = 1_000, **since_ms: int) -> show.TableScreen:
    circle = {"blinds": {"small": 100, "big": 200}, "buy_in_minimum": 4_000, "rebuy_minimum": 2_000}
    fields: dict[str, Any] = {"id": "t3", "name": "Mesa 3", "game": "holdem-circle", "seats": 10, "circle": circle}
    face = TableFace(Table.model_validate(fields), pit.settings, show.Currency(), "Gran Carrusel", "3")
    return table_scene(face, pit.state, Moment(0, mono_ms=now_ms, since_ms=since_ms))


def part(pit: CirclePit) -> show.Circle:
    shown = scene(pit).circle
    assert shown is not None
    return shown


def seat(pit: CirclePit, number: int) -> show.Seat:
    return next(each for each in scene(pit).seats if each.number == number)


@pytest.mark.article("C-8", "C-83")
def test_between_hands_players_sit_with_their_chips() -> None:
    pit = CirclePit()
    shown = scene(pit)
    assert (part(pit).small_blind_amount.minor, part(pit).big_blind_amount.minor) == ("100", "200")
    assert isinstance(shown.stage, show.Bets)
    assert [(each.number, each.stack and each.stack.minor) for each in shown.seats if each.stack] == [
        (1, "10000"),
        (2, "10000"),
        (3, "10000"),
        (4, "10000"),
    ]
    assert {each.state for each in shown.seats if each.number > 4} == {show.SeatState.FREE}
    assert (part(pit).button, part(pit).game_remaining_ms, shown.maximum, shown.minimum.minor) == (
        None,
        None,
        None,
        "200",
    )


@pytest.mark.article("C-58", "C-44")
def test_bets_lie_before_the_players_until_the_round_is_over() -> None:
    pit = CirclePit()
    pit.close()
    assert (part(pit).button, part(pit).small_blind, part(pit).big_blind) == (4, 1, 2)
    pit.read(DEAL)
    shown = scene(pit)
    assert shown.phase is not None and shown.phase.current is show.Phase.PREFLOP
    pit.keys("raise", "fold")
    assert (seat(pit, 3).action, seat(pit, 3).bet) == (show.SeatAction.RAISE, show.Amount.of(400))
    assert (seat(pit, 4).state, seat(pit, 4).action) == (show.SeatState.FOLDED, show.SeatAction.FOLD)
    assert (seat(pit, 1).deciding, seat(pit, 1).bet, part(pit).pots) == (True, show.Amount.of(100), ())
    pit.keys("call", "fold")
    assert part(pit).pots == (show.Pot(0, show.Amount.of(1_000), (1, 3)),)
    assert {each.bet for each in scene(pit).seats} == {None}
    pit.read("3c 9s 9c Kd")
    assert scene(pit).board == ("9s", "9c", "Kd")


@pytest.mark.article("C-50")
def test_both_clocks_are_shown() -> None:
    pit = CirclePit()
    pit.close()
    pit.read(DEAL)
    id, _ = pit.settings.game.deadline(pit.state.hand.game) or ("", 0)
    shown = scene(pit, 21_000, **{id: 1_000}).circle
    assert shown is not None
    assert shown.clock == show.ActionClock(3, show.ClockPhase.ACTION, 40_000, 60_000, show.Amount.of(200))
    pit.told(ClockRan(id))
    assert part(pit).clock == show.ActionClock(3, show.ClockPhase.LAST_SECONDS, 10_000, 10_000, show.Amount.of(200))


@pytest.mark.article("C-14", "C-15")
def test_the_time_of_the_game_and_the_last_hand() -> None:
    pit = CirclePit(duration_minutes=60)
    pit.close()
    assert part(pit).game_remaining_ms == 3_600_000
    shown = scene(pit, 31_000, **{"1/minute/1": 1_000}).circle
    assert shown is not None and shown.game_remaining_ms == 3_570_000
    for minute in range(1, 61):
        pit.told(ClockRan(f"1/minute/{minute}"))
    assert (part(pit).game_remaining_ms, part(pit).last_hand) == (0, False)
    pit.read(DEAL)
    pit.keys("fold", "fold", "fold", "hand_over")
    assert part(pit).last_hand
    assert show.NoticeCode.LAST_HAND in [notice.code for notice in scene(pit).notices]
    pit.close()
    pit.read(DEAL)
    pit.keys("fold", "fold", "fold", "hand_over")
    assert isinstance(scene(pit).stage, show.GameEnded)
    assert part(pit).game_remaining_ms is None


@pytest.mark.article("C-33")
def test_rebuys_are_announced() -> None:
    pit = CirclePit()
    pit.told(Rebought(3, 2_000))
    assert show.Notice(show.NoticeCode.REBUY, (3,), show.Amount.of(2_000)) in scene(pit).notices


@pytest.mark.article("C-18")
def test_the_draw_of_seats_is_shown_until_somebody_sits() -> None:
    pit = CirclePit()
    first, second = pit.draw_seats("Ana", "Luis")
    assert scene(pit).stage == show.SeatDraw((show.SeatDrawRow(1, first), show.SeatDrawRow(2, second)))
    pit.told(PlayerSeated(first))
    assert isinstance(scene(pit).stage, show.Bets)


@pytest.mark.article("C-37", "C-22", "C-76")
def test_states_of_seats() -> None:
    pit = CirclePit()
    pit.told(PlayerSeated(5, 10_000))
    pit.told(PlayerRested(4))
    assert seat(pit, 4).state is show.SeatState.RESTING
    pit.close()
    pit.told(KeyPressed(Key.VOID))
    assert seat(pit, 5).state is show.SeatState.PLAYING
    assert seat(pit, 4).state is show.SeatState.RESTING


def pay(pit: CirclePit) -> None:
    """Seat 2 goes all-in with 600, 3 and 1 play on; three of a kind and pairs on the board."""
    pit.told(StackCounted(2, 600, "counted"), second="berta")
    pit.close()
    pit.read(DEAL)
    pit.keys("raise", "fold", "call", "all_in", "call", "call")
    pit.read("3c 9s 4c Kd")
    pit.told(KeyPressed(Key.BET, amount_minor=1_000))
    pit.keys("call")
    for cards in ("3d 5h", "3h 6s"):
        pit.read(cards)
        pit.keys("check", "check")


@pytest.mark.article("C-72", "C-75", "C-58", "C-95")
def test_what_was_won_is_seen_until_the_next_hand_begins() -> None:
    pit = CirclePit(rake=RakeTerms(500, 10))
    pay(pit)
    assert part(pit).results == ()
    pit.keys("hand_over")
    results = [(one.index, one.amount.minor, one.winners, one.category) for one in part(pit).results]
    assert results == [(0, "1710", (2,), "three_of_a_kind"), (1, "1900", (1,), "pair")]
    assert (part(pit).pots, scene(pit).board_slots) == ((), 0)
    pit.state = pit.replayed()
    assert len(part(pit).results) == 2
    pit.close()
    assert (part(pit).results, scene(pit).board_slots) == ((), 5)


@pytest.mark.article("C-61")
def test_nothing_is_won_in_a_void_hand() -> None:
    pit = CirclePit()
    pay(pit)
    pit.keys("hand_over")
    pit.told(HandVoided(VoidReason.WRONG_CARD_COUNT, hand=1), actor="ana", second="berta")
    assert part(pit).results == ()


def test_who_wins_alone_shows_no_category() -> None:
    pit = CirclePit()
    pit.close()
    pit.read(DEAL)
    pit.keys("fold", "fold", "fold", "hand_over")
    assert [(one.amount.minor, one.winners, one.category) for one in part(pit).results] == [("200", (2,), None)]
