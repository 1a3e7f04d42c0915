"""`carrusel journal verify|show|export|backup|restore`: a journal at rest, or through the daemon that holds it."""

import json as json_text
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from controller.adapters.control_client import DaemonJournal
    from controller.adapters.journal import Journal
    from controller.adapters.journal_checkpoints import Checkpoint

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
Keys = Annotated[list[str] | None, typer.Option("--key", help="Only checkpoints of this public key (hex) count.")]


@app.command()
def verify(
    journal: Where,
    name: Name = None,
    state: State = None,
    checkpoint: Outside = None,
    key: Keys = None,
    json: Json = False,
) -> None:
    """Check every entry from the first to the last; exits 1 and names the first bad seq when one does not hold."""
    from controller.adapters.journal_equations import equations
    from controller.adapters.journal_errors import JournalDamaged
    from controller.adapters.journal_verify import damaged
    from controller.adapters.journal_verify import verify as verify_all

    against = [_read_checkpoint(path) for path in checkpoint or []]
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
    from controller.adapters.journal_export import VERIFIER, export_lines, write_export

    with _usage_errors(), _at_rest(journal, name, state) as found:
        lines = found.held.export_lines() if found.held is not None else export_lines(found.here, found.here.head)
        first = next(lines)
        write_export(chain((first,), lines), target)
    print(f"{target}: {first['entries']} entries, head {first['head']}")
    print(f"verify with: python3 {target.with_name(VERIFIER.name)} {target}")


@app.command()
def backup(
    journal: Where, target: Annotated[Path, typer.Argument(metavar="FILE")], name: Name = None, state: State = None
) -> None:
    """Write a consistent copy to a new file, and verify the copy."""
    from controller.adapters.journal import Journal
    from controller.adapters.journal_backup import backup as back_up
    from controller.adapters.journal_backup import written_backup
    from controller.adapters.journal_verify import verify as verify_all

    with _usage_errors():
        with _at_rest(journal, name, state) as found:
            if found.held is None:
                back_up(found.here, target)
            else:
                with written_backup(target) as partial_file:
                    found.held.backup_into(partial_file)
        with Journal.open(target, create=False) as copied:
            report = verify_all(copied)
    print(f"{target}: {report.entries} entries, head {report.head.chain.hex()}")
    if not report.ok:
        _print_report(report.as_record(), False)
        raise typer.Exit(1)


@app.command()
def restore(
    source: Annotated[Path, typer.Argument(metavar="BACKUP")], journal: Where, checkpoint: Outside = None
) -> None:
    """Make a new journal from a backup that holds, as a new incarnation: the old one is never continued."""
    from controller.adapters.journal_backup import restore as restore_from

    against = [_read_checkpoint(path) for path in checkpoint or []]
    with _usage_errors():
        report = restore_from(source, journal, wall_ms=time.time_ns() // 1_000_000, against=against)
    print(f"{journal}: {report.entries} entries of {report.name} restored; a new incarnation begins")


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
    from controller.adapters.journal import Journal
    from controller.adapters.journal_errors import JournalInUse

    try:
        opened = Journal.open(journal, name=name, create=False)
    except JournalInUse as busy:
        if journal.startswith("postgres"):
            if state is None or name is None:
                raise JournalInUse(f"{busy}; give --name, and --state to ask the daemon that holds it") from busy
            directory = state
        else:
            path = Path(journal.removeprefix("sqlite:///")).resolve()
            directory, name = state or path.parent, name or path.stem
        held = DaemonJournal(directory, name)
        try:
            held.check()
        except NoDaemon as silent:
            raise JournalInUse(f"{busy}, and {silent}: stop what holds it, or read a backup") from silent
        yield _Found(name, held=held)
        return
    with opened:
        yield _Found(opened.name, opened)


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Damage is a finding (exit 1); a journal that cannot be opened or a file that cannot be written is usage (2)."""
    from controller.adapters.journal_errors import JournalDamaged, JournalError

    try:
        yield
    except JournalDamaged as error:
        print(error, file=sys.stderr)
        raise typer.Exit(1) from error
    except (JournalError, OSError) as error:
        print(error, file=sys.stderr)
        raise typer.Exit(2) from error


def _read_checkpoint(path: Path) -> "Checkpoint":
    from controller.adapters.journal_checkpoints import Checkpoint

    try:
        return Checkpoint.from_record(json_text.loads(path.read_text()))
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"{path} is no checkpoint: {error!r}", file=sys.stderr)
        raise typer.Exit(2) from error


def _public_key(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        print(f"{text} is no public key in hex", file=sys.stderr)
        raise typer.Exit(2) from error


def _milliseconds(text: str | None) -> int | None:
    from datetime import UTC, datetime

    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        print(f"{text} is no time such as 2026-05-01T20:00", file=sys.stderr)
        raise typer.Exit(2) from error
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def _print_report(report: Mapping[str, Any], json: bool) -> None:
    if json:
        print(json_text.dumps(report, indent=2, ensure_ascii=False))
        return
    if report["ok"]:
        print(f"{report['name']}: {report['entries']} entries hold, head {report['head']}")
        print(f"incarnation {report['incarnation']}, {report['checkpoints']} checkpoints hold")
        return
    for finding in report["findings"]:
        place = "the file" if finding["seq"] is None else f"seq {finding['seq']}"
        print(f"FAULT {place}: {finding['fault']}{': ' if finding['detail'] else ''}{finding['detail']}")
    good = report["last_good_checkpoint"]
    where = "none" if good is None else f"seq {good['seq']}"
    print(f"good up to seq {report['seq']}; last good checkpoint: {where}")


def _print_entry(record: Mapping[str, Any], json: bool) -> None:
    from datetime import UTC, datetime

    if json:
        print(json_text.dumps(record, ensure_ascii=False))
        return
    when = datetime.fromtimestamp(record["wall_ms"] / 1000, UTC).isoformat(sep=" ", timespec="milliseconds")
    moved = " ".join(f"{account}{micros:+d}" for account, micros in record["postings"])
    body = json_text.dumps(record["body"], ensure_ascii=False, sort_keys=True)
    print(f"{record['seq']} {when} {record['kind']} {record['actor']} {body} {moved}".rstrip())
