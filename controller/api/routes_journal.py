"""Journals with filters, one entry by id, and the export that anybody verifies."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from controller.api.auth import Allowed, Caller
from controller.api.context import ApiPorts, ports_of
from controller.api.kept import Span
from controller.api.one_export import OneExport
from controller.api.problems import Problem
from controller.api.roles import Permission
from controller.api.schemas import Document
from controller.api.spans import span_between
from controller.api.views import without_secrets
from controller.core.ledger import Entry
from controller.core.refusal import Refusal, refuse
from controller.engine import subjects
from controller.engine.ports import JournalReader, StoredEntry

router = APIRouter(tags=["journal"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ_JOURNAL))]
DAY_OR_NONE = r"^(\d{4}-\d{2}-\d{2})?$"
FirstDay = Annotated[
    str, Query(alias="from", pattern=DAY_OR_NONE, description="from this day at the site on, as 2026-11-29")
]
LastDay = Annotated[str, Query(alias="to", pattern=DAY_OR_NONE, description="up to this day at the site, and on it")]
LINES, PROGRAM = "application/x-ndjson", "text/x-python"
LINES_ANSWER: dict[int | str, dict[str, Any]] = {200: {"content": {LINES: {}}, "description": "An export"}}
PROGRAM_ANSWER: dict[int | str, dict[str, Any]] = {200: {"content": {PROGRAM: {}}, "description": "A program"}}
WINDOW = 500
WINDOWS = 40
"""Entries looked at for one answer: at most WINDOW × WINDOWS; the answer says where it stopped."""


@router.get("/journals", summary="The node's journals and their heads")
async def journals(request: Request, caller: Reader) -> Document:
    found = []
    for name, journal in ports_of(request).journals().items():
        seq, chain = journal.head()
        found.append({"name": name, "incarnation": journal.incarnation, "seq": seq, "chain": chain.hex()})
    return {"journals": found}


@router.get(
    "/journals/{journal}/export",
    summary="The whole journal as `carrusel journal export` writes it: JSON lines that anybody can verify",
    response_class=Response,
    responses=LINES_ANSWER,
)
async def export(journal: str, request: Request, caller: Reader) -> Response:
    ports = ports_of(request)
    reader = ports.journal(journal)
    if not may_leave(ports, reader):
        raise Problem(refuse(Refusal.JOURNAL_HAS_SECRETS, journal=journal[:64]))
    return OneExport(ports.kept, reader.export(), LINES, _attached(f"{reader.name}.jsonl"))


@router.get(
    "/journals/{journal}/export/verifier",
    summary="The program that verifies an export: `python3 verify_export.py FILE`, nothing else is needed",
    response_class=Response,
    responses=PROGRAM_ANSWER,
)
async def verifier(journal: str, request: Request, caller: Reader) -> Response:
    program = ports_of(request).journal(journal).verifier()
    return Response(program, media_type=PROGRAM, headers=_attached("verify_export.py"))


def may_leave(ports: ApiPorts, reader: JournalReader) -> bool:
    """Whether a journal is exported here: not that of the people, whose bodies hold what their PINs hash to.

    An export carries bodies as they are chained, so that nothing can be left out of it.
    """
    return reader.name != ports.accounts.journal.name


def _attached(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


@router.get("/journals/{journal}/entries", summary="Entries, newest first, with filters")
async def entries(
    journal: str,
    request: Request,
    caller: Reader,
    before: Annotated[int | None, Query(ge=1, le=2**53, description="only entries before this seq")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    kind: Annotated[str, Query(max_length=40, description="beginning of the kind, as `prize.`")] = "",
    actor: Annotated[str, Query(max_length=64)] = "",
    hand: Annotated[
        int | None, Query(ge=1, le=2**53, description="of this hand, however named: its prizes and records too")
    ] = None,
    first: FirstDay = "",
    last: LastDay = "",
) -> Document:
    ports = ports_of(request)
    reader = ports.journal(journal)
    within = await span_between(ports, reader, first, last)
    wanted = matching(kind, (actor,) if actor else (), hand, table_of(reader.name))
    found, next_before = await newest_entries(reader, before, limit, wanted, hand_of(hand), within)
    return {"entries": [entry_view(stored) for stored in found], "next_before": next_before}


@router.get("/journals/{journal}/entries/{entry:path}", summary="One entry by id")
async def one_entry(journal: str, entry: str, request: Request, caller: Reader) -> Document:
    found = await ports_of(request).journal(journal).find([entry])
    if entry not in found:
        raise Problem(refuse(Refusal.NOT_FOUND, entry=entry[:120]))
    return entry_view(found[entry])


Filter = Callable[[StoredEntry], bool]


def second_of(entry: Entry) -> str:
    """The second of the two people of an entry, where it names one: its own, or its ledger record's."""
    record = entry.body.get("record")
    signed = record.get("body", {}).get("signed") if isinstance(record, Mapping) else None
    return str(entry.body.get("second") or (signed or {}).get("second") or "")


def matching(
    kind: str | tuple[str, ...] = "", actors: Collection[str] = (), hand: int | None = None, table: str = ""
) -> Filter:
    """Entries whose kind begins so, of one of these people, first or second, of a hand.

    What is left out does not filter. table: whose journal it is, which tells of its own hands; "" for a journal that
    tells of those of all tables.
    """

    def matches(stored: StoredEntry) -> bool:
        entry = stored.entry
        if not entry.kind.startswith(kind):
            return False
        if actors and entry.actor not in actors and second_of(entry) not in actors:
            return False
        named = subjects.hands_of(entry.body) if hand is not None else ()
        return hand is None or any(number == hand and (not table or of in ("", table)) for of, number in named)

    return matches


def table_of(journal: str) -> str:
    """The table whose journal it is by that name; "" for one of a carousel or of the node."""
    kind, _, table = journal.partition("-")
    return table if kind == "table" else ""


def hand_of(hand: int | None) -> str:
    """The subject by which a hand's entries are found; empty for no hand."""
    return "" if hand is None else subjects.of_hand(hand)


async def newest_entries(
    reader: JournalReader,
    before: int | None,
    limit: int,
    matches: Filter,
    subject: str = "",
    within: Span | None = None,
) -> tuple[list[StoredEntry], int | None]:
    """Matching entries, newest first, and the seq to go on before; None where nothing older may match.

    With a subject only its own entries are looked at: however old they are, at the same cost. within: only those.
    """
    within = within or Span(0, reader.head()[0])
    end = min(within.last, before - 1 if before is not None else within.last) + 1
    found: list[StoredEntry] = []
    for _ in range(WINDOWS):
        page, start = await _window(reader, end, subject)
        for stored in page:
            if stored.seq <= within.after:
                return found, None
            if not matches(stored):
                continue
            found.append(stored)
            if len(found) == limit:
                return found, stored.seq if stored.seq > within.after + 1 else None
        end = start + 1
        if start <= within.after:
            return found, None
    return found, end


async def _window(reader: JournalReader, end: int, subject: str) -> tuple[Sequence[StoredEntry], int]:
    """Entries before a seq, newest first, and the seq after which all were looked at."""
    if subject:
        page = await reader.about(subject, end, WINDOW)
        return page, page[-1].seq - 1 if len(page) == WINDOW else 0
    start = max(end - 1 - WINDOW, 0)
    return list(reversed(await reader.page(start, end - 1 - start))) if end > 1 else [], start


async def entries_about(reader: JournalReader, subject: str) -> list[StoredEntry]:
    """Every entry about a subject, oldest first."""
    found: list[StoredEntry] = []
    end = reader.head()[0] + 1
    while page := await reader.about(subject, end, WINDOW):
        found += page
        end = page[-1].seq
    return list(reversed(found))


def entry_view(stored: StoredEntry) -> Document:
    """An entry as stored, with its place and chain."""
    entry = stored.entry
    return {
        "seq": stored.seq,
        "id": entry.id,
        "kind": entry.kind,
        "actor": entry.actor,
        "second": second_of(entry),
        "wall_ms": stored.wall_ms,
        "body": without_secrets(entry.body),
        "postings": [[posting.account, posting.micros] for posting in entry.postings],
        "chain": stored.chain.hex(),
    }
