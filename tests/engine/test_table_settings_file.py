"""The site's file beside what people changed: what it may change alone, and what two people confirm."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.config import Config
from controller.config.house_rules import settings_of
from controller.core.events import CreditWagered, Key, KeyPressed
from controller.core.refusal import Refusal, Refused
from controller.core.settings_events import SettingsRead, TermsConfirmed
from controller.engine.machine import replay
from controller.engine.settings_values import with_file
from controller.engine.table import TableMachine
from controller.engine.table_bets import bets_open
from tests.engine.house import HousePit, done, reason_of, site_file
from tests.engine.pit import BANK

NOTHING = "2s 5h 9d Jc 3d"


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return site_file(tmp_path)


@pytest.fixture
def pit(config: Config) -> HousePit:
    return HousePit(config)


def test_the_first_reading_of_the_file_is_noted_and_changes_nothing(pit: HousePit, config: Config) -> None:
    assert pit.kinds() == ["file"]
    assert pit.in_force["limits.minimum"] == 50_000
    pit.restarted(config)
    assert pit.kinds() == ["file"]
    assert not pit.state.alarms
    assert bets_open(pit.machine.settings_of(pit.state), pit.state)


@pytest.mark.requirement("R71", "R34", "R08")
def test_terms_that_the_file_changed_stop_bets_until_two_people_confirm_them(pit: HousePit, tmp_path: Path) -> None:
    entries = done(pit.restarted(site_file(tmp_path, jackpot="contribution_bp = 2500")))
    assert [entry.kind for entry in entries][:2] == ["settings.file", "alarm.raised"]
    assert entries[0].body["changes"] == [{"key": "jackpot.contribution_bp", "before": 2_000, "after": 2_500}]
    pit.deliver()
    answer = pit.do(CreditWagered(1, 1, manual=True))
    assert isinstance(answer, Refused)
    assert answer.facts["why"] == "terms_unconfirmed"
    assert not bets_open(pit.machine.settings_of(pit.state), pit.state)
    terms = pit.state.book.unconfirmed
    assert reason_of(pit.do(TermsConfirmed(terms, "seen"), actor="ana")) is Refusal.SECOND_PERSON_MISSING
    wrong = pit.do(TermsConfirmed("0" * 64, "seen"), actor="ana", second="beto")
    assert reason_of(wrong) is Refusal.TERMS_DIFFER
    done(pit.do(TermsConfirmed(terms, "seen"), actor="ana", second="beto"))
    assert reason_of(pit.do(TermsConfirmed(terms, "seen"), actor="ana", second="beto")) is Refusal.NOTHING_CHANGES
    done(pit.do(CreditWagered(1, 1, manual=True)))
    assert pit.replayed() == pit.state
    pit.restarted(pit.config)
    assert not pit.state.book.unconfirmed


def test_limits_changed_in_the_file_raise_the_alarm_and_stop_nothing(pit: HousePit, tmp_path: Path) -> None:
    pit.restarted(site_file(tmp_path, minimum=60_000))
    assert [alarm.code for alarm in pit.state.alarms.values()] == ["settings_file_changed"]
    assert not pit.state.book.unconfirmed
    assert pit.in_force["limits.minimum"] == 60_000


def test_a_site_may_leave_the_confirmation_of_its_file_out(pit: HousePit, tmp_path: Path) -> None:
    pit.restarted(site_file(tmp_path, site="confirm_changed_terms = false", jackpot="contribution_bp = 2500"))
    assert not pit.state.book.unconfirmed
    assert pit.in_force["jackpot.contribution_bp"] == 2_500


def test_what_people_changed_stays_on_top_of_the_file_unless_the_file_changed_that_very_key(
    pit: HousePit, tmp_path: Path
) -> None:
    done(pit.change(limits__minimum=60_000, limits__maximum=4_000_000))
    pit.restarted(pit.config)
    assert (pit.in_force["limits.minimum"], pit.in_force["limits.maximum"]) == (60_000, 4_000_000)
    pit.restarted(site_file(tmp_path, minimum=70_000))
    assert (pit.in_force["limits.minimum"], pit.in_force["limits.maximum"]) == (70_000, 4_000_000)
    assert pit.replayed() == pit.state


def test_a_file_changed_in_the_middle_of_a_hand_waits_for_its_end(pit: HousePit, tmp_path: Path) -> None:
    pit.bet(1)
    pit.restarted(site_file(tmp_path, minimum=60_000))
    assert pit.in_force["limits.minimum"] == 50_000
    pit.close()
    pit.deal(NOTHING, BANK)
    pit.decide_all()
    done(pit.do(KeyPressed(Key.HAND_OVER)))
    assert pit.in_force["limits.minimum"] == 60_000
    assert pit.replayed() == pit.state


def test_old_hands_are_folded_by_the_settings_of_their_time_after_the_file_changed(
    pit: HousePit, tmp_path: Path
) -> None:
    """A raised minimum must not refuse at replay the antes of before."""
    pit.play(NOTHING, seats=(1,))
    before = pit.state.wagered_micros
    pit.restarted(site_file(tmp_path, minimum=100_000, jackpot="max_credits = 4"))
    assert pit.state.wagered_micros == before
    assert replay(pit.machine, pit.journal) == pit.state


def test_a_carousel_that_knows_older_terms_is_told_at_the_first_reading(config: Config) -> None:
    """A journal of before settings were noted, whose file was changed since its table was enrolled."""
    pit = HousePit(config)
    early = [entry for entry in pit.journal if not entry.kind.startswith("settings.")]
    pit.journal, pit.state = early, replay(pit.machine, early)
    pit.machine = TableMachine(replace(pit.machine.settings, ceiling_micros=10**15), pit.machine.read)
    pit.state = pit.replayed()
    entries = done(pit.do(SettingsRead(settings_of(config, config.tables[0]))))
    assert [entry.kind for entry in entries] == ["settings.file", "link.terms"]
    pit.deliver()
    assert pit.host.state.ledger.tables["t1"].profile.ceiling_micros == 10**15


@pytest.mark.parametrize(
    ("old", "held", "file", "expected"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}, {"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ({"a": 1, "b": 2}, {"a": 5, "b": 2}, {"a": 1, "b": 3}, {"a": 5, "b": 3}),
        ({"a": 1, "b": 2}, {"a": 5, "b": 2}, {"a": 7, "b": 2}, {"a": 7, "b": 2}),
        ({"a": 1}, {"a": 5}, {"a": 1, "new": 4}, {"a": 5, "new": 4}),
        ({"a": 1, "gone": 2}, {"a": 1, "gone": 9}, {"a": 1}, {"a": 1}),
    ],
)
def test_the_file_and_the_people(
    old: dict[str, int], held: dict[str, int], file: dict[str, int], expected: dict[str, int]
) -> None:
    assert with_file(old, held, file) == expected
