"""`carrusel draws verify EXPORT`: every draw computed again from an export."""

import json as json_text
from pathlib import Path
from typing import Annotated

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
    rows = [
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
            told = {key: shown(value) for key, value in row.items()}
            print(words("entry {seq}: {name} should be {expected}, is {found}", **told))
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
