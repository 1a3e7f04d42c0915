"""Bodies that people send: strict, closed, with the bounds that a form can check; the engine checks the rest."""

from typing import Annotated, Any

from fastapi import Depends, Header, Request
from pydantic import BaseModel, ConfigDict, Field

from controller.api.context import ports_of
from controller.core.cards import Card, parse_card
from controller.core.events import Key, VoidReason
from controller.engine.accounts_state import Role

Minor = Annotated[int, Field(ge=-(10**15), le=10**15, description="whole minor units (centavos)")]
Positive = Annotated[int, Field(ge=1, le=10**15, description="whole minor units (centavos)")]
SeatNumber = Annotated[int, Field(ge=1, le=20)]
HandNumber = Annotated[int, Field(ge=1, le=2**53)]
Reason = Annotated[str, Field(min_length=4, max_length=500, description="why, in words; kept in the journal")]
Word = Annotated[str, Field(min_length=1, max_length=120)]
Login = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{1,31}$")]
Secret = Annotated[str, Field(min_length=6, max_length=128, description="a PIN of six digits or more, or a password")]
CardText = Annotated[str, Field(pattern=r"^([2-9TJQKA]|10)[cdhs]$", description="as `As`, `Td`")]
Place = Annotated[str, Field(pattern=r"^(seat-\d{1,2}|dealer|board)$")]


class Form(BaseModel):
    """A body: unknown keys are refused, nothing is converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class LoginForm(Form):
    login: Annotated[str, Field(min_length=1, max_length=64, description="login, or the badge's number")]
    pin: Annotated[str, Field(min_length=1, max_length=128)]


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


class CreditsForm(Form):
    """Jackpot credits by hand (art. 13); a negative number takes back."""

    seat: SeatNumber
    credits: Annotated[int, Field(ge=-5, le=5)]


class AnteForm(Form):
    """An ante by hand; zero takes it back, none is the table minimum."""

    seat: SeatNumber
    amount_minor: Annotated[int, Field(ge=0, le=10**15)] | None = None


class KeyForm(Form):
    key: Key = Field(strict=False)
    seat: SeatNumber | None = None
    amount_minor: Positive | None = None


class StopForm(Form):
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
    """A deck is taken out and another takes its place."""

    old: Word
    new: Word
    reason: Reason


class WinnerForm(Form):
    hand: HandNumber
    kind: Annotated[str, Field(pattern=r"^(carta_magica|jugador_afortunado)$")]
    seat: SeatNumber


class UnreadForm(Form):
    unread: Word
    credits: Annotated[int, Field(ge=0, le=100)]


class PrizeForm(Form):
    prize: Word


class AdvanceForm(Form):
    hand: HandNumber
    seat: SeatNumber
    amount_minor: Positive
    reason: Reason


class ReasonForm(Form):
    reason: Reason


class StartForm(Form):
    """A new start value; `meter_too` brings the table's balance to it as well."""

    table: Word
    start_minor: Annotated[int, Field(ge=0, le=10**15)]
    meter_too: bool = False
    reason: Reason


class AdjustForm(Form):
    table: Word
    main_minor: Minor
    reserve_minor: Minor = 0
    reason: Reason


class TransferForm(Form):
    """Money of a table's pool to another's, or out of the carousel."""

    table: Word
    target: Word | None = None
    amount_minor: Positive
    reason: Reason


class TableReasonForm(Form):
    table: Word
    reason: Reason


class MemberForm(Form):
    """A table's line of the roster, as `carrusel carousel profile` prints it at the table's node."""

    profile: dict[str, Any]
    reason: Reason


class StepForm(Form):
    """A quarantined counter step is true, less what was wrong of it."""

    table: Word
    wrong_main_minor: Annotated[int, Field(ge=0, le=10**15)] = 0
    wrong_reserve_minor: Annotated[int, Field(ge=0, le=10**15)] = 0
    reason: Reason


class ExcludeForm(Form):
    table: Word
    seen_switched_off: bool
    reason: Reason


class ClaimForm(Form):
    """A hand's award, as `table/incarnation/hand`."""

    claim: Annotated[str, Field(pattern=r"^[^/]{1,64}/[^/]{1,64}/\d{1,16}$")]
    reason: Reason


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
    counted_minor: Annotated[int, Field(ge=0, le=10**15)]


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
