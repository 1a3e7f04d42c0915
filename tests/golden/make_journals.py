"""Writes the golden journals of the present version: `python -m tests.golden.make_journals LABEL`.

A file that exists is never written again: from a release on, its journals have to fold to the same for ever. Until the
first release a change of the entries' form is allowed, and shows itself by deleting the files and making them anew.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.journal import Journal
from controller.core.ledger import Entry
from tests.engine.pit import Pit
from tests.golden.figures import host_figures, table_figures

DIRECTORY = Path(__file__).parent / "journals"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def played() -> Pit:
    """Some hands of a table and its host: nothing won, a straight flush, four of a kind, and bets of a fourth hand."""
    pit = Pit()
    pit.play("As Kd Qs 4c 3d", "9c 8d 2d 6d 5d", seats=(1, 2), credits=2)
    pit.deliver()
    pit.play("9d 8d 7d 6d 5d", "As Kd Qs 4c 3d", seats=(2, 3))
    pit.deliver()
    pit.play("9s 9h 9d 9c 5d", seats=(4,), credits=5)
    pit.deliver()
    pit.bet(1, 7)
    return pit


def write(path: Path, name: str, entries: Sequence[Entry], figures: dict[str, object]) -> None:
    with Journal.open(path, name=name, key=KEY, incarnation=f"{name}-i1", checkpoint_every=10) as journal:
        for number, entry in enumerate(entries):
            journal.append_now([entry], 1_790_000_000_000 + number, causes={entry.id: bytes([number % 256]) * 32})
        figures = {**figures, "seq": journal.head.seq, "head": journal.head.chain.hex()}
    path.with_suffix(".json").write_text(json.dumps(figures, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    path.with_name(path.name + ".lock").unlink()


def main(label: str) -> int:
    pit = played()
    wanted = (
        ("table", pit.settings.table, pit.journal, table_figures(pit.state, pit.journal)),
        ("host", "c1", pit.host.journal, host_figures(pit.host.state, pit.host.journal)),
    )
    for machine, name, entries, figures in wanted:
        path = DIRECTORY / f"{label}-{machine}.sqlite"
        if path.exists():
            print(f"{path} exists and stays as it is", file=sys.stderr)
            return 1
        write(path, name, entries, figures)
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
