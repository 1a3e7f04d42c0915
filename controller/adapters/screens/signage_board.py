"""A carousel's states to the feed of its signs: what was paid and why the meter fell a moment ago."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.adapters.screens.scene_falls import fall_between
from controller.adapters.screens.scene_signage import signage_scene
from controller.adapters.screens.table_labels import label_of
from controller.engine.host_outbox import cash_minor
from controller.engine.host_state import HostState
from controller.engine.ledger_state import LedgerState
from display.feed import Feed
from display.scene import Amount, Currency, MeterFall, PrizeState, SignagePrize

PAID_S = 20.0


@dataclass(frozen=True, slots=True)
class SignageFace:
    """The fixed part of a carousel's signs: its name, the site's money, and the tables' numbers and games by id."""

    carousel: str
    name: str
    currency: Currency
    labels: Mapping[str, str]
    games: Mapping[str, str]


class SignageBoard:
    """Observer of a host. `linked`: which tables are heard now; `seen_ms`: when each award was seen, by row.

    `verified`: rows that wait only to be paid, as their tables say.
    """

    def __init__(
        self,
        face: SignageFace,
        feed: Feed,
        wall_ms: Callable[[], int],
        linked: Callable[[], Mapping[str, bool]],
        seen_ms: Callable[[], Mapping[str, int]],
        verified: Callable[[], frozenset[str]] = frozenset,
    ) -> None:
        self._face = face
        self._feed = feed
        self._wall_ms = wall_ms
        self._linked = linked
        self._seen_ms = seen_ms
        self._verified = verified
        self._state: HostState | None = None
        self._ledger: LedgerState | None = None
        self._shown: tuple[Mapping[str, bool], frozenset[str]] = ({}, frozenset())
        self._unpaid: dict[str, str] = {}
        self._fall: MeterFall | None = None
        self._just_paid: SignagePrize | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.screen = f"signage-{face.carousel}"
        feed.declare(self.screen)

    def show(self, state: HostState) -> None:
        """A committed state: note what it paid or took from the meter, and hand the scene to the feed."""
        self._state = state
        if self._ledger is not None:
            self._fall = fall_between(self._ledger, state.ledger) or self._fall
        self._ledger = state.ledger
        self._notice_paid(state)
        self._push()

    def look(self) -> None:
        """Show what no entry of the host tells: a table's link that came or went, a prize that its table verified."""
        if self._state is not None and (self._linked(), self._verified()) != self._shown:
            self._push()

    def stop(self) -> None:
        """No timer is left behind."""
        if self._timer is not None:
            self._timer.cancel()

    def _notice_paid(self, state: HostState) -> None:
        unpaid = {row: key for key in state.open_awards for row, _ in state.open_awards[key]}
        paid = [(row, key) for row, key in self._unpaid.items() if row not in unpaid]
        self._unpaid = unpaid
        prizes = [prize for row, key in paid if (prize := self._prize(state, key, row)) is not None]
        if not prizes:
            return
        self._just_paid = prizes[-1]
        self.stop()
        self._timer = asyncio.get_running_loop().call_later(PAID_S, self._forget)

    def _prize(self, state: HostState, key: str, row_id: str) -> SignagePrize | None:
        """The paid row as signs name it; None when the award was voided instead."""
        answered = state.ledger.awards.get(key)
        if answered is None:
            return None
        name = answered.granted.name
        row = next((each for each in answered.granted.rows if name.row(each.seat) == row_id), None)
        if row is None:
            return None
        label = label_of(self._face.labels, name.table)
        amount = Amount.of(cash_minor(state, row, name))
        return SignagePrize(label, row.category, amount, PrizeState.PAID, self._wall_ms(), row.seat)

    def _forget(self) -> None:
        self._just_paid = None
        self._push()

    def _push(self) -> None:
        assert self._state is not None, "a state comes first"
        self._shown = (self._linked(), self._verified())
        scene = signage_scene(
            self._state,
            name=self._face.name,
            currency=self._face.currency,
            labels=self._face.labels,
            games=self._face.games,
            linked=self._shown[0],
            seen_ms=self._seen_ms(),
            now_ms=self._wall_ms(),
            fall=self._fall,
            just_paid=self._just_paid,
            verified=self._shown[1],
        )
        self._feed.show(self.screen, scene)
