"""Writes the golden journals of the present version: `python -m tests.golden.make_journals LABEL`.

A file that exists is never written again: from a release on, its journals have to fold to the same for ever. A label
gets the kinds that it lacks; a release whose entries have a new form takes a label of its own.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.journal.journal import Journal
from controller.core.ledger import Entry
from controller.engine.machine import replay
from tests.golden.kinds import KINDS

DIRECTORY = Path(__file__).parent / "journals"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def write(path: Path, name: str, entries: Sequence[Entry], figures: dict[str, object]) -> None:
    """The journal, packed, and beside it the figures that it has to fold to."""
    with Journal.open(path, name=name, key=KEY, incarnation=f"{name}-i1", checkpoint_every=10) as journal:
        for number, entry in enumerate(entries):
            journal.append_now([entry], 1_790_000_000_000 + number, causes={entry.id: bytes([number % 256]) * 32})
        figures = {**figures, "seq": journal.head.seq, "head": journal.head.chain.hex()}
    path.with_suffix(".json").write_text(json.dumps(figures, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    for beside in (".lock", "-wal", "-shm"):
        path.with_name(path.name + beside).unlink(missing_ok=True)


def main(label: str) -> int:
    for kind, golden in KINDS.items():
        path = DIRECTORY / f"{label}-{kind}.sqlite"
        if path.exists():
            print(f"{path} exists and stays as it is", file=sys.stderr)
            continue
        entries = golden.story()
        write(path, golden.name, entries, golden.figures(replay(golden.machine, entries), entries))
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
