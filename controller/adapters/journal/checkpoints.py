"""Signed checkpoints: what the chain was at a seq, in a form that can leave the machine."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from controller.adapters.journal.chain import Head
from controller.adapters.journal.errors import JournalUnfit
from controller.adapters.journal.state_files import take_place, write_once

CHECKPOINT_DOMAIN = b"carrusel checkpoint v1\n"
EVERY = 1000
"""A checkpoint is signed at every seq that is a multiple of this."""

KEY_FILE = "node.key"
NEW_KEY_FILE = "node.key.new"
_PRIME = 2**255 - 19
_EIGHTH = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
WEAK_KEYS = frozenset({0, 1, _EIGHTH, _PRIME - _EIGHTH, _PRIME - 1, _PRIME, _PRIME + 1})
"""y of the public keys of small order (RFC 8032, section 5.1): anybody can sign for one of these without a secret."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The chain of a journal's incarnation at a seq, signed by the node that wrote it (Ed25519, RFC 8032)."""

    name: str
    incarnation: str
    seq: int
    chain: bytes
    public_key: bytes
    signature: bytes

    def message(self) -> bytes:
        """The bytes under the signature; a cosigner signs the same."""
        return checkpoint_message(self.name, self.incarnation, Head(self.seq, self.chain))

    def is_signed(self) -> bool:
        return is_signature(self.public_key, self.signature, self.message())

    def as_row(self) -> tuple[int, str, bytes, bytes, bytes]:
        """The columns of its table."""
        return (self.seq, self.incarnation, self.chain, self.public_key, self.signature)

    def as_record(self) -> dict[str, Any]:
        """Plain values for JSON: bytes in hex."""
        return {
            "name": self.name,
            "incarnation": self.incarnation,
            "seq": self.seq,
            "chain": self.chain.hex(),
            "public_key": self.public_key.hex(),
            "signature": self.signature.hex(),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Checkpoint":
        """The checkpoint of `as_record`; ValueError or KeyError when it is none."""
        seq = record["seq"]
        if not isinstance(seq, int):
            raise ValueError("the seq of a checkpoint is a whole number")
        for each in ("name", "incarnation"):
            str(record[each]).encode()  # what stands under a signature is text
        chain, public_key, signature = (bytes.fromhex(record[key]) for key in ("chain", "public_key", "signature"))
        return cls(str(record["name"]), str(record["incarnation"]), seq, chain, public_key, signature)


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs checkpoints of one incarnation of one journal with the node's key."""

    key: Ed25519PrivateKey
    name: str
    incarnation: str
    every: int = EVERY

    def sign(self, head: Head) -> Checkpoint:
        signature = self.key.sign(checkpoint_message(self.name, self.incarnation, head))
        return Checkpoint(self.name, self.incarnation, head.seq, head.chain, public_bytes(self.key), signature)


def checkpoint_message(name: str, incarnation: str, head: Head) -> bytes:
    """Domain, then name, incarnation, seq and chain in hex, a line each."""
    lines = (name, incarnation, str(head.seq), head.chain.hex())
    return CHECKPOINT_DOMAIN + "\n".join(lines).encode() + b"\n"


def is_signature(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether an Ed25519 signature holds; False for a key or signature that is none, or a key that anybody has."""
    if is_weak(public_key):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_weak(public_key: bytes) -> bool:
    """Whether a key is of small order."""
    return int.from_bytes(public_key, "little") % 2**255 in WEAK_KEYS


def public_bytes(key: Ed25519PrivateKey) -> bytes:
    """The 32 bytes by which others know this node."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def node_key(directory: Path) -> Ed25519PrivateKey:
    """The node's key in its state directory: 32 bytes in hex, mode 0600, made at the first start.

    JournalUnfit when the file is not a key, PermissionError when others may read it, JournalFailed when it cannot be
    made.
    """
    return _key_in(directory / KEY_FILE)


def waiting_key(directory: Path) -> Ed25519PrivateKey:
    """The key that is to take the present one's place; made when there is none yet."""
    return _key_in(directory / NEW_KEY_FILE)


def take_new_key(directory: Path) -> None:
    """The waiting key is the node's from here on; the one before is gone."""
    take_place(directory / NEW_KEY_FILE, directory / KEY_FILE)


def _key_in(path: Path) -> Ed25519PrivateKey:
    if not path.exists():
        write_once(path, Ed25519PrivateKey.generate().private_bytes_raw().hex() + "\n")
    if path.stat().st_mode & 0o077:
        raise PermissionError(f"{path} can be read by others: chmod 600 it")
    try:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text().strip()))
    except ValueError as wrong:
        raise JournalUnfit(f"{path} is not a node's key: put back the one that was there") from wrong
