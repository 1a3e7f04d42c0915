"""A table's bets, followed entry by entry: a share of every bet is a contribution, and no other money is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.core.ledger import Entry
from tests.invariants.awards import CENTAVO
from tests.invariants.broken import hold

BASIS = 10_000


@dataclass(frozen=True)
class Stake:
    """What a credit is worth in micros, and the shares of main meter and reserve in basis points."""

    credit: int
    main_bp: int
    reserve_bp: int


@dataclass
class BetsBook:
    """credits: by hand and seat, as they were bet and withdrawn. locked: main and reserve of each closed hand.

    stake: of the hand in course; worth: what a credit was worth in each hand, as people may change it between hands.
    """

    table: str
    stake: Stake | None
    credits: dict[int, Counter[int]] = field(default_factory=dict)
    locked: dict[int, tuple[int, int]] = field(default_factory=dict)
    void: set[int] = field(default_factory=set)
    worth: dict[int, int] = field(default_factory=dict)

    def follow(self, entry: Entry) -> None:
        body = entry.body
        if self.stake is None or not isinstance(body.get("hand"), int):
            return
        match entry.kind:
            case "credit.wagered" | "credit.withdrawn":
                self._credit(entry.kind, body)
            case "bets.closed":
                self._close(body)
            case "hand.void":
                self._void(body)
            case "settings.effective":
                self._change(body["settings"])

    def _change(self, settings: Mapping[str, Any]) -> None:
        credit = settings["jackpot.credit"] * CENTAVO
        self.stake = Stake(credit, settings["jackpot.contribution_bp"], settings["jackpot.reserve_bp"])

    def _credit(self, kind: str, body: Mapping[str, Any]) -> None:
        assert self.stake is not None
        hand = body["hand"]
        self.worth[hand] = self.stake.credit
        hold(hand not in self.locked and hand not in self.void, f"{self.table}: a {kind} after hand {hand}'s lock")
        seats = self.credits.setdefault(hand, Counter())
        seats[body["seat"]] += body["credits"] if kind == "credit.wagered" else -body["credits"]
        hold(0 <= seats[body["seat"]] == body["total"], f"{self.table}: credits of hand {hand}: {seats}, {body}")

    def _close(self, body: Mapping[str, Any]) -> None:
        assert self.stake is not None
        hand = body["hand"]
        hold(hand not in self.locked, f"{self.table}: hand {hand} is closed twice")
        kept = Counter({row["seat"]: row["credits"] for row in body["list"] if row["credits"]})
        back = Counter(dict(body["returned"]))
        bet = self.credits.get(hand, Counter())
        hold(+bet == kept + back, f"{self.table}: hand {hand}: {bet} bet, {kept} locked, {back} returned")
        worth = sum(kept.values()) * self.stake.credit
        main, odd_main = divmod(worth * self.stake.main_bp, BASIS)
        reserve, odd_reserve = divmod(worth * self.stake.reserve_bp, BASIS)
        shares = body["contribution"]
        hold(not odd_main and not odd_reserve, f"{self.table}: a share of {worth} is not whole")
        hold(sum(shares.values()) == worth, f"{self.table}: hand {hand}: {shares} are not the bets, {worth}")
        said = (shares["meter_micros"], shares["reserve_micros"])
        hold(said == (main, reserve), f"{self.table}: hand {hand}: {said} contributed of {worth}")
        self.locked[hand] = said
        self.credits[hand] = kept

    def _void(self, body: Mapping[str, Any]) -> None:
        hand = body["hand"]
        hold(hand not in self.void, f"{self.table}: hand {hand} is void twice")
        self.void.add(hand)
        self.credits.pop(hand, None)

    def check(self, accounts: Mapping[str, int], counters: Iterable[tuple[int, int]]) -> None:
        """The counters are the shares of the bets that stand; what lies in `bets` are those of the open hand."""
        standing = [shares for hand, shares in self.locked.items() if hand not in self.void]
        took = tuple(sum(part) for part in zip((0, 0), *standing, strict=True))
        counted = tuple(sum(part) for part in zip((0, 0), *counters, strict=True))
        hold(took == counted, f"{self.table}: {took} of the bets, {counted} counted")
        bet = {hand: sum(seats.values()) * self.worth.get(hand, 0) for hand, seats in self.credits.items()}
        played = sum(bet.values())
        on_table = sum(micros for hand, micros in bet.items() if hand not in self.locked)
        self._same("bets", accounts.get("bets", 0), on_table)
        self._same("what patrons put in", -accounts.get("patrons", 0), played)

    def _same(self, what: str, said: int, found: int) -> None:
        hold(said == found, f"{self.table}, {what}: {said} is not {found}")
