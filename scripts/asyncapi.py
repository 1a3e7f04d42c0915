"""The AsyncAPI document of the carousel link, made from the code: `python scripts/asyncapi.py > docs/asyncapi.yaml`."""

import sys
from typing import Any

import msgspec
import yaml  # type: ignore[import-untyped]  # PyYAML ships no types

from controller.adapters.events.floor_events import LEDGER_SILENT, MIRRORED, NAMES, Place
from controller.adapters.events.floor_events import VERSION as EVENT_VERSION
from controller.adapters.link.topics import WAYS
from controller.adapters.link.wire import FROM_TABLE, VERSION
from controller.engine.ledger_records import KINDS
from controller.engine.messages import Ledger, Message, Report
from scripts.asyncapi_examples import signed

ADDRESSES: dict[str, str] = {
    "counter": "table/{table}/counter",
    "status": "table/{table}/status",
    "received": "table/{table}/received",
    "claim": "host/claim/{claim}",
    "report": "host/report/{table}",
    "host": "host/status",
    "ledger": "ledger/{seq}",
    "collect": "table/{table}/collect",
    "meter": "meter",
    "roster": "roster",
    "checkpoint": "table/{table}/checkpoint",
    "host_checkpoint": "host/checkpoint",
    "cosigned": "table/{table}/cosigned",
}
PREFIX = "carrusel/v1/{site}/{carousel}/"
HEADER = ("table", "incarnation", "epoch")
HEX = "lower-case hexadecimal"


def document() -> dict[str, Any]:
    """The document as plain values."""
    told = signed()
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Carrusel: the carousel link",
            "version": f"{VERSION}.0.0",
            "description": (
                "Messages between linked tables and the host of their carousel. Truth lives in journals; MQTT is a "
                "wake-up signal and a cache: every message may be lost, doubled, delayed or reordered. Each carries an "
                "Ed25519 signature over the domain `carrusel/link/1\\0` and the canonical JSON (sorted keys, no "
                "blanks) of the message without `signature`. A ledger record's hash is SHA-256 over the domain "
                "`carrusel/ledger/1\\0`, the previous hash in hex and the canonical JSON of [seq, kind, epoch, body]. "
                "Amounts are micros of the currency unit unless a name ends in `minor`."
            ),
        },
        "defaultContentType": "application/json",
        "channels": {way.name: channel(message) for message, way in WAYS.items()} | event_channels(),
        "operations": {f"{way.name}Sent": operation(message) for message, way in WAYS.items()} | event_operations(),
        "components": {
            "messages": {
                name: {**message, "examples": [{"summary": EXAMPLE_SUMMARY, "payload": told[name]}]}
                for name, message in (messages() | {"event": event_message()}).items()
            },
            "schemas": schemas(),
        },
    }


EXAMPLE_SUMMARY = "Signed with a key that anybody may know: for whoever checks signatures."
EVENT_SUMMARY = "A prize, void, adjustment, alarm or fault, for surveillance and other systems (docs/events.md)."


def event_channels() -> dict[str, Any]:
    """Where floor events travel: those of a table, and those of a carousel."""
    places = {
        "tableEvent": Place("{site}", table="{table}"),
        "carouselEvent": Place("{site}", carousel="{carousel}"),
    }
    return {
        name: {
            "address": place.topic,
            "messages": {"event": {"$ref": "#/components/messages/event"}},
            "parameters": {
                each: {"description": PARAMETERS[each]} for each in ("site", "table" if place.table else "carousel")
            },
            "bindings": {"mqtt": {"qos": 1, "retain": False, "bindingVersion": "0.2.0"}},
        }
        for name, place in places.items()
    }


def event_operations() -> dict[str, Any]:
    """The node that holds a journal tells its events, at least once."""
    return {
        f"{name}Told": {
            "action": "send",
            "channel": {"$ref": f"#/channels/{name}"},
            "summary": f"A node tells an event of {owner}, at least once.",
        }
        for name, owner in (("tableEvent", "a table"), ("carouselEvent", "a carousel"))
    }


def event_message() -> dict[str, Any]:
    return {"name": "EVENT", "summary": EVENT_SUMMARY, "payload": event_schema()}


def event_schema() -> dict[str, Any]:
    """One floor event; `facts` are those of the journal entry."""
    text, number = {"type": "string"}, {"type": "integer"}
    names = sorted({*NAMES.values(), *MIRRORED.values(), *(f"carousel.{kind}" for kind in {*KINDS} - LEDGER_SILENT)})
    properties: dict[str, Any] = {
        "version": {"const": EVENT_VERSION},
        "site": text,
        "table": {**text, "description": "empty for an event of a carousel"},
        "carousel": {**text, "description": "empty for an event of a table"},
        "incarnation": {**text, "description": "of the journal"},
        "id": {**text, "description": "of the journal entry: the same event has the same id for ever"},
        "seq": {**number, "description": "of the journal entry"},
        "wall_ms": {**number, "description": "UTC milliseconds of its commit, informative"},
        "event": {"enum": names},
        "actor": {**text, "description": "who did it: an account, a device, or the machine"},
        "facts": {"type": "object"},
        "key": {**text, "description": f"the node's Ed25519 public key, {HEX}"},
        "signature": {
            **text,
            "description": "Ed25519, base64, over the domain `carrusel/event/1\\0` and the canonical JSON of the rest",
        },
    }
    return {"type": "object", "properties": properties, "required": list(properties)}


def channel(message: type[Message]) -> dict[str, Any]:
    """Where a message travels."""
    way = WAYS[message]
    address = PREFIX + ADDRESSES[way.name]
    names = [part.split("}")[0] for part in address.split("{")[1:]]
    return {
        "address": address,
        "messages": {way.name: {"$ref": f"#/components/messages/{way.name}"}},
        "parameters": {name: {"description": PARAMETERS[name]} for name in names},
        "bindings": {"mqtt": {"qos": way.qos, "retain": way.retained, "bindingVersion": "0.2.0"}},
    }


PARAMETERS = {
    "site": "id of the site",
    "carousel": "id of the carousel",
    "table": "id of a table",
    "claim": "table.incarnation.hand.revision",
    "seq": "sequence number of a ledger record; the newest 100 are retained",
}


def operation(message: type[Message]) -> dict[str, Any]:
    """Who sends a message."""
    way = WAYS[message]
    sender = "A table" if message in FROM_TABLE else "The host"
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{way.name}"},
        "summary": f"{sender} sends {way.name.upper()}.",
    }


def messages() -> dict[str, Any]:
    """One entry for each message, with the header all share."""
    return {
        way.name: {
            "name": way.name.upper(),
            "summary": (message.__doc__ or "").split("\n")[0],
            "payload": {
                "allOf": [
                    {"$ref": "#/components/schemas/Header"},
                    {
                        "type": "object",
                        "properties": {
                            "type": {"const": way.name},
                            "body": {"$ref": f"#/components/schemas/{message.__name__}"},
                        },
                    },
                ]
            },
        }
        for message, way in WAYS.items()
    }


def schemas() -> dict[str, Any]:
    """Schemas of the bodies, of the ledger's records and of the header."""
    plain = [message for message in WAYS if message not in (Ledger, Report)]
    _, found = msgspec.json.schema_components([*plain, *KINDS.values()], ref_template="#/components/schemas/{name}")
    for message in plain:
        _strip(found[message.__name__], HEADER if message in FROM_TABLE else ("epoch",))
    report = schema_of_report(found)
    return {"Header": header(), **found, "Report": report, "Ledger": ledger(), "Record": record()}


def schema_of_report(found: dict[str, Any]) -> dict[str, Any]:
    """REPORT's records are told apart by their kind, so its schema is put together here."""
    strings = {"type": "array", "items": {"type": "string"}}
    properties = {
        "mark": {"$ref": "#/components/schemas/Mark"},
        "seq": {"type": "integer"},
        "hash": {"type": "string"},
        "source": {"$ref": "#/components/schemas/Epoch"},
        "counters": {"$ref": "#/components/schemas/Counters"},
        "complete": {"type": "boolean"},
        "stopped": {"type": "boolean"},
        "roster": strings,
        "paid": found["Received"]["properties"]["paid"],
        "first": {"type": "integer"},
        "records": {"type": "array", "items": {"$ref": "#/components/schemas/Record"}},
    }
    if {*properties, *HEADER} != set(Report.__dataclass_fields__):
        raise SystemExit("Report has other fields than this document")
    return {"description": Report.__doc__, "type": "object", "properties": properties, "required": list(properties)}


def ledger() -> dict[str, Any]:
    return {
        "description": Ledger.__doc__,
        "type": "object",
        "properties": {"record": {"$ref": "#/components/schemas/Record"}},
        "required": ["record"],
    }


def record() -> dict[str, Any]:
    """One record of the ledger: the body's schema follows its kind."""
    properties = {
        "seq": {"type": "integer", "minimum": 1},
        "kind": {"enum": list(KINDS)},
        "epoch": {"$ref": "#/components/schemas/Epoch"},
        "prev": {"type": "string", "description": HEX},
        "body": {"type": "object"},
        "hash": {"type": "string", "description": HEX},
    }
    kinds = [
        {"properties": {"kind": {"const": kind}, "body": {"$ref": f"#/components/schemas/{body.__name__}"}}}
        for kind, body in KINDS.items()
    ]
    return {
        "description": "One record of the carousel's ledger.",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "oneOf": kinds,
    }


def header() -> dict[str, Any]:
    """What every message carries beside its body."""
    text, number = {"type": "string"}, {"type": "integer"}
    properties: dict[str, Any] = {
        "version": {"const": VERSION},
        "site": text,
        "carousel": text,
        "type": {"enum": [way.name for way in WAYS.values()]},
        "sender": {**text, "description": "table id, or `host`"},
        "incarnation": {**text, "description": "of the table's journal; empty for a host"},
        "boot": {**number, "description": "starts of the sender"},
        "seq": {**number, "description": "order of the sender's messages within its boot"},
        "epoch": {"$ref": "#/components/schemas/Epoch"},
        "key": {**text, "description": f"the sender's Ed25519 public key, {HEX}"},
        "body": {"type": "object"},
        "signature": {**text, "description": "Ed25519, base64"},
    }
    return {"type": "object", "properties": properties, "required": list(properties)}


def _strip(schema: dict[str, Any], names: tuple[str, ...]) -> None:
    """Fields that travel in the header are not in the body."""
    for name in names:
        schema["properties"].pop(name, None)
    schema["required"] = [name for name in schema["required"] if name not in names]


def text() -> str:
    """The document as the file holds it."""
    plain = msgspec.to_builtins(document())
    return str(yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=120))


if __name__ == "__main__":
    sys.stdout.write(text())
