"""PINs and passwords: which are too easy, how a new one is kept, and when the present one ends."""

from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

from controller.api.context import ApiPorts
from controller.api.problems import Problem
from controller.core.refusal import Refusal, refuse
from controller.engine.accounts_state import User, secret_left_ms

WEAK = frozenset({"000000", "111111", "123456", "654321", "123123", "121212", "112233", "password", "contraseña"})


def check_strength(secret: str, login: str, old: str | None = None) -> None:
    """A PIN is not one digit repeated, a run, the login itself, or the one that it takes the place of."""
    digits = [ord(sign) for sign in secret]
    steps = {after - before for before, after in pairwise(digits)}
    if secret.lower() in WEAK or login in secret.lower() or len(steps) <= 1:
        raise Problem(refuse(Refusal.SECRET_TOO_WEAK))
    if secret == old:
        raise Problem(refuse(Refusal.SECRET_SAME))


async def hashed(ports: ApiPorts, secret: str, request_id: str) -> str:
    """The hash to journal. Its salt comes from the request's unique id: a repeated request is the same event."""
    return await ports.passwords.hash(secret, sha256(f"salt/{request_id}".encode()).digest()[:16])


@dataclass(frozen=True, slots=True)
class PinLife:
    """When a PIN ends (None: never), and whether its owner is told so already."""

    until_ms: int | None
    is_told: bool


def pin_life(ports: ApiPorts, user: User) -> PinLife:
    """How long the account's PIN still holds."""
    now = ports.clock()
    left = secret_left_ms(ports.policy, user, now)
    return PinLife(None, False) if left is None else PinLife(now + left, left <= ports.policy.tell_before_ms)


def check_unexpired(ports: ApiPorts, user: User) -> None:
    """An act that asks for the PIN asks for one that still holds."""
    if secret_left_ms(ports.policy, user, ports.clock()) == 0:
        raise Problem(refuse(Refusal.SECRET_EXPIRED))
