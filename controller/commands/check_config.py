"""`carrusel check-config FILE`: every fault with its key and line, or the figures of what would run."""

import json as json_text
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.config import Checked, Fault, load_checked


def check_config(
    file: Annotated[Path, typer.Argument(help="The site's TOML file.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Load a configuration, name every fault with its key and line, print what it would run by."""
    from controller.adapters.devices import known_hardware
    from controller.config.report import describe

    checked = load_checked(file, known_hardware())
    described = describe(checked.config) if checked.config is not None else None
    if json:
        print(json_text.dumps(_as_json(file, checked, described), indent=2, ensure_ascii=False))
    else:
        _print_faults("fault", checked.faults)
        _print_faults("warning", checked.warnings)
        if described is not None:
            _print_figures(described)
            print(f"{file}: can run; {len(checked.warnings)} warning(s)")
    if checked.config is None:
        if not json:
            print(f"{file}: cannot run; {len(checked.faults)} fault(s)", file=sys.stderr)
        raise typer.Exit(2)


def _as_json(file: Path, checked: Checked, described: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "file": str(file),
        "ok": checked.config is not None,
        "faults": [_fault(fault) for fault in checked.faults],
        "warnings": [_fault(fault) for fault in checked.warnings],
        "figures": described,
    }


def _fault(fault: Fault) -> dict[str, Any]:
    return {"file": fault.file, "line": fault.line or None, "key": fault.key, "reason": fault.reason}


def _print_faults(kind: str, faults: Sequence[Fault]) -> None:
    for fault in faults:
        print(f"{kind}: {fault}", file=sys.stderr)


def _print_figures(described: dict[str, Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    console.print(f"[bold]{described['site']}[/bold]  {described['currency']}, {described['decimals']} decimals")
    console.print(f"rounding: {described['rounding']}")
    for carousel in described["carousels"]:
        tables = ", ".join(carousel["tables"] + carousel["accept"]) or "none"
        console.print(f"\n[bold]carousel {carousel['carousel']}[/bold] ({carousel['role']}): {tables}")
    for table in described["tables"]:
        seats = f"{table['game']}, {table['seats']} seats"
        console.print(f"\n[bold]{table['table']}[/bold]  {seats}  {table['regulation'] or ''}")
        console.print(f"terms {table['terms']}", soft_wrap=True)
        if table["jackpot"] is not None:
            _print_jackpot(console, table["jackpot"])
        console.print("readings:")
        for reading in table["readings"]:
            setting = f" ({reading['setting']})" if reading["setting"] else ""
            question = f"{reading['id']:<4} art. {reading['articles']}: {reading['question']}"
            console.print(f"  {question}: {reading['value']}{setting}", markup=False, soft_wrap=True)


def _print_jackpot(console: Any, jackpot: dict[str, Any]) -> None:
    from rich.table import Table

    parts = jackpot["contribution"]
    console.print(f"jackpot {jackpot['kind']}, {jackpot['cards']} cards count")
    rates = f"{parts['displayed_bp']} bp meter, {parts['reserve_bp']} bp reserve, {parts['draw_pools_bp']} bp draws"
    console.print(f"of each bet: {rates}")
    if jackpot["kind"] == "progressive":
        bound = f"at least {jackpot['start_bound']:,} (art. 57)" if jackpot["start_bound"] else "no bound"
        console.print(f"start value {jackpot['start']:,} minor units, {bound}")
    rows = Table(box=None, pad_edge=False)
    for name, justify in (("row", "left"), ("pays", "right"), ("per credit", "left"), ("one in", "right")):
        rows.add_column(name, justify="right" if justify == "right" else "left")
    for row in jackpot["rows"]:
        rows.add_row(row["category"], row["pays"], "yes" if row["per_credit"] else "no", f"{row['one_in']:,}")
    console.print(rows)
    console.print(f"hit rate {jackpot['hit_rate']['text']}")
    figures = Table(box=None, pad_edge=False)
    names = ("credits", "fixed", "contribution", "reserve", "restarts", "draws", "total")
    for name in names:
        figures.add_column(name, justify="right")
    for one in jackpot["returns"]:
        figures.add_row(str(one["credits"]), *(one[name]["text"] for name in names[1:]))
    console.print("long-run return by credits bet:")
    console.print(figures)
    if jackpot["break_even_meter"] is not None:
        console.print(f"break-even meter {jackpot['break_even_meter']:,} minor units (one credit)")
    if jackpot["expected_trigger"] is not None:
        console.print(f"expected trigger value {jackpot['expected_trigger']:,} minor units")
    other = jackpot["other_reading"]
    if other is not None:
        console.print(f"with {other['bonus_cards']}: top row {other['top_row']}, return {other['return']}")
