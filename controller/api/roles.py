"""Who may do what: one table of permissions and roles. What is not in it is refused."""

from collections.abc import Mapping
from enum import Enum

from controller.engine.accounts_state import Role


class Permission(Enum):
    """One right. `*_approve` is the second person's part of an act that takes two."""

    READ = "read"
    READ_JOURNAL = "read_journal"
    READ_USERS = "read_users"
    READ_FRAMES = "read_frames"
    DEAL = "deal"
    BETS = "bets"
    PRIZES = "prizes"
    PRIZES_APPROVE = "prizes_approve"
    HANDS = "hands"
    HANDS_APPROVE = "hands_approve"
    SEED_START = "seed_start"
    SEED_START_APPROVE = "seed_start_approve"
    SEED_METER = "seed_meter"
    SEED_METER_APPROVE = "seed_meter_approve"
    HOUSE_RULES = "house_rules"
    HOUSE_RULES_APPROVE = "house_rules_approve"
    CAROUSEL = "carousel"
    CAROUSEL_APPROVE = "carousel_approve"
    USERS = "users"
    USERS_APPROVE = "users_approve"
    OWN_ACCOUNT = "own_account"
    COUNT_ROOM = "count_room"
    SHIFT = "shift"
    APPROVALS = "approvals"


_ALL = frozenset(Role)
_BOSS, _TECH, _AUDIT, _ADMIN = Role.PIT_BOSS, Role.TECHNICIAN, Role.AUDITOR, Role.ADMIN

MATRIX: Mapping[Permission, frozenset[Role]] = {
    Permission.READ: _ALL,
    Permission.READ_JOURNAL: _ALL,
    Permission.READ_USERS: frozenset({_ADMIN, _AUDIT}),
    Permission.READ_FRAMES: frozenset({_BOSS, _TECH}),
    Permission.DEAL: frozenset({_BOSS}),
    Permission.BETS: frozenset({_BOSS, _TECH}),
    Permission.PRIZES: frozenset({_BOSS}),
    Permission.PRIZES_APPROVE: frozenset({_BOSS, _ADMIN}),
    Permission.HANDS: frozenset({_BOSS}),
    Permission.HANDS_APPROVE: frozenset({_BOSS, _ADMIN}),
    Permission.SEED_START: frozenset({_BOSS, _ADMIN}),
    Permission.SEED_START_APPROVE: frozenset({_BOSS, _ADMIN}),
    Permission.SEED_METER: frozenset({_BOSS}),
    Permission.SEED_METER_APPROVE: frozenset({_BOSS, _ADMIN}),
    Permission.HOUSE_RULES: frozenset({_BOSS, _ADMIN}),
    Permission.HOUSE_RULES_APPROVE: frozenset({_BOSS, _ADMIN}),
    Permission.CAROUSEL: frozenset({_TECH, _ADMIN}),
    Permission.CAROUSEL_APPROVE: frozenset({_BOSS, _ADMIN}),
    Permission.USERS: frozenset({_ADMIN}),
    Permission.USERS_APPROVE: frozenset({_BOSS, _ADMIN}),
    Permission.OWN_ACCOUNT: _ALL,
    Permission.COUNT_ROOM: frozenset({_AUDIT, _ADMIN}),
    Permission.SHIFT: frozenset({_BOSS, _ADMIN}),
    Permission.APPROVALS: frozenset({_BOSS, _TECH, _ADMIN}),
}


def may(role: Role, permission: Permission) -> bool:
    """Whether a role has a right."""
    return role in MATRIX[permission]


def roles_of(permission: Permission) -> tuple[str, ...]:
    """The roles that have a right, by name."""
    return tuple(sorted(role.value for role in MATRIX[permission]))
