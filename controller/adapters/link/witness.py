"""Checkpoints that leave the machine: nodes of a carousel keep each other's newest, and sign below what they keep."""

import json
import logging
import re
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.journal.checkpoints import Checkpoint, public_bytes
from controller.adapters.journal.errors import JournalError
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.state_files import write_whole
from controller.engine.messages import SignedHead

KEPT = "witnessed"
"""Folder of the state directory: one file for each incarnation of another node's journal, fit for `verify`."""
PROOF = ".contradicts"
"""At the end of the name of a second file: the first checkpoint that contradicts what is kept."""
MOST_EARLIER = 8
Place = tuple[int, int, int]
"""Where a message stands among those of its node: the term of a host, the boot, the message in it."""
NO_PLACE: Place = (0, 0, 0)
_KEEPING = threading.Lock()
"""The tables of one node keep their host's checkpoint in one file."""
_INCARNATION = re.compile(r"[0-9A-Za-z_-]{1,64}")

log = logging.getLogger(__name__)


class OtherHistory(Exception):
    """A checkpoint that contradicts what was kept here: the journal was cut or changed after it was signed.

    seq: where; kept: how far the kept checkpoint goes.
    """

    def __init__(self, point: Checkpoint, kept: Checkpoint) -> None:
        self.name, self.seq, self.kept = point.name, point.seq, kept.seq
        told = "signed another history at" if self.seq >= self.kept else f"had signed seq {self.kept}, and now says"
        super().__init__(f"{point.name} {told} seq {point.seq}")


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the file of an incarnation holds: its newest checkpoint, where it was in the order of its node's messages
    when that was last said, and the last checkpoints of the node's boots before."""

    point: Checkpoint
    place: Place = NO_PLACE
    earlier: tuple[Checkpoint, ...] = ()

    def as_record(self) -> dict[str, Any]:
        """The newest checkpoint's own record, so that `verify` reads the file, and the rest beside it."""
        earlier = [point.as_record() for point in self.earlier]
        return {**self.point.as_record(), "place": list(self.place), "earlier": earlier}

    def followed(self, point: Checkpoint, place: Place) -> "_Kept":
        """With the next checkpoint; what an earlier boot said last stays, as it may be what a later one lacks."""
        if place[:2] == self.place[:2]:
            return _Kept(point, max(self.place, place), self.earlier)
        return _Kept(point, max(self.place, place), (self.point, *self.earlier)[:MOST_EARLIER])


class Witness:
    """Of one journal of this node: its own newest checkpoint, and what it does with those of others.

    The methods but `own` wait for the disk: call them from a thread.
    """

    def __init__(self, journal: Journal, key: Ed25519PrivateKey, directory: Path) -> None:
        self.name = journal.name
        self._journal = journal
        self._key = key
        self._public = public_bytes(key)
        self._directory = directory / KEPT
        newest = journal.newest_checkpoint()
        self._newest = newest if newest is not None and newest.incarnation == journal.incarnation else None

    def own(self, signed: Checkpoint | None) -> SignedHead | None:
        """This incarnation's newest checkpoint; signed: the last one of this run, None while there was none."""
        self._newest = signed or self._newest
        return None if self._newest is None else _said(self._newest)

    def sign_below(self, name: str, said: SignedHead, key: str, place: Place | None = None) -> SignedHead | None:
        """Keep the checkpoint of journal `name`, spoken under `key` (hex), and sign the same words.

        place: of the message in its node's order; one that was said before what is kept is let go. None for one of this
        node, one that is not what it says, or such an older one; OtherHistory for one that contradicts what is kept,
        and from then on for every other of the incarnation; JournalFailed when it cannot be kept.
        """
        point = _heard(said)
        if point is None or point.name != name or point.public_key.hex() != key or point.public_key == self._public:
            return None
        with _KEEPING:
            if not self._keep(point, place):
                return None
        return _said(replace(point, public_key=self._public, signature=self._key.sign(point.message())))

    def _keep(self, point: Checkpoint, place: Place | None) -> bool:
        """Whether the point is the newest of its journal's incarnation, and kept as such."""
        path, proof = self._file(point), self._file(point, PROOF)
        kept = _read(path)
        if kept is None:
            self._directory.mkdir(mode=0o700, exist_ok=True)
            self._write(path, _Kept(point, place or NO_PLACE))
            return True
        place = kept.place if place is None else place
        if place < kept.place:
            return False
        same = (kept.point.seq, kept.point.chain) == (point.seq, point.chain)
        if proof.exists() or not (same or kept.point.seq < point.seq):
            if not proof.exists() and not same:
                write_whole(proof, json.dumps(point.as_record()))
            raise OtherHistory(point, kept.point)
        if not same or place[:2] > kept.place[:2]:
            self._write(path, kept.followed(point, place))
        return True

    def said_before(self, name: str, incarnation: str, place: Place) -> tuple[SignedHead, ...]:
        """What a node's earlier boots said last of its journal, for the boot that begins to speak; newest first."""
        if not _INCARNATION.fullmatch(incarnation):
            return ()
        with _KEEPING:
            kept = _read(self._directory / f"{name}.{incarnation}.json")
        if kept is None or place[:2] <= kept.place[:2]:
            return ()
        return tuple(map(_said, (kept.point, *kept.earlier)))

    def contradicted(self, said: SignedHead) -> bool:
        """Whether this journal lacks what was signed of its own incarnation: its end was cut, or it was changed."""
        point = _heard(said)
        if point is None or (point.name, point.incarnation) != (self._journal.name, self._journal.incarnation):
            return False
        return self._journal.chain_at(point.seq) != point.chain

    def _file(self, point: Checkpoint, proof: str = "") -> Path:
        return self._directory / f"{point.name}.{point.incarnation}{proof}.json"

    def _write(self, path: Path, kept: _Kept) -> None:
        write_whole(path, json.dumps(kept.as_record()))

    def take(self, node: str, said: SignedHead, key: str) -> None:
        """Keep another node's signature below a checkpoint of this journal; what does not hold is let go."""
        point = _heard(said)
        own = (self._journal.name, self._journal.incarnation)
        if point is None or (point.name, point.incarnation) != own or point.public_key.hex() != key:
            return
        if point.public_key == self._public:
            return
        try:
            self._journal.cosign(point.seq, node, point.public_key, point.signature)
        except JournalError as wrong:
            log.info("a signature of %s below our checkpoint is not kept: %s", node, wrong)


def _said(point: Checkpoint) -> SignedHead:
    record = point.as_record()
    return SignedHead(
        record["name"],
        record["incarnation"],
        point.seq,
        record["chain"],
        record["public_key"],
        record["signature"],
    )


def _heard(said: SignedHead) -> Checkpoint | None:
    """The checkpoint in a message, when its own signature holds and its names may be a file's."""
    try:
        chain, key, signature = (bytes.fromhex(text) for text in (said.chain, said.key, said.signature))
    except ValueError:
        return None
    point = Checkpoint(said.name, said.incarnation, said.seq, chain, key, signature)
    return point if point.is_signed() and _INCARNATION.fullmatch(said.incarnation) else None


def _read(path: Path) -> _Kept | None:
    try:
        record = json.loads(path.read_text())
        term, boot, seq = record.get("place", NO_PLACE)
        earlier = tuple(Checkpoint.from_record(each) for each in record.get("earlier", ()))
        return _Kept(Checkpoint.from_record(record), (int(term), int(boot), int(seq)), earlier)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
