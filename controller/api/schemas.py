"""Bodies that people send: strict, closed, with the bounds that a form can check; the engine checks the rest."""

from typing import Annotated, Any

from fastapi import Depends, Header, Request
from pydantic import AfterValidator, Field

from controller.api.context import ports_of
from controller.api.typed_fields import Form, Reason, Word, word
from controller.config.base import Fingerprint
from controller.core.cards import Card, parse_card
from controller.core.causes import PoolCause
from controller.core.events import Key, VoidReason
from controller.core.prize_events import CheckItem, HoldReason, OverrideReason, SlipVoidReason
from controller.core.restored import RestoredOutcome
from controller.engine.accounts_state import Role

MOST_MINOR = 10**12
"""The largest amount that people may type, in minor units: above any jackpot, so that a slip of the hand stands out."""
Minor = Annotated[int, Field(ge=-MOST_MINOR, le=MOST_MINOR, description="whole minor units (centavos)")]
NotNegative = Annotated[int, Field(ge=0, le=MOST_MINOR, description="whole minor units (centavos)")]
Positive = Annotated[int, Field(ge=1, le=MOST_MINOR, description="whole minor units (centavos)")]
SeatNumber = Annotated[int, Field(ge=1, le=20)]
HandNumber = Annotated[int, Field(ge=1, le=2**53)]
Login = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{1,31}$")]
Secret = Annotated[str, Field(min_length=6, max_length=128, description="a PIN of six digits or more, or a password")]
CardText = Annotated[str, Field(pattern=r"^([2-9TJQKA]|10)[cdhs]$", description="as `As`, `Td`")]
Place = Annotated[str, Field(pattern=r"^(seat-\d{1,2}|dealer|board)$")]


class LoginForm(Form):
    login: Annotated[str, Field(min_length=1, max_length=64, description="login, or the badge's number")]
    pin: Annotated[str, Field(min_length=1, max_length=128)]
    new_pin: Secret | None = Field(default=None, description="takes the place of a PIN that has expired")


class VoidForm(Form):
    hand: HandNumber
    reason: VoidReason = Field(strict=False)
    note: Reason


class CardsForm(Form):
    """Cards of one place of the hand in course, entered by people."""

    hand: HandNumber
    place: Place
    cards: Annotated[list[CardText], Field(min_length=1, max_length=7)]


class CorrectionForm(Form):
    """A misread card of the hand in course, or of the last one."""

    hand: HandNumber
    place: Place
    old: CardText
    new: CardText
    reason: Reason


class CreditsForm(Form):
    """Jackpot credits by hand (art. 13); a negative number takes back."""

    seat: SeatNumber
    credits: Annotated[int, Field(ge=-5, le=5)]


class AnteForm(Form):
    """An ante by hand; zero takes it back, none is the table minimum."""

    seat: SeatNumber
    amount_minor: NotNegative | None = None


class KeyForm(Form):
    key: Key = Field(strict=False)
    seat: SeatNumber | None = None
    amount_minor: Positive | None = None


class StopForm(Form):
    """Jackpot bets are stopped, or taken again."""

    note: Reason


class NoForm(Form):
    """No fields: the address says it all."""


class AlarmForm(Form):
    code: Annotated[str, Field(min_length=1, max_length=200)]
    source: Annotated[str, Field(max_length=200)]
    note: Annotated[str, Field(max_length=200)] = ""


class SharedForm(Form):
    """Boxes of one player, who sees the cards of one of them only (art. 71)."""

    seats: Annotated[list[SeatNumber], Field(min_length=2, max_length=20)]
    seen: SeatNumber


class DeckForm(Form):
    """A deck is taken out and another takes its place, with what was inspected of it and by whom."""

    old: Word
    new: Word
    reason: Reason
    maker: Word
    model: Word
    serial: Word
    operator: Word


class WinnerForm(Form):
    hand: HandNumber
    kind: Annotated[str, Field(pattern=r"^(carta_magica|jugador_afortunado)$")]
    seat: SeatNumber


class UnreadForm(Form):
    unread: Word
    credits: Annotated[int, Field(ge=0, le=100)]


class PrizeForm(Form):
    prize: Word


class CheckForm(Form):
    """What was done with a prize's cards; a sealed hand names its bag."""

    prize: Word
    done: Annotated[list[Annotated[CheckItem, Field(strict=False)]], Field(max_length=10)]
    seal: Annotated[str, Field(max_length=60), AfterValidator(word)] = ""


class SlipForm(Form):
    """A slip; without `withheld_minor` the proposed tax is withheld, with another sum than that the note says why."""

    prize: Word
    withheld_minor: Annotated[int, Field(ge=0, le=MOST_MINOR)] | None = None
    note: Annotated[str, Field(max_length=300)] = ""


class OutsideForm(Form):
    """The outside input of a table's draws as it was published, and where; without a value there is none."""

    value: Annotated[str, Field(max_length=100), AfterValidator(word)] = ""
    source: Annotated[str, Field(max_length=100), AfterValidator(word)] = ""


class OverrideForm(Form):
    """What is paid instead of the computed amount, with a cause of the list and a note; 0: nothing more is paid."""

    prize: Word
    amount_minor: Annotated[int, Field(ge=0, le=MOST_MINOR)]
    reason: OverrideReason = Field(strict=False)
    note: Reason


class SlipVoidForm(Form):
    prize: Word
    reason: SlipVoidReason = Field(strict=False)
    note: Reason


class HoldForm(Form):
    """A prize is held back, with a cause of the list and a note."""

    prize: Word
    reason: HoldReason = Field(strict=False)
    note: Reason


class HoldReleaseForm(Form):
    prize: Word
    reason: Reason


class AdvanceForm(Form):
    hand: HandNumber
    seat: SeatNumber
    amount_minor: Positive
    reason: Reason


class RestoredForm(Form):
    """What became of one piece of money that a restored backup had open."""

    item: Word
    outcome: RestoredOutcome = Field(strict=False)
    reason: Reason


class ReasonForm(Form):
    reason: Reason


class StartForm(Form):
    """A new start value; `meter_too` brings the table's balance to it as well."""

    table: Word
    start_minor: NotNegative
    meter_too: bool = False
    cause: PoolCause = Field(strict=False)
    reason: Reason


class SettingsForm(Form):
    """Every setting of a table by its name in the file, changed or not, as they were read; `day`: not before it."""

    settings: Annotated[dict[str, Any], Field(min_length=1, max_length=400)]
    reason: Reason
    day: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")] | None = None


class TermsForm(Form):
    """Jackpot terms by their SHA-256, as two people have compared them with what was approved."""

    terms: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    reason: Reason


class AdjustForm(Form):
    table: Word
    main_minor: Minor
    reserve_minor: Minor = 0
    cause: PoolCause = Field(strict=False)
    reason: Reason


class TransferForm(Form):
    """Money of a table's pool to another's, or out of the carousel."""

    table: Word
    target: Word | None = None
    amount_minor: Positive
    cause: PoolCause = Field(strict=False)
    reason: Reason


class CausedForm(Form):
    """An act that needs only its cause and the people's words."""

    cause: PoolCause = Field(strict=False)
    reason: Reason


class ClosingForm(Form):
    """The end of a jackpot: `day` as 2026-12-31 (none takes it back), where its money goes (none: register)."""

    day: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")] | None = None
    target: Annotated[str, Field(max_length=100), AfterValidator(word)] = ""
    keep_start: bool = False
    cause: PoolCause = Field(strict=False)
    reason: Reason


class OrphansForm(Form):
    """Money of the register of orphans to a jackpot that people name."""

    amount_minor: Positive
    target: Annotated[str, Field(min_length=1, max_length=100), AfterValidator(word)]
    cause: PoolCause = Field(strict=False)
    reason: Reason


class LeaveForm(Form):
    """A table takes its balance out of the carousel."""

    cause: PoolCause = Field(strict=False)
    reason: Reason


class MemberForm(Form):
    """A table's line of the roster, as `carrusel carousel profile` prints it at the table's node."""

    profile: dict[str, Any]
    reason: Reason


class RekeyForm(Form):
    """Another key of a table's node, as `carrusel carousel rekey` prints it there."""

    table: Word
    key: Annotated[Fingerprint, Field(description="the node's new public key, in hex")]
    reason: Reason


class StepForm(Form):
    """A quarantined counter step is true, less what was wrong of it."""

    table: Word
    wrong_main_minor: NotNegative = 0
    wrong_reserve_minor: NotNegative = 0
    cause: Annotated[PoolCause | None, Field(description="why it falls, where something was wrong")] = None
    reason: Reason


class SwitchedOffForm(Form):
    """A table whose incarnation is over; it would go on paying what it was awarded as long as it runs."""

    table: Word
    seen_switched_off: bool
    reason: Reason


class ClaimForm(Form):
    """A hand's award, as `table/incarnation/hand`."""

    claim: Annotated[str, Field(pattern=r"^[^/]{1,64}/[^/]{1,64}/\d{1,16}$")]
    reason: Reason


class SettleForm(ClaimForm):
    """An award of an incarnation that is over, and runs no more."""

    seen_switched_off: bool


class ApproveForm(Form):
    """The second person: the PIN is asked again; `login` (or badge) when it is not who is logged in here."""

    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    pin: Annotated[str, Field(min_length=1, max_length=128)]
    login: Annotated[str, Field(min_length=1, max_length=64)] | None = None


class RejectForm(Form):
    note: Annotated[str, Field(max_length=500)] = ""


class UserForm(Form):
    login: Login
    name: Word
    role: Role = Field(strict=False)
    pin: Secret
    language: Annotated[str, Field(pattern=r"^(es|en)?$")] = ""
    badge: Annotated[str, Field(max_length=64)] = ""


class UserChangeForm(Form):
    name: Word | None = None
    role: Role | None = Field(default=None, strict=False)
    language: Annotated[str, Field(pattern=r"^(es|en)?$")] | None = None
    badge: Annotated[str, Field(max_length=64)] | None = None
    disabled: bool | None = None


class PinForm(Form):
    pin: Secret


class OwnPinForm(Form):
    old_pin: Annotated[str, Field(min_length=1, max_length=128)]
    pin: Secret


class CountForm(Form):
    table: Word
    shift: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}(/[a-z0-9-]{1,20})?$")]
    counted_minor: NotNegative


class ShiftForm(Form):
    shift: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}(/[a-z0-9-]{1,20})?$")]


def card(text: str) -> Card:
    """The card of a checked text."""
    found = parse_card(text)
    assert found is not None, "the form has checked it"
    return found


def request_key(
    request: Request,
    key: Annotated[
        str | None,
        Header(alias="Idempotency-Key", pattern=r"^[A-Za-z0-9._:-]{1,64}$", description="the same key: the same act"),
    ] = None,
) -> str:
    """The request's key: the client's, or a random one."""
    return key or ports_of(request).new_key()


RequestKey = Annotated[str, Depends(request_key)]
Document = dict[str, Any]
