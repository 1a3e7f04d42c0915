"""`carrusel carousel profile|enrol`: a table of another node is let into a carousel by two people."""

import asyncio
import json as json_text
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.commands.console_words import fail, language, words
from controller.config.recognized import own_words
from controller.config.texts import said

if TYPE_CHECKING:
    from controller.config.model import Config
    from controller.engine.ledger_records import Profile

ConfigFile = Annotated[Path, typer.Option("--config", help="The site's TOML file; its daemon must not be running.")]


def profile(
    table: Annotated[str, typer.Argument(help="Id of a table of this node.")],
    config: ConfigFile,
) -> None:
    """Print the table's line of its carousel's roster, as JSON, for the node of the host; no secret is in it.

    The same in words goes to the error stream: what the two people at the host are shown before they sign.
    """
    from controller.adapters.journal.checkpoints import node_key
    from controller.adapters.journal.errors import JournalError
    from controller.commands.carousel import load_config
    from controller.engine.ledger_profiles import profile_to_plain
    from controller.rooms import TableRoom

    loaded = load_config(config)
    found = next((each for each in loaded.tables if each.id == table), None)
    if found is None:
        fail(said("no table {table} in {config}", table=table, config=config))
    loaded.state.directory.mkdir(parents=True, exist_ok=True)
    key = node_key(loaded.state.directory)
    try:
        room = TableRoom(loaded, found, key, ())
        room.runner.start()
    except JournalError as error:
        fail(error)
    try:
        told = room.profile(loaded, key)
    finally:
        room.close()
    typer.echo(json_text.dumps(profile_to_plain(told)))
    _show(told, loaded)


def enrol(
    carousel: Annotated[str, typer.Argument(help="Id of a carousel that this node hosts.")],
    profile_file: Annotated[Path, typer.Option("--profile", help="What `profile` printed at the table's node.")],
    config: ConfigFile,
    first: Annotated[str, typer.Option("--first", help="Login of the first person; both are asked for their PIN.")],
    second: Annotated[str, typer.Option("--second", help="Login of the second person.")],
    reason: Annotated[str, typer.Option("--reason", help="Why the table is let in.")],
) -> None:
    """Let a table of another node in, or the new incarnation of one (also of this node) whose old one is sealed.

    What is signed is shown before the PINs are asked for, on the error stream.
    """
    from controller.adapters.clock import wall_ms
    from controller.commands.carousel import check_people, load_config, opened, refuse, replayed
    from controller.core.events import Envelope
    from controller.core.refusal import Refused
    from controller.engine.host_events import MemberAccepted

    loaded = load_config(config)
    wanted = _read(profile_file)
    if wanted.table not in loaded.accepted(carousel):
        facts = {"config": config, "carousel": carousel, "table": wanted.table}
        fail(said("{config}: carousel {carousel} does not accept {table}", **facts))
    envelope = Envelope(f"enrol/{secrets.token_hex(12)}", MemberAccepted(wanted, reason), first, second)
    with opened(loaded, carousel) as (machine, journal):
        answer = machine.decide(replayed(machine, journal), envelope, wall_ms())
    if isinstance(answer, Refused):  # nobody signs what is refused anyway
        refuse(answer)
    _show(wanted, loaded)
    asyncio.run(check_people(loaded, (first, second), reason))
    with opened(loaded, carousel) as (machine, journal):
        answer = machine.decide(replayed(machine, journal), envelope, wall_ms())
        if isinstance(answer, Refused):
            refuse(answer)
        journal.append_now(answer, wall_ms())
    joins = {"table": wanted.table, "carousel": carousel}
    typer.echo(words("{table} joins {carousel} once every table of it has heard so", **joins))


def _show(profile: "Profile", config: "Config") -> None:
    """What is signed with a table, in the same lines as at the panel, to be read aloud; not where the JSON goes."""
    from controller.api.enrolment_lines import enrolment_lines
    from controller.api.texts import Money

    money = Money(config.site.symbol, config.site.decimals, language())
    typer.echo(words("table {table}, to be read aloud at both nodes:", table=profile.table), err=True)
    for name, value in enrolment_lines(profile, money, config.site.money.minor_micros):
        typer.echo(f"  {name}: {value}", err=True)


def _read(path: Path) -> "Profile":
    from controller.engine.ledger_profiles import profile_from_plain

    try:
        return profile_from_plain(json_text.loads(path.read_text()))
    except (OSError, ValueError, RecursionError) as error:
        fail(said("{path} is no table's profile: {why}", path=path, why=own_words(error)))
