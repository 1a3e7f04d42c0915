"""A node finds out whether its broker lets it say what it must not; rules that hold clear the alarm."""

import re
from collections.abc import Callable

import pytest

from controller.adapters.link.broker_probe import BROKER_OPEN, BrokerProbe
from controller.adapters.link.broker_rules import Pit, rules
from controller.adapters.link.mqtt import Broker
from controller.adapters.link.topics import Topics
from controller.api.texts import LANGUAGES, catalogue
from controller.core.events import AlarmCleared, AlarmRaised
from tests.services import BrokerOptions, Mosquitto

pytestmark = [pytest.mark.broker, pytest.mark.promise("P13")]

TOPICS = Topics("casino", "gran")
USERS = {"host": "h", "t1": "1", "t2": "2"}
RULES = rules([Pit(TOPICS, "host", {"t1": ["t1"], "t2": ["t2"]})])
GRACE_S = 3.0


async def tried(server: Mosquitto, user: str) -> tuple[list[object], list[str]]:
    """What a node with that user tells, and the places on which it was let."""
    told: list[object] = []

    def broker(client_id: str) -> Broker:
        return Broker(server.host, server.port, client_id, user, USERS[user])

    probe = BrokerProbe(broker, f"probe-{user}", [(TOPICS, user == "host")], told.append, GRACE_S)
    return told, [topic.removeprefix(f"{TOPICS.prefix}/") for topic in await probe.look()]


@pytest.mark.parametrize("user", ["host", "t1"])
async def test_the_written_rules_let_nobody(mosquitto_with: Callable[..., Mosquitto], user: str) -> None:
    server = mosquitto_with(BrokerOptions(passwords=USERS, acl=RULES))
    assert await tried(server, user) == ([AlarmCleared(BROKER_OPEN, "broker")], [])


async def test_a_broker_without_rules_is_open(mosquitto_with: Callable[..., Mosquitto]) -> None:
    server = mosquitto_with(BrokerOptions(passwords=USERS))
    told, host_let = await tried(server, "host")
    assert told == [AlarmRaised(BROKER_OPEN, "broker", f"{TOPICS.prefix}/table/+/counter")]
    assert len(host_let) == 2
    _, table_let = await tried(server, "t1")
    assert len(table_let) == 7


@pytest.mark.parametrize(
    ("too_much", "place"),
    [
        ("write", "host/status"),
        ("write", "meter"),
        ("write", "roster"),
        ("readwrite", "ledger/+"),
        ("write", "table/+/counter"),
        ("write", "table/+/collect"),
    ],
)
async def test_one_rule_too_many_is_found(mosquitto_with: Callable[..., Mosquitto], too_much: str, place: str) -> None:
    spoiled = RULES.replace("user t1\n", f"user t1\ntopic {too_much} {TOPICS.prefix}/{place}\n")
    server = mosquitto_with(BrokerOptions(passwords=USERS, acl=spoiled))
    told, (let,) = await tried(server, "t1")
    assert re.sub("probe-[0-9a-f]+", "+", let) == place
    assert told == [AlarmRaised(BROKER_OPEN, "broker", f"{TOPICS.prefix}/{place}")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_read_what_it_means(language: str) -> None:
    assert f"alarm.{BROKER_OPEN}" in catalogue(language).texts
