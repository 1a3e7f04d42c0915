"""A table whose line of the file names another carousel than its journal's: nothing of it is lost by such an edit."""

import logging
from pathlib import Path

import pytest

from controller.adapters.hardware.devices import known_hardware
from controller.config import ConfigError, load
from controller.core.events import AntePlaced, CreditWagered
from controller.engine.host_state import Phase
from controller.main import opened
from tests.api.office import Office, open_office, site_file, until

LINE = 'carousel = "gran"\n'


def without(directory: Path) -> Path:
    """The office's file, t1 with a jackpot of its own."""
    path = site_file(directory)
    path.write_text(path.read_text().replace(LINE, "", 1))
    return path


async def check_that_it_plays(office: Office) -> None:
    assert office.node.tables["t1"].runner.state.link.stopped is None
    await office.tell("t1", AntePlaced(2))
    await office.tell("t1", CreditWagered(2))


async def test_a_table_of_its_own_jackpot_is_not_put_into_a_carousel_by_the_file(tmp_path: Path) -> None:
    async with open_office(tmp_path, people=False, site=without):
        pass
    with opened(load(site_file(tmp_path), known_hardware().drivers)) as node, pytest.raises(ConfigError) as refused:
        await node.run()
    (fault,) = refused.value.faults
    assert (fault.file, fault.key) == ("table-t1", "tables.t1.carousel")
    assert "este libro es de otro carrusel" in fault.text("es")
    async with open_office(tmp_path, people=False, site=without) as office:
        await check_that_it_plays(office)


async def test_a_linked_table_gets_no_jackpot_of_its_own_by_the_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_office(tmp_path, people=False):
        pass

    def told() -> bool:
        return "promote this host, or put their former carousel" in caplog.text

    with caplog.at_level(logging.ERROR):
        async with open_office(tmp_path, people=False, joined=False, site=without) as office:
            await until(told, "the ledger that is not here")
            assert office.node.hosts["t1"].runner.state.phase is Phase.BLANK
    async with open_office(tmp_path, people=False) as office:
        await check_that_it_plays(office)


async def test_a_jackpot_whose_ledger_is_lost_is_not_founded_over_its_table(tmp_path: Path) -> None:
    async with open_office(tmp_path, people=False, site=without) as office:
        journal = office.node.config.state.directory / "carousel-t1.db"
    journal.rename(tmp_path / "aside.db")
    async with open_office(tmp_path, people=False, joined=False, site=without) as office:
        await until(lambda: office.node.hosts["t1"].runner.head.seq > 1, "a host without a ledger")
        assert office.node.hosts["t1"].runner.state.phase is Phase.BLANK
    (tmp_path / "aside.db").rename(journal)
    async with open_office(tmp_path, people=False, site=without) as office:
        await check_that_it_plays(office)
