"""Jackpot bets of a table: credits in and out before no va más, and what happens to them there (art. 47-57)."""

from controller.core.events import (
    AntePlaced,
    AnteWithdrawn,
    CreditsSettled,
    CreditsUnread,
    CreditWagered,
    CreditWithdrawn,
    Envelope,
    SeatsClosed,
)
from controller.core.games.game import Stage
from controller.core.jackpot import Contribution, check_credits, contribution
from controller.core.ledger import Entry, Posting, move
from controller.core.records import to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import member
from controller.engine.member_state import MemberState
from controller.engine.table_state import Hand, JackpotKind, TableSettings, TableState, drawn_shares

UNCONFIRMED = "terms_unconfirmed"
"""Why no jackpot bet is taken while nobody has confirmed the terms that the site's file changed."""


def bets_open(settings: TableSettings, state: TableState) -> bool:
    """Whether the table as a whole takes jackpot bets now: the hand's stage, stops, and the link (link.md rule 7)."""
    if settings.jackpot.kind is JackpotKind.NONE or state.stops or state.book.unconfirmed:
        return False
    if member.check_bet(state.link) is not None:
        return False
    return settings.game.stage(state.hand.game) is Stage.BETS


def check_credit(settings: TableSettings, state: TableState, event: CreditWagered) -> Refused | None:
    """Why a jackpot bet is refused, in a fixed order: place, time, stops, count, limits, ante."""
    if event.seat not in settings.seats:
        return refuse(Refusal.UNKNOWN_SEAT, seat=event.seat)
    if settings.game.stage(state.hand.game) is not Stage.BETS:
        return refuse(Refusal.BETS_CLOSED, seat=event.seat, hand=state.hand.number)
    if settings.jackpot.kind is JackpotKind.NONE or state.stops:
        return refuse(Refusal.JACKPOT_BETS_STOPPED, seat=event.seat, why=next(iter(state.stops), "no_jackpot"))
    if state.book.unconfirmed:
        return refuse(Refusal.JACKPOT_BETS_STOPPED, seat=event.seat, why=UNCONFIRMED)
    unlinked = member.check_bet(state.link)
    if unlinked is not None:
        return unlinked
    for source, seats in state.closed_seats.items():
        if event.seat in seats:
            return refuse(Refusal.JACKPOT_BETS_STOPPED, seat=event.seat, why=source)
    if event.credits < 1:
        return refuse(Refusal.TOO_FEW_CREDITS, seat=event.seat, credits=event.credits, least=1)
    total = state.hand.credits.get(event.seat, 0) + event.credits
    jackpot = settings.jackpot
    too_many = check_credits(total, jackpot.credit_minor, settings.minimum_minor, jackpot.max_credits)
    if too_many is not None:
        return Refused(too_many.reason, {"seat": event.seat, **too_many.facts})
    if event.manual and not settings.ante_assumed and not settings.game.has_ante(state.hand.game, event.seat):
        return refuse(Refusal.NO_ANTE, seat=event.seat)
    return None


def decide_wagered(
    settings: TableSettings, state: TableState, envelope: Envelope, event: CreditWagered
) -> tuple[Entry, ...] | Refused:
    """A credit becomes a bet; one refused at a sensor is journaled too, since the token lies there and must go back."""
    refused = check_credit(settings, state, event)
    body = {"hand": state.hand.number, "seat": event.seat, "credits": event.credits, "manual": event.manual}
    if refused is None:
        body["total"] = state.hand.credits.get(event.seat, 0) + event.credits
        micros = event.credits * settings.jackpot.credit_minor * settings.minor_micros
        wagered = Entry(envelope.id, "credit.wagered", body, move("patrons", "bets", micros), envelope.actor)
        return (wagered, *_assumed_ante(settings, state, envelope, AntePlaced, event.seat))
    if event.manual:
        return refused
    facts = {**body, "reason": refused.reason.value, "facts": dict(refused.facts)}
    return (Entry(envelope.id, "credit.refused", facts, (), envelope.actor),)


def decide_withdrawn(
    settings: TableSettings, state: TableState, envelope: Envelope, event: CreditWithdrawn
) -> tuple[Entry, ...] | Refused:
    """A chip taken back before no va más withdraws its credit; afterwards never (reading O-s).

    A sensor also sees the chips that the dealer collects: no bet of the open hand, so it is noted and changes nothing.
    """
    counted = envelope.source is not None
    if counted and not (state.hand.credits.get(event.seat) and _bets_stage(settings, state)):
        return ()
    if settings.game.stage(state.hand.game) is not Stage.BETS:
        return refuse(Refusal.BETS_CLOSED, seat=event.seat, hand=state.hand.number)
    held = state.hand.credits.get(event.seat, 0)
    if event.credits < 1 or held < event.credits:
        return refuse(Refusal.NO_CREDIT_TO_WITHDRAW, seat=event.seat, credits=held)
    micros = event.credits * settings.jackpot.credit_minor * settings.minor_micros
    body = {
        "hand": state.hand.number,
        "seat": event.seat,
        "credits": event.credits,
        "total": held - event.credits,
    }
    withdrawn = Entry(envelope.id, "credit.withdrawn", body, move("bets", "patrons", micros), envelope.actor)
    gone = held == event.credits
    return (withdrawn, *(_assumed_ante(settings, state, envelope, AnteWithdrawn, event.seat) if gone else ()))


def _bets_stage(settings: TableSettings, state: TableState) -> bool:
    return settings.game.stage(state.hand.game) is Stage.BETS


def _assumed_ante(
    settings: TableSettings,
    state: TableState,
    envelope: Envelope,
    kind: type[AntePlaced] | type[AnteWithdrawn],
    seat: int,
) -> tuple[Entry, ...]:
    """Where no sensor sees antes, the ante comes with the first credit and goes with the last."""
    if not settings.ante_assumed or settings.game.has_ante(state.hand.game, seat) == (kind is AntePlaced):
        return ()
    event = kind(seat)
    if isinstance(settings.game.step(state.hand.game, event), Refused):
        return ()
    body = {"hand": state.hand.number, "event": {"type": type(event).__name__, **to_record(event)}}
    return (Entry(f"{envelope.id}/ante", "game.event", body, (), envelope.actor),)


def decide_unread(
    settings: TableSettings, state: TableState, envelope: Envelope, event: CreditsUnread
) -> tuple[Entry, ...] | Refused:
    """Lost counts are a question for the pit boss, with their bounds; never bets."""
    if event.seat not in settings.seats:
        return refuse(Refusal.UNKNOWN_SEAT, seat=event.seat)
    body = {
        "hand": state.hand.number,
        "seat": event.seat,
        "lost_min": event.lost_min,
        "lost_max": event.lost_max,
        "why": event.why,
    }
    return (Entry(envelope.id, "credits.unread", body, (), envelope.actor),)


def decide_settled(
    settings: TableSettings, state: TableState, envelope: Envelope, event: CreditsSettled
) -> tuple[Entry, ...] | Refused:
    """The pit boss says how many of the unread credits were bets of the open hand."""
    unread = state.unread.get(event.unread)
    if unread is None:
        return refuse(Refusal.UNKNOWN_UNREAD, unread=event.unread)
    if event.credits < 0 or (unread.lost_max is not None and event.credits > unread.lost_max):
        most = settings.jackpot.max_credits if unread.lost_max is None else unread.lost_max
        return refuse(Refusal.CREDITS_OUT_OF_BOUNDS, credits=event.credits, least=0, most=most)
    body = {"unread": event.unread, "seat": unread.seat, "credits": event.credits, "hand": state.hand.number}
    settled = Entry(envelope.id, "credits.settled", body, (), envelope.actor)
    if event.credits == 0:
        return (settled,)
    wager = Envelope(f"{envelope.id}/wager", None, envelope.actor, envelope.second)
    wagered = decide_wagered(settings, state, wager, CreditWagered(unread.seat, event.credits, manual=True))
    return wagered if isinstance(wagered, Refused) else (settled, *wagered)


def decide_seats_closed(
    settings: TableSettings, state: TableState, envelope: Envelope, event: SeatsClosed
) -> tuple[Entry, ...]:
    """Seats without their device take no jackpot bets; told again with the same seats it changes nothing."""
    if state.closed_seats.get(event.source, ()) == event.seats:
        return ()
    body = {"source": event.source, "seats": list(event.seats), "why": event.why}
    return (Entry(envelope.id, "seats.closed", body, (), envelope.actor),)


def kept_and_returned(settings: TableSettings, hand: Hand) -> tuple[dict[int, int], dict[int, int]]:
    """At no va más: credits of boxes with an ante stay, the others go back (art. 49: only with the ante)."""
    kept = {seat: n for seat, n in sorted(hand.credits.items()) if n and settings.game.has_ante(hand.game, seat)}
    returned = {seat: n for seat, n in sorted(hand.credits.items()) if n and seat not in kept}
    return kept, returned


def contribute(settings: TableSettings, credits: int) -> Contribution:
    """Where the bets of a hand go, exactly (art. 57)."""
    return contribution(credits * settings.jackpot.credit_minor, settings.rates, settings.minor_micros)


def counted(link: MemberState, shares: Contribution, *, reversed: bool = False) -> tuple[Entry, ...]:
    """The member's new counters, moving meter and reserve between `bets` and the carousel; none when nothing moves."""
    was, main, reserve = link.counters, shares.meter_micros, shares.reserve_micros
    if main == 0 and reserve == 0:
        return ()
    return (
        member.counted(
            link,
            main_micros=was.main_micros + (0 if reversed else main),
            reserve_micros=was.reserve_micros + (0 if reversed else reserve),
            reversed_main_micros=was.reversed_main_micros + (main if reversed else 0),
            reversed_reserve_micros=was.reversed_reserve_micros + (reserve if reversed else 0),
            hands=was.hands + (0 if reversed else 1),
        ),
    )


def contribution_postings(shares: Contribution, source: str, sign: int = 1) -> tuple[Posting, ...]:
    """What of a contribution stays at the table, out of an account, or back into it with sign -1 (a void)."""
    targets = {
        **{f"pool.{kind}": micros for kind, micros in drawn_shares(shares).items()},
        "house.revenue": shares.house_micros,
    }
    moves = [move(source, target, sign * micros) for target, micros in targets.items()]
    return tuple(posting for pair in moves for posting in pair)
