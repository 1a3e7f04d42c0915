"""What people do through the API: told to a machine at once, or asked of a second person and executed when approved."""

import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from controller.api.auth import Caller
from controller.api.closing import check_closing
from controller.api.context import ApiPorts
from controller.api.effects import effects_of
from controller.api.house_rules import check_change, check_start
from controller.api.payments import paid_already
from controller.api.prize_views import OPEN, find_prize
from controller.api.problems import Problem
from controller.api.roles import Permission, roles_of
from controller.api.targets import Target
from controller.core import draw_events, equipment_events, events, prize_events, settings_events
from controller.core.circle_events import CIRCLE_EVENTS
from controller.core.events import Envelope
from controller.core.records import Kinds, to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.core.restored import RestoredSettled
from controller.engine import accounts_events, host_events
from controller.engine.accounts_events import ApprovalAsked, ApprovalExecuted, ApprovalGiven, ApprovalRejected
from controller.engine.accounts_state import Approval, ApprovalStatus
from controller.engine.ports import Answer, JournalReader

log = logging.getLogger("carrusel.api")

ACTS = Kinds(
    *CIRCLE_EVENTS,
    events.BoxesShared,
    equipment_events.DeckReplaced,
    events.AlarmAcknowledged,
    events.AntePlaced,
    events.AnteWithdrawn,
    events.CardCorrected,
    events.CardsEntered,
    events.CreditsSettled,
    events.CreditWagered,
    events.CreditWithdrawn,
    draw_events.DrawOutsideSet,
    draw_events.DrawPoolMoved,
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
    prize_events.PrizeHoldReleased,
    prize_events.PrizeOverridden,
    prize_events.PrizePutOnHold,
    events.PrizeVerified,
    RestoredSettled,
    settings_events.SettingsChanged,
    settings_events.TermsConfirmed,
    host_events.AwardSettled,
    host_events.BalanceTransferred,
    host_events.ClosedDisposed,
    host_events.ClosingAsked,
    host_events.OrphansAssigned,
    host_events.HostPromoted,
    host_events.MemberAccepted,
    host_events.MemberRekeyed,
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
FITTED = (
    settings_events.SettingsChanged,
    host_events.StartValueReset,
    host_events.ClosingAsked,
    host_events.ClosedDisposed,
)
"""Acts that settings or the calendar may no longer let through when the second person approves."""
OF_A_HAND = (events.HandVoided, events.HandCorrected)
OF_A_PRIZE = (events.PrizePaid, prize_events.PrizeOverridden, prize_events.PrizeHoldReleased)
AS_SHOWN = (
    *OF_A_PRIZE,
    *OF_A_HAND,
    events.PrizeAdvanced,
    host_events.PrizeReleased,
    host_events.AwardSettled,
)
"""Acts about amounts of prizes, which two people approve as they were shown them or not at all."""
OF_PRIZES = frozenset({"prize_cancelled", "prize_kept"})
"""Effects of a void or a correction that are about the hand's prizes."""
SOMEBODY = "?"
"""The second person while nobody has approved yet; no login is written so."""
DIGEST_DOMAIN = b"carrusel approval v1\n"


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


async def refused_at_once(ports: ApiPorts, target: Target, envelope: Envelope, language: str) -> Refused | None:
    """Why an act would not be done if it were approved now, by what is asked when it is; nothing is stored."""
    unfit = await _unfit(ports, target, envelope, language)
    if unfit is not None:
        return unfit
    match target.kind:
        case "table":
            return ports.table(target.id).would_refuse(envelope)
        case "carousel":
            return ports.host(target.id).would_refuse(envelope)
    return ports.accounts.would_refuse(envelope)


def told(answer: Answer) -> dict[str, Any]:
    """The body of a done act: the ids and kinds of its entries."""
    entries = [{"id": entry.id, "kind": entry.kind} for entry in answer.entries]
    return {"status": "done", "entries": entries, "repeated": answer.repeated}


async def do(ports: ApiPorts, caller: Caller, target: Target, event: object, key: str) -> dict[str, Any]:
    """An act of one person; Problem with the machine's refusal."""
    known = envelope_id(caller, key)
    asked = digest_of({"target": str(target), "event": [type(event).__name__, to_record(event)]}, caller.login)
    await _check_key(ports, target, known, asked)
    answer = await submit(ports, target, Envelope(known, event, caller.login))
    if answer.refused is not None:
        raise Problem(answer.refused)
    if not answer.entries:
        ports.kept.remember(known, asked)
    return told(answer)


async def _check_key(ports: ApiPorts, target: Target, known: str, asked: str) -> None:
    """A key that was used for another act is refused where that act left no entry, or left it at another machine.

    What the same machine did under the same id it says by itself.
    """
    own = _journal_of(ports, target).name
    others = [journal for name, journal in ports.journals().items() if name != own]
    if ports.kept.told.get(known, asked) != asked or any([await each.find((known,)) for each in others]):
        raise Problem(refuse(Refusal.CONFLICT, id=known))


def _journal_of(ports: ApiPorts, target: Target) -> JournalReader:
    if target.kind == "table":
        return ports.table(target.id).journal
    return ports.host(target.id).journal if target.kind == "carousel" else ports.accounts.journal


async def ask(
    ports: ApiPorts,
    caller: Caller,
    target: Target,
    event: object,
    key: str,
    approve: Permission,
    language: str | None = None,
) -> dict[str, Any]:
    """An act of two people: kept as asked, with its digest, until somebody of a role that may approves it.

    What would be refused as things stand is refused at once, by the name that the approval would answer. language: of
    whoever asks, for faults that are sentences; the site's where it is not said.
    """
    _check_target(ports, target)
    act = {"target": str(target), "event": ACTS.to_record(event)}
    asked = ApprovalAsked(act, digest_of(act, caller.login), roles_of(approve), effects_of(ports, target, event))
    known = approval_id(caller, key)
    was = ports.accounts.state.approvals.get(known)
    if was is None:
        was = open_twin(ports, act, asked.digest)
    if was is not None and was.digest in (asked.digest, digest_of(act, was.asked_by)):
        return {"status": "needs_approval", "approval": was.id, "digest": was.digest, "until_ms": was.until_ms}
    tried = Envelope(f"{known}/act", event, caller.login, SOMEBODY)
    refused = await refused_at_once(ports, target, tried, language or ports.config.site.language)
    if refused is not None:
        raise Problem(refused)
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
        if not each.waits_at(ports.clock()):
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
        unfit = await _unfit(ports, target, envelope, ports.config.site.language) or await _differs(
            ports, target, envelope, approval
        )
        answer = await submit(ports, target, envelope) if unfit is None else _Unmade(unfit)
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


async def _unfit(ports: ApiPorts, target: Target, envelope: Envelope, language: str) -> Refused | None:
    """Why an act does not fit the settings or the calendar, which no machine knows; one that is done fits."""
    event = envelope.event
    if not isinstance(event, FITTED):
        return None
    desk = ports.table(target.id) if target.kind == "table" else ports.host(target.id)
    if await desk.journal.find((envelope.id,)):
        return None
    if isinstance(event, host_events.ClosingAsked | host_events.ClosedDisposed):
        return await check_closing(ports, target.id, event)
    if isinstance(event, host_events.StartValueReset):
        return check_start(ports, target.id, event, language)
    return check_change(ports, target.id, event, language)


async def _differs(ports: ApiPorts, target: Target, envelope: Envelope, approval: Approval) -> Refused | None:
    """Whether a prize's amounts are others than the second person was shown, since it was corrected, overridden or paid
    meanwhile. Of a hand its prizes count, not the meter, which moves with every bet.
    """
    event = envelope.event
    if not isinstance(event, AS_SHOWN) or await _journal_of(ports, target).find((envelope.id,)):
        return None
    if isinstance(event, OF_A_PRIZE):
        prize = find_prize(ports.table(target.id).state, event.prize)
        if prize is None or prize["status"] not in OPEN:
            return None  # the machine says what became of it
    shown, now = ([dict(each) for each in lines] for lines in (approval.effects, effects_of(ports, target, event)))
    if isinstance(event, OF_A_HAND):
        shown, now = ([each for each in lines if each["what"] in OF_PRIZES] for lines in (shown, now))
    return refuse(Refusal.APPROVAL_DIFFERS, approval=approval.id) if shown != now else None


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
