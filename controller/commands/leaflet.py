"""`carrusel leaflet FILE`: the rules that players read at each table, made of the configuration."""

import json as json_text
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from controller.commands.console_words import fail, speak_as
from controller.config.texts import Language, said


def leaflet(
    file: Annotated[Path, typer.Argument(help="The site's TOML file.")],
    table: Annotated[str | None, typer.Option(help="Only this table.")] = None,
    language: Annotated[
        Language | None, typer.Option(help="Language of the pages, es or en; the site's own unless given.")
    ] = None,
    output: Annotated[Path, typer.Option(help="Directory for the pages.", file_okay=False)] = Path(),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Write a printable page for each table; what people changed at a table is on its panel.

    --json prints what the pages say and writes none.
    """
    from controller.adapters.hardware.devices import known_hardware
    from controller.api.leaflet.content import leaflet as made
    from controller.api.leaflet.page import page_of
    from controller.config import ConfigError, load

    try:
        config = load(file, known_hardware().drivers)
    except ConfigError as problem:
        fail(*problem.faults)
    speak_as(config.site.language)
    spoken = language or config.site.language
    found = [each for each in config.tables if table in (None, each.id)]
    if not found:
        fail(said("no table {table} in {config}", table=table or "", config=file))
    sheets = {each.id: made(config, each, spoken) for each in found}
    if json:
        print(json_text.dumps({name: asdict(sheet) for name, sheet in sheets.items()}, indent=2, ensure_ascii=False))
        return
    output.mkdir(parents=True, exist_ok=True)
    for name, sheet in sheets.items():
        place = output / f"{name}-{spoken}.html"
        place.write_text(page_of(sheet, alone=True), "utf-8")
        print(place)
