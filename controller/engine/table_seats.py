"""The draw of seats of a circle game, from the same seed chain as the other draws (art. C 18)."""

from controller.core import draws
from controller.core.circle_events import SeatsDrawAsked, SeatsDrawn
from controller.core.draws_verify import hash_of_list
from controller.core.events import DrawSeedRevealed, Envelope
from controller.core.games.game import Stage
from controller.core.ledger import Entry
from controller.core.records import to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.table_state import TableSettings, TableState


def has_seat_draw(settings: TableSettings) -> bool:
    """Whether seats are drawn at the table: only the circle game does."""
    return settings.game.name == "holdem-circle"


def decide_seats_asked(
    settings: TableSettings, state: TableState, envelope: Envelope, event: SeatsDrawAsked
) -> tuple[Entry, ...] | Refused:
    """The players in order of arrival are journaled before the seed that seats them is known to anybody."""
    if not has_seat_draw(settings) or settings.game.stage(state.hand.game) is not Stage.BETS:
        return refuse(Refusal.WRONG_PHASE, key="SeatsDrawn", phase=settings.game.phase(state.hand.game))
    if state.seat_draw or state.draws_off or not 1 <= state.chain_next <= state.chain_length:
        return refuse(Refusal.DRAW_PENDING, hand=state.hand.number)
    # The same checks as for the draw's result, whatever it will be.
    possible = SeatsDrawn(event.players, settings.seats[: len(event.players)])
    answer = settings.game.step(state.hand.game, possible)
    if isinstance(answer, Refused):
        return answer
    body = {"hand": state.hand.number, "players": list(event.players)}
    return (Entry(envelope.id, "draw.seats_asked", body, (), envelope.actor),)


def decide_seats(
    settings: TableSettings, state: TableState, envelope: Envelope, event: DrawSeedRevealed
) -> tuple[Entry, ...] | Refused:
    """Each player's seat from one revealed seed, and the game's own record of it."""
    seed = bytes.fromhex(event.seed)
    if event.index != state.chain_next:
        return refuse(Refusal.DRAW_NOT_WANTED, index=event.index)
    if draws.commitment_of(seed).hex() != state.chain:
        return refuse(Refusal.DRAW_SEED_WRONG, index=event.index)
    players = list(state.seat_draw)
    context = draws.DrawContext(
        site=settings.site,
        table=settings.table,
        incarnation=state.link.settings.incarnation,
        hand=state.hand.number,
        kind=draws.SEATS,
        list_hash=hash_of_list(players),
    )
    seats = draws.draw_seats(seed, context, len(players), settings.seats)
    body = {
        "hand": state.hand.number,
        "index": event.index,
        "seed": event.seed,
        "players": players,
        "list_hash": context.list_hash,
        "free": list(settings.seats),
        "seats": list(seats),
    }
    drawn = to_record(SeatsDrawn(state.seat_draw, seats))
    told = {"hand": state.hand.number, "event": {"type": SeatsDrawn.__name__, **drawn}}
    return (
        Entry(envelope.id, "draw.seats", body, (), envelope.actor),
        Entry(f"{envelope.id}/seats", "game.event", told, (), envelope.actor),
    )
