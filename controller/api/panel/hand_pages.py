"""Pages on which a hand is changed: voided, its cards entered, a card corrected with what the true one would make."""

from typing import Any

from fastapi import Request
from starlette.responses import Response

from controller.api import targets
from controller.api.context import ApiPorts, ports_of
from controller.api.effect_amounts import asked_effects
from controller.api.effects import effects_of
from controller.api.panel.pages import need_caller, page_language, render, router
from controller.api.prize_views import prizes_of
from controller.api.problems import Problem
from controller.api.roles import Permission
from controller.api.routes_tables import correction_of
from controller.api.views import hand_named, hand_view, table_summary
from controller.api.words import Words
from controller.core.cards import DECK, parse_card
from controller.core.events import HandVoided, VoidReason
from controller.core.games.layout import BOARD, DEALER
from controller.core.refusal import Refusal, refuse

__all__ = ["router"]

VOID_REASONS = (
    (VoidReason.DEAL_ERROR, "68"),
    (VoidReason.BANK_CARD_EXPOSED, "69"),
    (VoidReason.WRONG_CARD_COUNT, "68"),
    (VoidReason.EXCHANGED_INFORMATION, "67"),
    (VoidReason.FOREIGN_BET, "70"),
    (VoidReason.DEVICE_FAULT, ""),
    (VoidReason.OTHER, ""),
)


@router.get("/table/{table}/void")
async def void(table: str, request: Request, hand: int) -> Response:
    caller = need_caller(request, Permission.HANDS)
    ports = ports_of(request)
    _need_hand(ports, table, hand)
    target = targets.table(table)
    would = effects_of(ports, target, HandVoided(VoidReason.OTHER, "", hand))
    effects = asked_effects(ports, str(target), {"hand": hand}, would)
    reasons = [(reason.value, article) for reason, article in VOID_REASONS]
    summary = table_summary(ports, table)
    return render(
        request, "void.html", caller, "floor", table=summary, hand=hand, effects=effects, void_reasons=reasons
    )


@router.get("/table/{table}/cards")
async def cards(table: str, request: Request, hand: int) -> Response:
    caller = need_caller(request, Permission.HANDS)
    ports = ports_of(request)
    shown = _need_hand(ports, table, hand)
    return render(request, "cards.html", caller, "floor", table=table_summary(ports, table), hand=shown)


@router.get("/table/{table}/correct")
async def correct(table: str, request: Request, hand: int, place: str) -> Response:
    caller = need_caller(request, Permission.HANDS)
    ports = ports_of(request)
    shown = _need_hand(ports, table, hand)
    box = next((each for each in shown["boxes"] if f"seat-{each['seat']}" == place), None)
    if box is None and place not in (DEALER, BOARD):
        raise Problem(refuse(Refusal.FORM_INVALID, place="query.place", why=place[:40]))
    old = shown["dealer"] if place == DEALER else shown["board"] if place == BOARD else box["cards"] if box else []
    out = {card for each in shown["boxes"] for card in each["cards"]} | set(shown["dealer"]) | set(shown["board"])
    words = Words(ports, page_language(request, caller)).functions()
    return render(
        request,
        "correct.html",
        caller,
        "floor",
        table=table_summary(ports, table),
        hand=shown,
        hand_now=ports.table(table).state.hand.number,
        place=place,
        place_words=words["place_name"](place),
        old=old,
        out=out,
        category=box["category"] if box else None,
        deck=[str(card) for card in sorted(DECK, key=lambda card: (card[1], DECK.index(card)))],
        prizes=[
            prize
            for prize in prizes_of(ports.table(table).state)
            if box and prize["hand"] == hand and prize["seat"] == box["seat"] and prize["status"] != "void"
        ],
    )


def _need_hand(ports: ApiPorts, table: str, number: int) -> dict[str, Any]:
    """The hand as shown; one that was played is no longer changed from the one after the next on, and that is said."""
    desk = ports.table(table)
    hand = hand_named(desk.state, number)
    if hand is None and number < desk.state.hand.number:
        raise Problem(refuse(Refusal.HAND_NOT_CORRECTABLE, hand=number, hand_now=desk.state.hand.number))
    if hand is None:
        raise Problem(refuse(Refusal.UNKNOWN_HAND, hand=number))
    return hand_view(desk.read(hand.settings), desk.state, hand)


@router.get("/table/{table}/correct/effects")
async def correct_effects(
    table: str, request: Request, hand: int, place: str, old: str = "", new: str = ""
) -> Response:
    """A part of the page before it: what the true card would change, for who has chosen both."""
    caller = need_caller(request, Permission.HANDS)
    ports = ports_of(request)
    read, true = parse_card(old), parse_card(new)
    if read is None or true is None:
        raise Problem(refuse(Refusal.FORM_INVALID, place="query.new", why=new[:40]))
    event = correction_of(ports, table, hand, place, read, true, "")
    target = targets.table(table)
    effects = asked_effects(ports, str(target), {"hand": hand}, effects_of(ports, target, event))
    return render(request, "correct_effects.html", caller, "floor", effects=effects)
