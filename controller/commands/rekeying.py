"""`carrusel carousel rekey`: another key for this node, on demand."""

import asyncio
import json as json_text
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.commands.console_words import words

if TYPE_CHECKING:
    from controller.config.model import Config

ConfigFile = Annotated[Path, typer.Option("--config", help="The site's TOML file; its daemon must not be running.")]


def rekey(
    config: ConfigFile,
    first: Annotated[str, typer.Option("--first", help="Login of the first person; both are asked for their PIN.")],
    second: Annotated[str, typer.Option("--second", help="Login of the second person.")],
    reason: Annotated[str, typer.Option("--reason", help="Why the key is changed.")],
) -> None:
    """Give this node another key: the old one is forgotten, and each host accepts the new one by two people.

    A carousel that this node hosts is promoted under the new key by the same act: a host's authority is its key's.
    """
    from controller.adapters.journal.checkpoints import node_key, take_new_key, waiting_key
    from controller.adapters.link.wire import key_name
    from controller.api.texts import fingerprint_text
    from controller.commands.carousel import check_people, load_config, refuse
    from controller.engine.ledger_records import Signed
    from controller.engine.member_claims import check_two_people

    loaded = load_config(config)
    refused = check_two_people(Signed(reason, first, second))
    if refused is not None:
        refuse(refused)
    asyncio.run(check_people(loaded, (first, second), reason))
    old = key_name(node_key(loaded.state.directory))
    new = key_name(waiting_key(loaded.state.directory))
    for carousel in _hosted(loaded):
        _promote(loaded, carousel, new, first, second, reason)
    take_new_key(loaded.state.directory)
    linked = [table.id for table in loaded.tables if table.linked]
    typer.echo(words("key {key}", key=fingerprint_text(new)), err=True)
    typer.echo(json_text.dumps({"old_key": old, "key": new, "tables": linked}))


def _hosted(config: "Config") -> list[str]:
    """Carousels of this node that have begun: a journal that does not exist has no authority to hand over."""
    own = [table.carousel_id for table in config.tables if not table.linked]
    hosted = [carousel.id for carousel in config.carousels if carousel.is_host] + own
    if config.state.database is not None:
        return hosted
    return [name for name in hosted if (config.state.directory / f"carousel-{name}.db").exists()]


def _promote(config: "Config", carousel: str, key: str, first: str, second: str, reason: str) -> None:
    """The host's next epoch is the new key's: written before the key is in place, so that a kill between can go on."""
    from controller.adapters.clock import wall_ms
    from controller.commands.carousel import opened, refuse, replayed
    from controller.core.events import Envelope
    from controller.core.refusal import Refused
    from controller.engine.host_events import HostPromoted

    with opened(config, carousel, key) as (machine, journal):
        state = replayed(machine, journal)
        if state.ledger.seq == 0 or (state.promoting and state.epoch.host == machine.settings.key):
            return
        envelope = Envelope(f"rekey/{secrets.token_hex(12)}", HostPromoted(reason), first, second)
        answer = machine.decide(state, envelope, wall_ms())
        if isinstance(answer, Refused):
            refuse(answer)
        journal.append_now(answer, wall_ms())
