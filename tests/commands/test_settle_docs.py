"""The record shown in docs/settle.md is one that `settle` answers."""

import json
from pathlib import Path

from controller.settle import settle

PAGE = Path(__file__).parents[2] / "docs" / "settle.md"


def test_the_record_of_the_page_is_answered() -> None:
    text = PAGE.read_text(encoding="utf-8")
    block = text[text.index('    { "game": "oasis"') : text.index("The answer has")]
    answer = settle(json.loads(block))
    assert [(award["seat"], award["from"], award["amount"]) for award in answer["awards"]] == [
        (1, "jackpot", 61_206),
        (2, "carta_magica", 500),
    ]
