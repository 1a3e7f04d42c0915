"""The draws' secret seeds: a chain kept in a private file, revealed one by one as hands ask for them."""

import json
import logging
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from controller.adapters.journal.state_files import take_place, write_whole
from controller.core.draw_events import DrawSourceBack, DrawSourceFailed
from controller.core.draws import SEED_BYTES, commitment_of
from controller.core.events import DrawChainCommitted, DrawSeedRevealed, Envelope
from controller.engine.table_seats import has_seat_draw
from controller.engine.table_state import TableSettings, TableState

log = logging.getLogger("carrusel")

CHAIN_LENGTH = 100_000
LONGEST = 10 * CHAIN_LENGTH
"""More seeds than a file may ask to be made at a start."""
RETRY_S = 30.0
"""A source that failed is asked again so often at most: a new chain costs time and a write."""
NO_SEED = "no_seed"
NO_CHAIN = "no_chain"


class SeedChain:
    """s(length) comes from the kernel's random source, s(i-1) is the commitment of s(i); s(0) is what is published."""

    def __init__(self, root: bytes, length: int) -> None:
        seeds = [root]
        for _ in range(length):
            seeds.append(commitment_of(seeds[-1]))
        self._seeds = seeds[::-1]
        self.length = length

    @property
    def commitment(self) -> str:
        """s(0) in hexadecimal."""
        return self._seeds[0].hex()

    def seed(self, index: int) -> str:
        """s(index) in hexadecimal, 1..length."""
        return self._seeds[index].hex()


def load_chain(path: Path) -> SeedChain | None:
    """The chain of a file written by `new_chain`, None when there is none; ValueError when it is damaged."""
    if not path.exists():
        return None
    try:
        stored = json.loads(path.read_text())
        root, length = bytes.fromhex(stored["root"]), stored["length"]
    except (LookupError, TypeError, RecursionError) as wrong:
        raise ValueError(f"{path} holds no chain of seeds") from wrong
    if len(root) != SEED_BYTES or type(length) is not int or not 1 <= length <= LONGEST:
        raise ValueError(f"{path} holds no chain of seeds")
    return SeedChain(root, length)


def _found(path: Path) -> SeedChain | None:
    """The chain of a file; one that is damaged is a lost one, and kept beside for whoever can still read it."""
    try:
        return load_chain(path)
    except ValueError as damage:
        aside = path.with_name(f"{path.name}.damaged")
        log.error("draws of %s: %s; it is kept as %s", path.name, damage, aside.name)
        take_place(path, aside)
        return None


def new_chain(path: Path, length: int = CHAIN_LENGTH) -> SeedChain:
    """A fresh chain, on disk and readable by its owner alone before its commitment can be published."""
    root = secrets.token_bytes(SEED_BYTES)
    write_whole(path, json.dumps({"root": root.hex(), "length": length}))
    return SeedChain(root, length)


class DrawSource:
    """Observer of a table: commits a chain when there is none to draw from, and reveals the seed a hand waits for.

    A source that fails, the kernel's or the file's, is told to the table and tried again; clock: monotonic seconds.
    """

    def __init__(
        self,
        path: Path,
        post: Callable[[Envelope], None],
        length: int = CHAIN_LENGTH,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = path
        self._post = post
        self._length = length
        self._chain = _found(path)
        self._committing = False
        self._asked = ""
        self._clock = clock
        self._retry_s = 0.0

    def show(self, settings: TableSettings, state: TableState) -> None:
        """Post what the state asks for; asking twice for the same changes nothing (ids are the same)."""
        if not settings.draws and not has_seat_draw(settings):
            return
        fits = self._fits(state)
        self._committing = self._committing and not fits
        pending = state.hand.draw_pending or bool(state.seat_draw)
        if pending and fits:
            assert self._chain is not None
            index = state.chain_next
            self._ask(Envelope(f"seed/{state.chain}", DrawSeedRevealed(index, self._chain.seed(index)), "draws"))
        elif pending:
            self._failed(state, NO_SEED)
        elif not fits and not self._committing:
            if 1 <= state.chain_next <= state.chain_length and not state.draws_off:
                self._failed(state, NO_SEED)  # a chain that is left before its end is left for a reason in the journal
            else:
                self._begin(state)
        elif fits and state.draws_off:
            self._ask(Envelope(f"draws-back/{state.chain}", DrawSourceBack(), "draws"))

    def _begin(self, state: TableState) -> None:
        """A new chain, unless its source fails; then the table hears of it, and it is tried again later."""
        if state.draws_off and self._clock() < self._retry_s:
            return
        try:
            self._chain = new_chain(self._path, self._length)
        except (OSError, NotImplementedError) as broken:  # the kernel's; a disk that fails ends the daemon elsewhere
            log.error("draws of %s: no new chain: %s", self._path.name, broken)
            self._retry_s = self._clock() + RETRY_S
            self._failed(state, NO_CHAIN)
            return
        self._committing = True
        committed = DrawChainCommitted(self._chain.commitment, self._chain.length)
        self._ask(Envelope(f"chain/{self._chain.commitment}", committed, "draws"))

    def _failed(self, state: TableState, why: str) -> None:
        if not state.draws_off:
            name = f"draws-failed/{state.link.settings.incarnation}/{state.hand.number}/{state.chain[:16]}"
            self._ask(Envelope(name, DrawSourceFailed(why), "draws"))

    def _fits(self, state: TableState) -> bool:
        """Whether our chain continues the journal's: its next seed's commitment is what the journal holds."""
        if self._chain is None or not 1 <= state.chain_next <= min(self._chain.length, state.chain_length):
            return False
        return self._chain.seed(state.chain_next - 1) == state.chain

    def _ask(self, envelope: Envelope) -> None:
        if self._asked != envelope.id:
            self._asked = envelope.id
            self._post(envelope)
