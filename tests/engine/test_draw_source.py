"""The draws' source fails and only the draws are off; an outside input is frozen with the bets."""

from typing import Any

import pytest

from controller.core.draw_events import DrawOutsideSet, DrawSourceBack, DrawSourceFailed
from controller.core.draws import DrawContext, draw_card, draw_position
from controller.core.draws_verify import Verification, verify_draws
from controller.core.events import DrawChainCommitted, DrawSeedRevealed, Key, KeyPressed
from controller.core.refusal import Refusal, Refused
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms
from tests.engine.pit import BANK, SEEDS, Pit, oasis_settings
from tests.engine.test_papers import reason_of

BOTH = (DrawTerms(CARTA_MAGICA, 50), DrawTerms(JUGADOR_AFORTUNADO, 50))
FLUSH = "9d 8d 7d 6d 5d"
PLAIN = "2c 4s 6h 8c Tc"


def pit(**changes: Any) -> Pit:
    return Pit(oasis_settings(draws=BOTH, **changes))


def verified(table: Pit) -> Verification:
    settings = table.settings
    entries = [(number, entry.kind, entry.body) for number, entry in enumerate(table.journal, 1)]
    return verify_draws(settings.site, settings.table, settings.member.incarnation, entries)


def draws_of(table: Pit) -> list[dict[str, Any]]:
    return [dict(entry.body) for entry in table.journal if entry.kind == "draw.made"]


@pytest.mark.requirement("R103")
def test_a_hand_that_waits_for_its_seed_goes_on_without_draws_and_wins_its_jackpot() -> None:
    table = pit()
    table.bet(1)
    table.do(KeyPressed(Key.CLOSE_BETS))
    assert table.state.hand.draws_wanted == (CARTA_MAGICA, JUGADOR_AFORTUNADO)
    assert not isinstance(table.do(DrawSourceFailed("no_seed"), actor="draws"), Refused)
    assert len(table.state.hand.draws_wanted) == 0
    table.deal(FLUSH, BANK)
    table.decide_all()
    assert not isinstance(table.do(KeyPressed(Key.HAND_OVER)), Refused)
    table.deliver()
    (row,) = table.state.link.rows.values()
    assert row.category == "straight_flush"
    assert table.state == table.replayed()
    found = verified(table)
    assert (found.findings, found.draws, found.called_off) == ((), 0, 2)


@pytest.mark.requirement("R103")
def test_draws_stay_off_until_a_chain_is_committed_and_then_every_draw_holds() -> None:
    table = pit()
    table.do(DrawSourceFailed("no_chain"), actor="draws")
    assert table.do(DrawSourceFailed("no_chain"), actor="draws") == ()
    table.play(PLAIN, seats=(1,))
    assert draws_of(table) == []
    table.do(DrawChainCommitted(SEEDS[0].hex(), 20))
    assert not isinstance(table.do(DrawSourceBack(), actor="draws"), Refused)
    assert table.do(DrawSourceBack(), actor="draws") == ()
    table.play(PLAIN, seats=(1,))
    assert [made["hand"] for made in draws_of(table)] == [2]
    found = verified(table)
    assert (found.findings, found.draws, found.called_off) == ((), 2, 0)


@pytest.mark.requirement("R103")
def test_where_the_site_says_hold_the_hand_waits_for_its_draws() -> None:
    table = pit(draws_hold=True)
    table.bet(1)
    table.do(KeyPressed(Key.CLOSE_BETS))
    table.do(DrawSourceFailed("no_seed"), actor="draws")
    assert table.state.draws_off and table.state.hand.draw_pending
    table.deal(PLAIN, BANK)
    table.decide_all()
    assert reason_of(table.do(KeyPressed(Key.HAND_OVER))) is Refusal.DRAW_PENDING
    index = table.state.chain_next
    assert not isinstance(table.do(DrawSeedRevealed(index, SEEDS[index].hex())), Refused)


def outside(table: Pit, value: str, source: str = "Quiniela nocturna") -> object:
    return table.do(DrawOutsideSet(value, source), actor="ana", second="bea")


@pytest.mark.promise("P14")
@pytest.mark.article("O-61", "O-62", "O-63")
def test_an_outside_input_is_frozen_with_the_bets_and_goes_into_both_draws() -> None:
    table = pit(draws_outside=True)
    assert not isinstance(outside(table, " 0417 "), Refused)
    table.bet(1, 3)
    table.do(KeyPressed(Key.CLOSE_BETS))
    assert not isinstance(outside(table, "9999"), Refused)
    index = table.state.chain_next
    table.do(DrawSeedRevealed(index, SEEDS[index].hex()))
    (made,) = draws_of(table)
    closed = next(entry.body for entry in table.journal if entry.kind == "bets.closed")
    assert (made["outside"], closed["outside"], closed["outside_source"]) == ("0417", "0417", "Quiniela nocturna")
    where = DrawContext("test", "t1", "t1-i1", 1, CARTA_MAGICA, made["list_hash"], "0417")
    lucky = DrawContext("test", "t1", "t1-i1", 1, JUGADOR_AFORTUNADO, made["list_hash"], "0417")
    told = {kind: result for kind, result, _ in made["results"]}
    assert told[CARTA_MAGICA] == str(draw_card(SEEDS[index], where))
    assert told[JUGADOR_AFORTUNADO] == str(draw_position(SEEDS[index], lucky, table.settings.seats))
    assert verified(table).findings == ()
    assert table.state == table.replayed()


@pytest.mark.promise("P14")
def test_another_outside_input_than_the_frozen_one_is_found() -> None:
    table = pit(draws_outside=True)
    outside(table, "0417")
    table.play(PLAIN, seats=(1,))
    for number, entry in enumerate(table.journal):
        if entry.kind == "draw.made":
            table.journal[number] = type(entry)(entry.id, entry.kind, {**entry.body, "outside": "0418"})
    assert "outside" in {finding.name for finding in verified(table).findings}


def test_one_person_no_source_or_a_site_without_it_sets_no_outside_input() -> None:
    assert reason_of(outside(pit(), "0417")) is Refusal.OUTSIDE_NOT_USED
    table = pit(draws_outside=True)
    for event, people, refusal in (
        (DrawOutsideSet("1", "x"), ("ana", None), Refusal.SECOND_PERSON_MISSING),
        (DrawOutsideSet("1", "x"), ("ana", "ana"), Refusal.SAME_PERSON_TWICE),
        (DrawOutsideSet("1", " "), ("ana", "bea"), Refusal.REASON_MISSING),
        (DrawOutsideSet("1" * 101, "x"), ("ana", "bea"), Refusal.OUTSIDE_NOT_PLAIN),
        (DrawOutsideSet("1\x07", "x"), ("ana", "bea"), Refusal.OUTSIDE_NOT_PLAIN),
        (DrawOutsideSet("", ""), ("ana", "bea"), Refusal.NOTHING_CHANGES),
    ):
        assert reason_of(table.do(event, actor=people[0], second=people[1])) is refusal, event
    assert not isinstance(outside(table, "1"), Refused)
    assert not isinstance(outside(table, ""), Refused)
    assert table.state.draws_outside == ("", "")
