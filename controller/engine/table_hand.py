"""The course of a hand: the game's events, no va más, the end with its winners, and the void."""

import hashlib
import json
from typing import Any

from controller.core.cards import Card
from controller.core.circle_events import CIRCLE_EVENTS, PlayerSeated, StackCounted
from controller.core.events import (
    AntePlaced,
    AnteWithdrawn,
    BoxesShared,
    CardCorrected,
    CardRead,
    CardsEntered,
    ClockRan,
    Envelope,
    HandCorrected,
    HandVoided,
    Key,
    KeyPressed,
)
from controller.core.games.game import Box, Stage
from controller.core.hands import named_category, strength
from controller.core.ledger import Entry, Posting, move
from controller.core.prizes import Winner
from controller.core.records import Kinds, to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import member
from controller.engine.ledger_records import Signed
from controller.engine.table_bets import contribute, contribution_postings, counted, kept_and_returned
from controller.engine.table_decks import deck_of_hand
from controller.engine.table_draws import draws_due, grant_draw_prizes, reverse_pools, void_draw_prizes
from controller.engine.table_state import Hand, TableSettings, TableState

GAME_EVENTS = Kinds(
    AntePlaced,
    AnteWithdrawn,
    BoxesShared,
    KeyPressed,
    CardRead,
    CardsEntered,
    CardCorrected,
    ClockRan,
    *CIRCLE_EVENTS,
)


def decide_game_event(
    settings: TableSettings, state: TableState, envelope: Envelope, event: Any
) -> tuple[Entry, ...] | Refused:
    """One step of the game; no va más and the end of the hand carry the jackpot's consequences in the same commit."""
    if isinstance(event, KeyPressed):
        if event.key in (Key.PRIZE, Key.VOID, Key.DRAW):
            return _decide_call(settings, state, envelope, event)
        if event.key in (Key.SHUFFLE_DONE, Key.LID_OPEN):
            body = {"hand": state.hand.number, "status": event.key.value}
            return (Entry(envelope.id, "shuffler.told", body, (), envelope.actor),)
    if isinstance(event, CardsEntered | CardCorrected | StackCounted) and envelope.second is None:
        return refuse(Refusal.SECOND_PERSON_MISSING)
    if isinstance(event, CardsEntered | CardCorrected) and event.hand not in (None, state.hand.number):
        return refuse(Refusal.UNKNOWN_HAND, hand=event.hand or 0)
    if isinstance(event, PlayerSeated) and state.seat_draw:  # the seats are drawn before anybody sits
        return refuse(Refusal.DRAW_PENDING, hand=state.hand.number)
    stepped = settings.game.step(state.hand.game, event)
    if isinstance(stepped, Refused):
        return stepped
    body = {"hand": state.hand.number, "event": GAME_EVENTS.to_record(event)}
    if envelope.second is not None:
        body["second"] = envelope.second
    before, after = settings.game.stage(state.hand.game), settings.game.stage(stepped)
    if before is Stage.BETS and after is not Stage.BETS:
        return _decide_closed(settings, state, envelope, body)
    if after is Stage.OVER and before is not Stage.OVER:
        return _decide_over(settings, state, envelope, body, stepped)
    entry = Entry(envelope.id, "game.event", body, (), envelope.actor)
    following = settings.game.follows(stepped)
    if following is None:
        return (entry,)
    body = {"hand": state.hand.number, "event": GAME_EVENTS.to_record(following)}
    return (entry, Entry(f"{envelope.id}/follows", "game.event", body, (), envelope.actor))


def _decide_call(
    settings: TableSettings, state: TableState, envelope: Envelope, event: KeyPressed
) -> tuple[Entry, ...] | Refused:
    """Keys that call for a person: a prize where no reader sees the cards, a void, a draw by the dealer's choice."""
    stage = settings.game.stage(state.hand.game)
    if event.key is Key.DRAW and stage is not Stage.BETS:
        return refuse(Refusal.BETS_CLOSED, hand=state.hand.number)
    if event.key is Key.PRIZE:
        if stage is Stage.BETS:
            return refuse(Refusal.WRONG_PHASE, key=event.key.value, phase=settings.game.phase(state.hand.game))
        if event.seat is not None and event.seat not in state.hand.credits:
            return refuse(Refusal.NO_JACKPOT_BET, seat=event.seat)
    body = {"hand": state.hand.number, "key": event.key.value, "seat": event.seat}
    return (Entry(envelope.id, "key.called", body, (), envelope.actor),)


def frozen_list(settings: TableSettings, hand: Hand, kept: dict[int, int]) -> tuple[list[dict[str, int]], str]:
    """The list of boxes, antes and credits at no va más, and its SHA-256 over canonical JSON (promises: draws)."""
    boxes = {box.seat: box.ante_minor for box in settings.game.boxes(hand.game)}
    rows = [{"seat": seat, "ante": ante, "credits": kept.get(seat, 0)} for seat, ante in sorted(boxes.items())]
    text = json.dumps(rows, sort_keys=True, separators=(",", ":"))
    return rows, hashlib.sha256(text.encode()).hexdigest()


def _decide_closed(
    settings: TableSettings, state: TableState, envelope: Envelope, body: dict[str, Any]
) -> tuple[Entry, ...]:
    """No va más: bets are locked, their shares join the meter before any prize of the hand (O-a), draws are due."""
    hand = state.hand
    kept, returned = kept_and_returned(settings, hand)
    rows, digest = frozen_list(settings, hand, kept)
    shares = contribute(settings, sum(kept.values()))
    back = sum(returned.values()) * settings.jackpot.credit_minor * settings.minor_micros
    body |= {
        "list": rows,
        "list_hash": digest,
        "returned": [[seat, credits] for seat, credits in returned.items()],
        "contribution": to_record(shares),
        "draws": list(draws_due(settings, state)),
        "draw_index": state.chain_next,
        "deck": deck_of_hand(settings, state),
        "shuffler": settings.shuffler,
    }
    outside, source = state.draws_outside if settings.draws_outside else ("", "")
    if outside and body["draws"]:
        body |= {"outside": outside, "outside_source": source}
    postings = contribution_postings(shares, "bets") + move("bets", "patrons", back)
    closed = Entry(envelope.id, "bets.closed", body, postings, envelope.actor)
    return (closed, *counted(state.link, shares))


def winners_of(settings: TableSettings, hand: Hand, game: Any) -> tuple[Winner, ...]:
    """The boxes whose counting cards win a row of the prize list, by seat."""
    categories = {row.category for row in settings.jackpot.prizes.rows}
    winners = []
    for seat, credits in sorted(hand.credits.items()):
        cards = settings.game.jackpot_cards(game, seat) if credits else None
        if cards is None:
            continue
        made = strength(cards)
        category = named_category(made)
        if category in categories:
            winners.append(Winner(seat, category, made, credits))
    return tuple(winners)


def _decide_over(
    settings: TableSettings, state: TableState, envelope: Envelope, body: dict[str, Any], game: Any
) -> tuple[Entry, ...] | Refused:
    """The end of a hand: advice of the base game, prizes of the draws, and a claim for the jackpot's winners."""
    hand = state.hand
    if hand.draw_pending:
        return refuse(Refusal.DRAW_PENDING, hand=hand.number)
    if hand.prize_called:
        return refuse(Refusal.PRIZE_CALLED, hand=hand.number)
    winners = winners_of(settings, hand, game)
    body |= {
        "winners": to_record(winners),
        "settlement": to_record(settings.game.settlement(game)),
        "cards": cards_of(settings, game),
    }
    entries = [Entry(envelope.id, "hand.over", body, (), envelope.actor)]
    if winners:
        claim = member.claim(state.link, hand=hand.number, revision=1, winners=winners)
        if isinstance(claim, Refused):
            return claim
        entries.append(claim)
    return (*entries, *grant_draw_prizes(settings, state, envelope, game))


def counting_cards(settings: TableSettings, game: Any, box: Box) -> tuple[Card, ...]:
    """The cards of a box that count for the jackpot, else those it has."""
    return settings.game.jackpot_cards(game, box.seat) or box.cards


def cards_of(settings: TableSettings, game: Any) -> list[list[Any]]:
    """Seat and cards of every box that has some: what a prize rests on, kept with the hand's end."""
    boxes = ((box.seat, counting_cards(settings, game, box)) for box in settings.game.boxes(game))
    return [[seat, [str(card) for card in cards]] for seat, cards in boxes if cards]


def decide_voided(
    settings: TableSettings, state: TableState, envelope: Envelope, event: HandVoided
) -> tuple[Entry, ...] | Refused:
    """A void reverses every posting of the hand by new ones and returns the jackpot bets (reading O-j).

    The hand before the present one takes its chips back with it where the table holds them (circle game), or stays.

    It takes two people: the dealer who called it and the pit boss, or two at the panel.
    """
    hand = _hand_named(state, event.hand)
    if hand is None or hand.void:
        return refuse(Refusal.UNKNOWN_HAND, hand=event.hand or 0)
    if envelope.second is None and not hand.void_called:
        return refuse(Refusal.SECOND_PERSON_MISSING)
    if envelope.second == envelope.actor:
        return refuse(Refusal.SAME_PERSON_TWICE)
    body = {
        "hand": hand.number,
        "reason": event.reason.value,
        "note": event.note,
        "second": envelope.second,
        "returned": [[seat, credits] for seat, credits in sorted(hand.credits.items())],
        "pools_apart": True,
    }
    if hand is not state.hand:
        undone = settings.game.undone(state.hand.game)
        if isinstance(undone, Refused):
            return undone
        body["chips_back"] = undone is not state.hand.game
    entries = [Entry(envelope.id, "hand.void", body, _void_postings(settings, hand), envelope.actor)]
    reversal = counted(state.link, hand.contribution, reversed=True)
    link = state.link
    for entry in reversal:
        link = member.apply(link, entry)
    entries += reversal
    if hand.winners:
        signed = Signed(event.note or event.reason.value, envelope.actor, envelope.second or "dealer")
        claim = member.claim(link, hand=hand.number, revision=hand.revision + 1, winners=(), signed=signed)
        if isinstance(claim, Refused):
            return claim
        entries.append(claim)
    entries += void_draw_prizes(settings, state, envelope, hand.number)
    return (*entries, *reverse_pools(state, envelope, hand))


def _hand_named(state: TableState, number: int | None) -> Hand | None:
    """The hand in course, or the last one: an older one is history and changes only by its award's void."""
    for hand in (state.hand, state.last):
        if hand is not None and number in (None, hand.number):
            return hand
    return None


def _void_postings(settings: TableSettings, hand: Hand) -> tuple[Posting, ...]:
    if hand.closed:
        shares = hand.contribution
        back = move("bets", "patrons", shares.meter_micros + shares.reserve_micros)
        return back + move("house.revenue", "patrons", shares.house_micros)
    credits = sum(hand.credits.values())
    return move("bets", "patrons", credits * settings.jackpot.credit_minor * settings.minor_micros)


def decide_corrected(
    settings: TableSettings, state: TableState, envelope: Envelope, event: HandCorrected
) -> tuple[Entry, ...] | Refused:
    """A misread card of the last hand: old and new stay in the journal; other winners make a higher revision."""
    hand = state.last
    if hand is None or hand.number != event.hand or hand.void:
        return refuse(Refusal.HAND_NOT_CORRECTABLE, hand=event.hand)
    if envelope.second is None:
        return refuse(Refusal.SECOND_PERSON_MISSING)
    if envelope.second == envelope.actor:
        return refuse(Refusal.SAME_PERSON_TWICE)
    corrected = CardCorrected(event.place, event.old, event.new, reason=event.reason)
    game = settings.game.step(hand.game, corrected)
    if isinstance(game, Refused):
        return game
    winners = winners_of(settings, hand, game)
    body = {
        "hand": hand.number,
        "event": GAME_EVENTS.to_record(corrected),
        "second": envelope.second,
        "winners": to_record(winners),
        "settlement": to_record(settings.game.settlement(game)),
        "cards": cards_of(settings, game),
    }
    entry = Entry(envelope.id, "hand.corrected", body, (), envelope.actor)
    if winners == hand.winners:
        return (entry,)
    signed = Signed(f"{event.place}: {event.old} -> {event.new}", envelope.actor, envelope.second)
    claim = member.claim(state.link, hand=hand.number, revision=hand.revision + 1, winners=winners, signed=signed)
    return claim if isinstance(claim, Refused) else (entry, claim)
