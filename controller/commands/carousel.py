"""`carrusel carousel status|members|promote`: a host's journal read, in use or not, and promoted at rest."""

import asyncio
import json as json_text
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from controller.commands.console_words import FINDING, fail, language, panel_word, secret, speak_as, spoken, words
from controller.config.recognized import own_words
from controller.config.texts import said, units

if TYPE_CHECKING:
    from controller.adapters.journal.journal import Journal
    from controller.adapters.people import PeopleRoom
    from controller.config.model import Config
    from controller.core.ledger import Entry
    from controller.core.refusal import Refused
    from controller.engine.accounts_state import User
    from controller.engine.host import HostMachine
    from controller.engine.host_state import HostState
    from controller.engine.ledger_state import Account

app = typer.Typer(no_args_is_help=True, help="The carousel link: what a host's journal says, and taking over.")

ConfigFile = Annotated[Path, typer.Option("--config", help="The site's TOML file; its daemon must not be running.")]
ReadFile = Annotated[Path, typer.Option("--config", help="The site's TOML file; its daemon may be running.")]
StateDirectory = Annotated[
    Path | None, typer.Option("--state", help="State directory instead of the file's, as the demo's (`demo --state`).")
]
Carousel = Annotated[str, typer.Argument(help="Id of the carousel (of the table, where it plays for itself).")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def status(carousel: Carousel, config: ReadFile, state: StateDirectory = None, json: Json = False) -> None:
    """Who serves, how far the ledger goes, the amount and the equation; exits 1 when the equation does not hold."""
    from controller.engine.equation import equation_of

    loaded = load_config(config, state)
    host = ledger_state(loaded, carousel)
    ledger = host.ledger
    equation = equation_of(ledger)
    told: dict[str, Any] = {
        "carousel": carousel,
        "phase": host.phase.value,
        "why_fenced": host.why_fenced,
        "epoch": {"term": host.epoch.term, "host": host.epoch.host, "start": host.epoch.start},
        "seq": ledger.seq,
        "hash": ledger.hash,
        "amount_micros": ledger.amount_micros,
        "amount": ledger.amount_micros // ledger.minor_micros,
        "open_awards": sorted(host.open_awards),
        "quarantined": sorted(host.quarantined),
        "equation": "holds" if equation.holds else "broken",
    }
    if json:
        typer.echo(json_text.dumps(told, indent=2))
    else:
        _print_status(host, loaded.site.decimals, equation.holds)
    if not equation.holds:
        raise typer.Exit(1)


@app.command()
def members(carousel: Carousel, config: ReadFile, state: StateDirectory = None, json: Json = False) -> None:
    """The tables of the ledger's roster with their standing, balance, incarnation and their node's public key."""
    loaded = load_config(config, state)
    host = ledger_state(loaded, carousel)
    ledger = host.ledger
    accounts = [ledger.tables[table] for table in ledger.tables]
    lines = [
        {
            "table": account.profile.table,
            "incarnation": account.profile.incarnation,
            "standing": _standing(account),
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
    from controller.api.texts import fingerprint_text

    if not accounts:
        typer.echo(words("no table"))
    for account in accounts:
        standing = panel_word("standing", _standing(account))
        balance = spoken(units(account.main_micros // ledger.minor_micros, loaded.site.decimals))
        key = words("key {key}", key=fingerprint_text(account.profile.key))
        is_gone = f"table_gone@{account.profile.table}" in host.alarms
        link = f"  {panel_word('chip', 'link_lost')}" if is_gone else ""
        typer.echo(f"{account.profile.table}  {standing}  {balance}  {account.profile.incarnation}  {key}{link}")


def _standing(account: "Account") -> str:
    return "joining" if account.joining else account.standing.value


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
    with opened(loaded, carousel) as (machine, journal):
        replayed(machine, journal)  # nobody is asked for a PIN where there is no journal to promote
    asyncio.run(check_people(loaded, (first, second), reason))
    with opened(loaded, carousel) as (machine, journal):
        state = replayed(machine, journal)
        envelope = Envelope(f"promote/{secrets.token_hex(12)}", HostPromoted(reason, no_other_ledger), first, second)
        answer = machine.decide(state, envelope, wall_ms())
        if isinstance(answer, Refused):
            refuse(answer)
        journal.append_now(answer, wall_ms())
        state = replayed(machine, journal)
    if json:
        told = {"carousel": carousel, "phase": state.phase.value, "term": state.epoch.term}
        typer.echo(json_text.dumps(told, indent=2))
        return
    typer.echo(words("{carousel}: {phase}, term {term}", carousel=carousel, phase=_phase(state), term=state.epoch.term))


async def check_people(config: "Config", logins: tuple[str, str], reason: str) -> None:
    """The reason, then both persons' PINs, each try journaled before it is compared, as at the panel.

    Exit code 1 where one is not accepted, 2 for a reason that says nothing, and while a daemon holds the journal of
    this node's people.
    """
    from controller.adapters.clock import wall_ms
    from controller.adapters.journal.checkpoints import node_key
    from controller.adapters.journal.errors import JournalError
    from controller.adapters.people import PeopleRoom
    from controller.api.roles import Permission, may
    from controller.core.typed_text import LEAST, is_plain, is_reason
    from controller.engine.accounts_state import secret_left_ms

    if not is_reason(reason) or not is_plain(reason, lines=True):
        fail(said("a reason has {least} letters or more, and no sign that is not seen", least=LEAST))
    try:
        room = PeopleRoom(config, node_key(config.state.directory))
    except (JournalError, OSError) as error:
        fail(people_closed(error))
    work = asyncio.create_task(room.run())
    try:
        for login in logins:
            user = await need_pin(room, login, lambda user: may(user.role, Permission.CAROUSEL_APPROVE))
            if secret_left_ms(room.policy, user, wall_ms()) == 0:
                fail(
                    said(
                        "{login}: the PIN has expired, or somebody else set it: `carrusel users passwd --own`",
                        login=login,
                    ),
                    code=FINDING,
                )
    finally:
        await room.runner.stop()
        await work
        room.close()


async def need_pin(room: "PeopleRoom", login: str, fits: "Callable[[User], bool]") -> "User":
    """Ask for a person's PIN, the try journaled before it is compared; exit code 1 where it is not accepted."""
    from controller.core.events import Envelope
    from controller.engine.accounts_events import LoginBegun, LoginFailed, LoginPassed

    typed = secret(words("PIN of {login}", login=login))
    attempt = f"command/{secrets.token_hex(12)}"
    begun = await room.desk.submit(Envelope(attempt, LoginBegun(login, "command"), login))
    user = room.desk.state.users.get(login)
    stored = user.secret if user is not None and not user.disabled and fits(user) else None
    held = begun.refused is None and await room.passwords.verify(typed, stored)
    if begun.refused is None:
        outcome = LoginPassed(attempt) if held else LoginFailed(attempt)
        await room.desk.submit(Envelope(f"{attempt}/ended", outcome, login))
    if not held or user is None:
        fail(said("{login}: not accepted", login=login), code=FINDING)
    return user


def people_closed(error: Exception) -> object:
    """Why this node's people cannot be asked; while its daemon runs, that is at the panel."""
    from controller.adapters.journal.errors import JournalInUse

    if isinstance(error, JournalInUse):
        return said("{busy}: while the service runs, use the panel, or stop it", busy=own_words(error))
    return error


def load_config(path: Path, state: Path | None = None) -> "Config":
    """state: the state directory in the place of the file's."""
    from controller.config.faults import ConfigError
    from controller.config.loader import load

    try:
        loaded = load(path)
    except ConfigError as error:
        fail(*error.faults)
    speak_as(loaded.site.language)
    return (
        loaded
        if state is None
        else loaded.model_copy(update={"state": loaded.state.model_copy(update={"directory": state, "database": None})})
    )


@contextmanager
def opened(config: "Config", carousel: str, speaks_as: str | None = None) -> "Iterator[tuple[HostMachine, Journal]]":
    """The host's machine over its journal; exit code 2 where the journal is in use, missing or another's.

    speaks_as: the public key (hex) under which the machine acts, the node's own unless given.
    """
    from controller.adapters.journal.errors import JournalError

    try:
        with _at_rest(config, carousel, speaks_as) as found:
            yield found
    except JournalError as error:
        fail(*_not_host(config, carousel, error), error)


@contextmanager
def _at_rest(config: "Config", carousel: str, speaks_as: str | None = None) -> "Iterator[tuple[HostMachine, Journal]]":
    """`opened`, which raises what the journal does; exit code 2 where this node has never run."""
    from controller.adapters.journal.checkpoints import KEY_FILE, node_key
    from controller.adapters.journal.journal import Journal
    from controller.adapters.link.wire import key_name
    from controller.rooms import journal_place

    if not (config.state.directory / KEY_FILE).exists():
        where = {"file": KEY_FILE, "directory": config.state.directory}
        fail(said("no {file} in {directory}: this node's daemon has not run yet", **where))
    key = node_key(config.state.directory)
    name = f"carousel-{carousel}"
    with Journal.open(journal_place(config, name), name=name, key=key, create=False) as journal:
        yield _machine(config, carousel, speaks_as or key_name(key), journal.incarnation), journal


def _machine(config: "Config", carousel: str, key: str, incarnation: str) -> "HostMachine":
    from controller.engine.host import HostMachine, HostSettings

    return HostMachine(HostSettings(carousel, config.site.currency, config.site.money.minor_micros, key, incarnation))


def replayed(machine: "HostMachine", journal: "Journal") -> "HostState":
    from controller.engine.machine import replay

    return replay(machine, (stored.entry for stored in journal.entries()))


def ledger_state(config: "Config", carousel: str) -> "HostState":
    """The host's state as journaled, asked of the daemon at the state directory's socket while it holds the journal."""
    from controller.adapters.control_client import DaemonJournal, NoDaemon
    from controller.adapters.journal.errors import JournalError, JournalInUse
    from controller.engine.machine import replay

    try:
        try:
            with _at_rest(config, carousel) as (machine, journal):
                return replayed(machine, journal)
        except JournalInUse as busy:
            held = DaemonJournal(config.state.directory, f"carousel-{carousel}")
            try:
                return replay(_machine(config, carousel, "", ""), map(_entry, held.entries(1, None)))
            except NoDaemon as silent:
                both = said("{busy}, and {silent}", busy=own_words(busy), silent=own_words(silent))
                raise JournalInUse(both) from silent
    except JournalError as error:
        fail(*_not_host(config, carousel, error), error)


def _not_host(config: "Config", carousel: str, error: Exception) -> list[str]:
    """That the file has this node as no host of a carousel, where that is why there is no journal to open."""
    from controller.adapters.journal.errors import JournalUnfit

    hosted = [each.id for each in config.carousels if each.is_host]
    hosted += [table.id for table in config.tables if table.carousel_id == table.id]
    if carousel in hosted or not isinstance(error, JournalUnfit):
        return []
    facts = {"carousel": carousel, "hosted": ", ".join(hosted) or said("none")}
    return [said("this node is not the host of {carousel}; those it is the host of: {hosted}", **facts)]


def _entry(shown: dict[str, Any]) -> "Entry":
    """A stored entry as the daemon tells it."""
    from controller.core.ledger import Entry, Posting

    return Entry(shown["id"], shown["kind"], shown["body"], tuple(Posting(*each) for each in shown["postings"]))


def refuse(refused: "Refused") -> NoReturn:
    """The refusal in the command's language, with its name; exit code 1."""
    from controller.api.problems import problem_body

    said_of = problem_body(refused, language())
    fail(f"{said_of['detail']} [{said_of['refusal']}]", code=FINDING)


def _phase(state: "HostState") -> str:
    """What the host does; programs read its name from JSON."""
    return panel_word("host", state.phase.value)


def _print_status(state: "HostState", decimals: int, holds: bool) -> None:
    from controller.api.texts import fingerprint_text
    from controller.engine.host_state import Phase

    ledger, none = state.ledger, said("none")
    amount = units(ledger.amount_micros // ledger.minor_micros, decimals)
    why = f": {panel_word('why', state.why_fenced)}" if state.why_fenced else ""
    typer.echo(f"{ledger.carousel}: {_phase(state)}{why}")
    if state.phase is Phase.FENCED:
        typer.echo(words("it writes again once two people have promoted it: `carrusel carousel promote`, or the panel"))
    if ledger.seq == 0:
        typer.echo(words("there is no ledger here"))
        return
    host = fingerprint_text(state.epoch.host)
    typer.echo(words("term {term} of the host {host}", term=state.epoch.term, host=host))
    typer.echo(words("ledger up to record {seq}, {hash}", seq=ledger.seq, hash=ledger.hash))
    typer.echo(words("amount {amount}", amount=amount))
    typer.echo(words("open awards: {awards}", awards=", ".join(sorted(state.open_awards)) or none))
    apart = ", ".join(sorted(state.quarantined))
    typer.echo(words("tables set apart: {tables}", tables=apart) if apart else words("tables set apart: none"))
    typer.echo(words("the equation holds") if holds else words("the equation does NOT hold"))
