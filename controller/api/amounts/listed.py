"""Every amount that this node shows now, on its tables' screens, its signage and its panel, with its address."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.api.amounts.awards import told_of
from controller.api.amounts.circle import figure_minor, paid_pots
from controller.api.amounts.derived import HELD, ROYAL, TAKEN, hand_prizes, limit_lines, part_minor
from controller.api.amounts.held import held_of
from controller.api.amounts.otherwise import OTHERWISE
from controller.api.amounts.settings import settings_minor
from controller.api.amounts.trace import Facts
from controller.api.context import ApiPorts
from controller.api.house_rules import maximum_bet
from controller.api.origin import copy_at, ledger_of
from controller.api.prize_views import OPEN, prizes_of
from controller.core.games.holdem_circle import HoldemCircle
from controller.engine.ledger_state import LedgerState
from controller.engine.table_state import JackpotKind


@dataclass(frozen=True, slots=True)
class Shown:
    """One amount: its word, what tells it from others, minor units as they are shown, and its address."""

    what: str
    minor: int
    of: str
    facts: Facts = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        return {"what": self.what, "minor": self.minor, "of": self.of, "facts": dict(self.facts)}


def amounts_of_table(ports: ApiPorts, table: str) -> tuple[Shown, ...]:
    """What a table's screen and its page of the panel show."""
    prizes = (*_held(ports, table), *_prizes(ports, table))
    return (*_jackpot(ports, table), *prizes, *_chips(ports, table), *_settings(ports, table))


def _held(ports: ApiPorts, table: str) -> Iterator[Shown]:
    for what, micros in held_of(ports, table).items():
        if micros:
            yield Shown(what, ports.minor(micros), f"table/{table}/{what}", {"table": table})


def _jackpot(ports: ApiPorts, table: str) -> Iterator[Shown]:
    desk, carousel = ports.table(table), ports.config.table(table).carousel_id
    state, settings, at = desk.state, desk.settings, copy_at(ports, table)
    if settings.jackpot.kind is JackpotKind.PROGRESSIVE:
        meter = max(state.link.meter_micros, 0)
        yield Shown("meter", ports.minor(meter), f"carousel/{carousel}/meter{at}")
        yield from _limit(ports, state.link.ledger, at)
        for row in settings.jackpot.prizes.rows:
            if row.percent is not None:
                today = part_minor(meter, row.percent, settings.minor_micros)
                facts = {"category": row.category.value, "percent": row.percent}
                yield Shown("part", today, f"carousel/{carousel}/part/{row.percent}{at}", facts)
    account = state.link.account
    if account is not None:
        yield from _account(ports, state.link.ledger, table, at)
    for kind, micros in state.pools.items():
        yield Shown("draw_pool", ports.minor(micros), f"table/{table}/pool/{kind}", {"kind": kind})
    hand = state.hand
    bets = sum(hand.credits.values()) * settings.jackpot.credit_minor
    yield Shown("hand_bets", bets, f"table/{table}/hand/{hand.number}/bets", {"hand": hand.number})


def _limit(ports: ApiPorts, ledger: LedgerState, at: str = "") -> Iterator[Shown]:
    lines = limit_lines(ledger)
    if lines:
        whole = sum(line.micros for line in lines)
        yield Shown("limit", ports.minor(whole), f"carousel/{ledger.carousel}/limit{at}")


def _prizes(ports: ApiPorts, table: str) -> Iterator[Shown]:
    state = ports.table(table).state
    hands: set[int] = set()
    for prize in prizes_of(state):
        facts = {name: prize[name] for name in ("hand", "seat", "category")}
        yield Shown("prize", prize["amount_minor"], f"table/{table}/prize/{prize['id']}", facts)
        yield Shown("paid", prize["paid_minor"], f"table/{table}/paid/{prize['id']}", facts)
        for what, of in OTHERWISE.items():
            amount = of(prize)
            if amount is not None and (amount or what in ("due", "slip", "payable")) and _is_told(what, prize):
                yield Shown(what, amount, f"table/{table}/{what}/{prize['id']}", facts)
        yield from _before(ports, table, prize, facts)
        hands.add(prize["hand"])
    meter = ports.minor(max(state.link.meter_micros, 0))
    for hand in sorted(hands):
        for which in (HELD, TAKEN):
            whole = sum(amount for _, _, amount in hand_prizes(state, hand, which))
            if whole:
                yield Shown("prizes", whole, f"table/{table}/prizes/{hand}/{which}", {"hand": hand})
                yield Shown("before", meter + whole, f"table/{table}/before/{hand}/{which}", {"hand": hand})
        royals = hand_prizes(state, hand, ROYAL)
        if royals:
            told = sum(amount for _, _, amount in royals)
            yield Shown("royals", told, f"table/{table}/prizes/{hand}/{ROYAL}", {"hand": hand})


def _is_told(what: str, prize: Mapping[str, Any]) -> bool:
    """Whether people see another amount by this name than one that is listed already; of a prize that is paid or void
    nothing is left to pay."""
    if what in ("payable", "computed") and prize["status"] not in OPEN:
        return False
    return what not in ("due", "computed") or prize["override"] is not None or prize["difference_minor"] != 0


def _before(ports: ApiPorts, table: str, prize: Mapping[str, Any], facts: Facts) -> Iterator[Shown]:
    """The meter that an award was taken of, which the cheque shows beside its percentage."""
    ledger, key = ports.table(table).state.link.ledger, prize["id"].rpartition("/")[0]
    answered = ledger.awards.get(key)
    if prize["paid_by"] == "meter" and answered is not None:
        before = ports.minor(sum(balance.micros for balance in answered.before))
        yield Shown("meter_before", before, f"carousel/{ledger.carousel}/before/{key}", facts)


def _chips(ports: ApiPorts, table: str) -> Iterator[Shown]:
    desk = ports.table(table)
    game = desk.settings.game
    if not isinstance(game, HoldemCircle):
        return
    if desk.state.last is not None:
        number = desk.state.last.number
        for index, pot in enumerate(paid_pots(desk.state.last)):
            yield Shown("won", pot.amount - pot.rake, f"table/{table}/won/{number}/{index}", {"pot": index + 1})
    state = desk.state.hand.game
    for index in range(len(game.pots(state))):
        yield Shown("pot", figure_minor(game, state, "pot", index), f"table/{table}/pot/{index}", {"pot": index + 1})
    for player in state.table.players:
        for what in ("stack", "bet", "to_call", "rebuy"):
            chips = figure_minor(game, state, what, player.seat)
            if chips or what == "stack":
                yield Shown(what, chips, f"table/{table}/{what}/{player.seat}", {"seat": player.seat})


def _settings(ports: ApiPorts, table: str) -> Iterator[Shown]:
    for name, minor in settings_minor(ports.table(table).settings, maximum_bet(ports, table)).items():
        yield Shown("setting", minor, f"table/{table}/setting/{name}", {"setting": name})


def _account(ports: ApiPorts, ledger: LedgerState, table: str, at: str = "") -> Iterator[Shown]:
    account = ledger.tables[table]
    main = account.main_micros if account.in_carousel else 0
    micros = {
        "main": main,
        "reserve": account.reserve_micros,
        "overflow": account.overflow_micros,
        "start": account.start_micros,
    }
    for name, amount in micros.items():
        yield Shown(name, ports.minor(amount), f"carousel/{ledger.carousel}/{name}/{table}{at}", {"table": table})


def amounts_of_carousel(ports: ApiPorts, carousel: str) -> tuple[Shown, ...]:
    """What a carousel's signage and its part of the panel show."""
    ledger, here = ledger_of(ports, carousel)[1], f"carousel/{carousel}"
    shown = [Shown("meter", ports.minor(max(ledger.amount_micros, 0)), f"{here}/meter")]
    shown += _limit(ports, ledger)
    for table in ports.in_order(ledger.tables):
        shown += _account(ports, ledger, table)
    totals = {
        "contributions": ledger.contributions_micros,
        "funding": ledger.funding_micros,
        "adjustments": ledger.adjustments_micros,
        "awards": ledger.awards_micros,
        "transfers": ledger.moved_out_micros,
    }
    if ledger.orphans_micros:
        totals["orphans"] = ledger.orphans_micros
    shown += [Shown(name, ports.minor(micros), f"{here}/{name}") for name, micros in totals.items()]
    for key, answered in ledger.awards.items():
        name = answered.granted.name
        for row in answered.granted.rows:
            facts = {"table": name.table, "hand": name.hand, "seat": row.seat, "category": row.category}
            shown.append(Shown("award", row.amount_minor, f"{here}/award/{key}/{row.seat}", facts))
            paid, beside = told_of(ports, carousel, answered, row)
            if beside:
                shown.append(Shown("cash", paid + beside, f"{here}/cash/{key}/{row.seat}", facts))
    return tuple(shown)


def carousels_told(ports: ApiPorts) -> tuple[str, ...]:
    """The carousels whose ledger is here: those that this node hosts, and those that its tables have a copy of."""
    copies = {desk.state.link.ledger.carousel for desk in ports.tables.values()}
    return (*ports.hosts, *(each.id for each in ports.config.carousels if each.id in copies - set(ports.hosts)))
