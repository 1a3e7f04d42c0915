"""A host takes over (rule 6): it collects every table's ledger, copies the longest, and only then writes again."""

from controller.core.records import to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import host_payments
from controller.engine.epoch import NO_EPOCH, Epoch, dotted
from controller.engine.host_events import CarouselFounded, HostPromoted, HostStarted, TableExcluded
from controller.engine.host_fold import Pen
from controller.engine.host_members import finish_joins
from controller.engine.host_state import Excluded, HostState, Phase, Reported
from controller.engine.ledger_records import EpochBegan, Sealed, Signed
from controller.engine.ledger_state import Standing
from controller.engine.messages import Received, Report, TableMessage


def start(pen: Pen, event: HostStarted) -> None:
    """A start raises only the start of the epoch; a host that collected begins to collect anew.

    An epoch is its key's: a host with another key than the one it served with waits to be promoted.

    A standby that has the ledger's database to itself raises the term, in the entries that begin its epoch: one append,
    one transaction (rule 6, PostgreSQL).
    """
    state = pen.state
    epoch = state.epoch._replace(start=state.epoch.start + 1)
    if event.in_database and state.epoch.host != state.settings.key:
        epoch = Epoch(max(state.epoch.term, state.seen.term) + 1, state.settings.key, epoch.start)
    incarnation = state.settings.incarnation
    if event.restored or (state.incarnation not in ("", incarnation) and not state.promoting):
        pen.note("host.fenced", "restored", {"seen": list(state.epoch), "why": "restored"})
    elif state.phase is Phase.SERVING and epoch.host != state.settings.key:
        pen.note("host.fenced", "key_changed", {"seen": list(state.epoch), "why": "key_changed"})
    elif state.phase is Phase.SERVING:
        minor = state.settings.minor_micros
        body = {"epoch": list(epoch), "incarnation": incarnation, "minor_micros": minor}
        pen.note("host.began", "began", body)
        pen.record(EpochBegan(f"start {event.nonce}"))
        host_payments.tell_known(pen)
    elif state.promoting:
        body = {
            "epoch": list(epoch),
            "reason": "start",
            "no_other_ledger": state.no_other_ledger,
            "incarnation": incarnation,
            "minor_micros": state.settings.minor_micros,
        }
        pen.note("host.promoted", "promoted", body)


def found(pen: Pen, event: CarouselFounded, signed: Signed) -> Refused | None:
    """A new carousel; refused where a ledger or a table with one is known."""
    if pen.state.phase is not Phase.BLANK or pen.state.seen != NO_EPOCH:
        return refuse(Refusal.LEDGER_DIFFERS, phase=pen.state.phase.value)
    epoch = Epoch(1, pen.state.settings.key, 1)
    settings = pen.state.settings
    body = {"epoch": list(epoch), "incarnation": settings.incarnation, "minor_micros": settings.minor_micros}
    pen.note("host.began", "began", body)
    pen.record(EpochBegan(f"founded: {signed.reason}; {signed.actor}, {signed.second}"))
    return None


def promote(pen: Pen, event: HostPromoted, signed: Signed) -> Refused | None:
    """Raise the term above every known one and begin to collect."""
    state = pen.state
    epoch = Epoch(max(state.epoch.term, state.seen.term) + 1, state.settings.key, state.epoch.start + 1)
    body = {
        "epoch": list(epoch),
        "reason": signed.reason,
        "actor": signed.actor,
        "second": signed.second,
        "no_other_ledger": event.no_other_ledger,
        "incarnation": state.settings.incarnation,
        "minor_micros": state.settings.minor_micros,
    }
    pen.note("host.promoted", "promoted", body)
    proceed(pen)
    return None


def exclude(pen: Pen, event: TableExcluded, signed: Signed) -> Refused | None:
    """A table that cannot answer, seen switched off by two people: its incarnation is sealed when this host serves."""
    if not pen.state.promoting:
        return refuse(Refusal.HOST_NOT_SERVING, phase=pen.state.phase.value)
    if not event.seen_switched_off:
        return refuse(Refusal.NOT_SWITCHED_OFF, table=event.table)
    incarnations = (event.incarnation,) if event.incarnation else unanswered(pen.state, event.table)
    if not incarnations:
        return refuse(Refusal.UNKNOWN_TABLE, table=event.table)
    excluded = to_record(Excluded(signed.reason, signed.actor, signed.second))
    for incarnation in incarnations:
        body = {"table": event.table, "incarnation": incarnation, "signed": excluded}
        pen.note("host.excluded", f"excluded:{event.table}:{incarnation}", body)
    proceed(pen)
    return None


def unanswered(state: HostState, table: str) -> tuple[str, ...]:
    """Incarnations of a table in the rosters known by now that have not answered."""
    names = {name for name in _rostered(state) if name.startswith(f"{table}/")} - answered(state)
    return tuple(sorted(name.partition("/")[2] for name in names))


def awaited(state: HostState) -> tuple[str, ...]:
    """Tables in the rosters known by now that have neither answered nor been excluded."""
    names = _rostered(state) - answered(state) - set(state.excluded)
    return tuple(sorted({name.partition("/")[0] for name in names}))


def _rostered(state: HostState) -> set[str]:
    """`table/incarnation` in this host's own roster and in those of the tables that have answered."""
    reports = [state.reports[each] for each in state.reports]
    rosters = [state.ledger.rostered(), *(report.roster for report in reports if report.complete)]
    return {name for roster in rosters for name in roster}


def answered(state: HostState) -> set[str]:
    """`table/incarnation` that have answered: also one that was still catching up, which never played by any ledger."""
    reports = ((table, state.reports[table]) for table in state.reports)
    return {f"{table}/{report.incarnation}" for table, report in reports if not report.stopped}


def check_authority(pen: Pen, message: TableMessage) -> Refused | None:
    """A table that knows a higher epoch, or a longer ledger, shows that this host may not write."""
    state = pen.state
    ahead = state.phase is Phase.SERVING and isinstance(message, Received) and message.seq > state.ledger.seq
    if message.epoch <= state.epoch and not ahead:
        return None
    is_news = message.epoch > state.seen or state.phase is Phase.SERVING or state.promoting
    if is_news:
        why = "higher_epoch" if message.epoch > state.epoch else "table_ahead"
        body = {"seen": list(message.epoch), "why": why}
        pen.note("host.fenced", f"fenced:{dotted(message.epoch)}:{why}", body)
    return refuse(Refusal.HOST_FENCED, seen=message.epoch.term)


def reported(pen: Pen, message: Report) -> Refused | None:
    """REPORT of this promotion; while adopting, the winner's records follow."""
    state = pen.state
    if not state.promoting or message.epoch != state.epoch:
        return refuse(Refusal.HOST_NOT_SERVING, phase=state.phase.value)
    if state.phase is Phase.ADOPTING:
        _adopt(pen, message)
        return None
    report = Reported(
        message.incarnation,
        message.seq,
        message.hash,
        message.source,
        message.counters,
        message.mark,
        message.complete,
        message.stopped,
        message.roster,
        message.paid,
    )
    if state.reports.get(message.table) == report:
        return None
    body = {"table": message.table, "report": to_record(report)}
    pen.note("host.reported", f"reported:{message.table}:{message.mark.seq}:{message.seq}", body)
    proceed(pen)
    return None


def own_counts(state: HostState) -> bool:
    """Whether this host's own ledger may win: no table journaled from a higher epoch than it last served.

    A ledger without a record never wins: tables that have not been heard yet may hold one.
    """
    if state.ledger.seq == 0:
        return False
    for report in (state.reports[table] for table in state.reports):
        if report.source > state.served:
            return False
        if report.complete and report.seq <= state.ledger.seq:
            known = state.ledger.hash_at(report.seq)
            if known is not None and known != report.hash:
                return False
    return True


def proceed(pen: Pen) -> None:
    """Choose the winning ledger once every table of its roster has answered or is excluded.

    At least one table must have answered, unless people say that there is nothing to be had from any: a backup's
    roster may be older than tables that joined since.
    """
    state = pen.state
    complete = [table for table in state.reports if state.reports[table].complete]
    if state.phase is not Phase.COLLECTING or not (complete or (state.no_other_ledger and own_counts(state))):
        return
    winner = max(complete, key=lambda table: state.reports[table].seq, default="")
    if winner and own_counts(state) and state.ledger.seq >= state.reports[winner].seq:
        winner = ""
    roster = state.reports[winner].roster if winner else state.ledger.rostered()
    present = answered(state)
    if not all(name in present or name in state.excluded for name in roster):
        return
    if winner == "":
        _serve(pen)
        return
    report = state.reports[winner]
    blank = not own_counts(state) or state.ledger.seq > report.seq
    pen.note("host.adopting", f"adopting:{winner}:{blank}", {"source": winner, "blank": blank})
    if pen.state.ledger.seq == report.seq:
        _serve(pen)


def _adopt(pen: Pen, message: Report) -> None:
    state = pen.state
    if message.table != state.source or not message.records:
        return
    following = [record for record in message.records if record.seq > state.ledger.seq]
    if following and following[0].seq == state.ledger.seq + 1 and following[0].prev != state.ledger.hash:
        name = f"adopting:{state.source}:{state.ledger.seq}"
        pen.note("host.adopting", name, {"source": state.source, "blank": True})
        return
    for record in following:
        if record.seq == pen.state.ledger.seq + 1 and record.prev == pen.state.ledger.hash:
            pen.adopt(record)
    if pen.state.ledger.seq >= state.reports[state.source].seq:
        _serve(pen)


def _serve(pen: Pen) -> None:
    """The first records under the new epoch: it begins, and excluded incarnations are sealed."""
    reports, excluded = pen.state.reports, pen.state.excluded
    for table in reports:
        report = reports[table]
        account = pen.state.ledger.account(table, report.incarnation)
        if account is None or not report.complete or f"{table}/{report.incarnation}" in excluded:
            continue
        body = {
            "table": table,
            "incarnation": report.incarnation,
            "mark": list(report.mark),
            "rows": [list(row) for row in host_payments.reported(pen, table, report.incarnation, report.paid)],
        }
        pen.note("host.paid", f"paid:{table}", body)
    pen.record(EpochBegan("promoted"))
    host_payments.tell_known(pen)
    for name in excluded:
        table, _, incarnation = name.partition("/")
        account = pen.state.ledger.account(table, incarnation)
        if account is not None and (account.joining or account.standing is Standing.ACTIVE):
            signed = Signed(excluded[name].reason, excluded[name].actor, excluded[name].second)
            pen.record(Sealed(table, incarnation, account.absorbed, signed))
    finish_joins(pen)
