"""`carrusel journal verify|show|export|backup|restore`: a journal at rest, or through the daemon that holds it."""

import json as json_text
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.commands.console_words import FINDING, counted_words, entries_said, fail, language, spoken, words
from controller.config.recognized import own_words
from controller.config.texts import said

if TYPE_CHECKING:
    from controller.adapters.control_client import DaemonJournal
    from controller.adapters.journal.checkpoints import Checkpoint
    from controller.adapters.journal.journal import Journal

HOLD = "{name}: {count} entry holds, head {head}", "{name}: {count} entries hold, head {head}"
CHECKPOINTS_HOLD = (
    "incarnation {incarnation}, {count} checkpoint holds",
    "incarnation {incarnation}, {count} checkpoints hold",
)
RESTORED = (
    "{journal}: {count} entry of {name} restored; a new incarnation begins",
    "{journal}: {count} entries of {name} restored; a new incarnation begins",
)
"""Each of one and of any other number."""
PUBLIC_KEY_BYTES = 32

app = typer.Typer(no_args_is_help=True, help="Verify, show, export, back up and restore a journal, in use or not.")

Where = Annotated[str, typer.Argument(metavar="JOURNAL", help="A journal file, or the URL of a database.")]
Name = Annotated[str | None, typer.Option("--name", help="Which journal, where a database holds several.")]
State = Annotated[
    Path | None, typer.Option("--state", help="State directory of the daemon that may hold it (default: the file's).")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Outside = Annotated[
    list[Path] | None,
    typer.Option("--checkpoint", help="A JSON file with a checkpoint kept elsewhere (repeatable); shows a cut tail."),
]
Keys = Annotated[
    list[str] | None, typer.Option("--key", help="Only checkpoints of this public key (hex) count; there must be some.")
]


@app.command()
def verify(
    journal: Where,
    name: Name = None,
    state: State = None,
    checkpoint: Outside = None,
    key: Keys = None,
    json: Json = False,
) -> None:
    """Check every entry from the first to the last; exits 1 and names the first bad seq when one does not hold.

    An export is checked as its own verifier does: chain, balance and checkpoints, but no equations.
    """
    from controller.adapters.journal.export import is_export

    if is_export(Path(journal)):
        _verify_export(journal, key or [], checkpoint or [], json)
        return
    from controller.adapters.journal.equations import equations
    from controller.adapters.journal.errors import JournalDamaged
    from controller.adapters.journal.verify import damaged
    from controller.adapters.journal.verify import verify as verify_all

    against = [point for path in checkpoint or [] for point in read_checkpoints(path)]
    keys = [_public_key(text) for text in key or []]
    with _usage_errors():
        try:
            with _at_rest(journal, name, state) as found:
                if found.held is not None:
                    report = found.held.report([each.as_record() for each in against], [each.hex() for each in keys])
                else:
                    report = verify_all(found.here, equations=equations(), against=against, keys=keys).as_record()
        except JournalDamaged as error:
            report = damaged(error).as_record()
    _print_report(report, json)
    if not report["ok"]:
        raise typer.Exit(1)


def _verify_export(file: str, keys: list[str], against: list[Path], json: bool) -> None:
    """What the verifier beside an export says of it; exits 1 when it does not hold."""
    from controller.adapters.journal.verify_export import Fault, verify

    if against:
        raise typer.BadParameter(said("an export is checked by the checkpoints in it; --checkpoint is for a journal"))
    english = json or language() == "en"
    fault = None
    try:
        told = verify(file, {_public_key(key).hex() for key in keys}, english)
    except Fault as found:
        fault = found.said(english)
    if json:
        print(json_text.dumps({"ok": fault is None, "export": file, "said": fault or told}))
    else:
        print(f"{file}: {words('FAULT {place}', place=fault) if fault else told}")
    if fault is not None:
        raise typer.Exit(1)


@app.command()
def show(
    journal: Where,
    name: Name = None,
    state: State = None,
    kind: Annotated[str | None, typer.Option(help="Only kinds that begin so.")] = None,
    table: Annotated[str | None, typer.Option(help="Only entries of this table.")] = None,
    hand: Annotated[int | None, typer.Option(help="Only entries of this hand.")] = None,
    actor: Annotated[str | None, typer.Option(help="Only entries of this actor.")] = None,
    account: Annotated[str | None, typer.Option(help="Only entries that move this account.")] = None,
    from_seq: Annotated[int, typer.Option(help="From this seq on.")] = 1,
    to_seq: Annotated[int | None, typer.Option(help="Up to this seq.")] = None,
    since: Annotated[str | None, typer.Option(help="From this time on (2026-05-01T20:00, UTC).")] = None,
    until: Annotated[str | None, typer.Option(help="Up to this time.")] = None,
    json: Json = False,
) -> None:
    """Print entries, oldest first; with --json one JSON object per line."""
    from_ms, to_ms = _milliseconds(since), _milliseconds(until)
    with _usage_errors(), _at_rest(journal, name, state) as found:
        for record in found.entries(from_seq, to_seq):
            wanted = (
                (kind is None or record["kind"].startswith(kind))
                and (table is None or str(record["body"].get("table", found.name)) == table)
                and (hand is None or record["body"].get("hand") == hand)
                and (actor is None or record["actor"] == actor)
                and (account is None or any(posted == account for posted, _ in record["postings"]))
                and (from_ms is None or record["wall_ms"] >= from_ms)
                and (to_ms is None or record["wall_ms"] <= to_ms)
            )
            if wanted:
                _print_entry(record, json)


@app.command()
def export(
    journal: Where, target: Annotated[Path, typer.Argument(metavar="FILE")], name: Name = None, state: State = None
) -> None:
    """Write everything to one file of JSON lines, with a verifier beside it that needs nothing but Python."""
    from controller.adapters.journal.export import VERIFIER, check_gives_way, export_lines, write_export

    with _usage_errors(), _at_rest(journal, name, state) as found:
        check_gives_way(target)
        lines = found.held.export_lines() if found.held is not None else export_lines(found.here, found.here.head)
        first = next(lines)
        write_export(chain((first,), lines), target)
    written = {"file": target, "entries": entries_said(first["entries"]), "head": first["head"]}
    print(words("{file}: {entries}, head {head}", **written))
    print(words("verify with: {command}", command=f"python3 {target.with_name(VERIFIER.name)} {target}"))


@app.command()
def backup(
    journal: Where, target: Annotated[Path, typer.Argument(metavar="FILE")], name: Name = None, state: State = None
) -> None:
    """Write a consistent copy to a new file, and verify the copy."""
    from controller.adapters.journal.backup import backup as back_up
    from controller.adapters.journal.backup import written_backup
    from controller.adapters.journal.journal import Journal
    from controller.adapters.journal.verify import verify as verify_all

    with _usage_errors():
        with _at_rest(journal, name, state) as found:
            if found.held is None:
                back_up(found.here, target)
            else:
                with written_backup(target) as partial_file:
                    found.held.backup_into(partial_file)
        with Journal.open(target, create=False) as copied:
            report = verify_all(copied)
    head = report.head.chain.hex()
    print(words("{file}: {entries}, head {head}", file=target, entries=entries_said(report.entries), head=head))
    if not report.ok:
        _print_report(report.as_record(), False)
        raise typer.Exit(1)


@app.command()
def restore(
    source: Annotated[Path, typer.Argument(metavar="BACKUP")], journal: Where, checkpoint: Outside = None
) -> None:
    """Make a new journal from a backup that holds, as a new incarnation: the old one is never continued."""
    from controller.adapters.journal.backup import restore as restore_from

    against = [point for path in checkpoint or [] for point in read_checkpoints(path)]
    with _usage_errors():
        _check_no_export(source)
        report = restore_from(source, journal, wall_ms=time.time_ns() // 1_000_000, against=against)
    print(counted_words(report.entries, *RESTORED, journal=journal, name=report.name))


@dataclass
class _Found:
    """A journal: opened here, or held by a daemon that answers for it."""

    name: str
    opened: "Journal | None" = None
    held: "DaemonJournal | None" = None

    @property
    def here(self) -> "Journal":
        assert self.opened is not None, "it is held by a daemon"
        return self.opened

    def entries(self, from_seq: int, to_seq: int | None) -> Iterator[dict[str, Any]]:
        """Stored entries as records."""
        from controller.adapters.journal.chain import LAST_SEQ

        from_seq = min(max(from_seq, 1), LAST_SEQ)
        if self.held is not None:
            yield from self.held.entries(from_seq, to_seq)
            return
        for stored in self.here.entries(from_seq - 1):
            if to_seq is not None and stored.seq > to_seq:
                return
            yield stored.as_record()


@contextmanager
def _at_rest(journal: str, name: str | None, state: Path | None) -> Iterator[_Found]:
    """The journal, opened when nobody holds it, else asked of the daemon at the socket of its state directory."""
    from controller.adapters.control_client import DaemonJournal, NoDaemon
    from controller.adapters.journal.errors import JournalInUse
    from controller.adapters.journal.journal import Journal, is_server

    _check_no_export(Path(journal))
    try:
        opened = Journal.open(journal, name=name, create=False)
    except JournalInUse as busy:
        if is_server(journal):
            if state is None or name is None:
                ask = said("{busy}; give --name, and --state to ask the daemon that holds it", busy=own_words(busy))
                raise JournalInUse(ask) from busy
            directory = state
        else:
            path = Path(journal.removeprefix("sqlite:///")).resolve()
            directory, name = state or path.parent, name or path.stem
        held = DaemonJournal(directory, name)
        try:
            held.check()
        except NoDaemon as silent:
            both = {"busy": own_words(busy), "silent": own_words(silent)}
            stop = said("{busy}, and {silent}: stop what holds it, or read a backup", **both)
            raise JournalInUse(stop) from silent
        yield _Found(name, held=held)
        return
    with opened:
        yield _Found(opened.name, opened)


def _check_no_export(path: Path) -> None:
    """An export is whole, and no damaged journal: it ends the command in words."""
    from controller.adapters.journal.export import is_export

    if is_export(path):
        fail(said("{path} is an export, not the journal or a backup of it", path=path))


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Damage is a finding (exit 1); a journal that cannot be opened or a file that cannot be written is usage (2)."""
    from controller.adapters.journal.errors import JournalDamaged, JournalError

    try:
        yield
    except JournalDamaged as error:
        fail(error, code=FINDING)
    except (JournalError, OSError) as error:
        fail(error)


def read_checkpoints(path: Path) -> list["Checkpoint"]:
    """The checkpoint in a file and, as another node keeps them, the last ones of the boots before."""
    from controller.adapters.journal.checkpoints import Checkpoint

    why: str
    try:
        record = json_text.loads(path.read_text())
        points = [Checkpoint.from_record(each) for each in (record, *record.get("earlier", ()))]
    except (KeyError, TypeError, AttributeError):
        why = said("it lacks what one holds")
    except RecursionError:
        why = said("nested too deeply")
    except (OSError, ValueError) as error:
        why = own_words(error)
    else:
        return points
    fail(said("{path} is no checkpoint: {why}", path=path, why=why))


def _public_key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != PUBLIC_KEY_BYTES:
        fail(said("{text} is no public key in hex", text=text))
    return key


def _milliseconds(text: str | None) -> int | None:
    from datetime import UTC, datetime

    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        fail(said("{text} is no time such as 2026-05-01T20:00", text=text))
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def _moment(wall_ms: int) -> str:
    """A time in UTC; of a clock that no calendar follows, what it said."""
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(wall_ms / 1000, UTC).isoformat(sep=" ", timespec="milliseconds")
    except (ValueError, OverflowError):
        return f"{wall_ms} ms"


def _print_report(report: Mapping[str, Any], json: bool) -> None:
    if json:
        print(json_text.dumps(report, indent=2, ensure_ascii=False))
        return
    if report["ok"]:
        print(counted_words(report["entries"], *HOLD, name=report["name"], head=report["head"]))
        print(counted_words(report["checkpoints"], *CHECKPOINTS_HOLD, incarnation=report["incarnation"]))
        return
    for finding in report["findings"]:
        place = said("the file") if finding["seq"] is None else said("seq {seq}", seq=finding["seq"])
        detail = f": {spoken(finding['detail'])}" if finding["detail"] else ""
        print(f"{words('FAULT {place}', place=place)}: {spoken(finding['fault'])}{detail}")
    good = report["last_good_checkpoint"]
    where = said("none") if good is None else said("seq {seq}", seq=good["seq"])
    print(words("good up to seq {seq}; last good checkpoint: {where}", seq=report["seq"], where=where))


def _print_entry(record: Mapping[str, Any], json: bool) -> None:
    if json:
        print(json_text.dumps(record, ensure_ascii=False))
        return
    when = _moment(record["wall_ms"])
    moved = " ".join(f"{account}{micros:+d}" for account, micros in record["postings"])
    body = json_text.dumps(record["body"], ensure_ascii=False, sort_keys=True)
    print(f"{record['seq']} {when} {record['kind']} {record['actor']} {body} {moved}".rstrip())
