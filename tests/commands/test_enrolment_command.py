"""`carrusel carousel profile|enrol`: what a node prints of its table, what the host refuses before it asks for PINs."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.adapters.clock import wall_ms
from controller.adapters.journal.checkpoints import node_key
from controller.adapters.journal.journal import Journal
from controller.adapters.link.wire import key_name
from controller.adapters.passwords import ArgonPasswords, Cost
from controller.api.texts import fingerprint_text
from controller.cli import app
from controller.config.loader import load
from controller.core.events import Envelope
from controller.core.refusal import Refused
from controller.engine.accounts import AccountsMachine
from controller.engine.accounts_events import UserAdded
from controller.engine.host import HostMachine, HostSettings
from controller.engine.host_events import CarouselFounded
from controller.engine.ledger_profiles import profile_from_plain, terms_of
from tests.engine.carousel_house import CENTAVO

runner = CliRunner(env={"LC_ALL": "en_US.UTF-8"})
SITE = """
[site]
id = "casino"
name = "Casino"
[state]
directory = "{state}"
[mqtt]
[[carousels]]
id = "gran"
name = "Gran Carrusel"
{facts}
[[tables]]
id = "{table}"
name = "Mesa 1"
preset = "oasis_argentina_2010"
carousel = "gran"
"""
KEY = "9c41aa4ad3f3e5fe187639fe8d82c38f65152aa7cbe6fbaab51cc03f3cb39ead"
PEOPLE = ["--first", "ana", "--second", "bea", "--reason", "opening of the pit"]


def node(directory: Path, table: str, facts: str) -> Path:
    directory.mkdir()
    file = directory / "carrusel.toml"
    file.write_text(SITE.format(state=directory / "state", facts=facts, table=table))
    return file


def add_people(config: Path) -> None:
    machine, passwords, key = AccountsMachine(), ArgonPasswords(Cost(1, 8, 1)), node_key(config.parent / "state")
    with Journal.open(config.parent / "state" / "node.db", name="node", key=key) as journal:
        for login, role in (("ana", "pit_boss"), ("bea", "admin")):
            pin = passwords.hash_now(f"pin of {login}", b"0123456789abcdef")
            answer = machine.decide(
                machine.first(), Envelope(login, UserAdded(login, login, role, pin), login), wall_ms()
            )
            assert not isinstance(answer, Refused)
            journal.append_now(answer, wall_ms())


def hosted(config: Path) -> None:
    """The host's daemon has run: its carousel is founded."""
    state = config.parent / "state"
    state.mkdir(exist_ok=True)
    key = node_key(state)
    with Journal.open(state / "carousel-gran.db", name="carousel-gran", key=key) as journal:
        machine = HostMachine(HostSettings("gran", "ARS", CENTAVO, key_name(key), journal.incarnation))
        answer = machine.decide(machine.first(), Envelope("new", CarouselFounded("new"), "ana", "bea"), 0)
        assert not isinstance(answer, Refused)
        journal.append_now(answer, 0)


@pytest.fixture
def member(tmp_path: Path) -> Path:
    return node(tmp_path / "member", "t2", f'role = "member"\nhost_keys = ["{KEY}"]')


@pytest.fixture
def host(tmp_path: Path) -> Path:
    return node(tmp_path / "host", "t1", 'accept = ["t2"]')


def profile(config: Path, table: str) -> str:
    result = runner.invoke(app, ["carousel", "profile", table, "--config", str(config)])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_a_profile_is_one_line_and_stays_the_same(member: Path) -> None:
    line = profile(member, "t2")
    assert line.count("\n") == 1
    said = profile_from_plain(json.loads(line))
    assert (said.table, said.currency, said.start_micros) == ("t2", "ARS", 500_000 * 10_000)
    assert profile(member, "t2") == line


def test_both_nodes_show_the_same_lines_of_what_is_signed_before_the_pins(
    member: Path, host: Path, tmp_path: Path
) -> None:
    at_the_table = runner.invoke(app, ["carousel", "profile", "t2", "--config", str(member)])
    said = profile_from_plain(json.loads(at_the_table.stdout))
    file = tmp_path / "t2.json"
    file.write_text(at_the_table.stdout)
    hosted(host)
    add_people(host)
    enrol = ["carousel", "enrol", "gran", "--config", str(host), "--profile", str(file), *PEOPLE]
    done = runner.invoke(app, enrol, input="pin of ana\npin of bea\n")
    assert done.exit_code == 0, done.output
    shown, _, asked = done.stderr.partition("PIN of ana")
    assert shown == at_the_table.stderr and asked, "before anybody is asked for a PIN"
    lines = [line.strip().partition(": ")[::2] for line in shown.replace("\u00a0", " ").splitlines()[1:]]
    assert lines[:5] == [
        ("Key of the machine", fingerprint_text(said.key)),
        ("Table's journal", said.incarnation),
        ("Start value", "$ 5,000.00"),
        ("Table's limit", "no limit"),
        ("Most a hand may reasonably add", "$ 8.75"),
    ]
    assert ("Prize, share of the progressive · Royal flush", "100 %") in lines
    assert lines[-1] == ("Digest of the terms", fingerprint_text(terms_of(said)))


def test_what_is_refused_is_refused_before_anybody_is_asked(member: Path, host: Path, tmp_path: Path) -> None:
    file = tmp_path / "t2.json"
    altered = json.loads(profile(member, "t2"))
    file.write_text(json.dumps(altered | {"start_micros": altered["start_micros"] + 1}))
    hosted(host)
    done = runner.invoke(app, ["carousel", "enrol", "gran", "--config", str(host), "--profile", str(file), *PEOPLE])
    assert (done.exit_code, "PIN" in done.stderr, "[amount_not_whole]" in done.stderr) == (1, False, True), done.stderr


def test_a_table_of_nobody_has_no_profile(member: Path) -> None:
    result = runner.invoke(app, ["carousel", "profile", "t9", "--config", str(member)])
    assert result.exit_code == 2
    assert "no table t9" in result.stderr


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"table": "t3"}, "does not accept t3"),
        ({"key": KEY[:-2]}, "is no table's profile"),
        ({"start_micros": -1}, "start is out of bounds"),
    ],
)
def test_a_wrong_profile_is_refused_before_anybody_is_asked(
    member: Path, host: Path, tmp_path: Path, change: dict[str, object], why: str
) -> None:
    file = tmp_path / "t2.json"
    file.write_text(json.dumps(json.loads(profile(member, "t2")) | change))
    result = runner.invoke(app, ["carousel", "enrol", "gran", "--config", str(host), "--profile", str(file), *PEOPLE])
    assert result.exit_code == 2
    assert why in result.stderr


ALONE = """
[[tables]]
id = "solo"
name = "Mesa 9"
preset = "oasis_argentina_2010"
"""


def test_who_is_let_in_by_whom(member: Path, host: Path) -> None:
    """A table that plays for itself is let into its own carousel of one, as after a restore."""
    host.write_text(host.read_text() + ALONE)
    hosting, playing = load(host), load(member)
    assert hosting.accepted("gran") == {"t1", "t2"}
    assert hosting.accepted("solo") == {"solo"}
    assert hosting.accepted("other") == set()
    assert playing.accepted("gran") == set()


@pytest.mark.parametrize("text", ["", "t2", "[" * 100_000, "{}"], ids=["empty", "word", "deep", "nothing"])
def test_something_else_is_no_profile(host: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "t2.json"
    file.write_text(text)
    result = runner.invoke(app, ["carousel", "enrol", "gran", "--config", str(host), "--profile", str(file), *PEOPLE])
    assert result.exit_code == 2
    assert "is no table's profile" in result.stderr


def test_a_member_enrols_nobody(member: Path, tmp_path: Path) -> None:
    file = tmp_path / "t2.json"
    file.write_text(profile(member, "t2"))
    result = runner.invoke(app, ["carousel", "enrol", "gran", "--config", str(member), "--profile", str(file), *PEOPLE])
    assert result.exit_code == 2
    assert "does not accept t2" in result.stderr
