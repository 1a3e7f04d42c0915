"""What a host learns of payments goes into the ledger, where every table and every later host finds it."""

from collections.abc import Mapping, Sequence

from controller.core.prizes import PaidBy
from controller.engine.host_fold import Pen
from controller.engine.ledger_book import is_full
from controller.engine.ledger_records import NO_MARK, Mark
from controller.engine.ledger_state import Answered
from controller.engine.messages import Received
from controller.engine.payment_records import PaidRow, PaidTold, Settled

ROWS_OF_RECORD = 200
"""Rows that one record names at most, as it must go into one message."""
SEAT_DIGITS = 4
"""More digits than any seat has: a member may say whatever it likes, and Python reads no number of some thousands."""


def seat_of(row_id: str) -> int | None:
    """The seat of a row's name, None where it is not written as a ledger writes it."""
    seat = row_id.rpartition("/")[2]
    is_short = seat.isascii() and seat.isdigit() and len(seat) <= SEAT_DIGITS
    return int(seat) if is_short and str(int(seat)) == seat else None


def news(pen: Pen, message: Received) -> tuple[PaidRow, ...]:
    """What a table paid more of its own rows, and what two people there had paid beside the computed amount.

    That changes with a payment alone, so an older message takes nothing back; a table or host of an earlier release did
    not say it with the payment.
    """
    prefix, state, cash = f"{message.table}/{message.incarnation}/", pen.state, dict(message.paid)
    beside = {row_id: minor for row_id, minor in message.beside if minor and cash.get(row_id, 0) + minor >= 0}
    first_told = beside.keys() - state.beside.keys()
    return tuple(
        PaidRow(row_id, minor, beside.get(row_id, 0))
        for row_id, minor in cash.items()
        if row_id.startswith(prefix)
        and minor >= state.paid.get(row_id, 0) + (row_id not in first_told)
        and _is_kept(pen, row_id)
    )


def tell(pen: Pen, table: str, incarnation: str, mark: Mark, rows: Sequence[PaidRow]) -> None:
    """Records of what a table has paid, as many as it takes."""
    for first in range(0, len(rows), ROWS_OF_RECORD):
        pen.record(PaidTold(table, incarnation, mark, tuple(rows[first : first + ROWS_OF_RECORD])))


def reported(pen: Pen, table: str, incarnation: str, paid: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """What a table's REPORT says that it paid of its own rows; no more than that is its to say."""
    prefix, known = f"{table}/{incarnation}/", pen.state.paid
    return tuple(
        (row_id, minor)
        for row_id, minor in paid
        if row_id.startswith(prefix) and minor >= known.get(row_id, 0) and _is_kept(pen, row_id)
    )


def _is_kept(pen: Pen, row_id: str) -> bool:
    key = row_id.rpartition("/")[0]
    return seat_of(row_id) is not None and (key in pen.state.ledger.awards or key in pen.state.open_awards)


def claimed(pen: Pen, table: str, incarnation: str, mark: Mark, paid: Mapping[str, int]) -> None:
    """What a correction states as paid is told before the correction is."""
    known, beside = pen.state.paid, pen.state.beside
    if any(known.get(row_id, 0) < minor for row_id, minor in paid.items()):
        rows = [
            PaidRow(row_id, max(minor, known.get(row_id, 0)), beside.get(row_id, 0)) for row_id, minor in paid.items()
        ]
        tell(pen, table, incarnation, mark, rows)


def tell_known(pen: Pen) -> None:
    """What this host knows and its ledger does not tell: from reports of tables, or from a journal of before."""
    state = pen.state
    rows: dict[tuple[str, str], list[PaidRow]] = {}
    for row_id in state.paid:
        key, seat = row_id.rpartition("/")[0], seat_of(row_id)
        answered = state.ledger.awards.get(key)
        row = PaidRow(row_id, state.paid[row_id], state.beside.get(row_id, 0))
        if answered is not None and seat is not None and answered.told(seat) != (row.minor, row.beside):
            name = answered.granted.name
            rows.setdefault((name.table, name.incarnation), []).append(row)
    for (table, incarnation), some in rows.items():
        tell(pen, table, incarnation, NO_MARK, some)
    for key in state.ledger.awards:
        if key not in state.open_awards and _is_settled(pen, state.ledger.awards[key]):
            pen.record(Settled(key))


def _is_settled(pen: Pen, answered: Answered) -> bool:
    """Whether people settled it before the ledger told so: its meter rows are not paid and hold nothing."""
    name = answered.granted.name
    return any(
        row.paid_by == PaidBy.METER.value and row.amount_minor > pen.state.paid.get(name.row(row.seat), 0)
        for row in answered.unpaid
    )


def begin(pen: Pen) -> None:
    """Before the first award is let go, the ledger tells of payments: from then on open ones are kept."""
    ledger = pen.state.ledger
    if ledger.tells_payments or not is_full(ledger):
        return
    tell_known(pen)
    if not pen.state.ledger.tells_payments:
        pen.record(PaidTold("", "", NO_MARK, ()))
