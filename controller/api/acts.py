"""What people do through the API: told to a machine at once, or asked of a second person and executed when approved."""

import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from controller.api.auth import Caller
from controller.api.context import ApiPorts
from controller.api.effects import effects_of
from controller.api.payments import paid_already
from controller.api.problems import Problem
from controller.api.roles import Permission, roles_of
from controller.core import events
from controller.core.circle_events import CIRCLE_EVENTS
from controller.core.events import Envelope
from controller.core.records import Kinds
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import accounts_events, host_events
from controller.engine.accounts_events import ApprovalAsked, ApprovalExecuted, ApprovalGiven, ApprovalRejected
from controller.engine.accounts_state import Approval, ApprovalStatus
from controller.engine.ports import Answer

log = logging.getLogger("carrusel.api")

ACTS = Kinds(
    *CIRCLE_EVENTS,
    events.BoxesShared,
    events.DeckReplaced,
    events.AlarmAcknowledged,
    events.AntePlaced,
    events.AnteWithdrawn,
    events.CardCorrected,
    events.CardsEntered,
    events.CreditsSettled,
    events.CreditWagered,
    events.CreditWithdrawn,
    events.DrawWinnerNamed,
    events.HandCorrected,
    events.HandVoided,
    events.JackpotBetsResumed,
    events.JackpotBetsStopped,
    events.KeyPressed,
    events.LeaveAsked,
    events.PrizeAdvanced,
    events.PrizeCallDismissed,
    events.PrizePaid,
    events.PrizeVerified,
    host_events.AwardSettled,
    host_events.BalanceTransferred,
    host_events.HostPromoted,
    host_events.MemberAccepted,
    host_events.MemberSealed,
    host_events.MeterAdjusted,
    host_events.PrizeReleased,
    host_events.StartValueReset,
    host_events.StepAccepted,
    host_events.TableExcluded,
    accounts_events.CountEntered,
    accounts_events.SecretSet,
    accounts_events.ShiftClosed,
    accounts_events.UserAdded,
    accounts_events.UserChanged,
)
DIGEST_DOMAIN = b"carrusel approval v1\n"
NODE = "node"


@dataclass(frozen=True, slots=True)
class Target:
    """A machine of this node: `table` or `carousel` with its id, or the node's own accounts."""

    kind: str
    id: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}" if self.id else self.kind

    @classmethod
    def parse(cls, text: str) -> "Target":
        kind, _, name = text.partition(":")
        return cls(kind, name)


def table(table_id: str) -> Target:
    return Target("table", table_id)


def carousel(carousel_id: str) -> Target:
    return Target("carousel", carousel_id)


def digest_of(act: Mapping[str, Any], asked_by: str) -> str:
    """SHA-256 over the canonical JSON of an act and of who asks for it: what the second person approves."""
    return hashlib.sha256(DIGEST_DOMAIN + msgspec.json.encode([act, asked_by], order="sorted")).hexdigest()


def envelope_id(caller: Caller, key: str) -> str:
    """The id of a person's request: the same key of the same person is the same request."""
    return f"api/{caller.login}/{key}"


async def submit(ports: ApiPorts, target: Target, envelope: Envelope) -> Answer:
    """Hand an envelope to the target's machine."""
    match target.kind:
        case "table":
            return await ports.table(target.id).submit(envelope)
        case "carousel":
            return await ports.host(target.id).submit(envelope)
    return await ports.accounts.submit(envelope)


def told(answer: Answer) -> dict[str, Any]:
    """The body of a done act: the ids and kinds of its entries."""
    entries = [{"id": entry.id, "kind": entry.kind} for entry in answer.entries]
    return {"status": "done", "entries": entries, "repeated": answer.repeated}


async def do(ports: ApiPorts, caller: Caller, target: Target, event: object, key: str) -> dict[str, Any]:
    """An act of one person; Problem with the machine's refusal."""
    answer = await submit(ports, target, Envelope(envelope_id(caller, key), event, caller.login))
    if answer.refused is not None:
        raise Problem(answer.refused)
    return told(answer)


async def ask(
    ports: ApiPorts, caller: Caller, target: Target, event: object, key: str, approve: Permission
) -> dict[str, Any]:
    """An act of two people: kept as asked, with its digest, until somebody of a role that may approves it."""
    _check_target(ports, target)
    act = {"target": str(target), "event": ACTS.to_record(event)}
    asked = ApprovalAsked(act, digest_of(act, caller.login), roles_of(approve), effects_of(ports, target, event))
    known = approval_id(caller, key)
    was = ports.accounts.state.approvals.get(known)
    if was is None:
        was = open_twin(ports, act, asked.digest)
    if was is not None and was.digest in (asked.digest, digest_of(act, was.asked_by)):
        return {"status": "needs_approval", "approval": was.id, "digest": was.digest, "until_ms": was.until_ms}
    answer = await ports.accounts.submit(Envelope(known, asked, caller.login))
    if answer.refused is not None:
        raise Problem(answer.refused)
    entry = answer.entries[0]
    return {
        "status": "needs_approval",
        "approval": entry.id,
        "digest": entry.body["digest"],
        "until_ms": entry.body["until_ms"],
    }


def open_twin(ports: ApiPorts, act: Mapping[str, Any], digest: str) -> Approval | None:
    """A request that waits for the very same: of the same person, or of anybody where the act names a prize."""
    for each in ports.accounts.state.approvals.values():
        if each.status is not ApprovalStatus.OPEN or ports.clock() >= each.until_ms:
            continue
        if each.digest == digest or (act["event"].get("prize") and each.digest == digest_of(act, each.asked_by)):
            return each
    return None


def _check_target(ports: ApiPorts, target: Target) -> None:
    if target.kind == "table":
        ports.table(target.id)
    elif target.kind == "carousel":
        ports.host(target.id)


def approval_id(caller: Caller, key: str) -> str:
    """One word for a person's request, so that it fits in an address."""
    return f"ap-{hashlib.sha256(envelope_id(caller, key).encode()).hexdigest()[:20]}"


async def approve(ports: ApiPorts, second: str, approval: str, digest: str) -> dict[str, Any]:
    """The second person approves; the act is executed at once and its outcome kept. Problem when it is refused."""
    given = await ports.accounts.submit(Envelope(f"{approval}/given/{second}", ApprovalGiven(approval, digest), second))
    if given.refused is not None:
        raise Problem(given.refused)
    answer = await execute(ports, ports.accounts.state.approvals[approval])
    if answer.refused is not None:
        raise Problem(answer.refused)
    return told(answer)


async def reject(ports: ApiPorts, person: str, approval: str, note: str) -> dict[str, Any]:
    """Nobody executes it any more."""
    answer = await ports.accounts.submit(
        Envelope(f"{approval}/rejected/{person}", ApprovalRejected(approval, note), person)
    )
    if answer.refused is not None:
        raise Problem(answer.refused)
    return {"status": "rejected", "approval": approval}


@dataclass(frozen=True, slots=True)
class _Unmade:
    """An answer of ours: the machine was not asked."""

    refused: Refused | None
    entries: tuple[Any, ...] = ()
    repeated: bool = False


async def execute(ports: ApiPorts, approval: Approval) -> Answer:
    """Submit an approved act under the approval's own id: again after a kill, it is still done once."""
    target = Target.parse(approval.act["target"])
    event = ACTS.from_record(approval.act["event"])
    envelope = Envelope(f"{approval.id}/act", event, approval.asked_by, approval.second)
    try:
        answer = await submit(ports, target, envelope)
    except Problem as gone:
        answer = _Unmade(gone.refused)
    refused = answer.refused
    if refused is not None and isinstance(event, events.PrizePaid):
        refused = await paid_already(ports, target.id, event.prize) or refused
        answer = _Unmade(refused)
    outcome = ApprovalExecuted(
        approval.id,
        refused.reason.value if refused is not None else "",
        dict(refused.facts) if refused is not None else {},
        tuple(entry.id for entry in answer.entries),
    )
    await ports.accounts.submit(Envelope(f"{approval.id}/executed", outcome, approval.second))
    return answer


async def resume(ports: ApiPorts) -> None:
    """After a start: acts that were approved and whose outcome was not kept are submitted again, under their ids."""
    for approval in list(ports.accounts.state.approvals.values()):
        if approval.status is ApprovalStatus.GIVEN:
            log.warning("approval %s is executed after a restart", approval.id)
            await execute(ports, approval)


def find_approval(ports: ApiPorts, approval: str) -> Approval:
    """The approval of that id; refused by name otherwise."""
    found = ports.accounts.state.approvals.get(approval)
    if found is None:
        raise Problem(refuse(Refusal.UNKNOWN_APPROVAL, approval=approval[:40]))
    return found
