"""Scenes as functions of a table's state: what the screen shows at each step of a hand and of a prize."""

import re
from dataclasses import replace
from typing import Any

import pytest

from controller.adapters.screens.scene_prizes import other_prizes
from controller.adapters.screens.scene_table import Moment, TableFace, table_scene
from controller.config.table import Table
from controller.core.cards import DECK, Card
from controller.core.events import (
    CardRead,
    DrawWinnerNamed,
    HandVoided,
    JackpotBetsStopped,
    Key,
    KeyPressed,
    LinkStateChanged,
    PrizePaid,
    PrizeVerified,
    SeatsClosed,
    VoidReason,
)
from controller.core.games.oasis import CardsRead, Oasis, OasisSettings
from controller.core.prize_events import OverrideReason, PrizeOverridden
from controller.core.refusal import Refused
from controller.engine.messages import PendingPrize
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms
from display import scene as show
from tests.engine.circle_pit import CirclePit
from tests.engine.pit import BANK, MINIMUM, START, Pit, oasis_settings

NOTHING = "2c 4s 6h 8c Tc"
STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
ROYAL = "Ad Kd Qd Jd Td"
DRAWS = (DrawTerms(CARTA_MAGICA, 50), DrawTerms(JUGADOR_AFORTUNADO, 70))


def scene(pit: Pit, public_url: Any = None, **moment: Any) -> show.TableScreen:
    table = Table.model_validate({"id": "t1", "name": "Mesa 1", "game": "oasis", "seats": 7, "carousel": "c1"})
    face = TableFace(table, pit.settings, show.Currency(), "Gran Carrusel", "1", {"t1": "1"}, public_url)
    return table_scene(face, pit.state, Moment(1_000, **moment))


@pytest.fixture
def pit() -> Pit:
    return Pit(oasis_settings(draws=DRAWS))


def test_idle_then_bets_with_the_seats_lit(pit: Pit) -> None:
    assert isinstance(scene(pit).stage, show.Idle)
    pit.bet(2, credits=3)
    shown = scene(pit)
    assert isinstance(shown.stage, show.Bets)
    assert [(each.number, each.credits) for each in shown.seats if each.credits] == [(2, 3)]
    assert shown.meter is not None
    assert (shown.meter.amount.minor, shown.meter.freshness) == (str(START), show.Freshness.FRESH)


@pytest.mark.parametrize("most", [1, 5])
def test_a_screen_is_told_how_many_credits_a_seat_may_bet(most: int) -> None:
    usual = oasis_settings()
    pit = Pit(oasis_settings(jackpot=replace(usual.jackpot, max_credits=most)))
    assert scene(pit).max_credits == most


@pytest.mark.requirement("R40", "R47", "R52")
@pytest.mark.article("O-53")
def test_the_prize_list_is_there_in_every_state(pit: Pit) -> None:
    rows = scene(pit).prizes
    assert [row.category for row in rows] == ["royal_flush", "straight_flush", "four_of_a_kind"]
    pit.do(LinkStateChanged(False))
    lost = scene(pit)
    assert isinstance(lost.stage, show.LinkLost)
    assert len(lost.prizes) == 3


@pytest.mark.article("O-61")
def test_the_draws_are_revealed_and_stay_as_marks(pit: Pit) -> None:
    pit.bet(1)
    pit.close()
    card, seat = (result.outcome for result in pit.state.hand.draws)
    revealing = scene(pit, revealing=CARTA_MAGICA).stage
    assert isinstance(revealing, show.CartaMagica)
    assert revealing.card == card
    wheel = scene(pit, revealing=JUGADOR_AFORTUNADO).stage
    assert isinstance(wheel, show.JugadorAfortunado)
    assert (wheel.positions, wheel.chosen) == (tuple(range(1, 8)), int(seat))
    later = scene(pit)
    assert isinstance(later.stage, show.Hand)
    assert later.carta_magica is not None
    assert later.carta_magica.card == card


@pytest.mark.requirement("O34")
@pytest.mark.article("O-35")
def test_a_bought_card_is_marked_at_once(pit: Pit) -> None:
    pit.bet(1)
    pit.close()
    pit.deal(NOTHING, BANK)
    assert [each.number for each in scene(pit).seats if each.deciding] == [1]
    pit.do(KeyPressed(Key.PLAY))
    pit.do(KeyPressed(Key.BUY, seat=1))
    assert scene(pit).seats[0].bought_card


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


LOSERS = ("3c 5s 7h 9c Jc", "3d 5h 7d 9h Jd")


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


@pytest.mark.requirement("R52")
def test_stopped_bets_and_closed_seats_are_said(pit: Pit) -> None:
    pit.do(JackpotBetsStopped("pit_boss"), actor="ana")
    assert isinstance(scene(pit).stage, show.JackpotStopped)
    pit.do(SeatsClosed("io", (1, 2), "unplugged"))
    notices = {notice.code: notice.seats for notice in scene(pit).notices}
    assert notices[show.NoticeCode.JACKPOT_CLOSED_AT_SEATS] == (1, 2)
    pit.do(SeatsClosed("io", tuple(range(1, 8)), "unplugged"))
    assert isinstance(scene(pit).stage, show.OutOfService)


def test_a_void_hand_leaves_no_draw_behind(pit: Pit) -> None:
    pit.bet(1)
    pit.close()
    pit.do(HandVoided(VoidReason.DEAL_ERROR), actor="ana", second="bea")
    shown = scene(pit, revealing=CARTA_MAGICA)
    assert (shown.carta_magica, shown.hand_number) == (None, 2)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (VoidReason.DEAL_ERROR, show.VoidReason.CARD_ERROR),
        (VoidReason.BANK_CARD_EXPOSED, show.VoidReason.EXPOSED_CARD),
        (VoidReason.EXCHANGED_INFORMATION, show.VoidReason.INFORMATION),
        (VoidReason.WRONG_CARD_COUNT, show.VoidReason.WRONG_COUNT),
        (VoidReason.FOREIGN_BET, show.VoidReason.OTHER),
    ],
)
def test_a_void_is_told_with_its_reason(pit: Pit, reason: VoidReason, told: show.VoidReason) -> None:
    pit.bet(1)
    pit.close()
    pit.do(HandVoided(reason), actor="ana", second="bea")
    assert pit.state.last is not None
    assert scene(pit, void=pit.state.last.void).stage == show.HandVoided(told)


def test_linked_tables_are_told_by_their_numbers(pit: Pit) -> None:
    meter = scene(pit).meter
    assert meter is not None
    assert (meter.carousel, meter.linked_tables) == ("Gran Carrusel", ("1",))


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


@pytest.mark.article("O-61")
def test_the_code_of_a_draw_comes_after_its_reveal_and_only_with_a_public_address(pit: Pit) -> None:
    pit.bet(1)
    assert scene(pit, "https://mesas.example").draw_check is None
    pit.close()
    assert scene(pit, "https://mesas.example", revealing=CARTA_MAGICA).draw_check is None
    assert scene(pit).draw_check is None
    check = scene(pit, "https://mesas.example").draw_check
    assert check is not None
    assert (check.hand, check.code.says) == (1, "https://mesas.example/draw/t1/1")
    pit.deal(NOTHING, BANK)
    pit.decide_all()
    pit.do(KeyPressed(Key.HAND_OVER))
    assert scene(pit, "https://mesas.example").draw_check == check, "the next hand's bets leave time to read it"
    pit.bet(2)
    pit.close()
    later = scene(pit, "https://mesas.example").draw_check
    assert later is not None
    assert later.hand == 2


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


CARD = re.compile(r'"([2-9TJQKA][cdhs])"')


def cards_told(pit: Pit, **moment: Any) -> set[str]:
    """Every card named anywhere in what leaves for a screen."""
    return set(CARD.findall(show.to_json(scene(pit, **moment))))


def drawn(pit: Pit) -> set[str]:
    return {each.outcome for each in pit.state.hand.draws if each.kind == CARTA_MAGICA}


def boxes_with(card: str) -> tuple[str, str, str]:
    """Two boxes and a bank; the first box holds the card."""
    rest = [each for each in DECK if each != card]
    return " ".join([card, *rest[:4]]), " ".join(rest[4:9]), " ".join(rest[9:14])


@pytest.mark.article("O-67")
def test_no_hidden_card_leaves_for_a_screen_before_the_end_of_the_hand(pit: Pit) -> None:
    pit.bet(1, 2)
    pit.close()
    card = next(iter(drawn(pit)))
    for each in " ".join(boxes_with(card)).split():
        assert not isinstance(pit.do(CardRead(Card(each))), Refused)
        assert cards_told(pit) == cards_told(pit, revealing=CARTA_MAGICA) == {card}
    while pit.settings.game.turn(pit.state.hand.game) is not None:
        assert scene(pit).carta_magica == show.CartaMagicaMark(card), "who holds it is a card of that box"
        assert scene(pit, revealing=CARTA_MAGICA).stage == show.CartaMagica(card, show.Amount.of(50))
        assert not isinstance(pit.do(KeyPressed(Key.PLAY)), Refused)
        assert cards_told(pit) == {card}
    assert scene(pit).carta_magica == show.CartaMagicaMark(card), "cards may still be bought"
    pit.do(KeyPressed(Key.HAND_OVER))
    stage = scene(pit).stage
    assert isinstance(stage, show.PrizePending)
    assert (CARTA_MAGICA, 1, (card,)) in [(win.category, win.seat, win.cards) for win in stage.wins]


@pytest.mark.article("O-62")
def test_the_holder_is_told_when_the_cards_are_turned_up() -> None:
    seats = tuple(range(1, 8))
    game = Oasis(OasisSettings(seats, MINIMUM, 50_000, cards_read=CardsRead.SHOWDOWN))
    pit = Pit(oasis_settings(draws=DRAWS, game=game))
    pit.bet(1, 2)
    pit.close()
    card = next(iter(drawn(pit)))
    pit.decide_all()
    first, _, bank = boxes_with(card)
    pit.deal(bank)
    assert scene(pit).carta_magica == show.CartaMagicaMark(card)
    pit.deal(first)
    assert scene(pit).carta_magica == show.CartaMagicaMark(card, (1,))


@pytest.mark.article("O-62")
def test_two_people_name_the_holder_before_the_showdown(pit: Pit) -> None:
    pit.bet(3)
    pit.close()
    card = next(iter(drawn(pit)))
    pit.do(DrawWinnerNamed(CARTA_MAGICA, 3), actor="ana", second="bea")
    assert scene(pit).carta_magica == show.CartaMagicaMark(card, (3,))


def test_after_a_hand_only_the_cards_that_won_are_told() -> None:
    pit = Pit()
    pit.play(NOTHING, STRAIGHT_FLUSH, seats=(1, 2))
    pit.deliver()
    assert cards_told(pit) == set(STRAIGHT_FLUSH.split())


def test_the_circle_tells_the_board_and_no_hole_card() -> None:
    pit = CirclePit(draws=DRAWS)
    pit.wager(1)
    face = TableFace(
        Table.model_validate({"id": "t1", "name": "Mesa 1", "game": "holdem-circle", "seats": 10}),
        pit.settings,
        show.Currency(),
        None,
        "1",
    )

    def told() -> set[str]:
        return set(CARD.findall(show.to_json(table_scene(face, pit.state, Moment(1_000)))))

    pit.close()
    card = next(iter(drawn(pit)))
    hole = [each for each in DECK if each != card][:8]
    for each in [card, *hole[:7]]:
        pit.told(CardRead(Card(each)))
        assert told() == drawn(pit)
