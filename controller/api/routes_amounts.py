"""Amounts: every one that this node shows, and how each came about, down to the bets of each hand."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request

from controller.api.amounts.ask import trace
from controller.api.amounts.listed import amounts_of_carousel, amounts_of_table, carousels_told
from controller.api.auth import Allowed, Caller
from controller.api.context import ports_of
from controller.api.roles import Permission
from controller.api.schemas import Document

router = APIRouter(tags=["amounts"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]
Address = Annotated[
    str,
    Query(min_length=1, max_length=200, description="address of an amount, as `carousel/ID/meter` (see `/amounts`)"),
]


@router.get("/amounts", summary="Every amount on a screen or page of this node, with its address")
async def amounts(request: Request, caller: Reader) -> Document:
    ports = ports_of(request)
    return {
        "tables": {name: [each.plain() for each in amounts_of_table(ports, name)] for name in ports.tables},
        "carousels": {
            name: [each.plain() for each in amounts_of_carousel(ports, name)] for name in carousels_told(ports)
        },
    }


@router.get("/amounts/origin", summary="How one amount came about: parts that add up, each with its own address")
async def amount(request: Request, caller: Reader, of: Address) -> Document:
    ports = ports_of(request)
    return (await trace(ports, of)).plain(ports.minor_micros)
