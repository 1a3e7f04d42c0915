"""One LED sign that speaks the Alpha protocol, as a state machine without I/O."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from drivers.alpha_sign.codec import (
    MAX_STRING,
    MIN_NULS,
    PRIORITY,
    RESPONSE,
    AlphaCodec,
    AlphaCommand,
    AlphaPacket,
    Other,
    ReadString,
    SetMemory,
    WriteString,
    WriteText,
    string_file,
    text_file,
)
from drivers.device import Command, DeviceMemory, DriverError, PortEvent, Request, SettingsError, ShowAlert, ShowText
from drivers.events import Event, OutputConfirmed, SensorFault
from drivers.settings import read_settings

TEXT_LABEL = "A"
FORMAT_BYTES = 4  # ESC, position, mode of one or two characters
MISSED_READ_S = 1.0
GONE_READS = 3
LEAST_WRITE_S = 0.5
_STRING_LABELS = "123456789BCDEFGH"
_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One sign.

    `layout`: what it shows; each {label} is a STRING file that `ShowText` writes. `type_code`: "Z" all signs, "^"
    BetaBrite. `address`: "00" all. `mode`: "b" holds, "a" rotates (table 66 of the protocol). `string_size`: bytes of
    each STRING file. `replies` False: a line without the sign's transmit wire; nothing is then read back, and the link
    counts as up with the port. `write_s`: least time between two writes. `refresh_s`: all is written again.
    `read_s`: a STRING is read back, which blanks many signs for a moment.
    """

    layout: str = "JACKPOT {amount}"
    serial: str = ""
    type_code: str = "Z"
    address: str = "00"
    position: str = " "
    mode: str = "b"
    string_size: int = 32
    checksum: bool = False
    replies: bool = True
    write_s: float = 0.5
    refresh_s: float = 60.0
    read_s: float = 20.0
    timeout_s: float = 0.8

    def __post_init__(self) -> None:
        if not self.labels or len(set(self.labels)) != len(self.labels) or len(self.labels) > len(_STRING_LABELS):
            raise ValueError(f"layout names one to {len(_STRING_LABELS)} different {{labels}}")
        if not 1 <= self.string_size <= MAX_STRING:
            raise ValueError(f"string_size must be 1..{MAX_STRING}")
        if len(self.type_code) != 1 or not re.fullmatch("[0-9A-F?]{2}", self.address):
            raise ValueError("type_code is one character, address two hex digits")
        if len(self.position) != 1 or not self.mode or not self.mode.isascii():
            raise ValueError("position is one character, mode one or two")
        if min(self.refresh_s, self.read_s, self.timeout_s, self.write_s) <= 0:
            raise ValueError("refresh_s, read_s, timeout_s and write_s must be positive")

    @property
    def labels(self) -> tuple[str, ...]:
        """The names in the layout, in order."""
        return tuple(_FIELD.findall(self.layout))

    @property
    def files(self) -> dict[str, str]:
        """STRING file of each label."""
        return dict(zip(self.labels, _STRING_LABELS, strict=False))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str = "alpha_sign") -> "Settings":
        """SettingsError names unknown and missing keys; a real sign takes at most two writes per second."""
        settings = read_settings(cls, data, where)
        if settings.write_s < LEAST_WRITE_S:
            raise SettingsError(f"{where}.write_s: a sign takes two writes per second, {LEAST_WRITE_S} is the least")
        return settings


class Step(Enum):
    """What is written or read next."""

    READ = "read a STRING file"
    MEMORY = "memory configuration"
    ORDER = "run order"
    TEXT = "text that calls the STRING files"
    ALERT = "priority message"
    STRING = "STRING file"


_SETUP = (Step.MEMORY, Step.ORDER, Step.TEXT)


class Sign:
    """Read a STRING to see that a sign is there, set it up once, then write only STRING files: it never blanks.

    What a sign holds is desired state: written again after a reconnect, after silence, on a timer, and when a STRING
    read back is not what was written.
    """

    def __init__(self, name: str, settings: Settings, memory: Mapping[str, Any] | None) -> None:
        DeviceMemory.from_dict(memory)
        self._name = name
        self._settings = settings
        self.codec = AlphaCodec(settings.type_code, settings.address, settings.checksum, MIN_NULS)
        self._text = _setup_text(settings)
        self._desired: dict[str, str] = dict.fromkeys(settings.labels, "")
        self._alert: str | None = None
        self._written: dict[str, str] = {}
        self._told: dict[str, str] = {}
        self._alert_written: str | None = ""
        self._before_release = 0  # texts that changed under an alert are written before it goes: no old amount is seen
        self._setup: list[Step] = []
        self._step: Step | None = None
        self._sending: str | None = None  # what is desired may change while it is on the line
        self._label = self._read_label = settings.labels[0]
        self._missed = 0
        self._differs = False
        self._start_over(0.0)

    def _start_over(self, now_s: float) -> None:
        self._identified = not self._settings.replies
        self._missed = 0
        self._read_at_s = now_s if self._settings.replies else float("inf")
        self._write_at_s = now_s
        self._forget(now_s)

    def _forget(self, now_s: float) -> None:
        """Nothing is known of what the sign holds."""
        self._setup = list(_SETUP)
        self._written = {}
        self._alert_written = ""
        self._refresh_at_s = now_s + self._settings.refresh_s

    # What the bus reads.

    @property
    def name(self) -> str:
        return self._name

    @property
    def address(self) -> str:
        return self._settings.address

    @property
    def serial(self) -> str:
        return self._settings.serial or self._name

    @property
    def identified(self) -> bool:
        return self._identified

    @property
    def trouble(self) -> str:
        return ""

    def memory(self) -> dict[str, Any]:
        return DeviceMemory(serial=self.serial).to_dict()

    def due_s(self) -> float | None:
        if not self._identified:
            return max(self._read_at_s, self._write_at_s)
        if self._setup or self._next_string() is not None or self._alert_written != self._alert:
            return self._write_at_s
        return max(self._write_at_s, min(self._read_at_s, self._refresh_at_s))

    # The conversation.

    def next_request(self, now_s: float) -> Request | None:
        if now_s >= self._refresh_at_s:
            self._written, self._alert_written = {}, "" if self._alert is not None else None
            self._refresh_at_s = now_s + self._settings.refresh_s
        self._step = self._choose(now_s)
        if self._step is None:
            return None
        self._write_at_s = now_s + self._settings.write_s
        self._sending = self._alert if self._step is Step.ALERT else self._desired[self._label]
        data = self.codec.encode(self._command())
        what = self._step.value
        if self._step is not Step.READ:
            return Request(data, None, 0.0, what=what)
        file = self._settings.files[self._read_label]
        return Request(data, lambda packet: _answers(packet, file), self._settings.timeout_s, what=what)

    def _choose(self, now_s: float) -> Step | None:
        if not self._identified or now_s >= self._read_at_s:
            return Step.READ
        if self._setup:
            return self._setup[0]
        label = self._next_string()
        first = label is not None and self._alert is None and self._before_release > 0
        if self._alert_written != self._alert and not first:
            return Step.ALERT
        if label is None:
            return None
        self._label = label
        return Step.STRING

    def _next_string(self) -> str | None:
        """A label whose text is not in the sign; of several the one after the last written."""
        labels = self._settings.labels
        at = labels.index(self._label) + 1
        return next((la for la in labels[at:] + labels[:at] if self._written.get(la) != self._desired[la]), None)

    def _command(self) -> AlphaCommand:
        settings = self._settings
        match self._step:
            case Step.MEMORY:
                texts = [text_file(TEXT_LABEL, max(64, len(self._text) + FORMAT_BYTES))]
                strings = [string_file(file, settings.string_size) for file in settings.files.values()]
                return SetMemory((*texts, *strings))
            case Step.ORDER:
                return Other("E.", f"SU{TEXT_LABEL}")
            case Step.TEXT:
                return WriteText(TEXT_LABEL, self._text, settings.position, settings.mode)
            case Step.ALERT if self._alert is None:
                return WriteText(PRIORITY, "", None, None)
            case Step.ALERT:
                return WriteText(PRIORITY, self._alert or "", settings.position, settings.mode)
            case Step.STRING:
                return WriteString(settings.files[self._label], self._desired[self._label])
        return ReadString(settings.files[self._read_label])

    def on_sent(self, now_s: float) -> Sequence[Event]:
        step, self._step = self._step, None
        if step in _SETUP:
            self._setup.remove(step)
        elif step is Step.ALERT:
            self._alert_written = self._sending
        elif step is Step.STRING and self._sending is not None:
            self._written[self._label] = self._sending
            self._before_release = max(self._before_release - 1, 0)
        return ()

    def on_frame(self, frame: AlphaPacket, now_s: float) -> Sequence[Event]:
        if self._step is not Step.READ:
            return ()
        self._step = None
        self._read_at_s = now_s + self._settings.read_s
        was_here, self._identified = self._identified, True
        if not was_here or self._missed >= GONE_READS:
            self._missed = 0
            self._set_up_again(now_s)
            return ()
        self._missed = 0
        label = self._read_label
        labels = self._settings.labels
        self._read_label = labels[(labels.index(label) + 1) % len(labels)]
        shown = next(c.text for c in frame.commands if isinstance(c, WriteString))
        if label not in self._written:
            return ()
        if shown == self._written[label]:
            over, self._differs = self._differs, False
            cleared = [SensorFault(device=self._name, code="sign_differs", attention=False, cleared=True)]
            return [*(cleared if over else []), *self._confirm(label, shown)]
        return self._not_as_written(label, shown, now_s)

    def _set_up_again(self, now_s: float) -> None:
        """Write all, and look at it when that is done."""
        self._forget(now_s)
        steps = len(_SETUP) + 1 + len(self._settings.labels)
        self._read_at_s = now_s + self._settings.write_s * (steps + 1)

    def _confirm(self, label: str, shown: str) -> Sequence[Event]:
        if self._told.get(label) == shown:
            return ()
        self._told[label] = shown
        return [OutputConfirmed(device=self._name, outputs={label: shown})]

    def _not_as_written(self, label: str, shown: str, now_s: float) -> Sequence[Event]:
        """The sign lost its memory or refused a text: set it up again; the second time in a row wants a person."""
        again, self._differs = self._differs, True
        self._told.pop(label, None)
        detail = f"{label} shows {shown!r} where {self._written[label]!r} was written"
        self._set_up_again(now_s)
        return [SensorFault(device=self._name, code="sign_differs", detail=detail, attention=again)]

    def on_timeout(self, now_s: float) -> Sequence[Event]:
        self._step = None
        self._missed += 1
        self._read_at_s = now_s + MISSED_READ_S
        return ()

    def on_port(self, event: PortEvent, now_s: float) -> Sequence[Event]:
        self._step = None
        self._told = {}
        self._start_over(now_s)
        return ()

    def command(self, command: Command, now_s: float) -> Sequence[Event]:
        """DriverError for a label that the layout does not name and for a text longer than its STRING file."""
        if isinstance(command, ShowAlert):
            if command.text is None and self._alert is not None:
                self._before_release = len(self._settings.labels)
            self._alert = None if command.text is None else _fit(command.text, MAX_STRING, "an alert")
        elif isinstance(command, ShowText):
            if command.label not in self._desired:
                raise DriverError(f"{self._name} has no {command.label!r} (layout: {self._settings.layout!r})")
            self._desired[command.label] = _fit(command.text, self._settings.string_size, command.label)
        else:
            raise DriverError(f"{self._name} only shows text, no {type(command).__name__}")
        return ()


def sign_text(text: str) -> str:
    """The text in the characters that a sign has: accents and inverted marks fall off, what is unknown becomes ?."""
    plain = unicodedata.normalize("NFKD", text.replace("¡", "").replace("¿", ""))
    kept = (char for char in plain if not unicodedata.combining(char))
    return "".join(char if " " <= char <= "~" else "?" for char in kept)


def _fit(text: str, size: int, what: str) -> str:
    """A longer text would empty the file: the sign does not cut it."""
    fitted = sign_text(text)
    if len(fitted) > size:
        raise DriverError(f"{what} has {len(fitted)} characters, the sign holds {size}")
    return fitted


def _setup_text(settings: Settings) -> str:
    files = settings.files
    parts = _FIELD.split(settings.layout)  # text, label, text, label, ...
    return "".join(f"\x10{files[part]}" if at % 2 else sign_text(part) for at, part in enumerate(parts))


def _answers(packet: AlphaPacket, file: str) -> bool:
    """A reading is answered with the write command, whatever the sign's own type and address."""
    return packet.type == RESPONSE and any(
        isinstance(command, WriteString) and command.label == file for command in packet.commands
    )
