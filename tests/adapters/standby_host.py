"""A carousel's host as a process of its own on a database: serves, and writes a record at each line it is told."""

import asyncio
import sys

from controller.adapters.clock import wall_ms
from controller.adapters.journal.errors import JournalError, JournalInUse
from controller.adapters.journal.journal import Journal
from controller.adapters.runner import Runner
from controller.core.events import Envelope
from controller.core.prizes import PrizeList
from controller.engine.host import HostMachine, HostSettings
from controller.engine.host_events import CarouselFounded, HostStarted, MemberAccepted
from controller.engine.host_state import HostState, Phase
from controller.engine.ledger_records import Profile

CENTAVO = 10_000


async def serve(url: str, key: str) -> int:
    """Exit code 3 while another host holds the database, 4 when a record could not be written."""
    try:
        journal = Journal.open(url, name="carousel-c1")
    except JournalInUse:
        return 3
    with journal:
        settings = HostSettings("c1", "ARS", CENTAVO, key, journal.incarnation)
        runner: Runner[HostState] = Runner(HostMachine(settings), journal, wall_ms)
        runner.start()
        running = asyncio.create_task(runner.run())
        await runner.submit(Envelope(f"{key}-start", HostStarted(key, in_database=True)))
        if runner.state.phase is Phase.BLANK:
            await runner.submit(Envelope(f"{key}-found", CarouselFounded("new"), "ana", "bea"))
        _say(runner)
        while line := await asyncio.to_thread(sys.stdin.readline):
            event = MemberAccepted(Profile("t1", line.strip(), "key", "ARS", CENTAVO, PrizeList(())), "enrol")
            writing = asyncio.ensure_future(runner.submit(Envelope(f"{key}-{line.strip()}", event, "ana", "bea")))
            await asyncio.wait({writing, running}, return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                writing.cancel()
                assert isinstance(running.exception(), JournalError), running.exception()
                return 4
            _say(runner)
        await runner.stop()
        await running
    return 0


def _say(runner: Runner[HostState]) -> None:
    state = runner.state
    print(state.phase.value, *state.epoch, state.ledger.seq, flush=True)


if __name__ == "__main__":
    sys.exit(asyncio.run(serve(sys.argv[1], sys.argv[2])))
