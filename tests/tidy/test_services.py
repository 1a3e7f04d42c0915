"""The suite's own servers and guards do what the other tests lean on."""

import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import aiomqtt
import pytest
import sqlalchemy
from playwright.async_api import Browser

from controller.adapters.link.mqtt import Client
from tests.certificates import Authority
from tests.services import BrokerOptions, Mosquitto, Postgres
from tests.steady_loop import STEP_S, SteadyLoop

LEAVES_A_TASK = """
import asyncio

async def test_leaves_a_task():
    asyncio.get_running_loop().leaked = asyncio.create_task(asyncio.sleep(60))

async def test_leaves_none():
    await asyncio.create_task(asyncio.sleep(0))

def test_of_no_loop():
    pass
"""


async def retained(broker: Mosquitto, topic: str) -> bytes | None:
    """The retained message of a topic, or None: a message of our own after it marks the end of what is kept."""
    async with Client(broker.host, broker.port) as client:
        await client.subscribe([(topic, 1), ("probe/end", 1)])
        await client.publish("probe/end", b"", qos=1)
        async for message in client.messages:
            return message.payload if message.topic.matches(topic) else None
    raise AssertionError("the broker ended the conversation")


@pytest.mark.broker
async def test_a_stopped_broker_keeps_retained_messages_and_its_port(mosquitto: Mosquitto) -> None:
    port = mosquitto.port
    async with Client(mosquitto.host, port) as client:
        await client.publish("meter", b"1999650", qos=1, retain=True)
    mosquitto.stop()
    assert not mosquitto.running
    mosquitto.start()
    assert mosquitto.port == port
    assert await retained(mosquitto, "meter") == b"1999650"


@pytest.mark.broker
async def test_a_killed_broker_has_lost_what_it_did_not_write(mosquitto: Mosquitto) -> None:
    async with Client(mosquitto.host, mosquitto.port) as client:
        await client.publish("meter", b"1999650", qos=1, retain=True)
    mosquitto.kill()
    mosquitto.start()
    assert await retained(mosquitto, "meter") is None


@pytest.mark.broker
async def test_passwords_acl_and_tls(mosquitto_with: Callable[..., Mosquitto], authority: Authority) -> None:
    authority.issue("server")
    options = BrokerOptions(
        passwords={"t1": "secret", "hall": "public"},
        acl="user t1\ntopic write tables/t1/#\nuser hall\ntopic read tables/#\n",
        tls=authority.directory,
    )
    broker = mosquitto_with(options)
    tls = aiomqtt.TLSParameters(ca_certs=str(authority.directory / "ca.crt"))

    def client(user: str | None, password: str | None) -> Client:
        return Client(broker.host, broker.port, username=user, password=password, tls_params=tls)

    with pytest.raises(aiomqtt.MqttError):
        async with client(None, None):
            pass
    async with client("hall", "public") as hall:
        await hall.subscribe("tables/#", qos=1)
        # Mosquitto 2.0 acknowledges a denied message and then hangs up, so each gets a connection of its own.
        for topic, payload in (("tables/t2/counter", b"forged"), ("tables/t1/counter", b"own")):
            with contextlib.suppress(aiomqtt.MqttError):
                async with client("t1", "secret") as table:
                    await table.publish(topic, payload, qos=1)
        assert (await anext(aiter(hall.messages))).payload == b"own"


@pytest.mark.postgres
def test_each_test_gets_an_empty_database_that_survives_a_power_cut(
    postgres_server: Postgres, postgres_url: str
) -> None:
    engine = sqlalchemy.create_engine(postgres_url, poolclass=sqlalchemy.NullPool)
    with engine.begin() as connection:
        assert sqlalchemy.inspect(connection).get_table_names() == []
        connection.execute(sqlalchemy.text("CREATE TABLE kept (seq bigint PRIMARY KEY)"))
        connection.execute(sqlalchemy.text("INSERT INTO kept VALUES (7)"))
    postgres_server.kill()
    postgres_server.start()
    with engine.begin() as connection:
        assert connection.execute(sqlalchemy.text("SELECT seq FROM kept")).scalar_one() == 7


@pytest.mark.browser
async def test_the_browser_runs_scripts(chromium: Browser) -> None:
    page = await chromium.new_page()
    await page.set_content("<p id=x></p><script>x.textContent = 6 * 7</script>")
    assert await page.text_content("#x") == "42"


async def test_while_the_machine_stands_still_so_does_the_loop_s_clock() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SteadyLoop)
    began_s = loop.time()
    waiting = asyncio.create_task(asyncio.sleep(10 * STEP_S))
    await asyncio.sleep(0)
    time.sleep(20 * STEP_S)  # noqa: ASYNC251 # nothing of this process runs meanwhile
    await asyncio.sleep(0)
    assert not waiting.done()
    assert loop.time() - began_s < 9 * STEP_S
    await waiting
    assert loop.time() - began_s >= 10 * STEP_S
    loop.leap(3.0)
    assert loop.time() - began_s > 3.0


@pytest.fixture
def suite_of_its_own(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs pytest over one file with the house's conftest, as another process."""
    root = Path(__file__).resolve().parents[2]

    def run(source: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\n")
        (tmp_path / "test_inner.py").write_text(source)
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "tests.conftest", *arguments],
            cwd=tmp_path,
            env={"PYTHONPATH": str(root), **environment},
            capture_output=True,
            text=True,
        )

    return run


def test_a_task_left_behind_fails_its_test(
    suite_of_its_own: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    ran = suite_of_its_own(LEAVES_A_TASK, PATH="/usr/bin:/bin")
    assert "3 passed, 1 error" in ran.stdout, ran.stdout + ran.stderr
    assert "the test left tasks behind: <coroutine object sleep" in ran.stdout


FAILS_UNHEARD = """
import asyncio, gc
from aiomqtt import MqttError
from playwright.async_api import Error

async def test_leaves_a_failure():
    asyncio.get_running_loop().create_future().set_exception(MqttError("gone"))
    gc.collect()

async def test_leaves_what_a_closed_page_says():
    asyncio.get_running_loop().create_future().set_exception(Error("shut"))
    gc.collect()
"""


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["plain", "workers"])
def test_a_failure_that_nobody_asked_for_fails_the_run(
    suite_of_its_own: Callable[..., subprocess.CompletedProcess[str]], workers: tuple[str, ...]
) -> None:
    ran = suite_of_its_own(FAILS_UNHEARD, *workers, PATH="/usr/bin:/bin")
    assert "2 passed, 1 error" in ran.stdout, ran.stdout + ran.stderr
    assert "MqttError" in ran.stdout and "noticed while" in ran.stdout and "shut" not in ran.stdout


NEEDS_A_MISSING_TOOL = """
import tests.services
tests.services.TOOL_PLACES["mosquitto"] = ()

def test_needs_it(mosquitto):
    pass
"""


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["plain", "workers"])
@pytest.mark.parametrize(
    ("ci", "outcome"),
    [("false", "mosquitto: 1 uses skipped"), ("true", "mosquitto is not installed")],
)
def test_a_missing_tool_is_listed_by_hand_and_fails_in_ci(
    suite_of_its_own: Callable[..., subprocess.CompletedProcess[str]], ci: str, outcome: str, workers: tuple[str, ...]
) -> None:
    ran = suite_of_its_own(NEEDS_A_MISSING_TOOL, *workers, PATH="/nowhere", CI=ci)
    assert outcome in ran.stdout, ran.stdout + ran.stderr
    assert ran.returncode == (1 if ci == "true" else 0)
