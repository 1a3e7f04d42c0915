"""A table whose settings can change: a site's file read by the loader, and the machine over it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from controller.config import Config, load
from controller.config.house_rules import SettingsReader, settings_of, terms_of
from controller.config.plain import table_settings
from controller.core.ledger import Entry
from controller.core.refusal import Refusal, Refused
from controller.core.settings_events import SettingsChanged, SettingsRead
from controller.engine.settings_values import base_of, changes_between, values_of
from tests.engine.pit import Pit

SITE = """
[site]
id = "test"
name = "Casino"
{site}

[[carousels]]
id = "c1"
name = "Gran Carrusel"

[[tables]]
id = "t1"
name = "Mesa 1"
preset = "oasis_argentina_2010"
carousel = "c1"
seats = 7
cards_read = "deal"
ante_from = "assumed"
{table}

[[tables.devices]]
name = "shoe"
driver = "stx"
port = "/dev/shoe"

[[tables.readers]]
device = "shoe"

[tables.limits]
minimum = {minimum}
maximum = 5_000_000

[tables.jackpot]
credit = 10_000
start = 50_000_000
{jackpot}

[tables.jackpot.prizes]
four_of_a_kind = {{ fixed = {four} }}
full_house = {{ fixed = 1_500_000 }}
flush = {{ fixed = 750_000 }}
"""


def site_file(
    where: Path, *, site: str = "", table: str = "", jackpot: str = "", minimum: int = 50_000, four: int = 5_000_000
) -> Config:
    """The configuration of one Oasis table with some keys of one's own."""
    path = where / "site.toml"
    path.write_text(SITE.format(site=site, table=table, jackpot=jackpot, minimum=minimum, four=four))
    return load(path)


class HousePit(Pit):
    """A pit whose table has read its file, as the daemon does at every start."""

    def __init__(self, config: Config) -> None:
        self.config = config
        table = config.tables[0]
        reader = SettingsReader(config, table, "t1-i1", ())
        super().__init__(table_settings(config, table, "t1-i1"), reads=reader)
        self.restarted(config)

    def restarted(self, config: Config) -> Refused | tuple[Entry, ...]:
        """The daemon starts again with a file: the state comes from the journal alone."""
        from controller.core.events import LinkStateChanged, TableStarted
        from controller.engine.table import TableMachine

        table = config.tables[0]
        self.config = config
        reader = SettingsReader(config, table, "t1-i1", ())
        self.machine = TableMachine(table_settings(config, table, "t1-i1"), reader)
        self.state = self.replayed()
        self.do(TableStarted(f"n{self.count}"))
        read = self.do(SettingsRead(settings_of(config, table), config.site.confirm_changed_terms))
        self.do(LinkStateChanged(True))
        return read

    @property
    def in_force(self) -> dict[str, Any]:
        return values_of(self.state.hand.settings)

    def change(
        self, reason: str = "as the pit wants it", *, actor: str = "ana", second: str | None = "beto", **event: Any
    ) -> Refused | tuple[Entry, ...]:
        """Two people change settings, named with __ for the dot; `base`, `terms` and `day` as events have them."""
        base = event.pop("base", base_of(self.state))
        named, day = event.pop("terms", None), event.pop("day", "")
        after = self.in_force | {name.replace("__", "."): value for name, value in event.items()}
        terms = named or terms_of(self.config.tables[0], after)
        changed = SettingsChanged(base, changes_between(self.in_force, after), terms, reason, day)
        return self.do(changed, actor=actor, second=second)

    def kinds(self) -> list[str]:
        """What the journal says of settings, in order."""
        return [entry.kind.removeprefix("settings.") for entry in self.journal if entry.kind.startswith("settings.")]


def reason_of(answer: Any) -> Refusal:
    assert isinstance(answer, Refused), answer
    return answer.reason


def done(answer: Any) -> Any:
    assert not isinstance(answer, Refused), answer
    return answer
