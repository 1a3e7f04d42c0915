"""What a node knows of its people: accounts, tries at their doors, sessions, and approvals that wait."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from controller.engine.frozen_map import FrozenMap

KEPT_TRIES = 2000
"""Names and stations whose failed tries are remembered; beyond, the oldest that need not wait are forgotten, and never
those of an account."""
KEPT_ATTEMPTS = 200
"""Tries that were begun and not answered (a kill in between); they count as failed."""
KEPT_APPROVALS = 200
"""Approvals that the state still names; the journal keeps all of them."""
MOST_OPEN = 20
"""Requests of one person that may wait at a time, so that no one pushes out those of others."""
KEPT_SESSIONS = 500
KEPT_OPENED = 300
"""Parts and things of them that a session is known to have opened; one that was let go is noted again."""


class Role(Enum):
    """What a person is at this node; what each may do is a table of the API."""

    PIT_BOSS = "pit_boss"
    TECHNICIAN = "technician"
    AUDITOR = "auditor"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class LoginPolicy:
    """How often a PIN may be tried, and how long one lasts. Waits double with every further `tries` failures.

    `secret_ms` is the life of a PIN or password; 0 = for ever.
    """

    tries: int = 5
    station_tries: int = 20
    first_wait_ms: int = 60_000
    longest_wait_ms: int = 3_600_000
    forget_station_after_ms: int = 1_800_000
    session_ms: int = 12 * 3_600_000
    approval_ms: int = 600_000
    secret_ms: int = 0

    @property
    def tell_before_ms(self) -> int:
        """How long before its end a PIN's owner is told: a week, or a third of a life that is shorter than three."""
        return min(7 * DAY_MS, self.secret_ms // 3)


DAY_MS = 24 * 3_600_000
DEFAULT_POLICY = LoginPolicy()


@dataclass(frozen=True, slots=True)
class User:
    """A personal account; `secret` is an argon2 hash, never the PIN."""

    login: str
    name: str
    role: Role
    secret: str
    language: str = ""
    badge: str = ""
    disabled: bool = False
    secret_at_ms: int = 0
    secret_given: bool = False
    """The PIN was set by somebody else, who knows it: its owner has to set another before anything else."""


@dataclass(frozen=True, slots=True)
class Tries:
    """Failed tries in a row, those under way included; `until_ms`: no further try before."""

    failures: int = 0
    until_ms: int = 0
    last_ms: int = 0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A try that was begun: journaled before anything is compared."""

    login: str
    station: str


@dataclass(frozen=True, slots=True)
class Session:
    """A person at a station; `id` is the SHA-256 of the token, which only the browser has."""

    id: str
    login: str
    station: str
    began_ms: int
    until_ms: int
    opened: tuple[str, ...] = ()
    """Parts of the controller that it has opened, as the journal tells; the newest KEPT_OPENED."""
    used_ms: int = 0
    """The last use of it that is in the journal: the login, or a part or paper that it opened."""


class ApprovalStatus(Enum):
    """OPEN: waits for the second person. GIVEN: to be executed. DONE and REFUSED: executed, with its outcome."""

    OPEN = "open"
    GIVEN = "given"
    DONE = "done"
    REFUSED = "refused"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Approval:
    """An act of two people. `digest` is the SHA-256 of exactly what is approved; `roles` may approve it.

    act: `{"target": machine, "event": {"type": …}}`. effects: what the asker saw, `[text key, before, after]`.
    asked_role: the role in which it was asked; empty in journals of before.
    """

    id: str
    act: Mapping[str, Any]
    digest: str
    roles: tuple[str, ...]
    asked_by: str
    asked_ms: int
    until_ms: int
    effects: tuple[Mapping[str, Any], ...] = field(default=())
    status: ApprovalStatus = ApprovalStatus.OPEN
    second: str = ""
    settled_ms: int = 0
    outcome: Mapping[str, Any] = field(default_factory=dict)
    asked_role: str = ""

    def waits_at(self, now_ms: int) -> bool:
        """Whether a second person may still answer; one that a wrong clock dated ahead of now never may."""
        return self.status is ApprovalStatus.OPEN and self.asked_ms <= now_ms < self.until_ms

    def is_over_at(self, now_ms: int) -> bool:
        """Whether nothing more becomes of it."""
        return self.status is not ApprovalStatus.GIVEN and not self.waits_at(now_ms)


@dataclass(frozen=True, slots=True)
class CountRoomEntry:
    """What the count room counted for a table and a shift, beside what was metered; amounts in minor units."""

    id: str
    table: str
    shift: str
    counted_minor: int
    metered_minor: int
    actor: str
    at_ms: int

    @property
    def variance_minor(self) -> int:
        return self.counted_minor - self.metered_minor


@dataclass(frozen=True, slots=True)
class ClosedShift:
    """A shift that two people closed: from `begin_ms` to before `end_ms`.

    begins, heads: the heads of the node's journals that it lies between, `[seq, digits of the chain]` by name; the
    first has no `begins`.
    """

    number: int
    name: str
    begin_ms: int
    end_ms: int
    actor: str
    second: str
    begins: Mapping[str, Any] = field(default_factory=dict)
    heads: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AccountsState:
    """Fold of the node's journal."""

    users: FrozenMap[User] = field(default_factory=FrozenMap)
    account_tries: Mapping[str, Tries] = field(default_factory=dict)
    station_tries: Mapping[str, Tries] = field(default_factory=dict)
    attempts: Mapping[str, Attempt] = field(default_factory=dict)
    sessions: Mapping[str, Session] = field(default_factory=dict)
    approvals: Mapping[str, Approval] = field(default_factory=dict)
    counts: tuple[CountRoomEntry, ...] = ()
    shifts: tuple[ClosedShift, ...] = ()

    def user_of_badge(self, badge: str) -> User | None:
        """The person a credential belongs to."""
        return next((user for user in self.users.values() if badge and user.badge == badge), None)


def wait_ms(policy: LoginPolicy, tries: Tries | None, now_ms: int) -> int:
    """Milliseconds until the next try; 0 = now. A clock that jumped back does not lock for longer than the longest."""
    if tries is None or tries.until_ms <= now_ms:
        return 0
    left = tries.until_ms - now_ms
    return left if left <= policy.longest_wait_ms else 0


def secret_left_ms(policy: LoginPolicy, user: User, now_ms: int) -> int | None:
    """Milliseconds that a PIN still holds; 0 = it has to be changed, None = it holds for ever.

    One that somebody else has set has ended when it begins: only its owner's own stands for him.

    One that was set more than a whole life ahead of the clock was set under a clock that ran wrong: it has ended too,
    so that no jump makes a PIN last for years.
    """
    if user.secret_given:
        return 0
    if not policy.secret_ms:
        return None
    left = user.secret_at_ms + policy.secret_ms - now_ms
    return left if 0 < left <= 2 * policy.secret_ms else 0


def failed_once_more(policy: LoginPolicy, tries: Tries | None, bound: int, now_ms: int) -> Tries:
    """Tries after one more is begun: every `bound` of them a wait, twice as long each time."""
    failures = (tries.failures if tries is not None else 0) + 1
    rounds, rest = divmod(failures, bound)
    until_ms = min(tries.until_ms, now_ms) if tries is not None else 0  # one ahead was set by a clock that was wrong
    if rest == 0:
        until_ms = now_ms + min(policy.first_wait_ms << min(rounds - 1, 20), policy.longest_wait_ms)
    return Tries(failures, until_ms, now_ms)


def with_approval(approvals: Mapping[str, Approval], asked: Approval) -> dict[str, Approval]:
    """The newest KEPT_APPROVALS, one just asked among them: what waits no more goes before what somebody waits for."""
    kept = newest(approvals, asked.id, asked, KEPT_APPROVALS + 1)
    if len(kept) > KEPT_APPROVALS:
        gone = next((each.id for each in kept.values() if each.is_over_at(asked.asked_ms)), next(iter(kept)))
        del kept[gone]
    return kept


def with_tries(
    kept: Mapping[str, Tries], name: str, tries: Tries, accounts: Container[str] = frozenset()
) -> dict[str, Tries]:
    """Tries at most KEPT_TRIES, one more than before: made-up names never push out those of an account.

    Of the others, one whose wait is over goes before one that must still wait, the oldest first.
    """
    copy = newest(kept, name, tries, len(kept) + 1)
    if len(copy) > KEPT_TRIES:
        others = [each for each in copy if each not in accounts and each != name]
        waits_no_more = (each for each in others if copy[each].until_ms <= tries.last_ms)
        gone = next(waits_no_more, others[0] if others else None)
        if gone is not None:
            del copy[gone]
    return copy


def newest(mapping: Mapping[str, Any], key: str, value: Any, keep: int) -> dict[str, Any]:
    """A copy with a key set last and only the newest `keep` left; None removes the key."""
    copy = {name: each for name, each in mapping.items() if name != key}
    if value is not None:
        copy[key] = value
    for old in list(copy)[: max(len(copy) - keep, 0)]:
        del copy[old]
    return copy
