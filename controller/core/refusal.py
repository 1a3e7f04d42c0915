"""Why something was not done: one Enum of names, and a refusal as a value with its facts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Refusal(Enum):
    """Expected answers, by name. Each has a text in Spanish and English in the catalogue under `refusal.<value>`."""

    # bets
    BETS_CLOSED = "bets_closed"
    NO_ANTE = "no_ante"
    TOO_FEW_CREDITS = "too_few_credits"
    TOO_MANY_CREDITS = "too_many_credits"
    CREDITS_ABOVE_TABLE_MINIMUM = "credits_above_table_minimum"
    RATES_OUT_OF_BOUNDS = "rates_out_of_bounds"
    START_VALUE_TOO_LOW = "start_value_too_low"
    UNREASONABLE_CONTRIBUTION = "unreasonable_contribution"
    JACKPOT_BETS_STOPPED = "jackpot_bets_stopped"
    NO_CREDIT_TO_WITHDRAW = "no_credit_to_withdraw"
    BET_BELOW_MINIMUM = "bet_below_minimum"
    BET_ABOVE_MAXIMUM = "bet_above_maximum"
    BET_WRONG_AMOUNT = "bet_wrong_amount"
    NO_BOX_IN_PLAY = "no_box_in_play"
    BET_TO_CALL = "bet_to_call"
    NOTHING_TO_CALL = "nothing_to_call"
    NOTHING_TO_RAISE = "nothing_to_raise"
    RAISE_BELOW_MINIMUM = "raise_below_minimum"
    MAY_NOT_RAISE = "may_not_raise"
    BET_ABOVE_STACK = "bet_above_stack"
    AMOUNT_MISSING = "amount_missing"
    # the hand
    UNKNOWN_SEAT = "unknown_seat"
    SEAT_NOT_IN_HAND = "seat_not_in_hand"
    WRONG_PHASE = "wrong_phase"
    UNKNOWN_KEY = "unknown_key"
    NOT_YOUR_TURN = "not_your_turn"
    ALREADY_DECIDED = "already_decided"
    ALREADY_BOUGHT = "already_bought"
    LATER_BOX_HAS_BOUGHT = "later_box_has_bought"
    SEEN_IN_OTHER_BOX = "seen_in_other_box"
    BOX_FOLDED = "box_folded"
    BET_MISSING = "bet_missing"
    DECISION_MISSING = "decision_missing"
    # cards
    UNKNOWN_CARD = "unknown_card"
    DUPLICATE_CARD = "duplicate_card"
    WRONG_CARD_COUNT = "wrong_card_count"
    CARDS_COMPLETE = "cards_complete"
    CARDS_MISSING = "cards_missing"
    CARD_NOT_THERE = "card_not_there"
    # people
    REASON_MISSING = "reason_missing"
    REASON_UNKNOWN = "reason_unknown"
    SECOND_PERSON_MISSING = "second_person_missing"
    SAME_PERSON_TWICE = "same_person_twice"
    # prizes
    UNKNOWN_PRIZE = "unknown_prize"
    PRIZE_NOT_PENDING = "prize_not_pending"
    PRIZE_NOT_VERIFIED = "prize_not_verified"
    PRIZE_HELD = "prize_held"
    PRIZE_OPEN = "prize_open"
    PRIZE_CALLED = "prize_called"
    DRAW_PENDING = "draw_pending"
    DRAW_NOT_WANTED = "draw_not_wanted"
    DRAW_SEED_WRONG = "draw_seed_wrong"
    DRAW_CHAIN_IN_USE = "draw_chain_in_use"
    NO_JACKPOT_BET = "no_jackpot_bet"
    HAND_NOT_CORRECTABLE = "hand_not_correctable"
    UNKNOWN_HAND = "unknown_hand"
    UNKNOWN_UNREAD = "unknown_unread"
    CREDITS_OUT_OF_BOUNDS = "credits_out_of_bounds"
    UNKNOWN_EVENT = "unknown_event"
    UNKNOWN_ALARM = "unknown_alarm"
    # the carousel
    NOT_MEMBER = "not_member"
    ALREADY_MEMBER = "already_member"
    JOIN_PENDING = "join_pending"
    INCARNATION_SEALED = "incarnation_sealed"
    INCARNATION_KNOWN = "incarnation_known"
    TABLE_HAS_LEFT = "table_has_left"
    TABLE_FORKED = "table_forked"
    NOT_FOR_TABLE = "not_for_table"
    NOT_FOR_HOST = "not_for_host"
    UNKNOWN_HOST = "unknown_host"
    STALE_EPOCH = "stale_epoch"
    LEDGER_DIFFERS = "ledger_differs"
    HEAD_NOT_CONFIRMED = "head_not_confirmed"
    COUNTERS_QUARANTINED = "counters_quarantined"
    NOTHING_QUARANTINED = "nothing_quarantined"
    STALE_REVISION = "stale_revision"
    CLAIM_TOO_OLD = "claim_too_old"
    CLAIM_OPEN = "claim_open"
    PRIZE_STOPPED = "prize_stopped"
    ADVANCE_ABOVE_LEDGER = "advance_above_ledger"
    LINK_IS_UP = "link_is_up"
    CURRENCY_DIFFERS = "currency_differs"
    BALANCE_TOO_LOW = "balance_too_low"
    HOST_NOT_SERVING = "host_not_serving"
    HOST_FENCED = "host_fenced"
    NOT_SWITCHED_OFF = "not_switched_off"
    # accounts, sessions and approvals
    LOGIN_FAILED = "login_failed"
    TOO_MANY_TRIES = "too_many_tries"
    NOT_LOGGED_IN = "not_logged_in"
    ROLE_MISSING = "role_missing"
    USER_EXISTS = "user_exists"
    UNKNOWN_USER = "unknown_user"
    BADGE_TAKEN = "badge_taken"
    LAST_ADMIN = "last_admin"
    SECRET_TOO_WEAK = "secret_too_weak"
    UNKNOWN_APPROVAL = "unknown_approval"
    APPROVAL_SETTLED = "approval_settled"
    APPROVAL_EXPIRED = "approval_expired"
    APPROVAL_DIFFERS = "approval_differs"
    # the web
    TOKEN_MISSING = "token_missing"
    HOST_NOT_ALLOWED = "host_not_allowed"
    ORIGIN_NOT_ALLOWED = "origin_not_allowed"
    BODY_TOO_LARGE = "body_too_large"
    BODY_NOT_JSON = "body_not_json"
    FORM_INVALID = "form_invalid"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    NOT_READY = "not_ready"
    # ids
    CONFLICT = "conflict"
    UNKNOWN_TABLE = "unknown_table"
    UNKNOWN_CAROUSEL = "unknown_carousel"
    UNKNOWN_JOURNAL = "unknown_journal"


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal and the facts a person needs to understand it (names, limits, amounts in minor units)."""

    reason: Refusal
    facts: Mapping[str, int | str] = field(default_factory=dict)


def refuse(reason: Refusal, **facts: int | str) -> Refused:
    """Shorthand: `refuse(Refusal.NO_ANTE, seat=3)`."""
    return Refused(reason, facts)
