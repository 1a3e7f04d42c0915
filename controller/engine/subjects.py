"""What entries are about, by which a journal finds them again however old they are."""

SLIPS = "slips"
"""Every slip's entries."""
PEOPLE = "people"
"""Who came to the controller, and what they opened and took there."""
SETTINGS = "settings"
"""What happened to the table's settings."""


def of_hand(number: int) -> str:
    """The subject of a hand's entries."""
    return f"hand {number}"


def of_prize(prize_id: str) -> str:
    """The subject of a prize's entries."""
    return f"prize {prize_id}"
