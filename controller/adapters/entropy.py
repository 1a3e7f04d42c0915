"""The draws' secret seeds: a chain kept in a private file, revealed one by one as hands ask for them."""

import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from controller.core.draws import commitment_of
from controller.core.events import DrawChainCommitted, DrawSeedRevealed, Envelope
from controller.engine.table_seats import has_seat_draw
from controller.engine.table_state import TableSettings, TableState

CHAIN_LENGTH = 100_000


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
    stored = json.loads(path.read_text())
    return SeedChain(bytes.fromhex(stored["root"]), int(stored["length"]))


def new_chain(path: Path, length: int = CHAIN_LENGTH) -> SeedChain:
    """A fresh chain, on disk and readable by its owner alone before its commitment can be published."""
    root = secrets.token_bytes(32)
    partial = path.with_suffix(".new")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump({"root": root.hex(), "length": length}, file)
        file.flush()
        os.fsync(file.fileno())
    partial.rename(path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
    return SeedChain(root, length)


class DrawSource:
    """Observer of a table: commits a chain when there is none to draw from, and reveals the seed a hand waits for."""

    def __init__(self, path: Path, post: Callable[[Envelope], None], length: int = CHAIN_LENGTH) -> None:
        self._path = path
        self._post = post
        self._length = length
        self._chain = load_chain(path)
        self._committing = False
        self._asked = ""

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
        elif not pending and not fits and not self._committing:
            self._committing = True
            self._chain = new_chain(self._path, self._length)
            committed = DrawChainCommitted(self._chain.commitment, self._chain.length)
            self._ask(Envelope(f"chain/{self._chain.commitment}", committed, "draws"))

    def _fits(self, state: TableState) -> bool:
        """Whether our chain continues the journal's: its next seed's commitment is what the journal holds."""
        if self._chain is None or not 1 <= state.chain_next <= min(self._chain.length, state.chain_length):
            return False
        return self._chain.seed(state.chain_next - 1) == state.chain

    def _ask(self, envelope: Envelope) -> None:
        if self._asked != envelope.id:
            self._asked = envelope.id
            self._post(envelope)
