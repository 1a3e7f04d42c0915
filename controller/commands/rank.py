"""`carrusel rank CARDS`: what five to seven cards are worth."""

import json as json_text
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.core.cards import Card, parse_card
from controller.core.hands import rank as rank_cards

FINDING = 1
USAGE = 2


def rank(
    cards: Annotated[
        list[str] | None,
        typer.Argument(help="Five to seven cards: As Kd Th 2c 2s; with --lines a file, - for standard input."),
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="One hand in each line of a file or, without one, of standard input.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Category, best five and strength (1 to 7,462; higher wins, equal ties) of five to seven cards.

    Exit code 1 when the cards are no hand.
    """
    if lines:
        raise typer.Exit(_rank_file(" ".join(cards or ["-"])))
    if not cards:
        print("give five to seven cards, or --lines", file=sys.stderr)
        raise typer.Exit(USAGE)
    answer = ranked(" ".join(cards))
    if "error" in answer:
        print(json_text.dumps(answer) if json else answer["error"], file=sys.stdout if json else sys.stderr)
        raise typer.Exit(FINDING)
    print(json_text.dumps(answer) if json else f"{answer['category']}  {answer['best']}  {answer['strength']}")


def _rank_file(file: str) -> int:
    try:
        with nullcontext(sys.stdin) if file == "-" else Path(file).open() as source:
            return _rank_lines(source)
    except (OSError, UnicodeDecodeError) as problem:
        print(f"{file}: {problem}", file=sys.stderr)
        return USAGE


def _rank_lines(source: Iterable[str]) -> int:
    code = 0
    for line in source:
        if not line.strip():
            continue
        answer = ranked(line)
        code = FINDING if "error" in answer else code
        sys.stdout.write(json_text.dumps(answer) + "\n")
    return code


def ranked(text: str) -> dict[str, Any]:
    """`{"category", "best", "strength"}` of the cards in a text, or `{"error", "at"}` when they are no hand."""
    cards: list[Card] = []
    for word in text.replace(",", " ").split():
        card = parse_card(word)
        if card is None or card in cards:
            return {"error": "unknown_card" if card is None else "duplicate_card", "at": word}
        cards.append(card)
    if not 5 <= len(cards) <= 7:
        return {"error": "wrong_card_count", "at": f"{len(cards)} cards"}
    made = rank_cards(cards)
    return {"category": made.category.value, "best": " ".join(made.best), "strength": made.strength}
