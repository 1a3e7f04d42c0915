"""Tables: what they show, and what a pit boss does at them."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from sse_starlette import EventSourceResponse

from controller.api import acts, targets
from controller.api.auth import Allowed, Caller, find_caller
from controller.api.context import ApiPorts, ports_of
from controller.api.payments import paid_already
from controller.api.prize_views import find_prize, largest_of, prizes_of
from controller.api.problems import Problem
from controller.api.roles import Permission
from controller.api.schemas import (
    AdvanceForm,
    AlarmForm,
    AnteForm,
    CardsForm,
    CorrectionForm,
    CreditsForm,
    DeckForm,
    Document,
    HoldForm,
    HoldReleaseForm,
    KeyForm,
    LeaveForm,
    NoForm,
    PrizeForm,
    RequestKey,
    RestoredForm,
    SharedForm,
    StopForm,
    UnreadForm,
    VoidForm,
    WinnerForm,
    card,
)
from controller.api.terms import terms_view
from controller.api.views import hand_named, hand_view, table_summary, table_view
from controller.core.cards import Card
from controller.core.equipment_events import DeckReceipt, DeckReplaced
from controller.core.events import (
    AlarmAcknowledged,
    AntePlaced,
    AnteWithdrawn,
    BoxesShared,
    CardCorrected,
    CardsEntered,
    CreditsSettled,
    CreditWagered,
    CreditWithdrawn,
    DrawWinnerNamed,
    HandCorrected,
    HandVoided,
    JackpotBetsResumed,
    JackpotBetsStopped,
    KeyPressed,
    LeaveAsked,
    PrizeAdvanced,
    PrizeCallDismissed,
    PrizePaid,
    PrizeVerified,
)
from controller.core.prize_events import PrizeHoldReleased, PrizePutOnHold
from controller.core.refusal import Refusal, refuse
from controller.core.restored import RestoredSettled
from controller.engine.table_holds import check_hold
from controller.engine.table_papers import check_list

router = APIRouter(tags=["tables"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]
Dealer = Annotated[Caller, Depends(Allowed(Permission.DEAL))]
Bettor = Annotated[Caller, Depends(Allowed(Permission.BETS))]
Payer = Annotated[Caller, Depends(Allowed(Permission.PRIZES))]
HandJudge = Annotated[Caller, Depends(Allowed(Permission.HANDS))]
Linker = Annotated[Caller, Depends(Allowed(Permission.CAROUSEL))]
PEOPLE = "people"
"""The source of stops that people ask for: whoever may, resumes them."""


@router.get("/tables", summary="The floor: every table in one line")
async def tables(request: Request, caller: Reader) -> Document:
    ports = ports_of(request)
    return {"tables": [table_summary(ports, table_id) for table_id in ports.tables]}


@router.get("/tables/{table}", summary="One table as it is now")
async def one_table(table: str, request: Request, caller: Reader) -> Document:
    return table_view(ports_of(request), table)


@router.get("/tables/{table}/hands/{hand}", summary="The hand in course or the last one; older ones are in the journal")
async def one_hand(table: str, hand: int, request: Request, caller: Reader) -> Document:
    desk = ports_of(request).table(table)
    found = hand_named(desk.state, hand)
    if found is None:
        raise Problem(refuse(Refusal.UNKNOWN_HAND, hand=hand))
    return hand_view(desk.read(found.settings), desk.state, found)


@router.get("/tables/{table}/terms", summary="The jackpot's terms here, and as agreed with the carousel's host")
async def table_terms(table: str, request: Request, caller: Reader) -> Document:
    return terms_view(ports_of(request), table)


@router.get("/tables/{table}/prizes", summary="Prizes the table still names")
async def table_prizes(table: str, request: Request, caller: Reader) -> Document:
    return {"prizes": prizes_of(ports_of(request).table(table).state)}


@router.get(
    "/tables/{table}/live", summary="An event for every commit of the table (SSE); its data is the journal's seq"
)
async def live(table: str, request: Request, caller: Reader) -> EventSourceResponse:
    ports = ports_of(request)
    ports.table(table)
    return EventSourceResponse(_commits(ports, request, table), ping=15, sep="\n")


async def _commits(ports: ApiPorts, request: Request, table: str) -> AsyncIterator[dict[str, str]]:
    """Ends with the session: a browser that was logged out sees nothing more."""
    desk = ports.table(table)
    seq = desk.journal.head()[0]
    yield {"event": "commit", "data": str(seq)}
    while find_caller(request) is not None:
        seq = await desk.changed(seq)
        yield {"event": "commit", "data": str(seq)}


@router.post(
    "/tables/{table}/void", summary="Ask to void a hand (art. 67-69); a second person approves", status_code=202
)
async def void(table: str, form: VoidForm, request: Request, key: RequestKey, caller: HandJudge) -> Document:
    ports = ports_of(request)
    hand = hand_named(ports.table(table).state, form.hand)
    if hand is None or hand.void:
        raise Problem(refuse(Refusal.UNKNOWN_HAND, hand=form.hand))
    event = HandVoided(form.reason, form.note, form.hand)
    return await acts.ask(ports, caller, targets.table(table), event, key, Permission.HANDS_APPROVE)


@router.post("/tables/{table}/cards", summary="Ask to enter the cards of a place", status_code=202)
async def enter_cards(table: str, form: CardsForm, request: Request, key: RequestKey, caller: HandJudge) -> Document:
    event = CardsEntered(form.place, tuple(card(each) for each in form.cards), form.hand)
    return await acts.ask(ports_of(request), caller, targets.table(table), event, key, Permission.HANDS_APPROVE)


@router.post("/tables/{table}/cards/correction", summary="Ask to correct a misread card", status_code=202)
async def correct_card(
    table: str, form: CorrectionForm, request: Request, key: RequestKey, caller: HandJudge
) -> Document:
    ports = ports_of(request)
    event = correction_of(ports, table, form.hand, form.place, card(form.old), card(form.new), form.reason)
    return await acts.ask(ports, caller, targets.table(table), event, key, Permission.HANDS_APPROVE)


def correction_of(
    ports: ApiPorts, table: str, hand: int, place: str, old: Card, new: Card, reason: str
) -> CardCorrected | HandCorrected:
    """The event that corrects a card of the hand in course or of the last one; Problem for an older hand."""
    state = ports.table(table).state
    if hand == state.hand.number:
        return CardCorrected(place, old, new, hand, reason)
    if state.last is not None and hand == state.last.number:
        return HandCorrected(hand, place, old, new, reason)
    raise Problem(refuse(Refusal.HAND_NOT_CORRECTABLE, hand=hand))


@router.post("/tables/{table}/credits", summary="Jackpot credits by hand (art. 13), or taken back")
async def credits(table: str, form: CreditsForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    event: CreditWagered | CreditWithdrawn = CreditWagered(form.seat, form.credits, manual=True)
    if form.credits <= 0:
        event = CreditWithdrawn(form.seat, -form.credits)
    return await acts.do(ports_of(request), caller, targets.table(table), event, key)


@router.post("/tables/{table}/antes", summary="An ante by hand, or taken back")
async def antes(table: str, form: AnteForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    event: AntePlaced | AnteWithdrawn = AntePlaced(form.seat, form.amount_minor)
    if form.amount_minor == 0:
        event = AnteWithdrawn(form.seat)
    return await acts.do(ports_of(request), caller, targets.table(table), event, key)


@router.post("/tables/{table}/keys", summary="A dealer's key pressed on the panel")
async def keys(table: str, form: KeyForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    event = KeyPressed(form.key, form.seat, form.amount_minor)
    return await acts.do(ports_of(request), caller, targets.table(table), event, key)


@router.post("/tables/{table}/bets/stop", summary="No jackpot bets at this table until they are resumed")
async def stop_bets(table: str, form: StopForm, request: Request, key: RequestKey, caller: Bettor) -> Document:
    event = JackpotBetsStopped(PEOPLE, form.note)
    return await acts.do(ports_of(request), caller, targets.table(table), event, key)


@router.post("/tables/{table}/bets/resume", summary="Jackpot bets again, as far as people had stopped them")
async def resume_bets(table: str, form: StopForm, request: Request, key: RequestKey, caller: Bettor) -> Document:
    return await acts.do(ports_of(request), caller, targets.table(table), JackpotBetsResumed(PEOPLE, form.note), key)


@router.post("/tables/{table}/boxes/shared", summary="One player plays several boxes (art. 71)")
async def share_boxes(table: str, form: SharedForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    event = BoxesShared(tuple(form.seats), form.seen)
    return await acts.do(ports_of(request), caller, targets.table(table), event, key)


@router.post("/tables/{table}/decks", summary="A deck is taken out and another takes its place (art. 10, 24)")
async def replace_deck(table: str, form: DeckForm, request: Request, key: RequestKey, caller: HandJudge) -> Document:
    receipt = DeckReceipt(form.maker, form.model, form.serial, form.operator)
    event = DeckReplaced(form.old, form.new, form.reason, receipt)
    return await acts.do(ports_of(request), caller, targets.table(table), event, key)


@router.post("/tables/{table}/alarms/seen", summary="A person has seen to an open alarm")
async def seen_alarm(table: str, form: AlarmForm, request: Request, key: RequestKey, caller: Bettor) -> Document:
    event = AlarmAcknowledged(form.code, form.source, form.note)
    return await acts.do(ports_of(request), caller, targets.table(table), event, key)


@router.post("/tables/{table}/draws/winner", summary="Ask to name the winner of a draw", status_code=202)
async def draw_winner(table: str, form: WinnerForm, request: Request, key: RequestKey, caller: HandJudge) -> Document:
    event = DrawWinnerNamed(form.kind, form.seat, form.hand)
    return await acts.ask(ports_of(request), caller, targets.table(table), event, key, Permission.HANDS_APPROVE)


@router.post("/tables/{table}/unread", summary="Settle credits that a sensor lost")
async def settle_unread(table: str, form: UnreadForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    event = CreditsSettled(form.unread, form.credits)
    return await acts.do(ports_of(request), caller, targets.table(table), event, key)


@router.post("/tables/{table}/unread/none", summary="None of the credits that sensors lost were bets, at any seat")
async def settle_no_unread(table: str, form: NoForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    ports = ports_of(request)
    entries: list[Document] = []
    for unread in list(ports.table(table).state.unread):
        done = await acts.do(ports, caller, targets.table(table), CreditsSettled(unread, 0), f"unread-none/{unread}")
        entries += done["entries"]
    return {"status": "done", "entries": entries, "repeated": not entries}


@router.post("/tables/{table}/prize-call/dismiss", summary="The dealer had called a prize and there was none")
async def dismiss_call(table: str, form: NoForm, request: Request, key: RequestKey, caller: HandJudge) -> Document:
    return await acts.do(ports_of(request), caller, targets.table(table), PrizeCallDismissed(), key)


@router.post("/tables/{table}/prizes/verify", summary="The cards of a pending prize were seen")
async def verify_prize(table: str, form: PrizeForm, request: Request, key: RequestKey, caller: Payer) -> Document:
    return await acts.do(ports_of(request), caller, targets.table(table), PrizeVerified(form.prize), key)


@router.post("/tables/{table}/prizes/pay", summary="Pay a verified prize by hand; large ones take two people")
async def pay_prize(
    table: str, form: PrizeForm, request: Request, response: Response, key: RequestKey, caller: Payer
) -> Document:
    ports = ports_of(request)
    desk = ports.table(table)
    prize = find_prize(desk.state, form.prize)
    if prize is None:
        raise Problem(refuse(Refusal.UNKNOWN_PRIZE, prize=form.prize))
    waits = check_hold(desk.state, form.prize)
    if prize["status"] == "verified" and waits is None:
        waits = check_list(desk.settings, desk.state, form.prize, largest_of(prize))
    if waits is not None:
        raise Problem(waits)
    if largest_of(prize) < desk.settings.second_person_from_minor:
        try:
            return await acts.do(ports, caller, targets.table(table), PrizePaid(form.prize), key)
        except Problem as refused:
            raise Problem(await paid_already(ports, table, form.prize) or refused.refused) from refused
    if prize["status"] != "verified":
        paid = await paid_already(ports, table, form.prize)
        raise Problem(paid or refuse(Refusal.PRIZE_NOT_VERIFIED, prize=form.prize, status=prize["status"]))
    response.status_code = 202
    event = PrizePaid(form.prize, prize["payable_minor"])
    return await acts.ask(ports, caller, targets.table(table), event, key, Permission.PRIZES_APPROVE)


@router.post("/tables/{table}/prizes/hold", summary="Hold a prize back: nobody pays it until two people release it")
async def hold_prize(table: str, form: HoldForm, request: Request, key: RequestKey, caller: Payer) -> Document:
    event = PrizePutOnHold(form.prize, form.reason, form.note)
    return await acts.do(ports_of(request), caller, targets.table(table), event, key)


@router.post(
    "/tables/{table}/prizes/hold-release", summary="Ask to let a prize that was held back be paid", status_code=202
)
async def release_hold(table: str, form: HoldReleaseForm, request: Request, key: RequestKey, caller: Payer) -> Document:
    event = PrizeHoldReleased(form.prize, form.reason)
    return await acts.ask(ports_of(request), caller, targets.table(table), event, key, Permission.PRIZES_APPROVE)


@router.post(
    "/tables/{table}/prizes/advance", summary="Ask to pay on an open claim while the link is lost", status_code=202
)
async def advance_prize(table: str, form: AdvanceForm, request: Request, key: RequestKey, caller: Payer) -> Document:
    event = PrizeAdvanced(form.hand, form.seat, form.amount_minor, form.reason)
    return await acts.ask(ports_of(request), caller, targets.table(table), event, key, Permission.PRIZES_APPROVE)


@router.post("/tables/{table}/restored", summary="Ask to close money that a restored backup had open", status_code=202)
async def settle_restored(
    table: str, form: RestoredForm, request: Request, key: RequestKey, caller: HandJudge
) -> Document:
    event = RestoredSettled(form.item, form.outcome, form.reason)
    return await acts.ask(ports_of(request), caller, targets.table(table), event, key, Permission.HANDS_APPROVE)


@router.post("/tables/{table}/leave", summary="Ask to take the table out of its carousel", status_code=202)
async def leave(table: str, form: LeaveForm, request: Request, key: RequestKey, caller: Linker) -> Document:
    event = LeaveAsked(form.reason, form.cause)
    return await acts.ask(ports_of(request), caller, targets.table(table), event, key, Permission.CAROUSEL_APPROVE)
