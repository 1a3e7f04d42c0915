"""A screen is a table's or a sign's: its name in the feed and its canonical JSON."""

from __future__ import annotations

import json

from display.scene.signage import SignageScreen
from display.scene.table import TableScreen

Screen = TableScreen | SignageScreen


def screen_id(scene: Screen) -> str:
    """The feed's name of the screens that show this scene: `table-{id}` or `signage-{carousel}`."""
    return f"table-{scene.table_id}" if isinstance(scene, TableScreen) else f"signage-{scene.carousel_id}"


def to_json(scene: Screen) -> str:
    """Canonical JSON: sorted keys, no blanks, so equal scenes are equal bytes."""
    return json.dumps(scene.to_dict(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
