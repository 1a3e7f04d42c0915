"""A whole `journal verify`, with all equations of its pools, beside reading, parsing and hashing alone.

Nearly each entry of a host's journal is a ledger record: it has a second hash, of its own chain, and is folded again.
"""

import json
import sqlite3
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from controller.adapters.journal.equations import equations
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from controller.core.events import Envelope
from controller.core.ledger import Entry
from controller.core.prizes import PrizeList
from controller.engine import member
from controller.engine.host import HostMachine, HostSettings
from controller.engine.host_events import CarouselFounded, HostStarted, MemberAccepted
from controller.engine.ledger_reading import record_from_plain
from controller.engine.ledger_records import Counters, Mark, Profile
from controller.engine.machine import handle
from controller.engine.messages import Counter, Ledger, LinkReceived, Received
from tests.bench._ratios import Rate, Ratio, Watch, at_least, scratch, told
from tests.engine.carousel_house import CENTAVO
from tests.engine.pit import Pit, oasis_settings

HANDS = 200
TABLES = 10
UPDATES = 20_000
CARDS = (
    "Qs 7s 8h Js 4c",
    "Ac 6d Ts 5h Jd",
    "9h Qc 5s Kc 7d",
    "4h 8d 2d Tc 9d",
    "Ad Td 5d 3c 8s",
    "Ks 8c 2c 7h Qh",
    "6s 2s Qd 9c 5c",
)
LEAST = 0.5


def bare_reader(path: Path) -> Rate:
    """Entries per second by reading, parsing and hashing alone."""
    connection = sqlite3.connect(path)
    chain, count = bytes(32), 0
    watch = Watch()
    for seq, entry_id, kind, actor, wall_ms, cause, body, postings, _ in connection.execute(
        "SELECT seq, id, kind, actor, wall_ms, cause, body, postings, chain FROM entries ORDER BY seq"
    ):
        json.loads(body)
        json.loads(postings)
        hashed = sha256(f"{entry_id}\n{kind}\n{actor}\n{wall_ms}\n{seq}\n".encode() + cause + body + postings).digest()
        chain = sha256(chain + hashed).digest()
        count += 1
    connection.close()
    return watch.rate(count)


def verification(path: Path) -> Rate:
    """Entries per second of a whole `journal verify`, its equations and the check of the file included."""
    watch = Watch()
    with Journal.open(path, create=False) as journal:
        report = verify(journal, equations=equations())
    assert report.ok, report.findings
    return watch.rate(report.entries)


def hands_played() -> list[Entry]:
    """The journal of a table after many hands of seven boxes."""
    pit = Pit(oasis_settings())
    mirrored = len(pit.host.journal)
    for _ in range(HANDS):
        over = pit.play(*CARDS, seats=range(1, 8))
        assert isinstance(over, tuple), over
        mirrored = carried(pit, mirrored)
    return pit.journal


def carried(pit: Pit, mirrored: int) -> int:
    """What the table counted goes to the host, and the host's new records come back; its entries by then."""
    for message in member.outbox(pit.state.link, playing=bool(pit.state.hand.credits)):
        pit.host.receive(message)
    for entry in pit.host.journal[mirrored:]:
        if "record" in entry.body:
            pit.do(LinkReceived(Ledger(pit.host.state.epoch, record_from_plain(entry.body["record"]))))
    return len(pit.host.journal)


def counters_folded() -> list[Entry]:
    """The journal of a host that some tables joined and told many counters."""
    machine = HostMachine(HostSettings("c1", "ARS", CENTAVO, "A"))
    state, entries = machine.first(), list[Entry]()

    def do(event: object) -> None:
        nonlocal state
        state, made, refused = handle(machine, state, Envelope(f"e{len(entries)}", event, "ana", "bea"), 0)
        assert refused is None, refused
        entries.extend(made)

    do(HostStarted("n"))
    do(CarouselFounded("measurement"))
    names = [f"t{number}" for number in range(TABLES)]
    for name in names:
        do(MemberAccepted(Profile(name, f"{name}-i1", "key", "ARS", 500_000 * CENTAVO, PrizeList(())), "measurement"))
        for heard in state.ledger.active():
            ledger = state.ledger
            do(LinkReceived(Received(heard, f"{heard}-i1", state.epoch, Mark(0, 0, ""), ledger.seq, ledger.hash)))
    for number in range(UPDATES):
        name, hands = names[number % TABLES], 1 + number // TABLES
        counters = Counters(main_micros=hands * 20 * CENTAVO, hands=hands)
        do(LinkReceived(Counter(name, f"{name}-i1", state.epoch, Mark(1, hands, f"{name}-{hands}"), counters)))
    return entries


def written(path: Path, name: str, entries: list[Entry]) -> Path:
    with Journal.open(path, name=name) as journal:
        for start in range(0, len(entries), 1_000):
            journal.append_now(entries[start : start + 1_000], 1_700_000_000_000)
    return path


def verifying(directory: Path) -> Iterator[Ratio]:
    paths = {
        "table": written(directory / "table.db", "t1", hands_played()),
        "host": written(directory / "host.db", "carousel-c1", counters_folded()),
    }
    for name, path in paths.items():
        yield from at_least(
            f"entries/s of a {name} verified beside bare reading",
            LEAST,
            lambda _, path=path: verification(path),
            lambda _, path=path: bare_reader(path),
        )


def main() -> int:
    with scratch() as directory:
        return told(verifying(directory))


if __name__ == "__main__":
    sys.exit(main())
