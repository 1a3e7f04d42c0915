"""A running node signs a checkpoint in the very commit of an award, a payment, a new chain of seeds, a closed shift."""

from itertools import groupby
from pathlib import Path

from controller.adapters.journal.checkpoints import public_bytes
from controller.adapters.journal.journal import Journal
from controller.api.words import today
from controller.core.events import PrizePaid, PrizeVerified
from tests.api.acts import approved
from tests.api.office import Office, open_office, site_file, until

MOMENTS = {
    "node": {"shift.closed"},
    "table-t1": {"prize.paid"},
    "table-t2": {"draw.chain"},
    "carousel-gran": {"ledger.epoch", "ledger.joined", "ledger.award"},
}


def with_draws(directory: Path) -> Path:
    """The office's site, whose last table has a draw."""
    path = site_file(directory)
    path.write_text(path.read_text() + "\n[tables.draws]\ncarta_magica = { prize = 1_000, every = 1 }\n")
    return path


def moments(journal: Journal, office: Office) -> dict[str, bool]:
    """By kind of entry: whether each of its commits ends in a checkpoint of this node's key."""
    key = public_bytes(office.node.key)
    points = {each.seq for each in journal.checkpoints() if each.is_signed() and each.public_key == key}
    found: dict[str, bool] = {}
    for _, commit in groupby(journal.entries(), key=lambda stored: stored.cause):
        stored = list(commit)
        signed = bool(points.intersection(range(stored[0].seq, stored[-1].seq + 1)))
        found |= {each.entry.kind: signed and found.get(each.entry.kind, True) for each in stored}
    return found


async def test_money_and_closed_shifts_are_signed_as_they_are_written(tmp_path: Path) -> None:
    async with open_office(tmp_path, site=with_draws) as office:
        prize = await office.win()
        await office.tell("t1", PrizeVerified(prize["id"]), "ana")
        await office.tell("t1", PrizePaid(prize["id"]), "ana", "beto")
        host = office.node.hosts["gran"].runner
        await until(lambda: not host.state.open_awards, "the host knows of the payment")
        ana = await office.person("ana")
        await office.person("beto")
        asked = await ana.post("/api/v1/shifts/close", {"shift": f"{today(office.node.api_ports())}/night"})
        assert (await approved(office, asked)).status_code == 200
        for name, kinds in MOMENTS.items():
            found = moments(office.node.journals()[name], office)
            assert {kind: found.get(kind) for kind in kinds} == dict.fromkeys(kinds, True), name
