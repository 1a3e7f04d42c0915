"""`carrusel run`: what its last lines say of why it ended."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller import main
from controller.adapters.journal.errors import JournalFailed
from controller.cli import app
from controller.engine.ports import RunnerStopped

SITE = """
[site]
id = "casino"
name = "Casino"
[state]
directory = "{directory}"
[[tables]]
id = "t1"
name = "Mesa 1"
preset = "oasis_argentina_2010"
"""
FULL = JournalFailed("the journal could not be written (the disk is full): nothing of this commit counts")
ECHO = (
    "carousel-t1 ended before it answered: start the service again; what its journal holds of that was done,"
    " anything else was not"
)


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        ((FULL, RunnerStopped(ECHO)), f"carrusel: {FULL}\n"),
        ((RunnerStopped(ECHO),), f"carrusel: {ECHO}\n"),
    ],
)
def test_what_ended_a_daemon_is_told_and_not_its_echo(
    ended: tuple[Exception, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part that waited for the machine that failed is not answered: by itself that says no cause."""

    async def dying(*_: object) -> None:
        raise ExceptionGroup("parts", [ExceptionGroup("room", list(ended))])

    monkeypatch.setattr(main, "run", dying)
    file = tmp_path / "site.toml"
    file.write_text(SITE.format(directory=tmp_path))
    done = CliRunner(env={"LC_ALL": "en_US.UTF-8"}).invoke(app, ["run", "--config", str(file)])
    assert done.exit_code == 1
    assert [line for line in done.stderr.splitlines(keepends=True) if "warning" not in line] == [told]
    spanish = CliRunner(env={"LC_ALL": "es_AR.UTF-8"}).invoke(app, ["run", "--config", str(file)])
    assert "the " not in spanish.stderr.rpartition("carrusel: ")[2], spanish.stderr
