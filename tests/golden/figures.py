"""What must not change when an old journal is folded by newer code: money, hands, rows and draws, as plain values."""

from collections.abc import Iterable

from controller.core.ledger import Entry, balances
from controller.engine.host_state import HostState
from controller.engine.table_state import TableState


def table_figures(state: TableState, entries: Iterable[Entry]) -> dict[str, object]:
    return {
        "balances": balances(entries),
        "hand": state.hand.number,
        "credits": {str(seat): credits for seat, credits in sorted(state.hand.credits.items())},
        "wagered_micros": state.wagered_micros,
        "pools": dict(state.pools),
        "rows": {
            row.id: [row.hand, row.seat, row.category, row.amount_minor, row.paid_minor, row.status.value]
            for row in state.link.rows.values()
        },
        "ledger": [state.link.ledger.seq, state.link.ledger.amount_micros],
        "chain_next": state.chain_next,
        "last": None if state.last is None else [state.last.number, [winner.seat for winner in state.last.winners]],
    }


def host_figures(state: HostState, entries: Iterable[Entry]) -> dict[str, object]:
    return {
        "balances": balances(entries),
        "ledger": [state.ledger.seq, state.ledger.amount_micros],
        "awards": {
            key: [[row.seat, row.category, row.amount_minor] for row in award.granted.rows]
            for key, award in sorted(state.ledger.awards.items())
        },
    }
