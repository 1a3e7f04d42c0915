"""What an act would change, before and after, as the asker sees it and the second person approves it."""

from typing import TYPE_CHECKING, Any

from controller.api.context import ApiPorts
from controller.api.views import OPEN, find_prize, hand_named, prizes_of
from controller.core.events import (
    CardCorrected,
    CardsEntered,
    DrawWinnerNamed,
    HandCorrected,
    HandVoided,
    PrizeAdvanced,
    PrizePaid,
)
from controller.engine.host_events import BalanceTransferred, MeterAdjusted, StartValueReset
from controller.engine.table_state import TableState

if TYPE_CHECKING:
    from controller.api.acts import Target

Effect = dict[str, Any]


def _amount(what: str, before: int | None, after: int | None, **where: int | str) -> Effect:
    return {"what": what, "unit": "minor", "before": before, "after": after, "where": where}


def _words(what: str, before: str, after: str, **where: int | str) -> Effect:
    return {"what": what, "unit": "text", "before": before, "after": after, "where": where}


def effects_of(ports: ApiPorts, target: "Target", event: object) -> tuple[Effect, ...]:
    """Lines of the before/after table; none for acts that change no figure."""
    if target.kind == "table":
        return tuple(_at_table(ports, ports.table(target.id).state, target.id, event))
    if target.kind == "carousel":
        return tuple(_at_carousel(ports, target.id, event))
    return ()


def _at_table(ports: ApiPorts, state: TableState, table: str, event: object) -> list[Effect]:
    match event:
        case HandVoided():
            return _void(ports, state, table, event)
        case PrizePaid(prize=prize):
            found = find_prize(state, prize)
            if found is None:
                return []
            return [_amount("prize_paid", found["paid_minor"], found["amount_minor"], seat=found["seat"])]
        case PrizeAdvanced(seat=seat, amount_minor=amount):
            return [_amount("prize_advanced", 0, amount, seat=seat)]
        case CardsEntered(place=place, cards=cards):
            return [_words("cards_entered", "", " ".join(cards), place=place)]
        case CardCorrected(place=place, old=old, new=new) | HandCorrected(place=place, old=old, new=new):
            return [_words("card_corrected", str(old), str(new), place=place)]
        case DrawWinnerNamed(kind=kind, seat=seat):
            return [_words("draw_winner", "", str(seat), kind=kind)]
    return []


def _void(ports: ApiPorts, state: TableState, table: str, event: HandVoided) -> list[Effect]:
    hand = hand_named(state, event.hand)
    if hand is None:
        return []
    credits = sum(hand.credits.values())
    lines = [_amount("bets_returned", None, credits * ports.table(table).settings.jackpot.credit_minor)]
    for prize in prizes_of(state):
        if prize["hand"] == hand.number and prize["status"] not in ("paid", "void"):
            lines.append(_amount("prize_cancelled", prize["amount_minor"], 0, seat=prize["seat"]))
    back = sum(
        prize["payable_minor"]
        for prize in prizes_of(state)
        if prize["hand"] == hand.number and prize["paid_by"] == "meter" and prize["status"] in OPEN
    )
    own = ports.minor(hand.contribution.meter_micros) if hand.closed else 0
    if own or back:
        now = ports.minor(max(state.link.meter_micros, 0))
        lines.append(_amount("carousel_meter", now, now + back - own))
    return lines


def _at_carousel(ports: ApiPorts, carousel: str, event: object) -> list[Effect]:
    ledger = ports.host(carousel).state.ledger
    match event:
        case StartValueReset(table=table, start_micros=start, meter_too=too):
            account = ledger.tables.get(table)
            if account is None:
                return []
            lines = [_amount("start_value", ports.minor(account.start_micros), ports.minor(start), table=table)]
            after = start if too else account.main_micros
            lines.append(_amount("table_meter", ports.minor(account.main_micros), ports.minor(after), table=table))
            whole = ledger.amount_micros + after - account.main_micros
            return [*lines, _amount("carousel_meter", ports.minor(ledger.amount_micros), ports.minor(whole))]
        case MeterAdjusted(table=table, main_micros=main, reserve_micros=reserve):
            account = ledger.tables.get(table)
            if account is None:
                return []
            was, kept = account.main_micros, account.reserve_micros
            lines = [_amount("table_meter", ports.minor(was), ports.minor(was + main), table=table)]
            if reserve:
                lines.append(_amount("table_reserve", ports.minor(kept), ports.minor(kept + reserve), table=table))
            whole = ledger.amount_micros + main
            return [*lines, _amount("carousel_meter", ports.minor(ledger.amount_micros), ports.minor(whole))]
        case BalanceTransferred(table=table, micros=micros, target=target):
            lines = []
            for name, sign in ((table, -1), (target, 1)):
                account = ledger.tables.get(name) if name is not None else None
                if account is not None:
                    was = account.main_micros
                    after = ports.minor(was + sign * micros)
                    lines.append(_amount("table_meter", ports.minor(was), after, table=account.profile.table))
            if target is None:
                out = ledger.amount_micros - micros
                lines.append(_amount("carousel_meter", ports.minor(ledger.amount_micros), ports.minor(out)))
            return lines
    return []
