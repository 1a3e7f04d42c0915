"""`carrusel users add|passwd|list|disable`: the accounts of a node at rest, as for the first of them."""

import asyncio
import json as json_text
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.commands.carousel import load_config

if TYPE_CHECKING:
    from controller.adapters.people import PeopleRoom
    from controller.config.model import Config

app = typer.Typer(no_args_is_help=True, help="Personal accounts of a node; while its daemon runs, use the panel.")

ConfigFile = Annotated[Path, typer.Option("--config", help="The site's TOML file; its daemon must not be running.")]
Login = Annotated[str, typer.Argument(help="Login: small letters, digits, dot, dash, underscore.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CONSOLE = "console"
"""Who acts in the journal: somebody with the machine's own rights."""


@app.command()
def add(
    login: Login,
    config: ConfigFile,
    role: Annotated[str, typer.Option("--role", help="pit_boss, technician, auditor or admin.")],
    name: Annotated[str, typer.Option("--name", help="The person's name, as slips and the journal show it.")],
    badge: Annotated[str, typer.Option("--badge", help="What the badge reader sends.")] = "",
    language: Annotated[str, typer.Option("--language", help="es or en; the site's when left out.")] = "",
) -> None:
    """Add an account; its PIN (six digits or more, or a password) is asked for twice."""
    from pydantic import ValidationError

    from controller.api.schemas import UserForm
    from controller.engine.accounts_events import UserAdded
    from controller.engine.accounts_state import Role

    loaded = load_config(config)
    pin = _new_pin(login)
    if role not in {each.value for each in Role}:
        raise typer.BadParameter(f"{role}: pit_boss, technician, auditor or admin")
    try:
        form = UserForm(login=login, name=name, role=Role(role), pin=pin, language=language, badge=badge)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        raise typer.BadParameter(f"{first['loc'][0]}: {first['msg']}") from wrong

    def event(secret: str) -> object:
        return UserAdded(form.login, form.name, form.role.value, secret, form.language, form.badge)

    asyncio.run(_act(loaded, event, pin))
    typer.echo(f"{login}: added as {role}")


@app.command()
def passwd(login: Login, config: ConfigFile) -> None:
    """Set a new PIN; the account's sessions end."""
    from controller.engine.accounts_events import SecretSet

    loaded = load_config(config)
    asyncio.run(_act(loaded, lambda secret: SecretSet(login, secret), _new_pin(login)))
    typer.echo(f"{login}: new PIN")


@app.command()
def disable(login: Login, config: ConfigFile) -> None:
    """Shut an account; opening it again takes two people at the panel."""
    from controller.engine.accounts_events import UserChanged

    asyncio.run(_act(load_config(config), lambda _: UserChanged(login, disabled=True), None))
    typer.echo(f"{login}: disabled")


@app.command("list")
def list_accounts(config: ConfigFile, json: Json = False) -> None:
    """All accounts with their roles."""
    from controller.api.views import user_view

    room = _room(load_config(config))
    try:
        users = [user_view(user) for user in room.desk.state.users.values()]
    finally:
        room.close()
    if json:
        typer.echo(json_text.dumps(users, indent=2))
        return
    for user in users:
        typer.echo(f"{user['login']}  {user['role']}  {'disabled' if user['disabled'] else 'enabled'}  {user['name']}")


def _new_pin(login: str) -> str:
    from controller.api.problems import Problem
    from controller.api.routes_session import check_strength

    pin: str = typer.prompt(f"PIN of {login}", hide_input=True, confirmation_prompt=True)
    if len(pin) < 6:
        raise typer.BadParameter("a PIN has six digits or more")
    try:
        check_strength(pin, login)
    except Problem as weak:
        raise typer.BadParameter("that PIN is too easy") from weak
    return pin


async def _act(config: "Config", event_of: Any, pin: str | None) -> None:
    """One act on the node's journal; exit code 1 when it is refused."""
    from controller.core.events import Envelope

    room = _room(config)
    work = asyncio.create_task(room.run())
    try:
        secret = "" if pin is None else await room.passwords.hash(pin, secrets.token_bytes(16))
        answer = await room.desk.submit(Envelope(f"console/{secrets.token_hex(12)}", event_of(secret), CONSOLE))
    finally:
        await room.runner.stop()
        await work
        room.close()
    if answer.refused is not None:
        typer.echo(f"{answer.refused.reason.value} {dict(answer.refused.facts)}", err=True)
        raise typer.Exit(1)


def _room(config: "Config") -> "PeopleRoom":
    """The node's people; exit code 2 while its daemon has the journal."""
    from controller.adapters.journal_checkpoints import node_key
    from controller.adapters.journal_errors import JournalError
    from controller.adapters.people import PeopleRoom

    try:
        config.state.directory.mkdir(parents=True, exist_ok=True)
        return PeopleRoom(config, node_key(config.state.directory))
    except (JournalError, OSError) as problem:
        typer.echo(f"carrusel: {problem}", err=True)
        raise typer.Exit(2) from problem
