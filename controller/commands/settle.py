"""`carrusel settle FILE`: recorded hands in, what everybody gets out."""

import json as json_text
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from controller.settle import RecordFault
from controller.settle import settle as settle_record

FINDING = 1
WRONG_FORM = 2


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
        print(f"{file}: {problem.strerror}", file=sys.stderr)
        code = WRONG_FORM
    if code:
        raise typer.Exit(code)


def _opened(file: str) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb")


def _settle_lines(source: BinaryIO) -> int:
    """Answers as they come: a line is forgotten once it is answered."""
    code = 0
    for number, line in enumerate(source, 1):
        if not line.strip():
            continue
        answer, found = _answer_text(line, f"line {number}")
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
        return _refused(fault, "")
    if not isinstance(document, list):
        return _answer(document, "")
    answered = [_answer(record, f"[{index}]") for index, record in enumerate(document)]
    return [answer for answer, _ in answered], max((code for _, code in answered), default=0)


def parse(text: bytes) -> Any:
    """JSON in which no key stands twice; raises RecordFault."""
    try:
        return json_text.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as problem:
        raise RecordFault("not_json", "") from problem


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        keys = [key for key, _ in pairs]
        raise RecordFault("duplicate_key", next(key for key in keys if keys.count(key) > 1))
    return values


def _answer_text(line: bytes, where: str) -> tuple[Any, int]:
    try:
        record = parse(line)
    except RecordFault as fault:
        return _refused(fault, where)
    return _answer(record, where, in_place=False)


def _answer(record: Any, where: str, in_place: bool = True) -> tuple[dict[str, Any], int]:
    try:
        return settle_record(record), 0
    except RecordFault as fault:
        answer, code = _refused(fault, where)
        if in_place and where:
            answer["at"] = f"{where}.{fault.at}" if fault.at else where
        return answer, code


def _refused(fault: RecordFault, where: str) -> tuple[dict[str, Any], int]:
    said = f"{where}: {fault}" if where else str(fault)
    print(said, file=sys.stderr)
    return {"error": fault.name, "at": fault.at}, WRONG_FORM if fault.is_form else FINDING
