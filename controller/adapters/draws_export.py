"""The draws of an exported journal, recomputed: reads the export's lines, trusts nothing else."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.core.draws_verify import Verification, verify_draws

_DATABASE = b"SQLite format 3\0"


class ExportUnreadable(Exception):
    """The file is no export of a journal; the message says where."""


def verify_export_draws(path: Path) -> Verification:
    """Findings over all draws of an export; none made is no finding. ExportUnreadable for another kind of file."""
    entries = tuple(_entries(path))
    try:
        chain = next((body for _, kind, body in entries if kind == "draw.chain"), None)
        if chain is None and not any(_draws(kind, body) for _, kind, body in entries):
            return Verification()
        told = chain or {"site": "", "table": "", "incarnation": ""}
        return verify_draws(told["site"], told["table"], told["incarnation"], entries)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as problem:
        raise ExportUnreadable(f"{path}: an entry of a draw lacks what it must hold: {problem!r}") from problem


def _draws(kind: str, body: Mapping[str, Any]) -> bool:
    """Whether an entry makes a draw, or asks for one."""
    return kind in ("draw.made", "draw.seats") or (kind == "bets.closed" and bool(body.get("draws")))


def _entries(path: Path) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    if path.stat().st_size == 0:
        raise ExportUnreadable(f"{path}: empty")
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if number == 1 and raw.startswith(_DATABASE):
                raise ExportUnreadable(f"{path}: a journal, not its export; `carrusel journal export` writes one")
            try:
                text = raw.decode()
            except UnicodeDecodeError as problem:
                raise ExportUnreadable(f"{path}: not UTF-8") from problem
            try:
                line = json.loads(text)
                if number == 1 and "carrusel_export" not in line:
                    raise ExportUnreadable(f"{path}: not an export of a journal")
                if "kind" in line and "body" in line:
                    yield line["seq"], line["kind"], json.loads(line["body"])
            except RecursionError as problem:
                raise ExportUnreadable(f"{path}, line {number}: nested too deeply") from problem
            except (ValueError, KeyError, TypeError) as problem:
                raise ExportUnreadable(f"{path}, line {number}: {problem}") from problem
