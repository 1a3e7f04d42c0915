"""Settings changed while the table runs: in force between hands, never lost, told to the carousel."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.config import Config
from controller.core.cards import parse_cards
from controller.core.events import (
    AntePlaced,
    CreditWagered,
    CreditWithdrawn,
    HandCorrected,
    HandVoided,
    Key,
    KeyPressed,
    VoidReason,
)
from controller.core.refusal import Refusal, Refused
from controller.engine.machine import replay
from controller.engine.messages import Counter
from controller.engine.settings_waits import Wait, waits_for
from tests.engine.house import HousePit, done, reason_of, site_file
from tests.engine.pit import BANK, CENTAVO

QUADS = "9s 9h 9d 9c 2d"
NOTHING = "2s 5h 9d Jc 3d"


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return site_file(tmp_path)


@pytest.fixture
def pit(config: Config) -> HousePit:
    return HousePit(config)


@pytest.mark.requirement("R70")
def test_a_change_waits_for_the_hand_in_course_and_is_in_force_in_the_commit_that_ends_it(pit: HousePit) -> None:
    pit.bet(1)
    done(pit.change(limits__minimum=60_000))
    assert waits_for(pit.machine.read, pit.state) == (Wait.HAND,)
    assert pit.in_force["limits.minimum"] == 50_000
    pit.close()
    pit.deal(NOTHING, BANK)
    pit.decide_all()
    assert waits_for(pit.machine.read, pit.state) == (Wait.HAND,)
    over = done(pit.do(KeyPressed(Key.HAND_OVER)))
    assert [entry.kind for entry in over][:1] == ["hand.over"]
    assert "settings.effective" in [entry.kind for entry in over]
    assert pit.in_force["limits.minimum"] == 60_000
    assert reason_of(pit.do(AntePlaced(1, 50_000))) is Refusal.BET_BELOW_MINIMUM
    assert pit.state.book.pending is None
    assert pit.replayed() == pit.state


def test_between_hands_a_change_is_in_force_at_once(pit: HousePit) -> None:
    entries = done(pit.change(limits__maximum=4_000_000))
    assert [entry.kind for entry in entries] == ["settings.asked", "settings.effective"]
    assert entries[1].body["changes"] == [{"key": "limits.maximum", "before": 5_000_000, "after": 4_000_000}]
    assert (entries[1].actor, entries[1].body["second"]) == ("ana", "beto")
    assert pit.replayed() == pit.state


@pytest.mark.promise("P1")
def test_whatever_entry_was_the_last_one_stored_the_change_comes_into_force_once(pit: HousePit) -> None:
    pit.bet(1)
    done(pit.change(limits__minimum=60_000))
    asked = len(pit.journal)
    pit.close()
    pit.deal(NOTHING, BANK)
    pit.decide_all()
    whole = list(pit.journal)
    for stored in range(asked, len(whole) + 1):
        again = HousePit(pit.config)
        again.journal, again.count = whole[:stored], 1_000
        again.restarted(pit.config)
        assert again.state.book.pending is not None
        assert again.state.book.pending.reason == "as the pit wants it"
        done(again.do(HandVoided(VoidReason.OTHER, "test"), actor="ana", second="beto"))
        assert again.in_force["limits.minimum"] == 60_000
        assert again.kinds().count("effective") == 1


def test_a_chip_taken_back_ends_the_wait_too(pit: HousePit) -> None:
    done(pit.do(CreditWagered(1, 1, manual=True)))
    done(pit.change(limits__minimum=60_000))
    assert pit.state.book.pending is not None
    done(pit.do(CreditWithdrawn(1, 1)))
    assert pit.in_force["limits.minimum"] == 60_000


@pytest.mark.requirement("R03", "R24", "R76")
@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"second": None}, Refusal.SECOND_PERSON_MISSING),
        ({"second": "ana"}, Refusal.SAME_PERSON_TWICE),
        ({"reason": " "}, Refusal.REASON_MISSING),
        ({"base": "0" * 64}, Refusal.SETTINGS_CHANGED_MEANWHILE),
        ({"terms": "0" * 64}, Refusal.TERMS_DIFFER),
    ],
)
def test_a_change_takes_two_people_a_reason_and_what_they_have_seen(
    pit: HousePit, change: dict[str, Any], refusal: Refusal
) -> None:
    assert reason_of(pit.change(**{"limits__maximum": 4_000_000, **change})) is refusal
    assert pit.kinds() == ["file"]


def test_a_game_of_other_seats_is_no_change_of_a_running_table(pit: HousePit) -> None:
    assert reason_of(pit.change(seats=6)) is Refusal.SETTING_FIXED
    assert reason_of(pit.change(colour="red", terms="0" * 64)) is Refusal.SETTING_FIXED


def test_what_waits_is_replaced_by_another_change_and_taken_back_by_none(pit: HousePit) -> None:
    assert reason_of(pit.change()) is Refusal.NOTHING_CHANGES
    pit.bet(1)
    done(pit.change(limits__minimum=60_000))
    assert reason_of(pit.change(limits__minimum=60_000)) is Refusal.NOTHING_CHANGES
    done(pit.change(limits__maximum=4_000_000))
    done(pit.change())
    assert pit.state.book.pending is None
    assert pit.kinds() == ["file", "asked", "asked", "withdrawn"]


@pytest.mark.requirement("R72", "R20")
def test_new_terms_reach_the_host_before_a_bet_is_played_by_them(pit: HousePit) -> None:
    entries = done(pit.change(jackpot__contribution_bp=3_000, jackpot__prizes__four_of_a_kind__fixed=6_000_000))
    assert [entry.kind for entry in entries] == ["settings.asked", "settings.effective", "link.terms"]
    answer = pit.do(CreditWagered(1, 1, manual=True))
    assert reason_of(answer) is Refusal.JACKPOT_BETS_STOPPED
    assert isinstance(answer, Refused)
    assert answer.facts["why"] == "terms_on_their_way"
    pit.deliver()
    account = pit.host.state.ledger.tables["t1"]
    assert account.profile.prizes == pit.machine.settings_of(pit.state).jackpot.prizes
    assert account.profile.bound_micros == 7 * 5 * 10_000 * 3_500
    assert account.terms is not None
    assert (account.terms.signed.actor, account.terms.signed.second) == ("ana", "beto")
    assert account.terms.hash == entries[1].body["terms_after"] != entries[1].body["terms_before"]
    done(pit.do(CreditWagered(1, 1, manual=True)))
    assert pit.replayed() == pit.state
    assert replay(pit.host.machine, pit.host.journal) == pit.host.state


def test_a_hand_is_judged_by_the_list_it_was_played_by_also_when_it_is_corrected_later(pit: HousePit) -> None:
    pit.play("9s 9h 9d 8c 2d", seats=(1,))
    done(pit.change(jackpot__prizes__four_of_a_kind__fixed=6_000_000, jackpot__credit=20_000))
    pit.deliver()
    assert pit.in_force["jackpot.credit"] == 20_000
    assert pit.state.last is not None
    (old,), (new,) = parse_cards("8c") or (), parse_cards("9c") or ()
    done(pit.do(HandCorrected(pit.state.last.number, "seat-1", old, new), actor="ana", second="beto"))
    pit.deliver()
    assert [row.amount_minor for row in pit.state.link.rows.values()] == [5_000_000]
    pit.play(QUADS, seats=(1,))
    pit.deliver()
    assert [row.amount_minor for row in pit.state.link.rows.values()][1:] == [6_000_000]
    assert pit.replayed() == pit.state
    assert replay(pit.host.machine, pit.host.journal) == pit.host.state


def test_the_last_hand_is_voided_by_the_credit_that_it_was_bet_in(pit: HousePit) -> None:
    pit.play(NOTHING, seats=(1,), credits=2)
    wagered = pit.state.wagered_micros
    done(pit.change(jackpot__credit=20_000))
    assert pit.state.last is not None
    done(pit.do(HandVoided(VoidReason.OTHER, "test", pit.state.last.number), actor="ana", second="beto"))
    assert pit.state.wagered_micros == wagered - 2 * 10_000 * CENTAVO == 0
    assert pit.replayed() == pit.state


@pytest.mark.requirement("R71", "R34")
def test_with_after_reset_terms_of_the_jackpot_wait_until_it_is_won(tmp_path: Path) -> None:
    pit = HousePit(site_file(tmp_path, table='jackpot_changes = "after_reset"'))
    done(pit.change(limits__maximum=4_000_000))
    assert pit.in_force["limits.maximum"] == 4_000_000
    done(pit.change(jackpot__contribution_bp=1_500))
    assert waits_for(pit.machine.read, pit.state) == (Wait.RESET,)
    pit.play("9d 8d 7d 6d 5d", seats=(2,))
    pit.deliver()
    assert pit.in_force["jackpot.contribution_bp"] == 2_000
    pit.play("Ad Kd Qd Jd Td", seats=(2,))
    assert pit.in_force["jackpot.contribution_bp"] == 2_000
    pit.deliver()
    assert pit.in_force["jackpot.contribution_bp"] == 1_500
    assert pit.replayed() == pit.state
    done(pit.change(jackpot__contribution_bp=1_600))
    assert waits_for(pit.machine.read, pit.state) == (Wait.RESET,)


@pytest.mark.requirement("R48")
def test_a_ceiling_is_never_set_below_the_current_value(pit: HousePit) -> None:
    pit.play(NOTHING, seats=(1,), credits=5)
    pit.deliver()
    value = pit.host.state.ledger.tables["t1"].main_micros // CENTAVO
    answer = pit.change(jackpot__ceiling=value - 1)
    assert reason_of(answer) is Refusal.CEILING_BELOW_VALUE
    pit.bet(1, credits=5)
    done(pit.change(jackpot__ceiling=value))
    pit.close()
    assert waits_for(pit.machine.read, pit.state) == (Wait.HAND, Wait.CEILING)
    pit.deal(NOTHING, BANK)
    pit.decide_all()
    done(pit.do(KeyPressed(Key.HAND_OVER)))
    assert waits_for(pit.machine.read, pit.state) == (Wait.CEILING,)
    done(pit.change(jackpot__ceiling=value + 10_000))
    assert pit.in_force["jackpot.ceiling"] == value + 10_000


def test_a_replayed_or_forged_offer_of_terms_changes_nothing_at_the_host(pit: HousePit) -> None:
    done(pit.change(jackpot__contribution_bp=3_000))
    first = pit.state.link.terms
    pit.deliver()
    done(pit.change(jackpot__contribution_bp=3_500))
    pit.deliver()
    ledger = pit.host.state.ledger
    link = pit.state.link
    who = (link.settings.table, link.settings.incarnation, link.epoch, link.mark)
    assert first is not None
    assert link.terms is not None
    same = Counter(*who, link.counters, terms=link.terms)
    pit.host.receive(same)
    assert pit.host.state.ledger == ledger
    alone = replace(link.terms, first_hand=9, signed=replace(link.terms.signed, second="ana"))
    pit.host.receive(Counter(*who, link.counters, terms=alone))
    assert pit.host.refusals[-1].reason is Refusal.SAME_PERSON_TWICE
    huge = replace(link.terms, first_hand=9, bound_micros=10**19)
    pit.host.receive(Counter(*who, link.counters, terms=huge))
    assert pit.host.refusals[-1].reason is Refusal.PROFILE_UNFIT
    assert pit.host.state.ledger == ledger
