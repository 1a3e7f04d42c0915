"""`carrusel check-config FILE`: every fault with its key and line, or the figures of what would run."""

import json as json_text
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.commands.console_words import asked_for, panel_word, speak_as
from controller.commands.console_words import language as speech
from controller.commands.right_words import rights_said
from controller.config.figure_words import meaning
from controller.config.texts import Language, Said, counted, in_language, number, percent, said, written
from controller.core.money import BASIS_POINTS, Currency

if TYPE_CHECKING:
    from rich.table import Table

    from controller.config import Checked, Config, Fault

CAN = "{file}: can run; {count} warning", "{file}: can run; {count} warnings"
CANNOT = "{file}: cannot run; {count} fault", "{file}: cannot run; {count} faults"
"""Of one and of any other number."""
THIS_MACHINE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}
"""Where a listener for every address of a machine is reached on it."""


def check_config(
    file: Annotated[Path, typer.Argument(help="The site's TOML file.")],
    language: Annotated[Language | None, typer.Option(help="es or en, whatever environment and site speak.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Load a configuration, name every fault with its key and line, print what it would run by."""
    from controller.adapters.hardware.devices import known_hardware
    from controller.config import load_checked
    from controller.config.report import describe

    checked = load_checked(file, known_hardware())
    described = None
    if checked.config is not None:
        described = {**describe(checked.config), "access": _access(), "screens": _screens(checked.config)}
    if json:
        print(json_text.dumps(_as_json(file, checked, described, language or "en"), indent=2, ensure_ascii=False))
    else:
        asked_for(language)
        speak_as(None if checked.config is None else checked.config.site.language)
        _Printer(speech()).print(file, checked, described)
    if checked.config is None:
        raise typer.Exit(2)


def _access() -> dict[str, list[str]]:
    """What each role may do at the panel, by the API's own table."""
    from controller.api.roles import Permission, may
    from controller.engine.accounts_state import Role

    return {role.value: [right.value for right in Permission if may(role, right)] for role in Role}


def _screens(config: "Config") -> list[str]:
    """Addresses of the screens that the daemon will serve, as this machine reaches them."""
    listen = config.screens.listen
    host, _, port = listen.rpartition(":")
    served = f"{listen}:" if listen.startswith("unix:") else f"http://{THIS_MACHINE.get(host, host)}:{port}"
    pages = [f"table/{table.id}" for table in config.tables if table.screen]
    pages += [f"signage/{carousel.id}" for carousel in config.carousels if carousel.is_host]
    return [f"{served}/{page}" for page in pages]


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
        self._money = Currency("")
        self._console = Console(highlight=False, markup=False, soft_wrap=True)

    def print(self, file: Path, checked: "Checked", described: dict[str, Any] | None) -> None:
        self._faults(said("fault"), checked.faults)
        self._faults(said("warning"), checked.warnings)
        if described is None:
            cannot = counted(len(checked.faults), *CANNOT, file=file)
            print(in_language(cannot, self._language), file=sys.stderr)
            return
        self._money = Currency(described["currency"], described["decimals"])
        self._say(f"{described['site']}  {described['currency']}")
        self._say(said("rounding: {rounding}", rounding=described["rounding"]))
        for carousel in described["carousels"]:
            tables = ", ".join(carousel["tables"] + carousel["accept"])
            role = in_language(meaning(carousel["role"]), self._language)
            self._say(f"\n{carousel['carousel']} ({role}): {tables}", bold=True)
        for table in described["tables"]:
            self._table(table)
        self._say(said("screens:"), bold=True)
        for address in described["screens"]:
            self._say(f"  {address}")
        self._say(said("access by role:"), bold=True)
        for role, rights in described["access"].items():
            self._say(f"  {panel_word('role', role)} ({role}): {rights_said(rights)}")
        self._say(counted(len(checked.warnings), *CAN, file=file))

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
            question, answer = (in_language(reading[part], self._language) for part in ("question", "meaning"))
            self._say(f"  {reading['id']:<4} art. {reading['articles']}: {question}: {answer}{_setting(reading)}")

    def _jackpot(self, jackpot: dict[str, Any]) -> None:
        kind = said("progressive") if jackpot["kind"] == "progressive" else said("of fixed sums")
        self._say(said("jackpot {kind}, {cards} cards count", kind=kind, cards=jackpot["cards"]))
        joins = jackpot["contribution"]
        parts = {"meter": "displayed_bp", "reserve": "reserve_bp", "draws": "draw_pools_bp"}
        shares = {part: percent(Fraction(joins[key], BASIS_POINTS)) for part, key in parts.items()}
        self._say(said("of each bet: {meter} to the meter, {reserve} to the reserve, {draws} to the draws", **shares))
        if jackpot["kind"] == "progressive":
            start, bound = self._amount(jackpot["start"]), self._amount(jackpot["start_bound"])
            if jackpot["start_bound"]:
                self._say(said("start value {start}, at least {bound} (art. 57)", start=start, bound=bound))
            else:
                self._say(said("start value {start}", start=start))
        self._rows(jackpot)
        self._say(said("a box wins a prize in {rate} of hands", rate=jackpot["hit_rate"]["text"]))
        self._say(said("long-run return, as a part of the bet, by credits bet:"))
        self._returns(jackpot)
        if jackpot["break_even_meter"] is not None:
            even = self._amount(jackpot["break_even_meter"])
            self._say(said("break-even meter with one credit {meter}", meter=even))
        if jackpot["expected_trigger"] is not None:
            trigger = self._amount(jackpot["expected_trigger"])
            self._say(said("expected meter when the whole of it is won {trigger}", trigger=trigger))
        if jackpot["other_reading"] is not None:
            other = _other(jackpot["other_reading"])
            self._say(said("if {bonus_cards} counted: top row {top_row} hands, return {return_}", **other))

    def _amount(self, minor: int) -> Said:
        return written(minor, self._money)

    def _rows(self, jackpot: dict[str, Any]) -> None:
        rows = self._grid(said("row"), said("pays"), said("per credit"), said("one in (hands)"))
        for row in jackpot["rows"]:
            multiplied = said("yes") if row["per_credit"] else "-"
            cells = (
                panel_word("category", row["category"]),
                row["pays"],
                multiplied,
                number(row["one_in"]),
            )
            rows.add_row(*(in_language(cell, self._language) for cell in cells))
        self._console.print(rows)

    def _returns(self, jackpot: dict[str, Any]) -> None:
        heads = {
            "fixed": said("fixed"),
            "contribution": said("contribution"),
            "reserve": said("reserve"),
            "restarts": said("restarts"),
            "loans": said("lent"),
            "draws": said("draws"),
            "total": said("in all"),
        }
        lent = any(one["loans"]["exact"] != "0/1" for one in jackpot["returns"])
        parts = [part for part in heads if part != "loans" or lent]
        figures = self._grid(said("credits"), *(heads[part] for part in parts))
        for one in jackpot["returns"]:
            cells = (in_language(one[part]["text"], self._language) for part in parts)
            figures.add_row(str(one["credits"]), *cells)
        self._console.print(figures)
        if lent:
            self._say(said("lent: what the house adds to a meter that pays the fixed rows; the sum is an upper bound"))

    def _grid(self, first: Said, *others: Said) -> "Table":
        from rich.table import Table

        grid = Table(box=None, pad_edge=False)
        grid.add_column(in_language(first, self._language))
        for other in others:
            grid.add_column(in_language(other, self._language), justify="right")
        return grid


def _other(reading: dict[str, Any]) -> dict[str, Any]:
    counted_cards = meaning(reading["bonus_cards"])
    return {"bonus_cards": counted_cards, "top_row": reading["top_row"], "return_": reading["return"]}


def _setting(reading: dict[str, Any]) -> str:
    """The key that answers, with what stands in the file where the answer was put in words."""
    if reading["setting"] is None:
        return ""
    value = reading["value"]
    if value == reading["meaning"]:
        return f" ({reading['setting']})"
    return f" ({reading['setting']} = {value if value in ('true', 'false') else json_text.dumps(value)})"
