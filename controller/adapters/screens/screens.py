"""States to the feed: which draw is being revealed, what was paid, voided or fell a moment ago, and confirmations."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from controller.adapters.clock import monotonic_ms
from controller.adapters.game_clock import deadlines_of
from controller.adapters.screens.scene_falls import fall_between
from controller.adapters.screens.scene_prizes import all_prizes, other_prizes
from controller.adapters.screens.scene_table import Moment, TableFace, fresh, table_scene
from controller.config.table import Table
from controller.engine.ledger_records import ClaimName
from controller.engine.ledger_state import LedgerState
from controller.engine.messages import Meter, PendingPrize
from controller.engine.table_state import TableSettings, TableState
from display.feed import Feed
from display.scene import screen_id

REVEAL_S = {"carta_magica": 7.0, "jugador_afortunado": 8.0}
"""Back, turn and hold of a draw (design, Motion); the result itself is journaled before any of it."""
PAID_S = 20.0
VOID_S = 6.0
CONFIRM_S = 1.0


class TableScreens:
    """Observer of one table. Timers only choose among scenes of the same state; they never change what is true.

    in_force: the table and its settings at a state, and those of the last hand, where they can change while it runs.
    """

    def __init__(
        self,
        face: TableFace,
        feed: Feed,
        wall_ms: Callable[[], int],
        head_seq: Callable[[], int],
        mono_ms: Callable[[], int] = monotonic_ms,
        in_force: Callable[[TableState], tuple[Table, TableSettings, TableSettings | None]] | None = None,
    ) -> None:
        self._face = face
        self._in_force = in_force
        self._feed = feed
        self._wall_ms = wall_ms
        self._mono_ms = mono_ms
        self._head_seq = head_seq
        self._state: TableState | None = None
        self._moment = Moment(0)
        self._paid: frozenset[str] = frozenset()
        self._revealed_hand = 0
        self._voided: tuple[int, str] = (0, "")
        self._ledger: LedgerState | None = None
        self._pending: tuple[PendingPrize, ...] = ()
        self._paid_elsewhere: tuple[PendingPrize, ...] = ()
        self._timers: list[asyncio.TimerHandle] = []
        self.screen = f"table-{face.table.id}"
        feed.declare(self.screen)

    def show(self, state: TableState) -> None:
        """A committed state: start a reveal or a paid stamp where one is due, and hand the scene to the feed."""
        first = self._state is None
        self._state = state
        if self._in_force is not None:
            table, settings, last = self._in_force(state)
            if settings is not self._face.settings or last is not self._face.last:
                self._face = replace(self._face, table=table, settings=settings, last=last)
        self._notice_clocks(state)
        self._notice_fall(state.link.ledger)
        self._notice_void(state, first)
        self._notice_paid(state, first)
        self._notice_draws(state, first)
        self._push()

    def hear(self, meter: Meter) -> None:
        """What the host says of the carousel's pending prizes; for screens only, money never follows from it."""
        if self._state is None or meter.epoch < self._state.link.epoch or meter.pending == self._pending:
            return
        awarded = (prize for prize in self._pending if not prize.waiting)
        open_still = {prize.place for prize in meter.pending}
        cash = {prize.place: prize.amount_minor for prize in meter.paid}
        gone = tuple(
            replace(prize, amount_minor=cash.get(prize.place, prize.amount_minor))
            for prize in awarded
            if prize.place not in open_still and self._stands(prize)
        )
        self._pending = meter.pending
        if gone:
            self._paid_elsewhere = gone
            self._later(PAID_S, lambda: self._forget_elsewhere(gone))
        self._set_others()

    def unanswered(self, slow: bool) -> None:
        """Whether the table's journal answers nothing now: no bet is taken meanwhile."""
        self._set(unanswered=slow)

    async def run(self) -> None:
        """Tell the screens every second that the newest scene still holds, as long as it does."""
        try:
            while True:
                await asyncio.sleep(CONFIRM_S)
                if self._state is not None and fresh(self._state.link):
                    self._feed.confirm(self.screen, self._wall_ms())
        finally:
            for timer in self._timers:
                timer.cancel()

    def _push(self) -> None:
        if self._state is None:
            return
        self._moment = replace(self._moment, now_ms=self._wall_ms(), mono_ms=self._mono_ms())
        scene = table_scene(self._face, self._state, self._moment)
        self._feed.show(screen_id(scene), scene)

    def _notice_clocks(self, state: TableState) -> None:
        running = deadlines_of(self._face.settings.game)(state.hand.game)
        since = {each.id: self._moment.since_ms.get(each.id, self._mono_ms()) for each in running}
        self._moment = replace(self._moment, since_ms=since)

    def _notice_fall(self, ledger: LedgerState) -> None:
        fall = None if self._ledger is None else fall_between(self._ledger, ledger, self._face.table.id)
        self._ledger = ledger
        if fall is not None:
            self._moment = replace(self._moment, fall=fall)

    def _notice_void(self, state: TableState, first: bool) -> None:
        voided = (0, "") if state.last is None else (state.last.number, state.last.void)
        new = voided != self._voided and voided[1] != ""
        self._voided = voided
        if new and not first:
            self._moment = replace(self._moment, void=voided[1])
            self._later(VOID_S, lambda: self._forget_void(voided))

    def _forget_void(self, voided: tuple[int, str]) -> None:
        if voided == self._voided:
            self._set(void="")

    def _stands(self, prize: PendingPrize) -> bool:
        """Whether the mirrored ledger still grants a prize: gone from what is pending, it was paid, not voided."""
        assert self._state is not None
        ledger = self._state.link.ledger
        account = ledger.tables.get(prize.table)
        if account is None:
            return False
        answered = ledger.awards.get(ClaimName(prize.table, account.profile.incarnation, prize.hand).key)
        return answered is not None and any(row.seat == prize.seat for row in answered.granted.rows)

    def _forget_elsewhere(self, gone: tuple[PendingPrize, ...]) -> None:
        if self._paid_elsewhere is gone:
            self._paid_elsewhere = ()
            self._set_others()

    def _set_others(self) -> None:
        labels, own = self._face.labels, self._face.table.id
        pending = other_prizes(labels, own, self._pending)
        waiting = tuple(prize for prize in self._pending if prize.waiting and prize.table == own)
        self._set(others=pending + other_prizes(labels, own, self._paid_elsewhere, paid=True), waiting=waiting)

    def _notice_paid(self, state: TableState, first: bool) -> None:
        paid = frozenset(prize.id for prize in all_prizes(state) if prize.status == "paid")
        new = paid - self._paid
        self._paid = paid
        if not new or first:
            return
        self._moment = replace(
            self._moment,
            paid_rows=tuple(sorted(new)),
            paid_at_ms=self._wall_ms(),
            journal_seq=self._head_seq(),
        )
        rows = self._moment.paid_rows
        self._later(PAID_S, lambda: self._forget_paid(rows))

    def _forget_paid(self, rows: tuple[str, ...]) -> None:
        if self._moment.paid_rows is rows:
            self._set(paid_rows=())

    def _notice_draws(self, state: TableState, first: bool) -> None:
        hand = state.hand
        if not hand.draws or self._revealed_hand == hand.number:
            if not hand.draws:
                self._moment = replace(self._moment, revealing=None)
            return
        self._revealed_hand = hand.number
        if first:
            return
        delay = 0.0
        for result in hand.draws:
            if not result.outcome:
                continue
            if delay:
                self._later(delay, self._reveal(hand.number, result.kind))
            else:  # no scene with the result as a mark goes out before its reveal
                self._moment = replace(self._moment, revealing=result.kind)
            delay += REVEAL_S[result.kind]
        self._later(delay, self._reveal(hand.number, None))

    def _reveal(self, hand: int, kind: str | None) -> Callable[[], None]:
        def start() -> None:
            if self._state is not None and self._state.hand.number == hand:
                self._set(revealing=kind)

        return start

    def _set(self, **changes: object) -> None:
        self._moment = replace(self._moment, **changes)  # type: ignore[arg-type]  # fields of Moment by name
        self._push()

    def _later(self, delay_s: float, do: Callable[[], None]) -> None:
        now = asyncio.get_running_loop().time()
        self._timers = [timer for timer in self._timers if timer.when() > now]
        self._timers.append(asyncio.get_running_loop().call_later(delay_s, do))
