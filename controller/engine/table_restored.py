"""Money that a restore leaves open: the bets of the backup's hand in course, and prizes that were not paid in it.

What became of them after the backup was taken is not in the journal. Two people say it, one by one, and the accounts
close.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.core.events import Envelope
from controller.core.evolve import evolve
from controller.core.jackpot import Contribution
from controller.core.ledger import Entry, Posting, move
from controller.core.prizes import PaidBy
from controller.core.refusal import Refusal, Refused, refuse
from controller.core.restored import RestoredOutcome, RestoredSettled
from controller.core.typed_text import is_reason
from controller.engine.table_bets import contribute
from controller.engine.table_state import Hand, PrizeStatus, Restored, TableSettings, TableState, drawn_shares

OUTCOMES: Mapping[str, tuple[RestoredOutcome, ...]] = {
    "hand": (RestoredOutcome.COUNTED, RestoredOutcome.RETURNED),
    "draw": (RestoredOutcome.PAID, RestoredOutcome.NOT_PAID),
    "award": (RestoredOutcome.PAID, RestoredOutcome.NOT_PAID),
}
"""What people can say of each kind of open money."""
EARLIER = "carousel.earlier"
"""What an incarnation that has ended owed the carousel: its counters are final, people adjust what they lack."""


def open_money(settings: TableSettings, state: TableState) -> dict[str, Restored]:
    """What is open in a state that a restore begins from, with what an earlier restore left."""
    found = dict(state.restored)
    for each in (_hand(settings, state.hand), *_draws(settings, state), *_awards(settings, state)):
        if each is not None and each.micros:
            found[each.id] = each
    return found


def _hand(settings: TableSettings, hand: Hand) -> Restored | None:
    credits = sum(hand.credits.values())
    micros = credits * settings.jackpot.credit_minor * settings.minor_micros
    shares = hand.contribution if hand.closed else contribute(settings, credits)
    return Restored(f"hand/{hand.number}", "hand", hand.number, None, micros, hand.closed, shares)


def _draws(settings: TableSettings, state: TableState) -> tuple[Restored, ...]:
    waiting = (PrizeStatus.PENDING, PrizeStatus.VERIFIED)
    return tuple(
        Restored(
            f"draw/{prize.id}",
            "draw",
            prize.hand,
            prize.seat,
            prize.amount_minor * settings.minor_micros,
            pool=prize.kind,
            pool_micros=prize.pool_micros,
        )
        for prize in state.draw_prizes.values()
        if prize.status in waiting
    )


def _awards(settings: TableSettings, state: TableState) -> tuple[Restored, ...]:
    closed = set(state.link.closed_rows)
    rows = (row for row in state.link.rows.values() if row.id not in closed)
    return tuple(
        Restored(
            f"award/{row.id}",
            "award",
            row.hand,
            row.seat,
            row.payable_minor * settings.minor_micros,
            pool="carousel.awards" if row.paid_by == PaidBy.METER.value else "house.prizes",
        )
        for row in rows
    )


def decide_restored(
    settings: TableSettings, state: TableState, envelope: Envelope, event: RestoredSettled
) -> tuple[Entry, ...] | Refused:
    """Two people say what became of one piece of open money."""
    found = state.restored.get(event.item)
    if found is None:
        return refuse(Refusal.NOTHING_RESTORED, item=event.item)
    if event.outcome not in OUTCOMES[found.kind]:
        return refuse(Refusal.WRONG_OUTCOME, outcome=event.outcome.value)
    if not is_reason(event.reason):
        return refuse(Refusal.REASON_MISSING)
    if envelope.second is None:
        return refuse(Refusal.SECOND_PERSON_MISSING)
    if envelope.second == envelope.actor:
        return refuse(Refusal.SAME_PERSON_TWICE)
    closing = _CLOSINGS[event.outcome](state, found)
    body = {
        "item": found.id,
        "kind": found.kind,
        "hand": found.hand,
        "outcome": event.outcome.value,
        "micros": found.micros,
        "pools": dict(closing.pools),
        "taken_back": closing.taken_back,
        "reason": event.reason,
        "second": envelope.second,
    }
    if found.seat is not None:
        body["seat"] = found.seat
    return (Entry(envelope.id, "restored.settled", body, closing.postings, envelope.actor),)


@dataclass(frozen=True, slots=True)
class _Closing:
    """What an outcome moves: postings, each draw's pool in micros, and bets that never were."""

    postings: tuple[Posting, ...]
    pools: Mapping[str, int] = field(default_factory=dict)
    taken_back: int = 0


def _linked(shares: Contribution) -> int:
    return shares.meter_micros + shares.reserve_micros


def _counted(state: TableState, found: Restored) -> _Closing:
    """The hand was played: closed bets went where they went before the backup, open ones go there now."""
    if found.closed:
        return _Closing(())
    pools = {kind: micros for kind, micros in drawn_shares(found.shares).items() if micros}
    postings = move("bets", EARLIER, _linked(found.shares)) + move("bets", "house.revenue", found.shares.house_micros)
    for kind, micros in pools.items():
        postings += move("bets", f"pool.{kind}", micros)
    return _Closing(postings, pools)


def _returned(state: TableState, found: Restored) -> _Closing:
    """The players got their bets back. Of closed bets the house returns what the carousel has counted: its meter is
    corrected at the host; a draw's pool never gives more than it holds."""
    if not found.closed:
        return _Closing(move("bets", "patrons", found.micros), taken_back=found.micros)
    shares = {kind: micros for kind, micros in drawn_shares(found.shares).items() if micros}
    pools = {kind: -min(micros, state.pools.get(kind, 0)) for kind, micros in shares.items()}
    short = sum(shares.values()) + sum(pools.values())
    postings = move("house.revenue", "patrons", found.shares.house_micros)
    postings += move("house.prizes", "patrons", _linked(found.shares) + short)
    for kind, micros in pools.items():
        postings += move(f"pool.{kind}", "patrons", -micros)
    return _Closing(postings, pools, taken_back=found.micros)


def _paid(state: TableState, found: Restored) -> _Closing:
    return _Closing(move("prizes.payable", "prizes.paid", found.micros))


def _not_paid(state: TableState, found: Restored) -> _Closing:
    """It was not owed after all, or the host's people have settled it: what set it aside takes it back."""
    if found.kind == "award":
        return _Closing(move("prizes.payable", found.pool, found.micros))
    postings = move("prizes.payable", f"pool.{found.pool}", found.pool_micros)
    postings += move("prizes.payable", "house.prizes", found.micros - found.pool_micros)
    return _Closing(postings, {found.pool: found.pool_micros} if found.pool_micros else {})


_CLOSINGS = {
    RestoredOutcome.COUNTED: _counted,
    RestoredOutcome.RETURNED: _returned,
    RestoredOutcome.PAID: _paid,
    RestoredOutcome.NOT_PAID: _not_paid,
}


def apply_settled(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    """The item is closed, the pools are what the entry says."""
    body = entry.body
    pools = dict(state.pools)
    for kind, micros in body["pools"].items():
        pools[kind] = pools.get(kind, 0) + micros
    restored = {name: each for name, each in state.restored.items() if name != body["item"]}
    return evolve(state, restored=restored, pools=pools, wagered_micros=state.wagered_micros - body["taken_back"])
