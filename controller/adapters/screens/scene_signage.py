"""A carousel's ledger as the scene its signage shows: one number, its tables, last and pending prizes (art. 65)."""

from collections.abc import Collection, Iterable, Mapping

from controller.adapters.screens.scene_limit import meter_limit
from controller.adapters.screens.table_labels import label_of
from controller.core.money import floor_minor
from controller.core.prizes import PaidBy
from controller.engine.host_outbox import cash_minor, meter
from controller.engine.host_state import HostState, Phase
from controller.engine.ledger_records import ClaimName
from controller.engine.ledger_state import Answered
from controller.engine.messages import PendingPrize
from display import scene as show

LAST_PRIZES = 5


def signage_scene(
    state: HostState,
    *,
    name: str,
    currency: show.Currency,
    labels: Mapping[str, str],
    games: Mapping[str, str],
    linked: Mapping[str, bool],
    seen_ms: Mapping[str, int],
    now_ms: int,
    fall: show.MeterFall | None = None,
    just_paid: show.SignagePrize | None = None,
    verified: Collection[str] = (),
) -> show.SignageScreen:
    """Everything a sign shows. `seen_ms`: when this daemon saw each award answered, by row (informative).

    verified: rows that wait only for their payment, as their tables say; a table of an older release does not say it.
    """
    ledger = state.ledger
    serving = state.phase is Phase.SERVING
    told = meter(state, verified)
    minor = ledger.minor_micros
    pending = tuple(
        show.SignagePrize(
            label_of(labels, each.table),
            each.category,
            None if each.waiting else show.Amount.of(each.amount_minor),
            show.PrizeState.VERIFIED if each.verified else show.PrizeState.PENDING,
            seen_ms.get(_row(state, each), now_ms),
            each.seat,
        )
        for each in reversed(told.pending)
    )
    return show.SignageScreen(
        carousel_id=ledger.carousel,
        name=name,
        meter=show.Meter(
            amount=show.Amount.of(max(told.amount_minor, 0)),
            as_of_ms=now_ms,
            freshness=show.Freshness.FRESH if serving else show.Freshness.LOST,
            fall=fall,
            limit=meter_limit(ledger),
        ),
        tables=tuple(
            show.SignageTable(
                label_of(labels, table),
                games.get(table, ""),
                show.Amount.of(max(floor_minor(micros, minor), 0)),
                linked.get(table, True),
            )
            for table, micros in told.tables
        ),
        currency=currency,
        state=show.SignageState.FRESH if serving else show.SignageState.OUT_OF_SERVICE,
        last_prizes=tuple(_paid_prizes(state, labels, seen_ms, now_ms))[:LAST_PRIZES],
        pending=pending,
        just_paid=just_paid,
        ends=ledger.closing.day if ledger.closing is not None else None,
        ended=ledger.closing is not None and ledger.closing.closed,
    )


def _row(state: HostState, prize: PendingPrize) -> str:
    incarnation = state.ledger.tables[prize.table].profile.incarnation
    return ClaimName(prize.table, incarnation, prize.hand).row(prize.seat)


def _paid_prizes(
    state: HostState,
    labels: Mapping[str, str],
    seen_ms: Mapping[str, int],
    now_ms: int,
) -> Iterable[show.SignagePrize]:
    """Prizes out of the meter with what was paid of them, newest award first."""
    for key in reversed(state.ledger.award_order):
        answered: Answered | None = state.ledger.awards.get(key)
        if answered is None or key in state.open_awards:
            continue
        for row in answered.granted.rows:
            if row.paid_by == PaidBy.METER.value:
                name = answered.granted.name
                yield show.SignagePrize(
                    label_of(labels, name.table),
                    row.category,
                    show.Amount.of(cash_minor(state, row, name)),
                    show.PrizeState.PAID,
                    seen_ms.get(name.row(row.seat), now_ms),
                    row.seat,
                )
