"""What happens in the golden journals of a carousel's host and of a node's accounts."""

from controller.core.causes import PoolCause
from controller.core.events import Envelope
from controller.core.ledger import Entry
from controller.engine.accounts import AccountsMachine
from controller.engine.accounts_events import (
    ApprovalAsked,
    ApprovalExecuted,
    ApprovalGiven,
    ApprovalRejected,
    CountEntered,
    LoggedOut,
    LoginBegun,
    LoginFailed,
    LoginPassed,
    PartOpened,
    SecretSet,
    ShiftClosed,
    UserAdded,
    UserChanged,
)
from controller.engine.host_events import (
    BalanceTransferred,
    CarouselFounded,
    HostPromoted,
    MemberRekeyed,
    MemberSealed,
    MeterAdjusted,
    PrizeReleased,
    StartValueReset,
    StepAccepted,
    TableExcluded,
)
from controller.engine.host_state import Phase
from controller.engine.ledger_records import ClaimName
from controller.engine.machine import handle
from tests.engine.carousel_house import CENTAVO, PRIZES, Host, House, Table, four, royal, straight_flush, talk

START_MS = 1_790_000_000_000
HOUR_MS = 3_600_000


def told(house: House, event: object) -> None:
    """An act of two people that is not refused, and everything that is said after it."""
    refused = house.host.decide(event)
    assert refused is None, refused
    house.settle()


def carousel() -> House:
    """Three tables join; prizes, one of them held and released; a void of a paid hand and a correction; adjustments
    with their causes; a quarantined step; a new key; a table that leaves by its seal; the host stopped, restored and
    promoted with a table excluded."""
    house = House(Host.new(), [])
    assert house.host.decide(CarouselFounded("opening")) is None
    for name in ("t1", "t2", "t3"):
        table = Table.new(name)
        house.add(table, bound_micros=10 * CENTAVO)
        assert table.state.settings.prizes == PRIZES
    one, two, three = house.tables
    first = one.bet(9, 1)
    one.win(straight_flush(3, credits=2))
    two.bet(8)
    two.win(four(1))
    house.settle()
    assert one.pay_all() + two.pay_all() == 200_000
    house.settle()
    one.win(hand=first, revision=2)
    house.settle()
    one.bet(7)
    one.win(royal(2))
    two.bet(5)
    two.win(straight_flush(4))
    house.settle()
    told(house, PrizeReleased(ClaimName("t2", "t2-i1", 2), "seen"))
    two.win(straight_flush(4), straight_flush(5), hand=2, revision=2)
    house.settle()
    told(house, MeterAdjusted("t1", -100 * CENTAVO, "read twice", cause=PoolCause.FAULT_CORRECTION))
    told(house, MeterAdjusted("t1", 50 * CENTAVO, "a week's bonus", 5 * CENTAVO, PoolCause.HOUSE_CONTRIBUTION))
    told(house, StartValueReset("t2", 400_000 * CENTAVO, "as approved", cause=PoolCause.APPROVED_START))
    told(house, BalanceTransferred("t1", 70 * CENTAVO, "t1 is replaced", "t2", PoolCause.REPLACEMENT))
    three.bet(5_000)
    three.win(four(6))
    house.settle()
    assert house.host.state.quarantined and house.host.state.waiting
    wrong = StepAccepted("t3", "counted by hand", 4_000 * CENTAVO, cause=PoolCause.FAULT_CORRECTION)
    told(house, wrong)
    told(house, MemberRekeyed("t1", "b" * 64, "the key was seen"))
    told(house, MemberSealed("t3", "its disk is lost", True))
    house.host.start("after a stop")
    house.settle()
    house.host.start("from a backup", restored=True)
    assert house.host.state.phase is Phase.FENCED
    assert house.host.decide(HostPromoted("the backup is whole")) is None
    talk(house.host, one)
    assert house.host.state.promoting
    told(house, TableExcluded("t2", "switched off", seen_switched_off=True))
    one.bet(3)
    house.settle()
    return house


class Office:
    """A node's accounts with a clock that goes on by a minute with every act."""

    def __init__(self) -> None:
        self.machine = AccountsMachine()
        self.state = self.machine.first()
        self.journal: list[Entry] = []
        self.now_ms = START_MS

    def do(self, event: object, actor: str, second: str | None = None) -> str:
        """The id of the first entry."""
        self.now_ms += 60_000
        envelope = Envelope(f"a{len(self.journal) + 1}", event, actor, second)
        self.state, entries, refused = handle(self.machine, self.state, envelope, self.now_ms)
        assert refused is None, refused
        self.journal += entries
        return entries[0].id


ACT = {"target": "table:t1", "event": {"type": "HandVoided", "reason": "deal_error", "note": "", "hand": 1}}
HEADS = {"t1": {"incarnation": "t1-i1", "seq": 12, "chain": "ab" * 32}}


def accounts() -> Office:
    """People, logins, papers, approvals of every outcome, a count, and two shifts."""
    office = Office()
    people = (("ana", "pit_boss"), ("bea", "pit_boss"), ("carla", "admin"), ("tomas", "technician"), ("eva", "auditor"))
    for login, role in people:
        office.do(UserAdded(login, login.title(), role, f"hash of {login}", badge=f"b-{login}"), "carla")
    office.do(UserChanged("eva", name="Eva Ruiz", language="en"), "carla")
    office.do(UserChanged("tomas", disabled=True, badge=""), "carla")
    office.do(SecretSet("ana", "another hash"), "ana")
    for login, station in (("ana", "s1"), ("nobody", "s2"), ("ana", "s1")):
        office.do(LoginFailed(office.do(LoginBegun(login, station), login)), login)
    for login, station in (("ana", "s1"), ("bea", "s1"), ("eva", "s2")):
        office.do(LoginPassed(office.do(LoginBegun(login, station), login), f"session of {login}"), login)
    office.do(PartOpened("session of eva", "reports"), "eva")
    office.do(PartOpened("session of eva", "reports", "/reports/day.pdf"), "eva")
    for second, outcome in (("bea", "done"), ("bea", "refused"), ("bea", "rejected"), ("", "open")):
        asked = office.do(ApprovalAsked(ACT, "d" * 64, ("pit_boss",), ({"text": "hand", "before": 1},)), "ana")
        if outcome in ("done", "refused"):
            office.do(ApprovalGiven(asked, "d" * 64), second)
            refused = "hand_void" if outcome == "refused" else ""
            office.do(ApprovalExecuted(asked, refused, {"hand": 1} if refused else {}, ("e7",)), "node")
        elif outcome == "rejected":
            office.do(ApprovalRejected(asked, "another hand"), second)
    office.do(CountEntered("t1", "tarde", 120_000, 120_100), "bea")
    for number, name in enumerate(("tarde", "noche")):
        begin = START_MS + number * 8 * HOUR_MS
        closed = ShiftClosed(name, HEADS, {"t1": {"handle_minor": 9}}, begin, begin + 8 * HOUR_MS)
        office.do(closed, "ana", "bea")
    office.do(LoggedOut("session of bea"), "bea")
    return office
