"""A node shows its certificate where one is asked for, checks the broker's, and names files that do not serve."""

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.adapters.link.broker_login import broker_of
from controller.adapters.link.mqtt import Broker, Client
from controller.cli import app
from controller.config.faults import ConfigError
from controller.config.site import Mqtt, Tls
from tests.certificates import Authority
from tests.services import BrokerOptions, Mosquitto

SITE = """
[site]
id = "casino"
name = "Casino"
[state]
directory = "{directory}/state"
[mqtt]
{mqtt}
[[carousels]]
id = "gran"
name = "Gran Carrusel"
accept = ["t1"]
"""


def settings(authority: Authority, name: str, port: int = 8883) -> Mqtt:
    certificate, key = authority.issue(name)
    return Mqtt(port=port, tls=Tls(ca=authority.directory / "ca.crt", certificate=certificate, key=key))


def client(broker: Broker) -> Client:
    return Client(broker.host, broker.port, identifier=broker.client_id, tls_context=broker.tls)


@pytest.fixture
def strict(authority: Authority, mosquitto_with: Callable[..., Mosquitto]) -> Mosquitto:
    """A broker that lets nobody in without a certificate, and whose rules know them by its common name."""
    authority.issue("server")
    acl = "user nodo-a\ntopic readwrite said/nodo-a\n"
    return mosquitto_with(BrokerOptions(tls=authority.directory, require_certificate=True, acl=acl))


@pytest.mark.requirement("R56")
@pytest.mark.broker
async def test_a_certificate_is_the_name_of_a_node(strict: Mosquitto, authority: Authority) -> None:
    broker = broker_of(settings(authority, "nodo-a", strict.port), "nodo-a")
    async with client(broker) as node, asyncio.timeout(60):
        await node.subscribe("said/#")
        for topic in ("said/nodo-b", "said/nodo-a"):  # a refused publication may end the connection
            async with client(replace(broker, client_id=topic)) as mouth:
                await mouth.publish(topic, topic, qos=1)
        message = await anext(aiter(node.messages))
    assert message.payload == b"said/nodo-a"


@pytest.mark.requirement("R56")
@pytest.mark.promise("P13")
@pytest.mark.broker
async def test_no_certificate_no_entry(strict: Mosquitto, authority: Authority) -> None:
    broker = broker_of(Mqtt(port=strict.port, tls=Tls(ca=authority.directory / "ca.crt")), "nodo-a")
    reader, writer = await asyncio.open_connection(broker.host, broker.port, ssl=broker.tls)
    with pytest.raises(ssl.SSLError, match="CERTIFICATE_REQUIRED"):
        async with asyncio.timeout(60):
            await reader.read()
    writer.close()


@pytest.mark.requirement("R56")
@pytest.mark.promise("P13")
@pytest.mark.broker
async def test_a_broker_of_another_authority_is_not_believed(
    strict: Mosquitto, authority: Authority, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    broker = broker_of(settings(Authority(other), "nodo-a", strict.port), "nodo-a")
    with pytest.raises(ssl.SSLCertVerificationError):
        await asyncio.open_connection(broker.host, broker.port, ssl=broker.tls)


def missing(tls: Tls) -> Tls:
    return tls.model_copy(update={"key": Path("/nowhere/key.pem")})


def no_certificate(tls: Tls) -> Tls:
    assert tls.ca is not None
    tls.ca.write_text("not a certificate")
    return tls


def key_of_another(tls: Tls) -> Tls:
    assert tls.key is not None
    _, key = Authority(tls.key.parent).issue("another")
    return tls.model_copy(update={"key": key})


@pytest.mark.parametrize(
    ("spoil", "key", "why"),
    [
        (missing, "mqtt.tls.key", "No such file or directory"),
        (no_certificate, "mqtt.tls.ca", "no certificate or crl found"),
        (key_of_another, "mqtt.tls.certificate", "key values mismatch"),
    ],
)
def test_a_file_that_does_not_serve_is_named(
    authority: Authority, spoil: Callable[[Tls], Tls], key: str, why: str
) -> None:
    mqtt = settings(authority, "nodo-a")
    assert mqtt.tls is not None
    with pytest.raises(ConfigError) as told:
        broker_of(mqtt.model_copy(update={"tls": spoil(mqtt.tls)}), "nodo-a")
    (fault,) = told.value.faults
    assert (fault.key, fault.reason) == (key, f"cannot be used: {why}")


@pytest.mark.parametrize(
    ("mqtt", "said"),
    [
        ('tls = { ca = "/nowhere/ca.pem" }', "/nowhere/ca.pem: mqtt.tls.ca: no se puede usar"),
        (
            'username = "a"\npassword_file = "/nowhere/password"',
            "/nowhere/password: mqtt.password_file: no se puede usar",
        ),
    ],
)
def test_the_daemon_does_not_start_without_them(tmp_path: Path, mqtt: str, said: str) -> None:
    file = tmp_path / "site.toml"
    file.write_text(SITE.format(directory=tmp_path, mqtt=mqtt))
    result = CliRunner().invoke(app, ["run", "--config", str(file)])
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "state").exists()
