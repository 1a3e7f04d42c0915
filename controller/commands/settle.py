"""`carrusel settle FILE`: recorded hands in, what everybody gets out."""

import json as json_text
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from controller.commands.console_words import FINDING, USAGE, complain
from controller.commands.fault_words import fault_said
from controller.commands.progress import watched
from controller.commands.record_json import parse
from controller.settle import RecordFault
from controller.settle import settle as settle_record


def settle(
    file: Annotated[str, typer.Argument(help="A hand record, or a list of them; - reads standard input.")],
    lines: Annotated[bool, typer.Option("--lines", help="One record in each line, one answer out for each.")] = False,
    json: Annotated[bool, typer.Option("--json", help="JSON without line breaks (answers are always JSON).")] = False,
) -> None:
    """Settle recorded hands without hardware: base bets, jackpot, draws, meter. Amounts in minor units.

    Exit code 0; 1 when a hand cannot be; 2 when a record has the wrong form or the file cannot be read.
    """
    try:
        with _opened(file) as source:
            code = _settle_lines(source) if lines else _settle_document(source.read(), None if json else 2)
    except OSError as problem:
        complain(problem)
        code = USAGE
    if code:
        raise typer.Exit(code)


def _opened(file: str) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb")


def _settle_lines(source: BinaryIO) -> int:
    """Answers as they come: a line is forgotten once it is answered."""
    code = 0
    for number, line in enumerate(watched(source), 1):
        if not line.strip():
            continue
        answer, found = _answer_text(line, number)
        code = max(code, found)
        # ASCII: a place may hold half a surrogate pair, which no encoding writes.
        sys.stdout.write(json_text.dumps(answer) + "\n")
    return code


def _settle_document(text: bytes, indent: int | None) -> int:
    answer, code = _document_answer(text)
    print(json_text.dumps(answer, indent=indent))
    return code


def _document_answer(text: bytes) -> tuple[object, int]:
    try:
        document = parse(text)
    except RecordFault as fault:
        return _refused(fault)
    if not isinstance(document, list):
        return _answer(document)
    answered = [_answer(record, f"[{index}]") for index, record in enumerate(document)]
    return [answer for answer, _ in answered], max((code for _, code in answered), default=0)


def _answer_text(line: bytes, number: int) -> tuple[Any, int]:
    try:
        record = parse(line.rstrip(b"\r\n"))
    except RecordFault as fault:
        return _refused(fault, number=number)
    return _answer(record, number=number)


def _answer(record: Any, within: str = "", number: int | None = None) -> tuple[dict[str, Any], int]:
    try:
        return settle_record(record), 0
    except RecordFault as fault:
        return _refused(fault, within, number)


def _refused(fault: RecordFault, within: str = "", number: int | None = None) -> tuple[dict[str, Any], int]:
    """A fault in a record: of a list (`within`, `[2]`), or on a line of its own, whose places count from the record."""
    at = f"{within}.{fault.at}" if within and fault.at else within or fault.at
    complain(fault_said(fault, at, number))
    return {"error": fault.name, "at": at}, USAGE if fault.is_form else FINDING
