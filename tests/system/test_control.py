"""The command line on journals that a real daemon holds: verified, shown, exported and backed up beside its commits."""

import asyncio
import json
import os
import socket
import stat
import sys
from pathlib import Path

import pytest

from controller.adapters.control import Control, at_home, is_owner
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from controller.core.ledger import Entry
from tests.services import free_port
from tests.system.daemon import DEADLINE_S, REPOSITORY, Daemon, daemon, soon
from tests.system.pit_files import write_site

pytestmark = pytest.mark.system

TABLE = """
[[tables]]
id = "t1"
name = "Mesa 1"
preset = "oasis_argentina_2010"
"""
PEOPLE = ("--first", "ana", "--second", "bea", "--reason", "while its daemon serves")


async def journal_command(*arguments: object) -> tuple[int, str, str]:
    """`carrusel journal …` as a process: exit code, what it prints, what it complains of."""
    return await command("journal", *arguments)


async def command(*arguments: object) -> tuple[int, str, str]:
    """`carrusel …`, the same."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "controller", *map(str, arguments)),
        cwd=REPOSITORY,
        env={**os.environ, "LC_ALL": "en_US.UTF-8"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, complaints = await asyncio.wait_for(process.communicate(), DEADLINE_S)
    assert process.returncode is not None
    return process.returncode, out.decode(), complaints.decode()


async def member(node: Daemon) -> None:
    """Wait until the table plays."""
    await node.until("table-t1", lambda scene: scene["stage"]["kind"] == "idle", "idle table")


async def test_journals_in_use_are_read_through_the_daemon(tmp_path: Path) -> None:
    async with daemon(write_site(tmp_path, free_port(), TABLE)) as node:
        await member(node)
        held, end = node.state / "table-t1.db", node.state / "control.sock"
        assert stat.S_IMODE(end.stat().st_mode) == 0o600

        code, out, complaints = await journal_command("verify", held, "--json")
        assert (code, complaints) == (0, "")
        report = json.loads(out)
        assert report["ok"] and report["name"] == "table-t1" and report["entries"] > 5

        code, out, _ = await journal_command("show", held, "--kind", "link.record", "--json")
        shown = [json.loads(line) for line in out.splitlines()]
        assert code == 0 and shown and {entry["kind"] for entry in shown} == {"link.record"}

        code, out, _ = await journal_command("export", node.state / "carousel-t1.db", tmp_path / "host.jsonl")
        assert code == 0 and "verify with" in out
        checking = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", str(tmp_path / "verify_export.py"), str(tmp_path / "host.jsonl")),
            stdout=asyncio.subprocess.DEVNULL,
        )
        assert await checking.wait() == 0

        code, out, complaints = await journal_command("backup", held, tmp_path / "copy.db")
        assert code == 0, complaints
        assert not list(node.state.glob(".backup-*"))
        assert (await journal_command("backup", held, tmp_path / "copy.db"))[0] == 2

        code, out, complaints = await command("carousel", "status", "t1", "--config", node.config, "--json")
        assert (code, complaints) == (0, "")
        status = json.loads(out)
        assert (status["phase"], status["equation"], status["epoch"]["term"]) == ("serving", "holds", 1)
        code, out, _ = await command("carousel", "members", "t1", "--config", node.config, "--json")
        assert (code, [line["standing"] for line in json.loads(out)]) == (0, ["active"])
        assert (await command("carousel", "promote", "t1", "--config", node.config, *PEOPLE))[0] == 2

        code, _, complaints = await journal_command("show", node.state / "table-t9.db")
        assert code == 2 and "no journal" in complaints
        assert await node.stop() == 0
        assert not end.exists()
    with Journal.open(tmp_path / "copy.db", create=False) as copied, Journal.open(held, create=False) as journal:
        assert verify(copied).ok and verify(journal).ok
        assert copied.head.seq >= report["entries"]
        assert journal.chain_at(copied.head.seq) == copied.head.chain


async def test_a_killed_daemon_leaves_a_socket_that_hinders_nobody(tmp_path: Path) -> None:
    async with daemon(write_site(tmp_path, free_port(), TABLE)) as node:
        await member(node)
        await node.kill()
        held = node.state / "table-t1.db"
        assert (node.state / "control.sock").exists()
        assert (await journal_command("verify", held))[0] == 0
        await node.start()
        assert (await journal_command("verify", held))[0] == 0


async def test_without_a_daemon_a_journal_in_use_is_said_to_be_so(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "t1.db", name="t1"):
        code, out, complaints = await journal_command("verify", tmp_path / "t1.db")
    assert (code, out) == (2, "")
    assert "in use" in complaints and "control.sock" in complaints and "read a backup" in complaints


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"rubbish\n", "not a request"),
        (b"[]\n", "not a request"),
        (b'{"do":"append","journal":"t1"}\n', "not a request"),
        (b'{"do":"verify"}\n', "not a request"),
        (b'{"do":"verify","journal":"t2"}\n', "no journal t2"),
        (b'{"do":"verify","journal":"t1","keys":["zz"]}\n', "non-hexadecimal"),
        (b'{"do":"verify","journal":"t1","against":["x"]}\n', "indices"),
        (b'{"do":"verify","journal":"t1","against":[{"seq":1,"name":5,"incarnation":5,"chain":5}]}\n', "must be str"),
        (b'{"do":"show","journal":"t1","from_seq":"x"}\n', "not a place: 'x'"),
        (b'{"do":"show","journal":"t1","from_seq":1e400}\n', "not a place: inf"),
        (b'{"do":"show","journal":"t1","to_seq":"x"}\n', "not a place: 'x'"),
        (b"[" * 100_000 + b"\n", "not a request"),
    ],
)
async def test_what_is_no_request_is_answered_with_why(tmp_path: Path, line: bytes, answer: str) -> None:
    deep = tmp_path / ("d" * 120)  # longer than a socket's name may be
    deep.mkdir()
    with Journal.open(deep / "t1.db", name="t1") as journal:
        serving = asyncio.create_task(Control(deep, {"t1": journal}).run())
        await soon((deep / "control.sock").exists, "socket")
        with at_home(deep) as place:
            reader, writer = await asyncio.open_unix_connection(place)
        writer.write(line)
        said = json.loads(await asyncio.wait_for(reader.readline(), DEADLINE_S))
        assert answer in said["error"] and said["damaged"] is False
        writer.close()
        await writer.wait_closed()
        serving.cancel()
        await asyncio.wait([serving])
    assert not (deep / "control.sock").exists()


async def test_no_place_that_is_asked_for_ends_the_daemon(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "t1.db", name="t1") as journal:
        serving = asyncio.create_task(Control(tmp_path, {"t1": journal}).run())
        await soon((tmp_path / "control.sock").exists, "socket")
        for number, many in ((10**30, 0), (2**63 - 1, 0), (-(10**30), 1), (1, 1)):
            for asked in ({"from_seq": number}, {"from_seq": number, "to_seq": 10**30}):
                reader, writer = await asyncio.open_unix_connection(tmp_path / "control.sock")
                writer.write(json.dumps({"do": "show", "journal": "t1", **asked}).encode() + b"\n")
                answers = (await asyncio.wait_for(reader.read(), DEADLINE_S)).splitlines()
                assert (len(answers), json.loads(answers[-1])) == (many + 1, {"end": True})
                writer.close()
                await writer.wait_closed()
        await journal.append([Entry("i1", "k1", {})], 0)
        serving.cancel()
        await asyncio.wait([serving])


class Stranger:
    """A connection whose other side runs as some other user."""

    def getsockopt(self, *_: int) -> bytes:
        return (1).to_bytes(4, sys.byteorder) + (os.geteuid() + 4321).to_bytes(4, sys.byteorder) * 2


def test_only_the_owner_and_root_are_answered() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert is_owner(ours)
    assert not is_owner(Stranger())  # type: ignore[arg-type]  # the one method that is asked
