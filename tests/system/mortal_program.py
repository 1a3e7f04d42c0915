"""Commits and sends of a daemon are counted, from a call of `mortal` before its `main` on.

SIGUSR1 arms it: a file holds how many commits and sends from now on are the last, and goes once that is known.
"""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import aiomqtt

from controller.adapters.journal.journal import Journal
from tests.system.strike import Strike


def mortal(place: str) -> None:
    """Let journals and links of this process count, and listen for the number in a file."""
    armed = Path(place)
    strike = Strike()
    opened, publish = Journal.open, aiomqtt.Client.publish

    def watched(*arguments: Any, **named: Any) -> Journal:
        journal = opened(*arguments, **named)
        strike.watch_journal(journal)
        return journal

    async def sent(client: aiomqtt.Client, *arguments: Any, **named: Any) -> None:
        strike.step()
        await publish(client, *arguments, **named)
        strike.step()

    def arm(number: int, frame: object) -> None:
        strike.at = strike.count + int(armed.read_text())
        armed.unlink()

    Journal.open = watched  # type: ignore[method-assign]  # only in this process
    aiomqtt.Client.publish = sent  # type: ignore[method-assign]  # only in this process
    signal.signal(signal.SIGUSR1, arm)
