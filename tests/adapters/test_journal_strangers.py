"""Exports that came from somebody: what they say of themselves, and what no export holds."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.journal.checkpoints import WEAK_KEYS, is_signature, public_bytes
from controller.adapters.journal.export import VERIFIER
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify_export import Fault as ExportFault
from controller.adapters.journal.verify_export import is_signed
from controller.adapters.journal.verify_export import verify as verify_export
from tests.adapters.journal_desk import DEEP, KEY, command, exported_from, made_journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return made_journal(tmp_path)


@pytest.fixture
def exported(path: Path) -> Path:
    return exported_from(path)


@pytest.mark.promise("P9")
@pytest.mark.parametrize("name", ["name", "incarnation"])
def test_an_export_is_of_the_journal_that_its_entries_name(exported: Path, name: str) -> None:
    """The first line is under no chain: one journal's file must not pass as another's, nor as another life of it."""
    header, *lines = exported.read_text().splitlines(keepends=True)
    told = json.loads(header)
    exported.write_text(json.dumps({**told, name: "t2"}, separators=(",", ":")) + "\n" + "".join(lines))
    for keys in ((), ("--key", public_bytes(KEY).hex())):
        found = command("journal", "verify", exported, *keys)
        assert found.exit_code == 1 and "it speaks of t" in found.stdout and "the entries are of t1 aa" in found.stdout


@pytest.mark.promise("P9")
def test_an_export_after_a_restore_names_the_new_incarnation(path: Path, tmp_path: Path) -> None:
    assert command("journal", "restore", path, tmp_path / "new.db").exit_code == 0
    target = tmp_path / "new.jsonl"
    assert command("journal", "export", tmp_path / "new.db", target).exit_code == 0
    held = command("journal", "verify", target, "--key", public_bytes(KEY).hex())
    assert held.exit_code == 0 and "2 checkpoints hold" in held.stdout
    with Journal.open(tmp_path / "new.db", create=False) as opened:
        now = opened.incarnation
    target.write_text(target.read_text().replace(now, "aa", 1))
    assert f"it speaks of t1 aa, the entries are of t1 {now}" in command("journal", "verify", target).stdout


@pytest.mark.parametrize("change", ['"name":"t1"', '"incarnation":"aa"'])
def test_a_checkpoint_of_another_journal_does_not_count(exported: Path, change: str) -> None:
    """Signed by somebody, over the right chain, for another name."""
    lines = exported.read_text().splitlines()
    place = next(number for number, line in enumerate(lines) if '"checkpoint"' in line)
    other = Ed25519PrivateKey.generate()
    point = json.loads(lines[place].replace(change, change.replace(change[-3:], 'x9"')))["checkpoint"]
    told = "\n".join((point["name"], point["incarnation"], str(point["seq"]), point["chain"]))
    signature = other.sign(b"carrusel checkpoint v1\n" + told.encode() + b"\n").hex()
    signed = {**point, "public_key": public_bytes(other).hex(), "signature": signature}
    lines[place] = json.dumps({"checkpoint": signed, "cosignatures": []})
    exported.write_text("\n".join(lines) + "\n")
    with pytest.raises(ExportFault, match="seq 10: the checkpoint saw another history"):
        verify_export(str(exported), set())


@pytest.mark.parametrize(
    ("asked", "code", "said"),
    [
        (("journal", "verify"), 1, ("renglón 27: no es lo que", "line 27: this is not what an export holds")),
        (("draws", "verify"), 2, ("renglón 27: anidado con demasiada", "line 27: nested too deeply")),
    ],
)
def test_a_line_that_is_nested_too_deeply_is_named(
    exported: Path, asked: tuple[str, ...], code: int, said: tuple[str, str]
) -> None:
    lines = exported.read_text().splitlines()
    exported.write_text("\n".join([*lines[:26], DEEP, *lines[26:]]))
    for locale, words in zip(("es_AR.UTF-8", "en_US.UTF-8"), said, strict=True):
        found = command(*asked, exported, locale=locale)
        assert (found.exit_code, words in found.output) == (code, True), found.output


def test_a_line_without_an_end_is_not_read_whole(exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    longest = max(map(len, exported.read_text().splitlines())) + 2
    monkeypatch.setattr("controller.adapters.journal.verify_export.LONGEST", longest)
    assert verify_export(str(exported), set())
    with exported.open("a") as file:
        file.write("x" * longest)
    with pytest.raises(ExportFault, match=r"line 30: this is not what an export holds"):
        verify_export(str(exported), set())


@pytest.mark.parametrize("strange", ['"t1\\u001b[2J"', '"t1\\n"', "5", '["t1"]'])
def test_no_name_of_a_file_steers_a_terminal(exported: Path, strange: str) -> None:
    exported.write_text(exported.read_text().replace('"name":"t1"', f'"name":{strange}', 1))
    found = command("journal", "verify", exported)
    assert found.exit_code == 1 and found.stdout.count("\n") == 1 and "\x1b" not in found.stdout


def test_the_verifier_runs_on_the_python_of_whoever_checks() -> None:
    """3.8 has the syntax; what it does not know of types stands in annotations alone, which are not evaluated."""
    source = VERIFIER.read_text()
    tree = ast.parse(source, feature_version=(3, 8))
    assert "from __future__ import annotations" in source
    generic = ("tuple", "list", "dict", "set", "type")
    evaluated = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript) and _name(node) in generic]
    annotated = {id(each) for node in ast.walk(tree) for place in _annotations(node) for each in ast.walk(place)}
    guarded = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    annotated |= {id(each) for node in guarded for each in ast.walk(node)}
    assert [ast.unparse(node) for node in evaluated if id(node) not in annotated] == []


def _name(node: ast.Subscript) -> str:
    return node.value.id if isinstance(node.value, ast.Name) else ""


def _annotations(node: ast.AST) -> list[ast.expr]:
    places = (getattr(node, "annotation", None), getattr(node, "returns", None))
    return [place for place in places if place is not None]


@pytest.mark.promise("P9")
@pytest.mark.parametrize("y", sorted(WEAK_KEYS))
@pytest.mark.parametrize("sign", [0, 1])
def test_a_key_for_which_anybody_can_sign_signs_nothing(y: int, sign: int) -> None:
    weak = (y + (sign << 255)).to_bytes(32, "little")
    identity_and_zero = (1).to_bytes(32, "little") + bytes(32)
    for number in range(16):  # one in the key's order would pass for signed
        message = f"checkpoint {number}".encode()
        assert not is_signature(weak, identity_and_zero, message)
        assert not is_signed(weak, message, identity_and_zero)


def test_an_export_is_its_owner_s_alone_and_the_verifier_everybody_s(exported: Path) -> None:
    """A node's journal holds the hashes of PINs."""
    (exported.parent / f"t1.jsonl.{os.getpid()}.part").touch(0o644)  # an export that was killed left this
    command("journal", "export", exported.parent / "t1.db", exported)
    assert exported.stat().st_mode & 0o777 == 0o600
    assert exported.with_name(VERIFIER.name).stat().st_mode & 0o044 == 0o044


def test_several_journals_at_once_into_one_folder(path: Path) -> None:
    """The verifier beside the exports is one file for all."""
    journals = [path.with_name(f"{number}.db") for number in range(4)]
    for journal in journals:
        shutil.copy(path, journal)
    asked = (sys.executable, "-m", "controller", "journal", "export")
    exports = [subprocess.Popen((*asked, journal, journal.with_suffix(".jsonl"))) for journal in journals]
    assert [each.wait() for each in exports] == [0] * len(exports)
    assert len(list(path.parent.glob("*.jsonl"))) == len(exports)
    assert not list(path.parent.glob("*.part"))
