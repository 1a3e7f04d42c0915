"""`carrusel rank CARDS`: what five to seven cards are worth."""

import json as json_text
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from controller.commands.console_words import FINDING, USAGE, complain, fail, panel_word
from controller.commands.progress import watched
from controller.config.texts import said
from controller.core.cards import Card, parse_card
from controller.core.hands import rank as rank_cards

FAULTS = {
    "unknown_card": "{at} is no card",
    "duplicate_card": "{at} is there twice",
    "wrong_card_count": "a hand has five to seven cards, not {at}",
}
"""What is wrong with cards, by the name that programs are told."""


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

    Exit code 2 when they are no hand, 1 when a line of --lines is none; --json names the fault and its place.
    """
    if lines:
        raise typer.Exit(_rank_file(" ".join(cards or ["-"])))
    if not cards:
        fail(said("give five to seven cards, or --lines"))
    answer = ranked(" ".join(cards))
    if "error" in answer:
        if json:
            print(json_text.dumps(answer))
        else:
            complain(said(FAULTS[answer["error"]], at=answer["at"].removesuffix(" cards")))
        raise typer.Exit(USAGE)
    if json:
        print(json_text.dumps(answer))
        return
    name = panel_word("category", answer["category"])
    print(f"{name}  {answer['best']}  {answer['strength']}  ({answer['category']})")


def _rank_file(file: str) -> int:
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as source:
            return _rank_lines(source)
    except OSError as problem:
        complain(problem)
        return USAGE


def _rank_lines(source: BinaryIO) -> int:
    """A line that is no text costs its own answer only."""
    code = 0
    for line in watched(source):
        if not line.strip():
            continue
        try:
            answer = ranked(line.decode("utf-8-sig"))
        except UnicodeDecodeError as problem:
            answer = {"error": "not_utf8", "at": f"byte {problem.start}"}
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
