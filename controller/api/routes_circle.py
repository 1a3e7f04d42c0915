"""The circle game's people: players in, out and at rest, their chips, sanctions and mistakes (art. C 18-70)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from controller.api import acts, targets
from controller.api.auth import Allowed, Caller
from controller.api.context import ports_of
from controller.api.roles import Permission
from controller.api.schemas import Document, NoForm, NotNegative, Positive, RequestKey, SeatNumber
from controller.api.typed_fields import Form, Reason, Word
from controller.core.circle_events import (
    AbsentSeatDealt,
    BetOutOfTurn,
    GameOpened,
    HandRestored,
    HandsKilled,
    PlayerLeft,
    PlayerRested,
    PlayerReturned,
    PlayerSeated,
    Rebought,
    Sanction,
    Sanctioned,
    SeatsDrawAsked,
    ShowdownTold,
    StackCounted,
)

router = APIRouter(prefix="/tables/{table}/circle", tags=["circle game"])
Dealer = Annotated[Caller, Depends(Allowed(Permission.DEAL))]
HandJudge = Annotated[Caller, Depends(Allowed(Permission.HANDS))]


class SeatForm(Form):
    seat: SeatNumber


class BuyForm(Form):
    """Chips a player brings; none: what the rules ask of him."""

    seat: SeatNumber
    chips_minor: Positive | None = None


class RebuyForm(Form):
    seat: SeatNumber
    chips_minor: Positive


class StackForm(Form):
    """Chips as two people have counted them."""

    seat: SeatNumber
    chips_minor: NotNegative
    reason: Reason


class SanctionForm(Form):
    seat: SeatNumber
    sanction: Sanction = Field(strict=False)
    reason: Reason


class KilledForm(Form):
    seats: Annotated[list[SeatNumber], Field(min_length=1, max_length=10)]
    reason: Reason


class RestoredForm(Form):
    seat: SeatNumber
    reason: Reason


class OutOfTurnForm(Form):
    seat: SeatNumber
    to_minor: Positive


class ShowdownForm(Form):
    """Seats from the best hand down, equal hands together."""

    ranking: Annotated[list[Annotated[list[SeatNumber], Field(min_length=1, max_length=10)]], Field(max_length=10)]


class SeatDrawForm(Form):
    """The players of a game in order of arrival, as the record names them."""

    players: Annotated[list[Word], Field(min_length=1, max_length=10)]


async def _told(table: str, event: object, request: Request, key: str, caller: Caller) -> Document:
    return await acts.do(ports_of(request), caller, targets.table(table), event, key)


@router.post("/game", summary="A new game begins with the players present (art. 16, 28)")
async def open_game(table: str, form: NoForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    return await _told(table, GameOpened(), request, key, caller)


@router.post("/seats", summary="The players have arrived: their seats are drawn (art. 18)")
async def draw_seats(table: str, form: SeatDrawForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    return await _told(table, SeatsDrawAsked(tuple(form.players)), request, key, caller)


@router.post("/players", summary="A player takes a seat (art. 19, 22-25)")
async def seat_player(table: str, form: BuyForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    return await _told(table, PlayerSeated(form.seat, form.chips_minor), request, key, caller)


@router.post("/players/leave", summary="A player leaves, between hands (art. 34-35)")
async def leave(table: str, form: SeatForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    return await _told(table, PlayerLeft(form.seat), request, key, caller)


@router.post("/players/rest", summary="A player rests from the next hand on (art. 37-38)")
async def rest(table: str, form: SeatForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    return await _told(table, PlayerRested(form.seat), request, key, caller)


@router.post("/players/return", summary="A resting player is back (art. 38)")
async def come_back(table: str, form: SeatForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    return await _told(table, PlayerReturned(form.seat), request, key, caller)


@router.post("/players/rebuy", summary="More chips; told in a hand they count after it (art. 29-33)")
async def rebuy(table: str, form: RebuyForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    return await _told(table, Rebought(form.seat, form.chips_minor), request, key, caller)


@router.post("/stacks", summary="Ask to set a player's chips to what was counted", status_code=202)
async def count_stack(table: str, form: StackForm, request: Request, key: RequestKey, caller: HandJudge) -> Document:
    event = StackCounted(form.seat, form.chips_minor, form.reason)
    return await acts.ask(ports_of(request), caller, targets.table(table), event, key, Permission.HANDS_APPROVE)


@router.post("/sanctions", summary="The sector chief's sanction (art. 70)")
async def sanction(table: str, form: SanctionForm, request: Request, key: RequestKey, caller: HandJudge) -> Document:
    return await _told(table, Sanctioned(form.seat, form.sanction, form.reason), request, key, caller)


@router.post("/hands/killed", summary="Mixed cards kill hands (art. 66, 69)")
async def kill(table: str, form: KilledForm, request: Request, key: RequestKey, caller: HandJudge) -> Document:
    return await _told(table, HandsKilled(tuple(form.seats), form.reason), request, key, caller)


@router.post("/hands/restored", summary="A hand discarded by mistake is put together again (art. 69)")
async def restore(table: str, form: RestoredForm, request: Request, key: RequestKey, caller: HandJudge) -> Document:
    return await _told(table, HandRestored(form.seat, form.reason), request, key, caller)


@router.post("/bets/out-of-turn", summary="Chips put down out of turn (art. 57)")
async def out_of_turn(table: str, form: OutOfTurnForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    return await _told(table, BetOutOfTurn(form.seat, form.to_minor), request, key, caller)


@router.post("/deal/absent", summary="Cards are being dealt to a seat that does not play (art. 62)")
async def absent(table: str, form: SeatForm, request: Request, key: RequestKey, caller: Dealer) -> Document:
    return await _told(table, AbsentSeatDealt(form.seat), request, key, caller)


@router.post("/showdown", summary="Seats from the best hand down, where no reader sees the cards (art. 72)")
async def showdown(table: str, form: ShowdownForm, request: Request, key: RequestKey, caller: HandJudge) -> Document:
    ranking = tuple(tuple(seats) for seats in form.ranking)
    return await _told(table, ShowdownTold(ranking), request, key, caller)
