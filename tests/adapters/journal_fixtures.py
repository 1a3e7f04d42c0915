"""A small machine and entries for the tests of the journal and the runner."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from controller.adapters.journal.chain import NO_CHAIN, Head, rows_on, to_record
from controller.adapters.journal.reading import Reading, reading
from controller.core.events import Envelope
from controller.core.ledger import Entry, move
from controller.core.refusal import Refusal, Refused, refuse


@dataclass(frozen=True, slots=True)
class Wagered:
    seat: int
    micros: int
    refunds: int = 0


@dataclass(frozen=True, slots=True)
class Closed:
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Bets:
    """What the small machine knows: money by seat, and whether bets are closed."""

    by_seat: Mapping[int, int] = field(default_factory=dict)
    closed: bool = False
    folded: int = 0


class BetMachine:
    """Takes bets until they are closed; closing twice changes nothing."""

    def first(self) -> Bets:
        return Bets()

    def decide(self, state: Bets, envelope: Envelope, now_ms: int) -> tuple[Entry, ...] | Refused:
        match envelope.event:
            case Wagered() if state.closed:
                return refuse(Refusal.BETS_CLOSED)
            case Wagered(seat, micros, refunds):
                bet = Entry(envelope.id, "bet", {"seat": seat, "micros": micros}, move("patrons", "bets", micros))
                back = [
                    Entry(f"{envelope.id}:{n}", "refund", {"seat": seat, "micros": 1}, move("bets", "patrons", 1))
                    for n in range(refunds)
                ]
                return (bet, *back)
            case Closed() if state.closed:
                return ()
            case _:
                return (Entry(envelope.id, "close", {}),)

    def apply(self, state: Bets, entry: Entry) -> Bets:
        state = replace(state, folded=state.folded + 1)
        match entry.kind:
            case "bet":
                seat = entry.body["seat"]
                return replace(
                    state, by_seat={**state.by_seat, seat: state.by_seat.get(seat, 0) + entry.body["micros"]}
                )
            case "refund":
                seat = entry.body["seat"]
                return replace(state, by_seat={**state.by_seat, seat: state.by_seat[seat] - entry.body["micros"]})
            case "close":
                return replace(state, closed=True)
            case _:
                return state


def bet(number: int, micros: int = 5_000_000, prefix: str = "bet") -> Entry:
    """The entry of a bet, as a table would write it."""
    body = {"credits": 1 + number % 5, "hand": number // 7, "note": "año", "seat": 1 + number % 7}
    return Entry(f"{prefix}-{number}", "credit_wagered", body, move("patrons", "bets", micros), actor="sensor")


def reading_of(entry: Entry) -> Reading:
    """An entry as a verification reads it once it is stored."""
    (row,) = rows_on(Head(0, NO_CHAIN), [to_record(entry)], 0)
    return reading(row)
