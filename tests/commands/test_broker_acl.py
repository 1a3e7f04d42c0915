"""`carrusel carousel acl` on a real Mosquitto: each user says only its own, and hears what it plays by."""

import asyncio
from collections.abc import Callable

import pytest
from typer.testing import CliRunner

from controller.adapters.link.mqtt import Client
from controller.adapters.link.topics import Topics
from controller.cli import app
from controller.resources import config_directory
from tests.services import BrokerOptions, Mosquitto

runner = CliRunner(env={"LC_ALL": "en_US.UTF-8"})
HOST_FILE = config_directory() / "pit-node-a.example.toml"
TOPICS = Topics("casino", "gran-carrusel")
USERS = {"nodo-a": "a", "nodo-b": "b", "carteles": "c"}
ARGUMENTS = ["--node", "nodo-b=mesa-3,mesa-4", "--looker-on", "carteles"]
LAST = "ledger/999"


def test_the_shipped_list_is_what_is_printed_for_the_pit_of_the_examples() -> None:
    """And a paragraph for surveillance, which no roster names."""
    printed = runner.invoke(app, ["carousel", "acl", "--config", str(HOST_FILE), *ARGUMENTS])
    shipped = (config_directory() / "mosquitto" / "carrusel.acl").read_text("utf-8")
    assert shipped.partition("\n# Surveillance")[0] == printed.stdout, printed.output


# who says what, and whether the host hears it
SAID = [
    ("nodo-a", "ledger/7", True),
    ("nodo-a", "host/status", True),
    ("nodo-a", "roster", True),
    ("nodo-a", "meter", True),
    ("nodo-a", "host/checkpoint", True),
    ("nodo-a", "table/mesa-1/counter", True),
    ("nodo-a", "host/claim/mesa-1.x.1", True),
    ("nodo-a", "table/mesa-3/counter", False),
    ("nodo-a", "host/report/mesa-3", False),
    ("nodo-b", "table/mesa-3/counter", True),
    ("nodo-b", "table/mesa-3/status", True),
    ("nodo-b", "table/mesa-4/received", True),
    ("nodo-b", "table/mesa-4/checkpoint", True),
    ("nodo-b", "table/mesa-4/cosigned", False),
    ("nodo-b", "host/checkpoint", False),
    ("nodo-b", "host/claim/mesa-3.x.1", True),
    ("nodo-b", "host/report/mesa-4", True),
    ("nodo-b", "host/report/mesa-1", False),
    ("nodo-b", "table/mesa-1/counter", False),
    ("nodo-b", "table/mesa-3/collect", False),
    ("nodo-b", "host/status", False),
    ("nodo-b", "host/anything", False),
    ("nodo-b", "ledger/8", False),
    ("nodo-b", "meter", False),
    ("nodo-b", "roster", False),
    ("carteles", "meter", False),
    ("carteles", "host/claim/x", False),
    ("carteles", "table/mesa-1/counter", False),
]
# who hears what the host and its tables say
HEARD = [
    (
        "nodo-b",
        [
            "host/status",
            "ledger/1",
            "meter",
            "roster",
            "table/mesa-3/collect",
            "host/checkpoint",
            "table/mesa-3/cosigned",
        ],
    ),
    ("carteles", ["host/status", "ledger/1", "meter"]),
]


def written(*arguments: str) -> str:
    result = runner.invoke(app, ["carousel", "acl", "--config", str(HOST_FILE), *arguments])
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.fixture
def broker(mosquitto_with: Callable[..., Mosquitto]) -> Mosquitto:
    return mosquitto_with(BrokerOptions(passwords=USERS, acl=written(*ARGUMENTS)))


def client(broker: Mosquitto, user: str) -> Client:
    return Client(broker.host, broker.port, username=user, password=USERS[user])


async def heard(broker: Mosquitto, listener: str, said: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Speaker and place of what a listener hears, up to a last word that all may hear."""
    found: list[tuple[str, str]] = []
    async with client(broker, listener) as ears, asyncio.timeout(60):
        await ears.subscribe(f"{TOPICS.prefix}/#", qos=1)
        for user, place in [*said, ("nodo-a", LAST)]:
            async with client(broker, user) as mouth:
                await mouth.publish(f"{TOPICS.prefix}/{place}", user, qos=1)
        async for message in ears.messages:
            place = str(message.topic).removeprefix(f"{TOPICS.prefix}/")
            if place == LAST:
                return found
            found.append((bytes(message.payload or b"").decode(), place))
    return found


@pytest.mark.promise("P13")
@pytest.mark.broker
async def test_each_user_says_only_its_own(broker: Mosquitto) -> None:
    said = [(user, place) for user, place, _ in SAID]
    assert await heard(broker, "nodo-a", said) == [(user, place) for user, place, is_heard in SAID if is_heard]


@pytest.mark.broker
@pytest.mark.parametrize(("listener", "places"), HEARD)
async def test_each_user_hears_what_it_plays_by(broker: Mosquitto, listener: str, places: list[str]) -> None:
    said = ["host/status", "ledger/1", "meter", "roster", "table/mesa-3/collect", "table/mesa-1/collect"]
    said += ["table/mesa-1/counter", "host/checkpoint", "table/mesa-3/cosigned", "table/mesa-1/cosigned"]
    assert await heard(broker, listener, [("nodo-a", place) for place in said]) == [("nodo-a", each) for each in places]


def test_a_table_alone_is_the_user_of_its_own_id() -> None:
    text = written()
    assert "user mesa-3\n" in text and "user mesa-4\n" in text
    _, _, rest = text.partition("user mesa-4\n")
    own, _, _ = rest.partition("user ")
    assert f"write {TOPICS.prefix}/table/mesa-4/counter" in own
    assert "mesa-3" not in own and "mesa-1" not in own


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--node", "nodo-b"], "USER=TABLE,TABLE"),
        (["--node", "nodo-b=mesa-9"], "no carousel accepts mesa-9"),
        (["--looker-on", "nodo-a"], "one user or table twice"),
        (["--user", "mesa-3"], "one user or table twice"),
        (["--node", "nodo-b=mesa-3", "--node", "nodo-c=mesa-3"], "one user or table twice"),
        (["--looker-on", "tablero\ntopic readwrite #"], "cannot be the name of a user"),
        (["--node", "nodo-b =mesa-3"], "cannot be the name of a user"),
        (["--user", "anfitrión\r"], "cannot be the name of a user"),
        (["--looker-on", ""], "cannot be the name of a user"),
    ],
)
def test_wrong_arguments_are_named(arguments: list[str], why: str) -> None:
    result = runner.invoke(app, ["carousel", "acl", "--config", str(HOST_FILE), *arguments])
    assert result.exit_code == 2
    assert why in result.stderr


def test_a_member_has_no_list_to_write() -> None:
    member = config_directory() / "pit-node-b.example.toml"
    result = runner.invoke(app, ["carousel", "acl", "--config", str(member)])
    assert result.exit_code == 2
    assert "hosts no carousel" in result.stderr
