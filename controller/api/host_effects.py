"""What two people see before a host takes over, or a table's journal is sealed: what is at stake, as it stands."""

from controller.api.context import ApiPorts
from controller.api.effect_forms import Effect, in_minor, in_words
from controller.engine.host_state import HostState


def promotion_effects(ports: ApiPorts, state: HostState) -> list[Effect]:
    """The key that members must name from now on, and the ledger that this node has, if any: a longer one may win."""
    ledger = state.ledger
    key = in_words("host_key", "", state.settings.key)
    if ledger.seq == 0:
        return [key, in_words("ledger_record", "0", "")]
    return [
        key,
        in_words("ledger_term", str(state.epoch.term), str(max(state.epoch.term, state.seen.term) + 1)),
        in_words("ledger_record", str(ledger.seq), ""),
        in_minor("carousel_meter", ports.minor(ledger.amount_micros), None),
    ]


def seal_effects(ports: ApiPorts, state: HostState, table: str) -> list[Effect]:
    """The incarnation that ends, the balance that stays, and what is awarded to it and not known to be paid."""
    account = state.ledger.tables.get(table)
    if account is None:
        return []
    own = f"{table}/{account.profile.incarnation}/"
    due = sum(minor for key in state.open_awards if key.startswith(own) for _, minor in state.open_awards[key])
    balance = ports.minor(account.main_micros)
    return [
        in_words("sealed_journal", account.profile.incarnation, "", table=table),
        in_minor("table_meter", balance, balance, table=table),
        in_minor("prizes_open", due, due, table=table),
    ]
