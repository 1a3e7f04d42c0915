"""The kinds of golden journals: whose it is, the story it tells, the machine that folds it, and its figures."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.core.ledger import Entry
from controller.engine.accounts import AccountsMachine
from controller.engine.host import HostMachine, HostSettings
from controller.engine.machine import Machine
from controller.engine.table import TableMachine
from tests.engine.pit import oasis_settings
from tests.golden import ceiling_story, correction_story, end_stories, figures, office_stories, settings_story, stories
from tests.golden.terms import BONUS, CENTAVO, CIRCLE

HOST = HostSettings("c1", "ARS", CENTAVO, "A")
END_TABLE = TableMachine(end_stories.settings())


@dataclass(frozen=True, slots=True)
class Kind:
    """`name`: the journal's own name, which its genesis holds."""

    name: str
    story: Callable[[], Sequence[Entry]]
    machine: Machine[Any]
    figures: Callable[[Any, Iterable[Entry]], dict[str, object]]


KINDS: Mapping[str, Kind] = {
    "table": Kind("t1", lambda: stories.oasis().journal, TableMachine(oasis_settings()), figures.table_figures),
    "lamps": Kind("t1", lambda: stories.lamps().journal, TableMachine(oasis_settings()), figures.lamp_figures),
    "host": Kind("c1", lambda: stories.oasis().host.journal, HostMachine(HOST), figures.host_figures),
    "bonus": Kind("b1", lambda: stories.bonus().journal, TableMachine(BONUS), figures.bonus_figures),
    "circle": Kind("k1", lambda: stories.circle().journal, TableMachine(CIRCLE), figures.circle_figures),
    "settings": Kind("t1", lambda: settings_story.settings().journal, settings_story.machine(), settings_story.figures),
    "carousel": Kind("c1", lambda: office_stories.carousel().host.journal, HostMachine(HOST), figures.carousel_figures),
    "overrides": Kind("t1", lambda: end_stories.overrides().journal, END_TABLE, end_stories.override_figures),
    "closing": Kind("c1", lambda: end_stories.closing().host.journal, HostMachine(HOST), end_stories.closing_figures),
    "pools": Kind("t1", lambda: end_stories.pools().journal, TableMachine(oasis_settings()), end_stories.pool_figures),
    "settled": Kind("c1", lambda: end_stories.settled().host.journal, HostMachine(HOST), end_stories.settled_figures),
    "ceilings": Kind(
        "c1", lambda: ceiling_story.ceilings().host.journal, HostMachine(HOST), ceiling_story.ceiling_figures
    ),
    "corrected": Kind(
        "t1", lambda: correction_story.corrected().journal, TableMachine(oasis_settings()), end_stories.override_figures
    ),
    "held": Kind(
        "c1", lambda: correction_story.corrected().host.journal, HostMachine(HOST), correction_story.held_figures
    ),
    "accounts": Kind(
        "accounts", lambda: office_stories.accounts().journal, AccountsMachine(), figures.accounts_figures
    ),
}
