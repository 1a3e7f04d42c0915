"""Any course of bets, wins, corrections, payments and acts of people keeps the ledger's equation (hypothesis looks)."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from controller.core.causes import PoolCause
from controller.core.prizes import Winner
from controller.engine import member
from controller.engine.host_events import BalanceTransferred, MeterAdjusted, PrizeReleased, StartValueReset
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_records import ClaimName
from controller.engine.messages import Message
from tests.engine.carousel_house import CENTAVO, TWO, House, Table, four, royal, straight_flush
from tests.invariants.check import check_carousel, check_rest
from tests.invariants.ledger_book import LedgerBook
from tests.invariants.table_book import TableBook

PLACES = st.integers(0, 2)
MONEY = st.integers(0, 200_000)
WINNERS = st.lists(
    st.one_of(
        st.builds(royal, st.integers(1, 7)), st.builds(straight_flush, st.integers(1, 7)), st.builds(four, st.just(5))
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda winner: winner.seat,
)
FAULT = PoolCause.FAULT_CORRECTION


class Carousel(RuleBasedStateMachine):
    """Three tables and their host; messages arrive when a rule lets them, in any number of copies."""

    def __init__(self) -> None:
        super().__init__()
        self.house = House.of("t1", "t2", "t3")
        self.ledger = LedgerBook("c1")
        self.books = [TableBook(table.name, table.state.settings.incarnation) for table in self.house.tables]
        self.followed = [0] * (1 + len(self.books))
        self.old: list[Message] = []

    def table(self, place: int) -> Table:
        return self.house.tables[place]

    @rule(place=PLACES, main=MONEY, reserve=st.integers(0, 50_000), winners=st.one_of(st.just([]), WINNERS))
    def hand(self, place: int, main: int, reserve: int, winners: list[Winner]) -> None:
        table = self.table(place)
        table.bet(main, reserve)
        if winners:
            table.win(*winners)

    @rule(place=PLACES, minor=MONEY)
    def reverse(self, place: int, minor: int) -> None:
        table = self.table(place)
        table.reverse(min(minor, table.state.counters.net_main_micros // CENTAVO))

    @rule(place=PLACES, back=st.integers(0, 2), winners=st.one_of(st.just([]), WINNERS))
    def correct(self, place: int, back: int, winners: list[Winner]) -> None:
        """One of the last hands that were won is judged anew."""
        table = self.table(place)
        names = [ClaimName(table.name, table.state.settings.incarnation, hand) for hand in range(table.hand, 0, -1)]
        won = [name for name in names if member.known_revision(table.state, name)]
        for name in won[back : back + 1]:
            table.win(*winners, hand=name.hand, revision=member.known_revision(table.state, name) + 1)

    @rule(place=PLACES)
    def pay(self, place: int) -> None:
        self.table(place).pay_all()

    @rule(place=PLACES, seat=st.integers(1, 7), minor=st.integers(1, 100_000))
    def advance(self, place: int, seat: int, minor: int) -> None:
        table = self.table(place)
        table.store(member.advance(table.state, hand=table.hand, seat=seat, amount_minor=minor, signed=TWO))

    @rule(place=PLACES, main=st.integers(-100_000, 100_000), reserve=st.integers(-50_000, 50_000))
    def adjust(self, place: int, main: int, reserve: int) -> None:
        name = self.table(place).name
        self.house.host.decide(MeterAdjusted(name, main * CENTAVO, "recount", reserve * CENTAVO, FAULT))

    @rule(place=PLACES, start=st.integers(0, 800_000), meter_too=st.booleans())
    def reset(self, place: int, start: int, meter_too: bool) -> None:
        self.house.host.decide(StartValueReset(self.table(place).name, start * CENTAVO, "season", meter_too, FAULT))

    @rule(place=PLACES, other=st.one_of(st.none(), PLACES), minor=MONEY)
    def transfer(self, place: int, other: int | None, minor: int) -> None:
        to = None if other is None else self.table(other).name
        self.house.host.decide(BalanceTransferred(self.table(place).name, minor * CENTAVO, "moved", to, FAULT))

    @precondition(lambda self: self.house.host.state.open_awards)
    @rule()
    def release(self) -> None:
        for key in self.house.host.state.open_awards:
            self.house.host.decide(PrizeReleased(self.house.host.state.ledger.awards[key].granted.name, "seen"))

    @rule(place=PLACES)
    def host_hears(self, place: int) -> None:
        for message in self.table(place).outbox():
            self.old.append(message)
            self.house.host.receive(message)

    @rule(place=PLACES)
    def both_hear(self, place: int) -> None:
        self.host_hears(place)
        self.table_hears(place)

    @rule(place=PLACES)
    def table_hears(self, place: int) -> None:
        table = self.table(place)
        for message in self.house.host.outbox():
            if getattr(message, "table", table.name) == table.name:
                table.receive(message)

    @precondition(lambda self: self.old)
    @rule(pick=st.integers(0, 10_000))
    def host_hears_again(self, pick: int) -> None:
        self.house.host.receive(self.old[pick % len(self.old)])

    @rule(place=PLACES)
    def table_starts_again(self, place: int) -> None:
        self.table(place).start(f"again {len(self.table(place).journal)}")

    @rule()
    def host_starts_again(self) -> None:
        self.house.host.start(f"again {len(self.house.host.journal)}")

    @rule()
    def everything_arrives(self) -> None:
        self.house.settle()

    @invariant()
    def the_equation_holds(self) -> None:
        host, tables = self.house.host, self.house.tables
        journals = [host.journal, *(table.journal for table in tables)]
        for place, (book, journal) in enumerate(zip([self.ledger, *self.books], journals, strict=True)):
            for entry in journal[self.followed[place] :]:
                book.follow(entry)  # type: ignore[attr-defined]  # both kinds of book follow entries
            self.followed[place] = len(journal)
        check_ledger(host.state.ledger)
        assert host.state.ledger.amount_micros == self.ledger.oracle.amount
        check_carousel(self.books, [self.ledger], self.ledger)
        assert not any(table.state.stopped for table in tables)

    def teardown(self) -> None:
        """What waits is decided once everything arrives and people do their part."""
        for _ in range(4):
            self.house.settle()
            for key in self.house.host.state.ledger.awards:
                self.house.host.decide(PrizeReleased(self.house.host.state.ledger.awards[key].granted.name, "end"))
            self.house.settle()
            for table in self.house.tables:
                table.pay_all()
        self.the_equation_holds()
        check_rest(self.books, self.ledger)
        assert not self.house.host.state.open_awards


Carousel.TestCase.settings = settings(
    max_examples=100,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestCarousel = pytest.mark.promise("P4")(Carousel.TestCase)
