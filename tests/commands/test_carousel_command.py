"""`carrusel carousel`: a host's journal read at rest, and promoted by two people with their PINs."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.adapters.journal import Journal
from controller.adapters.journal_checkpoints import node_key
from controller.adapters.link_wire import key_name
from controller.adapters.passwords import ArgonPasswords, Cost
from controller.cli import app
from controller.core.events import Envelope
from controller.core.refusal import Refused
from controller.engine.accounts import AccountsMachine
from controller.engine.accounts_events import UserAdded
from controller.engine.host import HostMachine, HostSettings
from controller.engine.host_events import CarouselFounded, MemberAccepted
from controller.engine.ledger_records import Profile
from tests.engine.carousel_house import CENTAVO, PRIZES

runner = CliRunner()
SITE = """
[site]
id = "casino"
name = "Casino"
currency = "ARS"
decimals = 2
language = "es"
time_zone = "America/Argentina/Buenos_Aires"
[state]
directory = "{state}"
[mqtt]
host = "127.0.0.1"
[[carousels]]
id = "gran"
name = "Gran Carrusel"
role = "host"
accept = ["t1"]
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A stopped node: a host's journal with one member, and two people."""
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    file = tmp_path / "site.toml"
    file.write_text(SITE.format(state=state))
    key = node_key(state)
    profile = Profile("t1", "t1-i1", "key-t1", "ARS", 500_000 * CENTAVO, PRIZES)
    with Journal.open(state / "carousel-gran.db", name="carousel-gran", key=key) as journal:
        machine = HostMachine(HostSettings("gran", "ARS", CENTAVO, key_name(key), journal.incarnation))
        host = machine.first()
        for number, event in enumerate((CarouselFounded("new"), MemberAccepted(profile, "enrol"))):
            answer = machine.decide(host, Envelope(f"e{number}", event, "ana", "bea"), 0)
            assert not isinstance(answer, Refused)
            journal.append_now(answer, 0)
            for entry in answer:
                host = machine.apply(host, entry)
    add_people(state)
    return file


def add_people(state: Path) -> None:
    passwords = ArgonPasswords(Cost(1, 8, 1))
    machine = AccountsMachine()
    with Journal.open(state / "node.db", name="node", key=node_key(state)) as journal:
        for login, role in (("ana", "pit_boss"), ("bea", "admin"), ("eva", "technician")):
            added = UserAdded(login, login, role, passwords.hash_now(f"pin of {login}", b"0123456789abcdef"))
            answer = machine.decide(machine.first(), Envelope(f"add-{login}", added, "installation"), 0)
            assert not isinstance(answer, Refused)
            journal.append_now(answer, 0)


def ask(*arguments: str, site: Path, pins: str = "") -> tuple[int, str]:
    result = runner.invoke(app, ["carousel", *arguments, "--config", str(site)], input=pins)
    return result.exit_code, result.output


def test_status_and_members(site: Path) -> None:
    code, text = ask("status", "gran", "--json", site=site)
    said = json.loads(text)
    assert (code, said["phase"], said["amount"], said["equation"]) == (0, "serving", 500_000, "holds")
    code, text = ask("members", "gran", "--json", site=site)
    assert [(line["table"], line["standing"]) for line in json.loads(text)] == [("t1", "active")]
    assert ask("members", "gran", site=site)[1].startswith("t1  active")


def test_promotion_takes_two_people_with_their_pins(site: Path) -> None:
    promote = ("promote", "gran", "--reason", "disk lost", "--first", "ana", "--second", "bea")
    assert ask(*promote, site=site, pins="pin of ana\nwrong\n")[0] == 1
    assert json.loads(ask("status", "gran", "--json", site=site)[1])["phase"] == "serving"
    code, text = ask(*promote, site=site, pins="pin of ana\npin of bea\n")
    assert (code, "collecting" in text) == (0, True), text
    said = json.loads(ask("status", "gran", "--json", site=site)[1])
    assert (said["phase"], said["epoch"]["term"]) == ("collecting", 2)


@pytest.mark.parametrize(("first", "second"), [("ana", "ana"), ("ana", "eva"), ("ana", "nobody")])
def test_who_may_not_promote(site: Path, first: str, second: str) -> None:
    arguments = ("promote", "gran", "--reason", "x", "--first", first, "--second", second)
    code, _ = ask(*arguments, site=site, pins=f"pin of {first}\npin of {second}\n")
    assert code == 1
    assert json.loads(ask("status", "gran", "--json", site=site)[1])["phase"] == "serving"


def test_what_is_not_there_is_named(site: Path) -> None:
    assert ask("status", "other", site=site)[0] == 2
    assert ask("status", "gran", site=site.with_name("none.toml"))[0] == 2
