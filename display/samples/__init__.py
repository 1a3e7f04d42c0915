"""One consistent story told in every scene: for the preview of screens on a new monitor, and for the tests."""

from dataclasses import replace

from display.samples.bonus import bonus_tables
from display.samples.circle import circle_tables
from display.samples.edges import edge_signs, edge_tables
from display.samples.oasis import oasis_tables
from display.samples.signs import signage
from display.scene import Screen


def all_screens() -> dict[str, Screen]:
    """Every sample under a screen id of its own, named after what it shows."""
    tables = oasis_tables() | bonus_tables() | circle_tables() | edge_tables()
    named: dict[str, Screen] = {f"table-{name}": replace(one, table_id=name) for name, one in tables.items()}
    named |= {f"signage-{name}": replace(one, carousel_id=name) for name, one in (signage() | edge_signs()).items()}
    return named
