"""What happens in the golden journals of a jackpot's end, of payments by override, and of draws that were off."""

from collections.abc import Iterable

from controller.core.causes import PoolCause
from controller.core.draw_events import DrawOutsideSet, DrawPoolMoved, DrawSourceBack, DrawSourceFailed
from controller.core.events import DrawChainCommitted, DrawSeedRevealed, Key, KeyPressed, PrizePaid, PrizeVerified
from controller.core.ledger import Entry
from controller.core.prize_events import OverrideReason, PrizeOverridden, SlipIssued
from controller.engine.host_events import ClosedDisposed, ClosingAsked, ClosingDayCame, MemberSealed, OrphansAssigned
from controller.engine.host_state import HostState
from controller.engine.ledger_state import ORPHANS
from controller.engine.table import TableMachine
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms, TableSettings, TableState
from tests.engine.carousel_house import CENTAVO, House, straight_flush, talk
from tests.engine.pit import BANK, SEEDS, Pit, oasis_settings
from tests.golden import figures
from tests.golden.office_stories import told as told_host
from tests.golden.stories import told

DAY = "2026-12-31"
CLOSE = PoolCause.APPROVED_CLOSING
ANOTHER_CHAIN = SEEDS[5]


def settings() -> TableSettings:
    draws = (DrawTerms(CARTA_MAGICA, 50), DrawTerms(JUGADOR_AFORTUNADO, 60))
    return oasis_settings(draws=draws, draws_outside=True)


def overrides() -> Pit:
    """An outside input; a hand whose draws are called off, another with a new chain; two prizes, one paid with more and
    one with nothing, their slips; and an override that waits."""
    pit = Pit(settings())
    told(pit, DrawOutsideSet("0417", "Quiniela nocturna"), "ana", "bea")
    pit.play("9d 8d 7d 6d 5d", seats=(3,))
    pit.deliver()
    pit.bet(1, 4)
    told(pit, KeyPressed(Key.CLOSE_BETS))
    told(pit, DrawSourceFailed("no_seed"), "draws")
    pit.deal("9s 9h 9d 9c 5d", "As Kd Qs 4c 3d", BANK)
    pit.decide_all()
    told(pit, KeyPressed(Key.HAND_OVER))
    pit.deliver()
    told(pit, DrawChainCommitted(ANOTHER_CHAIN.hex(), 10), "draws")
    told(pit, DrawSourceBack(), "draws")
    first, second = pit.state.link.rows
    for prize, amount, why in ((first, 60_000, OverrideReason.DISPLAY_DIFFERED), (second, 0, OverrideReason.OTHER)):
        told(pit, PrizeVerified(prize))
        told(pit, SlipIssued(prize, 0, 0, {"table": "Mesa 1"}))
        told(pit, PrizeOverridden(prize, amount, why, "as agreed"), "ana", "bea")
        told(pit, SlipIssued(prize, 0, 0, {"table": "Mesa 1"}))
        told(pit, PrizePaid(prize), "ana", "bea")
    pit.bet(2)
    told(pit, KeyPressed(Key.CLOSE_BETS))
    told(pit, DrawSeedRevealed(1, SEEDS[6].hex()), "draws")
    pit.deal("8s 8h 8d 8c 5d", BANK)
    pit.decide_all()
    told(pit, KeyPressed(Key.HAND_OVER))
    pit.deliver()
    (third,) = (row for row in pit.state.link.rows if row not in (first, second))
    told(pit, PrizeVerified(third))
    told(pit, PrizeOverridden(third, 1, OverrideReason.METER_FAULT, "waits"), "ana", "bea")
    return pit


def override_figures(state: TableState, entries: Iterable[Entry]) -> dict[str, object]:
    """With what was paid instead, and what the draws stand at."""
    return {
        **figures.bonus_figures(state, entries),
        "overrides": {
            prize: [each.amount_minor, each.computed_minor, each.reason, each.paid, each.earlier_minor]
            for prize, each in sorted(state.overrides.items())
        },
        "draws": [state.draws_off, list(state.draws_outside)],
    }


def closing() -> House:
    """A jackpot that ends: announced, put off, closed, a late contribution; its money, part of it assigned."""
    house = House.of("t1", "t2")
    for table in house.tables:
        table.bet(300, 40)
    house.tables[0].win(straight_flush(3))
    house.settle()
    house.tables[0].pay_all()
    house.settle()
    told_host(house, ClosingAsked("2026-11-30", "norte", "the season ends", cause=CLOSE))
    told_host(house, ClosingAsked(DAY, ORPHANS, "put off", True, CLOSE))
    told_host(house, ClosingDayCame(DAY))
    house.settle()
    told_host(house, ClosedDisposed("as announced", CLOSE))
    house.tables[1].bet(7, 1)
    house.settle()
    told_host(house, ClosedDisposed("the last hand", CLOSE))
    told_host(house, OrphansAssigned(50 * CENTAVO, "norte", "approved", PoolCause.APPROVED_MOVE))
    return house


def pools() -> Pit:
    """Two draws with pools; one is taken from the settings, and two people move what it left, part by part."""
    both = (DrawTerms(CARTA_MAGICA, 50, 0, 300), DrawTerms(JUGADOR_AFORTUNADO, 60, 0, 100))
    pit = Pit(oasis_settings(draws=both))
    pit.play("2c 4s 6h 8c Tc", seats=(1,), credits=3)
    pit.machine = TableMachine(oasis_settings(draws=both[1:]))
    held, move, close = pit.state.pools[CARTA_MAGICA], PoolCause.APPROVED_MOVE, CLOSE
    for pool, micros, target, cause in (
        (CARTA_MAGICA, CENTAVO, JUGADOR_AFORTUNADO, move),
        (CARTA_MAGICA, held - CENTAVO, ORPHANS, close),
        (ORPHANS, CENTAVO, "norte", move),
    ):
        told(pit, DrawPoolMoved(pool, micros, target, "the draw ended", cause), "ana", "bea")
    return pit


def pool_figures(state: TableState, entries: Iterable[Entry]) -> dict[str, object]:
    """With the table's register of orphans."""
    return {**figures.table_figures(state, entries), "orphans": state.orphans_micros}


def settled() -> House:
    """The day comes while a hand with bets is open at one table and another is never heard again: one wins and settles,
    the other is sealed, and only then is the money moved."""
    house = House.of("t1", "t2", "t3")
    first, second, lost = house.tables
    for table in (first, second, lost):
        table.bet(500, 20)
    house.settle()
    told_host(house, ClosingAsked(DAY, ORPHANS, "the season ends", True, CLOSE))
    first.playing = True
    told_host(house, ClosingDayCame(DAY))
    talk(house.host, first, second)
    first.win(straight_flush(2))
    first.playing = False
    talk(house.host, first, second)
    first.pay_all()
    talk(house.host, first, second)
    told_host(house, MemberSealed("t3", "its machine burnt", True))
    told_host(house, ClosedDisposed("as announced", CLOSE))
    return house


def settled_figures(state: HostState, entries: Iterable[Entry]) -> dict[str, object]:
    """With the tables that said they had nothing open, and how far the ledger was then."""
    return {**closing_figures(state, entries), "settled": {name: state.settled[name] for name in sorted(state.settled)}}


def closing_figures(state: HostState, entries: Iterable[Entry]) -> dict[str, object]:
    """With the end that was announced, and what is in the register."""
    end = state.ledger.closing
    return {
        **figures.carousel_figures(state, entries),
        "closing": None if end is None else [end.day, end.target, end.keep_start, end.seq, end.closed],
        "moved_out": [state.ledger.transfers_micros, state.ledger.orphans_micros, state.ledger.adjustments_micros],
    }
