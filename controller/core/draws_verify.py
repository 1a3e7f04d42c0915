"""Every draw of a table's journal recomputed from its export alone, as a third party would (promise: draws)."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from controller.core.draws import (
    CARTA_MAGICA,
    SEATS,
    SEED_BYTES,
    DrawContext,
    commitment_of,
    draw_card,
    draw_position,
    draw_seats,
)

MOST_BOXES = 10
"""Boxes of the largest table that the configuration takes."""
RESTORED = "restored"
FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in an export that does not hold; `seq` is the entry that shows it."""

    seq: int
    name: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Verification:
    """How many draws were recomputed, what did not hold, and how many were called off since their source had failed.

    left: entries of chains that took the place of one with seeds left, and why. boxes: how many the widest list of
    positions names as all of the table's, for whoever knows the table; 0 = none did.
    """

    draws: int = 0
    called_off: int = 0
    findings: tuple[Finding, ...] = ()
    left: tuple[tuple[int, str], ...] = ()
    boxes: int = 0


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the entries before have told: the seed published last, the next index, the closed hand.

    excuse: why the chain may be left now: its source failed, or a backup was restored. boxes: the table's, 0: not told.
    """

    commitment: str = ""
    next_index: int = 0
    length: int = 0
    hand: int = 0
    list_hash: str = ""
    wanted: tuple[str, ...] = ()
    betting: frozenset[int] = frozenset()
    antes: frozenset[int] = frozenset()
    boxes: int = 0
    excuse: str = ""
    outside: str = ""
    verification: Verification = field(default_factory=Verification)


def hash_of_list(rows: object) -> str:
    """SHA-256 of a frozen list: its JSON with sorted keys and no blanks, in hexadecimal."""
    return hashlib.sha256(json.dumps(rows, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def verify_draws(
    site: str, table: str, incarnation: str, entries: Iterable[tuple[int, str, Mapping[str, Any]]]
) -> Verification:
    """Findings over the entries (seq, kind, body) of one table's export, in order; other kinds are skipped.

    Held against the entries: each seed is the one committed before, a frozen list has the hash it says, a hand is drawn
    once and only for the kinds wanted at no va más, only a void hand lacks its draw or one whose source failed (told
    apart), the outside input is the one the bets were closed with, no box with a jackpot bet is
    missing from the positions and none is there that is not the table's, and every result follows from seed and list. A
    chain is drawn from to its end, unless its source failed or a backup was restored. A journal restored from a backup
    goes on under a new incarnation, and so do its draws.
    """
    seen = _Seen()
    for seq, kind, body in entries:
        match kind:
            case "journal.restored":
                incarnation = body["incarnation"]
                seen = replace(seen, excuse=RESTORED, wanted=())  # the hand of the backup is nobody's to end
            case "settings.file":
                seen = replace(seen, boxes=0)
            case "draw.chain":
                seen = _begun(seen, seq, body)
            case "bets.closed":
                seen = _closed(seen, seq, body)
            case "draw.made":
                seen = _drawn(seen, seq, body, (site, table, incarnation))
            case "draw.seats":
                seen = _seats_drawn(seen, seq, body, (site, table, incarnation))
            case "draw.source_failed":
                off = seen.verification.called_off + len(body["called_off"])
                wanted = () if body["called_off"] else seen.wanted
                told = replace(seen.verification, called_off=off)
                seen = replace(seen, wanted=wanted, verification=told, excuse=body.get("why") or FAILED)
            case "hand.over" if seen.wanted:  # no hand ends before its draw is made
                seen = replace(_expect(seen, seq, "draw_missing", "", " ".join(seen.wanted)), wanted=())
            case "hand.void" if body["hand"] == seen.hand:
                seen = replace(seen, wanted=())
            case _:
                continue
    return seen.verification


def _begun(seen: _Seen, seq: int, body: Mapping[str, Any]) -> _Seen:
    """A new chain: one that is left with seeds in it needs a reason: whoever knows them knows what they would draw."""
    if 1 <= seen.next_index <= seen.length:
        if seen.excuse:
            left = (*seen.verification.left, (seq, seen.excuse))
            seen = replace(seen, verification=replace(seen.verification, left=left))
        else:
            seen = _expect(seen, seq, "chain_left", str(seen.length), str(seen.next_index - 1))
    return replace(seen, commitment=body["commitment"], next_index=1, length=body["length"], excuse="")


def _closed(seen: _Seen, seq: int, body: Mapping[str, Any]) -> _Seen:
    seen = _expect(seen, seq, "draw_missing", "", " ".join(seen.wanted))
    checked = _expect(seen, seq, "list_hash", hash_of_list(body["list"]), body["list_hash"])
    betting = frozenset(row["seat"] for row in body["list"] if row["credits"])
    wanted = tuple(body["draws"])
    outside = body.get("outside", "")
    antes = frozenset(row["seat"] for row in body["list"])
    told = replace(checked, hand=body["hand"], list_hash=body["list_hash"], wanted=wanted, betting=betting)
    return replace(told, outside=outside, antes=antes)


def _drawn(seen: _Seen, seq: int, body: Mapping[str, Any], where: tuple[str, str, str]) -> _Seen:
    seed = _seed_of(body)
    if seed is None:
        return _expect(seen, seq, "seed", f"{SEED_BYTES} bytes", str(body["seed"]))
    seen = _expect_next_seed(seen, seq, body, seed)
    seen = _expect(seen, seq, "hand", str(seen.hand), str(body["hand"]))
    seen = _expect(seen, seq, "list_hash", seen.list_hash, body["list_hash"])
    seen = _expect(seen, seq, "outside", seen.outside, body.get("outside", ""))
    seen = _expect(seen, seq, "kinds", " ".join(seen.wanted), " ".join(kind for kind, _, _ in body["results"]))
    for kind, outcome, positions in body["results"]:
        context = DrawContext(*where, body["hand"], kind, body["list_hash"], body.get("outside", ""))
        seen = _expect(seen, seq, kind, _recomputed(seed, context, positions), outcome)
        if kind != CARTA_MAGICA:
            seen = _expect_positions(seen, seq, positions)
        made = seen.verification.draws + 1
        seen = replace(seen, verification=replace(seen.verification, draws=made))
    # A hand is drawn once: a second draw for the same closed list wants no kinds any more.
    return replace(seen, commitment=body["seed"], next_index=body["index"] + 1, wanted=(), excuse="")


def _expect_positions(seen: _Seen, seq: int, positions: list[int]) -> _Seen:
    """The boxes that bet, those that play, or all of the table (reading O-p), each once and in order.

    How many the table has is what the first list of all of them says, until its file is read again.
    """
    if missing := seen.betting.difference(positions):
        return _expect(seen, seq, "missing_positions", "", _row(missing))
    if positions in (sorted(seen.betting), sorted(seen.antes)):
        return seen
    boxes = seen.boxes or min(len(positions), MOST_BOXES)
    seen = replace(seen, boxes=boxes)
    widest = max(seen.verification.boxes, boxes)
    seen = replace(seen, verification=replace(seen.verification, boxes=widest))
    return _expect(seen, seq, "extra_positions", _row(range(1, boxes + 1)), " ".join(map(str, positions)))


def _row(seats: Iterable[int]) -> str:
    return " ".join(map(str, sorted(seats)))


def _seats_drawn(seen: _Seen, seq: int, body: Mapping[str, Any], where: tuple[str, str, str]) -> _Seen:
    """The seats of a circle game follow from seed, players in order of arrival, and the seats there are."""
    seed = _seed_of(body)
    if seed is None:
        return _expect(seen, seq, "seed", f"{SEED_BYTES} bytes", str(body["seed"]))
    seen = _expect_next_seed(seen, seq, body, seed)
    seen = _expect(seen, seq, "list_hash", hash_of_list(body["players"]), body["list_hash"])
    context = DrawContext(*where, body["hand"], SEATS, body["list_hash"])
    drawn = draw_seats(seed, context, len(body["players"]), body["free"])
    seen = _expect(seen, seq, SEATS, str(list(drawn)), str(list(body["seats"])))
    made = replace(seen.verification, draws=seen.verification.draws + 1)
    return replace(seen, commitment=body["seed"], next_index=body["index"] + 1, verification=made, excuse="")


def _seed_of(body: Mapping[str, Any]) -> bytes | None:
    try:
        seed = bytes.fromhex(body["seed"])
    except ValueError:
        return None
    return seed if len(seed) == SEED_BYTES else None


def _expect_next_seed(seen: _Seen, seq: int, body: Mapping[str, Any], seed: bytes) -> _Seen:
    """The seed is the one committed before, at its place in the chain."""
    seen = _expect(seen, seq, "commitment", seen.commitment, commitment_of(seed).hex())
    seen = _expect(seen, seq, "index", str(seen.next_index), str(body["index"]))
    if body["index"] > seen.length:
        seen = _expect(seen, seq, "index", f"at most {seen.length}", str(body["index"]))
    return seen


def _recomputed(seed: bytes, context: DrawContext, positions: list[int]) -> str:
    if context.kind == CARTA_MAGICA:
        return str(draw_card(seed, context))
    return str(draw_position(seed, context, positions)) if positions else ""


def _expect(seen: _Seen, seq: int, name: str, expected: str, found: str) -> _Seen:
    if expected == found:
        return seen
    findings = (*seen.verification.findings, Finding(seq, name, expected, found))
    return replace(seen, verification=replace(seen.verification, findings=findings))
