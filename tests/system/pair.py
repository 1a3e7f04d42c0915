"""A host without tables of its own, and a table of another node that was let into its carousel; neither runs yet."""

from __future__ import annotations

from pathlib import Path

from tests.services import free_port
from tests.system.daemon import daemon
from tests.system.enrolment import enrol
from tests.system.people import hire
from tests.system.pit_files import CAROUSEL, OasisHardware, oasis_table, write_site


def host_site(directory: Path, port: int) -> Path:
    """A host's file; port: of the broker."""
    return write_site(directory, free_port(), CAROUSEL.format(port=port, role="host", facts='accept = ["t1"]'))


def table_site(directory: Path, port: int, hardware: OasisHardware) -> Path:
    """A linked table's file; port: of the broker."""
    carousel = CAROUSEL.format(port=port, role="member", facts="")
    return write_site(directory, free_port(), carousel, oasis_table("t1", hardware, "gran"))


async def linked(directory: Path, port: int, hardware: OasisHardware) -> tuple[Path, Path]:
    """Files of both, with people at each, once the carousel was founded and the table enrolled."""
    host_file, node_file = host_site(directory / "host", port), table_site(directory / "node", port, hardware)
    for path in (host_file, node_file):
        await hire(path)
    async with daemon(host_file) as founding:
        await founding.until("signage-gran", lambda s: s["meter"]["freshness"] == "fresh", "a founded carousel")
        assert await founding.stop() == 0
    await enrol("gran", host_file, "t1", node_file)
    return host_file, node_file
