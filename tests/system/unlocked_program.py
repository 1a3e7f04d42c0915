"""`carrusel` as it is, that SIGUSR1 lets lose its journals' locks unseen, as a pool of sessions does:
`python -m tests.system.unlocked_program run …`."""

from __future__ import annotations

import signal
from typing import Any

from controller.__main__ import main
from controller.adapters.journal.journal import Journal
from tests.system.steady_program import be_steady

LOST = "the locks are lost"


def unlocked() -> None:
    held: list[Journal] = []
    opened = Journal.open

    def watched(*arguments: Any, **named: Any) -> Journal:
        held.append(opened(*arguments, **named))
        return held[-1]

    def lose(number: int, frame: object) -> None:
        for journal in held:
            journal.ask_now(lambda store: store.fetch("SELECT pg_advisory_unlock_all()"))
        print(LOST, flush=True)

    Journal.open = watched  # type: ignore[method-assign]  # only in this process
    signal.signal(signal.SIGUSR1, lose)


if __name__ == "__main__":
    unlocked()
    be_steady()
    main()
