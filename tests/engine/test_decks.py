"""Which deck and shuffler a hand is dealt from, the shuffler's status, and a deck withdrawn after a wrong count."""

import pytest

from controller.core.equipment_events import DeckReceipt, DeckReplaced
from controller.core.events import AlarmRaised, Key, KeyPressed
from controller.core.refusal import Refusal, Refused
from controller.engine.table_decks import decks_in_use
from tests.engine.pit import Pit, oasis_settings

NOTHING = "2c 4s 6h 8c Tc"


def pit_with(*decks: str, alternate: bool = False) -> Pit:
    return Pit(oasis_settings(decks=decks, decks_alternate=alternate, shuffler="DM-4711"))


def hands(pit: Pit, count: int) -> list[tuple[str, str]]:
    for _ in range(count):
        assert not isinstance(pit.play(NOTHING), Refused)
    return [(each.body["deck"], each.body["shuffler"]) for each in pit.journal if each.kind == "bets.closed"]


@pytest.mark.article("O-10", "O-14", "O-24")
@pytest.mark.parametrize(
    ("decks", "alternate", "expected"),
    [
        ((), False, ["", "", ""]),
        (("red",), False, ["red", "red", "red"]),
        (("red", "blue"), False, ["red", "red", "red"]),
        (("red", "blue"), True, ["red", "blue", "red"]),
    ],
)
def test_a_hand_is_stored_with_its_deck_and_shuffler(
    decks: tuple[str, ...], alternate: bool, expected: list[str]
) -> None:
    assert hands(pit_with(*decks, alternate=alternate), 3) == [(deck, "DM-4711") for deck in expected]


@pytest.mark.requirement("R111")
def test_a_wrong_count_is_an_alarm_until_a_new_deck_takes_the_place() -> None:
    pit = pit_with("red", "blue", alternate=True)
    pit.do(AlarmRaised("wrong_card_count", "shuffler", "51 cards"))
    pit.do(AlarmRaised("stuck", "io/in3"))
    answer = pit.do(DeckReplaced("blue", "green", "51 cards"), actor="ana")
    assert not isinstance(answer, Refused)
    assert [entry.kind for entry in answer] == ["deck.replaced", "alarm.cleared"]
    assert list(pit.state.alarms) == ["stuck@io/in3"]
    assert hands(pit, 2) == [("red", "DM-4711"), ("green", "DM-4711")]
    pit.do(DeckReplaced("green", "white"))
    assert decks_in_use(pit.settings, pit.state) == ("red", "white")
    assert pit.replayed() == pit.state


@pytest.mark.requirement("R112")
def test_a_deck_is_stored_with_its_inspection() -> None:
    pit = pit_with("red")
    receipt = DeckReceipt("Fournier", "818", "L-4711", "Ana Pérez")
    (entry,) = pit.do(DeckReplaced("red", "blue", "worn", receipt), actor="ana")  # type: ignore[misc]  # no refusal
    assert entry.body["receipt"] == {"maker": "Fournier", "model": "818", "serial": "L-4711", "operator": "Ana Pérez"}
    assert (entry.body["old"], entry.body["new"], entry.actor) == ("red", "blue", "ana")


@pytest.mark.requirement("R111")
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("pink", "white", Refusal.UNKNOWN_DECK),
        ("blue", "white", Refusal.UNKNOWN_DECK),
        ("red", "", Refusal.DECK_USED),
        ("red", "red", Refusal.DECK_USED),
        ("red", "blue", Refusal.DECK_USED),
        ("green", "red", Refusal.DECK_USED),
        ("green", "blue", Refusal.DECK_USED),
    ],
)
def test_a_withdrawn_deck_does_not_come_back(old: str, new: str, expected: Refusal) -> None:
    pit = pit_with("red", "blue")
    assert not isinstance(pit.do(DeckReplaced("blue", "green")), Refused)
    answer = pit.do(DeckReplaced(old, new))
    assert isinstance(answer, Refused)
    assert answer.reason is expected


def test_the_shufflers_last_word_is_kept() -> None:
    pit = pit_with("red")
    for key in (Key.LID_OPEN, Key.SHUFFLE_DONE):
        pit.do(KeyPressed(key))
        assert pit.state.shuffler_status == key.value
    assert pit.replayed() == pit.state
