"""What the site's file says to every room: where journals live, how money and tables are written."""

from importlib.metadata import version
from pathlib import Path

from controller.adapters.screens.signs import SignWriting
from controller.config.model import Config
from display import scene as show

PROGRAM = version("carrusel")
"""What this machine says of itself to the others of its carousels."""


def journal_place(config: Config, name: str) -> str | Path:
    """Where a journal of this node lives: a file of the state directory, or a schema of the database."""
    return config.state.database or config.state.directory / f"{name}.db"


def screen_currency(config: Config) -> show.Currency:
    """The site's money as screens write it."""
    return show.Currency(config.site.currency, config.site.symbol, config.site.decimals)


def table_labels(config: Config) -> dict[str, str]:
    """The number of each table as screens show it, by id."""
    return {table.id: table.name.split()[-1] for table in config.tables}


def sign_writing(config: Config) -> SignWriting:
    """How the site writes on LED signs."""
    return SignWriting(screen_currency(config), config.site.language)
