"""Messages as signed bytes: every one of them there and back, and every kind of wrong byte refused by name."""

import base64
import dataclasses
import json
import sys
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.journal.checkpoints import WEAK_KEYS
from controller.adapters.link.bounds import SIGNED
from controller.adapters.link.topics import WAYS, Topics
from controller.adapters.link.wire import SIGN_DOMAIN, Arrived, Rejected, Wire, WireFault, key_name
from controller.engine.epoch import NO_EPOCH, Epoch
from controller.engine.ledger_records import NO_MARK, ZERO
from controller.engine.messages import (
    Checkpointed,
    Collect,
    Cosigned,
    Counter,
    HostCheckpointed,
    HostStatus,
    Ledger,
    Message,
    Received,
    Report,
    SignedHead,
    Status,
)
from tests.engine.carousel_house import House, royal, straight_flush

HOST_KEY = Ed25519PrivateKey.generate()
TABLE_KEY = Ed25519PrivateKey.generate()
STRANGER = Ed25519PrivateKey.generate()
KEYS = {"host": key_name(HOST_KEY), "t1": key_name(TABLE_KEY), "t2": key_name(TABLE_KEY)}


def wire(key: Ed25519PrivateKey, site: str = "pit", carousel: str = "c1") -> Wire:
    return Wire(site, carousel, key, lambda sender, incarnation, name: KEYS.get(sender) == name)


def lively_messages() -> list[Message]:
    """Everything two tables and a host say in a house with open claims, awards and a correction."""
    house = House.of("t1", "t2")
    one, two = house.tables
    one.bet(100)
    one.win(straight_flush(1), straight_flush(2))
    house.settle()
    one.win(straight_flush(2), hand=1, revision=2)
    house.settle()
    one.pay_otherwise("t1/t1-i1/1/2", 7)
    house.settle()
    two.bet(5, reserve_minor=5)
    two.win(royal(3))
    messages: list[Message] = [*two.outbox(), *house.host.outbox()]
    messages += [Ledger(house.host.state.epoch, record) for record in house.host.state.recent]
    state = two.state
    who = ("t2", "t2-i1", state.epoch, state.mark)
    seen = (state.ledger.seq, state.ledger.hash, state.source, state.counters)
    messages.append(
        Report(*who, *seen, True, False, ("t1/t1-i1", "t2/t2-i1"), (("t2/t2-i1/1/1", 5),), 1, tuple(two.records(1, 5)))
    )
    head = SignedHead("table-t2", "t2-i1", 9, "aa", "bb", "cc")
    messages += [Checkpointed(*who, (head,)), HostCheckpointed(state.epoch, head), Cosigned(state.epoch, "t1", head)]
    return [*messages, Collect(state.epoch, "t1", 7)]


def named(message: Message) -> Message:
    """The message under the epoch of the host's real key, which a host's message must carry."""
    return dataclasses.replace(message, epoch=Epoch(1, key_name(HOST_KEY), 1))


MESSAGES = [named(message) for message in lively_messages()]


ONE_OF_EACH = list({type(message): message for message in MESSAGES}.values())


def sender_of(message: Message) -> Wire:
    return wire(TABLE_KEY if hasattr(message, "incarnation") else HOST_KEY)


def test_every_kind_of_message_is_among_the_examples() -> None:
    assert {type(message) for message in MESSAGES} == set(WAYS)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_there_and_back(message: Message) -> None:
    arrived = wire(STRANGER).decode(sender_of(message).encode(message))
    assert isinstance(arrived, Arrived)
    assert arrived.message == message


@pytest.mark.requirement("R55", "R56")
@pytest.mark.promise("P13")
def test_every_altered_byte_is_refused() -> None:
    payload = wire(TABLE_KEY).encode(MESSAGES[1])
    reader = wire(STRANGER)
    for place in range(len(payload)):
        altered = payload[:place] + bytes([payload[place] ^ 1]) + payload[place + 1 :]
        assert isinstance(reader.decode(altered), Rejected), altered


@pytest.mark.requirement("R55")
def test_every_cut_is_refused() -> None:
    payload = wire(TABLE_KEY).encode(MESSAGES[1])
    assert all(isinstance(wire(STRANGER).decode(payload[:end]), Rejected) for end in range(len(payload)))


def fault_of(payload: bytes, reader: Wire | None = None) -> WireFault:
    answer = (reader or wire(STRANGER)).decode(payload)
    assert isinstance(answer, Rejected)
    return answer.fault


def numbers_of(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Places of all whole numbers in JSON."""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        return [found for key, each in pairs for found in numbers_of(each, (*place, key))]
    return [place] if type(value) is int else []


def with_number(payload: bytes, place: tuple[Any, ...], number: int, key: Ed25519PrivateKey) -> bytes:
    """The message with one number changed, signed again by its sender."""
    header = json.loads(payload)
    del header["signature"]
    at = header
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = number
    signature = key.sign(SIGN_DOMAIN + msgspec.json.encode(header, order="sorted"))
    return msgspec.json.encode(header | {"signature": base64.b64encode(signature).decode()})


@pytest.mark.promise("P13")
@pytest.mark.parametrize("message", ONE_OF_EACH, ids=lambda message: type(message).__name__)
def test_a_number_that_nothing_could_hold_is_refused_by_name(message: Message) -> None:
    """Also by its own key: in every field of every message, a member's as a host's."""
    key = TABLE_KEY if hasattr(message, "incarnation") else HOST_KEY
    payload = wire(key).encode(message)
    places = numbers_of(json.loads(payload))
    assert places
    for place in places:
        for number in (-(2**70), 2**63 - 1, 10**40, *(() if SIGNED & {*place} else (-1,))):
            refused = wire(STRANGER).decode(with_number(payload, place, number, key))
            assert isinstance(refused, Rejected), (place, number)
            named = WireFault.UNKNOWN_VERSION if place == ("version",) else WireFault.OUT_OF_RANGE
            assert refused.fault is named, (place, number, refused)


def counter(table: str = "t1", epoch: Epoch = NO_EPOCH) -> Counter:
    return Counter(table, f"{table}-i1", epoch, NO_MARK, ZERO)


@pytest.mark.promise("P13")
@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a":', "}")])
def test_at_whatever_depth_a_message_is_nested_it_is_refused(opened: str, closed: str) -> None:
    """It needs no signature: near the interpreter's limit the bytes are still read, and the next step is too deep."""
    message = MESSAGES[0]
    text = json.dumps(json.loads(sender_of(message).encode(message)) | {"unknown": 0})
    for depth in range(1, sys.getrecursionlimit() + 10):
        nested = f'"unknown": {opened * depth}0{closed * depth}'
        answer = sender_of(message).decode(text.replace('"unknown": 0', nested).encode())
        assert isinstance(answer, Rejected), depth


@pytest.mark.requirement("R54")
def test_refusals_by_name() -> None:
    assert fault_of(wire(STRANGER).encode(counter())) is WireFault.UNKNOWN_KEY
    assert fault_of(wire(TABLE_KEY, site="elsewhere").encode(counter())) is WireFault.OTHER_CAROUSEL
    assert fault_of(wire(TABLE_KEY, carousel="c2").encode(counter())) is WireFault.OTHER_CAROUSEL
    assert fault_of(wire(TABLE_KEY).encode(counter("host"))) is WireFault.WRONG_KEY
    assert fault_of(b"\xff\x00 no json") is WireFault.NOT_JSON
    assert fault_of(b"[1, 2]") is WireFault.MALFORMED
    assert fault_of(b"[" * 100_000) is WireFault.NOT_JSON
    assert fault_of(b" " * 2_000_000) is WireFault.TOO_LARGE
    assert fault_of(b'{"version": 2}') is WireFault.UNKNOWN_VERSION


@pytest.mark.requirement("R56")
@pytest.mark.promise("P13")
def test_a_host_speaks_only_under_its_own_key() -> None:
    """A forged sender: a table's key, and a member of the roster at that, does not make a host."""
    forged = HostStatus(Epoch(9, key_name(HOST_KEY), 1), 5, "0" * 64)
    assert fault_of(wire(TABLE_KEY).encode(forged)) is WireFault.WRONG_KEY
    own_name = HostStatus(Epoch(9, key_name(TABLE_KEY), 1), 5, "0" * 64)
    assert fault_of(wire(TABLE_KEY).encode(own_name)) is WireFault.UNKNOWN_KEY


def test_a_signature_does_not_carry_another_body() -> None:
    plain = json.loads(wire(TABLE_KEY).encode(counter()))
    plain["body"]["counters"]["main_micros"] = 10**12
    assert fault_of(json.dumps(plain).encode()) is WireFault.BAD_SIGNATURE


@pytest.mark.requirement("R56")
@pytest.mark.promise("P13")
def test_an_older_state_message_of_the_same_boot_is_dropped() -> None:
    sender, reader = wire(TABLE_KEY), wire(STRANGER)
    older, newer = sender.encode(counter()), sender.encode(counter())
    assert isinstance(reader.decode(newer), Arrived)
    assert fault_of(older, reader) is WireFault.OLD
    assert fault_of(newer, reader) is WireFault.OLD


def test_a_death_signed_at_connect_still_counts() -> None:
    sender, reader = wire(TABLE_KEY), wire(STRANGER)
    death = sender.encode(Status("t1", "t1-i1", NO_EPOCH, NO_MARK, alive=False))
    assert isinstance(reader.decode(sender.encode(Status("t1", "t1-i1", NO_EPOCH, NO_MARK, alive=True))), Arrived)
    assert isinstance(reader.decode(death), Arrived)


def test_a_death_said_again_by_a_stranger_is_refused() -> None:
    sender, reader = wire(TABLE_KEY), wire(HOST_KEY)
    death = sender.encode(Status("t1", "t1-i1", NO_EPOCH, NO_MARK, alive=False))
    assert isinstance(reader.decode(death), Arrived)
    assert reader.decode(death) == Rejected(WireFault.OLD, "t1")


def test_topics_are_those_of_the_interface() -> None:
    topics = Topics("pit", "c1")
    found = {type(message).__name__: topics.of(message) for message in MESSAGES if not isinstance(message, Ledger)}
    assert found == {
        "Status": "carrusel/v1/pit/c1/table/t2/status",
        "Counter": "carrusel/v1/pit/c1/table/t2/counter",
        "Received": "carrusel/v1/pit/c1/table/t2/received",
        "Claimed": "carrusel/v1/pit/c1/host/claim/t2.t2-i1.1.1",
        "HostStatus": "carrusel/v1/pit/c1/host/status",
        "Roster": "carrusel/v1/pit/c1/roster",
        "Meter": "carrusel/v1/pit/c1/meter",
        "Report": "carrusel/v1/pit/c1/host/report/t2",
        "Collect": "carrusel/v1/pit/c1/table/t1/collect",
        "Checkpointed": "carrusel/v1/pit/c1/table/t2/checkpoint",
        "HostCheckpointed": "carrusel/v1/pit/c1/host/checkpoint",
        "Cosigned": "carrusel/v1/pit/c1/table/t1/cosigned",
    }


@pytest.mark.promise("P13")
@pytest.mark.parametrize("y", sorted(WEAK_KEYS))
@pytest.mark.parametrize("sign", [0, 1])
def test_a_key_for_which_anybody_can_sign_speaks_for_nobody(y: int, sign: int) -> None:
    weak = (y + (sign << 255)).to_bytes(32, "little")
    identity_and_zero = base64.b64encode((1).to_bytes(32, "little") + bytes(32)).decode()
    reader = Wire("pit", "c1", STRANGER, lambda sender, incarnation, name: name == weak.hex())
    writer = wire(TABLE_KEY)
    for _ in range(64):  # one in the key's order would pass for signed
        plain = json.loads(writer.encode(MESSAGES[1]))
        payload = json.dumps({**plain, "key": weak.hex(), "signature": identity_and_zero}).encode()
        rejected = reader.decode(payload)
        assert isinstance(rejected, Rejected)
        assert rejected.fault in (WireFault.WRONG_KEY, WireFault.BAD_SIGNATURE)


def test_weak_keys_are_the_points_of_small_order() -> None:
    prime = 2**255 - 19
    d = -121665 * pow(121666, -1, prime) % prime
    eighths = {y for y in WEAK_KEYS if (d * y**4 + 2 * y**2 - 1) % prime == 0}
    assert len(eighths) == 2
    assert {y % prime for y in WEAK_KEYS - eighths} == {0, 1, prime - 1}


@pytest.mark.requirement("R54")
def test_a_field_that_only_newer_peers_say_breaks_no_older_one() -> None:
    """Both ways: an unknown field is passed over, a missing one has its default; both are under the signature."""
    birth = Status("t1", "t1-i1", NO_EPOCH, NO_MARK, alive=True, program="1.2", terms="ab")
    plain = json.loads(wire(TABLE_KEY).encode(birth))
    assert (plain["body"]["program"], plain["body"]["terms"]) == ("1.2", "ab")
    for change in ({"something_new": 7}, {"program": None, "terms": None}):
        body = {name: value for name, value in (plain["body"] | change).items() if value is not None}
        answer = wire(STRANGER).decode(signed(plain | {"body": body}))
        assert isinstance(answer, Arrived), answer
        assert isinstance(answer.message, Status)
        assert answer.message.program == body.get("program", "")


def test_a_table_of_before_that_names_no_verified_rows_and_no_other_amount_is_understood() -> None:
    row = "t1/t1-i1/1/1"
    said = Received("t1", "t1-i1", NO_EPOCH, NO_MARK, 3, "aa", ((row, 5),), ("t1/t1-i1/2/1",), ((row, -2),))
    plain = json.loads(wire(TABLE_KEY).encode(said))
    whole = wire(HOST_KEY).decode(signed(plain))
    assert isinstance(whole, Arrived)
    assert whole.message == said
    del plain["body"]["verified"], plain["body"]["beside"]
    read = wire(HOST_KEY).decode(signed(plain))
    assert isinstance(read, Arrived)
    assert read.message == dataclasses.replace(said, verified=(), beside=())


def signed(plain: dict[str, Any]) -> bytes:
    """What a peer of another version would send: signed over all that it says."""
    content = {name: value for name, value in plain.items() if name != "signature"}
    signature = TABLE_KEY.sign(SIGN_DOMAIN + msgspec.json.encode(content, order="sorted"))
    return msgspec.json.encode(content | {"signature": base64.b64encode(signature).decode()})
