"""Slips in one gapless sequence, kept as they were issued, and the list of checks before a large payment."""

import dataclasses
from typing import Any

import pytest

from controller.core.cards import parse_cards
from controller.core.events import HandCorrected, PrizePaid, PrizeVerified
from controller.core.ledger import Entry
from controller.core.prize_events import (
    CheckItem,
    HoldReason,
    PrizeChecked,
    PrizePutOnHold,
    SlipCopied,
    SlipIssued,
    SlipVoided,
    SlipVoidReason,
)
from controller.core.refusal import Refusal, Refused
from controller.engine.table_papers import content_hash, slip_number
from tests.engine.pit import Pit, oasis_settings

HANDS = ("9d 8d 7d 6d 5d", "9s 9h 9d 9c 5d", "8s 8h 8d 8c 5d")
FACTS = {"table": "Mesa 1", "cards": ["9d"]}
BAD = SlipVoided("", SlipVoidReason.WRONG_DATA, "typed wrong")


def reason_of(answer: object) -> Refusal | None:
    return answer.reason if isinstance(answer, Refused) else None


def won(hands: int = 1, **changes: Any) -> tuple[Pit, list[str]]:
    """A pit whose hands each won a prize, verified."""
    pit = Pit(oasis_settings(**changes))
    for cards in HANDS[:hands]:
        pit.play(cards, seats=(1,))
        pit.deliver()
    prizes = list(pit.state.link.rows)
    for prize in prizes:
        assert not isinstance(pit.do(PrizeVerified(prize), actor="ana"), Refused)
    return pit, prizes


def issued(pit: Pit, prize: str, withheld: int = 0, proposed: int = 0, note: str = "") -> Entry:
    answer = pit.do(SlipIssued(prize, withheld, proposed, FACTS, note), actor="ana")
    assert not isinstance(answer, Refused), answer
    return answer[0]


def correct(pit: Pit, old: str, new: str) -> None:
    """Two people correct a card of seat 1 in the last hand."""
    assert pit.state.last is not None
    cards = (*(parse_cards(old) or ()), *(parse_cards(new) or ()))
    answer = pit.do(HandCorrected(pit.state.last.number, "seat-1", *cards), actor="ana", second="bea")
    assert not isinstance(answer, Refused), answer


@pytest.mark.requirement("R84")
def test_slips_have_one_gapless_sequence_and_voids_keep_their_numbers() -> None:
    pit, prizes = won(3)
    issued(pit, prizes[0])
    again = pit.do(SlipIssued(prizes[0], 0, 0, FACTS), actor="bea")
    assert reason_of(again) is Refusal.SLIP_IN_FORCE
    assert not isinstance(pit.do(dataclasses.replace(BAD, prize=prizes[0]), actor="ana"), Refused)
    for prize in prizes:
        issued(pit, prize)
    entries = [entry for entry in pit.journal if entry.kind.startswith("slip.")]
    assert [entry.body["number"] for entry in entries if entry.kind == "slip.issued"] == [1, 2, 3, 4]
    assert [entry.body["number"] for entry in entries if entry.kind == "slip.voided"] == [1]
    assert {entry.body["content"]["number"] for entry in entries if entry.kind == "slip.issued"} == {
        f"t1-{number:06d}" for number in range(1, 5)
    }
    assert pit.state == pit.replayed()


@pytest.mark.requirement("R84")
def test_a_slip_says_what_it_said_when_it_was_issued() -> None:
    pit, (prize,) = won()
    entry = issued(pit, prize, withheld=7, proposed=5, note="exempt in part")
    content = entry.body["content"]
    row = pit.state.link.rows[prize]
    assert (content["amount_minor"], content["withheld_minor"]) == (row.amount_minor, 7)
    assert content["net_minor"] == row.amount_minor - 7
    assert (content["status"], content["category"], content["facts"]) == ("verified", "straight_flush", FACTS)
    assert entry.body["sha256"] == content_hash(content)
    assert content_hash({**content, "net_minor": content["net_minor"] + 1}) != entry.body["sha256"]
    pit.do(PrizePaid(prize), actor="ana", second="bea")
    for copy in (1, 2):
        (copied,) = pit.do(SlipCopied(prize), actor="ana")  # type: ignore[misc]  # no refusal
        assert copied.body == {"number": 1, "prize": prize, "copy": copy}
    assert pit.state.slips[prize].copies == 2
    assert next(each for each in pit.journal if each.kind == "slip.issued").body["content"] == content


def test_what_a_slip_cannot_be_is_refused_by_name() -> None:
    pit, (prize,) = won()
    amount = pit.state.link.rows[prize].amount_minor
    for event, refusal in (
        (SlipIssued("none", 0, 0, FACTS), Refusal.UNKNOWN_PRIZE),
        (SlipIssued(prize, amount + 1, 0, FACTS, "why"), Refusal.WITHHOLDING_OUT_OF_BOUNDS),
        (SlipIssued(prize, -1, 0, FACTS, "why"), Refusal.WITHHOLDING_OUT_OF_BOUNDS),
        (SlipIssued(prize, 3, 2, FACTS), Refusal.REASON_MISSING),
        (SlipCopied(prize), Refusal.SLIP_NOT_ISSUED),
        (dataclasses.replace(BAD, prize=prize), Refusal.SLIP_NOT_ISSUED),
    ):
        assert reason_of(pit.do(event, actor="ana")) is refusal, event
    pit.do(PrizePutOnHold(prize, HoldReason.IDENTITY, "no document"), actor="ana")
    assert reason_of(pit.do(SlipIssued(prize, 0, 0, FACTS), actor="ana")) is Refusal.PRIZE_ON_HOLD
    assert pit.state.slip_last == 0


def test_a_prize_whose_cards_nobody_saw_has_no_slip() -> None:
    pit = Pit()
    pit.play(HANDS[0], seats=(1,))
    pit.deliver()
    (prize,) = pit.state.link.rows
    assert reason_of(pit.do(SlipIssued(prize, 0, 0, FACTS), actor="ana")) is Refusal.PRIZE_NOT_VERIFIED


def test_a_restored_journal_numbers_in_a_series_of_its_own() -> None:
    pit, (prize,) = won()
    issued(pit, prize)
    restored = Entry("restored", "journal.restored", {"incarnation": "t1-i2"})
    state = pit.machine.apply(pit.state, restored)
    assert (state.slip_series, state.slip_last, dict(state.slips)) == (1, 0, {})
    assert slip_number("t1", state.slip_series, 1) == "t1-R1-000001" != slip_number("t1", 0, 1)


@pytest.mark.requirement("R87")
def test_a_large_prize_is_paid_only_when_its_list_is_done() -> None:
    pit, (prize, small) = won(2, checklist_from_minor=50_001)
    assert not isinstance(pit.do(PrizePaid(small), actor="ana", second="bea"), Refused)
    assert pit.state.link.rows[prize].amount_minor > 50_000
    done: list[CheckItem] = []
    for item in CheckItem:
        answer = pit.do(PrizePaid(prize), actor="ana", second="bea")
        assert isinstance(answer, Refused) and answer.facts["check"] == item.value
        done.append(item)
        assert not isinstance(pit.do(PrizeChecked(prize, tuple(done), "B-77"), actor="ana"), Refused)
    assert not isinstance(pit.do(PrizePaid(prize), actor="ana", second="bea"), Refused)
    content = issued(pit, prize).body["content"]
    assert (content["checked"], content["seal"]) == ([item.value for item in CheckItem], "B-77")
    assert pit.state == pit.replayed()


@pytest.mark.requirement("R87")
def test_a_sealed_hand_names_its_bag() -> None:
    pit, (prize,) = won()
    assert reason_of(pit.do(PrizeChecked(prize, (CheckItem.HAND_SEALED,)), actor="ana")) is Refusal.REASON_MISSING
    assert reason_of(pit.do(PrizeChecked("none", ()), actor="ana")) is Refusal.UNKNOWN_PRIZE


@pytest.mark.requirement("R84")
def test_a_slip_whose_prize_changed_before_it_was_paid_is_void_in_the_same_commit() -> None:
    pit, (prize,) = won()
    issued(pit, prize, 100, 100)
    assert pit.state.last is not None
    correct(pit, "5d", "5c")
    assert pit.state.slips[prize].void == "", "the award stands until the carousel has answered"
    pit.deliver()
    assert pit.state.slips[prize].void == "prize_changed"
    (voided,) = (entry for entry in pit.journal if entry.kind == "slip.voided")
    assert (voided.body["withheld_minor"], voided.body["prize"]) == (100, prize)
    assert pit.state == pit.replayed()


@pytest.mark.requirement("R84")
def test_a_slip_stays_when_its_prize_stays_or_was_paid_by_it() -> None:
    pit, (prize,) = won()
    issued(pit, prize)
    correct(pit, "5d", "5c")
    correct(pit, "5c", "5d")
    pit.deliver()
    assert pit.state.slips[prize].void == ""
    assert not isinstance(pit.do(PrizeVerified(prize), actor="ana"), Refused)
    assert not isinstance(pit.do(PrizePaid(prize), actor="ana", second="bea"), Refused)
    correct(pit, "5d", "5c")
    pit.deliver()
    assert pit.state.slips[prize].void == "", "it tells what was paid"
    assert pit.state == pit.replayed()
