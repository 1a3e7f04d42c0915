"""Stored entries of a table folded into its state, one small function for each kind."""

from collections.abc import Callable, Mapping
from typing import Any

from controller.core.evolve import evolve
from controller.core.jackpot import contribution_in
from controller.core.ledger import Entry
from controller.core.prizes import Winner
from controller.core.records import from_record
from controller.core.refusal import Refused
from controller.engine import alarms, member, table_papers
from controller.engine.draw_source import apply_outside, apply_source
from controller.engine.table_hand import GAME_EVENTS
from controller.engine.table_holds import open_holds, standing_holds
from controller.engine.table_lamps import apply_lamps
from controller.engine.table_overrides import apply_ended, apply_overridden, settled
from controller.engine.table_pools import apply_pool_moved
from controller.engine.table_restored import apply_settled, open_money
from controller.engine.table_state import (
    DrawPrize,
    DrawResult,
    Hand,
    Hold,
    PrizeStatus,
    TableSettings,
    TableState,
    Unread,
    drawn_shares,
    with_item,
)

Applier = Callable[[TableSettings, TableState, Entry], TableState]


class ReplayBroken(Exception):
    """A stored entry no longer fits the rules that wrote it: the daemon does not start on a guess."""


def _stepped(settings: TableSettings, hand: Hand, entry: Entry) -> Hand:
    game = settings.game.step(hand.game, GAME_EVENTS.from_record(entry.body["event"]))
    if isinstance(game, Refused):
        raise ReplayBroken(f"entry {entry.id} ({entry.kind}) is refused at replay: {game.reason.value}")
    return evolve(hand, game=game)


def _game_event(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    hand = _stepped(settings, state.hand, entry)
    if entry.body["event"]["type"] == "CardsEntered":
        hand = evolve(hand, prize_called=())
    return evolve(state, hand=hand)


def _credits(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    body = entry.body
    sign = 1 if entry.kind == "credit.wagered" else -1
    wagered = sign * body["credits"] * settings.jackpot.credit_minor * settings.minor_micros
    hand = evolve(state.hand, credits=with_item(state.hand.credits, body["seat"], body["total"] or None))
    return evolve(state, hand=hand, wagered_micros=state.wagered_micros + wagered, lamp_test=False, lamp_on_test=None)


def _unread(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    body = entry.body
    unread = Unread(entry.id, body["seat"], body["lost_min"], body["lost_max"], body["why"], body["hand"])
    return evolve(state, unread=with_item(state.unread, entry.id, unread))


def _settled(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    return evolve(state, unread=with_item(state.unread, entry.body["unread"], None))


def _seats_closed(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    seats = tuple(entry.body["seats"]) or None
    return evolve(state, closed_seats=with_item(state.closed_seats, entry.body["source"], seats))


def _bets_closed(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    body = entry.body
    shares = contribution_in(body)
    credits = {row["seat"]: row["credits"] for row in body["list"] if row["credits"]}
    hand = evolve(
        _stepped(settings, state.hand, entry),
        closed=True,
        credits=credits,
        frozen_list=body["list_hash"],
        contribution=shares,
        draws_wanted=tuple(body["draws"]),
        outside=body.get("outside", ""),
    )
    state = evolve(state, lamp_test=False, lamp_on_test=None)
    pools = dict(state.pools)
    for kind, micros in drawn_shares(shares).items():
        if micros:
            pools[kind] = pools.get(kind, 0) + micros
    back = sum(credits for _, credits in body["returned"]) * settings.jackpot.credit_minor * settings.minor_micros
    return evolve(state, hand=hand, pools=pools, wagered_micros=state.wagered_micros - back)


def _called(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    key, seat = entry.body["key"], entry.body["seat"]
    hand = state.hand
    if key == "void":
        return evolve(state, hand=evolve(hand, void_called=True))
    if key == "draw":
        return evolve(state, hand=evolve(hand, draw_key=True))
    return evolve(state, hand=evolve(hand, prize_called=(*hand.prize_called, seat or 0)))


def _dismissed(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    return evolve(state, hand=evolve(state.hand, prize_called=()))


def _next_hand(settings: TableSettings, state: TableState, closed: Hand) -> TableState:
    following = Hand(closed.number + 1, settings.game.next_hand(closed.game), settings=closed.settings)
    return evolve(state, hand=following, last=closed)


def _over(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    winners = tuple(from_record(Winner, row) for row in entry.body["winners"])
    hand = evolve(_stepped(settings, state.hand, entry), winners=winners, revision=1 if winners else 0)
    return _next_hand(settings, state, hand)


def _corrected(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    if state.last is None:
        raise ReplayBroken(f"entry {entry.id} corrects a hand that is not there")
    winners = tuple(from_record(Winner, row) for row in entry.body["winners"])
    revision = state.last.revision + (winners != state.last.winners)
    return evolve(state, last=evolve(_stepped(settings, state.last, entry), winners=winners, revision=revision))


def _void(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    body = entry.body
    returned = sum(credits for _, credits in body["returned"])
    back = returned * settings.jackpot.credit_minor * settings.minor_micros
    state = evolve(state, wagered_micros=state.wagered_micros - back)
    current = body["hand"] == state.hand.number
    hand = state.hand if current or state.last is None else state.last
    if not body.get("pools_apart"):  # as journals of before say it: in the same entry, whatever the pool holds
        shares = drawn_shares(hand.contribution)
        state = evolve(state, pools={kind: micros - shares[kind] for kind, micros in state.pools.items()})
    revision = hand.revision + (1 if hand.winners else 0)
    hand = evolve(hand, void=body["reason"], winners=(), revision=revision)
    if current:
        return _next_hand(settings, state, hand)
    if body.get("chips_back"):  # not in journals of before: there the jackpot's money went back alone
        undone = settings.game.undone(state.hand.game)
        if isinstance(undone, Refused):
            raise ReplayBroken(f"entry {entry.id} takes back a hand that stays: {undone.reason.value}")
        state = evolve(state, hand=evolve(state.hand, game=undone))
    return evolve(state, last=hand)


def _pools_reversed(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    taken = entry.body["pools"]
    return evolve(state, pools={kind: micros - taken.get(kind, 0) for kind, micros in state.pools.items()})


def _chain(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    return evolve(state, chain=entry.body["commitment"], chain_next=1, chain_length=entry.body["length"])


def _draw(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    body = entry.body
    results = tuple(DrawResult(kind, body["index"], outcome) for kind, outcome, _ in body["results"])
    hand = evolve(state.hand, draws=results)
    return evolve(state, hand=hand, chain=body["seed"], chain_next=body["index"] + 1)


def _seats_asked(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    return evolve(state, seat_draw=tuple(entry.body["players"]))


def _seats_drawn(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    return evolve(state, seat_draw=(), chain=entry.body["seed"], chain_next=entry.body["index"] + 1)


def _named(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    named = with_item(state.hand.named, entry.body["kind"], entry.body["seat"])
    return evolve(state, hand=evolve(state.hand, named=named))


def _prize(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    body = entry.body
    prize = DrawPrize(
        body["prize"], body["hand"], body["kind"], body["seat"], body["amount_minor"], body["pool_micros"]
    )
    pools = dict(state.pools)
    if prize.pool_micros:
        pools[prize.kind] -= prize.pool_micros
    return evolve(state, pools=pools, draw_prizes=with_item(state.draw_prizes, prize.id, prize))


def _paid(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    """A payment; by an override it is settled, and the link is told of what was paid beside the computed amount."""
    if "override" not in entry.body:
        return state
    return evolve(settled(state, entry.body["prize"]), link=member.apply(state.link, entry))


def _prize_status(status: PrizeStatus) -> Applier:
    def apply(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
        prize = evolve(state.draw_prizes[entry.body["prize"]], status=status)
        pools = dict(state.pools)
        if status is PrizeStatus.VOID and prize.pool_micros:
            pools[prize.kind] += prize.pool_micros
        state = _paid(settings, state, entry)
        done = status in (PrizeStatus.PAID, PrizeStatus.VOID)
        prizes = _forget_old(with_item(state.draw_prizes, prize.id, prize)) if done else None
        return evolve(state, pools=pools, draw_prizes=prizes or with_item(state.draw_prizes, prize.id, prize))

    return apply


def _forget_old(prizes: dict[str, DrawPrize], keep: int = 25) -> dict[str, DrawPrize]:
    """Done prizes stay for the screens up to a bound; the journal keeps all of them."""
    done = [prize.id for prize in prizes.values() if prize.status in (PrizeStatus.PAID, PrizeStatus.VOID)]
    return {id: prize for id, prize in prizes.items() if id not in done[:-keep]}


def _stopped(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    note = entry.body.get("note", "") if entry.kind == "bets.stopped" else None
    return evolve(state, stops=with_item(state.stops, entry.body["source"], note))


def _refused(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    seat = entry.body["seat"]
    refused = with_item(
        state.hand.refused_credits, seat, state.hand.refused_credits.get(seat, 0) + entry.body["credits"]
    )
    return evolve(state, hand=evolve(state.hand, refused_credits=refused))


def _remembered(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    return evolve(state, devices=with_item(state.devices, entry.body["device"], entry.body["memory"]))


def with_source(state: TableState, source: Mapping[str, Any]) -> TableState:
    """The device's memory after a counted event was stored: the further counter of the same epoch wins."""
    memory = state.devices.get(source["device"])
    if memory is None or memory["serial"] != source["serial"] or memory["epoch"] != source["epoch"]:
        return state
    known = memory["counters"].get(source["channel"], 0)
    counters = {**memory["counters"], source["channel"]: max(known, source["counter"])}
    return evolve(state, devices={**state.devices, source["device"]: {**memory, "counters": counters}})


def _born(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    return evolve(state, link=member.apply(state.link, entry))


def _restored(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    """A new incarnation on top of a backup: hands go on by number, and nothing that was open is this one's to end.

    The hand in course of the backup is long over, its prizes may be paid, and seeds that the backup takes for secret
    may be revealed: the hand, lost counts, open prizes and the draws' chain begin anew; their money waits for people.
    Pools, stops, alarms and what
    the devices last counted stay (what they counted since is told as a loss with its bounds).
    """
    done = (PrizeStatus.PAID, PrizeStatus.VOID)
    return evolve(
        state,
        hand=Hand(state.hand.number + 1, settings.game.first_hand(), settings=state.hand.settings),
        last=None,
        link=member.apply(state.link, entry),
        chain="",
        chain_next=0,
        chain_length=0,
        seat_draw=(),
        draw_prizes={name: prize for name, prize in state.draw_prizes.items() if prize.status in done},
        unread={},
        lamp_test=False,
        lamp_on_test=None,
        holds={},
        checks={},
        overrides={},
        slips={},
        slip_last=0,
        slip_series=state.slip_series + 1,
        restored=open_money(settings, state),
    )


def _alarm(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    return evolve(state, alarms=alarms.apply(state.alarms, entry))


def _hold(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    body = entry.body
    held = Hold(body["reason"], body["note"], entry.actor) if entry.kind == "prize.hold" else None
    others = standing_holds(state) if body.get("others_stand") else open_holds(state)  # as journals of before fold it
    return evolve(state, holds=with_item(others, body["prize"], held))


def _deck_replaced(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    return evolve(state, decks_replaced=with_item(state.decks_replaced, entry.body["old"], entry.body["new"]))


def _shuffler(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    return evolve(state, shuffler_status=entry.body["status"])


def _started(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    return evolve(state, begun_minor=entry.body.get("minor_micros", 0))


APPLIERS: dict[str, Applier] = {
    "table.started": _started,
    "journal.genesis": _born,
    "journal.restored": _restored,
    "restored.settled": apply_settled,
    "game.event": _game_event,
    "credit.wagered": _credits,
    "credit.withdrawn": _credits,
    "credit.refused": _refused,
    "device.remembered": _remembered,
    "credits.unread": _unread,
    "credits.settled": _settled,
    "seats.closed": _seats_closed,
    "bets.closed": _bets_closed,
    "key.called": _called,
    "prize.dismissed": _dismissed,
    "hand.over": _over,
    "hand.corrected": _corrected,
    "hand.void": _void,
    "pools.reversed": _pools_reversed,
    "pool.moved": apply_pool_moved,
    "draw.chain": _chain,
    "draw.made": _draw,
    "draw.seats_asked": _seats_asked,
    "draw.seats": _seats_drawn,
    "draw.named": _named,
    "draw.source_failed": apply_source,
    "draw.source_back": apply_source,
    "draw.outside": apply_outside,
    "draw.prize": _prize,
    "draw.prize_verified": _prize_status(PrizeStatus.VERIFIED),
    "draw.prize_paid": _prize_status(PrizeStatus.PAID),
    "draw.prize_void": _prize_status(PrizeStatus.VOID),
    "bets.stopped": _stopped,
    "bets.resumed": _stopped,
    **dict.fromkeys(alarms.KINDS, _alarm),
    **table_papers.APPLIERS,
    "prize.paid": _paid,
    "prize.overridden": apply_overridden,
    "prize.override_ended": apply_ended,
    "prize.hold": _hold,
    "prize.hold_released": _hold,
    **dict.fromkeys(("lamps.test", "lamps.tested", "lamps.test_ran"), apply_lamps),
    "deck.replaced": _deck_replaced,
    "shuffler.told": _shuffler,
}
