"""Settings that contradict each other, what lies at the table or what people have seen: what cannot be done by them."""

from pathlib import Path
from typing import Any

import pytest

from controller.config import Config, load
from controller.core.cards import parse_cards
from controller.core.causes import PoolCause
from controller.core.circle_events import GameOpened, PlayerLeft, PlayerSeated
from controller.core.events import (
    CardRead,
    ClockRan,
    CreditsSettled,
    CreditsUnread,
    HandCorrected,
    HandVoided,
    Key,
    KeyPressed,
    VoidReason,
)
from controller.core.refusal import Refusal, Refused
from controller.core.settings_events import TermsConfirmed
from controller.engine.host_events import StartValueReset
from controller.engine.settings_values import base_of
from controller.engine.settings_waits import Wait, waits_for
from tests.engine.house import HousePit, site_file
from tests.engine.pit import CENTAVO

CIRCLE = """
[site]
id = "test"
name = "Casino"

[[carousels]]
id = "c1"
name = "Gran Carrusel"

[[tables]]
id = "t1"
name = "Mesa 1"
preset = "holdem_circle_argentina_2009"
carousel = "c1"
seats = {seats}
cards_read = "deal"

[[tables.devices]]
name = "shoe"
driver = "stx"
port = "/dev/shoe"

[[tables.readers]]
device = "shoe"

[tables.circle]
duration_minutes = 60
rake_bp = 0

[tables.jackpot]
kind = "progressive"
credit = 1_000
start = 5_000_000
contribution_bp = 2_000

[tables.jackpot.prizes]
royal_flush = {{ percent = 100 }}
straight_flush = {{ percent = 10 }}
four_of_a_kind = {{ fixed = 50_000 }}
"""


def done(answer: Any) -> Any:
    assert not isinstance(answer, Refused), answer
    return answer


def reason_of(answer: Any) -> Refusal:
    assert isinstance(answer, Refused), answer
    return answer.reason


@pytest.fixture
def pit(tmp_path: Path) -> HousePit:
    return HousePit(site_file(tmp_path))


def void(pit: HousePit, hand: int | None = None) -> Any:
    return pit.do(HandVoided(VoidReason.OTHER, "test", hand), actor="ana", second="beto")


@pytest.mark.requirement("R70")
def test_a_chip_that_a_sensor_lost_is_worth_what_it_was_worth_when_it_was_put_down(pit: HousePit) -> None:
    done(pit.do(CreditsUnread(1, 1, 2, "noise"), id="lost"))
    done(pit.change(jackpot__credit=9_000))
    assert waits_for(pit.machine.read, pit.state) == (Wait.HAND,)
    done(pit.do(CreditsSettled("lost", 0), actor="ana"))
    assert pit.in_force["jackpot.credit"] == 9_000
    assert pit.replayed() == pit.state


# what people vouch for

CHANGED = "contribution_bp = 2500"


@pytest.mark.requirement("R71", "R34")
def test_another_edit_of_the_file_confirms_nothing(pit: HousePit, tmp_path: Path) -> None:
    pit.restarted(site_file(tmp_path, jackpot=CHANGED))
    terms = pit.state.book.unconfirmed
    pit.restarted(site_file(tmp_path, jackpot=CHANGED, minimum=60_000))
    assert pit.in_force["limits.minimum"] == 60_000
    assert pit.state.book.unconfirmed == terms != ""
    pit.restarted(site_file(tmp_path, minimum=60_000))
    assert pit.in_force["jackpot.contribution_bp"] == 2_000
    assert pit.state.book.unconfirmed == "", "what the file says again was vouched for"


@pytest.mark.requirement("R71", "R34")
def test_a_file_that_goes_there_and_back_while_a_hand_is_open_is_not_confirmed_by_it(
    pit: HousePit, tmp_path: Path
) -> None:
    pit.restarted(site_file(tmp_path, jackpot=CHANGED))
    pit.state = pit.replayed()
    done(pit.do(CreditsUnread(1, 1, 2, "noise")))
    pit.restarted(site_file(tmp_path, jackpot="contribution_bp = 2600"))
    pit.restarted(site_file(tmp_path, jackpot=CHANGED))
    assert pit.in_force["jackpot.contribution_bp"] == 2_500
    assert pit.state.book.unconfirmed


@pytest.mark.requirement("R71", "R34")
@pytest.mark.parametrize("other", [{}, {"limits__maximum": 4_000_000}])
def test_terms_that_are_taken_back_before_they_were_in_force_need_no_confirming(
    pit: HousePit, tmp_path: Path, other: dict[str, int]
) -> None:
    pit.bet(1)
    pit.restarted(site_file(tmp_path, jackpot=CHANGED))
    assert pit.state.book.unconfirmed
    done(pit.change(**other))
    assert not pit.state.book.unconfirmed
    done(void(pit))
    assert pit.in_force["jackpot.contribution_bp"] == 2_000
    assert pit.replayed() == pit.state


@pytest.mark.requirement("R71", "R34")
def test_who_changes_a_limit_does_not_vouch_for_terms_that_the_file_brought(pit: HousePit, tmp_path: Path) -> None:
    pit.restarted(site_file(tmp_path, jackpot=CHANGED))
    terms = pit.state.book.unconfirmed
    done(pit.change(limits__maximum=4_000_000))
    assert pit.state.book.unconfirmed == terms
    done(pit.change(jackpot__credit=9_000))
    assert pit.state.book.unconfirmed not in ("", terms), "what results of both is to be confirmed"
    done(pit.do(TermsConfirmed(pit.state.book.unconfirmed, "seen"), actor="ana", second="beto"))
    done(pit.change(jackpot__credit=8_000))
    assert pit.state.book.unconfirmed == "", "people who change terms that are vouched for vouch for them"
    assert pit.replayed() == pit.state


def test_a_change_made_on_what_was_seen_does_not_take_the_place_of_one_that_came_meanwhile(pit: HousePit) -> None:
    pit.bet(1)
    seen = base_of(pit.state)
    done(pit.change(limits__maximum=4_000_000))
    assert reason_of(pit.change(limits__minimum=60_000, base=seen)) is Refusal.SETTINGS_CHANGED_MEANWHILE
    seen = base_of(pit.state)
    done(pit.change(limits__maximum=3_000_000))
    assert reason_of(pit.change(base=seen)) is Refusal.SETTINGS_CHANGED_MEANWHILE, "nobody saw what this takes back"
    done(void(pit))
    assert pit.in_force["limits.maximum"] == 3_000_000


# what the host takes


def test_terms_that_the_host_would_refuse_are_refused_at_the_table(pit: HousePit) -> None:
    answer = pit.change(jackpot__unreasonable_credits_per_hand=1_000_000_000, jackpot__credit=10**12)
    assert reason_of(answer) is Refusal.PROFILE_UNFIT
    assert pit.kinds() == ["file"]


def test_a_hand_is_judged_by_its_list_however_often_terms_change_after_it(pit: HousePit) -> None:
    pit.play("9s 9h 9d 8c 2d", seats=(1,))
    for more in range(1, 25):
        done(pit.change(jackpot__prizes__four_of_a_kind__fixed=5_000_000 + more * 10_000))
        pit.deliver()
    assert pit.state.last is not None
    (old,), (new,) = parse_cards("8c") or (), parse_cards("9c") or ()
    done(pit.do(HandCorrected(pit.state.last.number, "seat-1", old, new), actor="ana", second="beto"))
    pit.deliver()
    assert [row.amount_minor for row in pit.state.link.rows.values()] == [5_000_000]


@pytest.mark.requirement("R48")
def test_a_start_value_above_the_ceiling_is_refused(pit: HousePit) -> None:
    done(pit.change(jackpot__ceiling=60_000_000))
    pit.deliver()
    for start, refusal in ((60_000_001, Refusal.START_ABOVE_CEILING), (60_000_000, None)):
        event = StartValueReset("t1", start * CENTAVO, "more to begin with", cause=PoolCause.APPROVED_START)
        answer = pit.host.decide(event)
        assert (None if answer is None else answer.reason) is refusal


# a circle game in course


def circle_file(where: Path, seats: int = 10) -> Config:
    path = where / "circle.toml"
    path.write_text(CIRCLE.format(seats=seats))
    return load(path)


class CircleHouse(HousePit):
    """Four players with 40.000 each at a circle table whose settings can change."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        for seat in (1, 2, 3, 4):
            done(self.do(PlayerSeated(seat, 40_000)))

    def fold_all(self) -> None:
        """A hand in which everybody folds to the big blind."""
        game = self.machine.settings_of(self.state).game
        self.close()
        for card in parse_cards("As Kd 2c 7h 9s 4d Th Jc") or ():
            done(self.do(CardRead(card)))
        while game.turn(self.state.hand.game) is not None:
            done(self.do(KeyPressed(Key.FOLD)))
        done(self.do(KeyPressed(Key.HAND_OVER)))

    @property
    def chips(self) -> int:
        return sum(player.stack for player in self.state.hand.game.table.players)


@pytest.mark.article("C-7")
@pytest.mark.parametrize("hands", [0, 1])
def test_other_seats_in_the_file_wait_until_nobody_sits_with_chips(tmp_path: Path, hands: int) -> None:
    pit = CircleHouse(circle_file(tmp_path))
    for _ in range(hands):
        pit.fold_all()
    pit.restarted(circle_file(tmp_path, seats=9))
    assert (pit.chips, pit.in_force["seats"]) == (160_000, 10)
    assert waits_for(pit.machine.read, pit.state) == (Wait.GAME,)
    for player in pit.state.hand.game.table.players:
        done(pit.do(PlayerLeft(player.seat)))
    assert pit.in_force["seats"] == 9
    assert pit.replayed() == pit.state


@pytest.mark.article("C-7", "C-61")
def test_the_last_hand_of_a_game_is_taken_back_under_the_blinds_of_its_game(tmp_path: Path) -> None:
    pit = CircleHouse(circle_file(tmp_path))
    pit.fold_all()
    done(pit.change(circle__blinds__small=2_000, circle__blinds__big=4_000))
    for _ in range(60):
        (minute,) = pit.machine.settings_of(pit.state).game.deadlines(pit.state.hand.game)
        done(pit.do(ClockRan(minute.id)))
    pit.fold_all()
    assert pit.state.hand.game.table.ended == "time"
    assert pit.state.last is not None
    done(void(pit, pit.state.last.number))
    assert not pit.state.hand.game.table.ended
    assert pit.in_force["circle.blinds.big"] == 2_000
    pit.fold_all()
    assert waits_for(pit.machine.read, pit.state) == (Wait.GAME,)
    done(pit.do(GameOpened()))
    assert (pit.in_force["circle.blinds.big"], pit.chips) == (4_000, 160_000)
    assert pit.replayed() == pit.state
