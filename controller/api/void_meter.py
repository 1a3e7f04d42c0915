"""What a hand's void leaves in the meter, as the table's copy of the ledger tells it before anybody signs."""

from dataclasses import replace

from controller.engine.ledger_awards import correct
from controller.engine.ledger_ceiling import rescue_for, returned
from controller.engine.ledger_fold import fold
from controller.engine.ledger_records import ClaimName, OverflowReversed, Signed, Voided, seal_record
from controller.engine.ledger_state import LedgerState
from controller.engine.member import MemberState
from controller.engine.table_state import Hand


def meter_without(link: MemberState, hand: Hand) -> int:
    """The meter in micros once the carousel has answered the void: the hand's award undone whole, paid or not, with the
    restart it caused and the held awards behind it, then its bets.
    """
    ledger, name = link.ledger, ClaimName(link.settings.table, link.settings.incarnation, hand.number)
    answered = ledger.awards.get(name.key)
    if answered is not None and answered.refused is None:
        granted, rescue = correct(ledger, name, ledger.prizes_of(name), ())
        ledger = _after(ledger, Voided(name, answered.revision + 1, "", (), (), Signed("", "", ""), granted, rescue))
    account = ledger.account(name.table, name.incarnation)
    if account is None or not hand.closed:
        return ledger.amount_micros
    was, shares = account.absorbed, hand.contribution
    counters = replace(
        was,
        reversed_main_micros=was.reversed_main_micros + shares.meter_micros,
        reversed_reserve_micros=was.reversed_reserve_micros + shares.reserve_micros,
    )
    overflow = returned(account, counters)
    house = rescue_for(account, counters, overflow=overflow)
    place = (name.table, name.incarnation, counters, account.mark)
    return _after(ledger, OverflowReversed(*place, house, overflow)).amount_micros


def _after(ledger: LedgerState, body: Voided | OverflowReversed) -> LedgerState:
    return fold(ledger, seal_record(ledger.seq + 1, ledger.epoch, ledger.hash, body))[0]
