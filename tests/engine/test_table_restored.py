"""Money that a restored backup had open is closed by two people, to the last centavo, and only once."""

import pytest

from controller.adapters.journal.equations import equations
from controller.core.events import HandVoided, VoidReason
from controller.core.ledger import Entry, balances
from controller.core.refusal import Refusal, Refused
from controller.core.restored import RestoredOutcome, RestoredSettled
from controller.engine.machine import replay
from controller.engine.table_state import JUGADOR_AFORTUNADO, DrawTerms, LuckySeatFrom
from tests.adapters.journal_fixtures import reading_of
from tests.engine.pit import CENTAVO, CREDIT, Pit, oasis_settings

STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
BETS = 5 * CREDIT * CENTAVO
COUNTED, RETURNED = RestoredOutcome.COUNTED, RestoredOutcome.RETURNED
PAID, NOT_PAID = RestoredOutcome.PAID, RestoredOutcome.NOT_PAID


def with_draw() -> Pit:
    """A table whose Jugador Afortunado is paid out of its own pool as far as that goes."""
    draw = DrawTerms(JUGADOR_AFORTUNADO, 60, pool_bp=1_000, lucky_seat_from=LuckySeatFrom.BETTING)
    return Pit(oasis_settings(draws=(draw,)))


def restore(pit: Pit) -> None:
    """What the command writes on top of a backup."""
    entry = Entry("restored", "journal.restored", {"incarnation": "t1-i2"}, (), "node")
    pit.journal.append(entry)
    pit.state = pit.machine.apply(pit.state, entry)


def settle(pit: Pit, item: str, outcome: RestoredOutcome, reason: str = "seen on camera") -> Refusal | None:
    answer = pit.do(RestoredSettled(item, outcome, reason), actor="ana", second="bea")
    return answer.reason if isinstance(answer, Refused) else None


def holds(pit: Pit) -> dict[str, int]:
    """The accounts, once every equation of a verification has held after every entry and the journal replays."""
    checks = equations()
    for entry in pit.journal:
        read = reading_of(entry)
        assert [said for check in checks if (said := check(read))] == [], entry
    assert replay(pit.machine, pit.journal).restored == pit.state.restored
    assert replay(pit.machine, pit.journal).pools == pit.state.pools
    found = balances(pit.journal)
    assert {kind: found.get(f"pool.{kind}", 0) for kind in pit.state.pools} == dict(pit.state.pools)
    return found


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("outcome", [COUNTED, RETURNED])
def test_bets_of_the_hand_in_course_are_counted_or_returned(closed: bool, outcome: RestoredOutcome) -> None:
    pit = with_draw()
    pit.bet(1, 2, credits=2)
    pit.bet(3)
    if closed:
        pit.close()
    restore(pit)
    (item,) = pit.state.restored.values()
    assert (item.id, item.micros, item.closed) == ("hand/1", BETS, closed)
    before = pit.state.wagered_micros
    assert settle(pit, "hand/1", outcome) is None
    found = holds(pit)
    assert found.get("bets", 0) == 0
    assert -found["patrons"] == (0 if outcome is RETURNED else BETS)
    assert before - pit.state.wagered_micros == (BETS if outcome is RETURNED else 0)
    assert settle(pit, "hand/1", outcome) is Refusal.NOTHING_RESTORED
    assert holds(pit) == found


@pytest.mark.parametrize("outcome", [PAID, NOT_PAID])
def test_prizes_that_were_open_are_paid_or_not(outcome: RestoredOutcome) -> None:
    pit = with_draw()
    pit.play(STRAIGHT_FLUSH)
    pit.deliver()
    owed = balances(pit.journal)["prizes.payable"]
    restore(pit)
    assert sorted(each.kind for each in pit.state.restored.values()) == ["award", "draw"]
    assert sum(each.micros for each in pit.state.restored.values()) == owed > 0
    for item in list(pit.state.restored):
        assert settle(pit, item, outcome) is None
    found = holds(pit)
    assert found["prizes.payable"] == 0
    assert found.get("prizes.paid", 0) == (owed if outcome is PAID else 0)
    assert not pit.state.restored


def test_only_two_people_with_a_reason_and_what_can_be_said_close_it() -> None:
    pit = with_draw()
    pit.bet(1)
    restore(pit)
    event = RestoredSettled("hand/1", RETURNED, "seen on camera")
    for actor, second, refusal in (
        ("ana", None, Refusal.SECOND_PERSON_MISSING),
        ("ana", "ana", Refusal.SAME_PERSON_TWICE),
    ):
        answer = pit.do(event, actor=actor, second=second)
        assert isinstance(answer, Refused)
        assert answer.reason is refusal
    assert settle(pit, "hand/1", PAID) is Refusal.WRONG_OUTCOME
    assert settle(pit, "hand/1", RETURNED, " ") is Refusal.REASON_MISSING
    assert settle(pit, "hand/9", RETURNED) is Refusal.NOTHING_RESTORED
    assert pit.state.restored


def test_what_was_closed_in_the_backup_leaves_nothing_open() -> None:
    pit = with_draw()
    pit.bet(1)
    pit.do(HandVoided(VoidReason.OTHER, "x", 1), actor="ana", second="bea")
    restore(pit)
    assert not pit.state.restored


def test_what_one_restore_left_open_the_next_one_keeps() -> None:
    pit = with_draw()
    pit.bet(1)
    restore(pit)
    entry = Entry("restored again", "journal.restored", {"incarnation": "t1-i3"}, (), "node")
    pit.journal.append(entry)
    pit.state = pit.machine.apply(pit.state, entry)
    assert list(pit.state.restored) == ["hand/1"]
