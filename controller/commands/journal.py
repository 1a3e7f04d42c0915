"""`carrusel journal verify|show|export|backup|restore`: a journal at rest, read without the daemon."""

import json as json_text
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from controller.adapters.journal_chain import Stored
    from controller.adapters.journal_checkpoints import Checkpoint
    from controller.adapters.journal_verify import Report

app = typer.Typer(no_args_is_help=True, help="Verify, show, export, back up and restore a journal that is not in use.")

Where = Annotated[str, typer.Argument(metavar="JOURNAL", help="A journal file, or the URL of a database.")]
Name = Annotated[str | None, typer.Option("--name", help="Which journal, where a database holds several.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Outside = Annotated[
    list[Path] | None,
    typer.Option("--checkpoint", help="A JSON file with a checkpoint kept elsewhere (repeatable); shows a cut tail."),
]
Keys = Annotated[list[str] | None, typer.Option("--key", help="Only checkpoints of this public key (hex) count.")]


@app.command()
def verify(journal: Where, name: Name = None, checkpoint: Outside = None, key: Keys = None, json: Json = False) -> None:
    """Check every entry from the first to the last; exits 1 and names the first bad seq when one does not hold."""
    from controller.adapters.journal import Journal
    from controller.adapters.journal_equations import pools_hold
    from controller.adapters.journal_errors import JournalDamaged
    from controller.adapters.journal_verify import damaged
    from controller.adapters.journal_verify import verify as verify_all

    against = [_read_checkpoint(path) for path in checkpoint or []]
    keys = [_public_key(text) for text in key or []]
    with _usage_errors():
        try:
            with Journal.open(journal, name=name, create=False) as opened:
                report = verify_all(opened, equations=[pools_hold()], against=against, keys=keys)
        except JournalDamaged as error:
            report = damaged(error)
    _print_report(report, json)
    if not report.ok:
        raise typer.Exit(1)


@app.command()
def show(
    journal: Where,
    name: Name = None,
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
    from controller.adapters.journal import Journal

    from_ms, to_ms = _milliseconds(since), _milliseconds(until)
    with _usage_errors(), Journal.open(journal, name=name, create=False) as opened:
        for stored in opened.entries(from_seq - 1):
            if to_seq is not None and stored.seq > to_seq:
                break
            entry = stored.entry
            wanted = (
                (kind is None or entry.kind.startswith(kind))
                and (table is None or str(entry.body.get("table", opened.name)) == table)
                and (hand is None or entry.body.get("hand") == hand)
                and (actor is None or entry.actor == actor)
                and (account is None or any(posting.account == account for posting in entry.postings))
                and (from_ms is None or stored.wall_ms >= from_ms)
                and (to_ms is None or stored.wall_ms <= to_ms)
            )
            if wanted:
                _print_entry(stored, json)


@app.command()
def export(journal: Where, target: Annotated[Path, typer.Argument(metavar="FILE")], name: Name = None) -> None:
    """Write everything to one file of JSON lines, with a verifier beside it that needs nothing but Python."""
    from controller.adapters.journal import Journal
    from controller.adapters.journal_export import VERIFIER
    from controller.adapters.journal_export import export as export_to

    with _usage_errors(), Journal.open(journal, name=name, create=False) as opened:
        head = export_to(opened, target)
    print(f"{target}: {head.seq} entries, head {head.chain.hex()}")
    print(f"verify with: python3 {target.with_name(VERIFIER.name)} {target}")


@app.command()
def backup(journal: Where, target: Annotated[Path, typer.Argument(metavar="FILE")], name: Name = None) -> None:
    """Write a consistent copy to a new file, and verify the copy."""
    from controller.adapters.journal import Journal
    from controller.adapters.journal_backup import backup as back_up
    from controller.adapters.journal_verify import verify as verify_all

    with _usage_errors():
        with Journal.open(journal, name=name, create=False) as opened:
            back_up(opened, target)
        with Journal.open(target, create=False) as copied:
            report = verify_all(copied)
    print(f"{target}: {report.entries} entries, head {report.head.chain.hex()}")
    if not report.ok:
        _print_report(report, False)
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


def _print_report(report: "Report", json: bool) -> None:
    if json:
        print(json_text.dumps(report.as_record(), indent=2, ensure_ascii=False))
        return
    if report.ok:
        print(f"{report.name}: {report.entries} entries hold, head {report.head.chain.hex()}")
        print(f"incarnation {report.incarnation}, {report.checkpoints} checkpoints hold")
        return
    for finding in report.findings:
        place = "the file" if finding.seq is None else f"seq {finding.seq}"
        print(f"FAULT {place}: {finding.fault.value}{': ' if finding.detail else ''}{finding.detail}")
    good = report.last_good_checkpoint
    print(f"good up to seq {report.head.seq}; last good checkpoint: {f'seq {good.seq}' if good else 'none'}")


def _print_entry(stored: "Stored", json: bool) -> None:
    from datetime import UTC, datetime

    entry = stored.entry
    postings = {posting.account: posting.micros for posting in entry.postings}
    if json:
        record: dict[str, Any] = {
            "seq": stored.seq,
            "id": entry.id,
            "kind": entry.kind,
            "actor": entry.actor,
            "wall_ms": stored.wall_ms,
            "body": entry.body,
            "postings": [[posting.account, posting.micros] for posting in entry.postings],
            "chain": stored.chain.hex(),
        }
        print(json_text.dumps(record, ensure_ascii=False))
        return
    when = datetime.fromtimestamp(stored.wall_ms / 1000, UTC).isoformat(sep=" ", timespec="milliseconds")
    moved = " ".join(f"{account}{micros:+d}" for account, micros in postings.items())
    body = json_text.dumps(entry.body, ensure_ascii=False, sort_keys=True)
    print(f"{stored.seq} {when} {entry.kind} {entry.actor} {body} {moved}".rstrip())
