"""Jackpot bets: by sensor or by hand, none while the link is lost, and no meter where there is no progressive."""

from dataclasses import replace

import pytest

from controller.adapters.screens.scene_table import Moment, TableFace, table_scene
from controller.config.table import Table
from controller.core.events import AntePlaced, CreditWagered, Key, KeyPressed, LinkStateChanged
from controller.core.ledger import Entry
from controller.core.refusal import Refusal, Refused
from controller.engine.table_state import JackpotKind
from display import scene as show
from tests.engine.pit import BANK, START, Pit, oasis_settings

ROYAL = "As Ks Qs Js Ts"


def wagered(manual: bool) -> tuple[Pit, Entry]:
    pit = Pit()
    pit.do(AntePlaced(3))
    answer = pit.do(CreditWagered(3, 2, manual=manual))
    assert not isinstance(answer, Refused)
    return pit, answer[0]


@pytest.mark.requirement("R01")
def test_a_bet_by_sensor_and_one_by_hand_are_the_same_bet() -> None:
    (sensed, by_sensor), (pressed, by_hand) = wagered(False), wagered(True)
    assert sensed.state.hand.credits == pressed.state.hand.credits == {3: 2}
    assert (by_sensor.kind, by_sensor.postings) == (by_hand.kind, by_hand.postings)


@pytest.mark.requirement("R50", "R58")
def test_while_the_link_is_lost_the_base_game_goes_on_and_nothing_is_taken_or_won() -> None:
    pit = Pit()
    pit.do(LinkStateChanged(False))
    pit.do(AntePlaced(1))
    refused = pit.do(CreditWagered(1, manual=True))
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.JACKPOT_BETS_STOPPED
    pit.close()
    pit.deal(ROYAL, BANK)
    pit.decide_all()
    assert not isinstance(pit.do(KeyPressed(Key.HAND_OVER)), Refused)
    assert pit.state.hand.number == 2
    assert pit.balance("carousel.main") == 0
    assert not pit.state.link.open_claims
    assert pit.meter_minor == START


def screen(kind: JackpotKind) -> show.TableScreen:
    settings = oasis_settings(jackpot=replace(oasis_settings().jackpot, kind=kind))
    table = Table.model_validate({"id": "t1", "name": "Mesa 1", "game": "oasis", "seats": 7})
    face = TableFace(table, settings, show.Currency(), "Gran Carrusel", "1")
    return table_scene(face, Pit(settings).state, Moment(1_000))


@pytest.mark.requirement("R49")
def test_only_a_progressive_has_a_meter_on_its_screen() -> None:
    assert screen(JackpotKind.PROGRESSIVE).meter is not None
    fixed = screen(JackpotKind.FIXED)
    assert fixed.meter is None
    assert len(fixed.prizes) == 3
