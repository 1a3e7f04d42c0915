"""A table's screen from a prize to its payment: pending, verified, paid, of another amount, beside the next hands."""

from dataclasses import replace

import pytest

from controller.adapters.screens.scene_prizes import other_prizes
from controller.core.events import LinkStateChanged, PrizePaid, PrizeVerified
from controller.core.hands import Category
from controller.core.prize_events import OverrideReason, PrizeOverridden
from controller.engine.messages import PendingPrize
from controller.engine.table_state import CARTA_MAGICA
from display import scene as show
from display.texts import screen_texts
from tests.adapters.scene_moments import DRAWS, NOTHING, ROYAL, STRAIGHT_FLUSH, scene
from tests.engine.pit import START, Pit, oasis_settings

LOSERS = ("3c 5s 7h 9c Jc", "3d 5h 7d 9h Jd")


@pytest.fixture
def pit() -> Pit:
    return Pit(oasis_settings(draws=DRAWS))


@pytest.mark.requirement("R47")
@pytest.mark.article("O-60")
def test_a_prize_is_split_off_while_pending_and_stamped_when_paid() -> None:
    pit = Pit()
    pit.play(STRAIGHT_FLUSH, seats=(4,))
    pit.deliver()
    pending = scene(pit).stage
    assert isinstance(pending, show.PrizePending)
    whole = START + 20
    assert (pending.before, pending.held) == (show.Amount.of(whole), show.Amount.of(whole // 10))
    assert pending.in_play == show.Amount.of(whole - whole // 10)
    (win,) = pending.wins
    assert (win.seat, win.percent_bp, win.state) == (4, 1_000, show.PrizeState.PENDING)
    assert (win.of, win.credits, win.cards) == (pending.before, 1, tuple(STRAIGHT_FLUSH.split()))
    row = next(iter(pit.state.link.rows))
    pit.do(PrizeVerified(row), actor="ana")
    pit.do(PrizePaid(row), actor="ana", second="bea")
    paid = scene(pit, paid_rows=(row,), paid_at_ms=5, journal_seq=77).stage
    assert isinstance(paid, show.PrizePaid)
    assert (paid.entry, paid.before, paid.after) == (77, pending.before, pending.in_play)
    assert isinstance(scene(pit).stage, show.Idle)


@pytest.mark.article("O-58")
def test_a_royal_is_the_whole_screen() -> None:
    pit = Pit()
    pit.play("As Ks Qs Js Ts", seats=(4,))
    pit.deliver()
    royal = scene(pit).stage
    assert isinstance(royal, show.Royal)
    assert (royal.amount, royal.restart) == (show.Amount.of(START + 20), show.Amount.of(START))


def deal_until_drawn(pit: Pit) -> None:
    """Hands that win nothing until one draws a prize."""
    before = len(pit.state.draw_prizes)
    while len(pit.state.draw_prizes) == before:
        pit.play(NOTHING, *LOSERS, seats=(1, 2, 3))


def test_a_drawn_prize_leaves_the_stage_to_the_next_hands_first_bet(pit: Pit) -> None:
    deal_until_drawn(pit)
    between = scene(pit)
    assert isinstance(between.stage, show.PrizePending)
    assert between.standing == ()
    pit.bet(1)
    shown = scene(pit)
    assert isinstance(shown.stage, show.Bets)
    assert any(each.win is not None for each in shown.seats)
    assert {each.state for each in shown.standing} == {show.PrizeState.PENDING}


@pytest.mark.requirement("R47")
def test_a_pending_prize_stands_beside_the_course_of_the_next_hands_until_it_is_paid(pit: Pit) -> None:
    pit.play(STRAIGHT_FLUSH, seats=(4,))
    pit.deliver()
    row = next(iter(pit.state.link.rows))
    first = scene(pit)
    assert isinstance(first.stage, show.PrizePending)
    amount = next(win.amount for win in first.stage.wins if win.category == "straight_flush")
    pending = show.StandingPrize(4, "straight_flush", amount, show.PrizeState.PENDING)
    pit.bet(1)
    assert isinstance(scene(pit).stage, show.Bets)
    pit.close()
    told = [scene(pit), *(scene(pit, revealing=each.kind) for each in DRAWS)]
    assert [type(each.stage) for each in told] == [show.Hand, show.CartaMagica, show.JugadorAfortunado]
    pit.do(LinkStateChanged(False))
    told.append(scene(pit))
    assert isinstance(told[-1].stage, show.LinkLost)
    assert all(pending in each.standing for each in told)
    pit.do(LinkStateChanged(True))
    pit.do(PrizeVerified(row), actor="ana")
    assert replace(pending, state=show.PrizeState.VERIFIED) in scene(pit).standing
    pit.do(PrizePaid(row), actor="ana", second="bea")
    assert replace(pending, state=show.PrizeState.PAID) in scene(pit, paid_rows=(row,)).standing
    assert [each for each in scene(pit).standing if each.category == "straight_flush"] == []


@pytest.mark.requirement("R85")
@pytest.mark.parametrize("difference", [1_234, -2])
def test_a_prize_paid_by_another_amount_says_what_was_paid_and_the_meter_what_left_it(difference: int) -> None:
    pit = Pit()
    pit.play(STRAIGHT_FLUSH, seats=(4,))
    pit.deliver()
    (row,) = pit.state.link.rows.values()
    pit.do(PrizeVerified(row.id), actor="ana")
    event = PrizeOverridden(row.id, row.amount_minor + difference, OverrideReason.OTHER, "as agreed")
    pit.do(event, actor="ana", second="bea")
    waits = scene(pit).stage
    assert isinstance(waits, show.PrizePending)
    assert waits.wins[0].amount == show.Amount.of(row.amount_minor), "nothing was paid yet"
    pit.do(PrizePaid(row.id), actor="ana", second="bea")
    stage = scene(pit, paid_rows=(row.id,)).stage
    assert isinstance(stage, show.PrizePaid)
    agreed = show.Amount.of(row.amount_minor + difference)
    assert [(win.amount, win.of, win.state) for win in stage.wins] == [(agreed, None, show.PrizeState.PAID)]
    assert stage.before is not None and stage.after is not None
    assert int(stage.before.minor) - int(stage.after.minor) == row.amount_minor
    pit.bet(1)
    assert [each.amount for each in scene(pit, paid_rows=(row.id,)).standing] == [agreed]


@pytest.mark.requirement("R85")
def test_a_royal_paid_by_another_amount_says_what_was_paid() -> None:
    pit = Pit()
    pit.play(ROYAL, seats=(4,))
    pit.deliver()
    (row,) = pit.state.link.rows.values()
    pit.do(PrizeVerified(row.id), actor="ana", second="bea")
    pit.do(PrizeOverridden(row.id, 7, OverrideReason.OTHER, "as agreed"), actor="ana", second="bea")
    pit.do(PrizePaid(row.id), actor="ana", second="bea")
    stage = scene(pit, paid_rows=(row.id,)).stage
    assert isinstance(stage, show.Royal)
    assert (stage.amount, stage.state) == (show.Amount.of(7), show.PrizeState.PAID)


@pytest.mark.requirement("R47")
def test_a_smaller_draw_never_takes_the_stage_from_a_larger_prize_and_leaves_with_its_hand(pit: Pit) -> None:
    pit.play(STRAIGHT_FLUSH, seats=(4,))
    pit.deliver()
    deal_until_drawn(pit)
    drawn = max(pit.state.draw_prizes.values(), key=lambda prize: prize.hand)
    between = scene(pit)
    assert isinstance(between.stage, show.Idle), "the smaller prize of the hand just over stands beside"
    assert between.standing[0].category == "straight_flush"
    assert drawn.seat in [each.seat for each in between.standing]
    pit.do(PrizeVerified(drawn.id), actor="ana")
    pit.do(PrizePaid(drawn.id), actor="ana", second="bea")
    paid = scene(pit, paid_rows=(drawn.id,))
    assert isinstance(paid.stage, show.Idle)
    assert (paid.standing[0].state, paid.standing[-1].state) == (show.PrizeState.PENDING, show.PrizeState.PAID)
    pit.play(NOTHING, *LOSERS, seats=(1, 2, 3))
    assert show.PrizeState.PAID not in {each.state for each in scene(pit).standing}


def test_a_verified_prize_waits_to_be_paid_and_says_so_on_its_cheque_and_seat() -> None:
    pit = Pit()
    pit.play(STRAIGHT_FLUSH, seats=(4,))
    pit.deliver()
    pit.do(PrizeVerified(next(iter(pit.state.link.rows))), actor="ana")
    shown = scene(pit)
    assert isinstance(shown.stage, show.PrizePending)
    assert [win.state for win in shown.stage.wins] == [show.PrizeState.VERIFIED]
    assert [each.win.state for each in shown.seats if each.win is not None] == [show.PrizeState.VERIFIED]


def test_a_fixed_prize_tells_its_credits_and_a_share_of_what_was_left_tells_no_whole() -> None:
    pit = Pit()
    pit.play("3c 3d 3h 3s 2c", "9d 8d 7d 6d 5d", "9s 8s 7s 6s 5s", seats=(1, 2, 3), credits=3)
    pit.deliver()
    stage = scene(pit).stage
    assert isinstance(stage, show.PrizePending)
    told = {win.seat: (win.credits, win.of is None, win.percent_bp) for win in stage.wins}
    assert told == {1: (3, True, None), 2: (3, False, 1_000), 3: (3, False, 1_000)}


def test_a_smaller_straight_flush_is_no_share_of_the_whole_meter() -> None:
    pit = Pit()
    pit.play("9d 8d 7d 6d 5d", "7h 6h 5h 4h 3h", seats=(1, 2))
    pit.deliver()
    stage = scene(pit).stage
    assert isinstance(stage, show.PrizePending)
    assert [win.of for win in stage.wins] == [stage.before, None]


def test_what_other_tables_won_is_told_and_what_the_meter_lost(pit: Pit) -> None:
    won = [PendingPrize("t1", 1, 2, "flush", 5, False), PendingPrize("t2", 4, 6, "straight_flush", 700, False)]
    others = other_prizes({"t2": "9"}, "t1", won)
    assert others == (show.OtherPrize("9", "straight_flush", show.Amount.of(700), show.PrizeState.PENDING),)
    fall = show.MeterFall(12, show.FallReason.AWARD)
    shown = scene(pit, others=others, fall=fall)
    assert shown.meter is not None
    assert (shown.other_prizes, shown.meter.fall) == (others, fall)


def test_a_claim_that_waits_for_people_is_pending_without_an_amount(pit: Pit) -> None:
    waiting = PendingPrize("t2", 4, 6, "straight_flush", 0, held=True, waiting=True)
    (other,) = other_prizes({"t2": "9"}, "t1", [waiting])
    assert other == show.OtherPrize("9", "straight_flush", None, show.PrizeState.PENDING)
    own = replace(waiting, table="t1")
    between = scene(pit, waiting=(own,))
    assert between.stage == show.PrizePending((show.PrizeWin(6, "straight_flush", None, show.PrizeState.PENDING),))
    assert between.standing == ()
    pit.bet(1)
    playing = scene(pit, waiting=(own,))
    assert isinstance(playing.stage, show.Bets)
    assert playing.standing == (show.StandingPrize(6, "straight_flush", None, show.PrizeState.PENDING),)


def drawn(pit: Pit) -> set[str]:
    return {each.outcome for each in pit.state.hand.draws if each.kind == CARTA_MAGICA}


@pytest.mark.parametrize("language", ["es", "en"])
def test_whatever_hand_wins_has_a_name_on_screens(language: str) -> None:
    """A prize list may name any of them, and a pot of the circle game is won with a high card too."""
    texts = screen_texts(language)
    assert [each.value for each in Category if not texts.has(f"category.{each.value}")] == []
