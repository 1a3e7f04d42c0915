"""What a host misses: tables of its ledger that are not heard, and a ledger that its tables know and it does not."""

from collections.abc import Mapping

from controller.adapters.events.alarms import LINK_GRACE_S, Condition
from controller.core.events import AlarmRaised
from controller.engine.epoch import NO_EPOCH
from controller.engine.host_promotion import awaited
from controller.engine.host_state import HostState, Phase
from controller.engine.ledger_state import Standing

TABLE_GONE = "table_gone"
LEDGER_ELSEWHERE = "ledger_elsewhere"
LEDGER_AWAITED = "ledger_awaited"
MEMBER_CODES = frozenset({TABLE_GONE, LEDGER_ELSEWHERE, LEDGER_AWAITED})
UNHEARD_GRACE_S = 30.0
"""So long after a host's start a table may take to say its first word."""


def member_conditions(state: HostState, alive: Mapping[str, bool], mirrored: bool = False) -> tuple[Condition, ...]:
    """alive: what was heard of each table; one that is missing there has said nothing yet.

    mirrored: a table of this node holds a ledger of before, and this host none.
    """
    carousel = state.settings.carousel
    if state.phase is Phase.BLANK and (mirrored or state.seen != NO_EPOCH):
        return (Condition(AlarmRaised(LEDGER_ELSEWHERE, carousel)),)
    if state.promoting:
        missed = (state.source,) if state.phase is Phase.ADOPTING else awaited(state)
        return tuple(Condition(AlarmRaised(LEDGER_AWAITED, each), LINK_GRACE_S) for each in missed or (carousel,))
    if state.phase is not Phase.SERVING:
        return ()
    members = (state.ledger.tables[table] for table in state.ledger.tables)
    active = (each.profile.table for each in members if each.standing is Standing.ACTIVE and not each.joining)
    return tuple(
        Condition(AlarmRaised(TABLE_GONE, table), LINK_GRACE_S if table in alive else UNHEARD_GRACE_S)
        for table in active
        if not alive.get(table, False)
    )
