"""A table that was restored from a backup: what the backup had open is closed on the panel by two people."""

from pathlib import Path

from typer.testing import CliRunner

from controller.api.amounts.ask import trace
from controller.commands.journal import app
from controller.core.events import AntePlaced, CreditWagered
from tests.api.crawl import every_amount_leads_to_its_origin
from tests.api.office import Office, open_office, until


def command(*arguments: object) -> None:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output


async def restored(directory: Path) -> None:
    """A node whose first table was in a hand with bets when its backup was taken, and was restored from it."""
    async with open_office(directory) as office:
        await office.tell("t1", AntePlaced(3))
        await office.tell("t1", CreditWagered(3, 2, manual=True))
    journal, copy = directory / "state" / "table-t1.db", directory / "backup.db"
    command("backup", journal, copy)
    journal.unlink()
    command("restore", copy, journal)


async def test_bets_of_the_backup_are_returned_by_two_people(tmp_path: Path) -> None:
    await restored(tmp_path)
    async with open_office(tmp_path, joined=False) as office:
        await closes_the_bets(office)


async def closes_the_bets(office: Office) -> None:
    ana, beto = await office.person("ana"), await office.person("beto")
    shown = (await ana.get("/api/v1/tables/t1")).json()
    (item,) = shown["restored"]
    assert (item["kind"], item["hand"], item["amount_minor"]) == ("hand", 1, 20_000)
    assert {"alarm": "restored_money"} in shown["alarms"]
    assert {"alarm": "not_enrolled"} in shown["alarms"] and shown["standing"] is None
    page = await ana.get("/table/t1?lang=es")
    assert "Mesa todavía no inscripta: dos personas la inscriben en el panel del anfitrión" in page.text
    assert "No disponible" in page.text and 'id="meter-origin"' not in page.text, "the screen shows no meter either"
    assert "Dinero que la copia restaurada dejó abierto" in page.text
    ports = office.node.api_ports()
    await every_amount_leads_to_its_origin(office, people=["ana"])
    open_bets = await trace(ports, "table/t1/hand/1/bets")
    assert open_bets.sum_micros == open_bets.total_micros == 20_000 * ports.minor_micros
    body = {"item": item["id"], "outcome": "returned", "reason": "the players got them back"}
    asked = (await ana.post("/api/v1/tables/t1/restored", body)).json()
    approved = await beto.post(
        f"/api/v1/approvals/{asked['approval']}/approve", {"digest": asked["digest"], "pin": "271828"}
    )
    assert approved.status_code == 200, approved.text
    await until(lambda: not office.node.tables["t1"].runner.state.restored, "the money is closed")
    closed = await trace(ports, "table/t1/hand/1/bets")
    assert closed.sum_micros == closed.total_micros == 0
    assert [line.what for line in closed.lines] == ["bet", "bet_returned"]


async def test_the_terms_of_a_table_stand_beside_those_agreed_with_the_host(tmp_path: Path) -> None:
    await restored(tmp_path)
    async with open_office(tmp_path, joined=False) as office:
        aldo = await office.person("aldo")
        known = (await aldo.get("/api/v1/tables/t2/terms")).json()
        assert known["differs"] is False
        assert known["here"]["terms"] == known["agreed"]["terms"]
        assert known["here"]["prizes"] == known["agreed"]["prizes"]
        assert known["agreed"]["start_minor"] == 50_000_000
        fresh = (await aldo.get("/api/v1/tables/t1/terms")).json()
        assert (fresh["agreed"], fresh["differs"]) == (None, False)
        for table, words in (("t1", "todavía no ingresó"), ("t2", "Son las mismas")):
            assert words in (await aldo.get(f"/table/{table}/terms?lang=es")).text
