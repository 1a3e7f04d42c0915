"""Settings that two people named a day for: they wait for it, and then for the hand."""

from pathlib import Path

import pytest

from controller.config import Config
from controller.core.events import Key, KeyPressed
from controller.core.refusal import Refusal
from controller.core.settings_events import SettingsChanged, SettingsDayCame
from controller.engine.machine import replay
from controller.engine.settings_values import base_of
from controller.engine.settings_waits import Wait, waits_for
from tests.engine.house import HousePit, done, reason_of, site_file
from tests.engine.pit import BANK

NOTHING = "2s 5h 9d Jc 3d"


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return site_file(tmp_path)


@pytest.fixture
def pit(config: Config) -> HousePit:
    return HousePit(config)


@pytest.mark.requirement("R76")
def test_a_change_with_a_day_waits_for_it_and_then_for_the_hand(pit: HousePit) -> None:
    done(pit.change(day="2026-12-31", limits__minimum=60_000))
    assert waits_for(pit.machine.read, pit.state) == (Wait.DAY,)
    pit.bet(1)
    assert pit.do(SettingsDayCame("2027-01-01")) == ()
    came = done(pit.do(SettingsDayCame("2026-12-31")))
    assert [entry.kind for entry in came] == ["settings.day"]
    assert waits_for(pit.machine.read, pit.state) == (Wait.HAND,)
    pit.close()
    pit.deal(NOTHING, BANK)
    pit.decide_all()
    over = done(pit.do(KeyPressed(Key.HAND_OVER)))
    assert "settings.effective" in [entry.kind for entry in over]
    assert pit.in_force["limits.minimum"] == 60_000
    assert pit.state == replay(pit.machine, pit.journal)


@pytest.mark.requirement("R76")
def test_a_day_that_comes_between_hands_puts_the_change_in_force_in_the_same_commit(pit: HousePit) -> None:
    done(pit.change(day="2026-12-31", limits__minimum=60_000))
    done(pit.change(day="2027-01-02", limits__minimum=60_000))
    assert pit.do(SettingsDayCame("2026-12-31")) == ()
    came = done(pit.do(SettingsDayCame("2027-01-02")))
    assert [entry.kind for entry in came] == ["settings.day", "settings.effective"]
    assert pit.in_force["limits.minimum"] == 60_000


@pytest.mark.requirement("R76")
def test_a_file_that_changes_something_else_leaves_the_day_that_two_people_named(pit: HousePit, tmp_path: Path) -> None:
    done(pit.change(day="2026-12-31", limits__maximum=4_000_000))
    pit.restarted(site_file(tmp_path, minimum=60_000))
    assert waits_for(pit.machine.read, pit.state) == (Wait.DAY,)
    assert (pit.in_force["limits.minimum"], pit.in_force["limits.maximum"]) == (50_000, 5_000_000)
    came = done(pit.do(SettingsDayCame("2026-12-31")))
    assert [entry.kind for entry in came] == ["settings.day", "settings.effective"]
    assert (pit.in_force["limits.minimum"], pit.in_force["limits.maximum"]) == (60_000, 4_000_000)
    assert pit.state == replay(pit.machine, pit.journal)


@pytest.mark.requirement("R76")
def test_a_file_that_takes_the_place_of_all_that_was_asked_for_a_day_waits_for_none(
    pit: HousePit, tmp_path: Path
) -> None:
    done(pit.change(day="2026-12-31", limits__minimum=55_000))
    pit.restarted(site_file(tmp_path, minimum=60_000))
    assert pit.in_force["limits.minimum"] == 60_000
    assert pit.state == replay(pit.machine, pit.journal)


@pytest.mark.requirement("R76")
def test_who_saw_another_day_of_what_waits_changes_nothing(pit: HousePit) -> None:
    done(pit.change(day="2026-12-31", limits__minimum=60_000))
    seen = base_of(pit.state)
    done(pit.change(day="2027-01-02", limits__minimum=60_000))
    taken_back = pit.do(SettingsChanged(seen, (), "", "take it back"), actor="ana", second="beto")
    assert reason_of(taken_back) is Refusal.SETTINGS_CHANGED_MEANWHILE
    assert pit.state.book.pending is not None and pit.state.book.pending.day == "2027-01-02"
