"""Each fault is named with its key, its line and its reason; all of them at once."""

from pathlib import Path

import pytest

from controller.config import load_checked
from controller.resources import config_directory
from tests.config.sites import SITE, TABLE, check, found

OASIS = '[[tables]]\nid = "t2"\nname = "Mesa 2"\npreset = "oasis_argentina_2010"\n'
CIRCLE = '[[tables]]\nid = "c1"\nname = "Mesa 3"\npreset = "holdem_circle_argentina_2009"\n'
FIRST = '{ device = "cajas", input = 0, means = "credit", seat = 1 }'
LAMP = '{ device = "cajas", output = 0, means = "lamp", seat = 1 }'
DEVICE = '[[tables.devices]]\nname = "cajas"\ndriver = "modbus_rtu_io"\nport = "/dev/serial/by-id/b"\nunit = 1\n'

# What is added to a site that can run; the line of the fault is the one that ends in `#!`.
ROWS = [
    (
        OASIS
        + f"inputs = [{FIRST.replace('seat = 1', 'seat = 1, credits = 5')}] #!\njackpot = {{ max_credits = 4 }}\n"
        + DEVICE,
        "tables[1].inputs[0].credits",
        "4 credits at most",
    ),
    (CIRCLE + f"inputs = [{FIRST}] #!\n" + DEVICE, "tables[1].inputs[0].means", "no jackpot to bet credits on"),
    (
        OASIS + 'inputs = [{ device = "cajas", input = 0, means = "ante", seat = 1, amount = 999 }] #!\n' + DEVICE,
        "tables[1].inputs[0].amount",
        "outside the table's limits of 10.00 ARS to 500.00 ARS",
    ),
    (
        OASIS + "[tables.jackpot]\nstart = 500_000 #!\noptions = { start_at_least_fixed = true }\n"
        "prizes = { four_of_a_kind = { fixed = 500_001 } }",
        "tables[1].jackpot.start",
        "below the highest fixed prize of 5,000.01 ARS",
    ),
    (
        CIRCLE + '[tables.jackpot]\nkind = "progressive"\ncontribution_bp = 1_000\nstart = 500_001 #!\n'
        "options = { start_at_most_small_blinds = 500 }\nprizes = { royal_flush = { percent = 100 } }",
        "tables[1].jackpot.start",
        "above 5,000.00 ARS, the bound in small blinds",
    ),
    (
        '[[carousels]]\nid = "gran"\nname = "Gran"\nceiling = 499_999 #!\n' + OASIS + 'carousel = "gran"',
        "carousels[0].ceiling",
        "below 5,000.00 ARS, what its tables start with",
    ),
    (
        CIRCLE + "[tables.draws]\ncarta_magica = { prize = 5 } #!",
        "tables[1].draws.carta_magica",
        "draws alone",
    ),
    (
        CIRCLE + '[tables.jackpot]\nkind = "fixed"\nprizes = {} #!',
        "tables[1].jackpot.prizes",
        "nothing to win",
    ),
    ("[mqtt]\nembeded = true #!", "mqtt.embeded", "unknown key"),
    ('[state]\ndatabase = "mysql://x" #!', "state.database", "pattern"),
    ('[api]\nlisten = "8070" #!', "api.listen", "ADDRESS:PORT or unix:/PATH is wanted, not 8070"),
    ('[api]\nlisten = "127.0.0.1:99999" #!', "api.listen", "port 99999 is above 65535"),
    ('[screens]\npublic_url = "mesas.example" #!', "screens.public_url", "pattern"),
    ('[screens]\npublic_url = "https://mesas.example/" #!', "screens.public_url", "pattern"),
    ('[screens]\npublic_url = "https://mesas.example/a?b" #!', "screens.public_url", "pattern"),
    ('[screens]\nlisten = "127.0.0.1:8070" #!', "screens.listen", "the api already listens on 127.0.0.1:8070"),
    ('[mqtt]\nhost = "10.0.0.1"\nembedded = true #!', "mqtt.embedded", "loopback only"),
    ('[mqtt]\ntls = { certificate = "a" } #!', "mqtt.tls", "certificate and key come together"),
    ('[mqtt] #!\npassword_file = "a"', "mqtt", "password_file needs a username"),
    ('[state]\nreplica = "require" #!', "state.replica", "there is no database that could have a replica"),
    (OASIS.replace('"t2"', '"t1" #!'), "tables[1].id", "'t1' is already the id of a table"),
    ('[[carousels]]\nid = "t1" #!\nname = "C"', "carousels[0].id", "'t1' is already the id of a table"),
    ('[[carousels]]\nid = "c"\nname = "C"\ncurrency = "USD" #!', "carousels[0].currency", "USD, but the site"),
    ('[[carousels]] #!\nid = "c"\nname = "C"\nrole = "member"', "carousels[0]", "there is no [mqtt] section"),
    (OASIS + 'carousel = "gran" #!', "tables[1].carousel", "unknown carousel 'gran'"),
    (OASIS + "seats = 8 #!", "tables[1].seats", "oasis has 1 to 7 seats, not 8"),
    (CIRCLE + "seats = 3 #!", "tables[1].seats", "holdem-circle has 4 to 10 seats, not 3"),
    (OASIS + "limits = { minimum = 10, maximum = 5 } #!", "tables[1].limits.maximum", "below the minimum of 0.10 ARS"),
    (OASIS.replace("]]", "]] #!") + 'deck_use = "alternate"', "tables[1].decks", "the second is missing"),
    (
        OASIS + 'deck_use = "alternate"\ndecks = [{ id = "a", back = "rojo" }, { id = "b", back = "rojo" }] #!',
        "tables[1].decks",
        "differ in back colour",
    ),
    (OASIS + 'cards_read = "deal" #!', "tables[1].cards_read", "needs a reader"),
    (OASIS + 'ante_from = "sensor" #!', "tables[1].ante_from", "no ante input at seat 1, 2, 3, 4, 5, 6, 7"),
    (CIRCLE + "[tables.circle]\nrake_bp = 501 #!", "tables[1].circle.rake_bp", "500 bp, 5 %, at most"),
    (CIRCLE + "[tables.circle]\nduration_minutes = 59 #!", "tables[1].circle.duration_minutes", "an hour at least"),
    (CIRCLE + "[tables.circle]\naction_seconds = 61 #!", "tables[1].circle.action_seconds", "60 seconds to act"),
    (CIRCLE + "[tables.circle]\ncountdown_seconds = 9 #!", "tables[1].circle.countdown_seconds", "ten more seconds"),
    (CIRCLE + "[tables.circle]\ncountdown_seconds = 11 #!", "tables[1].circle.countdown_seconds", "ten more seconds"),
    (
        CIRCLE + "[tables.circle]\nplayers_minimum = 3 #!",
        "tables[1].circle.players_minimum",
        "at least 4 is wanted, not 3",
    ),
    (
        CIRCLE + "[tables.circle]\nbuy_total_maximum = 1 #!",
        "tables[1].circle.buy_total_maximum",
        "below the minimum buy-in",
    ),
    (CIRCLE + "[tables.circle.blinds]\nsmall = 2_001 #!", "tables[1].circle.blinds.small", "above the big blind"),
    (
        OASIS + "[tables.circle] #!\nblinds = { small = 1, big = 2 }\nbuy_in_minimum = 5\nrebuy_minimum = 1",
        "tables[1].circle",
        "oasis has no such terms",
    ),
    (
        OASIS + "[tables.jackpot]\nstart = 499_999 #!",
        "tables[1].jackpot.start",
        "4,999.99 ARS is below 5,000 × the lowest jackpot bet of 1.00 ARS: at least 5,000.00 ARS",
    ),
    (
        OASIS + "[tables.jackpot]\ncredit = 1_001 #!\nstart = 5_005_000",
        "tables[1].jackpot.credit",
        "10.01 ARS is above the table minimum of 10.00 ARS",
    ),
    (OASIS + "[tables.jackpot]\nmax_credits = 6 #!", "tables[1].jackpot.max_credits", "at most 5 is wanted, not 6"),
    (
        OASIS + "[tables.jackpot]\nceiling = 400_000 #!",
        "tables[1].jackpot.ceiling",
        "below the start value of 5,000.00 ARS",
    ),
    (
        OASIS + "[tables.jackpot]\ncontribution_bp = 9_600 #!",
        "tables[1].jackpot.contribution_bp",
        "take 10100 bp of 10000",
    ),
    (OASIS + "[tables.jackpot]\ncontribution_bp = 0 #!", "tables[1].jackpot.contribution_bp", "grows by a share"),
    (OASIS + "[tables.jackpot]\ncredit = 100.5 #!", "tables[1].jackpot.credit", "a whole number is wanted, not 100.5"),
    (OASIS + "[tables.jackpot]\ncredit = -1 #!", "tables[1].jackpot.credit", "at least 1 is wanted, not -1"),
    (
        OASIS + "[tables.jackpot]\nstart = 100_000_000_000_001 #!",
        "tables[1].jackpot.start",
        "at most 100000000000000 is wanted",
    ),
    (
        OASIS + "[tables.jackpot.prizes]\nflush = { percent = 5, fixed = 5 } #!",
        "tables[1].jackpot.prizes.flush",
        "one of them",
    ),
    (OASIS + "[tables.jackpot.prizes]\nflosh = { fixed = 5 } #!", "tables[1].jackpot.prizes.flosh", "'royal_flush'"),
    (
        OASIS + "[tables.jackpot.prizes] #!\nflush = { fixed = 30_000 }",
        "tables[1].jackpot.prizes",
        "accept_return_over_100 = true accepts it",
    ),
    (
        OASIS
        + '[tables.jackpot.options]\nfixed_prizes_from = "meter"\n'
        + "[tables.jackpot.prizes] #!\nflush = { fixed = 40_000 }",
        "tables[1].jackpot.prizes",
        "accept_return_over_100 = true accepts it",
    ),
    (
        OASIS
        + '[tables.draws]\ndraw_prizes_from = "pool"\npool_bp = 1\ncarta_magica = { prize = 10_000_000 }\n'
        + "[tables.jackpot.prizes] #!\nflush = { fixed = 7_500 }",
        "tables[1].jackpot.prizes",
        "accept_return_over_100 = true accepts it",
    ),
    (
        OASIS + "[tables.jackpot]\noptions = { return_at_least_bp = 8_000 }\nprizes = {} #!",
        "tables[1].jackpot.prizes",
        "at least 80.00 % is wanted",
    ),
    (
        OASIS + '[tables.jackpot.options]\nbonus_cards = "best_of_seven" #!',
        "tables[1].jackpot.options.bonus_cards",
        "first five cards",
    ),
    (
        OASIS + '[tables.jackpot]\nkind = "fixed"\nstart = 600_000 #!',
        "tables[1].jackpot.start",
        "a fixed jackpot has no meter",
    ),
    (
        OASIS + "[tables.draws]\njugador_afortunado = { prize = 200, every = 100_000_000 } #!",
        "tables[1].draws.jugador_afortunado.every",
        "longer than 100,000,000 to 1",
    ),
    (OASIS + "[tables.draws] #!\npool_bp = 100", "tables[1].draws", "go together"),
    (
        OASIS + '[[tables.devices]]\nname = "teclas" #!\ndriver = "line_reader"\nport = "c"',
        "tables[1].devices[0].name",
        "already there, at table t1",
    ),
    (
        OASIS + '[[tables.devices]]\nname = "x"\ndriver = "modbus_rtu_oi" #!\nport = "c"',
        "tables[1].devices[0].driver",
        "unknown driver 'modbus_rtu_oi'",
    ),
    (
        OASIS + '[[tables.devices]]\nname = "x"\ndriver = "line_reader"\nport = "/dev/serial/by-id/a" #!',
        "tables[1].devices[0].port",
        "already taken by 'teclas'",
    ),
    (
        OASIS + DEVICE.replace("by-id/b", "by-id/a").replace("unit = 1", "unit = 1 #!"),
        "tables[1].devices[0].unit",
        "is already 'teclas'",
    ),
    (
        OASIS + DEVICE.replace("by-id/b", "by-id/a").replace("unit = 1", "unit = 2\nserial = { baud = 19_200 } #!"),
        "tables[1].devices[0].serial",
        "other settings",
    ),
    (
        OASIS + 'inputs = [{ device = "nobody", input = 0, means = "credit", seat = 1 }] #!',
        "tables[1].inputs[0].device",
        "unknown device 'nobody'",
    ),
    (
        OASIS + f"inputs = [\n{FIRST},\n{FIRST}, #!\n]\n" + DEVICE,
        "tables[1].inputs[1].input",
        "has a meaning already",
    ),
    (
        OASIS + 'seats = 3\ninputs = [{ device = "cajas", input = 0, means = "credit", seat = 4 }] #!\n' + DEVICE,
        "tables[1].inputs[0].seat",
        "has 3 seats",
    ),
    (
        OASIS + 'inputs = [{ device = "cajas", input = 0, means = "credit" }] #!\n' + DEVICE,
        "tables[1].inputs[0]",
        "needs a seat",
    ),
    (
        OASIS + 'inputs = [{ device = "cajas", input = 0, means = "key", key = "premio" }] #!\n' + DEVICE,
        "tables[1].inputs[0].key",
        "unknown key 'premio'",
    ),
    (
        OASIS + 'inputs = [{ device = "cajas", input = 0, means = "credit", seat = 1, credits = 6 }] #!\n' + DEVICE,
        "tables[1].inputs[0].credits",
        "at most 5 is wanted, not 6",
    ),
    (
        OASIS + f"outputs = [\n{LAMP},\n{LAMP}, #!\n]\n" + DEVICE,
        "tables[1].outputs[1].output",
        "driven twice",
    ),
]


@pytest.mark.requirement("R06", "R10", "R36", "R38", "R48")
@pytest.mark.parametrize(
    ("added", "key", "reason"), ROWS, ids=[f"{row[1]}-{number}" for number, row in enumerate(ROWS)]
)
def test_fault(tmp_path: Path, added: str, key: str, reason: str) -> None:
    text = SITE + TABLE + added + "\n"
    line = next(number for number, row in enumerate(text.splitlines(), 1) if row.endswith("#!"))
    checked = check(tmp_path, text)
    assert checked.config is None
    named = [(fault.key, fault.line) for fault in checked.faults if reason in fault.reason]
    assert (key, line) in named, found(checked)


def test_the_site_that_the_rows_change_can_run(tmp_path: Path) -> None:
    assert found(check(tmp_path, SITE + TABLE)) == []


def test_all_faults_at_once_at_their_own_lines(tmp_path: Path) -> None:
    text = """\
[site]
id = "Casino X"
name = "Casino"
time_zone = "Mars/Olympus"
colour = "red"
[[tables]]
id = "t1"
preset = "oasis_argentina_2010"
[[tables]]
id = "t2"
name = "Mesa 2"
preset = "oasis_argentina_2010"
seats = 9
inputs = [
  { device = "a", input = 1, means = "key" },
  { device = "a", input = 1, means = "credit", seat = 2 },
]
[tables.jackpot]
start = 10
contribution_bp = 12_000
[[tables]]
id = "t2"
name = "Mesa 3"
preset = "holdem_circle_argentina_2009"
[tables.circle]
rake_bp = 600
"""
    named = {(fault.key, fault.line) for fault in check(tmp_path, text).faults}
    assert named == {
        ("site.id", 2),
        ("site.time_zone", 4),
        ("site.colour", 5),
        ("tables[0].name", 6),
        ("tables[1].seats", 13),
        ("tables[1].inputs[0]", 15),
        ("tables[1].inputs[1].device", 16),
        ("tables[1].jackpot.start", 19),
        ("tables[1].jackpot.contribution_bp", 20),
        ("tables[2].id", 22),
        ("tables[2].circle.rake_bp", 26),
    }


def test_a_file_that_is_no_toml(tmp_path: Path) -> None:
    [(key, line, reason)] = found(check(tmp_path, "[site]\nid = 'x'\nname = \n"))
    assert (key, line) == ("", 3)
    assert reason.startswith("not TOML")


def test_a_key_given_twice(tmp_path: Path) -> None:
    [(_, line, reason)] = found(check(tmp_path, SITE + 'id = "again"\n'))
    assert line == 5
    assert "overwrite" in reason


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    [fault] = load_checked(tmp_path / "nowhere.toml").faults
    assert (fault.file, fault.reason) == (str(tmp_path / "nowhere.toml"), "No such file or directory")


def test_a_file_nested_without_end(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text("a = " + "[" * 20_000 + "]" * 20_000)
    [fault] = load_checked(tmp_path / "site.toml").faults
    assert fault.reason == "nested too deeply"


def test_a_number_of_thousands_of_digits(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text("a = " + "9" * 5_000)
    [fault] = load_checked(tmp_path / "site.toml").faults
    assert fault.reason.startswith("not TOML")


@pytest.mark.parametrize("name", ["", "../x", "x" * 3_000, "ñ" * 50, "oasis_2011"])
def test_a_preset_that_is_none_is_named_where_the_table_names_it(tmp_path: Path, name: str) -> None:
    faults = check(tmp_path, SITE + OASIS.replace("oasis_argentina_2010", name)).faults
    fault = next(each for each in faults if "preset" in each.key)
    assert (fault.file, fault.line, fault.key) == (str(tmp_path / "site.toml"), 8, "tables[0].preset")


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    [fault] = load_checked(tmp_path).faults
    assert fault.reason == "not a regular file"


def test_a_file_of_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_bytes(b"[site]\nname = '\xff'\n")
    [fault] = load_checked(tmp_path / "site.toml").faults
    assert "not UTF-8" in fault.reason


@pytest.mark.parametrize(
    "text", ["", "tables = 3\n", "[[site]]\n", "site = 'x'\n", "tables = [1, 2]\n[site]\nid='a'\nname='b'\n"]
)
def test_wrong_shapes_are_faults(tmp_path: Path, text: str) -> None:
    checked = check(tmp_path, text)
    assert checked.config is None
    assert checked.faults


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('"oasis_argentina_2010"', '"oasis_2010"', ["tables[0].preset", "tables[1].preset"]),
        ('host_keys = ["', 'host_keys = ["zz', ["carousels[0].host_keys[0]"]),
        ("start = 2_500_000", 'start = "x"', ["tables[0].jackpot.start", "tables[1].jackpot.start"]),
        ("start = 2_500_000", "start = 100", ["tables[0].jackpot.start", "tables[1].jackpot.start"]),
    ],
)
def test_what_follows_from_a_fault_is_not_said_again(before: str, after: str, said: list[str], tmp_path: Path) -> None:
    text = (config_directory() / "pit-node-b.example.toml").read_text("utf-8")
    assert before in text
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(text.replace(before, after), "utf-8")
    checked = load_checked(wrong)
    assert [fault.key for fault in checked.faults] == said
    assert [each.key for each in checked.warnings if not each.key.startswith("tables[")] == []
    assert [each.key for each in checked.warnings if ".jackpot" in each.key and "jackpot" in said[0]] == []
