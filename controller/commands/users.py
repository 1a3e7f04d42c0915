"""`carrusel users add|passwd|list|disable`: the accounts of a node at rest, as for the first of them."""

import asyncio
import json as json_text
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.commands.carousel import load_config, people_closed, refuse
from controller.commands.console_words import fail, panel_word, secret, words
from controller.commands.console_words import language as speech
from controller.config.texts import said

if TYPE_CHECKING:
    from controller.adapters.people import PeopleRoom
    from controller.config.model import Config
    from controller.engine.accounts_state import AccountsState

app = typer.Typer(no_args_is_help=True, help="Personal accounts of a node; while its daemon runs, use the panel.")

ConfigFile = Annotated[Path, typer.Option("--config", help="The site's TOML file; its daemon must not be running.")]
Login = Annotated[str, typer.Argument(help="Login: small letters, digits, dot, dash, underscore.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CONSOLE = "console"
"""Who acts in the journal: somebody with the machine's own rights."""
NO_PIN = "······"
"""Stands for the PIN while the rest of the form is checked: it is asked for last."""


@app.command()
def add(
    login: Login,
    config: ConfigFile,
    role: Annotated[str, typer.Option("--role", help="pit_boss, technician, auditor or admin.")],
    name: Annotated[str, typer.Option("--name", help="The person's name, as slips and the journal show it.")],
    badge: Annotated[str, typer.Option("--badge", help="What the badge reader sends.")] = "",
    language: Annotated[str, typer.Option("--language", help="es or en; the site's when left out.")] = "",
) -> None:
    """Add an account; its PIN (six digits or more, or a password) is asked twice, and changed at the first login."""
    from pydantic import ValidationError

    from controller.api.form_errors import form_refused, form_said
    from controller.api.schemas import UserForm
    from controller.engine.accounts_events import UserAdded
    from controller.engine.accounts_state import Role

    loaded = load_config(config)
    if role not in {each.value for each in Role}:
        raise typer.BadParameter(said("{role} is no role: pit_boss, technician, auditor or admin", role=role))
    try:
        form = UserForm(login=login, name=name, role=Role(role), pin=NO_PIN, language=language, badge=badge)
    except ValidationError as wrong:
        facts = form_refused([{**each, "loc": ("body", *each["loc"])} for each in wrong.errors()]).facts
        raise typer.BadParameter(form_said(facts, speech())) from wrong
    pin = _new_pin(login)

    def event(secret: str) -> object:
        return UserAdded(form.login, form.name, form.role.value, secret, form.language, form.badge)

    asyncio.run(_act(loaded, event, pin))
    typer.echo(words("{login}: added as {role}", login=login, role=panel_word("role", role)))


@app.command()
def passwd(
    login: Login,
    config: ConfigFile,
    own: Annotated[
        bool,
        typer.Option("--own", help="By its owner, who types the present PIN first; else it is good for one login."),
    ] = False,
) -> None:
    """Set a new PIN; the account's sessions end. Its owner changes at the first login what somebody else has set."""
    from controller.engine.accounts_events import SecretSet

    loaded = load_config(config)
    _need_account(loaded, login)
    if own:
        asyncio.run(_own_pin(loaded, login))
    else:
        asyncio.run(_act(loaded, lambda secret: SecretSet(login, secret), _new_pin(login)))
    typer.echo(words("{login}: new PIN", login=login))


@app.command()
def disable(login: Login, config: ConfigFile) -> None:
    """Shut an account; opening it again takes two people at the panel."""
    from controller.engine.accounts_events import UserChanged

    loaded = load_config(config)
    _need_account(loaded, login)
    asyncio.run(_act(loaded, lambda _: UserChanged(login, disabled=True), None))
    typer.echo(words("{login}: disabled", login=login))


@app.command("list")
def list_accounts(config: ConfigFile, json: Json = False) -> None:
    """All accounts with their roles."""
    from controller.api.views import user_view

    users = [user_view(user) for user in _people(load_config(config)).users.values()]
    if json:
        typer.echo(json_text.dumps(users, indent=2))
        return
    if not users:
        typer.echo(words("no accounts yet"))
    for user in users:
        state = words("disabled") if user["disabled"] else words("enabled")
        typer.echo(f"{user['login']}  {panel_word('role', user['role'])}  {state}  {user['name']}")


def _new_pin(login: str) -> str:
    from controller.api.pins import check_strength
    from controller.api.problems import Problem

    pin = secret(words("PIN of {login}", login=login))
    if len(pin) < 6:
        fail(said("a PIN has six digits or more"))
    try:
        check_strength(pin, login)
    except Problem:
        fail(said("that PIN is too easy"))
    if secret(words("The same PIN again")) != pin:
        fail(said("the two PINs are not the same"))
    return pin


async def _own_pin(config: "Config", login: str) -> None:
    """The owner's new PIN, once the present one was typed; exit code 1 where that is not accepted."""
    from controller.commands.carousel import need_pin
    from controller.core.events import Envelope
    from controller.engine.accounts_events import SecretSet

    room = _room(config)
    work = asyncio.create_task(room.run())
    try:
        await need_pin(room, login, lambda _: True)
        secret = await room.passwords.hash(_new_pin(login), secrets.token_bytes(16))
        await room.desk.submit(Envelope(f"console/{secrets.token_hex(12)}", SecretSet(login, secret), login))
    finally:
        await room.runner.stop()
        await work
        room.close()


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
        refuse(answer.refused)


def _need_account(config: "Config", login: str) -> None:
    """An account that is not there is refused before a PIN is asked for, and nothing is made for it."""
    from controller.core.refusal import Refusal
    from controller.core.refusal import refuse as refused

    if login not in _people(config).users:
        refuse(refused(Refusal.UNKNOWN_USER, login=login))


def _people(config: "Config") -> "AccountsState":
    """The accounts as the journal tells them; where there is no journal there is nobody, and none is made."""
    from controller.adapters.journal.errors import JournalError
    from controller.adapters.journal.journal import Journal
    from controller.adapters.people import JOURNAL, people_place
    from controller.engine.accounts import AccountsMachine
    from controller.engine.machine import replay

    place = people_place(config)
    machine = AccountsMachine()
    if isinstance(place, Path) and not place.exists():
        return machine.first()
    try:
        with Journal.open(place, name=JOURNAL, create=False) as journal:
            return replay(machine, (stored.entry for stored in journal.entries()))
    except (JournalError, OSError) as problem:
        fail(people_closed(problem))


def _room(config: "Config") -> "PeopleRoom":
    """The node's people; exit code 2 while its daemon has the journal."""
    from controller.adapters.journal.checkpoints import node_key
    from controller.adapters.journal.errors import JournalError
    from controller.adapters.people import PeopleRoom

    try:
        config.state.directory.mkdir(parents=True, exist_ok=True)
        return PeopleRoom(config, node_key(config.state.directory))
    except (JournalError, OSError) as problem:
        fail(people_closed(problem))
