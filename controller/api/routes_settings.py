"""The settings in force, with their ETag, and what runs here."""

from hashlib import sha256
from importlib.metadata import version
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Header, Request, Response

from controller.api.auth import Allowed, Caller
from controller.api.context import ApiPorts, ports_of
from controller.api.roles import Permission
from controller.api.schemas import Document
from controller.config.house_rules import with_terms_in_force
from controller.config.model import Config

router = APIRouter(tags=["settings"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]
UNCHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "The reader has these settings already"}}


def in_force(ports: ApiPorts) -> Config:
    """The site's file with what people changed at the tables on top of it."""
    return with_terms_in_force(ports.config, {name: desk.state.hand.settings for name, desk in ports.tables.items()})


def settings_of(ports: ApiPorts) -> tuple[dict[str, Any], str]:
    """The configuration as the node runs it, and the ETag of exactly that."""
    settings = in_force(ports).model_dump(mode="json")
    digest = sha256(msgspec.json.encode(settings, order="sorted")).hexdigest()
    return settings, f'"{digest}"'


@router.get(
    "/settings",
    summary="The configuration in force: the site's file, and what people changed at tables",
    responses=UNCHANGED,
)
async def settings(
    request: Request,
    response: Response,
    caller: Reader,
    if_none_match: Annotated[str | None, Header(max_length=200)] = None,
) -> Any:
    found, tag = settings_of(ports_of(request))
    if if_none_match == tag:
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return {"settings": found}


@router.get("/about", summary="What runs here: version, site, clock")
async def about(request: Request, caller: Reader) -> Document:
    ports = ports_of(request)
    return {
        "version": version("carrusel"),
        "site": ports.config.site.id,
        "name": ports.config.site.name,
        "time_zone": ports.config.site.time_zone,
        "clock_synchronised": ports.clock_synchronised(),
        "wall_ms": ports.clock(),
        "settings_etag": settings_of(ports)[1],
    }
