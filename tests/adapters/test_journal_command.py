"""`carrusel journal`, exports with their own verifier, backups and restores."""

import asyncio
import contextlib
import fcntl
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner, Result

from controller.adapters.journal.backup import backup, restore
from controller.adapters.journal.chain import RESTORED
from controller.adapters.journal.checkpoints import public_bytes
from controller.adapters.journal.errors import JournalDamaged, JournalInUse, JournalUnfit
from controller.adapters.journal.export import export
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from controller.api.texts import fingerprint_text
from controller.commands.journal import app
from controller.core.ledger import balances
from tests.adapters.journal_fixtures import bet
from tests.adapters.journal_places import Place, SqlitePlace

ENGLISH = {"LC_ALL": "en_US.UTF-8"}
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def command(*arguments: object) -> Result:
    return CliRunner(env=ENGLISH).invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def journal(journal_url: str) -> str:
    """A journal of 25 entries in either database."""
    with Journal.open(journal_url, name="t1", key=KEY, checkpoint_every=10) as opened:
        for number in range(24):
            opened.append_now([bet(number)], 1_000 * number)
    return journal_url


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "t1.db"
    with Journal.open(path, name="t1", key=KEY, checkpoint_every=10) as opened:
        opened.append_now([bet(number) for number in range(24)], 1_000)
    return path


def test_verify_answers_with_0_for_a_sound_journal(journal: str) -> None:
    assert command("verify", journal).exit_code == 0
    report = json.loads(command("verify", journal, "--json").stdout)
    assert (report["ok"], report["entries"], report["checkpoints"], report["first_bad_seq"]) == (True, 25, 2, None)


@pytest.mark.requirement("R88")
@pytest.mark.promise("P9")
def test_verify_answers_with_1_and_the_first_bad_seq(journal: str, place: Place) -> None:
    place.tamper("UPDATE entries SET actor = 'thief' WHERE seq = 17")
    result = command("verify", journal, "--json")
    report = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (report["first_bad_seq"], report["fault"], report["last_good_checkpoint"]["seq"]) == (17, "altered", 10)
    spoken = command("verify", journal)
    assert spoken.exit_code == 1 and "seq 17" in spoken.stdout and "last good checkpoint: seq 10" in spoken.stdout


def test_verify_against_an_outside_checkpoint(path: Path, tmp_path: Path) -> None:
    with Journal.open(path, create=False) as opened:
        outside = opened.checkpoints()[-1]
    (tmp_path / "outside.json").write_text(json.dumps(outside.as_record()))
    assert command("verify", path, "--checkpoint", tmp_path / "outside.json").exit_code == 0
    connection = sqlite3.connect(path)
    connection.execute("DROP TRIGGER entries_never_go")
    connection.execute("DELETE FROM entries WHERE seq > 15")
    connection.execute("DELETE FROM checkpoints WHERE seq > 15")
    connection.execute("DELETE FROM mentions WHERE seq > 15")
    connection.commit()
    connection.close()
    assert command("verify", path).exit_code == 0
    cut = command("verify", path, "--checkpoint", tmp_path / "outside.json")
    assert cut.exit_code == 1 and "seq 16: cut_tail" in cut.stdout
    assert command("verify", path, "--key", public_bytes(KEY).hex()).exit_code == 0
    assert command("verify", path, "--key", fingerprint_text(public_bytes(KEY).hex())).exit_code == 0
    assert command("verify", path, "--key", "00" * 32).exit_code == 1


def test_usage_errors_answer_with_2(path: Path, tmp_path: Path) -> None:
    assert command("verify", tmp_path / "none.db").exit_code == 2
    assert not (tmp_path / "none.db").exists()
    assert command("verify", path, "--checkpoint", tmp_path / "none.json").exit_code == 2
    assert command("verify", path, "--key", "zz").exit_code == 2
    assert command("show", path, "--since", "yesterday").exit_code == 2
    assert command("export", path, tmp_path / "none" / "x.jsonl").exit_code == 2
    with Journal.open(path):
        busy = command("verify", path)
    assert busy.exit_code == 2 and "in use" in busy.stderr


def test_a_check_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    """Neither beside what is no journal, nor beside one that was copied somewhere; a daemon's own lock file stays."""
    place = tmp_path / "elsewhere"
    place.mkdir()
    (place / "README.md").write_text("# No journal\n" * 100)
    (place / "nothing.db").touch()
    copied = place / "t1.db"
    copied.write_bytes(path.read_bytes())
    before = {file.name: file.read_bytes() for file in place.iterdir()}
    codes = [command("verify", place / name).exit_code for name in ("README.md", "nothing.db", "t1.db")]
    assert codes == [1, 2, 0]
    assert {file.name: file.read_bytes() for file in place.iterdir()} == before
    assert command("verify", path).exit_code == 0
    assert path.with_name("t1.db.lock").exists()


def test_a_lock_whose_file_was_taken_away_meanwhile_is_taken_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the opening of the file and its lock, a check that has ended takes the file away."""
    beside, real, taken = path.with_name("t1.db.lock"), fcntl.flock, 0

    def flock(lock: int, how: int) -> None:
        nonlocal taken
        taken += 1
        if taken == 1:
            beside.unlink()
        real(lock, how)

    monkeypatch.setattr("controller.adapters.journal.sqlite.fcntl.flock", flock)
    with Journal.open(path, name="t1"):
        assert (taken, beside.exists()) == (2, True)
        with pytest.raises(JournalInUse):
            Journal.open(path, name="t1")


def test_a_file_of_zero_bytes_or_rubbish_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / "empty.db").write_bytes(b"")
    (tmp_path / "rubbish.db").write_bytes(b"rubbish" * 1000)
    assert command("verify", tmp_path / "empty.db").exit_code == 2
    assert command("verify", tmp_path / "rubbish.db").exit_code == 1


@pytest.mark.requirement("R60")
@pytest.mark.parametrize(
    ("filters", "seqs"),
    [
        ([], list(range(1, 26))),
        (["--kind", "journal."], [1]),
        (["--kind", "credit"], list(range(2, 26))),
        (["--hand", "2"], list(range(16, 23))),
        (["--actor", "sensor", "--to-seq", "3"], [2, 3]),
        (["--from-seq", "24"], [24, 25]),
        (["--since", "1970-01-01T00:00:22"], [24, 25]),
        (["--until", "1970-01-01T00:00:01", "--kind", "credit"], [2, 3]),
        (["--table", "t1", "--to-seq", "2"], [1, 2]),
        (["--table", "t2"], []),
        (["--account", "bets", "--to-seq", "2"], [2]),
    ],
)
def test_show_filters(tmp_path: Path, filters: list[str], seqs: list[int]) -> None:
    path = tmp_path / "t1.db"
    with Journal.open(path, name="t1") as opened:
        for number in range(24):
            opened.append_now([bet(number)], 1_000 * number)
    shown = command("show", path, *filters, "--json")
    assert [json.loads(line)["seq"] for line in shown.stdout.splitlines()] == seqs
    assert len(command("show", path, *filters).stdout.splitlines()) == len(seqs)


def verify_export(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The verifier as a third party runs it: another directory, isolated Python, no packages."""
    verifier = file.with_name("verify_export.py")
    line = [sys.executable, "-I", "-S", str(verifier), str(file), *options]
    return subprocess.run(line, capture_output=True, text=True, cwd="/", env={**os.environ, **ENGLISH})


def test_an_export_is_verified_with_nothing_but_python(journal: str, tmp_path: Path) -> None:
    with Journal.open(journal, create=False) as opened:
        point = opened.checkpoints()[0]
        peer = Ed25519PrivateKey.generate()
        opened.cosign(point.seq, "host", public_bytes(peer), peer.sign(point.message()))
    target = tmp_path / "t1.jsonl"
    assert command("export", journal, target).exit_code == 0
    good = verify_export(target)
    assert good.returncode == 0, good.stdout + good.stderr
    assert "25 entries hold" in good.stdout and "2 checkpoints hold, the last at seq 20" in good.stdout
    assert "2 checkpoints" in verify_export(target, "--key", public_bytes(KEY).hex()).stdout
    assert "2 checkpoints" in verify_export(target, "--key", fingerprint_text(public_bytes(KEY).hex())).stdout
    other = verify_export(target, "--key", "11" * 32)
    assert other.returncode == 1 and "no checkpoint is of a key given" in other.stdout
    assert verify_export(tmp_path / "none").returncode == 2
    for wrong in (("--key",), ("--key", "zz"), ("--key", "11" * 31)):
        refused = verify_export(target, *wrong)
        assert (refused.returncode, refused.stdout, "no public key" in refused.stderr) == (2, "", True), wrong
    asked = verify_export(target, "--help")
    assert (asked.returncode, "--key HEX" in asked.stdout) == (0, True)
    for file in (target, journal):
        assert command("verify", file, "--key", "zz").exit_code == 2


@pytest.mark.requirement("R88")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sensor", "senses"),
        ('\\"seat\\":3', '\\"seat\\":4'),
        ("5000000", "5000001"),
        ('"seq":7,', '"seq":8,'),
        ('"wall_ms":1000', '"wall_ms":1001'),
        ('"signature":"', '"signature":"00'),
        ('"end":25', '"end":24'),
        ('"entries":25', '"entries":26'),
        ('{"end":25}\n', ""),
        ('"body":"{', '"body":"'),
    ],
)
def test_a_changed_export_is_found_out(path: Path, tmp_path: Path, old: str, new: str) -> None:
    target = tmp_path / "t1.jsonl"
    with Journal.open(path, create=False) as opened:
        export(opened, target)
    text = target.read_text()
    assert old in text
    target.write_text(text.replace(old, new, 1))
    found = verify_export(target)
    assert found.returncode == 1 and found.stdout.startswith("FAULT"), found.stdout


@pytest.mark.promise("P9")
def test_a_history_without_the_signatures_asked_for_does_not_hold(path: Path, tmp_path: Path) -> None:
    """Whoever rewrites a history takes its checkpoints out: a key that is given must have signed, and not long ago."""
    target, key = tmp_path / "t1.jsonl", public_bytes(KEY).hex()
    with Journal.open(path, create=False) as opened:
        opened.append_now([bet(number) for number in range(100, 1_095)], 0)
        export(opened, target)
    assert verify_export(target, "--key", key).returncode == command("verify", path, "--key", key).exit_code == 0
    with Journal.open(path, create=False) as opened:
        opened.append_now([bet(1_095)], 0)
        export(opened, target)
    late = verify_export(target, "--key", key)
    assert late.returncode == 1 and "1001 entries follow the last checkpoint of a key given, at seq 20" in late.stdout
    whole = command("verify", path, "--key", key, "--json")
    assert (whole.exit_code, json.loads(whole.stdout)["fault"], json.loads(whole.stdout)["first_bad_seq"]) == (
        *(1, "not_signed", 21),
    )
    lines = target.read_text().splitlines(keepends=True)
    target.write_text("".join(line for line in lines if '"checkpoint"' not in line))
    assert verify_export(target).returncode == 0, "the file alone does not show it"
    for found in (verify_export(target, "--key", key).stdout, command("verify", target, "--key", key).stdout):
        assert "no checkpoint is of a key given" in found
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.execute("DELETE FROM checkpoints")
        file.commit()
    bare = command("verify", path, "--key", key)
    assert (bare.exit_code, command("verify", path).exit_code) == (1, 0) and "seq 1: not_signed" in bare.stdout


def test_every_signature_bit_counts_in_the_verifier(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "t1.jsonl"
    with Journal.open(path, create=False) as opened:
        export(opened, target)
        signature = opened.checkpoints()[0].signature
    text = target.read_text()
    for at in (0, 31, 32, 63):
        changed = bytearray(signature)
        changed[at] ^= 1
        target.write_text(text.replace(signature.hex(), changed.hex()))
        assert "does not hold" in verify_export(target).stdout


def test_verify_reads_an_export_too(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "t1.jsonl"
    assert command("export", path, target).exit_code == 0
    sound = command("verify", target)
    assert sound.exit_code == 0 and "25 entries hold" in sound.stdout and "2 checkpoints hold" in sound.stdout
    other = command("verify", target, "--key", "00" * 32, "--json")
    assert other.exit_code == 1 and "no checkpoint is of a key given" in json.loads(other.stdout)["said"]
    target.write_text(target.read_text().replace("sensor", "thief!", 1))
    damaged = command("verify", target, "--json")
    assert damaged.exit_code == 1
    assert json.loads(damaged.stdout) == {
        "ok": False,
        "export": str(target),
        "said": "seq 2: the entry is not what was chained",
    }
    assert command("verify", target, "--checkpoint", target).exit_code == 2


def test_a_damaged_journal_is_not_exported(path: Path, tmp_path: Path) -> None:
    SqlitePlace(path).tamper("UPDATE entries SET actor = 'thief' WHERE seq = 17")
    assert command("export", path, tmp_path / "t1.jsonl").exit_code == 1
    assert not (tmp_path / "t1.jsonl").exists()


def test_a_backup_holds_and_never_replaces_a_file(journal: str, tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    assert command("backup", journal, target).exit_code == 0
    assert target.stat().st_mode & 0o777 == 0o600
    assert command("backup", journal, target).exit_code == 2
    with Journal.open(journal, create=False) as first, Journal.open(target, create=False) as second:
        assert list(first.entries()) == list(second.entries())
        assert first.checkpoints() == second.checkpoints()
        assert first.incarnation == second.incarnation
    assert command("verify", target).exit_code == 0


async def test_a_backup_while_the_journal_is_in_use(tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    with Journal.open(tmp_path / "t1.db", name="t1") as journal:
        await journal.append([bet(0)], 0)
        writes = asyncio.gather(*(journal.append([bet(number)], 0) for number in range(1, 50)))
        await asyncio.to_thread(backup, journal, target)
        await writes
        await journal.append([bet(99)], 0)
        assert verify(journal).entries == 52
    with Journal.open(target, create=False) as copied:
        report = verify(copied)
        assert report.ok and 2 <= report.entries <= 51


def test_a_restore_is_a_new_incarnation_that_names_the_old_head(journal: str, tmp_path: Path, journal_url: str) -> None:
    copy, target = tmp_path / "backup.db", tmp_path / "restored.db"
    command("backup", journal, copy)
    done = command("restore", copy, target)
    assert done.exit_code == 0, done.output
    with Journal.open(copy, create=False) as old, Journal.open(target, create=False) as new:
        last = list(new.entries())[-1]
        assert last.entry.kind == RESTORED and last.seq == 26
        assert last.entry.body["previous"] == {"incarnation": old.incarnation, "seq": 25, "head": old.head.chain.hex()}
        assert new.incarnation == last.entry.body["incarnation"] != old.incarnation
        assert new.chain_at(25) == old.head.chain
        assert balances(stored.entry for stored in new.entries()) == balances(stored.entry for stored in old.entries())
        assert verify(new).ok
    with pytest.raises(JournalUnfit):
        restore(copy, target, wall_ms=0)
    assert command("restore", copy, tmp_path / "second.db").exit_code == 0
    with Journal.open(tmp_path / "second.db", create=False) as second:
        assert second.incarnation != new.incarnation


def test_a_restore_into_postgresql(path: Path, postgres_url: str) -> None:
    restore(path, postgres_url, wall_ms=0)
    with Journal.open(postgres_url, name="t1", create=False) as new:
        assert verify(new).ok and new.head.seq == 26
    with pytest.raises(JournalUnfit):
        restore(path, postgres_url, wall_ms=0)


def test_a_checkpoint_past_the_backup_shows_what_a_restore_loses(path: Path, tmp_path: Path) -> None:
    with Journal.open(path, create=False) as opened:
        backup(opened, tmp_path / "old.db")
    with Journal.open(path, name="t1", key=KEY) as opened:
        opened.append_now([bet(77)], 0, checkpoint=True)
        later = opened.checkpoints()[-1]
    with pytest.raises(JournalDamaged, match="seq 26"):
        restore(tmp_path / "old.db", tmp_path / "new.db", wall_ms=0, against=[later])
    restore(tmp_path / "old.db", tmp_path / "new.db", wall_ms=0)
    with Journal.open(tmp_path / "new.db", create=False) as new:
        assert not verify(new, against=[later]).ok


def test_a_damaged_backup_is_not_restored(path: Path, tmp_path: Path) -> None:
    SqlitePlace(path).tamper("UPDATE entries SET actor = 'thief' WHERE seq = 17")
    assert command("restore", path, tmp_path / "new.db").exit_code == 1
    assert not (tmp_path / "new.db").exists()


def test_a_copied_file_run_twice_is_told_apart_by_its_head(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(path.read_bytes())
    with Journal.open(path, name="t1") as first, Journal.open(copy, name="t1") as second:
        first.append_now([bet(100)], 0)
        second.append_now([bet(101)], 0)
        assert first.incarnation == second.incarnation and first.head.seq == second.head.seq
        assert first.head.chain != second.head.chain
