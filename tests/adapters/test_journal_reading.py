"""A ledger entry whose body is no JSON beside its record: a start cannot read it, so a verification says so."""

import json

import msgspec
import pytest

from controller.adapters.journal.chain import decode
from controller.adapters.journal.reading import Reading
from tests.engine.test_closing import closed


@pytest.mark.parametrize("beside", [b'"\xff"', b"1e999"])
def test_what_stands_beside_a_record_is_read_too(beside: bytes) -> None:
    entry = next(each for each in reversed(closed("t1").host.journal) if "record" in each.body)
    stored = b'{"record":' + json.dumps(entry.body["record"]).encode() + b',"x":' + beside + b"}"
    with pytest.raises(msgspec.DecodeError):
        decode(stored)
    read = Reading(entry.kind, stored, ())
    with pytest.raises(msgspec.DecodeError):
        read.ledger_record()
        read.read_through()


def test_a_tables_record_stands_beside_the_epoch_of_the_host_that_sent_it() -> None:
    entry = next(each for each in reversed(closed("t1").tables[0].journal) if "record" in each.body)
    assert "sender" in entry.body
    read = Reading(entry.kind, json.dumps(entry.body).encode(), ())
    assert read.ledger_record().to_plain() == entry.body["record"]
    no_epoch = Reading(entry.kind, json.dumps(entry.body | {"sender": "host"}).encode(), ())
    with pytest.raises(msgspec.ValidationError):
        no_epoch.ledger_record()
