"""Hardware of a table: devices, and what their inputs, outputs, lines, keys and texts mean."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from controller.config.base import Count, Identifier, Model, Positive, Seat, Switch, Text
from controller.config.texts import said
from controller.core.events import Key

KEYS = frozenset(key.value for key in Key)
"""What a key or contact may mean."""

_SEATLESS_KEYS = frozenset({"close_bets", "deal", "hand_over", "void", "draw", "shuffle_done", "lid_open"})


class Serial(Model):
    """Line settings of a port; devices that share the port must agree."""

    baud: Annotated[int, Field(strict=True, ge=300, le=4_000_000)] | None = None
    data_bits: Literal[7, 8] | None = None
    parity: Literal["none", "even", "odd", "mark", "space"] | None = None
    stop_bits: Literal[1, 2] | None = None
    echo: Literal["none", "strip", "auto"] | None = None
    """Whether the line hears itself: strip takes the echo off, auto finds out at each opening."""
    dtr: Switch | None = None
    rts: Switch | None = None
    """Level set before opening; absent leaves the system's own."""

    def port_settings(self) -> dict[str, Any]:
        """What is given here, under the names a port takes; parity as its letter."""
        given = self.model_dump(exclude_none=True)
        if self.parity is not None:
            given["parity"] = self.parity[0].upper()
        return given


class Device(Model):
    """One device on a port. `settings` goes to the driver as it stands; absent serial settings are the driver's own."""

    name: Identifier
    driver: Text
    port: Text
    """`/dev/serial/by-id/…`, `/dev/serial/by-path/…`, `/dev/input/by-id/…`, or `sim:NAME` in the demo."""
    unit: Annotated[int, Field(strict=True, ge=0, le=255)] | None = None
    address: Count | Text | None = None
    """Where a driver calls it so: a number (ccTalk), or text ("01" in DCON)."""
    serial: Serial = Serial()
    settings: Mapping[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_address(self) -> "Device":
        if self.unit is not None and self.address is not None:
            raise ValueError(said("give unit or address, not both"))
        return self

    @property
    def on_line(self) -> str:
        """The address on its port, as text; empty for the only device of a port."""
        return str(self.unit if self.unit is not None else "" if self.address is None else self.address)


class Input(Model):
    """What one input of a device means. `input` is its number (a coin position for tokens), or a key's name."""

    device: Identifier
    input: Annotated[int, Field(strict=True, ge=0)] | Text
    means: Literal["credit", "ante", "key"]
    seat: Seat | None = None
    key: str | None = None
    credits: Annotated[int, Field(strict=True, ge=1, le=5)] = 1
    """Credits a pulse or token stands for."""
    amount: Positive | None = None
    """Minor units an ante pulse stands for; absent: the table minimum."""
    mode: Literal["level", "count"] = "count"
    """level: a release before no va más takes the credit back (reading O-s); count: pulses and tokens stay."""

    @field_validator("key")
    @classmethod
    def _known_key(cls, key: str | None) -> str | None:
        if key is not None and key not in KEYS:
            raise ValueError(said("unknown key '{key}'; known: {known}", key=key, known=", ".join(sorted(KEYS))))
        return key

    @model_validator(mode="after")
    def _complete(self) -> "Input":
        if (self.means == "key") != (self.key is not None):
            raise ValueError(said('means = "key" and key go together'))
        if self.means in ("credit", "ante") and self.seat is None:
            raise ValueError(said('means = "{means}" needs a seat', means=self.means))
        if self.key in _SEATLESS_KEYS and self.seat is not None:
            raise ValueError(said("key {key} belongs to no seat", key=self.key))
        return self


class Output(Model):
    """What one output of a device shows.

    A seat's `lamp` is on while its bet is accepted and blinks for a winner; where the module has outputs to spare,
    `invite` is on while a bet is invited there and `out` when the box lost the progressive.
    """

    device: Identifier
    output: Count
    means: Literal["lamp", "invite", "out", "attention"]
    seat: Seat | None = None

    @model_validator(mode="after")
    def _seat(self) -> "Output":
        if (self.means == "attention") == (self.seat is not None):
            raise ValueError(said("a lamp has a seat, attention has none"))
        return self


class Reader(Model):
    """A device that sends a line per card; the driver's pattern names the card in its group `card`."""

    device: Identifier
    place: Annotated[str, Field(pattern=r"^(dealing|board|dealer|seat-([1-9]|10))$")] = "dealing"
    """dealing: cards come in the game's dealing order; else the place whose cards this reader sees."""


class Keypad(Model):
    """A dealer's keypad: digits typed before a key are its amount (circle game) or its seat."""

    device: Identifier
    keys: Mapping[str, str] = Field(default_factory=dict)
    """The keypad's key name → what it means."""
    digits: Literal["amount", "seat"] = "seat"

    @field_validator("keys")
    @classmethod
    def _known_keys(cls, keys: Mapping[str, str]) -> Mapping[str, str]:
        unknown = sorted({meaning for meaning in keys.values() if meaning not in KEYS})
        if unknown:
            facts = {"key": ", ".join(unknown), "known": ", ".join(sorted(KEYS))}
            raise ValueError(said("unknown key '{key}'; known: {known}", **facts))
        return keys


class Sign(Model):
    """What one label of a text sign shows; `{amount}` in the template is the meter in the site's money."""

    device: Identifier
    label: Text = "amount"
    template: Text = "{amount}"
