"""Journals with filters, and one entry by id."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request

from controller.api.auth import Allowed, Caller
from controller.api.context import ports_of
from controller.api.problems import Problem
from controller.api.roles import Permission
from controller.api.schemas import Document
from controller.api.views import without_secrets
from controller.core.refusal import Refusal, refuse
from controller.engine.ports import JournalReader, StoredEntry

router = APIRouter(tags=["journal"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ_JOURNAL))]
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


@router.get("/journals/{journal}/entries", summary="Entries, newest first, with filters")
async def entries(
    journal: str,
    request: Request,
    caller: Reader,
    before: Annotated[int | None, Query(ge=1, le=2**53, description="only entries before this seq")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    kind: Annotated[str, Query(max_length=40, description="beginning of the kind, as `prize.`")] = "",
    actor: Annotated[str, Query(max_length=64)] = "",
    hand: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> Document:
    reader = ports_of(request).journal(journal)
    found, next_before = await newest_entries(reader, before, limit, matching(kind, actor, hand))
    return {"entries": [entry_view(stored) for stored in found], "next_before": next_before}


@router.get("/journals/{journal}/entries/{entry:path}", summary="One entry by id")
async def one_entry(journal: str, entry: str, request: Request, caller: Reader) -> Document:
    found = await ports_of(request).journal(journal).find([entry])
    if entry not in found:
        raise Problem(refuse(Refusal.NOT_FOUND, entry=entry[:120]))
    return entry_view(found[entry])


Filter = Callable[[StoredEntry], bool]


def matching(kind: str = "", actor: str = "", hand: int | None = None) -> Filter:
    """Entries whose kind begins so, of a person, of a hand; what is left out does not filter."""

    def matches(stored: StoredEntry) -> bool:
        entry = stored.entry
        if not entry.kind.startswith(kind) or (actor and entry.actor != actor):
            return False
        return hand is None or entry.body.get("hand") == hand

    return matches


async def newest_entries(
    reader: JournalReader, before: int | None, limit: int, matches: Filter
) -> tuple[list[StoredEntry], int | None]:
    """Matching entries, newest first, and the seq to go on before; None at the journal's beginning."""
    end = min(before, reader.head()[0] + 1) if before is not None else reader.head()[0] + 1
    found: list[StoredEntry] = []
    for _ in range(WINDOWS):
        start = max(end - 1 - WINDOW, 0)
        page = await reader.page(start, end - 1 - start) if end > 1 else []
        for stored in reversed(page):
            if not matches(stored):
                continue
            found.append(stored)
            if len(found) == limit:
                return found, stored.seq if stored.seq > 1 else None
        end = start + 1
        if start == 0:
            return found, None
    return found, end


def entry_view(stored: StoredEntry) -> Document:
    """An entry as stored, with its place and chain."""
    entry = stored.entry
    return {
        "seq": stored.seq,
        "id": entry.id,
        "kind": entry.kind,
        "actor": entry.actor,
        "wall_ms": stored.wall_ms,
        "body": without_secrets(entry.body),
        "postings": [[posting.account, posting.micros] for posting in entry.postings],
        "chain": stored.chain.hex(),
    }
