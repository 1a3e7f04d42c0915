"""What happens in the golden journal of a carousel whose meters stand at their ceilings."""

from collections.abc import Iterable

from controller.core.causes import PoolCause
from controller.core.ledger import Entry
from controller.engine.host_events import CarouselFounded, StepAccepted
from controller.engine.host_state import HostState
from tests.engine.carousel_house import CENTAVO, Host, House, Table, royal
from tests.golden import figures
from tests.golden.office_stories import told


def ceilings() -> House:
    """Two tables reach their ceilings; hands of before and beyond are void, a step is accepted with a wrong part, and a
    royal flush restarts them out of the overflow."""
    house = House(Host.new(), [])
    assert house.host.decide(CarouselFounded("opening")) is None
    one = house.add(Table.new("t1"), 1_000, ceiling_micros=1_500 * CENTAVO)
    two = house.add(Table.new("t2"), 1_000, bound_micros=100 * CENTAVO, ceiling_micros=1_200 * CENTAVO)
    one.bet(700, 30)
    house.settle()
    one.reverse(250)
    house.settle()
    two.bet(900)
    house.settle()
    told(house, StepAccepted("t2", "counted by hand", 800 * CENTAVO, cause=PoolCause.FAULT_CORRECTION))
    for _ in range(3):
        one.bet(100, 10)
        two.bet(90, 10)
        house.settle()
    two.win(royal(3))
    house.settle()
    two.pay_all()
    house.settle()
    return house


def ceiling_figures(state: HostState, entries: Iterable[Entry]) -> dict[str, object]:
    """With what each table holds in each of its pools."""
    pools = {table: list(state.ledger.tables[table].pools) for table in state.ledger.tables}
    return {**figures.host_figures(state, entries), "pools": pools}
