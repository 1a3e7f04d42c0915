"""Fields of an act as the second person reads them: which are told elsewhere, and where the words of others are."""

from collections.abc import Mapping

SAID_ALREADY = frozenset({"type", "hand", "table", "prize", "after", "base", "changes", "figures"})
"""Fields of an act that its title, its table of effects or its figures tell."""
SAID_BY_EFFECTS: Mapping[str, frozenset[str]] = {
    "CardCorrected": frozenset({"place", "old", "new"}),
    "HandCorrected": frozenset({"place", "old", "new"}),
    "CardsEntered": frozenset({"place", "cards"}),
    "ClosingAsked": frozenset({"day", "target"}),
    "DrawOutsideSet": frozenset({"value", "source"}),
    "DrawPoolMoved": frozenset({"pool", "micros", "target"}),
    "MemberAccepted": frozenset({"profile"}),
    "MemberRekeyed": frozenset({"key"}),
    "PrizeOverridden": frozenset({"amount_minor", "expected_minor"}),
    "PrizePaid": frozenset({"expected_minor"}),
    "PrizeAdvanced": frozenset({"seat", "amount_minor"}),
    "PrizeReleased": frozenset({"name", "expected_minor"}),
    "AwardSettled": frozenset({"name"}),
}
SAID_WHEN_NOT: Mapping[str, frozenset[str]] = {"ClosingAsked": frozenset({"keep_start"})}
"""Fields whose "no" the second person approves as much as a "yes"."""
FIELD_GROUPS: Mapping[str, str] = {
    "outcome": "outcome",
    "reason": "void",
    "role": "role",
    "kind": "category",
    "cause": "cause",
    "override": "override",
}
"""Where the words of a field's value are."""
