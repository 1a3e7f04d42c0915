"""The two draws at a table: due at no va más, made from the seed chain, and their prizes (art. 61-64)."""

from typing import Any

from controller.core import draws
from controller.core.events import DrawChainCommitted, DrawSeedRevealed, DrawWinnerNamed, Envelope
from controller.core.ledger import Entry, move
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.table_seats import decide_seats
from controller.engine.table_state import (
    CARTA_MAGICA,
    JUGADOR_AFORTUNADO,
    DrawPrize,
    DrawTerms,
    Hand,
    LuckySeatFrom,
    PrizeStatus,
    TableSettings,
    TableState,
    drawn_shares,
)


def draws_due(settings: TableSettings, state: TableState) -> tuple[str, ...]:
    """The kinds drawn in this hand: every n hands, or by the dealer's key (reading O-r); none while they are off."""
    hand = state.hand
    if state.draws_off and not settings.draws_hold:
        return ()
    return tuple(
        terms.kind
        for terms in settings.draws
        if (hand.draw_key if terms.every == 0 else hand.number % terms.every == 0)
    )


def decide_chain(
    settings: TableSettings, state: TableState, envelope: Envelope, event: DrawChainCommitted
) -> tuple[Entry, ...] | Refused:
    """A new chain's end is journaled before its first use; never while a hand waits for a seed of the old one."""
    if state.hand.draw_pending:
        return refuse(Refusal.DRAW_CHAIN_IN_USE, hand=state.hand.number)
    body = {
        "commitment": event.commitment,
        "length": event.length,
        "site": settings.site,
        "table": settings.table,
        "incarnation": state.link.settings.incarnation,
    }
    return (Entry(envelope.id, "draw.chain", body, (), envelope.actor),)


def positions(settings: TableSettings, terms: DrawTerms, hand: Hand) -> tuple[int, ...]:
    """The seats that can be drawn for the Jugador Afortunado (reading O-p)."""
    if terms.lucky_seat_from is LuckySeatFrom.ALL_BOXES:
        return settings.seats
    if terms.lucky_seat_from is LuckySeatFrom.OCCUPIED:
        return tuple(seat for seat in settings.seats if settings.game.has_ante(hand.game, seat))
    return tuple(seat for seat in settings.seats if hand.credits.get(seat))


def decide_seed(
    settings: TableSettings, state: TableState, envelope: Envelope, event: DrawSeedRevealed
) -> tuple[Entry, ...] | Refused:
    """All draws of the hand from one revealed seed: the same seed and list always give the same result."""
    if state.seat_draw:
        return decide_seats(settings, state, envelope, event)
    hand = state.hand
    if not hand.draw_pending or event.index != state.chain_next:
        return refuse(Refusal.DRAW_NOT_WANTED, index=event.index)
    seed = bytes.fromhex(event.seed)
    if draws.commitment_of(seed).hex() != state.chain:
        return refuse(Refusal.DRAW_SEED_WRONG, index=event.index)
    results: list[list[Any]] = []
    for kind in hand.draws_wanted:
        context = draws.DrawContext(
            site=settings.site,
            table=settings.table,
            incarnation=state.link.settings.incarnation,
            hand=hand.number,
            kind=kind,
            list_hash=hand.frozen_list,
            outside=hand.outside,
        )
        if kind == CARTA_MAGICA:
            results.append([kind, str(draws.draw_card(seed, context)), []])
        else:
            terms = next(each for each in settings.draws if each.kind == kind)
            seats = positions(settings, terms, hand)
            outcome = str(draws.draw_position(seed, context, seats)) if seats else ""
            results.append([kind, outcome, list(seats)])
    body = {
        "hand": hand.number,
        "index": event.index,
        "seed": event.seed,
        "list_hash": hand.frozen_list,
        "results": results,
    }
    if hand.outside:
        body["outside"] = hand.outside
    return (Entry(envelope.id, "draw.made", body, (), envelope.actor),)


def decide_named(
    settings: TableSettings, state: TableState, envelope: Envelope, event: DrawWinnerNamed
) -> tuple[Entry, ...] | Refused:
    """Two people say which box holds the drawn card, where no reader sees the cards (art. 62)."""
    if event.hand not in (None, state.hand.number):
        return refuse(Refusal.UNKNOWN_HAND, hand=event.hand or 0)
    if not any(result.kind == event.kind for result in state.hand.draws):
        return refuse(Refusal.DRAW_NOT_WANTED, kind=event.kind)
    if not state.hand.credits.get(event.seat):
        return refuse(Refusal.NO_JACKPOT_BET, seat=event.seat)
    if envelope.second is None:
        return refuse(Refusal.SECOND_PERSON_MISSING)
    if envelope.second == envelope.actor:
        return refuse(Refusal.SAME_PERSON_TWICE)
    body = {"hand": state.hand.number, "kind": event.kind, "seat": event.seat, "second": envelope.second}
    return (Entry(envelope.id, "draw.named", body, (), envelope.actor),)


def draw_winner(settings: TableSettings, hand: Hand, game: Any, kind: str) -> int | None:
    """The box that wins a draw: only one with a jackpot bet in this hand; a bought card does not exclude (art. 64)."""
    result = next((each for each in hand.draws if each.kind == kind), None)
    if result is None:
        return None
    if kind == JUGADOR_AFORTUNADO:
        seat = int(result.outcome) if result.outcome else None
        return seat if seat is not None and hand.credits.get(seat) else None
    if kind in hand.named:
        return hand.named[kind]
    for seat, credits in sorted(hand.credits.items()):
        if credits and result.outcome in settings.game.magic_cards(game, seat):
            return seat
    return None


def grant_draw_prizes(settings: TableSettings, state: TableState, envelope: Envelope, game: Any) -> tuple[Entry, ...]:
    """One entry for each drawn prize that a box won: from the draw's pool as far as it goes, else from the house."""
    entries = []
    for terms in settings.draws:
        seat = draw_winner(settings, state.hand, game, terms.kind)
        if seat is None:
            continue
        micros = terms.prize_minor * settings.minor_micros
        from_pool = min(micros, state.pools.get(terms.kind, 0)) if terms.pool_bp else 0
        body = {
            "prize": f"{state.hand.number}-{terms.kind}",
            "hand": state.hand.number,
            "kind": terms.kind,
            "seat": seat,
            "amount_minor": terms.prize_minor,
            "pool_micros": from_pool,
            "article": "62" if terms.kind == CARTA_MAGICA else "63",
        }
        postings = move(f"pool.{terms.kind}", "prizes.payable", from_pool)
        postings += move("house.prizes", "prizes.payable", micros - from_pool)
        entries.append(Entry(f"{envelope.id}/{terms.kind}", "draw.prize", body, postings, envelope.actor))
    return tuple(entries)


def prize_postings(settings: TableSettings, prize: DrawPrize) -> tuple[str, int, int]:
    """Pool account, micros from it, micros from the house, of a granted prize."""
    return (
        f"pool.{prize.kind}",
        prize.pool_micros,
        prize.amount_minor * settings.minor_micros - prize.pool_micros,
    )


def void_draw_prizes(settings: TableSettings, state: TableState, envelope: Envelope, hand: int) -> tuple[Entry, ...]:
    """A void cancels what was drawn and not yet paid; the draw itself stays in the record (reading O-j)."""
    entries = []
    for prize in state.draw_prizes.values():
        if prize.hand != hand or prize.status not in (PrizeStatus.PENDING, PrizeStatus.VERIFIED):
            continue
        account, from_pool, from_house = prize_postings(settings, prize)
        postings = move("prizes.payable", account, from_pool) + move("prizes.payable", "house.prizes", from_house)
        body = {"prize": prize.id, "hand": hand, "kind": prize.kind, "seat": prize.seat, "pool_micros": from_pool}
        entries.append(Entry(f"{envelope.id}/{prize.kind}", "draw.prize_void", body, postings, envelope.actor))
    return tuple(entries)


def reverse_pools(state: TableState, envelope: Envelope, hand: Hand) -> tuple[Entry, ...]:
    """A void hand's bets go back out of the draws' pools, after what its unpaid prizes gave back to them.

    A pool never gives more than it holds: what a paid prize has taken out of it meanwhile, the house returns.
    """
    if not hand.closed:
        return ()
    shares = {kind: micros for kind, micros in drawn_shares(hand.contribution).items() if micros}
    held = dict(state.pools)
    for prize in state.draw_prizes.values():
        if prize.hand == hand.number and prize.status in (PrizeStatus.PENDING, PrizeStatus.VERIFIED):
            held[prize.kind] = held.get(prize.kind, 0) + prize.pool_micros
    taken = {kind: min(micros, held.get(kind, 0)) for kind, micros in shares.items()}
    if not shares:
        return ()
    postings = move("house.prizes", "patrons", sum(shares.values()) - sum(taken.values()))
    for kind, micros in taken.items():
        postings += move(f"pool.{kind}", "patrons", micros)
    body = {"hand": hand.number, "pools": taken}
    return (Entry(f"{envelope.id}/pools", "pools.reversed", body, postings, envelope.actor),)
