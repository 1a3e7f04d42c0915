"""Taking back a circle hand that has been paid, while the next one has not begun (art. C 61, reading O-j)."""

from dataclasses import replace

from controller.core.games.circle_state import CircleState, Phase
from controller.core.games.circle_table import CircleTable, after_void, leave
from controller.core.refusal import Refusal, Refused, refuse


def before_paid(state: CircleState) -> CircleTable | None:
    """The table that a void of a paid hand goes back to: chips, button and blinds as they were before it.

    None when somebody was expelled in it (art. 70): he takes along what the hand left him.
    """
    if state.before is None or any(each.out for each in state.table.players):
        return None
    return after_void(state.before)


def undone(state: CircleState) -> CircleState | Refused:
    """The state between hands with the hand just paid taken back.

    Refused once the next hand has begun, whose blinds lie on what this one left (61: a void does not affect the hands
    played before), or when chips that it moved have left the table or were counted anew.
    """
    if state.phase is not Phase.BETS:
        return refuse(Refusal.NEXT_HAND_BEGUN, phase=state.phase.value)
    if state.back is None:
        return refuse(Refusal.CHIPS_HAVE_MOVED)
    return replace(state, table=state.back, back=None)


def followed(back: CircleTable, was: CircleTable, now: CircleTable) -> CircleTable | None:
    """The table to go back to after people changed the one that is: the same change, or None where there is none.

    Chips bought are added to what a player had before the hand. One who leaves takes what he has: that can be undone
    only if the hand left him what he came with.
    """
    if (was.game, was.drawn) != (now.game, now.drawn):
        return None
    for seat in sorted({each.seat for each in (*was.players, *now.players)}):
        old, new, mine = was.player(seat), now.player(seat), back.player(seat)
        if old == new:
            continue
        if old is None and new is not None and mine is None:
            back = back.with_player(new)
        elif new is None and old is not None and mine is not None and mine.stack == old.stack:
            left = leave(back, seat)
            if isinstance(left, Refused):
                return None
            back = left
        elif old is not None and new is not None and mine is not None:
            brought, rests = new.bought - old.bought, mine.rests if new.resting == old.resting else new.rests
            more = replace(mine, stack=mine.stack + brought, bought=mine.bought + brought)
            back = back.with_player(replace(more, resting=new.resting, rests=rests))
        else:
            return None
    return replace(back, rebought=now.rebought)
