"""What other machines of a carousel say: their program, the terms that they play by, claims that came too late."""

from collections.abc import Callable

from controller.adapters.events.alarms import Condition
from controller.core.events import AlarmRaised
from controller.core.refusal import Refusal, Refused
from controller.engine.host_state import HostState
from controller.engine.ledger_profiles import terms_of
from controller.engine.ledger_state import Standing
from controller.engine.messages import Claim, HostStatus, Status
from controller.engine.table_state import TableState

PROGRAM_DIFFERS = "program_differs"
TERMS_DIFFER = "terms_differ"
TERMS_NOT_TAKEN = "terms_not_taken"
CLAIM_TOO_OLD = "claim_too_old"
PEER_CODES = frozenset({PROGRAM_DIFFERS, TERMS_DIFFER, TERMS_NOT_TAKEN})
TERMS_GRACE_S = 15.0
"""New terms are a commit of the host away, and told again each second until then."""
PROGRAM_SHOWN = 64
WINNERS_SHOWN = 20
"""Of what a peer calls its program, and of a claim: both may be as long as a message, and an alarm is journaled."""
MOST_CLAIMS = 1000
"""Claims of which it is remembered that people were told."""


def _program(theirs: str, ours: str, source: str) -> tuple[Condition, ...]:
    """Another version of the program may decide otherwise: people should know before it matters."""
    if theirs == ours:
        return ()
    return (Condition(AlarmRaised(PROGRAM_DIFFERS, source, _versions(theirs, ours))),)


def _versions(theirs: str, ours: str) -> str:
    return f"{theirs[:PROGRAM_SHOWN] or '?'} / {ours or '?'}"


class HostPeers:
    """The tables of a carousel, as each said at its start; `look` is called when one says something new."""

    def __init__(self, look: Callable[[], None]) -> None:
        self._look = look
        self._said: dict[str, tuple[str, str]] = {}

    def hear(self, birth: Status) -> None:
        """BIRTH of a member."""
        said = (birth.program, birth.terms)
        if self._said.get(birth.table) != said:
            self._said[birth.table] = said
            self._look()

    def conditions(self, state: HostState) -> tuple[Condition, ...]:
        """Members with another program than this host's, or that play by other terms than two people enrolled."""
        held: list[Condition] = []
        for table, (program, terms) in self._said.items():
            account = state.ledger.tables.get(table)
            if account is None or account.standing is not Standing.ACTIVE:
                continue
            held += _program(program, state.settings.program, table)
            if terms and terms != terms_of(account.profile):
                held.append(Condition(AlarmRaised(TERMS_DIFFER, table)))
        return tuple(held)


class TablePeer:
    """The host, as a table hears it; `look` is called when it says something new."""

    def __init__(self, look: Callable[[], None]) -> None:
        self._look = look
        self._program: str | None = None

    def hear(self, status: HostStatus) -> None:
        """HOST of the host in charge."""
        if self._program != status.program:
            self._program = status.program
            self._look()

    def conditions(self, state: TableState, carousel: str) -> tuple[Condition, ...]:
        """A host with another program, one that takes no new terms (an older one does not know of them), and terms at
        this table that are not those it was enrolled with."""
        held: list[Condition] = []
        settings, account = state.link.settings, state.link.account
        if self._program is not None:
            held += _program(self._program, settings.program, carousel)
        if account is None:
            return tuple(held)
        if state.link.terms_waiting:
            if state.link.link_up:
                waits = AlarmRaised(TERMS_NOT_TAKEN, carousel, _versions(self._program or "", settings.program))
                held.append(Condition(waits, TERMS_GRACE_S))
            return tuple(held)
        if settings.terms and settings.terms != terms_of(account.profile):
            held.append(Condition(AlarmRaised(TERMS_DIFFER, carousel)))
        return tuple(held)


class OldClaims:
    """Claims that the ledger can no longer answer: it keeps no award of that hand, and no record is made of them.

    The table says each again until people have seen to it; they are told once in a run of the daemon.
    """

    def __init__(self, post: Callable[[object], None]) -> None:
        self._post = post
        self._told: set[str] = set()

    def refused(self, claim: Claim, refused: Refused) -> None:
        """A claim that the host refused."""
        if refused.reason is not Refusal.CLAIM_TOO_OLD or claim.id in self._told or len(self._told) == MOST_CLAIMS:
            return
        self._told.add(claim.id)
        winners = ", ".join(f"{winner.seat} {winner.category.value}" for winner in claim.winners[:WINNERS_SHOWN])
        winners = winners or "-"
        self._post(AlarmRaised(CLAIM_TOO_OLD, f"{claim.name.table}/{claim.name.hand}", f"{claim.revision}: {winners}"))
