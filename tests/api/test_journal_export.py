"""A journal downloaded off the panel is the export that the command writes, and its verifier finds it whole."""

import subprocess
import sys
from pathlib import Path

import pytest

from controller.adapters.journal import export as exports
from controller.adapters.journal.export import VERIFIER
from controller.adapters.journal.export import export as export_to
from tests.api.office import ROLES, Office

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
