"""What happens in the golden journals. A change here makes no file anew: it is seen in those of the next label."""

from controller.core.cards import Card
from controller.core.circle_events import PlayerRested, PlayerReturned, PlayerSeated, Rebought, StackCounted
from controller.core.equipment_events import LampTested, LampTestRan, LampTestSwitched
from controller.core.events import (
    AntePlaced,
    CardRead,
    ClockRan,
    CreditWagered,
    HandCorrected,
    HandVoided,
    Key,
    KeyPressed,
    PrizePaid,
    PrizeVerified,
    VoidReason,
)
from controller.core.prize_events import (
    CheckItem,
    HoldReason,
    PrizeChecked,
    PrizeHoldReleased,
    PrizePutOnHold,
    SlipCopied,
    SlipIssued,
    SlipVoided,
    SlipVoidReason,
)
from controller.core.refusal import Refused
from tests.engine.circle_pit import CirclePit
from tests.engine.pit import Pit
from tests.golden.terms import BONUS, CIRCLE

DECK = "4s Tc Jd 2h Ks 7c 9h 3d Qc 5d 8s Ah 6c 2d Td 8h Kc 4d 7s Js"
"""Cards as a circle hand is dealt that is checked down."""


def oasis() -> Pit:
    """Some hands of a table and its host: nothing won, a straight flush, four of a kind, and bets of a fourth hand."""
    pit = Pit()
    pit.play("As Kd Qs 4c 3d", "9c 8d 2d 6d 5d", seats=(1, 2), credits=2)
    pit.deliver()
    pit.play("9d 8d 7d 6d 5d", "As Kd Qs 4c 3d", seats=(2, 3))
    pit.deliver()
    pit.play("9s 9h 9d 9c 5d", seats=(4,), credits=5)
    pit.deliver()
    pit.bet(1, 7)
    return pit


def lamps() -> Pit:
    """Every lamp on and off, one until its time ran, one until a bet came, a hand, and one that is on test."""
    pit = Pit()
    told(pit, LampTestSwitched(True), "tomas")
    told(pit, LampTestSwitched(False), "tomas")
    for seat, lamp in ((2, "lamp"), (3, "out")):
        told(pit, LampTested(seat, lamp), "tomas")
        if seat == 2 and pit.state.lamp_on_test is not None:
            told(pit, LampTestRan(pit.state.lamp_on_test.id), "clock")
    pit.play("As Kd Qs 4c 3d", "9c 8d 2d 6d 5d", seats=(1, 2), credits=2)
    pit.deliver()
    told(pit, LampTested(7, "invite"), "tomas")
    return pit


def told(pit: Pit, event: object, actor: str = "ana", second: str | None = None) -> None:
    """An event that is not refused."""
    answer = pit.do(event, actor=actor, second=second)
    assert isinstance(answer, tuple), answer


def keys(pit: Pit, *pressed: Key) -> None:
    for key in pressed:
        told(pit, KeyPressed(key), "dealer")


def read(pit: Pit, cards: str) -> None:
    for card in cards.split():
        told(pit, CardRead(Card(card)), "dealer")


def bonus_bets(pit: Pit, *seats: int, credits: int = 1) -> None:
    for seat in seats:
        told(pit, AntePlaced(seat, 2_000), "dealer")
        told(pit, CreditWagered(seat, credits), "dealer")
    pit.close()


def bonus() -> Pit:
    """A straight flush with its slip, a hold and the list of checks; a four that a correction takes back; a void hand;
    a folded box; and bets that lie there."""
    pit = Pit(BONUS)
    bonus_bets(pit, 2, 5, credits=2)
    read(pit, "Th Kd Ac Jh Kc Ad")
    keys(pit, Key.PLAY, Key.PLAY)
    read(pit, "2s 9h 8h 7h")
    keys(pit, Key.BET, Key.CHECK)
    read(pit, "3s 2c")
    keys(pit, Key.CHECK, Key.BET)
    read(pit, "4s 3d")
    keys(pit, Key.HAND_OVER)
    pit.deliver()
    (prize,) = pit.state.link.rows
    told(pit, PrizePutOnHold(prize, HoldReason.CAMERA_REVIEW, "the burned card"))
    told(pit, PrizeHoldReleased(prize, "seen"), "ana", "bea")
    told(pit, PrizeChecked(prize, (CheckItem.CARDS_TO_CAMERA, CheckItem.DECK_COUNTED, CheckItem.HAND_SEALED), "B-17"))
    told(pit, PrizeVerified(prize))
    told(pit, SlipIssued(prize, 0, 0, {"table": "Bonus 1", "cards": ["Th", "Jh"]}))
    told(pit, SlipVoided(prize, SlipVoidReason.WRONG_DATA, "another document"))
    told(pit, SlipIssued(prize, 5, 0, {"table": "Bonus 1", "cards": ["Th", "Jh"]}, "withheld by hand"))
    told(pit, SlipCopied(prize))
    told(pit, PrizePaid(prize), "ana", "bea")
    pit.deliver()
    number = pit.state.hand.number
    bonus_bets(pit, 1, 3, 4)
    read(pit, "9s 6d 2h Ac 9d 6c 7s Ks")
    keys(pit, Key.PLAY, Key.FOLD, Key.PLAY)
    read(pit, "5s 9h 9c Qd")
    keys(pit, Key.BET, Key.CHECK)
    read(pit, "5h Jc")
    keys(pit, Key.BET, Key.CHECK)
    read(pit, "5d 3c")
    keys(pit, Key.HAND_OVER)
    pit.deliver()
    told(pit, HandCorrected(number, "board", Card("9c"), Card("8c")), "ana", "bea")
    pit.deliver()
    bonus_bets(pit, 6)
    read(pit, "As Kd")
    keys(pit, Key.VOID)
    told(pit, HandVoided(VoidReason.BANK_CARD_EXPOSED, "the deck fell"), "ana")
    pit.deliver()
    told(pit, AntePlaced(7, 2_000), "dealer")
    told(pit, CreditWagered(7, 3, manual=True), "dealer")
    return pit


def circle() -> CirclePit:
    """A draw of seats and a game to its end: all-ins with side pots and rake, a jackpot, a void while it is played and
    one after it was paid, a rest with its return, a rebuy, a newcomer, a counted stack, and the end by the clock."""
    pit = CirclePit(settings=CIRCLE)
    seats = sorted(pit.draw_seats("Ana", "Luis", "Eva", "Raúl"))
    assert seats == [1, 3, 5, 10], "the seed of the draw is fixed"
    for seat, chips in zip(seats, (4_000, 10_000, 6_000, 12_000), strict=True):
        pit.told(PlayerSeated(seat, chips))
    one, two, three, four = seats
    pit.wager(two, 2)
    pit.close()
    pit.read("As 9d Qh 2c Ac 9h Qd 7d")
    pit.keys(*["all_in"] * 4)
    for cards in ("3c 9s 9c Kd", "3d 5h", "3h 6s"):
        pit.read(cards)
    pit.keys("hand_over")
    pit.deliver()
    pit.told(Rebought(one, 4_000))
    pit.told(Rebought(three, 6_000))
    pit.close()
    dealt(pit)
    pit.keys("raise", "void")
    pit.told(HandVoided(VoidReason.WRONG_CARD_COUNT), actor="ana")
    pit.wager(four)
    checked_down(pit)
    pit.told(HandVoided(VoidReason.DEAL_ERROR, "a deck of 51", pit.state.hand.number - 1), actor="ana", second="bea")
    pit.deliver()
    newcomer = 4
    pit.told(PlayerSeated(newcomer, 8_000))
    pit.told(PlayerRested(four))
    checked_down(pit)
    checked_down(pit)
    pit.told(PlayerReturned(four))
    pit.told(StackCounted(newcomer, 7_000, "a chip under the rail"), actor="ana", second="bea")
    for minute in range(1, 61):
        pit.told(ClockRan(f"1/minute/{minute}"), actor="clock")
    checked_down(pit)
    assert pit.state.hand.game.table.ended == "time"
    return pit


def dealt(pit: CirclePit) -> list[str]:
    """Two cards to each player of the hand; what is left of the deck."""
    count, deck = 2 * len(pit.state.hand.game.bets.live), DECK.split()
    pit.read(" ".join(deck[:count]))
    return deck[count:]


def checked_down(pit: CirclePit) -> None:
    """A hand in which everybody calls, then checks to the showdown."""
    pit.close()
    deck = dealt(pit)
    for burned_and_shown in (4, 2, 2, 0):
        while pit.settings.game.turn(pit.state.hand.game) is not None:
            called = pit.do(KeyPressed(Key.CALL))
            if isinstance(called, Refused):
                pit.keys("check")
        pit.read(" ".join(deck[:burned_and_shown]))
        deck = deck[burned_and_shown:]
    pit.keys("hand_over")
