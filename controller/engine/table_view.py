"""What lamps must show, as a function of the table's state."""

from enum import Enum

from controller.core.games.game import Stage
from controller.engine.table_bets import bets_open
from controller.engine.table_state import PrizeStatus, TableSettings, TableState

UNPAID = (PrizeStatus.PENDING.value, PrizeStatus.VERIFIED.value, "held")


class SeatLamp(Enum):
    """A seat's lamp; "accepted" means that the bet is durable, since lamps follow the stored state."""

    OFF = "off"
    INVITE = "invite"
    ACCEPTED = "accepted"
    OUT_OF_PROGRESSIVE = "out_of_progressive"
    WINNER = "winner"


def winning_seats(state: TableState) -> frozenset[int]:
    """Seats with a prize not yet paid, of the last hand or an older one."""
    drawn = {prize.seat for prize in state.draw_prizes.values() if prize.status.value in UNPAID}
    awarded = {row.seat for row in state.link.rows.values() if row.status.value in UNPAID}
    return frozenset(drawn | awarded)


def seat_lamps(settings: TableSettings, state: TableState) -> dict[int, SeatLamp]:
    """The lamp of every seat. A winner's lamp wins over the next hand's until the prize is paid."""
    winners = winning_seats(state)
    inviting = bets_open(settings, state)
    closed = {seat for seats in state.closed_seats.values() for seat in seats}
    lamps = {}
    for seat in settings.seats:
        bet = state.hand.credits.get(seat, 0) > 0
        if seat in winners:
            lamps[seat] = SeatLamp.WINNER
        elif bet and settings.game.lost_jackpot(state.hand.game, seat):
            lamps[seat] = SeatLamp.OUT_OF_PROGRESSIVE
        elif bet:
            lamps[seat] = SeatLamp.ACCEPTED
        else:
            lamps[seat] = SeatLamp.INVITE if inviting and seat not in closed else SeatLamp.OFF
    return lamps


def accepting(settings: TableSettings, state: TableState) -> bool:
    """Whether token acceptors may take tokens now (a master inhibit for slots when bets are closed)."""
    return bets_open(settings, state) and settings.game.stage(state.hand.game) is Stage.BETS
