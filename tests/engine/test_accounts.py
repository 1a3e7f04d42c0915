"""The node's accounts as a machine: waits that double, approvals that expire, and replay of all of it."""

from typing import Any

import pytest

from controller.core.events import Envelope
from controller.core.ledger import Entry
from controller.core.refusal import Refusal, Refused
from controller.engine.accounts import AccountsMachine
from controller.engine.accounts_events import (
    ApprovalAsked,
    ApprovalExecuted,
    ApprovalGiven,
    ApprovalRejected,
    LoggedOut,
    LoginBegun,
    LoginFailed,
    LoginPassed,
    SecretSet,
    UserAdded,
    UserChanged,
)
from controller.engine.accounts_state import (
    KEPT_APPROVALS,
    KEPT_TRIES,
    MOST_OPEN,
    ApprovalStatus,
    LoginPolicy,
    Tries,
    secret_left_ms,
    with_tries,
)
from controller.engine.machine import handle, replay

POLICY = LoginPolicy()
MINUTE = 60_000


class Desk:
    """The machine with a clock that the test sets."""

    def __init__(self) -> None:
        self.machine = AccountsMachine(POLICY)
        self.state = self.machine.first()
        self.entries: list[Entry] = []
        self.now_ms = 1_700_000_000_000
        self.count = 0

    def do(self, event: object, actor: str = "ana") -> Any:
        """The first entry's id, or the refusal."""
        self.count += 1
        self.state, entries, refused = handle(
            self.machine, self.state, Envelope(f"e{self.count}", event, actor), self.now_ms
        )
        self.entries += entries
        return refused if refused is not None else entries[0].id if entries else None


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    for login, role in (("ana", "pit_boss"), ("beto", "pit_boss"), ("carla", "admin"), ("tomas", "technician")):
        desk.do(UserAdded(login, login.title(), role, "hash", badge=f"b-{login}"), login)
    return desk


def reason(answer: object) -> Refusal:
    assert isinstance(answer, Refused), answer
    return answer.reason


def fail(desk: Desk, login: str = "ana", station: str = "s1") -> Any:
    begun = desk.do(LoginBegun(login, station), login)
    if not isinstance(begun, Refused):
        desk.do(LoginFailed(begun), login)
    return begun


@pytest.mark.requirement("R89")
@pytest.mark.promise("P12")
def test_waits_double_with_every_five_failures_up_to_an_hour(desk: Desk) -> None:
    waits = []
    for round_number in range(9):
        for number in range(POLICY.tries):
            assert not isinstance(fail(desk, station=f"s{round_number}-{number}"), Refused)
        refused = fail(desk, station=f"s{round_number}-x")
        waits.append(refused.facts["wait_s"])
        desk.now_ms += refused.facts["wait_s"] * 1000
    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]


@pytest.mark.promise("P12")
def test_tries_under_way_are_counted(desk: Desk) -> None:
    begun = [desk.do(LoginBegun("ana", "s1")) for _ in range(6)]
    assert [isinstance(each, Refused) for each in begun] == [False] * 5 + [True]
    assert not isinstance(desk.do(LoginPassed(begun[4], "token")), Refused)
    assert desk.state.sessions["token"].login == "ana"
    assert not isinstance(desk.do(LoginBegun("ana", "s1")), Refused)


def test_a_station_is_bounded_over_all_accounts_and_forgets_in_time(desk: Desk) -> None:
    for number in range(POLICY.station_tries):
        assert not isinstance(fail(desk, f"guess{number}"), Refused)
    assert reason(fail(desk, "another")) is Refusal.TOO_MANY_TRIES
    assert not isinstance(fail(desk, "another", station="s2"), Refused)
    desk.now_ms += POLICY.forget_station_after_ms + 1
    assert not isinstance(fail(desk, "another"), Refused)


@pytest.mark.requirement("R89")
@pytest.mark.promise("P12")
def test_made_up_names_never_push_out_a_locked_account(desk: Desk) -> None:
    for number in range(POLICY.tries):
        fail(desk, station=f"s{number}")
    locked = reason(fail(desk, station="s-more"))
    for number in range(KEPT_TRIES + 10):
        assert not isinstance(fail(desk, f"nobody{number}", station=f"t{number}"), Refused)
    assert locked is reason(fail(desk, station="s-last")) is Refusal.TOO_MANY_TRIES
    assert len(desk.state.account_tries) == len(desk.state.station_tries) == KEPT_TRIES


def test_a_station_that_waits_is_forgotten_after_those_that_do_not() -> None:
    waiting, free = Tries(20, until_ms=100, last_ms=40), Tries(1, until_ms=50, last_ms=40)
    kept = {"waits": waiting} | {f"s{number}": free for number in range(KEPT_TRIES - 1)}
    then = with_tries(kept, "new", Tries(1, last_ms=60))
    assert "waits" in then and "new" in then and "s0" not in then and len(then) == KEPT_TRIES
    full = {f"s{number}": waiting for number in range(KEPT_TRIES)}
    then = with_tries(full, "new", Tries(1, last_ms=60))
    assert "new" in then and "s0" not in then and len(then) == KEPT_TRIES


def test_an_own_account_does_not_wash_a_station_clean(desk: Desk) -> None:
    for number in range(POLICY.station_tries - 1):
        fail(desk, f"guess{number}")
    desk.do(LoginPassed(desk.do(LoginBegun("beto", "s1")), "token"))
    for number in range(POLICY.tries):
        fail(desk, f"more{number}")
    assert reason(fail(desk, "last")) is Refusal.TOO_MANY_TRIES


@pytest.mark.promise("P7")
def test_a_clock_that_jumps_ten_years_back_locks_nobody_out_for_ten_years(desk: Desk) -> None:
    for _ in range(POLICY.tries):
        fail(desk)
    assert reason(fail(desk)) is Refusal.TOO_MANY_TRIES
    desk.now_ms -= 10 * 365 * 24 * 60 * MINUTE
    assert not isinstance(fail(desk, station="s2"), Refused)


def ask(desk: Desk, by: str = "ana") -> str:
    asked: str = desk.do(ApprovalAsked({"target": "table:t1", "event": {"type": "X"}}, "d" * 64, ("pit_boss",)), by)
    return asked


@pytest.mark.requirement("R76")
@pytest.mark.parametrize(
    ("by", "digest", "after_ms", "refusal"),
    [
        ("beto", "d", 0, None),
        ("beto", "d", POLICY.approval_ms - 1, None),
        ("beto", "d", POLICY.approval_ms, Refusal.APPROVAL_EXPIRED),
        ("beto", "d", -1, Refusal.APPROVAL_EXPIRED),
        ("beto", "e", 0, Refusal.APPROVAL_DIFFERS),
        ("ana", "d", 0, Refusal.SAME_PERSON_TWICE),
        ("carla", "d", 0, Refusal.ROLE_MISSING),
        ("nobody", "d", 0, Refusal.ROLE_MISSING),
    ],
)
def test_an_approval_takes_another_person_of_the_role_in_time(
    desk: Desk, by: str, digest: str, after_ms: int, refusal: Refusal | None
) -> None:
    asked = ask(desk)
    desk.now_ms += after_ms
    answer = desk.do(ApprovalGiven(asked, digest * 64), by)
    assert (answer.reason if isinstance(answer, Refused) else None) is refusal
    given = desk.state.approvals[asked].status
    assert given is (ApprovalStatus.GIVEN if refusal is None else ApprovalStatus.OPEN)


@pytest.mark.requirement("R76")
@pytest.mark.parametrize("change", [UserChanged("ana", disabled=True), UserChanged("ana", role="auditor")])
def test_what_somebody_asked_is_not_done_once_he_is_shut_out_or_is_something_else(
    desk: Desk, change: UserChanged
) -> None:
    asked = ask(desk)
    desk.do(change, "carla")
    assert reason(desk.do(ApprovalGiven(asked, "d" * 64), "beto")) is Refusal.ASKER_CHANGED
    assert desk.state.approvals[asked].status is ApprovalStatus.OPEN
    back = UserChanged("ana", disabled=False, role="pit_boss")
    desk.do(back, "carla")
    assert not isinstance(desk.do(ApprovalGiven(asked, "d" * 64), "beto"), Refused)
    assert replay(desk.machine, desk.entries) == desk.state


@pytest.mark.requirement("R76")
def test_a_flood_of_one_person_pushes_out_no_request_of_another(desk: Desk) -> None:
    others = ask(desk, "beto")
    mine = [ask(desk) for _ in range(MOST_OPEN)]
    assert reason(desk.do(ApprovalAsked({"target": "t", "event": {}}, "d" * 64, ("pit_boss",)), "ana")) is (
        Refusal.TOO_MANY_REQUESTS
    )
    for _ in range(KEPT_APPROVALS + 5):
        desk.do(ApprovalRejected(mine.pop()), "carla")
        mine.append(ask(desk))
    assert len(desk.state.approvals) == KEPT_APPROVALS
    assert set(mine) < set(desk.state.approvals)
    assert not isinstance(desk.do(ApprovalGiven(others, "d" * 64), "ana"), Refused)
    desk.now_ms += POLICY.approval_ms
    assert not isinstance(ask(desk), Refused)  # what nobody answered holds nothing up
    assert replay(desk.machine, desk.entries) == desk.state


def test_an_approval_is_settled_once(desk: Desk) -> None:
    asked = ask(desk)
    desk.do(ApprovalRejected(asked), "beto")
    assert reason(desk.do(ApprovalGiven(asked, "d" * 64), "beto")) is Refusal.APPROVAL_SETTLED
    other = ask(desk)
    desk.do(ApprovalGiven(other, "d" * 64), "beto")
    desk.do(ApprovalExecuted(other, entries=("x",)), "beto")
    assert desk.state.approvals[other].status is ApprovalStatus.DONE
    assert reason(desk.do(ApprovalExecuted(other), "beto")) is Refusal.UNKNOWN_APPROVAL


def test_accounts_keep_one_admin_one_badge_each_and_end_sessions(desk: Desk) -> None:
    assert reason(desk.do(UserAdded("ana", "A", "auditor", "hash"))) is Refusal.USER_EXISTS
    assert reason(desk.do(UserAdded("x", "A", "auditor", "hash", badge="b-ana"))) is Refusal.BADGE_TAKEN
    assert reason(desk.do(UserChanged("carla", role="auditor"))) is Refusal.LAST_ADMIN
    desk.do(LoginPassed(desk.do(LoginBegun("ana", "s1")), "token"))
    desk.do(SecretSet("ana", "other"))
    assert not desk.state.sessions and desk.state.users["ana"].secret == "other"
    desk.do(LoginPassed(desk.do(LoginBegun("ana", "s1")), "token2"))
    desk.do(UserChanged("ana", disabled=True))
    assert not desk.state.sessions
    begun = desk.do(LoginBegun("ana", "s1"))
    assert reason(desk.do(LoginPassed(begun, "token3"))) is Refusal.LOGIN_FAILED


DAY = 24 * 60 * MINUTE


@pytest.mark.requirement("R76", "R90")
@pytest.mark.parametrize(
    ("later_ms", "left_ms"),
    [
        (0, 30 * DAY),
        (30 * DAY - 1, 1),
        (30 * DAY, 0),
        (3650 * DAY, 0),
        (-30 * DAY, 60 * DAY),
        (-30 * DAY - 1, 0),
        (-3650 * DAY, 0),
    ],
    ids=["new", "last moment", "ended", "ten years on", "clock a month back", "more than that", "ten years back"],
)
def test_a_pin_ends_whatever_the_clock_does(desk: Desk, later_ms: int, left_ms: int) -> None:
    """One set by a clock that ran years ahead does not last for years: it is asked for anew."""
    policy = LoginPolicy(secret_ms=30 * DAY)
    desk.machine = AccountsMachine(policy)
    desk.now_ms += later_ms
    assert secret_left_ms(policy, desk.state.users["ana"], desk.now_ms) == left_ms
    begun = desk.do(LoginBegun("ana", "s1"), "ana")
    answer = desk.do(LoginPassed(begun, "f" * 64), "ana")
    if left_ms:
        assert answer is not None and desk.state.sessions["f" * 64].login == "ana"
        return
    assert reason(answer) is Refusal.SECRET_EXPIRED and not desk.state.sessions
    desk.do(SecretSet("ana", "new hash"), "ana")
    desk.do(LoginPassed(begun, "f" * 64), "ana")
    assert desk.state.sessions["f" * 64].login == "ana"


def test_without_a_life_a_pin_holds_for_ever(desk: Desk) -> None:
    assert secret_left_ms(POLICY, desk.state.users["ana"], desk.now_ms + 3650 * DAY) is None


def test_replay_gives_the_same_people(desk: Desk) -> None:
    fail(desk)
    desk.do(LoginPassed(desk.do(LoginBegun("ana", "s1")), "token"))
    desk.do(ApprovalGiven(ask(desk), "d" * 64), "beto")
    desk.do(LoggedOut("token"))
    assert replay(desk.machine, desk.entries) == desk.state


@pytest.mark.promise("P7")
def test_an_approval_dated_ahead_by_a_wrong_clock_is_never_given_and_a_new_one_can_be_asked_for(desk: Desk) -> None:
    true_ms, wrong_ms = desk.now_ms, desk.now_ms + 10 * 365 * 24 * 60 * MINUTE
    desk.now_ms = wrong_ms
    ahead = ask(desk)
    desk.now_ms = true_ms
    assert not desk.state.approvals[ahead].waits_at(true_ms)
    assert reason(desk.do(ApprovalGiven(ahead, "d" * 64), "beto")) is Refusal.APPROVAL_EXPIRED
    anew = ask(desk)
    assert desk.state.approvals[anew].waits_at(true_ms)
    assert desk.do(ApprovalGiven(anew, "d" * 64), "beto") is not None


@pytest.mark.promise("P7", "P12")
def test_a_lock_out_set_by_a_wrong_clock_lasts_an_hour_at_most(desk: Desk) -> None:
    true_ms = desk.now_ms
    desk.now_ms = true_ms + 10 * 365 * 24 * 60 * MINUTE
    for _ in range(POLICY.tries):
        fail(desk)
    assert reason(fail(desk)) is Refusal.TOO_MANY_TRIES
    desk.now_ms = true_ms
    for _ in range(POLICY.tries):
        assert not isinstance(fail(desk), Refused)
        assert desk.state.account_tries["ana"].until_ms <= true_ms + POLICY.longest_wait_ms
    assert reason(fail(desk)) is Refusal.TOO_MANY_TRIES, "and it still bounds the tries"
