"""docs/asyncapi.yaml is what the code does: made from it, and real bytes fit its schemas."""

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.events.floor_events import EventWriter, Place
from controller.adapters.journal.chain import Stored
from controller.adapters.link.topics import WAYS, Topics
from controller.core.ledger import Entry
from controller.engine.messages import Message
from tests.adapters.test_link_wire import MESSAGES, sender_of

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
