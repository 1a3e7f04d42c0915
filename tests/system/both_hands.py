"""Two whole hands with everything that can become of them, at a real table and host: journals, link, draws, no wire."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from controller.adapters.entropy import DrawSource
from controller.adapters.journal.checkpoints import node_key
from controller.adapters.link.local import LocalHub
from controller.adapters.link.wire import key_name
from controller.config.house_rules import settings_of, terms_of
from controller.config.model import Config
from controller.core.cards import parse_card, parse_cards
from controller.core.events import (
    CardRead,
    CreditWagered,
    Envelope,
    HandCorrected,
    HandVoided,
    Key,
    KeyPressed,
    PrizePaid,
    PrizeVerified,
    VoidReason,
)
from controller.core.settings_events import SettingsChanged
from controller.engine.messages import HostStatus, Message
from controller.engine.settings_values import base_digest, canonical, changes_between
from controller.main import ended
from controller.rooms import HostRoom, TableRoom
from display.feed import Feed
from tests.system.books import check_books
from tests.system.daemon import soon
from tests.system.dealing import BANK, NOTHING, SHARE, START, STRAIGHT_FLUSH
from tests.system.strike import Strike

DEADLINE_S = 240.0
SEEDS_OF_A_CHAIN = 64
CONTRIBUTION = 2 * SHARE
PRIZE = (START + CONTRIBUTION) // 10


class HubStrike(Strike):
    """What table and host of one process send each other counts too."""

    def __init__(self, at: int | None = None) -> None:
        super().__init__(at)
        self._said: dict[str, Message] = {}

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


Do = Callable[[str, object], Any]


def first_hand() -> Iterator[tuple[str, object]]:
    """What devices and people report in a hand, each under the id it has for ever."""
    yield "credit-1", CreditWagered(1)
    yield "credit-4", CreditWagered(4)
    yield "close", KeyPressed(Key.CLOSE_BETS)
    for number, card in enumerate(parse_cards(f"{STRAIGHT_FLUSH} {NOTHING} {BANK}") or ()):
        yield f"card-{number}", CardRead(card)
    yield "play-1", KeyPressed(Key.PLAY)
    yield "play-4", KeyPressed(Key.PLAY)
    yield "over", KeyPressed(Key.HAND_OVER)


def misread() -> HandCorrected:
    """The straight flush was a straight."""
    old, new = parse_card("5d"), parse_card("5c")
    assert old is not None and new is not None
    return HandCorrected(1, "seat-1", old, new)


def change_of_terms(config: Config) -> SettingsChanged:
    """What two people want of the table from the next hand on: more of each bet to the meter."""
    table = config.tables[0]
    settings = settings_of(config, table)
    after = {**settings, "jackpot.contribution_bp": settings["jackpot.contribution_bp"] + 100}
    changes = changes_between(settings, after)
    return SettingsChanged(base_digest(canonical(settings)), changes, terms_of(table, after), "more for the meter")


async def both_hands(config: Config, strike: HubStrike) -> None:
    """Open what is there and go on to the end: a prize paid, its hand corrected, a hand void, and the host knows it."""
    key = node_key(config.state.directory)
    host, table = HostRoom(config, "t1", key), TableRoom(config, config.tables[0], key, (key_name(key),))
    table._draws = DrawSource(config.state.directory / "t1.draws", table.posts.queue.put_nowait, SEEDS_OF_A_CHAIN)
    hub, feed = LocalHub("t1"), Feed()
    strike.watch_hub(hub)
    for journal in (host.journal, table.journal):
        strike.watch_journal(journal)
    host.start(hub.host())
    table.start(config, feed, hub.table("t1"))

    async def run() -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(host.run(feed, lambda: [table.profile(config, key)]))
            tasks.create_task(table.run())

    rooms, playing = asyncio.create_task(run()), asyncio.create_task(_play(table, host, change_of_terms(config)))
    await asyncio.wait((rooms, playing), return_when=asyncio.FIRST_COMPLETED)
    await playing
    rooms.cancel()
    await ended(rooms, asked=True)
    table.close()
    host.close()


async def _play(table: TableRoom, host: HostRoom, change: SettingsChanged) -> None:
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
    for name, event in first_hand():
        await do(name, event)
        if name == "close":
            await until(lambda: not runner.state.hand.draw_pending, "draws")
            await do("settings", change, "ana", "bea")
    await until(lambda: bool(runner.state.link.rows), "award")
    for prize in [*runner.state.link.rows, *runner.state.draw_prizes]:
        await do(f"verified-{prize}", PrizeVerified(prize), "ana")
        await do(f"paid-{prize}", PrizePaid(prize), "ana", "bea")
    await until(lambda: not host.runner.state.open_awards, "the host knows of the payment")

    await do("corrected", misread(), "ana", "bea")
    await until(lambda: not runner.state.link.open_claims, "the award taken back")
    await until(lambda: not runner.state.link.terms_waiting, "the carousel knows of the new terms")
    await do("credit-2", CreditWagered(2))
    await do("close-2", KeyPressed(Key.CLOSE_BETS))
    await until(lambda: not runner.state.hand.draw_pending, "draws of the second hand")
    await do("void-2", HandVoided(VoidReason.DEVICE_FAULT, "the module was changed", 2), "ana", "bea")
    await until(lambda: _absorbed(table, host), "the host knows of the reversal")
    assert table.settings.terms == change.terms


def _absorbed(table: TableRoom, host: HostRoom) -> bool:
    """Whether the ledger holds the table's last counters, and the table that ledger."""
    link = table.runner.state.link
    ledger = host.runner.state.ledger
    return ledger.tables["t1"].absorbed == link.counters and link.ledger.hash == ledger.hash


def check(directory: Path) -> None:
    """One award, paid once and then taken back; every centavo where it belongs."""
    books = check_books(directory, at_rest=True)
    assert (list(books.paid.values()), books.awards) == ([PRIZE], {})
    assert books.figures == {"t1": START + CONTRIBUTION}
    kinds = books.kinds("table-t1")
    assert (kinds["credit.wagered"], kinds["bets.closed"], kinds["draw.made"]) == (3, 2, 2)
    assert (kinds["hand.over"], kinds["hand.corrected"], kinds["hand.void"]) == (1, 1, 1)
    assert (kinds["settings.asked"], kinds["settings.effective"], kinds["link.terms"]) == (1, 1, 1)
    assert books.kinds("carousel-t1")["ledger.terms"] == 1
    assert books.balance("table-t1", "patrons") == -2 * 100
    assert books.balance("table-t1", "prizes.payable") == 0
