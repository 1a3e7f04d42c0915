"""A circle hand that has been paid is void with its chips, or not at all (art. C 61, reading O-j)."""

import pytest

from controller.api.effects import chips_back
from controller.core.circle_events import (
    GameOpened,
    PlayerLeft,
    PlayerRested,
    PlayerSeated,
    Rebought,
    Sanction,
    Sanctioned,
    StackCounted,
)
from controller.core.events import ClockRan, HandVoided, VoidReason
from controller.core.refusal import Refused
from tests.engine.circle_pit import CirclePit
from tests.engine.test_table_circle import played

BROUGHT = {1: 10_000, 2: 10_000, 3: 10_000, 4: 10_000}


def paid(**terms: object) -> CirclePit:
    """Hand 1 is paid: seat 2 has won 200 of each other, and four nines of the jackpot."""
    pit = CirclePit(**terms)
    pit.wager(2)
    pit.close()
    played(pit)
    pit.deliver()
    return pit


def chips(pit: CirclePit) -> dict[int, int]:
    return {each.seat: each.stack for each in pit.state.hand.game.table.players}


def void(pit: CirclePit, hand: int = 1) -> str:
    """The name of the refusal, empty where it is done."""
    answer = pit.do(HandVoided(VoidReason.WRONG_CARD_COUNT, hand=hand), actor="ana", second="berta")
    pit.deliver()
    return answer.reason.value if isinstance(answer, Refused) else ""


@pytest.mark.article("C-61", "C-g", "O-j")
def test_chips_button_and_jackpot_go_back_together() -> None:
    pit = paid()
    assert chips(pit) == {1: 9_800, 2: 10_600, 3: 9_800, 4: 9_800}
    assert [row.status.value for row in pit.state.link.rows.values()] == ["pending"]
    assert void(pit) == ""
    assert chips(pit) == BROUGHT
    assert {row.status.value for row in pit.state.link.rows.values()} <= {"void"}
    assert pit.balance("patrons") == 0
    assert pit.replayed() == pit.state
    pit.close()
    assert pit.state.hand.game.table.positions.button == 4


@pytest.mark.article("C-61")
def test_once_the_next_blinds_lie_the_hand_stays() -> None:
    """61: a void does not affect what was played before; neither does the jackpot's part of it go back alone."""
    pit = paid()
    pit.close()
    before = pit.state
    assert void(pit) == "next_hand_begun"
    assert pit.state == before
    assert void(pit, hand=2) == ""
    assert chips(pit) == {1: 9_800, 2: 10_600, 3: 9_800, 4: 9_800}


# What people do after the hand was paid; the chips after its void, or the refusal.
SINCE: list[tuple[str, list[object], dict[int, int] | str]] = [
    ("a rebuy stays with its buyer", [Rebought(1, 2_000)], {**BROUGHT, 1: 12_000}),
    ("a newcomer stays with his chips", [PlayerSeated(5, 4_000)], {**BROUGHT, 5: 4_000}),
    ("a rest changes nothing", [PlayerRested(3)], BROUGHT),
    ("a minute passes", [ClockRan("1/minute/1")], BROUGHT),
    ("a winner has left", [PlayerLeft(2)], "chips_have_moved"),
    ("a loser has left", [PlayerLeft(3)], "chips_have_moved"),
    ("a newcomer has left again", [PlayerSeated(5, 4_000), PlayerLeft(5)], BROUGHT),
    ("stacks were counted", [StackCounted(2, 10_600, "after a doubt")], "chips_have_moved"),
]


@pytest.mark.article("C-61")
@pytest.mark.parametrize(("row", "events", "after"), SINCE)
def test_what_people_did_since_stays_or_forbids_it(row: str, events: list[object], after: dict[int, int] | str) -> None:
    pit = paid()
    for event in events:
        pit.told(event, second="berta")
    assert void(pit) == ("" if isinstance(after, dict) else after)
    if isinstance(after, dict):
        assert chips(pit) == after
        assert pit.state.hand.game.table.minutes == sum(isinstance(event, ClockRan) for event in events)
    assert pit.replayed() == pit.state


@pytest.mark.article("C-26", "C-61")
def test_a_game_that_ended_with_the_hand_goes_on() -> None:
    pit = CirclePit(duration_minutes=60)
    pit.close()
    for minute in range(1, 61):
        pit.told(ClockRan(f"1/minute/{minute}"))
    played(pit)
    pit.close()
    played(pit)
    assert pit.state.hand.game.table.ended == "time"
    assert void(pit, hand=2) == ""
    assert (pit.state.hand.game.table.ended, pit.state.hand.game.table.hands_left) == ("", 1)
    pit.close()
    played(pit)
    assert pit.state.hand.game.table.ended == "time"
    pit.told(GameOpened())
    assert void(pit, hand=3) == "chips_have_moved"


@pytest.mark.article("C-32", "C-61")
def test_who_was_eliminated_by_the_hand_is_back_unless_his_seat_is_taken() -> None:
    def eliminated() -> CirclePit:
        pit = CirclePit(buy_total_maximum=10_000)
        pit.told(PlayerSeated(5, 10_000))
        pit.close()
        pit.read("As 9d Qh 2c 4d Ac 9h Qd 7d 4h")
        pit.keys("all_in", "all_in", "fold", "fold", "fold")
        for cards in ("3c 9s 9c Kd", "3d 5h", "3h 6s"):
            pit.read(cards)
        pit.keys("hand_over")
        return pit

    pit = eliminated()
    assert 4 not in chips(pit)
    assert void(pit) == ""
    assert chips(pit) == {**BROUGHT, 5: 10_000}
    pit = eliminated()
    pit.told(PlayerSeated(4, 4_000))
    assert void(pit) == "chips_have_moved"


def test_a_void_stored_before_chips_went_back_folds_as_it_did() -> None:
    pit = paid()
    assert void(pit) == ""
    entry = next(entry for entry in pit.journal if entry.kind == "hand.void")
    assert entry.body.pop("chips_back") is True
    assert {each.seat: each.stack for each in pit.replayed().hand.game.table.players} == {
        1: 9_800,
        2: 10_600,
        3: 9_800,
        4: 9_800,
    }


@pytest.mark.article("C-61", "C-70")
def test_who_was_expelled_in_the_hand_has_taken_his_chips_along() -> None:
    pit = CirclePit()
    pit.close()
    pit.told(Sanctioned(3, Sanction.PLAYER_OUT, "again"))
    pit.read("As 9d Qh 2c Ac 9h Qd 7d")
    pit.keys("fold", "fold", "hand_over")
    assert void(pit) == "chips_have_moved"


def test_two_people_see_the_chips_that_go_back() -> None:
    pit = paid()
    assert pit.state.last is not None
    lines = chips_back(pit.settings.game, pit.state, pit.state.last)
    assert [(line["where"]["seat"], line["before"], line["after"]) for line in lines] == [
        (1, 9_800, 10_000),
        (2, 10_600, 10_000),
        (3, 9_800, 10_000),
        (4, 9_800, 10_000),
    ]
    assert chips_back(pit.settings.game, pit.state, pit.state.hand) == []
