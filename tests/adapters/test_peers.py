"""Host and tables compare their programs and the terms they play by, and tell people of a difference."""

from dataclasses import replace

import pytest

from controller.adapters.events.peers import (
    CLAIM_TOO_OLD,
    PROGRAM_DIFFERS,
    PROGRAM_SHOWN,
    TERMS_DIFFER,
    TERMS_GRACE_S,
    TERMS_NOT_TAKEN,
    HostPeers,
    OldClaims,
    TablePeer,
)
from controller.adapters.link.host_end import HostEnd
from controller.adapters.link.table_end import SILENT_MINUTES, TableEnd
from controller.adapters.link.wire import Arrived
from controller.adapters.runner import Answer
from controller.api.texts import catalogue
from controller.core.events import AlarmRaised, Envelope, LinkSilent, LinkStateChanged
from controller.core.prizes import PrizeList
from controller.core.refusal import Refusal, refuse
from controller.engine import ledger_book
from controller.engine.host_outbox import status
from controller.engine.ledger_profiles import terms_of
from controller.engine.ledger_records import Signed, Terms
from controller.engine.messages import Claimed, LinkReceived, Status
from tests.engine.carousel_house import House, four
from tests.engine.pit import Pit


def birth(house: House, place: int, program: str, terms: str) -> Status:
    settings = house.tables[place].state.settings
    mark = house.tables[place].state.mark
    return Status(settings.table, settings.incarnation, house.host.state.epoch, mark, True, program, terms)


@pytest.mark.requirement("R54")
def test_a_host_tells_of_a_table_with_another_program_or_other_terms() -> None:
    house = House.of("t1", "t2")
    state = replace(house.host.state, settings=replace(house.host.state.settings, program="1.0"))
    terms = terms_of(state.ledger.tables["t1"].profile)
    looked: list[int] = []
    peers = HostPeers(lambda: looked.append(1))
    for _ in range(3):
        peers.hear(birth(house, 0, "1.0", terms))
    assert (peers.conditions(state), len(looked)) == ((), 1)
    peers.hear(birth(house, 1, "", ""))
    (older,) = peers.conditions(state)
    assert (older.alarm.code, older.alarm.source, older.alarm.detail) == (PROGRAM_DIFFERS, "t2", "? / 1.0")
    peers.hear(birth(house, 1, "9" * 1_000_000, ""))
    assert [len(each.alarm.detail) for each in peers.conditions(state)] == [len("1.0 / ") + PROGRAM_SHOWN]
    peers.hear(birth(house, 1, "1.0", "0" * 64))
    (other,) = peers.conditions(state)
    assert (other.alarm.code, other.alarm.source) == (TERMS_DIFFER, "t2")
    assert len(looked) == 4


@pytest.mark.requirement("R54")
def test_a_table_tells_of_a_host_with_another_program_and_of_its_own_changed_terms() -> None:
    pit = Pit()
    account = pit.state.link.account
    assert account is not None
    own = replace(pit.state.link.settings, program="1.0", terms=terms_of(account.profile))
    state = replace(pit.state, link=replace(pit.state.link, settings=own))
    peer = TablePeer(lambda: None)
    assert peer.conditions(state, "c1") == ()
    peer.hear(replace(status(pit.host.state), program="1.0"))
    assert peer.conditions(state, "c1") == ()
    peer.hear(replace(status(pit.host.state), program="1.1"))
    changed = replace(state, link=replace(state.link, settings=replace(own, terms="0" * 64)))
    assert [each.alarm.code for each in peer.conditions(changed, "c1")] == [PROGRAM_DIFFERS, TERMS_DIFFER]


@pytest.mark.requirement("R54")
def test_a_table_whose_new_terms_an_older_host_ignores_says_what_to_do() -> None:
    pit = Pit()
    settings = replace(pit.state.link.settings, program="1.1")
    terms = Terms(2, PrizeList(()), None, None, "0" * 64, Signed("ana", "bea", "a lower percentage"))
    waits = replace(pit.state.link, settings=settings, link_up=True, terms=terms)
    state = replace(pit.state, link=waits)
    assert state.link.terms_waiting
    peer = TablePeer(lambda: None)
    peer.hear(replace(status(pit.host.state), program="1.0"))
    older, waiting = peer.conditions(state, "c1")
    assert (older.alarm.code, older.alarm.detail) == (PROGRAM_DIFFERS, "1.0 / 1.1")
    assert (waiting.alarm.code, waiting.alarm.source, waiting.grace_s) == (TERMS_NOT_TAKEN, "c1", TERMS_GRACE_S)
    lost = replace(state, link=replace(waits, link_up=False))
    assert [each.alarm.code for each in peer.conditions(lost, "c1")] == [PROGRAM_DIFFERS]
    for language, act in (("es", "actualice"), ("en", "update")):
        for code in (PROGRAM_DIFFERS, TERMS_NOT_TAKEN):
            assert act in catalogue(language).text(f"alarm.{code}")


class Runner:
    """What a table's end asks of a runner, with the events it is told."""

    def __init__(self, state: object) -> None:
        self.state = state
        self.told: list[object] = []

    def observe(self, observer: object) -> None:
        """Nobody commits here."""

    async def submit(self, envelope: Envelope) -> Answer:
        self.told.append(envelope.event)
        return Answer()


class Link:
    """A link that carries nothing."""

    def listen(self, *listeners: object) -> None:
        """Nothing arrives."""

    def repeat(self, messages: object) -> None:
        """Nobody hears."""


class HostRunner(Runner):
    """Decides what arrives as the host does."""

    def __init__(self, house: House) -> None:
        super().__init__(house.host.state)
        self._house = house

    async def submit(self, envelope: Envelope) -> Answer:
        assert isinstance(envelope.event, LinkReceived)
        return Answer(refused=self._house.host.receive(envelope.event.message))


async def test_a_claim_that_the_host_can_no_longer_answer_is_told_to_people_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ledger_book, "KEPT_AWARDS", 3)
    house = House.of("t1")
    (table,) = house.tables
    claims = []
    for _ in range(6):
        table.bet(1)
        table.win(four(1))
        claims += [message for message in table.outbox() if isinstance(message, Claimed)]
        house.settle()
        table.pay_all()
    told: list[object] = []
    runner = HostRunner(house)
    old = OldClaims(told.append)
    end = HostEnd(Link(), runner, NoArchive(), on_refused=old.refused)  # type: ignore[arg-type]  # what an arrival asks
    for message in (claims[-1], claims[0], claims[0], claims[1]):
        await end._arrived(Arrived("m", message, ""), False)
    first, second = (claim.claim.name.hand for claim in claims[:2])
    alarms = [AlarmRaised(CLAIM_TOO_OLD, f"t1/{hand}", "1: 1 four_of_a_kind") for hand in (first, second)]
    assert told == alarms
    many = replace(claims[2].claim, winners=claims[2].claim.winners * 10_000)
    old.refused(many, refuse(Refusal.CLAIM_TOO_OLD))
    assert len(str(told[-1])) < 1000
    for language, act in (("es", "dos personas"), ("en", "two people")):
        assert act in catalogue(language).text(f"alarm.{CLAIM_TOO_OLD}")


class NoArchive:
    def records(self, first: int, count: int) -> tuple[()]:
        return ()


async def test_a_death_counts_only_for_the_boot_it_names() -> None:
    """The will of a connection that the broker gives up late is no news of the boot after it."""
    house = House.of("t1")
    end = HostEnd(Link(), Runner(house.host.state), NoArchive())  # type: ignore[arg-type]  # only what an arrival asks
    first = birth(house, 0, "", "")
    later = replace(first, mark=first.mark._replace(boot=first.mark.boot + 1))
    said = [(first, True), (later, True), (replace(first, alive=False), True), (replace(later, alive=False), False)]
    for message, alive in said:
        await end._arrived(Arrived("m", message, ""), False)
        assert end.alive == {"t1": alive}, message
    behind = HostEnd(Link(), Runner(house.host.state), NoArchive())  # type: ignore[arg-type]  # only what an arrival asks
    await behind._arrived(Arrived("m", replace(first, alive=False), ""), True)
    assert behind.alive == {"t1": False}, "a host that has heard of no birth believes the broker"


@pytest.mark.requirement("R57")
async def test_silence_is_counted_by_the_machine_s_own_time_in_steps() -> None:
    """Ten minutes are told at once; time in which the host was heard is none of it."""
    now = [0.0]
    runner = Runner(House.of("t1").tables[0].state)
    end: TableEnd[object] = TableEnd(
        Link(),  # type: ignore[arg-type]  # only what a look asks of it
        runner,  # type: ignore[arg-type]  # only what a look asks of it
        NoArchive(),
        member_of=lambda state: state,  # type: ignore[arg-type,return-value]  # the member alone
        playing=lambda state: False,
        presence=LinkStateChanged,
        silence=LinkSilent,
        clock=lambda: now[0],
        new_id=lambda: "e",
    )
    step_s = SILENT_MINUTES * 60.0
    for seconds in (step_s - 1, step_s + 1, 3 * step_s):
        now[0] = seconds
        await end._look()
    assert runner.told == [LinkSilent(10), LinkSilent(20)]
