"""Deliberately broken carousels: each breaks one clause of the protocol, and the simulator must notice every one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

from controller.core import prizes
from controller.core.prizes import PrizeList
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import (
    host_claims,
    host_closing,
    host_fold,
    host_members,
    host_payments,
    host_promotion,
    ledger_awards,
    ledger_fold,
    member,
    member_claims,
    member_ledger,
    member_outbox,
    member_rows,
)
from controller.engine.host_events import (
    AwardSettled,
    CarouselFounded,
    ClosingDayCame,
    HostPromoted,
    MemberRekeyed,
    MemberSealed,
    PrizeReleased,
)
from controller.engine.host_fold import Pen
from controller.engine.host_outbox import meter
from controller.engine.host_state import Phase
from controller.engine.ledger_book import Book
from controller.engine.ledger_records import Adjusted, Change, Counters, EpochBegan, JoinAsked, Signed
from controller.engine.ledger_state import Account
from controller.engine.member_state import MemberState
from controller.engine.messages import Claimed, Collect, Counter, Ledger, Meter, Received, Report
from tests.engine.carousel_house import CENTAVO, Host, House, Table, straight_flush, talk
from tests.engine.sim_ends import END, MOVE
from tests.engine.sim_nodes import HostNode, TableNode, Violation
from tests.engine.simulator import Faults, World

Behaviour = dict[str, Callable[..., Any]]


@dataclass(frozen=True)
class Mutant:
    """patches: (object, attribute, replacement); behaviour: parts of the simulated nodes and people replaced.

    faults, ends, story: where plain random lives hardly ever come to the state in which the mutant differs; a story is
    one life by hand, which ends well without the mutant.
    """

    name: str
    patches: tuple[tuple[Any, str, Any], ...] = ()
    behaviour: Behaviour = field(default_factory=dict)
    faults: Faults | None = None
    ends: bool | None = None
    story: Callable[[], None] = field(default=lambda: None)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        with ExitStack() as stack:
            for target, name, changed in self.patches:
                stack.enter_context(patch.object(target, name, changed))
            yield


def added(self: Counters, other: Counters) -> Counters:
    pairs = zip(_values(self), _values(other), strict=True)
    return Counters(*(mine + theirs for mine, theirs in pairs))


def _values(counters: Counters) -> tuple[int, ...]:
    return (
        counters.main_micros,
        counters.reserve_micros,
        counters.reversed_main_micros,
        counters.reversed_reserve_micros,
        counters.hands,
    )


# counters

_counter = host_claims.counter


def counter_as_delta(pen: Pen, message: Any) -> Any:
    """What a table sends is added to what is there, as if it were what came in since."""
    account = pen.state.ledger.account(message.table, message.incarnation)
    if account is not None and message.counters != account.absorbed and message.counters.hands:
        message = replace(message, counters=added(account.absorbed, message.counters))
    return _counter(pen, message)


def last_wins(self: Counters, other: Counters) -> Counters:
    return other


def any_order_counter(pen: Pen, message: Any) -> Any:
    """No look at the place in the table's order: whatever came last is right."""
    with patch.object(Counters, "merged", last_wins), patch.object(host_claims, "is_reasonable", lambda *_: True):
        pen.state = replace(pen.state, known=pen.state.known.without(message.table))
        return _counter(pen, message)


# claims

_claimed = host_claims.claimed


def claim_again(pen: Pen, message: Any) -> Any:
    """Every copy of a claim is answered anew."""
    ledger = pen.state.ledger
    if message.claim.name.key in ledger.awards:
        awards = ledger.awards.without(message.claim.name.key)
        order = tuple(key for key in ledger.award_order if key != message.claim.name.key)
        pen.state = replace(pen.state, ledger=replace(ledger, awards=awards, award_order=order))
    return _claimed(pen, message)


def lower_revision(pen: Pen, message: Any) -> Any:
    """Revision 1 that comes after revision 2 is taken as news."""
    ledger, claim = pen.state.ledger, message.claim
    answered = ledger.awards.get(claim.name.key)
    if answered is not None and claim.revision < answered.revision:
        changed = replace(answered, revision=0, digest="")
        awards = ledger.awards.set(claim.name.key, changed)
        pen.state = replace(pen.state, ledger=replace(ledger, awards=awards))
        message = replace(message, claim=replace(claim, signed=Signed("late", "ana", "bea")))
    return _claimed(pen, message)


# epochs

_check_author = member_ledger.check_author


def any_author(state: Any, epoch: Any) -> Refused | None:
    return None


def only_later_authors(state: Any, epoch: Any) -> Refused | None:
    return _check_author(state, epoch) or (refuse(Refusal.STALE_EPOCH) if epoch == state.epoch else None)


def equal_terms(state: Any, epoch: Any) -> Refused | None:
    return refuse(Refusal.STALE_EPOCH) if epoch.term < state.epoch.term else None


def fence_by_record(world: World, node: Any, message: Any) -> None:
    """The epoch inside a record decides instead of the sender's."""
    if isinstance(message, Ledger) and isinstance(node, TableNode):
        message = replace(message, epoch=message.record.epoch)
    node.receive(message)


def report_first(world: World, node: Any, message: Any) -> None:
    """COLLECT is answered at once; the epoch is journaled some time later, or never."""
    if isinstance(message, Collect) and isinstance(node, TableNode) and message.epoch > node.state.epoch:
        ahead = replace(node.state, epoch=message.epoch, report=message.epoch, report_first=message.first)
        before, node.state = node.state, ahead
        reports = [each for each in node.outbox() if isinstance(each, Report)]
        node.state = before
        node.say(reports, again=True)
        return
    node.receive(message)


_start = host_promotion.start


def start_raises_term(pen: Pen, event: Any) -> None:
    state = pen.state
    if state.phase is not Phase.SERVING:
        _start(pen, event)
        return
    epoch = state.epoch._replace(term=state.epoch.term + 1, start=state.epoch.start + 1)
    pen.note("host.began", "began", {"epoch": list(epoch), "incarnation": ""})
    pen.record(EpochBegan(f"start {event.nonce}"))


_proceed = host_promotion.proceed
_serve = host_promotion._serve


def own_ledger_wins(pen: Pen) -> None:
    """The promoted host goes on with its own ledger once all tables have answered, whatever they say."""
    state = pen.state
    complete = [table for table in state.reports if state.reports[table].complete]
    if state.phase is Phase.COLLECTING and state.ledger.seq and complete:
        present = host_promotion.answered(state)
        if all(name in present or name in state.excluded for name in state.ledger.rostered()):
            _serve(pen)
        return
    _proceed(pen)


def begins_anew(pen: Pen) -> None:
    """The promoted host begins a ledger of its own instead of copying the winner's."""
    before = pen.state.phase
    _proceed(pen)
    if before is Phase.COLLECTING and pen.state.phase is Phase.ADOPTING:
        report = pen.state.reports[pen.state.source]
        if pen.state.ledger.seq < report.seq:
            _serve(pen)


def exclude_running(world: World) -> TableNode | None:
    """People exclude a table that does not answer without looking whether it is off."""
    running = [table for table in world.tables.values() if table.state.standing is not None]
    return world.dice.one_of(running) if running else None


# effects in the wrong order


def say_before_commit(self: Any, entries: Any) -> None:
    """Acknowledge first, commit afterwards."""
    if not entries:
        return
    before = self.state
    for entry in entries:
        self.state = self.apply(self.state, entry)
    messages = [each for each in self.outbox() if not isinstance(each, Meter)]
    self.state = before
    self.say(messages)
    self._effect(self)
    self.store(entries)


def claim_before_journal(world: World, table: TableNode, answer: Any, done: Callable[[], None]) -> None:
    """The claim is on its way before it is journaled."""
    if isinstance(answer, Refused):
        return
    size = len(table.journal)

    def act() -> None:
        before = table.state
        ahead = table.apply(table.state, answer)
        table.state = ahead
        messages = [each for each in table.outbox() if type(each).__name__ == "Claimed"]
        table.state = before
        table.say(messages, again=True)
        table._effect(table)
        table.store((answer,))

    world.run(table, act)
    if len(table.journal) > size:
        done()


def meter_before_commit(self: Any, entries: Any) -> None:
    """The screens are told what is about to be committed."""
    if not entries:
        return
    before = self.state
    for entry in entries:
        self.state = self.apply(self.state, entry)
    meters = [each for each in self.outbox() if isinstance(each, Meter)]
    self.state = before
    self.say(meters)
    self._effect(self)
    self.store(entries)
    self.say(self.outbox())


# money

_change = ledger_fold.change


def keep_restart(book: Any, each: Change, sign: int, place: int) -> None:
    """Undoing an award gives back its debits and leaves the restart where it is."""
    if sign > 0 or each.funding == 0:
        _change(book, each, sign, place)
        return
    _change(book, each._replace(main=each.main - each.funding, funding=0), sign, place)


def floored(amount: int, weights: Any) -> tuple[tuple[str, int], ...]:
    """Each share floored; what is left over belongs to nobody."""
    total = sum(weight for _, weight in weights)
    return tuple((name, amount * weight // total if total else 0) for name, weight in weights)


_grant = ledger_awards.grant


def grant_without_restart(state: Any, name: Any, list_: Any, winners: Any, before: Any, account: Any = None) -> Any:
    granted, notes = _grant(state, name, list_, winners, before, account)
    changes = tuple(each._replace(main=each.main - each.funding, funding=0) for each in granted.changes)
    return replace(granted, changes=tuple(each for each in changes if any(each[1:]))), notes


_award = host_claims._award


def restart_as_second_record(pen: Pen, claim: Any) -> Any:
    """The award, and the restart it causes as a record of its own with the next message (if there is one)."""
    ledger = pen.state.ledger
    listed = ledger.tables[claim.name.table].profile.prizes
    full, _ = _grant(ledger, claim.name, listed, claim.winners, ledger.balances())
    answer = _award(pen, claim)
    WAITING.extend((each.table, each.funding) for each in full.changes if each.funding)
    return answer


WAITING: list[tuple[str, int]] = []
_acknowledged = host_claims.acknowledged


def restart_with_next(pen: Pen, message: Any) -> Any:
    while WAITING:
        table, micros = WAITING.pop()
        pen.record(Adjusted(table, micros, 0, Signed("restart", "host", "host 2")))
    return _acknowledged(pen, message)


def own_by_table(state: Any, name: Any) -> bool:
    """A replacement takes over the rows of the incarnation before it."""
    return bool(name.table == state.settings.table)


def any_claim(state: Any, name: Any, revision: int, digest: str) -> None:
    return None


def no_acceptance(pen: Pen, event: Any, signed: Any) -> None:
    """Quarantine for ever: people accept, and nothing comes of it."""
    return None


def reused(world: World, name: str) -> str:
    return f"{name}-i1"


def accept_any_incarnation(pen: Pen, event: Any, signed: Any) -> Any:
    with (
        patch.object(host_members, "check_incarnation", lambda account, profile: None),
        patch.object(ledger_fold, "check_incarnation", lambda was, profile: None),
    ):
        return _accept_member(pen, event, signed)


_accept_member = host_members.accept_member


def two_hosts_of_one_term() -> None:
    """Two hosts were founded; the one with the lower key has answered a claim when the table hears of the other."""
    house = House.of("t1")
    table, other = house.tables[0], Host.new("B")
    other.decide(CarouselFounded("by mistake"))
    table.bet(0)
    table.win(straight_flush(1))
    for message in table.outbox():
        house.host.receive(message)
    said = house.host.outbox()
    for message in other.outbox():
        table.receive(message)
    for message in said:
        table.receive(message)
    if table.state.rows:
        raise Violation("a table under one host took an award of another with the same term")


def late_first_revision() -> None:
    """The correction is answered before the claim it corrects arrives."""
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    late = [message for message in table.outbox() if isinstance(message, Claimed)]
    table.win(straight_flush(2), straight_flush(3), revision=2)
    house.settle()
    for message in late:
        house.host.receive(message)
    house.settle()
    if sorted(row.seat for row in table.state.rows.values() if row.amount_minor) != [2, 3]:
        raise Violation("the first revision was answered after the second")


def claim_in_quarantine() -> None:
    """A prize is won while the table's counters wait for people: screens must tell it as pending."""
    house = House.of("t1")
    table = house.add(Table.new("t2"), bound_micros=10 * CENTAVO)
    table.bet(1_000)
    table.win(straight_flush(1))
    house.settle()
    if not any(prize.waiting and prize.table == "t2" for prize in meter(house.host.state).pending):
        raise Violation("a claim that waits for people is not told")


def a_day_without_the_host() -> None:
    """`continue` ends after a day; hearing the host is not enough, the bets of the outage must be in the ledger."""
    house = House.of()
    table = house.add(Table.new("t1", lost_limit_minutes=24 * 60))
    table.bet(5)
    table.store(member.link_silent(table.state, 24 * 60, "silent"))
    if member.check_bet(table.state) is None:
        raise Violation("bets go on after a day without the host")
    table.store(member.link_changed(table.state, True, "heard"))
    if member.check_bet(table.state) is None:
        raise Violation("bets go on while the ledger lacks those of the outage")
    house.settle()
    if member.check_bet(table.state) is not None:
        raise Violation("bets never go on")


def another_key() -> None:
    """A table's key is changed; every later host must know it from the ledger."""
    house = House.of("t1", "t2")
    house.host.decide(MemberRekeyed("t1", "another", "stolen"))
    house.settle()
    other = Host.new("B")
    for table in house.tables:
        other.receive(next(message for message in table.outbox() if isinstance(message, Counter)))
    other.decide(HostPromoted("the host is lost"))
    talk(other, *house.tables)
    if other.state.ledger.tables["t1"].profile.key != "another":
        raise Violation("a later host takes what the old key signs")


def newest_list(self: Account, incarnation: str, hand: int) -> PrizeList:
    return self.profile.prizes


def bet_by_unknown_terms(state: Any) -> Refused | None:
    refused = member_claims.check_bet(state)
    return None if refused is not None and refused.facts.get("why") == "terms_on_their_way" else refused


computed_alone = {**member._STEPS, "prize.paid": lambda state, body: state}
"""The fold of a table that forgets what two people had paid beside a row's computed amount."""
take_paid = host_claims._take_paid


def with_more_paid_alone(pen: Pen, message: Received) -> Refused | None:
    """A host that learned of the computed payment first, by a table's report, takes what was beside it for told."""
    known = tuple((row, minor) for row, minor in message.paid if minor > pen.state.paid.get(row, 0))
    return take_paid(pen, replace(message, paid=known))


def won_in_the_last_hand() -> None:
    """The day comes while a hand is played; its winner gets a share of what the jackpot held then."""
    house = House.of("t1", "t2")
    table = house.tables[0]
    table.bet(0)
    table.playing = True
    for event in (END, ClosingDayCame(END.day), MOVE):
        house.settle()
        house.host.decide(event)
        house.settle()
    table.win(straight_flush(1))
    table.playing = False
    house.settle()
    if [row.amount_minor for row in table.state.rows.values()] != [100_000]:
        raise Violation("the money was moved before the last hand was over")


def told_while_playing(state: MemberState, playing: bool) -> bool:
    return _is_settled(state, False)


_is_settled = member_outbox.is_settled


def house_of_winner() -> House:
    """The first table has won a prize, which nobody has paid."""
    house = House.of("t1", "t2")
    house.tables[0].bet(10_000)
    house.tables[0].win(straight_flush(1))
    house.settle()
    return house


def paid_before_it_was_sealed() -> None:
    """A later host must know what a table paid that is no more, or people pay it again."""
    house = house_of_winner()
    house.tables[0].pay_all()
    house.settle()
    house.host.decide(MemberSealed("t1", "burnt", True))
    house.settle()
    other = Host.new("B")
    for table in house.tables:
        other.receive(next(message for message in table.outbox() if isinstance(message, Counter)))
    other.decide(HostPromoted("the host is lost"))
    talk(other, *house.tables)
    if other.state.open_awards:
        raise Violation("a prize that was paid is pending again")


def sealed_while_it_runs() -> None:
    """A table is cut off; people seal it and settle its award without looking whether it is off."""
    house = house_of_winner()
    table, host = house.tables[0], house.host
    (key,) = host.state.open_awards
    host.decide(MemberSealed("t1", "silent"))
    host.decide(AwardSettled(host.state.ledger.awards[key].granted.name, "at the cage"))
    if not host.state.open_awards and table.pay_all():
        raise Violation("people and the table have both paid")


def more_paid_than_it_names() -> None:
    """A table pays more prizes while the host is away than it holds of what is closed."""
    house = House.of("t1")
    table = house.tables[0]
    for _ in range(3):
        table.bet(10_000)
        table.win(straight_flush(1), straight_flush(2))
        house.settle()
        for key in house.host.state.open_awards:
            house.host.decide(PrizeReleased(house.host.state.ledger.awards[key].granted.name, "checked"))
        house.settle()
    with patch.object(member_rows, "KEPT_ROWS", 2):
        table.pay_all()
        house.settle()
    if house.host.state.open_awards:
        raise Violation("the host never hears of a payment")


_seal, _settle = host_members.seal_member, host_members.settle_award


def as_a_note(pen: Pen, table: str, incarnation: str, mark: Any, rows: Any) -> None:
    """The host keeps payments to itself."""
    body = {
        "table": table,
        "incarnation": incarnation,
        "mark": list(mark),
        "rows": [[row.row, row.minor] for row in rows],
        "beside": [[row.row, row.beside] for row in rows if row.beside or row.row in pen.state.beside],
    }
    pen.note("host.paid", f"paid:{rows[0].row}:{rows[0].minor}", body)


def seal_unseen(pen: Pen, event: Any, signed: Any) -> Any:
    return _seal(pen, replace(event, seen_switched_off=True), signed)


def settle_unseen(pen: Pen, event: Any, signed: Any) -> Any:
    return _settle(pen, replace(event, seen_switched_off=True), signed)


MANY_HOSTS = Faults(loss=5, doubling=10, partition=6, kill=0, promote=6, kill_after=0)

MUTANTS: tuple[Mutant, ...] = (
    Mutant("deltas instead of counters", ((host_claims, "counter", counter_as_delta),)),
    Mutant("last value wins instead of max", ((host_claims, "counter", any_order_counter),)),
    Mutant("no claim dedupe", ((host_claims, "claimed", claim_again),)),
    Mutant("no epoch check", ((member_ledger, "check_author", any_author),)),
    Mutant("> for >=", ((member_ledger, "check_author", only_later_authors),)),
    Mutant("fence by the record's epoch", behaviour={"receive": fence_by_record}),
    Mutant("answer COLLECT before journaling the epoch", behaviour={"receive": report_first}),
    Mutant("a restart raises the term", ((host_promotion, "start", start_raises_term),)),
    Mutant(
        "equal terms accepted",
        ((member_ledger, "check_author", equal_terms),),
        story=two_hosts_of_one_term,
    ),
    Mutant("own ledger always wins", ((host_promotion, "proceed", own_ledger_wins),)),
    Mutant("exclusion without switch-off", behaviour={"exclude": exclude_running}, faults=MANY_HOSTS),
    Mutant(
        "acknowledge before commit", ((TableNode, "work", say_before_commit), (HostNode, "work", say_before_commit))
    ),
    Mutant("claim before journal", behaviour={"claim": claim_before_journal}),
    Mutant("new host ignores old records", ((host_promotion, "proceed", begins_anew),)),
    Mutant(
        "reused incarnation",
        ((host_members, "check_incarnation", any_author), (ledger_fold, "check_incarnation", any_author)),
        {"incarnation": reused},
    ),
    Mutant("replacement pays again", ((member_rows, "_own", own_by_table), (member_ledger, "_check_claim", any_claim))),
    Mutant("floor instead of largest remainder", ((prizes, "split_proportionally", floored),)),
    Mutant("void without reversed", behaviour={"void_without_reversed": lambda: True}),
    Mutant("void keeps the restart", ((ledger_fold, "change", keep_restart), (ledger_awards, "change", keep_restart))),
    Mutant(
        "revision 1 after revision 2",
        ((host_claims, "claimed", lower_revision), (member_ledger, "_check_claim", any_claim)),
        story=late_first_revision,
    ),
    Mutant(
        "restart as a second record",
        (
            (host_claims, "grant", grant_without_restart),
            (member_ledger, "grant", grant_without_restart),
            (ledger_awards, "grant", grant_without_restart),
            (host_claims, "_award", restart_as_second_record),
            (host_claims, "acknowledged", restart_with_next),
        ),
    ),
    Mutant("METER from uncommitted counters", ((HostNode, "work", meter_before_commit),)),
    Mutant("screens take a lower as-of", ((Meter, "is_newer", lambda self, shown: True),)),
    Mutant(
        "a claim in quarantine is not told",
        ((host_claims, "_wait", lambda pen, claim: None),),
        story=claim_in_quarantine,
    ),
    Mutant(
        "no end to bets without the host",
        ((MemberState, "is_overdue", property(lambda self: False)),),
        story=a_day_without_the_host,
    ),
    Mutant(
        "heard again is enough", ((MemberState, "agrees", property(lambda self: True)),), story=a_day_without_the_host
    ),
    Mutant("the key stays what it was", ((ledger_fold, "Rekeyed", JoinAsked),), story=another_key),
    Mutant("late hands are judged by the newest terms", ((Account, "prizes_of", newest_list),)),
    Mutant("bets by terms that the ledger does not have", ((member, "check_bet", bet_by_unknown_terms),)),
    Mutant("another amount is told as the computed one", ((member, "_STEPS", computed_alone),)),
    Mutant(
        "what was paid beside is told once or never",
        ((host_claims, "_take_paid", with_more_paid_alone),),
        faults=MANY_HOSTS,
    ),
    Mutant("money moved before all have settled", ((host_closing, "unsettled", lambda state: ()),), ends=True),
    Mutant(
        "settled while a hand is open", ((member_outbox, "is_settled", told_while_playing),), story=won_in_the_last_hand
    ),
    Mutant("an open award is let go", ((Book, "is_open", lambda self, answered: False),)),
    Mutant(
        "payments are the host's own notes",
        ((host_payments, "tell", as_a_note), (host_payments, "tell_known", lambda pen: None)),
        story=paid_before_it_was_sealed,
    ),
    Mutant(
        "a row is let go before its payment is told",
        ((member_rows, "is_told", lambda state, row: True),),
        story=more_paid_than_it_names,
    ),
    Mutant(
        "sealed and settled without a look",
        ((host_members, "seal_member", seal_unseen), (host_members, "settle_award", settle_unseen)),
        story=sealed_while_it_runs,
    ),
    Mutant("quarantine for ever", ((host_members, "accept_step", no_acceptance),)),
)

__all__ = ["MUTANTS", "Mutant", "host_fold"]
