"""`carrusel carousel status|members|promote`: a host's journal at rest, read or promoted without the daemon."""

import asyncio
import json as json_text
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from controller.adapters.journal import Journal
    from controller.config.model import Config
    from controller.core.refusal import Refused
    from controller.engine.host import HostMachine
    from controller.engine.host_state import HostState

app = typer.Typer(no_args_is_help=True, help="The carousel link: what a host's journal says, and taking over.")

ConfigFile = Annotated[Path, typer.Option("--config", help="The site's TOML file; its daemon must not be running.")]
Carousel = Annotated[str, typer.Argument(help="Id of the carousel (of the table, where it plays for itself).")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def status(carousel: Carousel, config: ConfigFile, json: Json = False) -> None:
    """Who serves, how far the ledger goes, the amount and the equation; exits 1 when the equation does not hold."""
    from controller.engine.equation import equation_of

    state = _state(load_config(config), carousel)
    equation = equation_of(state)
    ledger = state.ledger
    said: dict[str, Any] = {
        "carousel": carousel,
        "phase": state.phase.value,
        "why_fenced": state.why_fenced,
        "epoch": {"term": state.epoch.term, "host": state.epoch.host, "start": state.epoch.start},
        "seq": ledger.seq,
        "hash": ledger.hash,
        "amount_micros": ledger.amount_micros,
        "amount": ledger.amount_micros // ledger.minor_micros,
        "open_awards": sorted(state.open_awards),
        "quarantined": sorted(state.quarantined),
        "equation": "holds" if equation.holds else "broken",
    }
    _print(said, json)
    if not equation.holds:
        raise typer.Exit(1)


@app.command()
def members(carousel: Carousel, config: ConfigFile, json: Json = False) -> None:
    """The tables of the ledger's roster with their standing and balance."""
    ledger = _state(load_config(config), carousel).ledger
    accounts = [ledger.tables[table] for table in ledger.tables]
    lines = [
        {
            "table": account.profile.table,
            "incarnation": account.profile.incarnation,
            "standing": "joining" if account.joining else account.standing.value,
            "key": account.profile.key,
            "balance_micros": account.main_micros,
            "reserve_micros": account.reserve_micros + account.overflow_micros,
            "start_micros": account.start_micros,
        }
        for account in accounts
    ]
    if json:
        typer.echo(json_text.dumps(lines, indent=2))
        return
    for line in lines:
        typer.echo(f"{line['table']}  {line['standing']}  {line['balance_micros']}  {line['incarnation']}")


@app.command()
def promote(
    carousel: Carousel,
    config: ConfigFile,
    first: Annotated[str, typer.Option("--first", help="Login of the first person; both are asked for their PIN.")],
    second: Annotated[str, typer.Option("--second", help="Login of the second person.")],
    reason: Annotated[str, typer.Option("--reason", help="Why this host takes over.")],
    no_other_ledger: Annotated[
        bool, typer.Option("--no-other-ledger", help="Every table's ledger is lost: this host's own may win unasked.")
    ] = False,
    json: Json = False,
) -> None:
    """Make this host take over: from its next start on it asks every table for its ledger, then serves."""
    from controller.adapters.clock import wall_ms
    from controller.core.events import Envelope
    from controller.core.refusal import Refused
    from controller.engine.host_events import HostPromoted

    loaded = load_config(config)
    asyncio.run(check_people(loaded, (first, second)))
    with opened(loaded, carousel) as (machine, journal):
        state = replayed(machine, journal)
        envelope = Envelope(f"promote/{secrets.token_hex(12)}", HostPromoted(reason, no_other_ledger), first, second)
        answer = machine.decide(state, envelope, wall_ms())
        if isinstance(answer, Refused):
            typer.echo(refusal(answer), err=True)
            raise typer.Exit(1)
        journal.append_now(answer, wall_ms())
        state = replayed(machine, journal)
    _print({"carousel": carousel, "phase": state.phase.value, "term": state.epoch.term}, json)


async def check_people(config: "Config", logins: tuple[str, str]) -> None:
    """Both persons' PINs, each try journaled before it is compared, as at the panel."""
    from controller.adapters.journal_checkpoints import node_key
    from controller.adapters.people import PeopleRoom
    from controller.api.roles import Permission, may
    from controller.core.events import Envelope
    from controller.engine.accounts_events import LoginBegun, LoginFailed, LoginPassed

    room = PeopleRoom(config, node_key(config.state.directory))
    work = asyncio.create_task(room.run())
    try:
        for login in logins:
            secret = typer.prompt(f"PIN of {login}", hide_input=True)
            attempt = f"command/{secrets.token_hex(12)}"
            begun = await room.desk.submit(Envelope(attempt, LoginBegun(login, "command"), login))
            user = room.desk.state.users.get(login)
            known = user is not None and not user.disabled and may(user.role, Permission.CAROUSEL_APPROVE)
            stored = user.secret if user is not None and known else None
            held = begun.refused is None and await room.passwords.verify(secret, stored)
            outcome = LoginPassed(attempt) if held else LoginFailed(attempt)
            if begun.refused is None:
                await room.desk.submit(Envelope(f"{attempt}/ended", outcome, login))
            if not held:
                typer.echo(f"{login}: not accepted", err=True)
                raise typer.Exit(1)
    finally:
        await room.runner.stop()
        await work
        room.close()


def load_config(path: Path) -> "Config":
    from controller.config.faults import ConfigError
    from controller.config.loader import load

    try:
        return load(path)
    except ConfigError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error


@contextmanager
def opened(config: "Config", carousel: str) -> "Iterator[tuple[HostMachine, Journal]]":
    """The host's machine over its journal; exit code 2 where the journal is in use, missing or another's."""
    from controller.adapters.journal import Journal
    from controller.adapters.journal_checkpoints import node_key
    from controller.adapters.journal_errors import JournalError
    from controller.adapters.link_wire import key_name
    from controller.engine.host import HostMachine, HostSettings
    from controller.rooms import journal_place

    key = node_key(config.state.directory)
    name = f"carousel-{carousel}"
    try:
        journal = Journal.open(journal_place(config, name), name=name, key=key, create=False)
    except JournalError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    with journal:
        minor = config.site.money.minor_micros
        settings = HostSettings(carousel, config.site.currency, minor, key_name(key), journal.incarnation)
        yield HostMachine(settings), journal


def replayed(machine: "HostMachine", journal: "Journal") -> "HostState":
    from controller.engine.machine import replay

    return replay(machine, (stored.entry for stored in journal.entries()))


def _state(config: "Config", carousel: str) -> "HostState":
    with opened(config, carousel) as (machine, journal):
        return replayed(machine, journal)


def refusal(refused: "Refused") -> str:
    return f"{refused.reason.value} {dict(refused.facts)}"


def _print(said: dict[str, Any], json: bool) -> None:
    if json:
        typer.echo(json_text.dumps(said, indent=2))
        return
    for name, value in said.items():
        typer.echo(f"{name}: {value}")
