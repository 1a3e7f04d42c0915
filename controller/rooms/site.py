"""What the site's file says to every room: where journals live, how money and tables are written."""

from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path

from controller.adapters.screens.signs import SignWriting
from controller.adapters.screens.table_labels import label_of
from controller.config.faults import ConfigError, Fault
from controller.config.model import Config
from controller.config.texts import said
from controller.core.money import Currency
from controller.engine.ledger_state import Account
from display import scene as show
from display.texts import screen_texts

PROGRAM = version("carrusel")
"""What this machine says of itself to the others of its carousels."""


def journal_place(config: Config, name: str) -> str | Path:
    """Where a journal of this node lives: a file of the state directory, or a schema of the database."""
    return config.state.database or config.state.directory / f"{name}.db"


def check_currency(config: Config, journal: str, accounts: Iterable[Account]) -> None:
    """ConfigError where the money of a journal is another than the file's: its amounts would be other sums."""
    ours = config.site.currency
    theirs = sorted({account.profile.currency for account in accounts} - {ours})
    if theirs:
        reason = said(
            "{ours}, but the money of this journal is {theirs}: another currency begins with journals of its own",
            ours=ours,
            theirs=", ".join(theirs),
        )
        raise ConfigError([Fault(journal, 0, "site.currency", reason)])


def check_decimals(config: Config, journal: str, begun_minor: int) -> None:
    """ConfigError where a journal counts in another minor unit than the file: each of its amounts would be another.

    begun_minor: micros of the journal's, 0 where it does not say.
    """
    money = config.site.money
    if begun_minor in (0, money.minor_micros):
        return
    theirs = next(each for each in (0, 1, 2) if Currency(money.code, each).minor_micros == begun_minor)
    reason = said(
        "{ours}, but the amounts of this journal have {theirs}: another minor unit begins with journals of its own",
        ours=money.decimals,
        theirs=theirs,
    )
    raise ConfigError([Fault(journal, 0, "site.decimals", reason)])


def screen_currency(config: Config) -> show.Currency:
    """The site's money as screens write it."""
    return show.Currency(config.site.currency, config.site.symbol, config.site.decimals)


def table_labels(config: Config) -> dict[str, str]:
    """The number of each table as screens show it, by id."""
    return {table.id: table.name.split()[-1] for table in config.tables}


def table_places(config: Config) -> Callable[[str], str]:
    """What LED signs call a table: its name where this node's file has it, else as screens do."""
    names, labels = {table.id: table.name for table in config.tables}, table_labels(config)
    texts = screen_texts(config.site.language)

    def place(table: str) -> str:
        return names.get(table) or texts.text("table.name", label=label_of(labels, table))

    return place


def sign_writing(config: Config) -> SignWriting:
    """How the site writes on LED signs."""
    return SignWriting(screen_currency(config), config.site.language)
