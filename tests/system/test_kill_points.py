"""Kill -9 at every counted write and send of a whole hand with its prize: table and host on real journals."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.adapters import link_ends
from controller.adapters.devices import known_hardware
from controller.adapters.entropy import DrawSource
from controller.adapters.journal import Journal
from controller.adapters.journal_checkpoints import node_key
from controller.adapters.link_local import LocalHub
from controller.adapters.link_wire import key_name
from controller.config import load
from controller.config.model import Config
from controller.core.cards import parse_cards
from controller.core.events import CardRead, CreditWagered, Envelope, Key, KeyPressed, PrizePaid, PrizeVerified
from controller.engine.messages import HostStatus, Message
from controller.rooms import HostRoom, TableRoom
from display.feed import Feed
from tests.system.books import check_books
from tests.system.daemon import soon
from tests.system.dealing import BANK, NOTHING, SHARE, START, STRAIGHT_FLUSH
from tests.system.pit_files import OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.promise("P1"), pytest.mark.slow, pytest.mark.timeout(1200)]

DEADLINE_S = 20.0
SEEDS_OF_A_CHAIN = 64
CONTRIBUTION = 2 * SHARE
PRIZE = (START + CONTRIBUTION) // 10


class Strike:
    """Counts writes and sends; the process is gone at number `at`, if there is one."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.count = 0
        self._said: dict[str, Message] = {}

    def step(self) -> None:
        self.count += 1
        if self.count == self.at:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch_journal(self, journal: Journal) -> None:
        """Strike before each commit reaches the disk, and after it did but before anybody knows."""
        cursor = _CountedCursor(journal.ask_now(lambda store: store.cursor), self)
        journal.ask_now(lambda store: setattr(store, "cursor", cursor))

    def watch_hub(self, hub: LocalHub) -> None:
        """Strike before each message that says something new."""
        route = hub.route

        def counted(message: Message) -> None:
            topic = hub.topics.of(message)
            if self._said.get(topic) != message and not isinstance(message, HostStatus):
                self.step()
            self._said[topic] = message
            route(message)

        hub.route = counted  # type: ignore[method-assign]  # only here


class _CountedCursor:
    def __init__(self, cursor: Any, strike: Strike) -> None:
        self._cursor = cursor
        self._strike = strike

    def execute(self, *arguments: Any) -> Any:
        is_commit = arguments[0] == "COMMIT"
        if is_commit:
            self._strike.step()
        answer = self._cursor.execute(*arguments)
        if is_commit:
            self._strike.step()
        return answer

    def executemany(self, *arguments: Any) -> Any:
        return self._cursor.executemany(*arguments)

    def close(self) -> None:
        self._cursor.close()


def script() -> Iterator[tuple[str, object]]:
    """What devices and people report in a hand, each under the id it has for ever."""
    yield "credit-1", CreditWagered(1)
    yield "credit-4", CreditWagered(4)
    yield "close", KeyPressed(Key.CLOSE_BETS)
    for number, card in enumerate(parse_cards(f"{STRAIGHT_FLUSH} {NOTHING} {BANK}") or ()):
        yield f"card-{number}", CardRead(card)
    yield "play-1", KeyPressed(Key.PLAY)
    yield "play-4", KeyPressed(Key.PLAY)
    yield "over", KeyPressed(Key.HAND_OVER)


async def whole_hand(config: Config, strike: Strike) -> None:
    """Open what is there and go on to the end: the hand over, its prizes paid, and the host knows of it."""
    key = node_key(config.state.directory)
    host, table = HostRoom(config, "t1", key), TableRoom(config, config.tables[0], key, (key_name(key),))
    table._draws = DrawSource(config.state.directory / "t1.draws", table.posts.queue.put_nowait, SEEDS_OF_A_CHAIN)
    hub, feed = LocalHub("t1"), Feed()
    strike.watch_hub(hub)
    for journal in (host.journal, table.journal):
        strike.watch_journal(journal)
    host.start(hub.host())
    table.start(config, feed, hub.table("t1"))
    rooms: asyncio.Future[Any] = asyncio.gather(host.run(feed, lambda: [table.profile(config, key)]), table.run())
    playing: asyncio.Future[Any] = asyncio.create_task(_play(table, host))
    await asyncio.wait((rooms, playing), return_when=asyncio.FIRST_COMPLETED)
    await playing
    rooms.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await rooms
    table.close()
    host.close()


async def _play(table: TableRoom, host: HostRoom) -> None:
    runner = table.runner
    before = runner.state.link.mark.boot

    async def do(name: str, event: object, actor: str = "table", second: str | None = None) -> None:
        answer = await runner.submit(Envelope(name, event, actor, second))
        assert answer.refused is None, (name, answer.refused)

    async def until(true: Callable[[], bool], what: str) -> None:
        await soon(true, what, DEADLINE_S)

    await until(lambda: runner.state.link.mark.boot > before and runner.state.link.link_up, "link after this start")
    await until(lambda: runner.state.link.confirmed, "confirmed head")
    await until(lambda: runner.state.chain_length > 0, "chain of seeds")
    for name, event in script():
        await do(name, event)
        if name == "close":
            await until(lambda: not runner.state.hand.draw_pending, "draws")
    await until(lambda: bool(runner.state.link.rows), "award")
    waiting = [*runner.state.link.rows, *runner.state.draw_prizes]
    for prize in waiting:
        await do(f"verified-{prize}", PrizeVerified(prize), "ana")
        await do(f"paid-{prize}", PrizePaid(prize), "ana", "bea")
    await until(lambda: not host.runner.state.open_awards, "the host knows of the payment")


def in_child(config: Config, strike: Strike) -> int:
    """Play in a forked process; its wait status. What went wrong is in `trouble` beside the journals."""
    child = os.fork()
    if child == 0:
        status = 70
        try:
            asyncio.run(whole_hand(config, strike))
            status = 0
        except BaseException:
            (config.state.directory / "trouble").write_text(traceback.format_exc())
            raise
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    return ended


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """One table and its own carousel, without hardware: the script reports what it would."""
    monkeypatch.setattr(link_ends, "BEAT_S", 0.03)
    loaded = load(write_site(tmp_path, 8070, oasis_table("t1", OasisHardware.new())), known_hardware().drivers)
    bare = {"devices": (), "inputs": (), "outputs": (), "readers": ()}
    return loaded.model_copy(update={"tables": (loaded.tables[0].model_copy(update=bare),)})


def in_directory(config: Config, directory: Path) -> Config:
    directory.mkdir()
    return config.model_copy(update={"state": config.state.model_copy(update={"directory": directory})})


def trouble(directory: Path) -> str:
    place = directory / "trouble"
    return place.read_text() if place.exists() else "killed"


def check(directory: Path) -> None:
    """One award, one payment of it, every centavo where it belongs."""
    books = check_books(directory)
    assert list(books.awards.values()) == [PRIZE]
    assert dict(books.paid) == books.awards
    assert books.figures == {"t1": START + CONTRIBUTION - PRIZE}
    kinds = books.kinds("table-t1")
    assert (kinds["credit.wagered"], kinds["bets.closed"], kinds["draw.made"], kinds["hand.over"]) == (2, 1, 1, 1)
    assert books.balance("table-t1", "patrons") == -2 * 100
    assert books.balance("table-t1", "prizes.payable") == 0


@pytest.mark.requirement("R67", "R103")
@pytest.mark.promise("P3")
def test_kill_at_every_write_and_send_of_a_hand(config: Config, tmp_path: Path) -> None:
    dry = Strike()
    asyncio.run(whole_hand(in_directory(config, tmp_path / "dry"), dry))
    check(tmp_path / "dry")
    assert dry.count > 80, "the hand was played"
    killed = 0
    for number in range(1, dry.count + 1):
        directory = tmp_path / str(number)
        own = in_directory(config, directory)
        ended = in_child(own, Strike(number))
        if os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGKILL:
            killed += 1
        else:
            assert ended == 0, f"point {number}: {trouble(directory)}"
        assert in_child(own, Strike()) == 0, f"after a kill at point {number}: {trouble(directory)}"
        check(directory)
        shutil.rmtree(directory)
    assert killed >= dry.count * 9 // 10, (killed, dry.count)
