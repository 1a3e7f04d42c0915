"""A journal downloaded off the panel is the export that the command writes, and its verifier finds it whole."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import Message

from controller.adapters.hardware import desks
from controller.adapters.journal import export as exports
from controller.adapters.journal.chain import Head
from controller.adapters.journal.export import VERIFIER
from controller.adapters.journal.export import export as export_to
from controller.adapters.journal.journal import Journal
from controller.api import one_export
from controller.api.kept import Kept
from tests.api.office import ROLES, Office, until

PLACE = "/api/v1/journals/table-t1/export"


def verified(program: Path, file: Path) -> int:
    """What the program ends with, run by Python alone: nothing of the product can be imported."""
    return subprocess.run([sys.executable, "-I", "-S", program, file], capture_output=True, check=False).returncode


@pytest.mark.requirement("R88", "R04")
async def test_the_downloaded_file_is_the_commands_and_holds_by_the_verifier_that_came_with_it(
    office: Office, tmp_path: Path
) -> None:
    await office.win()
    aldo = await office.person("aldo")
    answer = await aldo.get(PLACE)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson")
    assert answer.headers["content-disposition"] == 'attachment; filename="table-t1.jsonl"'
    program = await aldo.get(f"{PLACE}/verifier")
    assert program.content == VERIFIER.read_bytes()
    file, checks = tmp_path / "table-t1.jsonl", tmp_path / "verify_export.py"
    file.write_bytes(answer.content)
    checks.write_bytes(program.content)
    assert verified(checks, file) == 0
    export_to(office.node.tables["t1"].journal, tmp_path / "command.jsonl")
    assert (tmp_path / "command.jsonl").read_bytes() == answer.content
    file.write_bytes(answer.content.replace(b'\\"seat\\":3', b'\\"seat\\":4', 1))
    assert verified(checks, file) == 1
    taken = (await aldo.get("/api/v1/accesses")).text
    assert PLACE in taken
    assert "Exportación del libro" in (await aldo.get("/access")).text


async def test_an_export_is_never_held_whole(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    await office.win()
    monkeypatch.setattr(exports, "PART_BYTES", 1_000)
    parts = list(office.node.api_ports().journal("table-t1").export())
    longest = max(len(line) + 1 for part in parts for line in part.splitlines())
    assert len(parts) > 3
    assert max(map(len, parts)) < 1_000 + longest


async def test_who_reads_the_journal_may_take_it_but_never_what_pins_hash_to(office: Office) -> None:
    for login in ROLES:
        person = await office.person(login)
        for name in office.node.api_ports().journals():
            answer = await person.get(f"/api/v1/journals/{name}/export", Accept_Language="es")
            page = (await person.get(f"/journal?journal={name}")).text
            if name == "node":
                assert (answer.status_code, answer.json()["refusal"]) == (403, "journal_has_secrets")
                assert 'id="export"' not in page and 'id="not-here"' in page
            else:
                assert (answer.status_code, answer.content.startswith(b'{"carrusel_export":1')) == (200, True)
                assert 'id="export"' in page and 'id="not-here"' not in page


async def test_one_export_at_a_time_and_the_next_is_told_to_wait(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reads and checks a whole journal: of a node that has tables to serve, one is asked at once."""
    begun, ended = threading.Event(), threading.Event()
    whole = desks.export_parts

    def held(journal: Journal, head: Head) -> Iterator[bytes]:
        begun.set()
        assert ended.wait(60)
        yield from whole(journal, head)

    ana, aldo = await office.person("ana"), await office.person("aldo")
    with monkeypatch.context() as slow:
        slow.setattr(desks, "export_parts", held)
        first = asyncio.create_task(ana.get(PLACE))
        try:
            await until(begun.is_set, "the first export has begun", 30)
            second = await aldo.get("/api/v1/journals/table-t2/export", Accept_Language="es")
            shown = await aldo.get(PLACE, Accept="text/html")
        finally:
            ended.set()
        assert (await first).status_code == 200
    assert (second.status_code, second.json()["refusal"]) == (429, "export_in_course")
    assert second.headers["retry-after"] == "30" and "se sacan de a uno" in second.json()["detail"]
    assert shown.status_code == 429 and "<h1>Se está sacando un libro" in shown.text
    taken = [each["taken"] for each in (await aldo.get("/api/v1/accesses")).json()["accesses"] if each["taken"]]
    assert taken == [PLACE], "what was refused left nothing"
    assert (await aldo.get(PLACE)).status_code == 200, "the next has its turn"


async def test_an_export_that_nobody_takes_lets_the_next_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_export, "TAKEN_WITHIN_S", 0)
    kept = Kept()

    async def stalled(message: Message) -> None:
        await asyncio.sleep(3600)

    async def nothing() -> Message:
        await asyncio.sleep(3600)
        return {}

    answer = one_export.OneExport(kept, iter([b"line\n"]), "application/x-ndjson", {})
    await answer({"type": "http", "asgi": {"spec_version": "2.4"}}, nothing, stalled)
    assert not kept.is_exporting
