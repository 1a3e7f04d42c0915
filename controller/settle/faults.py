"""What `settle` itself finds wrong with a record, by name; what the games refuse has the names of `Refusal`."""

from enum import Enum


class Fault(Enum):
    """Names that answers give; each has its words in `controller/commands/fault_words.py`."""

    # the file
    NOT_UTF8 = "not_utf8"
    NOT_JSON = "not_json"
    DUPLICATE_KEY = "duplicate_key"
    # the form
    NOT_AN_OBJECT = "not_an_object"
    NOT_A_LIST = "not_a_list"
    NOT_A_TEXT = "not_a_text"
    NOT_A_NUMBER = "not_a_number"
    NOT_A_WHOLE_NUMBER = "not_a_whole_number"
    NOT_TRUE_OR_FALSE = "not_true_or_false"
    MISSING_KEY = "missing_key"
    UNKNOWN_KEY = "unknown_key"
    UNKNOWN_VALUE = "unknown_value"
    UNKNOWN_GAME = "unknown_game"
    NEGATIVE_AMOUNT = "negative_amount"
    AMOUNT_TOO_LARGE = "amount_too_large"
    TOO_SMALL = "too_small"
    TOO_LARGE = "too_large"
    # the terms
    PERCENT_OR_FIXED = "percent_or_fixed"
    RAKE_ABOVE_FIVE_PERCENT = "rake_above_five_percent"
    SMALL_BLIND_ABOVE_BIG = "small_blind_above_big"
    UNKNOWN_TABLE = "unknown_table"
    DUPLICATE_TABLE = "duplicate_table"
    AT_WITHOUT_LINKED = "at_without_linked"
    LINKED_TWICE = "linked_twice"
    METER_AND_LINKED = "meter_and_linked"
    # the hand
    UNKNOWN_CARD = "unknown_card"
    DUPLICATE_CARD = "duplicate_card"
    WRONG_CARD_COUNT = "wrong_card_count"
    CARDS_MISSING = "cards_missing"
    CARD_NOT_THERE = "card_not_there"
    UNKNOWN_SEAT = "unknown_seat"
    DUPLICATE_SEAT = "duplicate_seat"
    SEAT_NOT_IN_HAND = "seat_not_in_hand"
    TOO_FEW_PLAYERS = "too_few_players"
    TOO_MANY_PLAYERS = "too_many_players"
    BET_WRONG_AMOUNT = "bet_wrong_amount"
    BET_ABOVE_STACK = "bet_above_stack"
    BOX_FOLDED = "box_folded"
    DECISION_MISSING = "decision_missing"
    HAND_IS_COMPLETE = "hand_is_complete"
    WRONG_STREET = "wrong_street"
