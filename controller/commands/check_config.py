"""`carrusel check-config FILE`: every fault with its key and line, or the figures of what would run."""

import json as json_text
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.config.texts import Language, Said, in_language, number, said

if TYPE_CHECKING:
    from rich.table import Table

    from controller.config import Checked, Fault


def check_config(
    file: Annotated[Path, typer.Argument(help="The site's TOML file.")],
    language: Annotated[Language | None, typer.Option(help="es or en; the site's own unless given.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Load a configuration, name every fault with its key and line, print what it would run by."""
    from controller.adapters.devices import known_hardware
    from controller.config import load_checked
    from controller.config.report import describe

    checked = load_checked(file, known_hardware())
    described = {**describe(checked.config), "access": _access()} if checked.config is not None else None
    if json:
        print(json_text.dumps(_as_json(file, checked, described, language or "en"), indent=2, ensure_ascii=False))
    else:
        spoken: Language = language or (checked.config.site.language if checked.config is not None else "es")
        _Printer(spoken).print(file, checked, described)
    if checked.config is None:
        raise typer.Exit(2)


def _access() -> dict[str, list[str]]:
    """What each role may do at the panel, by the API's own table."""
    from controller.api.roles import Permission, may
    from controller.engine.accounts_state import Role

    return {role.value: [right.value for right in Permission if may(role, right)] for role in Role}


def _as_json(file: Path, checked: "Checked", described: dict[str, Any] | None, language: Language) -> dict[str, Any]:
    return {
        "file": str(file),
        "ok": checked.config is not None,
        "faults": [_fault(fault, language) for fault in checked.faults],
        "warnings": [_fault(fault, language) for fault in checked.warnings],
        "figures": _in_language(described, language),
    }


def _fault(fault: "Fault", language: Language) -> dict[str, Any]:
    reason = in_language(fault.reason, language)
    return {"file": fault.file, "line": fault.line or None, "key": fault.key, "reason": reason}


def _in_language(value: Any, language: Language) -> Any:
    """The same values with every text in one language."""
    if isinstance(value, dict):
        return {key: _in_language(item, language) for key, item in value.items()}
    if isinstance(value, list):
        return [_in_language(item, language) for item in value]
    return in_language(value, language) if isinstance(value, Said) else value


class _Printer:
    """Faults on the error stream, figures on the other, in one language."""

    def __init__(self, language: Language) -> None:
        from rich.console import Console

        self._language: Language = language
        self._console = Console(highlight=False, markup=False, soft_wrap=True)

    def print(self, file: Path, checked: "Checked", described: dict[str, Any] | None) -> None:
        self._faults(said("fault"), checked.faults)
        self._faults(said("warning"), checked.warnings)
        if described is None:
            cannot = said("{file}: cannot run; {count} fault(s)", file=file, count=len(checked.faults))
            print(in_language(cannot, self._language), file=sys.stderr)
            return
        self._say(f"{described['site']}  {described['currency']}")
        self._say(said("rounding: {rounding}", rounding=described["rounding"]))
        for carousel in described["carousels"]:
            tables = ", ".join(carousel["tables"] + carousel["accept"])
            self._say(f"\n{carousel['carousel']} ({carousel['role']}): {tables}", bold=True)
        for table in described["tables"]:
            self._table(table)
        self._say(said("access by role:"), bold=True)
        for role, rights in described["access"].items():
            self._say(f"  {role}: {', '.join(rights)}")
        self._say(said("{file}: can run; {count} warning(s)", file=file, count=len(checked.warnings)))

    def _say(self, text: str, bold: bool = False) -> None:
        self._console.print(in_language(text, self._language), style="bold" if bold else None)

    def _faults(self, kind: Said, faults: Sequence["Fault"]) -> None:
        for fault in faults:
            print(f"{in_language(kind, self._language)}: {fault.text(self._language)}", file=sys.stderr)

    def _table(self, table: dict[str, Any]) -> None:
        self._say(f"\n{table['table']}  {table['regulation'] or table['game']}", bold=True)
        self._say(said("terms {hash}", hash=table["terms"]))
        if table["jackpot"] is not None:
            self._jackpot(table["jackpot"])
        self._say(said("readings:"))
        for reading in table["readings"]:
            setting = f" ({reading['setting']})" if reading["setting"] else ""
            question, answer = (in_language(reading[part], self._language) for part in ("question", "value"))
            self._say(f"  {reading['id']:<4} art. {reading['articles']}: {question}: {answer}{setting}")

    def _jackpot(self, jackpot: dict[str, Any]) -> None:
        self._say(said("jackpot {kind}, {cards} cards count", kind=jackpot["kind"], cards=jackpot["cards"]))
        rates = jackpot["contribution"]
        self._say(
            said("of each bet: {displayed_bp} bp meter, {reserve_bp} bp reserve, {draw_pools_bp} bp draws", **rates)
        )
        if jackpot["kind"] == "progressive":
            start, bound = number(jackpot["start"]), number(jackpot["start_bound"])
            self._say(said("start value {start}, bound {bound} (art. 57), in minor units", start=start, bound=bound))
        self._rows(jackpot)
        self._say(said("hit rate {rate}; long-run return by credits bet:", rate=jackpot["hit_rate"]["text"]))
        self._returns(jackpot)
        if jackpot["break_even_meter"] is not None:
            even = number(jackpot["break_even_meter"])
            self._say(said("break-even meter {meter}, in minor units, one credit", meter=even))
        if jackpot["expected_trigger"] is not None:
            self._say(said("expected trigger value {trigger}", trigger=number(jackpot["expected_trigger"])))
        if jackpot["other_reading"] is not None:
            self._say(
                said("with {bonus_cards}: top row {top_row}, return {return_}", **_other(jackpot["other_reading"]))
            )

    def _rows(self, jackpot: dict[str, Any]) -> None:
        rows = self._grid(said("row"), said("pays"), said("per credit"), said("one in"))
        for row in jackpot["rows"]:
            multiplied = said("yes") if row["per_credit"] else "-"
            cells = (row["category"], row["pays"], multiplied, number(row["one_in"]))
            rows.add_row(*(in_language(cell, self._language) for cell in cells))
        self._console.print(rows)

    def _returns(self, jackpot: dict[str, Any]) -> None:
        parts = ("fixed", "contribution", "reserve", "restarts", "draws", "total")
        heads = (said("fixed"), said("contribution"), said("reserve"), said("restarts"), said("draws"), said("in all"))
        figures = self._grid(said("credits"), *heads)
        for one in jackpot["returns"]:
            cells = (in_language(one[part]["text"], self._language) for part in parts)
            figures.add_row(str(one["credits"]), *cells)
        self._console.print(figures)

    def _grid(self, first: Said, *others: Said) -> "Table":
        from rich.table import Table

        grid = Table(box=None, pad_edge=False)
        grid.add_column(in_language(first, self._language))
        for other in others:
            grid.add_column(in_language(other, self._language), justify="right")
        return grid


def _other(reading: dict[str, Any]) -> dict[str, Any]:
    return {"bonus_cards": reading["bonus_cards"], "top_row": reading["top_row"], "return_": reading["return"]}
