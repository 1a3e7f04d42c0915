"""`carrusel draws verify EXPORT`: every draw computed again from an export."""

import json as json_text
import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="The draws of Carta Mágica and Jugador Afortunado.")


@app.callback()
def draws() -> None:
    """The draws of Carta Mágica and Jugador Afortunado."""


@app.command("verify")
def verify(
    export: Annotated[
        Path, typer.Argument(help="A file written by `carrusel journal export`.", exists=True, dir_okay=False)
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Recompute every draw from its seed and list; exit 1 names what does not hold."""
    from controller.adapters.draws_export import ExportUnreadable, verify_export_draws

    try:
        found = verify_export_draws(export)
    except ExportUnreadable as problem:
        print(f"carrusel: {problem}", file=sys.stderr)
        raise typer.Exit(2) from problem
    rows = [
        {"seq": each.seq, "name": each.name, "expected": each.expected, "found": each.found} for each in found.findings
    ]
    if json:
        print(json_text.dumps({"draws": found.draws, "ok": not rows, "findings": rows}, indent=2))
    else:
        for row in rows:
            print(f"entry {row['seq']}: {row['name']} should be {row['expected']}, is {row['found']}")
        print(f"{found.draws} draws recomputed, {len(rows)} do not hold")
    raise typer.Exit(1 if rows else 0)
