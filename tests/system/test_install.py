"""The manual's own commands: a fresh install, an upgrade, another PC for a table, a restore (docs/install.md)."""

from __future__ import annotations

import json
import os
import re
import textwrap
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path

import pytest

from controller.adapters.journal.checkpoints import node_key
from controller.adapters.link.wire import key_name
from tests.services import HOST, Mosquitto, free_port
from tests.system.daemon import Daemon, daemon
from tests.system.dealing import NOTHING, SHARE, START, Dealer, meter_is
from tests.system.machine import Machine, machine
from tests.system.people import PINS, hire, panel
from tests.system.pit_files import CAROUSEL, OasisHardware, oasis_table, write_site
from tests.tidy.source_files import ROOT, committed

pytestmark = [
    pytest.mark.system,
    pytest.mark.broker,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may lay folders over this machine's"),
]
TABLE = "t2"
VERSION = "/opt/carrusel/venv/bin/python -c 'import importlib.metadata as m; print(m.version(\"carrusel\"))'"
FORM_OF_BEFORE = f"""
import sqlite3
journal = sqlite3.connect("/var/lib/carrusel/table-{TABLE}.db")
journal.executescript("DROP TABLE mentions; UPDATE alembic_version SET version_num = \\"0001\\";")
journal.commit()
"""
"""The journal as a release wrote it that knew no mentions."""
STATE, BACKUPS = "/var/lib/carrusel", "/var/backups/carrusel"


def blocks(page: str, heading: str) -> list[str]:
    """The command blocks under a heading, with the test's table in the place of `ID`."""
    text = (ROOT / page).read_text("utf-8")
    part = re.split(r"^## ", text.split(f"## {heading}\n")[1], flags=re.MULTILINE)[0]
    found = re.findall(r"(?:^\n)((?:^ {4,}.*\n)+)", part, re.MULTILINE)
    return [re.sub(r"\bID\b", TABLE, textwrap.dedent(block)) for block in found]


def source(folder: Path, release: str | None = None) -> Path:
    """The source tree as an archive holds it; `release`: under this number."""
    for path in committed():
        copy = folder / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / path).read_bytes())
    if release is not None:
        project = folder / "pyproject.toml"
        project.write_text(
            re.sub(r'^version = ".*"', f'version = "{release}"', project.read_text(), flags=re.MULTILINE)
        )
    return folder


class Site:
    """The pit around the table's PC: broker, host, the table's hardware, and what the PC's file says."""

    def __init__(self, folder: Path, table_folder: Path, broker: Mosquitto) -> None:
        self.hardware = OasisHardware.new()
        self.api, self.screens = free_port(), free_port()
        link = CAROUSEL.format(port=broker.port, role="host", facts=f'accept = ["{TABLE}"]')
        self.host_file = write_site(folder / "host", free_port(), link)
        self.folder, self.broker, self.table_folder = folder, broker, table_folder

    def table_file(self) -> str:
        """The table's configuration, with the host's key in it: the host has run once."""
        key = key_name(node_key(self.folder / "host" / "state"))
        link = CAROUSEL.format(port=self.broker.port, role="member", facts=f'host_keys = ["{key}"]')
        text = write_site(self.table_folder, self.api, link, oasis_table(TABLE, self.hardware, "gran")).read_text()
        text = re.sub(r'directory = ".*"', f'directory = "{STATE}"', text)
        return text.replace(f'listen = "{HOST}:0"', f'listen = "{HOST}:{self.screens}"')

    def node(self, pc: Machine) -> Daemon:
        """The daemon of a PC, to be watched: its service starts and stops it."""
        found = Daemon(self.table_folder / "carrusel.toml")
        found.log = pc.layers / "var" / "upper" / "log" / "carrusel.log"
        found.screens, found.panel = f"http://{HOST}:{self.screens}", f"http://{HOST}:{self.api}"
        return found


async def let_in(host: Daemon, profile: str, seal: bool) -> None:
    """What two people do on the host's panel: seal the incarnation of before, and enrol the one of this line."""
    async with panel(host, "tito") as tito:
        if seal:
            end = {"table": TABLE, "seen_switched_off": True, "reason": "its PC was replaced"}
            await tito.post("/carousels/gran/seal", end)
        await tito.post("/carousels/gran/members", {"profile": json.loads(profile), "reason": "as the manual says"})


async def bet_adds(site: Site, pc: Machine, before: int) -> int:
    """A hand is played whose jackpot bet the carousel takes; the sum after it."""
    node = site.node(pc)
    await node.until(f"table-{TABLE}", partial(meter_is, amount=before), f"a meter of {before}")
    dealer = Dealer(node, TABLE, site.hardware)
    await dealer.hardware.ready()
    await dealer.bet(3)
    await dealer.close()
    await dealer.deal(NOTHING, 3)
    await dealer.end()
    await node.until(f"table-{TABLE}", partial(meter_is, amount=before + SHARE), "what the bet added")
    return before + SHARE


def last_line(told: str) -> str:
    """What a block's last speaking command printed."""
    return told.splitlines()[-1]


async def incarnation(pc: Machine, folder: Path) -> str:
    """Of the table's journal as it stands."""
    told = await pc.run(f"carrusel journal verify --json {STATE}/table-{TABLE}.db", folder)
    return str(json.loads(told)["incarnation"])


async def test_the_manual_installs_upgrades_restores_and_replaces(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, mosquitto_with: Callable[..., Mosquitto]
) -> None:
    layers = tmp_path_factory.mktemp("machines")
    layers.parent.chmod(0o755)
    layers.chmod(0o755)
    old, new = source(layers / "old", "0.0.9"), source(layers / "new")
    site = Site(tmp_path, layers / "t", mosquitto_with())
    await hire(site.host_file)
    for line in (site.hardware.boxes, site.hardware.keys, site.hardware.reader):
        os.chmod(str(line.path), 0o666)  # a pseudo-terminal is its maker's alone; adapters are `dialout`'s
    async with daemon(site.host_file) as host, site.hardware.running(), machine(layers / "a") as pc:
        (old / "YOUR.toml").write_text(site.table_file())
        (install,) = blocks("systemd/README.md", "Install")
        *making, starting = install.splitlines()
        accounts, start = blocks("docs/install.md", "A table's PC")
        assert starting == start.strip().removeprefix("sudo ") + ".service"
        await pc.run("\n".join(making), old)
        await pc.run(accounts, old, typed=f"{PINS['ana']}\n{PINS['ana']}\n")
        rights = await pc.run(f"stat -c '%U %a' {STATE} /etc/carrusel/carrusel.toml {STATE}/node.key", old)
        assert rights.splitlines() == ["carrusel 700", "root 640", "carrusel 600"]
        moved_out, moved_in, lost = blocks("docs/install.md", "Replace a table's PC")
        await let_in(host, await pc.run(lost, old), seal=False)
        await pc.run(start, old)
        meter = await bet_adds(site, pc, START)

        (backup,) = blocks("docs/install.md", "Backup")
        assert "se sostienen" in await pc.run(backup, old)
        was = await incarnation(pc, old)

        await pc.run("sudo systemctl stop carrusel", old)
        await pc.run(f"sudo -u carrusel /opt/carrusel/venv/bin/python -c '{FORM_OF_BEFORE}'", old)
        (upgrade,) = blocks("docs/install.md", "Upgrade")
        assert await pc.run(VERSION, old) == "0.0.9\n"
        await pc.run(upgrade, new)
        assert await pc.run(VERSION, new) == f"{version('carrusel')}\n"
        meter = await bet_adds(site, pc, meter)
        assert await incarnation(pc, new) == was
        kept = {name for name in (await pc.run(f"ls {BACKUPS}", new)).split() if name.endswith(".db")}
        moment = re.compile(r"-20\d{6}-\d{6}")
        named = {moment.sub("", name) for name in kept}
        assert named == {"node-before.db", f"table-{TABLE}-before.db", f"table-{TABLE}.db"}
        assert all(moment.search(name) for name in kept), kept

        restore, started = blocks("docs/install.md", "Restore")
        await let_in(host, last_line(await pc.run(restore, new)), seal=True)
        await pc.run(started, new)
        meter = await bet_adds(site, pc, meter)
        restored = await incarnation(pc, new)
        assert restored != was

        on_another = "\n".join(line for line in making if "/opt/carrusel" not in line)  # whose layers hold it already
        (new / "YOUR.toml").write_text(site.table_file())
        async with machine(layers / "b", below=pc) as second:
            await second.run("useradd --system somebody", new)  # so that the users have other numbers here
            await second.run(on_another, new)
            await pc.run(moved_out, new)
            await second.run(moved_in, new)
            meter = await bet_adds(site, second, meter)
            assert await incarnation(second, new) == restored
            await second.run("sudo systemctl stop carrusel", new)

        async with machine(layers / "c", below=pc) as third:
            await third.run(on_another, new)
            await let_in(host, await third.run(lost, new), seal=True)
            await third.run(start, new)
            meter = await bet_adds(site, third, meter)
            assert await incarnation(third, new) not in (was, restored)
            await third.run("sudo systemctl stop carrusel", new)
            assert "se sostienen" in await third.run(f"carrusel journal verify {STATE}/table-{TABLE}.db", new)
        assert await host.stop() == 0
