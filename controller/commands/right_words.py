"""What a right of the panel lets a person do, for `check-config`; programs are told its name."""

from collections.abc import Mapping, Sequence

from controller.commands.console_words import words

RIGHTS: Mapping[str, str] = {
    "read": "sees tables, hands and prizes",
    "read_journal": "reads the journal",
    "read_users": "sees the accounts",
    "read_frames": "reads the raw bytes of devices",
    "deal": "conducts hands",
    "bets": "settles bets and sensors",
    "prizes": "verifies and pays prizes",
    "hands": "corrects and voids hands",
    "seed_start": "sets the start value",
    "seed_meter": "corrects the meter",
    "house_rules": "changes settings",
    "carousel": "sees to the carousel",
    "users": "makes and changes accounts",
    "own_account": "changes the own PIN",
    "count_room": "tells the count of the drop",
    "shift": "closes the shift",
    "approvals": "approves what others ask",
}
"""A right's name to its English; the Spanish is in the catalogue."""
SECOND: Mapping[str, str] = {
    "prizes_approve": "prizes",
    "hands_approve": "corrected hands",
    "seed_start_approve": "the start value",
    "seed_meter_approve": "the meter",
    "house_rules_approve": "settings",
    "carousel_approve": "the carousel",
    "users_approve": "accounts",
}
"""The same of rights of a second person: what for."""


def rights_said(rights: Sequence[str]) -> str:
    """What somebody with these rights does, and what as the second person."""
    own = ", ".join(words(RIGHTS[right]) for right in rights if right in RIGHTS)
    second = ", ".join(words(SECOND[right]) for right in rights if right in SECOND)
    return words("{own}; second person for {second}", own=own, second=second) if second else own
