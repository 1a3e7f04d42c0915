"""The command line speaks one language at a time: every command's help and what it says of every wrong use."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner, Result

from controller.adapters.journal.export import export_lines, write_export
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify_export import SPANISH, main
from controller.api.roles import Permission
from controller.cli import app
from controller.commands import demo
from controller.commands.console_words import environment_language
from controller.commands.right_words import RIGHTS, SECOND
from controller.core.ledger import Entry, Posting
from drivers.decode import PROTOCOLS

SPANISH_HERE, ENGLISH_HERE = {"LC_ALL": "es_AR.UTF-8"}, {"LC_ALL": "en_US.UTF-8"}
ENGLISH = (
    "above add all already an and any are at be been before below by can cannot change damaged directory does "
    "each ended entries entry every exit expected failed fault file for from give given have help here if in "
    "input into invalid is it its known least line missing most must name names none not of one only open option "
    "options or other over path print read required same should such table than that the their them then there "
    "these they this to too twice two unknown usage value wanted was what when where which who will with without "
    "wrong"
)
"""Words of English sentences that Spanish does not have."""
SPANISH_WORDS = (
    "acá algo apuesta así cada carpeta carta cartas clave como con cuenta del desconocido dónde el ella eso "
    "espera está este falta hay la las libro los mano ni número pero por premio que se si sin sobre su sus "
    "también tiene una uno valor y ya"
)
OUTSIDE = re.compile(
    r"`[^`]*`|'[^']*'|<[^>]*>|\[[^\]]*\]|\([a-z_]+\)|--[a-z-]+|\S*[/_.:=|]\S+|[A-Z]{2,}\S*|[2-9TJQKA][shdc]\b|\b[0-9a-f]{8,}\b"
    r"|(?:root|carrusel)(?: [a-z][a-z-]+)*|^│ \*?\s*[a-z][a-z-]+\s{2,}|[│╭╮╰╯─*]+"
    r"|Carta Mágica|Jugador Afortunado|Oasis, Argentina|Texas Hold'em"
)
"""What is no word of a sentence: codes, options, places, kinds, frames, names."""
SITE = """
[site]
id = "sala"
name = "Sala"
currency = "ARS"
decimals = 2
language = "{language}"
time_zone = "America/Argentina/Buenos_Aires"
[state]
directory = "estado"
"""
TABLE = """
[[tables]]
id = "m1"
name = "Mesa 1"
preset = "oasis_argentina_2010"
"""


def commands() -> Iterator[tuple[str, ...]]:
    """Every command and every group of them, as it is typed."""
    waiting = [((), get_command(app))]
    while waiting:
        path, command = waiting.pop()
        yield path
        waiting += [((*path, name), below) for name, below in getattr(command, "commands", {}).items()]


def run(arguments: tuple[str, ...], environment: dict[str, str], typed: str = "") -> Result:
    return CliRunner(env={"COLUMNS": "100", **environment}).invoke(app, list(arguments), input=typed)


def sentences(text: str) -> Iterator[list[str]]:
    """The words of each line, without codes, options, places and frames."""
    for line in text.splitlines():
        if line.lstrip().startswith(("{", "}", "[", "]", '"')):
            continue  # JSON, which is for programs
        yield re.findall(r"[^\W\d_]+", OUTSIDE.sub(" ", line))


def check_languages(spanish: str, english: str) -> None:
    """Neither says a word of the other's, and no line of words is in both."""
    foreign = {word for line in sentences(spanish) for word in line if word.lower() in ENGLISH.split()}
    assert foreign - set(PROTOCOLS) == set(), spanish
    foreign = {word for line in sentences(english) for word in line if word.lower() in SPANISH_WORDS.split()}
    assert foreign == set(), english
    both = {line.strip() for line in spanish.splitlines()} & {line.strip() for line in english.splitlines()}
    assert [line for line in both if len(next(sentences(line), [])) > 2] == []


@pytest.mark.parametrize("path", sorted(commands()), ids=" ".join)
def test_help_is_in_one_language(path: tuple[str, ...]) -> None:
    spanish, english = (run((*path, "--help"), here) for here in (SPANISH_HERE, ENGLISH_HERE))
    assert (spanish.exit_code, english.exit_code) == (0, 0)
    assert ("Uso: " in spanish.output, "Usage: " in english.output) == (True, True)
    check_languages(spanish.output, english.output)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files to go wrong with, named in no language."""
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(SITE.format(language="es") + TABLE)
    Path("n.toml").write_text(SITE.format(language="es"))
    Path("t.toml").write_text("[[m\n")
    Path("v.toml").write_text(SITE.format(language="es") + TABLE + 'base.ante = "x"\nseats = "x"\njackpot.kind = "x"\n')
    Path("l.toml").write_text(SITE.format(language="es") + TABLE + '[api]\nlisten = "8070"\n[mqtt]\ntls = true\n')
    Path("f.toml").write_text(SITE.format(language="es") + TABLE + '[state]\ndirectory = "e"\n')
    Path("u.toml").write_bytes(b"x = '\xff'\n")
    Path("i.toml").write_text(SITE.format(language="es").replace("estado", "i" * 300) + TABLE)
    Path("k.toml").write_text(SITE.format(language="es").replace("estado", "k") + TABLE)
    Path("k").mkdir()
    Path("k/node.key").write_text("")
    Path("k/node.key").chmod(0o644)
    Path("d").mkdir()
    Path("estado").mkdir(mode=0o700)
    Path("e").write_text("")
    Path("p.json").write_text("[]")
    Path("h.json").write_text('[{"game": "oasis"}, {"game": "x"}, 7]')
    with Journal.open("j.db", name="m1") as journal:
        journal.append_now([Entry("i1", "k1", {}, (Posting("q1", 5), Posting("q2", -5)))], 0)
        write_export(export_lines(journal, journal.head), Path("x"))
    Path("w").write_text(Path("x").read_text().replace('"k1"', '"k2"'))
    Path("q").write_text(Path("x").read_text().replace('"name":"m1"', '"name":"m2"', 1))
    Path("g").write_text(Path("x").read_text() + "[" * 100_000)
    Path("g.json").write_text("[" * 100_000)
    os.mkfifo("o")
    return tmp_path


WRONG: list[tuple[str, int]] = [
    ("", 2),
    ("foo", 2),
    ("rnu", 2),
    ("--foo", 2),
    ("run", 2),
    ("run --config", 2),
    ("run --config z.toml", 2),
    ("run --config t.toml", 2),
    ("run --json=1 --config z.toml", 2),
    ("demo --seconds 1", 2),
    ("demo --state .", 2),
    ("check-config", 2),
    ("check-config z.toml", 2),
    ("check-config d", 2),
    ("check-config t.toml", 2),
    ("check-config u.toml", 2),
    ("check-config v.toml", 2),
    ("check-config s.toml k", 2),
    ("check-config l.toml", 2),
    ("run --config f.toml", 2),
    ("demo --json d", 2),
    ("demo --json z/z.json", 2),
    ("journal verify d", 2),
    ("journal verify e", 2),
    ("draws verify u.toml", 2),
    ("settle z.json", 2),
    ("settle d", 2),
    ("settle e", 2),
    ("settle h.json", 2),
    ("rank", 2),
    ("rank XX 2", 2),
    ("rank As As Ks Qs Js", 2),
    ("rank As Ks", 2),
    ("rank --lin", 2),
    ("rank --lines z", 2),
    ("odds x", 2),
    ("odds oasis --preset x", 2),
    ("odds oasis --seed x", 2),
    ("odds oasis --seed -1", 2),
    ("odds oasis --credits 9", 2),
    ("odds oasis --plot z.svg", 2),
    ("odds oasis --simulate 1 --plot z/z.svg", 2),
    ("odds holdem-circle --simulate 1", 2),
    ("journal", 2),
    ("journal foo", 2),
    ("journal verify", 2),
    ("journal verify z.db", 2),
    ("journal verify t.toml", 1),
    ("journal verify w", 1),
    ("journal verify x --checkpoint p.json", 2),
    ("journal verify j.db --checkpoint p.json", 2),
    ("journal verify j.db --checkpoint z.json", 2),
    ("journal verify j.db --key zz", 2),
    ("journal verify j.db --name m2", 2),
    ("journal verify o", 2),
    ("journal show o", 2),
    ("journal export o r", 2),
    ("journal backup o r.db", 2),
    ("journal restore o r.db", 2),
    ("journal show x", 2),
    ("journal export x r", 2),
    ("journal backup x r.db", 2),
    ("journal restore x r.db", 2),
    ("draws verify j.db", 2),
    ("journal show j.db --since x", 2),
    ("journal show j.db --hand x", 2),
    ("journal backup j.db j.db", 2),
    ("journal backup j.db z/z.db", 2),
    ("journal export j.db z/z", 2),
    ("journal export j.db j.db", 2),
    ("journal export j.db verify_export.py", 2),
    ("journal verify q", 1),
    ("journal verify g", 1),
    ("journal verify j.db --checkpoint g.json", 2),
    ("draws verify g", 2),
    ("journal restore j.db j.db", 2),
    ("draws verify", 2),
    ("draws verify z", 2),
    ("draws verify d", 2),
    ("draws verify e", 2),
    ("draws verify t.toml", 2),
    ("devices decode", 2),
    ("devices decode x --hex 00", 2),
    ("devices decode cctalk --hex zz", 2),
    ("devices decode cctalk --hex 123", 2),
    ("devices decode cctalk --hex 00 --direction x", 2),
    ("devices test --config z.toml", 2),
    ("devices test --config s.toml", 1),
    ("devices watch --config s.toml --table m9", 2),
    ("devices simulate --config t.toml", 2),
    ("users list --config z.toml", 2),
    ("users add ana --config s.toml --role x --name Ana", 2),
    ("users add Ana --config s.toml --role admin --name Ana", 2),
    ("users add ana --config s.toml --role admin --name Ana --language fr", 2),
    ("users add ana --config s.toml --role admin --name Ana", 1),
    ("users passwd ana --config s.toml", 1),
    ("carousel status m1 --config s.toml", 2),
    ("carousel members m1 --config z.toml", 2),
    ("carousel promote m1 --config s.toml --first ana --second ana --reason because", 2),
    ("carousel rekey --config s.toml --first ana --second eva --reason ....", 1),
    ("carousel rekey --config s.toml --first ana --second ana --reason because", 1),
    ("carousel profile m9 --config s.toml", 2),
    ("carousel enrol m1 --profile p.json --config s.toml --first ana --second eva --reason because", 2),
    ("carousel status m1 --config i.toml", 2),
    ("carousel status m1 --config k.toml", 2),
    ("carousel members m1 --config k.toml", 2),
    ("carousel profile m1 --config i.toml", 2),
    ("carousel profile m1 --config k.toml", 2),
    ("carousel rekey --config i.toml --first ana --second eva --reason because", 2),
    ("carousel rekey --config k.toml --first ana --second eva --reason because", 2),
    ("carousel promote m1 --config k.toml --first ana --second eva --reason because", 2),
    ("carousel acl --config i.toml --roster", 2),
    ("users list --config i.toml", 2),
    ("users passwd ana --config i.toml", 2),
    ("draws verify {long}", 2),
    ("journal verify {long}", 2),
    ("journal show {long}", 2),
    ("journal backup {long} z.db", 2),
    ("journal verify x --checkpoint {long}", 2),
    ("settle {long}", 2),
    ("rank --lines {long}", 2),
    ("check-config {long}", 2),
    ("run --config {long}", 2),
    ("run --config i.toml", 1),
    ("run --config k.toml", 1),
    ("carousel acl --config s.toml", 2),
    ("carousel acl --config s.toml --node x", 2),
]


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(("line", "code"), WRONG, ids=[line or "nothing" for line, _ in WRONG])
def test_what_is_wrong_is_said_in_one_language(line: str, code: int) -> None:
    arguments = tuple(line.replace("{long}", "i" * 300).split())
    spanish, english = (run(arguments, here) for here in (SPANISH_HERE, ENGLISH_HERE))
    assert (spanish.exit_code, english.exit_code) == (code, code), spanish.output + english.output
    told = spanish.output if arguments == () or arguments[-1] == "journal" else spanish.stderr + spanish.stdout
    assert told.strip() != ""
    check_languages(spanish.output, english.output)


PINS = "271828\n271828\n"
RIGHT: list[tuple[str, str]] = [
    ("check-config s.toml", ""),
    ("rank As Ks Qs Js 9s", ""),
    ("odds oasis --simulate 10", ""),
    ("journal verify j.db", ""),
    ("journal verify x", ""),
    ("journal export j.db {out}", ""),
    ("journal backup j.db {out}.db", ""),
    ("journal restore j.db {out}.db", ""),
    ("draws verify x", ""),
    ("devices decode cctalk --hex ff0100", ""),
    ("users list --config s.toml", ""),
    ("users add {out} --config s.toml --role admin --name Ana", PINS),
    ("users passwd {out} --config s.toml", PINS),
    ("users disable {out} --config s.toml", ""),
]


def test_what_is_right_is_said_in_one_language(place: Path) -> None:
    for name in ("o1", "o2", "o3"):
        run(tuple(f"users add {name} --config s.toml --role admin --name Ana".split()), SPANISH_HERE, PINS)
    for line, typed in RIGHT:
        outs = ("o4", "o5") if line.startswith("users add") else ("o1", "o2")
        said = [
            run(tuple(line.format(out=out).split()), here, typed)
            for out, here in zip(outs, (SPANISH_HERE, ENGLISH_HERE), strict=True)
        ]
        assert [each.exit_code for each in said] == [0, 0], (line, said[0].output, said[1].output)
        check_languages(said[0].output, said[1].output)
        for out in outs:
            (place / f"{out}.db").unlink(missing_ok=True)


def test_a_site_is_spoken_to_in_its_language_where_the_environment_asks_for_none(place: Path) -> None:
    plain = {"LC_ALL": "C"}
    assert run(("users", "list", "--config", "s.toml"), plain).output == "todavía no hay cuentas\n"
    Path("s.toml").write_text(SITE.format(language="en") + TABLE)
    assert run(("users", "list", "--config", "s.toml"), plain).output == "no accounts yet\n"
    assert run(("users", "list", "--config", "s.toml"), SPANISH_HERE).output == "todavía no hay cuentas\n"
    assert "can run" in run(("check-config", "s.toml"), plain).output
    assert "puede funcionar" in run(("check-config", "s.toml", "--language", "es"), ENGLISH_HERE).output


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, None),
        ({"LANG": "C.UTF-8"}, None),
        ({"LANG": "fr_FR.UTF-8"}, None),
        ({"LANG": "es_AR.UTF-8"}, "es"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "es_AR.UTF-8"}, "es"),
        ({"LANG": "es_AR.UTF-8", "LC_MESSAGES": "en_GB"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": ""}, "en"),
    ],
)
def test_the_language_of_an_environment(environment: dict[str, str], language: str | None) -> None:
    assert environment_language(environment) == language


def test_json_is_the_same_in_both_languages(place: Path) -> None:
    lines = ("rank XX --json", "journal verify j.db --json", "journal verify w --json", "settle e --json")
    for line in (*lines, "check-config s.toml --json", "draws verify x --json", "odds oasis --json"):
        spanish, english = (run(tuple(line.split()), here) for here in (SPANISH_HERE, ENGLISH_HERE))
        assert json.loads(spanish.stdout) == json.loads(english.stdout), line


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("arguments", "code"), [(["x"], 0), (["w"], 1), (["e"], 1), (["t.toml"], 1), (["z"], 2), ([], 2), (["x", "w"], 2)]
)
def test_the_verifier_beside_an_export_speaks_both(
    arguments: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for here in (SPANISH_HERE, ENGLISH_HERE):
        monkeypatch.setenv("LC_ALL", here["LC_ALL"])
        assert main(arguments) == code
        told.append("".join(capsys.readouterr()))
    check_languages(*told)
    assert all(english != spanish for english, spanish in SPANISH.items())


def test_every_right_is_told_in_words() -> None:
    assert RIGHTS.keys() | SECOND.keys() == {each.value for each in Permission}


def test_what_the_demo_says_to_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for here in (SPANISH_HERE, ENGLISH_HERE):
        monkeypatch.setenv("LC_ALL", here["LC_ALL"])
        told.append(demo.what_to_watch())
    check_languages(*told)


@pytest.mark.parametrize(("verified", "equation"), [(True, "holds"), (False, "broken")])
def test_what_the_demo_says_at_its_end(monkeypatch: pytest.MonkeyPatch, verified: bool, equation: str) -> None:
    journals = [{"name": "t1", "entries": 7, "verified": verified}]
    counts = {"hands": {"oasis": 2}, "jackpot_bets": 3, "draws": {"carta_magica": 4, "jugador_afortunado": 5}}
    summary = {"seconds": 31, **counts, "awards": 1, "journals": journals, "equation": equation}
    told = []
    for here in (SPANISH_HERE, ENGLISH_HERE):
        monkeypatch.setenv("LC_ALL", here["LC_ALL"])
        told.append("\n".join(demo.ended_lines(summary)))
    check_languages(*told)
    assert "hands: Oasis" in told[1] and "jackpot bets: 3; awards: 1; draws: 9" in told[1]
    assert (": t1" in told[0]) is not verified


def test_a_folder_is_called_one(tmp_path: Path) -> None:
    for options, kind in ((SPANISH_HERE, "<carpeta>"), (ENGLISH_HERE, "<folder>")):
        assert re.search(rf"--state\s+{kind}", run(("demo", "--help"), options).stdout)
    (tmp_path / "file").touch()
    done = run(("demo", "--state", str(tmp_path / "file")), SPANISH_HERE)
    assert (done.exit_code, "es un archivo" in " ".join(done.stderr.split())) == (2, True)
