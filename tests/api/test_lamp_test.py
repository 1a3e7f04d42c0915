"""One lamp of one seat, tested from the panel: on the coils, in the journal, and refused while there are bets."""

from pathlib import Path

from tests.api.office import until
from tests.api.wired import wired_office

ADDRESS = "/api/v1/tables/t1/devices/lamp"


async def test_a_technician_lights_one_lamp_and_the_journal_says_who(tmp_path: Path) -> None:
    async with wired_office(tmp_path) as wired:
        await wired.up()
        office = wired.office
        tomas, aldo = await office.person("tomas"), await office.person("aldo")
        assert (await aldo.post(ADDRESS, {"seat": 2})).status_code == 403
        assert (await tomas.post(ADDRESS, {"seat": 2}, drop=("X-CSRF-Token",))).status_code == 403
        for seat, lamp in ((3, "lamp"), (1, "out")):
            answer = await tomas.post(ADDRESS, {"seat": seat, "lamp": lamp})
            assert (answer.status_code, answer.json()["refusal"]) == (404, "unknown_lamp")
        runner = office.node.tables["t1"].runner
        answer = await tomas.post(ADDRESS, {"seat": 2, "lamp": "out"}, key="uno")
        assert answer.json()["entries"][0]["kind"] == "lamps.tested"
        await until(lambda: wired.module.outputs[2], "the module's coil is on", 60)
        assert not any((*wired.module.outputs[:2], wired.module.outputs[7])), "that lamp alone"
        await until(lambda: runner.state.lamp_on_test is None, "its seconds are over", 60)
        await until(lambda: not wired.module.outputs[2], "the coil is off again", 60)
        assert (await tomas.post(ADDRESS, {"seat": 2, "lamp": "out"}, key="uno")).json()["repeated"]
        assert runner.state.lamp_on_test is None, "the same press once more lights nothing"
        entries = (await tomas.get("/api/v1/journals/table-t1/entries?kind=lamps.")).json()["entries"]
        told = [(each["kind"], each["actor"], each["body"]) for each in entries]
        assert told[1] == ("lamps.tested", "tomas", {"seat": 2, "lamp": "out"})
        assert told[0][:2] == ("lamps.test_ran", "clock")


async def test_no_lamp_is_tested_while_a_hand_is_open(tmp_path: Path) -> None:
    async with wired_office(tmp_path) as wired:
        await wired.up()
        ana = await wired.office.person("ana")
        assert (await ana.post(ADDRESS, {"seat": 2})).status_code == 200
        await wired.office.deal()
        assert (await ana.get("/api/v1/tables/t1")).json()["lamp_on_test"] is None, "the first bet ends it"
        answer = await ana.post(ADDRESS, {"seat": 2})
        assert (answer.status_code, answer.json()["refusal"]) == (409, "lamps_in_use")
        assert "Las lámparas se prueban entre manos" in answer.json()["title"]
        await wired.end_hand()
        assert (await ana.post(ADDRESS, {"seat": 2})).status_code == 200
