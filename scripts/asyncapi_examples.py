"""One signed example of each message of the link and of a floor event: also what a reader of another maker checks its
canonical JSON and its signatures against. Their keys are made of words that anybody may know."""

import json
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.events.floor_events import EventWriter, Place
from controller.adapters.journal.chain import Stored
from controller.adapters.link.topics import WAYS
from controller.adapters.link.wire import FROM_TABLE, Wire, key_name
from controller.core.hands import Category
from controller.core.ledger import Entry
from controller.core.prizes import Winner
from controller.engine.counter_records import GENESIS, CountersAbsorbed
from controller.engine.epoch import Epoch
from controller.engine.ledger_records import ClaimName, Counters, EpochBegan, Mark, seal_record
from controller.engine.messages import (
    Checkpointed,
    Claim,
    Claimed,
    Collect,
    Cosigned,
    Counter,
    HostCheckpointed,
    HostStatus,
    Ledger,
    Message,
    Meter,
    PendingPrize,
    Received,
    Report,
    Roster,
    RosterLine,
    SignedHead,
    Status,
)

SITE, CAROUSEL, TABLE = "sala", "gran", "t1"
INCARNATION, NONCE = "028fe8261195b7855f280d38aea8ee20", "da4ba9aeffd00067ae0618f483681cd6"


def _key(words: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(sha256(words.encode()).digest())


HOST_KEY, TABLE_KEY = _key("example: a host"), _key("example: a table")
EPOCH = Epoch(1, key_name(HOST_KEY), 1)
MARK = Mark(2, 57, sha256(b"example: 57 link entries").hexdigest())
COUNTERS = Counters(1_250_000_000, 312_500_000, 20_000_000, 5_000_000, 18)
FIRST = seal_record(1, EPOCH, GENESIS, EpochBegan("founded: first start; configuration, installation"))
RECORD = seal_record(2, EPOCH, FIRST.hash, CountersAbsorbed(TABLE, INCARNATION, COUNTERS, MARK))
ROW = f"{TABLE}/{INCARNATION}/17/3"
METER_MICROS = 2_501_230_000_000


def _head(name: str, key: Ed25519PrivateKey) -> SignedHead:
    chain = sha256(f"example: {name}".encode()).hexdigest()
    return SignedHead(name, INCARNATION, 1_000, chain, key_name(key), key.sign(b"example").hex())


def examples() -> tuple[Message, ...]:
    """One message of each kind; of a table all are of the same one."""
    table = (TABLE, INCARNATION, EPOCH, MARK)
    claim = Claim(ClaimName(TABLE, INCARNATION, 18), 1, (Winner(6, Category.STRAIGHT_FLUSH, 9, 1),), COUNTERS, MARK)
    pending = PendingPrize(TABLE, 18, 6, Category.STRAIGHT_FLUSH.value, 25_012_300, held=False)
    member = RosterLine(TABLE, INCARNATION, key_name(TABLE_KEY), "active", 2_500_000_000_000)
    whole, roster = (RECORD.seq, RECORD.hash, EPOCH, COUNTERS), (f"{TABLE}/{INCARNATION}",)
    return (
        Counter(*table, COUNTERS),
        Status(*table, alive=True, program="0.1.0", terms=sha256(b"example: terms").hexdigest(), nonce=NONCE),
        Received(*table, RECORD.seq, RECORD.hash, ((ROW, 1_500_000),)),
        Claimed(*table, claim),
        Report(*table, *whole, complete=True, stopped=False, roster=roster, records=(FIRST, RECORD)),
        HostStatus(EPOCH, RECORD.seq, RECORD.hash, program="0.1.0", echoes=((TABLE, NONCE),)),
        Ledger(EPOCH, RECORD),
        Collect(EPOCH, TABLE, 1),
        Meter(
            *(EPOCH, RECORD.seq, RECORD.hash, "ARS", METER_MICROS // 10_000, METER_MICROS),
            tables=((TABLE, METER_MICROS // 10_000),),
            pending=(pending,),
        ),
        Roster(EPOCH, RECORD.seq, "ARS", (member,)),
        Checkpointed(*table, (_head(f"table-{TABLE}", TABLE_KEY),)),
        HostCheckpointed(EPOCH, _head(f"carousel-{CAROUSEL}", HOST_KEY)),
        Cosigned(EPOCH, TABLE, _head(f"table-{TABLE}", HOST_KEY)),
    )


def signed() -> dict[str, Any]:
    """Each example as its sender says it, by the message's name; `event` is the floor event."""
    found = {}
    for message in examples():
        key = TABLE_KEY if isinstance(message, FROM_TABLE) else HOST_KEY
        said = Wire(SITE, CAROUSEL, key, lambda *_: True).encode(message)
        found[WAYS[type(message)].name] = json.loads(said)
    body = {"attention": True, "code": "stuck", "detail": "", "seat": 3, "source": "t1-cajas/3"}
    stored = Stored(412, Entry("t1-cajas/1/9", "alarm.raised", body, (), "t1-cajas"), 1_796_136_142_807, b"")
    event = EventWriter(Place(SITE, table=TABLE), INCARNATION, TABLE_KEY).event(stored)
    assert event is not None
    return found | {"event": json.loads(event.payload)}
