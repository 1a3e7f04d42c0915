"""The golden journal of a table whose settings change while it runs, by two people and by its file."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from controller.config import Config, load
from controller.config.house_rules import SettingsReader
from controller.config.plain import table_settings
from controller.core.cards import parse_cards
from controller.core.events import HandCorrected, PrizePaid, PrizeVerified
from controller.core.ledger import Entry
from controller.core.prize_events import SlipIssued
from controller.core.settings_events import TermsConfirmed
from controller.engine.settings_values import base_digest
from controller.engine.table import TableMachine
from controller.engine.table_state import TableState
from tests.engine.house import HousePit
from tests.golden.figures import bonus_figures

FILE = Path(__file__).with_name("settings.toml")


def edited(old: str, new: str) -> Config:
    """The file with one of its lines changed."""
    text = FILE.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "settings.toml"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return load(path)


def machine() -> TableMachine:
    """The table's machine as its file builds it."""
    config = load(FILE)
    table = config.tables[0]
    return TableMachine(table_settings(config, table, "t1-i1"), SettingsReader(config, table, "t1-i1", ()))


def done(answer: object) -> None:
    assert isinstance(answer, tuple), answer


def settings() -> HousePit:
    """Limits and terms by two people, terms by the file with their confirmation, and a change that waits at the end.

    Before and after them: prizes by the list of their hands, one of them corrected after its slip was written.
    """
    pit = HousePit(load(FILE))
    pit.play("9s 9h 9d 9c 5d", seats=(1,), credits=2)
    pit.deliver()
    done(pit.change(limits__maximum=4_000_000))
    done(pit.change(jackpot__contribution_bp=2_500, jackpot__prizes__four_of_a_kind__fixed=6_000_000))
    (quads,) = pit.state.link.rows
    done(pit.do(PrizeVerified(quads), actor="ana"))
    done(pit.do(SlipIssued(quads, 300_000, 300_000, {"table": "Mesa 1"}), actor="ana"))
    assert pit.state.last is not None
    old, new = (*(parse_cards("9c") or ()), *(parse_cards("5c") or ()))
    done(pit.do(HandCorrected(pit.state.last.number, "seat-1", old, new), actor="ana", second="beto"))
    pit.deliver()
    done(pit.do(PrizeVerified(quads), actor="ana"))
    done(pit.do(SlipIssued(quads, 0, 0, {"table": "Mesa 1"}), actor="ana"))
    done(pit.do(PrizePaid(quads), actor="ana", second="beto"))
    pit.play("8s 8h 8d 8c 5d", seats=(3,))
    pit.deliver()
    done(pit.restarted(edited("credit = 10_000", "credit = 9_000")))
    pit.deliver()
    done(pit.do(TermsConfirmed(pit.state.book.unconfirmed, "as agreed"), actor="ana", second="beto"))
    pit.bet(2, credits=3)
    done(pit.change(limits__minimum=60_000))
    done(pit.change())
    done(pit.change(limits__minimum=70_000))
    done(pit.restarted(edited("flush = { fixed = 750_000 }", "flush = { fixed = 700_000 }")))
    return pit


def figures(state: TableState, entries: Iterable[Entry]) -> dict[str, object]:
    """With the settings in force, what waits, and what people answer for."""
    book, account = state.book, state.link.account
    assert account is not None
    pending = "" if book.pending is None else book.pending.settings
    return {
        **bonus_figures(state, entries),
        "in_force": base_digest(state.hand.settings, pending),
        "played_by": None if state.last is None else base_digest(state.last.settings),
        "file": base_digest(book.file),
        "changes": book.count,
        "terms": [book.vouched, book.unconfirmed],
        "told": [[row.category.value, row.percent, row.fixed_minor] for row in account.profile.prizes.rows],
        "former": [first for first, _ in account.former],
    }
