"""`carrusel demo`: the whole pit in one process, on simulated hardware behind the real drivers."""

import asyncio
import json as json_text
import logging
import tempfile
import textwrap
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.commands.console_words import entries_said, fail, not_writable, panel_word, words
from controller.config.texts import said, written

if TYPE_CHECKING:
    from controller.demo.people import Login, Waiting
    from controller.main import Node


def demo(
    seconds: Annotated[int | None, typer.Option(min=5, help="End by itself after so long; else Ctrl-C.")] = None,
    unattended: Annotated[
        bool, typer.Option("--unattended", help="Nobody looks on: prizes that take two people are paid too.")
    ] = False,
    json: Annotated[Path | None, typer.Option("--json", help="Write a summary to this file.")] = None,
    state: Annotated[Path | None, typer.Option(file_okay=False, help="Keep the journals here as NAME.db.")] = None,
) -> None:
    """Three tables and their carousel, dealt by simulated dealers; prints where to look."""
    warnings.simplefilter("ignore", DeprecationWarning)  # of the demo's broker; the daemon has its own
    from controller.adapters.logs import set_up_logs
    from controller.demo.run import DemoOptions, run_demo
    from controller.demo.summary import summary

    if json is not None and (refused := not_writable(json)):
        fail(refused)
    set_up_logs(logging.WARNING)
    with tempfile.TemporaryDirectory(prefix="carrusel-demo-") as temporary:
        directory = state or Path(temporary)
        if any(directory.glob("*.db")):
            fail(said("{directory} already holds journals; the demo starts from nothing", directory=directory))
        began = time.monotonic()
        hands = asyncio.run(run_demo(DemoOptions(directory, seconds, unattended), _Told()))
        told = summary(directory, seconds or round(time.monotonic() - began), hands)
    print("\n".join(ended_lines(told)))
    if json is not None:
        json.write_text(json_text.dumps(told, indent=2) + "\n")
    raise typer.Exit(0 if _good(told) else 1)


def _good(told: Mapping[str, Any]) -> bool:
    return told["equation"] == "holds" and all(journal["verified"] for journal in told["journals"])


def ended_lines(told: Mapping[str, Any]) -> list[str]:
    """What a demo's summary says, for people."""
    hands = ", ".join(f"{panel_word('game', game)} {count}" for game, count in told["hands"].items())
    counts = {
        "hands": hands,
        "bets": told["jackpot_bets"],
        "awards": told["awards"],
        "draws": sum(told["draws"].values()),
    }
    bad = [journal["name"] for journal in told["journals"] if not journal["verified"]]
    entries = sum(journal["entries"] for journal in told["journals"])
    held = (
        words("journals that do not hold: {names}", names=", ".join(bad))
        if bad
        else words(
            "journals: {count}, all hold ({entries})", count=len(told["journals"]), entries=entries_said(entries)
        )
    )
    holds = told["equation"] == "holds"
    equation = words("the ledger's equation holds") if holds else words("the ledger's equation is broken")
    return [
        "",
        words("The demo ended after {seconds} s", seconds=told["seconds"]),
        "  " + words("hands: {hands}", **counts),
        "  " + words("jackpot bets: {bets}; awards: {awards}; draws: {draws}", **counts),
        "  " + held,
        "  " + equation,
    ]


WATCH = (
    "What to watch",
    "Its second hand holds a straight flush: 10 % of the carousel, within half a minute. It stays pending on every "
    "screen and on the sign until you pay it as two people; the tables play on meanwhile. What to do is said here.",
    "Every second hand: Carta Mágica and Jugador Afortunado. The code on the screen opens the page where the "
    "draw is made again: of a demo, on this machine alone, as it leads to 127.0.0.1; a phone opens a house's.",
    "The circle game: clocks, blinds, pots, who can win them.",
    "What a pit boss sees: tables, prizes, journal, the shift. As ana you ask for what takes two people, as beto you "
    "approve it, each in a browser window of their own (one of them private).",
    "Ctrl-C stops everything.",
)
WIDTH = 100
"""Characters of a line of what to watch."""


STEPS = (
    "{table}: {hand}, {amount}, waits for two people:",
    "1. {address} as {first}, PIN {first_pin}: Prizes, verify it, ask for its payment.",
    "2. The same address in a private window as {second}, PIN {second_pin}: Requests, approve it by that PIN.",
)


class _Told:
    """What happens in the demo, told in the terminal."""

    def ready(self, node: "Node", logins: "list[Login]") -> None:
        _announce(node, logins)

    def waiting(self, node: "Node", logins: "list[Login]", prize: "Waiting") -> None:
        first, second = logins[:2]
        facts = {
            "table": prize.table,
            "hand": panel_word("category", prize.kind),
            "amount": written(prize.amount_minor, node.config.site.money),
            "address": f"{node.api_address}/",
            "first": first.login,
            "first_pin": first.pin,
            "second": second.login,
            "second_pin": second.pin,
        }
        head, *steps = (words(text, **facts) for text in STEPS)
        print("\n".join(["", head, *(f"  {step}" for step in steps)]), flush=True)

    def settled(self, prize: "Waiting") -> None:
        hand = panel_word("category", prize.kind)
        print("\n" + words("{table}: {hand}, settled.", table=prize.table, hand=hand), flush=True)


def _announce(node: "Node", logins: "list[Login]") -> None:
    print(f"\n{words('Screens'):<9} {node.screens_address}/")
    for table in node.tables.values():
        print(f"  {table.table.name:<16} {node.screens_address}/table/{table.table.id}")
    for carousel in node.config.carousels:
        print(f"  {carousel.name:<16} {node.screens_address}/signage/{carousel.id}")
    print(f"\n{'Panel':<9} {node.api_address}/")
    for each in logins:
        print(f"  {each.login:<8} PIN {each.pin}   {each.name}, {panel_word('role', each.role)}")
    print(what_to_watch(), flush=True)


def what_to_watch() -> str:
    head, first, every, circle, panel, end = (words(text) for text in WATCH)
    rows = (("Mesa 1", first), (words("every table"), every), ("Mesa 3", circle), ("Panel", panel))
    indent = " " * 15
    told = [textwrap.fill(text, WIDTH, initial_indent=f"  {name:<13}", subsequent_indent=indent) for name, text in rows]
    return "\n".join(["", head, *told, end])
