"""A journal as one file of JSON lines that a third party can verify with nothing but Python."""

import json
import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from controller.adapters.journal.chain import NO_CHAIN, NOT_JSON, Head, Row, link, typed
from controller.adapters.journal.errors import Fault, JournalDamaged, JournalUnfit
from controller.adapters.journal.journal import PAGE, Journal
from controller.adapters.journal.state_files import written
from controller.adapters.journal.store import Store

VERIFIER = Path(__file__).with_name("verify_export.py")
PART_BYTES = 64 * 1024
BEGIN = b'{"carrusel_export":'
"""How an export begins."""


def export(journal: Journal, target: Path) -> Head:
    """Write all entries and checkpoints to `target`, and the verifier beside it; returns the head that was exported.

    Bodies and postings are carried as the stored bytes (text inside the JSON line), so that they hash to the same.
    JournalDamaged at the first entry that does not fit; then there is no file. See `write_export`.
    """
    head = journal.head
    write_export(export_lines(journal, head), target)
    return head


def write_export(lines: Iterable[dict[str, Any]], target: Path) -> None:
    """The file of these lines, whole or not at all, readable by its owner alone (a node's journal holds the hashes of
    PINs), and the verifier beside it.

    An earlier export gives way to it. JournalUnfit for any other file that is there: it may be the journal itself.
    """
    check_gives_way(target)
    _write_whole(map(line_text, lines), target, 0o600)
    _write_whole((VERIFIER.read_bytes(),), target.with_name(VERIFIER.name), 0o644)


def check_gives_way(target: Path) -> None:
    """Raise JournalUnfit when anything but an export is at the target, or it is the verifier's own place."""
    if target.name == VERIFIER.name:
        raise JournalUnfit(f"{target} is where the verifier goes; name another file")
    if os.path.lexists(target) and not is_export(target):
        raise JournalUnfit(f"{target} exists; move it away first")


def is_export(path: Path) -> bool:
    """Whether a file begins as an export does."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(BEGIN)) == BEGIN


def _write_whole(parts: Iterable[bytes], target: Path, mode: int) -> None:
    partial_file = target.with_name(f"{target.name}.{os.getpid()}.part")  # others may export into the same folder
    partial_file.unlink(missing_ok=True)
    try:
        with written(target), open(partial_file, "wb", opener=partial(os.open, mode=mode)) as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        partial_file.replace(target)
    finally:  # what fails halfway, for want of room as a rule, gives the room back
        partial_file.unlink(missing_ok=True)


def line_text(line: dict[str, Any]) -> bytes:
    """A line of an export as it stands in the file."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def export_parts(journal: Journal, head: Head) -> Iterator[bytes]:
    """The file in parts of PART_BYTES and a line: however long a journal is, no more of it is held at once."""
    part = bytearray()
    for line in export_lines(journal, head):
        part += line_text(line)
        if len(part) >= PART_BYTES:
            yield bytes(part)
            part.clear()
    yield bytes(part)


def export_lines(journal: Journal, head: Head) -> Iterator[dict[str, Any]]:
    """The lines of an export up to a head; commits may go on meanwhile."""
    yield {
        "carrusel_export": 1,
        "name": journal.name,
        "incarnation": journal.incarnation,
        "entries": head.seq,
        "head": head.chain.hex(),
        "verify": f"python3 {VERIFIER.name} FILE",
    }
    for row in _checked_rows(journal, head):
        yield {
            "seq": row.seq,
            "id": row.id,
            "kind": row.kind,
            "actor": row.actor,
            "wall_ms": row.wall_ms,
            "cause": row.cause.hex(),
            "body": _text(row, row.body),
            "postings": _text(row, row.postings),
            "chain": row.chain.hex(),
        }
    cosigned: dict[int, list[dict[str, str]]] = {}
    for seq, node, key, signature in journal.ask_now(Store.cosignatures):
        record = {"node": node, "public_key": key.hex(), "signature": signature.hex()}
        cosigned.setdefault(seq, []).append(record)
    for checkpoint in journal.checkpoints():
        if checkpoint.seq <= head.seq:
            yield {"checkpoint": checkpoint.as_record(), "cosignatures": cosigned.get(checkpoint.seq, [])}
    yield {"end": head.seq}


def _text(row: Row, stored: bytes) -> str:
    try:
        return stored.decode()
    except UnicodeDecodeError as error:
        raise JournalDamaged(row.seq, Fault.ALTERED, NOT_JSON) from error


def _checked_rows(journal: Journal, head: Head) -> Iterator[Row]:
    seq, chain = 0, NO_CHAIN
    while seq < head.seq:
        rows = journal.ask_now(partial(Store.page, after_seq=seq, limit=min(PAGE, head.seq - seq)))
        for row in typed(rows, seq):
            chain = link(chain, row)
            if row.seq != seq + 1 or chain != row.chain:
                raise JournalDamaged(seq + 1, Fault.ALTERED)
            seq = row.seq
            yield row
        if not rows:
            raise JournalDamaged(seq + 1, Fault.GAP)
