"""Anything that sends a tag or a line by itself: RFID and barcode readers, card shoes, shufflers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from drivers.device import Codec
from drivers.events import Event, LineRead, SensorFault
from drivers.line_reader.codec import PART_S, LineCodec, LineFrame, TagCodec, TagFrame
from drivers.listener import Listener
from drivers.settings import read_settings

TAG_KIND = "tag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One reader.

    `form` tag: STX, ten hex digits, check, ETX; `check` as its maker closes it. `form` line: `patterns` gives for each
    kind (card_dealt, card_shown, deck_ready, card_count, jam, shuffle_done, barcode, ...) the regular expression that a
    whole line must match; its named groups become the event's fields. `once_s`: the same tag or line again within this
    time is the same. `private`: kinds whose bytes are kept out of events, and of the frames that
    people see (track data).
    """

    form: Literal["tag", "line"] = "line"
    check: Literal["xor", "sum"] = "xor"
    patterns: Mapping[str, str] = field(default_factory=dict)
    once_s: float = 1.0
    part_s: float = PART_S
    serial: str = ""
    private: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.form == "line") is not bool(self.patterns):
            raise ValueError("patterns are needed for lines, and only for lines")
        if self.once_s < 0 or self.part_s <= 0:
            raise ValueError("once_s must not be negative, part_s must be positive")
        for kind, pattern in self.patterns.items():
            if not isinstance(pattern, str):
                raise ValueError(f"pattern of {kind} is no text")
            try:
                compiled = re.compile(pattern)
            except re.error as problem:
                raise ValueError(f"pattern of {kind}: {problem}") from problem
            if compiled.fullmatch(""):
                raise ValueError(f"pattern of {kind} matches an empty line")
        unknown = set(self.private) - set(self.patterns) - {TAG_KIND}
        if unknown:
            raise ValueError(f"private names unknown kinds: {', '.join(sorted(unknown))}")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str = "line_reader") -> "Settings":
        """SettingsError names unknown and missing keys."""
        return read_settings(cls, data, where)


class Reader(Listener):
    """The driver counts what it reads; the same again within `once_s` is told once."""

    offers = "reads"

    def __init__(self, name: str, settings: Settings, memory: Mapping[str, Any] | None) -> None:
        super().__init__(name, settings.serial, memory)
        self._settings = settings
        self._patterns = [(kind, re.compile(pattern)) for kind, pattern in settings.patterns.items()]
        tag = settings.form == "tag"
        self.codec: Codec = TagCodec(settings.check, settings.part_s) if tag else LineCodec(settings.part_s)
        self._last_told_s: dict[tuple[str, tuple[tuple[str, str], ...]], float] = {}
        self._puzzled = False

    def keeps(self, burst: bytes, frames: Sequence[TagFrame | LineFrame]) -> bytes:
        """All that was heard; of a reader that may read private data only the frames known to be something else."""
        if not self._settings.private:
            return burst
        known = [frame for frame in frames if self._kind(frame) not in (None, *self._settings.private)]
        return b"".join(frame.raw for frame in known)

    def _kind(self, frame: TagFrame | LineFrame) -> str | None:
        if isinstance(frame, TagFrame):
            return TAG_KIND
        return next((kind for kind, pattern in self._patterns if pattern.fullmatch(frame.text)), None)

    def on_frame(self, frame: TagFrame | LineFrame, now_s: float) -> Sequence[Event]:
        if isinstance(frame, TagFrame):
            return self._told(TAG_KIND, {"tag": frame.tag, "version": frame.version}, frame.raw, now_s)
        for kind, pattern in self._patterns:
            found = pattern.fullmatch(frame.text)
            if found is not None:
                fields = {key: value for key, value in found.groupdict().items() if value is not None}
                return self._told(kind, fields, frame.raw, now_s)
        return self._unknown(frame)

    def _told(self, kind: str, fields: dict[str, str], raw: bytes, now_s: float) -> Sequence[Event]:
        self._puzzled = False
        key = (kind, tuple(sorted(fields.items())))
        since_s = now_s - self._settings.once_s
        self._last_told_s = {seen: at_s for seen, at_s in self._last_told_s.items() if at_s > since_s}
        if key in self._last_told_s:
            return ()
        self._last_told_s[key] = now_s
        kept = b"" if kind in self._settings.private else raw
        return [LineRead(**self._counted(), raw=kept, kind=kind, fields=fields)]

    def _unknown(self, frame: LineFrame) -> Sequence[Event]:
        """Told once until a known line comes. What it said stays out: it may be track data."""
        if self._puzzled:
            return ()
        self._puzzled = True
        detail = f"a line of {len(frame.text)} characters fits no pattern"
        return [SensorFault(device=self._name, code="unknown_line", detail=detail, attention=False)]
