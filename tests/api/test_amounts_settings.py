"""An amount of the settings that is asked names the entry that set it, who was there and why."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.api.amounts import settings
from controller.api.amounts.ask import trace
from controller.api.amounts.listed import amounts_of_table
from controller.api.amounts.trace import Line
from controller.api.settings_then import settings_entries
from controller.core.events import AntePlaced
from controller.engine.ports import JournalReader, StoredEntry
from tests.api.office import Office, open_office, until
from tests.api.test_amounts import pit_file
from tests.api.test_table_settings import REASON, approve, ask, void

pytestmark = [pytest.mark.asyncio, pytest.mark.promise("P4")]


async def part_of(office: Office, address: str, minor: int) -> Line:
    """The one part of an amount that is what the settings say."""
    ports = office.node.api_ports()
    told = await trace(ports, address)
    assert told.sum_micros == told.total_micros == minor * ports.minor_micros
    (line,) = told.lines
    return line


async def test_each_amount_of_the_settings_leads_to_the_file_s_first_reading(tmp_path: Path) -> None:
    async with open_office(tmp_path, site=pit_file) as office:
        ports = office.node.api_ports()
        for table in ("t1", "t2", "t3"):
            shown = [each for each in amounts_of_table(ports, table) if each.what == "setting"]
            assert len(shown) > 4
            for each in shown:
                line = await part_of(office, each.of, each.minor)
                entry = (await ports.table(table).journal.page(line.seq - 1, 1))[0].entry if line.seq else None
                assert entry is not None
                assert (entry.kind, entry.body["first"], line.actor) == ("settings.file", True, "configuration")
                assert each.minor in entry.body["settings"].values()


async def test_a_change_names_its_two_people_and_why_and_one_that_waits_is_not_told(tmp_path: Path) -> None:
    async with open_office(tmp_path, site=pit_file) as office:
        ana = await office.person("ana")
        assert (await approve(office, await ask(ana, limits__minimum=60_000))).status_code == 200
        assert (await approve(office, await ask(ana, draws__jugador_afortunado__prize=1_500))).status_code == 200
        await office.tell("t1", AntePlaced(2))
        assert (await approve(office, await ask(ana, limits__minimum=70_000))).status_code == 200
        minimum = await part_of(office, "table/t1/setting/minimum", 60_000)
        prize = await part_of(office, "table/t1/setting/draw/jugador_afortunado", 1_500)
        for line in (minimum, prize):
            assert (line.actor, line.second, line.why) == ("ana", "beto", REASON)
            assert (line.journal, line.wall_ms is not None) == ("table-t1", True)
        assert minimum.seq is not None
        assert prize.seq is not None
        assert minimum.seq < prize.seq
        page = await ana.get("/amount?of=table/t1/setting/minimum")
        assert REASON in page.text
        assert f"/journal?journal=table-t1&before={minimum.seq + 1}" in page.text.replace("&amp;", "&")
        untouched = await part_of(office, "table/t1/setting/maximum", 5_000_000)
        assert untouched.actor == "configuration"
        await void(office)
        assert (await part_of(office, "table/t1/setting/minimum", 70_000)).seq != minimum.seq


def other_file(directory: Path) -> Path:
    path = pit_file(directory)
    path.write_text(path.read_text().replace("maximum = 5_000_000", "maximum = 4_000_000"))
    return path


async def test_what_a_later_file_changed_names_the_installation(tmp_path: Path) -> None:
    async with open_office(tmp_path, site=pit_file):
        pass
    async with open_office(tmp_path, people=False, site=other_file) as office:
        table = office.node.tables["t1"].runner
        await until(lambda: table.state.book.count == 1, "the other file is in force")
        line = await part_of(office, "table/t1/setting/maximum", 4_000_000)
        assert (line.actor, line.second, line.why) == ("configuration", "installation", "file")
        first = await part_of(office, "table/t1/setting/minimum", 50_000)
        assert first.seq is not None
        assert line.seq is not None
        assert first.seq < line.seq


async def test_what_comes_into_force_while_an_amount_is_asked_is_not_its_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_office(tmp_path, site=pit_file) as office:
        ana = await office.person("ana")
        assert (await approve(office, await ask(ana, limits__minimum=60_000))).status_code == 200

        async def late(journal: JournalReader, last: int) -> AsyncIterator[StoredEntry]:
            assert (await approve(office, await ask(ana, limits__minimum=70_000))).status_code == 200
            async for stored in settings_entries(journal, journal.head()[0]):
                yield stored

        with monkeypatch.context() as patched:
            patched.setattr(settings, "settings_entries", late)
            before = await part_of(office, "table/t1/setting/minimum", 60_000)
        after = await part_of(office, "table/t1/setting/minimum", 70_000)
        assert before.seq is not None
        assert after.seq is not None
        assert before.seq < after.seq
