"""What a node knows of its people: accounts, tries at their doors, sessions, and approvals that wait."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from controller.engine.frozen_map import FrozenMap

KEPT_TRIES = 2000
"""Names and stations whose failed tries are remembered; beyond, the oldest are forgotten."""
KEPT_ATTEMPTS = 200
"""Tries that were begun and not answered (a kill in between); they count as failed."""
KEPT_APPROVALS = 200
"""Settled approvals that the state still names; the journal keeps all of them."""
KEPT_SESSIONS = 500


class Role(Enum):
    """What a person is at this node; what each may do is a table of the API."""

    PIT_BOSS = "pit_boss"
    TECHNICIAN = "technician"
    AUDITOR = "auditor"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class LoginPolicy:
    """How often a PIN may be tried. Waits double with every further `tries` failures, up to the longest."""

    tries: int = 5
    station_tries: int = 20
    first_wait_ms: int = 60_000
    longest_wait_ms: int = 3_600_000
    forget_station_after_ms: int = 1_800_000
    session_ms: int = 12 * 3_600_000
    approval_ms: int = 600_000


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
class AccountsState:
    """Fold of the node's journal."""

    users: FrozenMap[User] = field(default_factory=FrozenMap)
    account_tries: Mapping[str, Tries] = field(default_factory=dict)
    station_tries: Mapping[str, Tries] = field(default_factory=dict)
    attempts: Mapping[str, Attempt] = field(default_factory=dict)
    sessions: Mapping[str, Session] = field(default_factory=dict)
    approvals: Mapping[str, Approval] = field(default_factory=dict)
    counts: tuple[CountRoomEntry, ...] = ()

    def user_of_badge(self, badge: str) -> User | None:
        """The person a credential belongs to."""
        return next((user for user in self.users.values() if badge and user.badge == badge), None)


def wait_ms(policy: LoginPolicy, tries: Tries | None, now_ms: int) -> int:
    """Milliseconds until the next try; 0 = now. A clock that jumped back does not lock for longer than the longest."""
    if tries is None or tries.until_ms <= now_ms:
        return 0
    left = tries.until_ms - now_ms
    return left if left <= policy.longest_wait_ms else 0


def failed_once_more(policy: LoginPolicy, tries: Tries | None, bound: int, now_ms: int) -> Tries:
    """Tries after one more is begun: every `bound` of them a wait, twice as long each time."""
    failures = (tries.failures if tries is not None else 0) + 1
    rounds, rest = divmod(failures, bound)
    until_ms = tries.until_ms if tries is not None else 0
    if rest == 0:
        until_ms = now_ms + min(policy.first_wait_ms << min(rounds - 1, 20), policy.longest_wait_ms)
    return Tries(failures, until_ms, now_ms)


def newest(mapping: Mapping[str, Any], key: str, value: Any, keep: int) -> dict[str, Any]:
    """A copy with a key set last and only the newest `keep` left; None removes the key."""
    copy = {name: each for name, each in mapping.items() if name != key}
    if value is not None:
        copy[key] = value
    for old in list(copy)[: max(len(copy) - keep, 0)]:
        del copy[old]
    return copy
