"""A journal at rest whose checkpoints are signed, its export, and the command line that is used on them."""

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner, Result

from controller.adapters.journal.export import export
from controller.adapters.journal.journal import Journal
from controller.cli import app
from tests.adapters.journal_fixtures import bet

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
DEEP = "[" * 200_000
"""JSON nested deeper than any reader goes."""


def command(*arguments: object, locale: str = "en_US.UTF-8") -> Result:
    return CliRunner(env={"LC_ALL": locale}).invoke(app, [str(argument) for argument in arguments])


def made_journal(directory: Path) -> Path:
    """`t1.db`: 25 entries with their beginning, a checkpoint at each ten."""
    path = directory / "t1.db"
    with Journal.open(path, name="t1", key=KEY, incarnation="aa", checkpoint_every=10) as opened:
        opened.append_now([bet(number) for number in range(24)], 1_000)
    return path


def exported_from(path: Path) -> Path:
    """Its export beside it."""
    target = path.with_suffix(".jsonl")
    with Journal.open(path, create=False) as opened:
        export(opened, target)
    return target
