"""`carrusel demo`: the whole pit in one process, on simulated hardware behind the real drivers."""

import asyncio
import json as json_text
import logging
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from controller.demo.people import Login
    from controller.main import Node


def demo(
    seconds: Annotated[int | None, typer.Option(min=5, help="End by itself after so long; else Ctrl-C.")] = None,
    json: Annotated[Path | None, typer.Option("--json", help="Write a summary to this file.")] = None,
    state: Annotated[Path | None, typer.Option(help="Keep the journals here as NAME.db.")] = None,
) -> None:
    """Three tables and their carousel, dealt by simulated dealers; prints where to look."""
    warnings.simplefilter("ignore", DeprecationWarning)  # of the demo's broker; the daemon has its own
    from controller.adapters.logs import set_up_logs
    from controller.demo.run import DemoOptions, run_demo
    from controller.demo.summary import summary

    set_up_logs(logging.WARNING)
    with tempfile.TemporaryDirectory(prefix="carrusel-demo-") as temporary:
        directory = state or Path(temporary)
        if any(directory.glob("*.db")):
            print(f"carrusel: {directory} already holds journals; the demo starts from nothing", file=sys.stderr)
            raise typer.Exit(2)
        began = time.monotonic()
        hands = asyncio.run(run_demo(DemoOptions(directory, seconds), _announce))
        told = summary(directory, seconds or round(time.monotonic() - began), hands)
    print(json_text.dumps(told, indent=2))
    if json is not None:
        json.write_text(json_text.dumps(told, indent=2) + "\n")
    good = told["equation"] == "holds" and all(journal["verified"] for journal in told["journals"])
    raise typer.Exit(0 if good else 1)


def _announce(node: "Node", logins: "list[Login]") -> None:
    print(f"\nScreens   {node.screens_address}/")
    for table in node.tables.values():
        print(f"  {table.table.name:<16} {node.screens_address}/table/{table.table.id}")
    for carousel in node.config.carousels:
        print(f"  {carousel.name:<16} {node.screens_address}/signage/{carousel.id}")
    print(f"\nPanel     {node.api_address}/")
    for each in logins:
        print(f"  {each.login:<8} PIN {each.pin}   {each.name}, {each.role}")
    print("Ctrl-C stops everything.\n", flush=True)
