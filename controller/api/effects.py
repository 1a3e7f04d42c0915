"""What an act would change, before and after, as the asker sees it and the second person approves it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller.api.context import ApiPorts
from controller.api.effect_forms import Effect, in_minor, in_words
from controller.api.enrolment_lines import enrolment_effects
from controller.api.host_effects import promotion_effects, seal_effects
from controller.api.prize_views import find_prize, prizes_of
from controller.api.targets import Target
from controller.api.views import hand_named, hand_view
from controller.api.void_meter import meter_without
from controller.core.draw_events import DrawOutsideSet, DrawPoolMoved
from controller.core.events import (
    CardCorrected,
    CardsEntered,
    DrawWinnerNamed,
    HandCorrected,
    HandVoided,
    PrizeAdvanced,
    PrizePaid,
)
from controller.core.games.game import Game
from controller.core.prize_events import PrizeHoldReleased, PrizeOverridden
from controller.core.refusal import Refused
from controller.core.restored import RestoredSettled
from controller.core.settings_events import SettingChange, SettingsChanged, TermsConfirmed
from controller.engine.host_events import (
    AwardSettled,
    BalanceTransferred,
    ClosedDisposed,
    ClosingAsked,
    HostPromoted,
    MemberAccepted,
    MemberRekeyed,
    MemberSealed,
    MeterAdjusted,
    OrphansAssigned,
    PrizeReleased,
    StartValueReset,
)
from controller.engine.ledger_records import ClaimName
from controller.engine.ledger_state import ORPHANS, LedgerState
from controller.engine.member import row_of
from controller.engine.settings_values import changes_between, values_of
from controller.engine.table_hand import winners_of
from controller.engine.table_pools import KINDS
from controller.engine.table_state import Hand, TableSettings, TableState


def _setting(change: SettingChange, what: str = "setting") -> Effect:
    return {
        "what": what,
        "unit": "setting",
        "before": change.before,
        "after": change.after,
        "where": {"setting": change.key},
    }


def effects_of(ports: ApiPorts, target: Target, event: object) -> tuple[Effect, ...]:
    """Lines of the before/after table; none for acts that change no figure."""
    if target.kind == "table":
        return tuple(_at_table(ports, ports.table(target.id).state, target.id, event))
    if target.kind == "carousel":
        return tuple(_at_carousel(ports, target.id, event))
    return ()


def _at_table(ports: ApiPorts, state: TableState, table: str, event: object) -> list[Effect]:
    match event:
        case RestoredSettled(item=item):
            open_money = state.restored.get(item)
            if open_money is None:
                return []
            return [in_minor("restored_money", ports.minor(open_money.micros), 0, hand=open_money.hand)]
        case HandVoided():
            return _void(ports, state, table, event)
        case PrizeHoldReleased(prize=prize):
            found = find_prize(state, prize)
            if found is None:
                return []
            return [in_minor("prize_released", None, found["payable_minor"], seat=found["seat"])]
        case PrizePaid(prize=prize):
            found = find_prize(state, prize)
            if found is None:
                return []
            after = found["paid_minor"] + found["payable_minor"]
            return [in_minor("prize_paid", found["paid_minor"], after, seat=found["seat"])]
        case PrizeOverridden(prize=prize, amount_minor=amount):
            found = find_prize(state, prize)
            if found is None:
                return []
            difference = amount - found["computed_minor"]
            return [
                in_minor("prize_override", found["payable_minor"], amount, seat=found["seat"]),
                in_minor("override_difference", None, difference),
            ]
        case PrizeAdvanced(seat=seat, amount_minor=amount):
            row = state.link.rows.get(row_of(state.link, event.hand, seat))
            paid = row.paid_minor if row is not None else 0
            return [in_minor("prize_advanced", paid, paid + amount, seat=seat)]
        case CardsEntered(place=place, cards=cards):
            return [in_words("cards_entered", "", " ".join(cards), place=place)]
        case CardCorrected(place=place, old=old, new=new) | HandCorrected(place=place, old=old, new=new):
            line = in_words("card_corrected", str(old), str(new), place=place)
            hand, desk = hand_named(state, event.hand), ports.table(table)
            return [line] if hand is None else [line, *corrected(desk.read(hand.settings), state, hand, event)]
        case SettingsChanged(changes=changes):
            return [*map(_setting, changes), *_given_up(state, changes)]
        case TermsConfirmed(terms=terms):
            return [in_words("terms_confirmed", "", terms)]
        case DrawPoolMoved(pool=pool, micros=micros, target=target):
            return _pool_moved(ports, state, pool, micros, target)
        case DrawOutsideSet(value=value, source=source):
            was, where = state.draws_outside
            return [
                in_words("draw_outside", was, value),
                in_words("draw_outside_source", where, source if value else ""),
            ]
        case DrawWinnerNamed(kind=kind, seat=seat):
            return [in_words("draw_winner", "", str(seat), kind=kind)]
    return []


def _given_up(state: TableState, changes: tuple[SettingChange, ...]) -> list[Effect]:
    """What waits for its moment, and waits no more once others are asked for."""
    pending = state.book.pending
    if pending is None:
        return []
    now = values_of(state.hand.settings)
    wanted = now | {each.key: each.after for each in changes}
    waiting = changes_between(now, values_of(pending.settings))
    lines = (SettingChange(each.key, each.after, wanted.get(each.key)) for each in waiting)
    return [_setting(each, "setting_waiting") for each in lines if each.before != each.after]


def _void(ports: ApiPorts, state: TableState, table: str, event: HandVoided) -> list[Effect]:
    hand = hand_named(state, event.hand)
    if hand is None:
        return []
    credits, played_by = sum(hand.credits.values()), ports.table(table).read(hand.settings)
    lines = [in_minor("bets_returned", None, credits * played_by.jackpot.credit_minor)]
    for prize in prizes_of(state):
        if prize["hand"] == hand.number:
            lines += _taken_back(prize)
    now, then = state.link.meter_micros, meter_without(state.link, hand)
    if now != then:
        lines.append(in_minor("carousel_meter", ports.minor(now), ports.minor(then)))
    return [*lines, *chips_back(played_by.game, state, hand)]


def chips_back(game: Game, state: TableState, hand: Hand) -> list[Effect]:
    """What every player has before him once the hand just paid is taken back (circle game)."""
    undone = game.undone(state.hand.game)
    if hand is state.hand or isinstance(undone, Refused):
        return []
    was = {box.seat: box.stack_minor for box in game.boxes(state.hand.game)}
    return [
        in_minor("stack", was.get(box.seat) or 0, box.stack_minor or 0, seat=box.seat)
        for box in game.boxes(undone)
        if box.stack_minor != was.get(box.seat)
    ]


def corrected(
    settings: TableSettings, state: TableState, hand: Hand, event: CardCorrected | HandCorrected
) -> list[Effect]:
    """What a true card makes of its hand: board and boxes as they would be, who wins what, what the base game pays.

    settings: what the hand was played by.
    """
    game = settings.game.step(hand.game, CardCorrected(event.place, event.old, event.new))
    if isinstance(game, Refused):
        return []
    was, then = hand_view(settings, state, hand), hand_view(settings, state, replace(hand, game=game))
    lines = [in_words("board", " ".join(was["board"]), " ".join(then["board"]))] if was["board"] else []
    for box, after in zip(was["boxes"], then["boxes"], strict=True):
        seat = box["seat"]
        if box["cards"] != after["cards"]:
            lines.append(in_words("box_cards", " ".join(box["cards"]), " ".join(after["cards"]), seat=seat))
        if box["cards"] != after["cards"] or box["category"] != after["category"]:
            lines.append(in_words("box_rank", box["category"] or "", after["category"] or "", seat=seat))
        net, net_after = box.get("advice", {}).get("net_minor"), after.get("advice", {}).get("net_minor")
        if net != net_after:
            lines.append(in_minor("box_result", net, net_after, seat=seat))
    wins = {winner.seat: winner.category.value for winner in winners_of(settings, hand, hand.game)}
    would = {winner.seat: winner.category.value for winner in winners_of(settings, hand, game)}
    for seat in sorted({*wins, *would}):
        if wins.get(seat) != would.get(seat):
            lines.append(in_words("prize_won", wins.get(seat, ""), would.get(seat, ""), seat=seat))
    amounts = [each for each in prizes_of(state) if each["hand"] == hand.number and each["source"] == "carousel"]
    for prize in amounts:
        if wins.get(prize["seat"]) != would.get(prize["seat"]):
            lines += _taken_back(prize)
    return lines


def _taken_back(prize: Mapping[str, Any]) -> list[Effect]:
    """What becomes of a prize that its hand no longer wins: nothing of it is due, and what was paid stays paid.

    Each names its prize: a box may hold one of the carousel and one of each draw.
    """
    where, paid = {"seat": prize["seat"], "category": prize["category"]}, prize["paid_minor"]
    lines = (
        [] if prize["status"] in ("paid", "void") else [in_minor("prize_cancelled", prize["amount_minor"], 0, **where)]
    )
    return [*lines, in_minor("prize_kept", paid, paid, **where)] if paid else lines


def _released(ledger: LedgerState, claim: ClaimName) -> list[Effect]:
    """The prizes of an award as the ledger has them."""
    answered = ledger.awards.get(claim.key)
    rows = answered.granted.rows if answered is not None else ()
    return [in_minor("prize_released", None, row.amount_minor, seat=row.seat) for row in rows]


def _pool_moved(ports: ApiPorts, state: TableState, pool: str, micros: int, target: str) -> list[Effect]:
    """Where the money of a pool that is left lies, before and after: a draw's pool, the register, a named jackpot."""
    lines = []
    for place, sign in ((pool, -1), (target, 1)):
        if place in KINDS:
            held = state.pools.get(place, 0)
            lines.append(in_minor("draw_pool", ports.minor(held), ports.minor(held + sign * micros), draw=place))
        elif place == ORPHANS:
            held = state.orphans_micros
            lines.append(in_minor("orphans", ports.minor(held), ports.minor(held + sign * micros)))
        else:
            lines.append(in_words("closing_target", "", place))
    return lines


def _at_carousel(ports: ApiPorts, carousel: str, event: object) -> list[Effect]:
    ledger = ports.host(carousel).state.ledger
    match event:
        case PrizeReleased(name=claim) | AwardSettled(name=claim):
            return _released(ledger, claim)
        case MemberAccepted(profile=profile):
            return enrolment_effects(profile, ports.minor_micros)
        case MemberSealed(table=table):
            return seal_effects(ports, ports.host(carousel).state, table)
        case HostPromoted():
            return promotion_effects(ports, ports.host(carousel).state)
        case MemberRekeyed(table=table, key=key):
            account = ledger.tables.get(table)
            return [] if account is None else [in_words("node_key", account.profile.key, key, table=table)]
        case StartValueReset(table=table, start_micros=start, meter_too=too):
            account = ledger.tables.get(table)
            if account is None:
                return []
            lines = [in_minor("start_value", ports.minor(account.start_micros), ports.minor(start), table=table)]
            after = start if too else account.main_micros
            lines.append(in_minor("table_meter", ports.minor(account.main_micros), ports.minor(after), table=table))
            whole = ledger.amount_micros + after - account.main_micros
            return [*lines, in_minor("carousel_meter", ports.minor(ledger.amount_micros), ports.minor(whole))]
        case MeterAdjusted(table=table, main_micros=main, reserve_micros=reserve):
            account = ledger.tables.get(table)
            if account is None:
                return []
            was, kept = account.main_micros, account.reserve_micros
            lines = [in_minor("table_meter", ports.minor(was), ports.minor(was + main), table=table)]
            if reserve:
                lines.append(in_minor("table_reserve", ports.minor(kept), ports.minor(kept + reserve), table=table))
            whole = ledger.amount_micros + main
            return [*lines, in_minor("carousel_meter", ports.minor(ledger.amount_micros), ports.minor(whole))]
        case ClosingAsked(day=day, target=target):
            known = ledger.closing
            lines = [in_words("closing_day", known.day if known is not None else "", day)]
            return [
                *lines,
                in_words("closing_target", known.target if known is not None else "", target if day else ""),
            ]
        case ClosedDisposed():
            held = sum(account.total_micros for account in ledger.tables.values() if account.in_carousel)
            return [in_minor("pools_moved", ports.minor(held), 0)]
        case OrphansAssigned(micros=micros):
            held = ledger.orphans_micros
            return [in_minor("orphans", ports.minor(held), ports.minor(held - micros))]
        case BalanceTransferred(table=table, micros=micros, target=target):
            lines = []
            for name, sign in ((table, -1), (target, 1)):
                account = ledger.tables.get(name) if name is not None else None
                if account is not None:
                    was = account.main_micros
                    after = ports.minor(was + sign * micros)
                    lines.append(in_minor("table_meter", ports.minor(was), after, table=account.profile.table))
            if target is None:
                out = ledger.amount_micros - micros
                lines.append(in_minor("carousel_meter", ports.minor(ledger.amount_micros), ports.minor(out)))
            return lines
    return []
