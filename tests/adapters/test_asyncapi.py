"""docs/asyncapi.yaml is what the code does: made from it, and real bytes fit its schemas."""

import base64
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.adapters.events.floor_events import EventWriter, Place
from controller.adapters.journal.chain import Stored
from controller.adapters.link.topics import WAYS, Topics
from controller.adapters.link.wire import Arrived, Rejected, Wire
from controller.core.ledger import Entry
from controller.engine.ledger_records import KINDS
from controller.engine.messages import Message
from scripts.asyncapi_examples import CAROUSEL, SITE, examples
from tests.adapters.test_link_wire import MESSAGES, sender_of
from tests.engine.sim_run import run_seed

ROOT = Path(__file__).parents[2]


def load() -> Any:
    spec = importlib.util.spec_from_file_location("asyncapi_script", ROOT / "scripts" / "asyncapi.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = load()
DOCUMENT: dict[str, Any] = json.loads(json.dumps(SCRIPT.document()))


def test_the_file_is_the_one_made_from_the_code() -> None:
    assert (ROOT / "docs" / "asyncapi.yaml").read_text() == SCRIPT.text()


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_real_bytes_fit_the_schema_of_their_channel(message: Message) -> None:
    name = WAYS[type(message)].name
    plain = json.loads(sender_of(message).encode(message))
    validator(name).validate(plain)
    topic = Topics("pit", "c1").of(message)
    address = re.sub(r"\{\w+\}", "[^/]+", DOCUMENT["channels"][name]["address"])
    assert re.fullmatch(address, topic)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_the_schema_refuses_a_body_without_its_fields(message: Message) -> None:
    name = WAYS[type(message)].name
    plain = json.loads(sender_of(message).encode(message))
    schema = DOCUMENT["components"]["schemas"][type(message).__name__]
    for field in schema["required"]:
        body = {key: value for key, value in plain["body"].items() if key != field}
        assert not validator(name).is_valid(plain | {"body": body}), field


@pytest.mark.parametrize("message", examples(), ids=lambda message: type(message).__name__)
def test_the_example_of_each_message_is_read_by_the_code_and_fits_its_schema(message: Message) -> None:
    name = WAYS[type(message)].name
    (example,) = DOCUMENT["components"]["messages"][name]["examples"]
    reader = Wire(SITE, CAROUSEL, Ed25519PrivateKey.generate(), lambda *_: True)
    told = reader.decode(json.dumps(example["payload"]).encode())
    assert isinstance(told, Arrived), told
    assert told.message == message
    validator(name).validate(example["payload"])
    altered = json.dumps(example["payload"] | {"boot": example["payload"]["boot"] + 1})
    assert isinstance(reader.decode(altered.encode()), Rejected)


def test_there_is_an_example_of_every_message_and_the_event_s_is_signed() -> None:
    assert {type(message) for message in examples()} == set(WAYS)
    (example,) = DOCUMENT["components"]["messages"]["event"]["examples"]
    validator("event").validate(example["payload"])
    content = {name: value for name, value in example["payload"].items() if name != "signature"}
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(content["key"]))
    words = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    key.verify(base64.b64decode(example["payload"]["signature"]), b"carrusel/event/1\0" + words)


def test_every_kind_of_record_fits_its_schema() -> None:
    """Those that lives in the simulator bring about; each refuses a body that lacks what it must hold."""
    record = jsonschema_rs.Draft202012Validator(
        {"$ref": "#/components/schemas/Record", "components": DOCUMENT["components"]}
    )
    seen: dict[str, dict[str, Any]] = {}
    for seed in range(200):
        entries = (entry for host in run_seed(seed).hosts for entry in host.journal)
        for entry in entries:
            if entry.kind.startswith("ledger."):
                plain = json.loads(json.dumps(entry.body["record"]))
                record.validate(plain)
                seen.setdefault(plain["kind"], plain)
        if set(seen) == set(KINDS):
            break
    assert set(seen) == set(KINDS)
    for kind, plain in seen.items():
        needed = DOCUMENT["components"]["schemas"][KINDS[kind].__name__]["required"]
        for field in needed:
            body = {name: value for name, value in plain["body"].items() if name != field}
            assert not record.is_valid(plain | {"body": body}), (kind, field)


def validator(name: str) -> Any:
    schema = {"$ref": f"#/components/messages/{name}/payload", "components": DOCUMENT["components"]}
    return jsonschema_rs.Draft202012Validator(schema)


def test_every_subscription_is_documented() -> None:
    topics = Topics("pit", "c1")
    addresses = [re.sub(r"\{\w+\}", "[^/]+", each["address"]) for each in DOCUMENT["channels"].values()]
    for topic in (*topics.for_table("t1"), *topics.for_host()):
        assert any(re.fullmatch(address, topic.replace("+", "x")) for address in addresses), topic


@pytest.mark.parametrize("place", [Place("pit", table="t1"), Place("pit", carousel="c1")])
def test_a_floor_event_fits_its_schema_and_its_channel(place: Place) -> None:
    body = {"code": "stuck", "source": "io/in3", "detail": "", "seat": 3, "attention": True}
    stored = Stored(7, Entry("e1", "alarm.raised", body), 0, b"")
    event = EventWriter(place, "i1", Ed25519PrivateKey.generate()).event(stored)
    assert event is not None
    plain = json.loads(event.payload)
    validator("event").validate(plain)
    for field in plain:
        assert not validator("event").is_valid({key: value for key, value in plain.items() if key != field}), field
    assert not validator("event").is_valid(plain | {"event": "credit.wagered"})
    name = "tableEvent" if place.table else "carouselEvent"
    address = re.sub(r"\{\w+\}", "[^/]+", DOCUMENT["channels"][name]["address"])
    assert re.fullmatch(address, event.topic)
