"""The words that screens know: states, phases, reasons and notes, each a closed set."""

from __future__ import annotations

from enum import StrEnum


class Freshness(StrEnum):
    """What is known of an amount. Anything but FRESH is drawn as closed shutters, without a digit."""

    FRESH = "fresh"
    STALE = "stale"
    LOST = "lost"


class SignageState(StrEnum):
    FRESH = "fresh"
    STALE = "stale"
    LOST = "lost"
    OUT_OF_SERVICE = "out_of_service"


class SeatState(StrEnum):
    FREE = "free"
    PLAYING = "playing"
    FOLDED = "folded"
    WAITING = "waiting"
    RESTING = "resting"
    ELIMINATED = "eliminated"
    CLOSED = "closed"
    UNKNOWN = "unknown"


class SeatAction(StrEnum):
    """What a seat did last in this betting round, as the screen names it."""

    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"
    FOLD = "fold"


class PrizeState(StrEnum):
    """VERIFIED: two people looked at the hand and the payment is still to come; a screen calls it pending too."""

    PENDING = "pending"
    VERIFIED = "verified"
    PAID = "paid"


class Phase(StrEnum):
    """Steps of a hand. A table names its own sequence in `PhaseLine.steps`."""

    BETS = "bets"
    NO_MORE_BETS = "no_more_bets"
    DEAL = "deal"
    DECISIONS = "decisions"
    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    SHOWDOWN = "showdown"
    CLOSED = "closed"


class PrizeNote(StrEnum):
    """Rules printed under the prize list (article 53 and the readings of which cards count)."""

    FIRST_FIVE_CARDS = "first_five_cards"
    BEST_OF_SEVEN = "best_of_seven"
    HOLE_AND_FLOP = "hole_and_flop"
    BOUGHT_CARD_EXCLUDED = "bought_card_excluded"
    FOLDED_EXCLUDED = "folded_excluded"


class DrawEvery(StrEnum):
    """How often the draws of the list are made."""

    HAND = "hand"
    SOME_HANDS = "some_hands"
    DEALER_KEY = "dealer_key"


class FallReason(StrEnum):
    """Why a meter went down. A screen lets its drums go back for these only."""

    AWARD = "award"
    ADJUSTMENT = "adjustment"
    TRANSFER = "transfer"
    RESET = "reset"
    VOID = "void"


class NoticeCode(StrEnum):
    JACKPOT_CLOSED_AT_SEATS = "jackpot_closed_at_seats"
    JACKPOT_BETS_STOPPED = "jackpot_bets_stopped"
    JACKPOT_BETS_OFF = "jackpot_bets_off"
    JACKPOT_NOT_OPEN = "jackpot_not_open"
    DRAWS_OFF = "draws_off"
    JACKPOT_ENDS = "jackpot_ends"
    JACKPOT_CLOSED = "jackpot_closed"
    BET_NOT_TAKEN = "bet_not_taken"
    REBUY = "rebuy"
    LAST_HAND = "last_hand"


class ServiceReason(StrEnum):
    """Why a table takes no jackpot bets, in the words shown to players."""

    CLOSED = "closed"
    DEVICE_FAULT = "device_fault"


class VoidReason(StrEnum):
    CARD_ERROR = "card_error"
    EXPOSED_CARD = "exposed_card"
    INFORMATION = "information"
    WRONG_COUNT = "wrong_count"
    OTHER = "other"


class ClockPhase(StrEnum):
    """Article 50 of the circle game: the time to act, then the last seconds counted aloud."""

    ACTION = "action"
    LAST_SECONDS = "last_seconds"
