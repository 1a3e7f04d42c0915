"""`carrusel carousel`: a host's journal read at rest, and promoted by two people with their PINs."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.adapters.clock import wall_ms
from controller.adapters.journal.checkpoints import node_key, waiting_key
from controller.adapters.journal.journal import Journal
from controller.adapters.link.wire import key_name
from controller.adapters.passwords import ArgonPasswords, Cost
from controller.api.texts import fingerprint_text
from controller.cli import app
from controller.core.events import AlarmRaised, Envelope
from controller.core.refusal import Refused
from controller.engine.accounts import AccountsMachine
from controller.engine.accounts_events import UserAdded
from controller.engine.host import HostMachine, HostSettings
from controller.engine.host_events import CarouselFounded, HostStarted, MemberAccepted
from controller.engine.ledger_records import Counters, Mark, Profile, Signed
from controller.engine.machine import replay
from controller.engine.messages import Counter, LinkReceived
from controller.resources import config_directory
from tests.engine.carousel_house import CENTAVO, PRIZES

runner = CliRunner(env={"LC_ALL": "en_US.UTF-8"})
KEY = "9c41aa4ad3f3e5fe187639fe8d82c38f65152aa7cbe6fbaab51cc03f3cb39ead"
IN_GROUPS = "9C41 AA4A D3F3 E5FE 1876 39FE 8D82 C38F 6515 2AA7 CBE6 FBAA B51C C03F 3CB3 9EAD"
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
    profile = Profile("t1", "t1-i1", KEY, "ARS", 500_000 * CENTAVO, PRIZES)
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
        people = (("ana", "pit_boss"), ("bea", "admin"), ("eva", "technician"), ("old", "admin"), ("new", "admin"))
        for login, role in people:
            at_ms = 0 if login == "old" else wall_ms()
            added = UserAdded(login, login, role, passwords.hash_now(f"pin of {login}", b"0123456789abcdef"))
            answer = machine.decide(
                machine.first(), Envelope(f"add-{login}", added, "installation" if login == "new" else login), at_ms
            )
            assert not isinstance(answer, Refused)
            journal.append_now(answer, at_ms)


def ask(*arguments: str, site: Path, pins: str = "") -> tuple[int, str]:
    result = runner.invoke(app, ["carousel", *arguments, "--config", str(site)], input=pins)
    return result.exit_code, result.output


def test_status_and_members(site: Path) -> None:
    code, text = ask("status", "gran", "--json", site=site)
    said = json.loads(text)
    assert (code, said["phase"], said["amount"], said["equation"]) == (0, "serving", 500_000, "holds")
    code, text = ask("members", "gran", "--json", site=site)
    assert [(line["table"], line["standing"]) for line in json.loads(text)] == [("t1", "active")]
    told = ask("members", "gran", site=site)[1]
    assert told.startswith("t1  active") and told.rstrip().endswith(f"key {IN_GROUPS}")
    held = node_key(site.parent / "state")
    assert f"of the host {fingerprint_text(key_name(held))}\n" in ask("status", "gran", site=site)[1]


def test_nobody_is_asked_for_a_pin_before_the_host_has_run(site: Path, tmp_path: Path) -> None:
    (tmp_path / "state" / "carousel-gran.db").unlink()
    code, told = ask("promote", "gran", "--reason", "disk lost", "--first", "ana", "--second", "bea", site=site)
    assert (code, "PIN" in told) == (2, False), told


def test_an_empty_disk_is_told_as_one_and_a_table_that_is_not_heard_too(site: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    key = node_key(state)
    with Journal.open(state / "carousel-gran.db", name="carousel-gran", key=key) as journal:
        machine = HostMachine(HostSettings("gran", "ARS", CENTAVO, key_name(key), journal.incarnation))
        host = replay(machine, (stored.entry for stored in journal.entries()))
        answer = machine.decide(host, Envelope("gone", AlarmRaised("table_gone", "t1")), 0)
        assert not isinstance(answer, Refused)
        journal.append_now(answer, 0)
    assert ask("members", "gran", site=site)[1].rstrip().endswith("No link")
    (state / "carousel-gran.db").rename(tmp_path / "lost.db")
    Journal.open(state / "carousel-gran.db", name="carousel-gran", key=key).close()
    assert ask("members", "gran", site=site) == (0, "no table\n")
    assert ask("status", "gran", site=site) == (0, "gran: no ledger\nthere is no ledger here\n")


def test_a_state_directory_stands_in_for_the_file_s(site: Path, tmp_path: Path) -> None:
    (tmp_path / "state").rename(tmp_path / "demo")
    assert ask("status", "gran", site=site)[0] == 2
    assert ask("status", "gran", "--state", str(tmp_path / "demo"), site=site)[0] == 0


def test_a_carousel_that_this_node_is_no_host_of_is_named(site: Path, tmp_path: Path) -> None:
    code, told = ask("status", "grande", site=site)
    assert (code, "not the host of grande; those it is the host of: gran\n" in told) == (2, True), told
    member = config_directory() / "pit-node-b.example.toml"
    code, told = ask("status", "gran-carrusel", "--state", str(tmp_path / "state"), site=member)
    assert (code, "not the host of gran-carrusel; those it is the host of: none\n" in told) == (2, True), told


def test_a_host_whose_journal_came_from_a_copy_is_told_to_be_promoted(site: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    key = node_key(state)
    with Journal.open(state / "carousel-gran.db", name="carousel-gran", key=key) as journal:
        machine = HostMachine(HostSettings("gran", "ARS", CENTAVO, key_name(key), journal.incarnation))
        host = replay(machine, (stored.entry for stored in journal.entries()))
        answer = machine.decide(host, Envelope("start", HostStarted("n", restored=True), "system"), 0)
        assert not isinstance(answer, Refused)
        journal.append_now(answer, 0)
    code, told = ask("status", "gran", site=site)
    assert (code, "another host" in told, "promoted it" in told) == (0, False, True), told


def granted(*arguments: str, site: Path) -> set[str]:
    """Users to whom the broker's list grants anything."""
    code, text = ask("acl", *arguments, site=site)
    assert code == 0, text
    return {line.removeprefix("user ") for line in text.splitlines() if line.startswith("user ")}


def t1_leaves(site: Path) -> None:
    """The host hears the table's last counters, signed by two, and writes that it left."""
    key = node_key(site.parent / "state")
    place = site.parent / "state" / "carousel-gran.db"
    with Journal.open(place, name="carousel-gran", key=key) as journal:
        machine = HostMachine(HostSettings("gran", "ARS", CENTAVO, key_name(key), journal.incarnation))
        host = replay(machine, (stored.entry for stored in journal.entries()))
        leaving = Signed("sold", "ana", "bea")
        last = Counter("t1", "t1-i1", host.epoch, Mark(1, 1, "m"), Counters(), leaving=leaving)
        answer = machine.decide(host, Envelope("last", LinkReceived(last)), 0)
        assert not isinstance(answer, Refused)
        journal.append_now(answer, 0)


@pytest.mark.promise("P13")
def test_the_brokers_list_follows_the_ledgers_roster(site: Path) -> None:
    """Who is enrolled stays when the file names it no more; who has left is out although the file still names it."""
    assert granted(site=site) == {"host", "t1"}
    site.write_text(site.read_text().replace('accept = ["t1"]', 'accept = ["t3"]'))
    assert granted(site=site) == {"host", "t3"}
    assert granted("--roster", site=site) == {"host", "t3", "t1"}
    t1_leaves(site)
    site.write_text(site.read_text().replace('accept = ["t3"]', 'accept = ["t1", "t3"]'))
    assert granted("--roster", site=site) == {"host", "t3"}


def test_promotion_takes_two_people_with_their_pins(site: Path) -> None:
    promote = ("promote", "gran", "--reason", "disk lost", "--first", "ana", "--second", "bea")
    assert ask(*promote, site=site, pins="pin of ana\nwrong\n")[0] == 1
    assert json.loads(ask("status", "gran", "--json", site=site)[1])["phase"] == "serving"
    code, text = ask(*promote, site=site, pins="pin of ana\npin of bea\n")
    assert (code, "collecting" in text) == (0, True), text
    said = json.loads(ask("status", "gran", "--json", site=site)[1])
    assert (said["phase"], said["epoch"]["term"]) == ("collecting", 2)


@pytest.mark.parametrize(
    ("first", "second"), [("ana", "ana"), ("ana", "eva"), ("ana", "nobody"), ("ana", "old"), ("ana", "new")]
)
def test_who_may_not_promote(site: Path, first: str, second: str) -> None:
    arguments = ("promote", "gran", "--reason", "because", "--first", first, "--second", second)
    code, _ = ask(*arguments, site=site, pins=f"pin of {first}\npin of {second}\n")
    assert code == 1
    assert json.loads(ask("status", "gran", "--json", site=site)[1])["phase"] == "serving"


@pytest.mark.parametrize("reason", ["", "    ", "\u3164" * 5, "x", "sin\u202e disco"])
def test_a_reason_that_cannot_be_read_is_refused_before_any_pin(site: Path, reason: str) -> None:
    journal = (site.parent / "state" / "node.db").read_bytes()
    code, text = ask("promote", "gran", "--reason", reason, "--first", "ana", "--second", "bea", site=site)
    assert (code, "4 letras o más" in text or "4 letters or more" in text) == (2, True), text
    assert (site.parent / "state" / "node.db").read_bytes() == journal


def test_what_is_not_there_is_named(site: Path) -> None:
    assert ask("status", "other", site=site)[0] == 2
    assert ask("status", "gran", site=site.with_name("none.toml"))[0] == 2


REKEY = ("rekey", "--reason", "a laptop was stolen", "--first", "ana", "--second", "bea")


@pytest.mark.requirement("R56")
def test_another_key_on_demand_ends_the_old_one_and_promotes_what_it_hosts(site: Path) -> None:
    state = site.parent / "state"
    old = key_name(node_key(state))
    code, text = ask(*REKEY, site=site, pins="pin of ana\npin of bea\n")
    assert code == 0, text
    said = json.loads(text.strip().splitlines()[-1])
    assert said["old_key"] == old
    assert said["key"] == key_name(node_key(state)) != old
    assert sorted(path.name for path in state.iterdir() if "key" in path.name) == ["node.key"]
    host = json.loads(ask("status", "gran", "--json", site=site)[1])
    assert (host["phase"], host["epoch"]["term"], host["epoch"]["host"]) == ("collecting", 2, said["key"])


@pytest.mark.parametrize(
    ("people", "pins"), [(("ana", "ana"), "pin of ana\npin of ana\n"), (("ana", "bea"), "pin of ana\nwrong\n")]
)
def test_one_person_changes_no_key(site: Path, people: tuple[str, str], pins: str) -> None:
    old = key_name(node_key(site.parent / "state"))
    arguments = ("rekey", "--reason", "because", "--first", people[0], "--second", people[1])
    assert ask(*arguments, site=site, pins=pins)[0] == 1
    assert key_name(node_key(site.parent / "state")) == old
    assert json.loads(ask("status", "gran", "--json", site=site)[1])["phase"] == "serving"


def test_a_kill_before_the_key_is_in_place_goes_on_with_the_same_key(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host's promotion was journaled under the new key; the next try takes that very key and promotes no more."""
    state = site.parent / "state"

    def killed(directory: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("controller.adapters.journal.checkpoints.take_new_key", killed)
        ask(*REKEY, site=site, pins="pin of ana\npin of bea\n")
    meant = key_name(waiting_key(state))
    assert key_name(node_key(state)) != meant
    assert ask(*REKEY, site=site, pins="pin of ana\npin of bea\n")[0] == 0
    assert key_name(node_key(state)) == meant
    host = json.loads(ask("status", "gran", "--json", site=site)[1])
    assert (host["epoch"]["term"], host["epoch"]["host"]) == (2, meant)


def test_reading_where_nothing_has_run_yet_makes_nothing(site: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    other = site.with_name("other.toml")
    other.write_text(site.read_text().replace(str(site.with_name("state")), str(empty)))
    assert str(empty) in other.read_text()
    for act in ("status", "members"):
        code, said = ask(act, "gran", site=other)
        assert code == 2 and "has not run yet" in said
    assert not empty.exists()
