"""What is wrong with a record of `settle`, by its name, for people; programs are told the name itself."""

from collections.abc import Mapping

from controller.commands.console_words import panel_word, spoken, words
from controller.settle import Fault, RecordFault

FAULTS: Mapping[Fault, str] = {
    Fault.AMOUNT_TOO_LARGE: "the amount is too large",
    Fault.AT_WITHOUT_LINKED: "it goes only with `linked`",
    Fault.BET_ABOVE_STACK: "the bet is larger than the stack",
    Fault.BET_WRONG_AMOUNT: "the bet has a wrong amount",
    Fault.BLINDS_OUT_OF_ORDER: "the big blind is not left of the small one",
    Fault.BOX_FOLDED: "a box that folded does not play on",
    Fault.CARD_NOT_THERE: "the card is not in the hand",
    Fault.CARDS_MISSING: "cards are missing",
    Fault.DECISION_MISSING: "a decision is missing",
    Fault.DUPLICATE_CARD: "the card is there twice",
    Fault.DUPLICATE_KEY: "the key is there twice",
    Fault.DUPLICATE_SEAT: "the seat is there twice",
    Fault.DUPLICATE_TABLE: "the table is there twice",
    Fault.HAND_IS_COMPLETE: "the hand is over already",
    Fault.LINKED_TWICE: "`linked` is there twice",
    Fault.METER_AND_LINKED: "`meter` and `linked` do not go together",
    Fault.MISSING_KEY: "the key is missing",
    Fault.NEGATIVE_AMOUNT: "the amount is below zero",
    Fault.NOT_A_LIST: "a list is wanted",
    Fault.NOT_A_NUMBER: "a whole number is wanted",
    Fault.NOT_A_WHOLE_NUMBER: "a whole number is wanted, without a point or an exponent",
    Fault.NOT_A_TEXT: "a text is wanted",
    Fault.NOT_AN_OBJECT: "an object is wanted",
    Fault.NOT_JSON: "this is not JSON",
    Fault.NOT_TRUE_OR_FALSE: "true or false is wanted",
    Fault.NOT_UTF8: "this is not UTF-8",
    Fault.PERCENT_OR_FIXED: "a row is `percent` or `fixed`, one of them",
    Fault.PERCENT_PER_CREDIT: "percentages are never multiplied by credits (reading O-e)",
    Fault.RAKE_ABOVE_FIVE_PERCENT: "the rake is above 5 %",
    Fault.RESERVE_AND_LINKED: "`reserve` and `linked` do not go together",
    Fault.SEAT_NOT_IN_HAND: "the seat is not in the hand",
    Fault.SMALL_BLIND_ABOVE_BIG: "the small blind is above the big one",
    Fault.TOO_FEW_PLAYERS: "too few players",
    Fault.TOO_LARGE: "the number is too large",
    Fault.TOO_MANY_PLAYERS: "too many players",
    Fault.TOO_SMALL: "the number is too small",
    Fault.UNKNOWN_CARD: "this is no card",
    Fault.UNKNOWN_GAME: "unknown game",
    Fault.UNKNOWN_KEY: "unknown key",
    Fault.UNKNOWN_SEAT: "there is no such seat",
    Fault.UNKNOWN_TABLE: "there is no such table",
    Fault.UNKNOWN_VALUE: "unknown value",
    Fault.WRONG_CARD_COUNT: "wrong number of cards",
    Fault.WRONG_STREET: "it is the turn of another street",
}
"""What `settle` itself finds, in English; the Spanish is in the catalogue."""


def reason_said(fault: RecordFault) -> str:
    """What a fault is; what a game refuses is said as the panel says it, whose catalogue has every refusal."""
    reason = fault.reason
    return words(FAULTS[reason]) if isinstance(reason, Fault) else panel_word("refusal", reason.value)


def fault_said(fault: RecordFault, at: str, line: int | None = None) -> str:
    """A fault for people: where it is, what it is, and its name."""
    number = "" if line is None else words("line {line}: ", line=line)
    place = f"{spoken(at)}: " if at else ""
    return f"{number}{place}{reason_said(fault)} ({fault.name})"
