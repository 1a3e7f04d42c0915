"""`carrusel draws verify` on the export of a real journal, whole and with one digit changed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controller.adapters.journal.export import export
from controller.adapters.journal.journal import Journal
from controller.cli import app
from controller.commands.draws import WRONG
from controller.core import draws_verify
from controller.core.draws import DrawContext, draw_card
from controller.core.draws_verify import hash_of_list, verify_draws
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms
from tests.engine.pit import SEEDS, Pit, oasis_settings

runner = CliRunner()


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    pit = Pit(oasis_settings(draws=(DrawTerms(CARTA_MAGICA, 50), DrawTerms(JUGADOR_AFORTUNADO, 50))))
    for _ in range(3):
        pit.play("2c 4s 6h 8c Tc", "3c 5s 7h 9c Jc", seats=(2, 5))
    with Journal.open(tmp_path / "table.db", name="table-t1") as journal:
        journal.append_now(pit.journal, 0)
        export(journal, tmp_path / "table.jsonl")
    return tmp_path / "table.jsonl"


@pytest.mark.requirement("R105")
@pytest.mark.promise("P14")
def test_every_draw_is_recomputed(exported: Path) -> None:
    result = runner.invoke(app, ["draws", "verify", str(exported), "--json"])
    assert (result.exit_code, json.loads(result.stdout)["draws"]) == (0, 6), result.output


@pytest.mark.parametrize(("locale", "said"), [("es_AR.UTF-8", "no se revisa acá"), ("en_US.UTF-8", "not checked here")])
def test_it_says_that_the_chain_is_checked_elsewhere(exported: Path, locale: str, said: str) -> None:
    result = runner.invoke(app, ["draws", "verify", str(exported)], env={"LC_ALL": locale})
    assert (result.exit_code, said in result.stdout, "journal verify" in result.stdout) == (0, True, True)


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("es_AR.UTF-8", "asiento 3: se dejó una cadena de semillas antes de su final: faltaba la semilla siguiente"),
        ("en_US.UTF-8", "entry 3: a chain of seeds was left before its end: the next seed was missing"),
    ],
)
def test_a_chain_that_was_left_is_told_with_its_reason(tmp_path: Path, locale: str, said: str) -> None:
    where = {"site": "test", "table": "t1", "incarnation": "i1", "length": 20}
    told = [
        ("draw.chain", {**where, "commitment": SEEDS[0].hex()}),
        ("draw.source_failed", {"why": "no_seed", "called_off": []}),
        ("draw.chain", {**where, "commitment": SEEDS[5].hex()}),
    ]
    lines = [{"seq": seq, "kind": kind, "body": json.dumps(body)} for seq, (kind, body) in enumerate(told, 1)]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in ({"carrusel_export": 1}, *lines)))
    result = runner.invoke(app, ["draws", "verify", str(path)], env={"LC_ALL": locale})
    assert (result.exit_code, said in result.stdout) == (0, True), result.stdout
    left = json.loads(runner.invoke(app, ["draws", "verify", str(path), "--json"]).stdout)["chains_left"]
    assert left == [{"seq": 3, "why": "no_seed"}]


@pytest.mark.promise("P14")
def test_draws_after_a_restore_are_held_to_its_incarnation() -> None:
    """A draw of hand 1 under the first incarnation, one of hand 2 under the restored journal's."""
    rows = [{"seat": 2, "ante": 1000, "credits": 1}]
    entries: list[tuple[int, str, dict[str, Any]]] = [(1, "draw.chain", {"commitment": SEEDS[0].hex(), "length": 20})]
    for hand, incarnation in ((1, "i1"), (2, "i2")):
        if hand == 2:
            entries.append((len(entries) + 1, "journal.restored", {"incarnation": incarnation}))
        context = DrawContext("test", "t1", incarnation, hand, CARTA_MAGICA, hash_of_list(rows))
        closed = {"hand": hand, "list": rows, "list_hash": context.list_hash, "draws": [CARTA_MAGICA]}
        made = {"hand": hand, "index": hand, "seed": SEEDS[hand].hex(), "list_hash": context.list_hash}
        results = [[CARTA_MAGICA, str(draw_card(SEEDS[hand], context)), []]]
        entries += [
            (len(entries) + 1, "bets.closed", closed),
            (len(entries) + 2, "draw.made", made | {"results": results}),
        ]
    verified = verify_draws("test", "t1", "i1", entries)
    assert (verified.draws, verified.findings) == (2, ())


def test_a_changed_result_is_named(exported: Path) -> None:
    lines = exported.read_text().splitlines()
    place = next(number for number, line in enumerate(lines) if '"draw.made"' in line)
    row = json.loads(lines[place])
    body = json.loads(row["body"])
    body["results"][1][1] = "1" if body["results"][1][1] != "1" else "2"
    lines[place] = json.dumps({**row, "body": json.dumps(body)})
    exported.write_text("\n".join(lines) + "\n")
    result = runner.invoke(app, ["draws", "verify", str(exported)], env={"LC_ALL": "en_US.UTF-8"})
    assert (result.exit_code, f"entry {row['seq']}: the sum of Jugador Afortunado gives" in result.stdout) == (
        1,
        True,
    ), result.output


HEADER = '{"carrusel_export": 1}\n'


@pytest.mark.parametrize(
    "text", ["", "not json\n", '{"other": 1}\n', HEADER + '{"kind": "draw.chain", "body": "{}"}\n']
)
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    result = runner.invoke(app, ["draws", "verify", str(path)])
    assert result.exit_code == 2, result.output


@pytest.mark.promise("P14")
@pytest.mark.parametrize(
    ("gone", "found"), [({"draw.chain"}, "commitment"), ({"draw.chain", "draw.made"}, "draw_missing")]
)
def test_draws_whose_commitment_was_taken_out_do_not_hold(exported: Path, gone: set[str], found: str) -> None:
    lines = exported.read_text().splitlines(keepends=True)
    exported.write_text("".join(line for line in lines if json.loads(line).get("kind") not in gone))
    result = runner.invoke(app, ["draws", "verify", str(exported), "--json"])
    assert result.exit_code == 1 and found in [each["name"] for each in json.loads(result.stdout)["findings"]]


CHAIN_BODY = {"site": "s", "table": "t1", "incarnation": "i1", "commitment": "00", "length": 20}


@pytest.mark.parametrize(
    "told",
    [
        [("draw.chain", {**CHAIN_BODY, "site": 5}), ("draw.made", {"seed": SEEDS[1].hex()})],
        [("draw.chain", {**CHAIN_BODY, "length": "x"}), ("draw.chain", CHAIN_BODY)],
        [("draw.chain", CHAIN_BODY), ("bets.closed", {"list": 5})],
        [("draw.chain", CHAIN_BODY), ("bets.closed", [])],
        [("draw.chain", [])],
        [(5, "[" * 100_000)],
    ],
)
def test_whatever_stands_in_an_entry_it_is_named(tmp_path: Path, told: list[tuple[Any, Any]]) -> None:
    lines = [{"seq": seq, "kind": kind, "body": json.dumps(body)} for seq, (kind, body) in enumerate(told, 1)]
    if isinstance(told[0][1], str):
        lines[0]["body"] = told[0][1]
    path = tmp_path / "x.jsonl"
    path.write_text(HEADER + "\n".join(json.dumps(line) for line in lines))
    result = runner.invoke(app, ["draws", "verify", str(path)])
    assert (result.exit_code, str(path) in result.stderr) == (2, True), result.output


def test_nothing_of_a_file_steers_a_terminal(tmp_path: Path) -> None:
    closed = {"hand": 1, "list": [], "list_hash": "\x1b[2J\x1b[1;1H0 do not hold", "draws": []}
    told = [("draw.chain", CHAIN_BODY), ("bets.closed", closed)]
    lines = [{"seq": seq, "kind": kind, "body": json.dumps(body)} for seq, (kind, body) in enumerate(told, 1)]
    path = tmp_path / "x.jsonl"
    path.write_text(HEADER + "\n".join(json.dumps(line) for line in lines))
    result = runner.invoke(app, ["draws", "verify", str(path)])
    assert (result.exit_code, "\x1b" in result.stdout) == (1, False), result.stdout


def test_a_journal_itself_is_told_from_its_export(exported: Path) -> None:
    journal = exported.with_name("table.db")
    result = runner.invoke(app, ["draws", "verify", str(journal)], env={"LC_ALL": "en_US.UTF-8"})
    assert result.exit_code == 2
    assert f"{journal}: a journal, not its export; `carrusel journal export` writes one" in result.stderr


def first_draw(lines: list[str]) -> int:
    return next(number for number, line in enumerate(lines) if '"draw.made"' in line)


@pytest.mark.parametrize(
    ("locale", "missing", "twice", "other"),
    [
        (
            "es_AR.UTF-8",
            "la mano anterior terminó sin su sorteo (Carta Mágica, Jugador Afortunado)",
            "sortea Carta Mágica, Jugador Afortunado, y lo que faltaba sortear es –",
            "su semilla no es la publicada antes",
        ),
        (
            "en_US.UTF-8",
            "the hand before ended without its draw (Carta Mágica, Jugador Afortunado)",
            "it draws Carta Mágica, Jugador Afortunado, and what was still to be drawn is –",
            "its seed is not the one published before",
        ),
    ],
)
def test_what_does_not_hold_is_said_in_people_s_words(
    exported: Path, locale: str, missing: str, twice: str, other: str
) -> None:
    lines = exported.read_text().splitlines()
    place = first_draw(lines)
    for kept, said in ((0, missing), (2, twice)):
        exported.write_text("\n".join([*lines[:place], *[lines[place]] * kept, *lines[place + 1 :]]) + "\n")
        result = runner.invoke(app, ["draws", "verify", str(exported)], env={"LC_ALL": locale})
        assert result.exit_code == 1
        assert said in result.stdout
        assert other in result.stdout
        assert not {"draw_missing", "kinds", "commitment", "index"} & set(result.stdout.split())


def test_every_word_of_a_finding_has_its_sentence() -> None:
    source = Path(draws_verify.__file__).read_text()
    named = set(re.findall(r'_expect\(seen, seq, "(\w+)"', source)) | {draws_verify.SEATS}
    assert named == set(WRONG)
