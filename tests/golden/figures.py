"""What must not change when an old journal is folded by newer code: money, hands, rows and draws, as plain values."""

from collections.abc import Iterable

from controller.core.ledger import Entry, balances
from controller.core.records import to_record
from controller.engine.accounts_state import AccountsState
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


def lamp_figures(state: TableState, entries: Iterable[Entry]) -> dict[str, object]:
    tested = state.lamp_on_test
    told = None if tested is None else [tested.id, tested.seat, tested.lamp]
    return {**table_figures(state, entries), "lamp_on_test": told, "lamp_test": state.lamp_test}


def host_figures(state: HostState, entries: Iterable[Entry]) -> dict[str, object]:
    return {
        "balances": balances(entries),
        "ledger": [state.ledger.seq, state.ledger.amount_micros],
        "awards": {
            key: [[row.seat, row.category, row.amount_minor] for row in award.granted.rows]
            for key, award in sorted(state.ledger.awards.items())
        },
    }


def bonus_figures(state: TableState, entries: Iterable[Entry]) -> dict[str, object]:
    """With what people did to the prizes, and the prizes of the draws."""
    return {
        **table_figures(state, entries),
        "draw_prizes": {
            key: [prize.hand, prize.seat, prize.amount_minor, prize.status.value]
            for key, prize in sorted(state.draw_prizes.items())
        },
        "holds": sorted(state.holds),
        "checks": {key: [list(check.done), check.seal, check.actor] for key, check in sorted(state.checks.items())},
        "slips": {
            key: [note.number, note.entry, note.withheld_minor, note.copies, note.void]
            for key, note in sorted(state.slips.items())
        },
        "slip_last": state.slip_last,
    }


def circle_figures(state: TableState, entries: Iterable[Entry]) -> dict[str, object]:
    """With everybody's chips, the button and where the game stands."""
    table = state.hand.game.table
    places = table.positions
    return {
        **table_figures(state, entries),
        "players": {
            str(each.seat): [each.stack, each.bought, each.resting, each.rests, each.missed] for each in table.players
        },
        "positions": [places.button, places.small_blind, places.big_blind],
        "drawn": [list(each) for each in table.drawn],
        "game": [table.game, table.hands, table.minutes, table.hands_left, table.ended],
    }


def carousel_figures(state: HostState, entries: Iterable[Entry]) -> dict[str, object]:
    """With who may write, every table's account, and what waits for people."""
    return {
        **host_figures(state, entries),
        "host": [state.phase.value, list(state.epoch), list(state.served), state.arrivals],
        "tables": {
            name: [
                account.profile.incarnation,
                account.profile.key,
                account.standing.value,
                account.main_micros,
                account.reserve_micros,
                account.overflow_micros,
                account.start_micros,
            ]
            for name, account in sorted(state.ledger.tables.items())
        },
        "sums": [
            state.ledger.contributions_micros,
            state.ledger.funding_micros,
            state.ledger.adjustments_micros,
            state.ledger.awards_micros,
            state.ledger.transfers_micros,
        ],
        "paid": dict(sorted(state.paid.items())),
        "open": sorted(state.open_awards),
        "waiting": sorted(state.waiting),
        "quarantined": sorted(state.quarantined),
    }


def accounts_figures(state: AccountsState, entries: Iterable[Entry]) -> dict[str, object]:
    """People, who waits at which door, sessions, approvals with their outcome, counts and shifts."""
    return {
        "users": {
            login: [
                user.name,
                user.role.value,
                user.secret,
                user.language,
                user.badge,
                user.disabled,
                user.secret_at_ms,
            ]
            for login, user in sorted(state.users.items())
        },
        "tries": {key: [tries.failures, tries.until_ms] for key, tries in sorted(state.account_tries.items())},
        "stations": {key: [tries.failures, tries.until_ms] for key, tries in sorted(state.station_tries.items())},
        "sessions": {
            key: [session.login, session.station, session.began_ms, session.until_ms, list(session.opened)]
            for key, session in sorted(state.sessions.items())
        },
        "approvals": {
            key: [each.status.value, each.digest, each.asked_by, each.second, each.until_ms, to_record(each.outcome)]
            for key, each in sorted(state.approvals.items())
        },
        "counts": [[each.table, each.shift, each.variance_minor, each.actor, each.at_ms] for each in state.counts],
        "shifts": [
            [each.number, each.name, each.begin_ms, each.end_ms, each.actor, each.second] for each in state.shifts
        ],
    }
