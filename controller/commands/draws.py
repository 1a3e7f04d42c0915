"""`carrusel draws verify EXPORT`: every draw computed again from an export."""

import json as json_text
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.commands.console_words import counted_words, fail, words
from controller.config.texts import counted

app = typer.Typer(no_args_is_help=True, help="The draws of Carta Mágica and Jugador Afortunado.")

CHAIN = "The chain of entries is not checked here: `carrusel journal verify {export}` does that"

RECOMPUTED = "{count} draw recomputed, {wrong}", "{count} draws recomputed, {wrong}"
CALLED_OFF = (
    "{count} draw was not made: its source had failed",
    "{count} draws were not made: their source had failed",
)
"""Each of one and of any other number."""


WIDEST = "the widest list to draw a position from names {boxes} boxes as the table's"
LEFT = {
    "no_seed": "the next seed was missing",
    "no_chain": "no new chain could be made",
    "restored": "a backup was restored",
}
"""Why a chain of seeds was left, by the word of the journal."""

WRONG = {
    "draw_missing": "the hand before ended without its draw ({found})",
    "kinds": "it draws {found}, and what was still to be drawn is {expected}",
    "commitment": "its seed is not the one published before: the fingerprint {expected} was, not {found}",
    "index": "it is draw {found} of its chain, and should be {expected}",
    "list_hash": "the list does not give the fingerprint {found}, but {expected}",
    "seed": "{found} is no seed",
    "hand": "it is of hand {found}, and bets were closed in hand {expected}",
    "outside": "its number from outside is {found}, and the one fixed before is {expected}",
    "chain_left": "a chain of seeds was left without a reason after draw {found} of {expected}",
    "missing_positions": "boxes with a jackpot bet could not be drawn: {found}",
    "extra_positions": "boxes it was drawn from: {found}; boxes that could be: {expected}",
    "seat": "the seats that seed and players give are {expected}, and {found} stand there",
}
"""What does not hold, by the word of the finding; any other is a draw by its name."""
DRAWN = "the sum of {draw} gives {expected}, and {found} stands there"
DRAWS = {"carta_magica": "Carta Mágica", "jugador_afortunado": "Jugador Afortunado"}


def wrong_said(seq: int, name: str, expected: str, found: str) -> str:
    """For people: what an entry shows that does not hold."""
    both = {"expected": _listed(expected), "found": _listed(found)}
    told = words(WRONG[name], **both) if name in WRONG else words(DRAWN, draw=DRAWS.get(name, shown(name)), **both)
    return words("entry {seq}: {told}", seq=shown(seq), told=told)


def _listed(text: str) -> str:
    """Words of the journal as people know them, one after the other; a dash where there is none."""
    return shown(", ".join(DRAWS.get(each, each) for each in text.split()) or "–")


def left_said(why: str) -> str:
    """For people: what a chain was left for."""
    return words(LEFT[why]) if why in LEFT else why


def shown(value: object) -> str:
    """What stands in a file of somebody else's, without the signs that would steer a terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(value))


@app.callback()
def draws() -> None:
    """The draws of Carta Mágica and Jugador Afortunado."""


@app.command("verify")
def verify(
    export: Annotated[Path, typer.Argument(help="A file written by `carrusel journal export`.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Recompute every draw from its seed and list; exit 1 names what does not hold.

    The chain of entries is not checked: `carrusel journal verify` does that.
    """
    from controller.adapters.draws_export import ExportUnreadable, verify_export_draws

    try:
        found = verify_export_draws(export)
    except (ExportUnreadable, OSError) as problem:
        fail(problem)
    rows: list[dict[str, Any]] = [
        {"seq": each.seq, "name": each.name, "expected": each.expected, "found": each.found} for each in found.findings
    ]
    if json:
        print(
            json_text.dumps(
                {
                    "draws": found.draws,
                    "called_off": found.called_off,
                    "boxes": found.boxes,
                    "chains_left": [{"seq": seq, "why": why} for seq, why in found.left],
                    "ok": not rows,
                    "findings": rows,
                },
                indent=2,
            )
        )
    else:
        for row in rows:
            print(wrong_said(**row))
        wrong = counted(len(rows), "{count} does not hold", "{count} do not hold")
        print(counted_words(found.draws, *RECOMPUTED, wrong=wrong))
        for seq, why in found.left:
            why = shown(left_said(why))
            print(words("entry {seq}: a chain of seeds was left before its end: {why}", seq=shown(seq), why=why))
        if found.boxes:
            print(words(WIDEST, boxes=found.boxes))
        if found.called_off:
            print(counted_words(found.called_off, *CALLED_OFF))
        print(words(CHAIN, export=export))
    raise typer.Exit(1 if rows else 0)
