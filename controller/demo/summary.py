"""What a demo leaves behind, read from its journals alone: counts, verification, and whether the equation holds."""

from pathlib import Path
from typing import Any

from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from controller.core.ledger import Entry
from controller.core.records import from_record
from controller.engine.equation import equation_of
from controller.engine.host import HostMachine, HostSettings
from controller.engine.ledger_records import ZERO, Counters
from controller.engine.machine import replay
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO


def summary(state: Path, seconds: int, hands: dict[str, int]) -> dict[str, Any]:
    """The summary that `--json` writes (docs); every figure but the seconds comes from the journals."""
    journals = []
    totals = {"credit.wagered": 0, CARTA_MAGICA: 0, JUGADOR_AFORTUNADO: 0, "ledger.award": 0}
    for path in sorted(state.glob("*.db")):
        entries = _read(path, totals)
        journals.append({"name": path.stem, "entries": entries, "verified": _verified(path)})
    return {
        "seconds": seconds,
        "hands": {game: hands.get(game, 0) for game in ("oasis", "holdem-bonus", "holdem-circle")},
        "jackpot_bets": totals["credit.wagered"],
        "draws": {kind: totals[kind] for kind in (CARTA_MAGICA, JUGADOR_AFORTUNADO)},
        "awards": totals["ledger.award"],
        "journals": journals,
        "equation": "holds" if _equation_holds(state) else "broken",
    }


def _read(path: Path, totals: dict[str, int]) -> int:
    count = 0
    with Journal.open(path, create=False) as journal:
        for stored in journal.entries():
            count += 1
            _count(stored.entry, totals)
    return count


def _count(entry: Entry, totals: dict[str, int]) -> None:
    if entry.kind in totals:
        totals[entry.kind] += 1
    if entry.kind == "draw.made":
        for kind, _, _ in entry.body["results"]:
            totals[kind] += 1


def _verified(path: Path) -> bool:
    with Journal.open(path, create=False) as journal:
        return verify(journal).ok


def _equation_holds(state: Path) -> bool:
    """The equation of every carousel, to the micro; and what the tables have counted is what the ledger absorbed, or
    more by what is still on its way."""
    tables = [_member(path) for path in state.glob("table-*.db")]
    for path in state.glob("carousel-*.db"):
        with Journal.open(path, create=False) as journal:
            settings = HostSettings("", "", 1, "")
            host = replay(HostMachine(settings), (stored.entry for stored in journal.entries()))
        ledger = host.ledger
        if not equation_of(ledger).holds:
            return False
        for member_state in tables:
            account = ledger.tables.get(member_state[0])
            if account is not None and account.absorbed.net_micros > member_state[1].net_micros:
                return False
    return True


def _member(path: Path) -> tuple[str, Counters]:
    counters = ZERO
    with Journal.open(path, create=False) as journal:
        for stored in journal.entries():
            if stored.entry.kind == "link.counted":
                counters = from_record(Counters, stored.entry.body)
    return path.stem.removeprefix("table-"), counters
