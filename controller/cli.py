"""The command line: arguments in, exit codes out (0 ok, 1 a finding, 2 usage or configuration)."""

from importlib.metadata import version
from typing import Annotated

import typer

from controller.commands import broker_acl, carousel, devices, draws, enrolment, journal, rekeying, users
from controller.commands.check_config import check_config
from controller.commands.demo import demo
from controller.commands.leaflet import leaflet
from controller.commands.odds import odds
from controller.commands.rank import rank
from controller.commands.run import run
from controller.commands.settle import settle
from controller.commands.simulate import simulate
from controller.commands.usage import Root

app = typer.Typer(
    cls=Root,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Controller of progressive jackpots and table hardware for casino poker tables.",
)


def _say_version(asked: bool) -> None:
    if asked:
        print(f"carrusel {version('carrusel')}")
        raise typer.Exit


@app.callback(help=app.info.help)
def _options(
    asked: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """What may stand before a command."""


app.command("run")(run)
app.command("demo")(demo)
app.command("check-config")(check_config)
app.command("leaflet")(leaflet)
app.command("settle")(settle)
app.command("rank")(rank)
app.command("odds")(odds)
app.add_typer(journal.app, name="journal")
app.add_typer(draws.app, name="draws")
devices.app.command("simulate")(simulate)
app.add_typer(devices.app, name="devices")
carousel.app.command("profile")(enrolment.profile)
carousel.app.command("enrol")(enrolment.enrol)
carousel.app.command("rekey")(rekeying.rekey)
carousel.app.command("acl")(broker_acl.acl)
app.add_typer(carousel.app, name="carousel")
app.add_typer(users.app, name="users")
