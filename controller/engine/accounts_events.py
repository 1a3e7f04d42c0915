"""What people do with their accounts, sessions and approvals; who acts stands in the envelope."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class UserAdded:
    """A new personal account; `secret` is its argon2 hash, given unless the account's own person acts."""

    login: str
    name: str
    role: str
    secret: str
    language: str = ""
    badge: str = ""


@dataclass(frozen=True, slots=True)
class UserChanged:
    """Name, role, language, badge or standing of an account; None leaves it."""

    login: str
    name: str | None = None
    role: str | None = None
    language: str | None = None
    badge: str | None = None
    disabled: bool | None = None


@dataclass(frozen=True, slots=True)
class SecretSet:
    """A new PIN or password; its sessions end. Set by somebody else it is given: good for changing it alone."""

    login: str
    secret: str


@dataclass(frozen=True, slots=True)
class LoginBegun:
    """Somebody is about to be compared: counted before the comparison, so that no burst outruns the count."""

    login: str
    station: str


@dataclass(frozen=True, slots=True)
class LoginPassed:
    """The comparison held. session: SHA-256 of a new token, empty when a PIN was only asked again."""

    attempt: str
    session: str = ""


@dataclass(frozen=True, slots=True)
class LoginFailed:
    """The comparison did not hold."""

    attempt: str


@dataclass(frozen=True, slots=True)
class LoggedOut:
    """A session ends."""

    session: str
    why: str = "asked"


@dataclass(frozen=True, slots=True)
class PartOpened:
    """A session opens a part of the controller; `taken` is the address of a paper that left it, if one did.

    of: the id of what it saw of that part (a table, a prize, an amount); "" for the part as a whole.
    """

    session: str
    part: str
    taken: str = ""
    of: str = ""

    @property
    def name(self) -> str:
        """What a session opens once: the part, or one thing of it."""
        return f"{self.part}/{self.of}" if self.of else self.part


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """An act that takes two people, as the first one wants it."""

    act: Mapping[str, Any]
    digest: str
    roles: tuple[str, ...]
    effects: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class ApprovalGiven:
    """The second person approves exactly what the digest names."""

    approval: str
    digest: str


@dataclass(frozen=True, slots=True)
class ApprovalRejected:
    """The second person refuses, or the first takes it back."""

    approval: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ApprovalExecuted:
    """What became of the act: its first entry, or the refusal's name and facts."""

    approval: str
    refused: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CountEntered:
    """The count room's figure for a table and shift, beside the metered one; minor units."""

    table: str
    shift: str
    counted_minor: int
    metered_minor: int


@dataclass(frozen=True, slots=True)
class ShiftClosed:
    """A shift was closed, with the head of every journal as it was then; it begins where the one before ended."""

    shift: str
    heads: Mapping[str, Any]
    figures: Mapping[str, Any]
    begin_ms: int = 0
    end_ms: int = 0
    after: int = -1
    """Number of the shift before it, 0 for the first; -1: not told, in journals of earlier code."""
