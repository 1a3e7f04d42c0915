"""Open awards that no table pays any more, as the panel and the API show them."""

from typing import Any

from controller.engine.host_state import HostState
from controller.engine.ledger_state import Standing


def to_settle(state: HostState) -> list[dict[str, Any]]:
    """Awards still open of tables' incarnations that are over: nobody but two people can close them."""
    found = []
    for key in state.open_awards:
        table, incarnation, hand = key.split("/")
        account = state.ledger.account(table, incarnation)
        if account is None or account.joining or account.standing is not Standing.ACTIVE:
            due = sum(minor for _, minor in state.open_awards[key])
            found.append({"claim": key, "table": table, "hand": int(hand), "amount_minor": due})
    return found
