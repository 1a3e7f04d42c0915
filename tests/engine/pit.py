"""One Oasis table and the host of its carousel as machines in memory, with the messages carried by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from controller.core.cards import parse_cards
from controller.core.draws import commitment_of
from controller.core.events import (
    AntePlaced,
    CardRead,
    CreditWagered,
    DrawChainCommitted,
    DrawSeedRevealed,
    Envelope,
    Key,
    KeyPressed,
    LinkStateChanged,
    TableStarted,
)
from controller.core.games.oasis import CardsRead, Oasis, OasisSettings
from controller.core.hands import Category
from controller.core.ledger import Entry
from controller.core.prizes import Prize, PrizeList
from controller.core.refusal import Refused
from controller.engine import member
from controller.engine.host_events import MemberAccepted
from controller.engine.ledger_records import Profile
from controller.engine.machine import handle, replay
from controller.engine.member_state import MemberSettings
from controller.engine.messages import LinkReceived
from controller.engine.settings_values import Read
from controller.engine.table import TableMachine
from controller.engine.table_state import DrawTerms, JackpotKind, JackpotTerms, TableSettings, TableState
from tests.engine.carousel_house import Host, Journal

CENTAVO = 10_000
CREDIT = 100
MINIMUM = 1_000
START = 500_000
PRIZES = PrizeList(
    (
        Prize(Category.ROYAL_FLUSH, percent=100),
        Prize(Category.STRAIGHT_FLUSH, percent=10),
        Prize(Category.FOUR_OF_A_KIND, fixed_minor=50_000),
    )
)
SEEDS = [sha256(b"a chain for tests").digest()]
for _ in range(20):
    SEEDS.append(commitment_of(SEEDS[-1]))
SEEDS.reverse()
BANK = "Ah Kh 7c 4d 2h"


def oasis_settings(name: str = "t1", draws: tuple[DrawTerms, ...] = (), **changes: object) -> TableSettings:
    seats = tuple(range(1, 8))
    terms = JackpotTerms(JackpotKind.PROGRESSIVE, CREDIT, PRIZES, main_bp=2_000, reserve_bp=500)
    values = {
        "site": "test",
        "table": name,
        "game": Oasis(OasisSettings(seats, MINIMUM, 50_000, cards_read=CardsRead.DEAL)),
        "seats": seats,
        "minimum_minor": MINIMUM,
        "minor_micros": CENTAVO,
        "jackpot": terms,
        "member": MemberSettings(name, "c1", f"{name}-i1", "ARS", CENTAVO, PRIZES),
        "draws": draws,
        **changes,
    }
    return TableSettings(**values)  # type: ignore[arg-type]  # changes by name


@dataclass
class Pit:
    """A table, its journal, and a host that has let it in."""

    settings: TableSettings = field(default_factory=oasis_settings)
    journal: Journal = field(default_factory=Journal)
    host: Host = field(default_factory=Host.new)
    count: int = 0
    reads: Read | None = None

    def __post_init__(self) -> None:
        self.machine = TableMachine(self.settings, self.reads)
        self.state: TableState = self.machine.first()
        self.host.start()
        if not self.host.state.ledger.seq:
            self.found()
        self.do(TableStarted("n"))
        self.do(LinkStateChanged(True))
        profile = Profile(
            self.settings.table,
            self.settings.member.incarnation,
            "key",
            "ARS",
            START * CENTAVO,
            self.settings.jackpot.prizes,
            self.settings.bound_micros,
            self.settings.ceiling_micros,
        )
        assert self.host.decide(MemberAccepted(profile, "enrol")) is None
        self.deliver()
        self.do(DrawChainCommitted(SEEDS[0].hex(), 20))

    def found(self) -> None:
        from controller.engine.host_events import CarouselFounded

        assert self.host.decide(CarouselFounded("first host")) is None

    def do(
        self, event: object, *, actor: str = "dealer", second: str | None = None, id: str = "", source: object = None
    ) -> Refused | tuple[Entry, ...]:
        """Decide, store and fold one event."""
        self.count += 1
        envelope = Envelope(id or f"e{self.count}", event, actor, second, source)  # type: ignore[arg-type]  # a test gives a Source
        state, entries, refused = handle(self.machine, self.state, envelope, 0)
        for entry in entries:
            self.journal.append(entry)
        self.state = state
        return refused if refused is not None else entries

    def deliver(self, rounds: int = 6) -> None:
        """Carry everything both sides want said, until it is quiet."""
        for _ in range(rounds):
            for message in member.outbox(self.state.link, playing=bool(self.state.hand.credits)):
                self.host.receive(message)
            for entry in [entry for entry in self.host.journal if "record" in entry.body]:
                from controller.engine.ledger_reading import record_from_plain
                from controller.engine.messages import Ledger

                record = record_from_plain(entry.body["record"])
                if record.seq > self.state.link.ledger.seq:
                    self.do(LinkReceived(Ledger(self.host.state.epoch, record)))

    def bet(self, *seats: int, credits: int = 1) -> None:
        for seat in seats:
            assert not isinstance(self.do(AntePlaced(seat)), Refused)
            assert not isinstance(self.do(CreditWagered(seat, credits)), Refused)

    def close(self) -> Refused | tuple[Entry, ...]:
        """No va más, and the draw the hand asks for."""
        answer = self.do(KeyPressed(Key.CLOSE_BETS))
        if self.state.hand.draw_pending:
            index = self.state.chain_next
            assert not isinstance(self.do(DrawSeedRevealed(index, SEEDS[index].hex())), Refused)
        return answer

    def deal(self, *hands: str) -> None:
        """Five cards to each box in order, the bank last."""
        for hand in hands:
            for card in parse_cards(hand) or ():
                assert not isinstance(self.do(CardRead(card)), Refused)

    def decide_all(self, key: Key = Key.PLAY) -> None:
        while self.settings.game.turn(self.state.hand.game) is not None:
            assert not isinstance(self.do(KeyPressed(key)), Refused)

    def play(self, *hands: str, seats: Sequence[int] = (1,), credits: int = 1) -> Refused | tuple[Entry, ...]:
        """A whole hand: bets, close, deal, everybody plays, hand over."""
        self.bet(*seats, credits=credits)
        self.close()
        self.deal(*hands, BANK)
        self.decide_all()
        return self.do(KeyPressed(Key.HAND_OVER))

    def replayed(self) -> TableState:
        return replay(self.machine, self.journal)

    @property
    def meter_minor(self) -> int:
        return self.host.state.ledger.amount_micros // CENTAVO

    def balance(self, account: str) -> int:
        return sum(p.micros for entry in self.journal for p in entry.postings if p.account == account)
