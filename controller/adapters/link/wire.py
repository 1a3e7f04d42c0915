"""A message as bytes: one JSON object with version, sender, order, sender's epoch and an Ed25519 signature."""

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, get_type_hints

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.adapters.journal.checkpoints import is_weak
from controller.adapters.link.bounds import number_out_of_range
from controller.adapters.link.topics import WAYS
from controller.core.records import from_foreign, to_record
from controller.engine.epoch import Epoch
from controller.engine.ledger_reading import record_from_plain
from controller.engine.messages import (
    Checkpointed,
    Claimed,
    Counter,
    HostStatus,
    Ledger,
    Message,
    Received,
    Report,
    Status,
)

VERSION = 1
SIGN_DOMAIN = b"carrusel/link/1\x00"
MAX_BYTES = 1_048_576
HOST = "host"
BY_NAME: dict[str, type[Message]] = {way.name: message for message, way in WAYS.items()}
FROM_TABLE = (Counter, Status, Claimed, Received, Report, Checkpointed)
_HEADER = ("table", "incarnation", "epoch")


class WireFault(Enum):
    """Why bytes are no message for us; each is logged with its sender and dropped."""

    TOO_LARGE = "too_large"
    NOT_JSON = "not_json"
    UNKNOWN_VERSION = "unknown_version"
    UNKNOWN_TYPE = "unknown_type"
    MALFORMED = "malformed"
    OUT_OF_RANGE = "out_of_range"
    OTHER_CAROUSEL = "other_carousel"
    UNKNOWN_KEY = "unknown_key"
    NOT_ENROLLED = "not_enrolled"
    WRONG_KEY = "wrong_key"
    BAD_SIGNATURE = "bad_signature"
    OLD = "old"
    NOT_FRESH = "not_fresh"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A message that was not taken, with what it claims to be."""

    fault: WireFault
    sender: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message whose signature holds. id: unique for sender, boot and place in its order; key: who signed it.

    place: a host's term (0 for a table), the sender's boot, and the message's place in it; it rises with every message.
    """

    id: str
    message: Message
    key: str
    place: tuple[int, int, int] = (0, 0, 0)


KeyCheck = Callable[[str, str, str], bool]
"""(sender, incarnation, key in hex) -> whether this key may speak for the sender."""


def key_name(key: Ed25519PrivateKey | Ed25519PublicKey) -> str:
    """A node's name for its key: the raw public key in hex."""
    public = key.public_key() if isinstance(key, Ed25519PrivateKey) else key
    return public.public_bytes_raw().hex()


class Wire:
    """Encodes and signs what this node sends, checks what it hears; boot and a count give its messages their order."""

    def __init__(self, site: str, carousel: str, key: Ed25519PrivateKey, may_speak: KeyCheck) -> None:
        self.site = site
        self.carousel = carousel
        self.key_name = key_name(key)
        self._key = key
        self._may_speak = may_speak
        self._count = 0
        self._newest: dict[tuple[str, str, str], tuple[int, int]] = {}

    def encode(self, message: Message) -> bytes:
        """The message signed, with the next place in this node's order."""
        self._count += 1
        plain = _plain(message)
        header: dict[str, Any] = {
            "version": VERSION,
            "site": self.site,
            "carousel": self.carousel,
            "type": WAYS[type(message)].name,
            "sender": HOST,
            "incarnation": "",
            "boot": message.epoch.start,
            "seq": self._count,
            "epoch": plain.pop("epoch"),
            "key": self.key_name,
        }
        if isinstance(message, FROM_TABLE):
            header["sender"] = plain.pop("table")
            header["incarnation"] = plain.pop("incarnation")
            header["boot"] = message.mark.boot
        header["body"] = plain
        signature = self._key.sign(_signed(header))
        return msgspec.json.encode(header | {"signature": base64.b64encode(signature).decode()})

    def decode(self, payload: bytes) -> Arrived | Rejected:
        """The message in these bytes, or why they are dropped."""
        try:
            return self._decode(payload)
        except RecursionError:  # read with its last frame to spare, and the next step takes one more
            return Rejected(WireFault.MALFORMED, detail="nested too deeply")

    def _decode(self, payload: bytes) -> Arrived | Rejected:
        plain = _object(payload)
        if isinstance(plain, Rejected):
            return plain
        try:
            header = from_foreign(_Header, plain)
        except ValueError as wrong:
            return Rejected(WireFault.MALFORMED, detail=str(wrong))
        fault = self._check_header(header) or _check_signature(header, plain)
        if fault is not None:
            return Rejected(fault, header.sender)
        number = number_out_of_range(plain)
        if number is not None:
            return Rejected(WireFault.OUT_OF_RANGE, header.sender, number)
        try:
            message = _message(header)
        except (ValueError, KeyError, TypeError) as wrong:
            return Rejected(WireFault.MALFORMED, header.sender, str(wrong))
        is_death = isinstance(message, Status | HostStatus) and not message.alive
        if WAYS[type(message)].newest_only and not self._is_newest(header, is_death):
            return Rejected(WireFault.OLD, header.sender)
        place = (header.epoch.term if header.sender == HOST else 0, header.boot, header.seq)
        name = f"{header.sender}:{header.incarnation}:{header.key[:16]}:{header.boot}:{header.seq}"
        return Arrived(name, message, header.key, place)

    def _check_header(self, header: "_Header") -> WireFault | None:
        if header.version != VERSION:
            return WireFault.UNKNOWN_VERSION
        if header.type not in BY_NAME:
            return WireFault.UNKNOWN_TYPE
        if (header.site, header.carousel) != (self.site, self.carousel):
            return WireFault.OTHER_CAROUSEL
        from_table = issubclass(BY_NAME[header.type], FROM_TABLE)
        if from_table == (header.sender == HOST) or (not from_table and header.epoch.host != header.key):
            return WireFault.WRONG_KEY
        if not self._may_speak(header.sender, header.incarnation, header.key):
            return WireFault.UNKNOWN_KEY
        return None

    def _is_newest(self, header: "_Header", is_death: bool) -> bool:
        """Whether nothing later of this sender and kind was heard (the same one again is dropped too).

        A death is signed at connect and said much later, so it counts against other deaths alone: each of them once.
        """
        kind = f"{header.type}/death" if is_death else header.type
        who = (f"{header.sender}:{header.incarnation}:{header.key}", kind, str(header.epoch.term))
        place = (header.boot, header.seq)
        if place <= self._newest.get(who, (-1, -1)):
            return False
        self._newest[who] = place
        return True


@dataclass(frozen=True, slots=True)
class _Header:
    version: int
    site: str
    carousel: str
    type: str
    sender: str
    incarnation: str
    boot: int
    seq: int
    epoch: Epoch
    key: str
    body: dict[str, Any]
    signature: str


def _object(payload: bytes) -> dict[str, Any] | Rejected:
    if len(payload) > MAX_BYTES:
        return Rejected(WireFault.TOO_LARGE, detail=str(len(payload)))
    try:
        plain = msgspec.json.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        return Rejected(WireFault.NOT_JSON, detail=str(wrong))
    if not isinstance(plain, dict):
        return Rejected(WireFault.MALFORMED, detail="not an object")
    if plain.get("version") != VERSION:
        return Rejected(WireFault.UNKNOWN_VERSION, detail=repr(plain.get("version"))[:40])
    return plain


def _signed(header: Mapping[str, Any]) -> bytes:
    content = {name: value for name, value in header.items() if name != "signature"}
    return SIGN_DOMAIN + msgspec.json.encode(content, order="sorted")


def _check_signature(header: _Header, plain: Mapping[str, Any]) -> WireFault | None:
    try:
        raw = bytes.fromhex(header.key)
        key = Ed25519PublicKey.from_public_bytes(raw)
        if is_weak(raw):
            return WireFault.WRONG_KEY
        key.verify(base64.b64decode(header.signature, validate=True), _signed(plain))
    except (ValueError, binascii.Error, InvalidSignature):
        return WireFault.BAD_SIGNATURE
    return None


def _plain(message: Message) -> dict[str, Any]:
    """The message as JSON holds it; records keep their kind, which their classes do not carry."""
    match message:
        case Ledger():
            return {"epoch": list(message.epoch), "record": message.record.to_plain()}
        case Report():
            plain: dict[str, Any] = to_record(replace(message, records=()))
            return plain | {"records": [record.to_plain() for record in message.records]}
    plain = to_record(message)
    return plain


def _message(header: _Header) -> Message:
    kind = BY_NAME[header.type]
    fields = dict(header.body)
    if any(name in fields for name in _HEADER if issubclass(kind, FROM_TABLE)) or "epoch" in fields:
        raise ValueError("the body repeats what the header says")
    fields["epoch"] = list(header.epoch)
    if issubclass(kind, FROM_TABLE):
        fields |= {"table": header.sender, "incarnation": header.incarnation}
    if kind is Ledger:
        return Ledger(header.epoch, record_from_plain(fields["record"]))
    message: Message = _report(fields) if kind is Report else from_foreign(kind, fields)
    if isinstance(message, FROM_TABLE) and message.mark.boot != header.boot:
        raise ValueError("the header's boot is not the body's")
    if isinstance(message, Claimed) and _claimant(message) != (header.sender, header.incarnation):
        raise ValueError("a claim of another table")
    return message


_REPORT_FIELDS: dict[str, Any] = {name: kind for name, kind in get_type_hints(Report).items() if name != "records"}


def _report(fields: dict[str, Any]) -> Report:
    """Field by field, as its records are told apart by their kind, which their classes do not carry."""
    values = {name: from_foreign(kind, fields[name]) for name, kind in _REPORT_FIELDS.items()}
    return Report(**values, records=tuple(record_from_plain(each) for each in fields["records"]))


def _claimant(message: Claimed) -> tuple[str, str]:
    return message.claim.name.table, message.claim.name.incarnation
