"""Captured DCON lines explained; whether a checksum is on is told by what each line can mean."""

import re
from collections.abc import Mapping
from typing import Any

from drivers.capture import Direction, Item, damaged
from drivers.dcon_io.codec import REPLY_LEADS, REQUEST_LEADS, DconCodec, Frame, checksum_of

_COUNTER_MODULUS = 65536
_HEX = "[0-9A-F]"
_ADDRESS = f"{_HEX}{{2}}"
_FORMS = [
    rf"\${_ADDRESS}[0-9A-Z]",
    rf"\${_ADDRESS}(C{_HEX}|L[01]|LS|[LC][01]{_HEX})",
    rf"#{_ADDRESS}({_HEX}|{_HEX}{{4}})?",
    r"#\*\*|~\*\*",
    rf"%{_ADDRESS}{_ADDRESS}{_HEX}{{6}}",
    rf"@{_ADDRESS}({_HEX}{{4}})?",
    rf"~{_ADDRESS}([012]|3[01]{_ADDRESS}|[45][PSV]?|O.{{1,6}})",
    rf"[!?]{_ADDRESS}",
    r"[>!]",
    rf">{_HEX}{{4}}",
    rf"!{_ADDRESS}[01]",
    rf"!{_ADDRESS}{_HEX}{{2}}",
    rf"!{_ADDRESS}([0-9]{{4}}[A-Z]?|[0-9]{{5}}[A-Z])",
    rf"!{_ADDRESS}[0-6][0-9]{{4}}",
    rf"!{_ADDRESS}{_HEX}{{2}}(0[3-9A]){_HEX}{{2}}",
    rf"!({_ADDRESS})?{_HEX}{{4}}00",
]
_FORM = re.compile("|".join(f"(?:{form})" for form in _FORMS))
_CHECK = re.compile(f"{_HEX}{{2}}")
_LEVELS = re.compile(rf"!(?P<address>{_ADDRESS})??(?P<data>{_HEX}{{4}})00")
_MODEL = re.compile(rf"!{_ADDRESS}(?P<model>[0-9]{{4}}[A-Z]?|[0-9]{{5}}[A-Z])")
_CONFIGURATION = re.compile(rf"!{_ADDRESS}{_HEX}{{2}}0[3-9A]{_HEX}{{2}}")
_OUTPUTS = re.compile(rf"#{_ADDRESS}(?P<group>{_HEX}{{2}})(?P<data>{_HEX}{{2}})")
_CONFIGURE = re.compile(
    rf"%{_ADDRESS}(?P<new_address>{_ADDRESS})(?P<type>{_HEX}{{2}})(?P<baud_code>{_HEX}{{2}})(?P<format>{_HEX}{{2}})"
)
_TRIPPED, _ENABLED = 0x04, 0x80
_ADDRESSED = re.compile(rf"[$#%@~!?]{_ADDRESS}.*")


def read(data: bytes, direction: Direction | None, state: Mapping[str, Any] | None) -> list[Item]:
    """All of a capture. `state` may hold `last_counter` (None: never read) and `reset_seen`, as known before it."""
    codec = DconCodec(checksum=False, leads=REPLY_LEADS + REQUEST_LEADS)
    items: list[Item] = []
    for at in range(len(data)):
        found = codec.feed(data[at : at + 1], 0.0)
        if found.junk:
            _add_noise(items, found.junk)
        items += [_line(frame, state) for frame in found.frames]
    if codec.pending:
        items.append(damaged(codec.pending, "short"))
    return [_silent(item) if direction is Direction.HOST_TO_DEVICE else item for item in items]


def _add_noise(items: list[Item], junk: bytes) -> None:
    if items and not items[-1].frames:
        junk = items.pop().raw + junk
    items.append(Item(junk))


def _silent(item: Item) -> Item:
    """A request that no module understands gets no answer."""
    if item.good or not item.frames:
        return item
    return Item(item.raw, (item.frames[0] | {"reply": "none", "host_action": "time out, then retry"},))


def _line(found: Frame, state: Mapping[str, Any] | None) -> Item:
    """A known form with a fitting checksum, a known form without one, a known form with a wrong one, any other text."""
    text = found.text
    body, check = text[:-2], text[-2:]
    closed = bool(_CHECK.fullmatch(check))
    fits = closed and len(body) > 0 and checksum_of(body) == check
    known = bool(_FORM.fullmatch(body))
    if fits and (known or _ADDRESSED.fullmatch(body)):
        frame = Frame(body, True, found.raw)
    elif _FORM.fullmatch(text) or (_ADDRESSED.fullmatch(text) and not (closed and known)):
        frame = found
    else:
        reason = "checksum" if closed and known else "syntax"
        return Item(found.raw, ({"text": text, "valid": False, "reason": reason},))
    return Item(found.raw, (describe(frame, state),), True, not frame.is_reply)


def describe(frame: Frame, state: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """One line as named fields, a counter reply also as what it adds to `state`."""
    fields = frame.describe()
    text = frame.text
    levels, model = _LEVELS.fullmatch(text), _MODEL.fullmatch(text)
    head = {key: fields[key] for key in ("text", "valid", "checksum")}
    if levels and not _CONFIGURATION.fullmatch(text):
        address = {"address": levels["address"]} if levels["address"] else {}
        return {**head, **address, "data": levels["data"]}
    if model and "counter" not in fields:
        return {**head, "address": frame.address, "model": model["model"]}
    if text == "~**":
        return {**head, "address": "**", "command": "host ok", "reply": "none"}
    if not _ADDRESSED.fullmatch(text):
        fields.pop("address", None)
    if not frame.is_reply:
        return fields | _asked(text)
    if "status" in fields:
        status = int(fields["status"], 16)
        fields |= {"tripped": bool(status & _TRIPPED), "enabled": bool(status & _ENABLED)}
    if "counter" in fields and state is not None and "last_counter" in state:
        fields |= _counted(fields["counter"], state)
    return fields


def _asked(text: str) -> dict[str, Any]:
    """Writes: all outputs as the numbers of those on, or one; a new configuration."""
    outputs, configuration = _OUTPUTS.fullmatch(text), _CONFIGURE.fullmatch(text)
    if outputs and outputs["group"] == "00":
        mask = int(outputs["data"], 16)
        return {"on": [number for number in range(8) if mask >> number & 1]}
    if outputs and outputs["group"][0] in "1A" and outputs["data"] in ("00", "01"):
        return {"channel": int(outputs["group"][1], 16), "value": outputs["data"] == "01"}
    return dict(configuration.groupdict()) if configuration else {}


def _counted(counter: int, state: Mapping[str, Any]) -> dict[str, Any]:
    """Counts by difference; after a reset the value is a baseline, and the counts around it have no upper bound."""
    last = state["last_counter"]
    if state.get("reset_seen"):
        return {"device_reset": True, "new": 0, "lost_min": counter, "lost_max": None}
    if last is None:
        return {"baseline": True, "new": 0}
    return {"new": (counter - last) % _COUNTER_MODULUS}
