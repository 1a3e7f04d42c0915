"""Slips of prizes: issued in one sequence, copied and voided as entries of the table, printed out of the entry; what is
done with a large prize's cards before it is paid; and another amount than the computed one, by two people."""

from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from controller.api import acts, targets
from controller.api.auth import Allowed, Caller
from controller.api.context import ports_of
from controller.api.prize_story import need_prize, prize_slip, slip_facts
from controller.api.prize_views import OPEN, find_prize
from controller.api.problems import Problem, language_of
from controller.api.roles import Permission
from controller.api.routes_journal import newest_entries
from controller.api.routes_reports import PDF, PDF_ANSWER, named_file
from controller.api.schemas import CheckForm, Document, OverrideForm, PrizeForm, RequestKey, SlipForm, SlipVoidForm
from controller.api.slips import slip_pdf
from controller.api.words import Words
from controller.core.prize_events import PrizeChecked, PrizeOverridden, SlipCopied, SlipIssued, SlipVoided
from controller.core.refusal import Refusal, refuse
from controller.engine import subjects
from controller.engine.ports import StoredEntry

router = APIRouter(tags=["prizes"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]
Payer = Annotated[Caller, Depends(Allowed(Permission.PRIZES))]
PrizeId = Annotated[str, Query(min_length=1, max_length=200)]
LISTED = 100


@router.get("/tables/{table}/slips", summary="The newest slips of a table with their numbers, voids included")
async def slips(table: str, request: Request, caller: Reader) -> Document:
    """Issues and voids as the journal has them, newest first."""

    def is_slip(stored: StoredEntry) -> bool:
        return stored.entry.kind in ("slip.issued", "slip.voided")

    journal = ports_of(request).table(table).journal
    found, _ = await newest_entries(journal, None, LISTED, is_slip, subjects.SLIPS)
    return {
        "slips": [
            {"seq": stored.seq, "what": stored.entry.kind, "at_ms": stored.wall_ms, **stored.entry.body}
            for stored in found
        ]
    }


@router.get(
    "/tables/{table}/prizes/slip",
    summary="The slip of a prize as it was issued (PDF); once copied, it says that it is a copy",
    response_class=Response,
    responses=PDF_ANSWER,
)
async def slip(table: str, request: Request, caller: Reader, prize: PrizeId) -> Response:
    ports = ports_of(request)
    found = await prize_slip(ports, table, prize)
    text = slip_pdf(ports, found, language_of(request))
    return Response(text, media_type=PDF, headers=named_file(f"slip-{found.content['number']}.pdf"))


@router.post(
    "/tables/{table}/slips", summary="Issue the slip of a verified or paid prize: the next number of the table"
)
async def issue_slip(table: str, form: SlipForm, request: Request, key: RequestKey, caller: Payer) -> Document:
    ports = ports_of(request)
    prize = need_prize(ports, table, form.prize)
    note = ports.table(table).state.slips.get(form.prize)
    if note is not None and note.entry == acts.envelope_id(caller, key):
        # What else stands on the paper may have changed since; the request that was answered is the slip it made.
        if not _asks_for(form, (await prize_slip(ports, table, form.prize)).content):
            raise Problem(refuse(Refusal.CONFLICT, id=note.entry))
        return {"status": "done", "entries": [{"id": note.entry, "kind": "slip.issued"}], "repeated": True}
    proposed = ports.config.papers.withholding.of(prize["due_minor"])
    withheld = proposed if form.withheld_minor is None else form.withheld_minor
    facts = await slip_facts(ports, table, prize, Words(ports, ports.config.site.language))
    event = SlipIssued(form.prize, withheld, proposed, facts, form.note)
    return await acts.do(ports, caller, targets.table(table), event, key)


def _asks_for(form: SlipForm, said: Mapping[str, Any]) -> bool:
    """Whether a form asks for a slip that says this."""
    withheld = said["proposed_minor"] if form.withheld_minor is None else form.withheld_minor
    return (withheld, form.note) == (said["withheld_minor"], said["note"])


@router.post("/tables/{table}/slips/copy", summary="Print one more copy of a prize's slip, with the same number")
async def copy_slip(table: str, form: PrizeForm, request: Request, key: RequestKey, caller: Payer) -> Document:
    """The answer names the copy's number and where its paper is."""
    ports = ports_of(request)
    done = await acts.do(ports, caller, targets.table(table), SlipCopied(form.prize), key)
    (made,) = (await ports.table(table).journal.find([done["entries"][0]["id"]])).values()
    paper = f"/api/v1/tables/{quote(table)}/prizes/slip?prize={quote(form.prize, safe='')}&lang={language_of(request)}"
    return {**done, "copy": made.entry.body["copy"], "paper": paper}


@router.post("/tables/{table}/slips/void", summary="Void a prize's slip with a cause and a note; its number stays")
async def void_slip(table: str, form: SlipVoidForm, request: Request, key: RequestKey, caller: Payer) -> Document:
    event = SlipVoided(form.prize, form.reason, form.note)
    return await acts.do(ports_of(request), caller, targets.table(table), event, key)


@router.post("/tables/{table}/prizes/check", summary="What was done with the cards of a large prize")
async def check_prize(table: str, form: CheckForm, request: Request, key: RequestKey, caller: Payer) -> Document:
    event = PrizeChecked(form.prize, tuple(form.done), form.seal)
    return await acts.do(ports_of(request), caller, targets.table(table), event, key)


@router.post(
    "/tables/{table}/prizes/override",
    summary="Ask to pay another amount than the computed one; the house bears the difference, the pools stay",
    status_code=202,
)
async def override_prize(table: str, form: OverrideForm, request: Request, key: RequestKey, caller: Payer) -> Document:
    ports = ports_of(request)
    prize = find_prize(ports.table(table).state, form.prize)
    computed = prize["computed_minor"] if prize is not None and prize["status"] in OPEN else None
    event = PrizeOverridden(form.prize, form.amount_minor, form.reason, form.note, computed)
    return await acts.ask(ports, caller, targets.table(table), event, key, Permission.PRIZES_APPROVE)
