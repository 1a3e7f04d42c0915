"""Entries, accounts and devices in one line each, as people read the journal; their raw bodies stand behind a fold."""

from collections.abc import Mapping
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlsplit

from controller.api.texts import catalogue
from controller.engine.subjects import hands_of


class Names(Protocol):
    """What the words of a page know of the house."""

    @property
    def language(self) -> str: ...

    def table_name(self, table: object) -> str: ...

    def place_name(self, place: str) -> str: ...

    def person(self, login: str) -> str: ...

    def prize_name(self, prize: str) -> str: ...

    def carousel_name(self, carousel: str) -> str: ...

    def journal_name(self, journal: str) -> str: ...

    def approval_said(self, approval: str) -> str: ...

    def amount_said(self, address: str) -> str: ...

    def date(self, day: str) -> str: ...

    def month(self, name: str) -> str: ...

    def typed(self, day: str) -> str: ...

    def shift_name(self, shift: str) -> str: ...

    def setting_name(self, key: str) -> str: ...

    def setting_value(self, key: str, value: Any) -> str: ...

    def moment(self, wall_ms: int) -> str: ...

    def exact(self, micros: int) -> str: ...

    def amount(self, minor: int) -> str: ...


def account_said(names: Names, account: str) -> str:
    """An account of the postings, `pool.main:t1`, with the table whose pool it is."""
    kind, _, table = account.partition(":")
    said = catalogue(names.language).name("account", kind)
    return f"{said}, {names.table_name(table)}" if table else said


def entry_said(names: Names, entry: Mapping[str, Any]) -> str:
    """What an entry tells: its kind, which step of the game, record or act it holds, where and of whom; nothing twice,
    and nobody who stands beside it as the one who did it."""
    body = entry["body"]
    said = [*_what(names, entry["kind"], body), *_where(names, body, str(entry.get("actor", "")))]
    return " · ".join(dict.fromkeys(said))


def _what(names: Names, kind: str, body: Mapping[str, Any]) -> list[str]:
    texts = catalogue(names.language)
    event, record, act = body.get("event"), body.get("record"), body.get("act")
    if isinstance(event, Mapping):
        key = [texts.name("key", str(event["key"]))] if "key" in event else []
        return [texts.name("game_event", str(event.get("type", ""))), *key]
    said = [texts.name("entry", asked_for(kind, str(body.get("attempt", ""))))]
    if isinstance(record, Mapping):
        said.append(texts.name("entry", f"ledger.{record.get('kind', '')}"))
    if isinstance(act, Mapping) and isinstance(act.get("event"), Mapping):
        said.append(texts.name("act", str(act["event"].get("type", ""))))
    if kind.startswith("approval.") and isinstance(body.get("approval"), str):
        said.append(names.approval_said(body["approval"]))
    for name, group in (("alarm", "alarm"), ("code", "alarm"), ("part", "part")):
        if f"{group}.{body.get(name)}" in texts.texts:
            said.append(texts.text(f"{group}.{body[name]}"))
    if isinstance(body.get("of"), str) and body["of"]:
        said.append(thing_name(names, str(body.get("part", "")), body["of"]))
    if isinstance(body.get("taken"), str) and body["taken"]:
        said.append(taken_said(names, body["taken"]))
    return said


def hands_said(names: Names, body: Mapping[str, Any], own: str) -> str:
    """The hands that an entry tells of; with their table where it is not the one whose journal it is."""
    texts = catalogue(names.language)
    told = [
        f"{names.table_name(table)}, {texts.text('hand.number', hand=hand)}" if table not in ("", own) else str(hand)
        for table, hand in hands_of(body)
    ]
    return " · ".join(dict.fromkeys(told))


ASKED_FOR: Mapping[str, str] = {"approve": "approving", "own-pin": "own_pin"}
"""What a PIN was typed again for, by the beginning of the attempt's name; else it was a login."""


def asked_for(kind: str, attempt: str) -> str:
    """The kind of an entry about a login, `login.passed`; where a PIN was only typed again, with what for."""
    purpose = ASKED_FOR.get(attempt.partition("/")[0])
    return f"{kind}.{purpose}" if purpose and kind.startswith("login.") else kind


def thing_name(names: Names, part: str, of: str) -> str:
    """What was opened of a part, in words where it has any."""
    if part == "prizes":
        table, _, prize = of.partition(":")
        return ", ".join(name for name in (names.table_name(table), names.prize_name(prize) if prize else "") if name)
    if part == "approvals":
        return names.approval_said(of)
    if part == "journal" and of:
        return names.journal_name(of)
    if part == "amounts":
        return names.amount_said(of)
    return names.carousel_name(of) if of else ""


def taken_said(names: Names, taken: str) -> str:
    """A paper or a sheet that left the controller, in words; its address stands in the entry."""
    texts, asked = catalogue(names.language), urlsplit(taken)
    query = dict(parse_qsl(asked.query))
    place, _, form = asked.path.rpartition("/")[2].partition(".")
    if asked.path.endswith("/slip") and "prize" in query:
        table = asked.path.split("/tables/")[-1].split("/")[0]
        return texts.text("taken.slip", prize=f"{names.table_name(table)}, {names.prize_name(query['prize'])}")
    if asked.path.endswith("/export"):
        return texts.text("taken.export", journal=names.journal_name(asked.path.split("/")[-2]))
    if place in ("day", "month") and place in query:
        day = names.date(query[place]) if place == "day" else names.typed(query[place])
        return texts.text("taken.report", day=day, form=form.upper())
    known = place if place in ("shift", "liability") else "other"
    return texts.text(f"taken.{known}", form=form.upper())


def _where(names: Names, body: Mapping[str, Any], actor: str) -> list[str]:
    inner = body.get("event")
    facts = {**body, **inner} if isinstance(inner, Mapping) else body
    seat, place, login = facts.get("seat"), facts.get("place"), facts.get("login")
    said = []
    if isinstance(seat, int) and seat:
        said.append(names.place_name(f"seat-{seat}"))
    elif isinstance(place, str) and place:
        said.append(names.place_name(place.partition("/")[0]))
    if isinstance(login, str) and login not in ("", actor):
        said.append(names.person(login))
    return said


def device_said(names: Names, last: Mapping[str, Any]) -> str:
    """The newest thing a device told."""
    texts = catalogue(names.language)
    said = [texts.name("device_event", last["event"])]
    said += [f"{texts.name('fact', key)} {last[key]}" for key in ("input", "coin") if key in last]
    if "state" in last:
        said.append(texts.name("link", last["state"]))
    if "code" in last:
        code = str(last["code"])
        said.append(texts.name("device_fault", "refused" if code.startswith("refused_") else code))
    if last.get("cleared"):
        said.append(texts.text("devices.cleared"))
    return " · ".join(said)
