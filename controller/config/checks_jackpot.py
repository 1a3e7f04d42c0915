"""Checks of a jackpot's terms: rates, start value, ceiling, odds, return, and rows that pay less than weaker hands."""

from fractions import Fraction
from itertools import pairwise

from controller.config.faults import Key
from controller.config.findings import Findings
from controller.config.jackpot import Jackpot
from controller.config.returns import (
    carta_magica_chance,
    chance,
    expected_trigger_minor,
    jugador_afortunado_chance,
    returns,
    row_minor,
)
from controller.config.table import Table
from controller.config.texts import percent, written
from controller.core.hands import Category
from controller.core.money import BASIS_POINTS, Currency

LONGEST_ODDS = 100_000_000


def check_jackpot(table: Table, index: int, money: Currency, findings: Findings) -> None:
    jackpot, here = table.jackpot, ("tables", index, "jackpot")
    _check_kind(table, here, findings)
    if jackpot.kind == "none":
        return
    _check_rates(table, here, findings)
    _check_credit(table, here, money, findings)
    if jackpot.kind == "progressive":
        _check_start(table, here, money, findings)
        _check_ceiling(jackpot, here, money, findings)
    _check_odds(table, index, findings)
    _check_return(table, here, findings)
    _check_order(jackpot, here, money, findings)


def _check_kind(table: Table, here: Key, findings: Findings) -> None:
    jackpot = table.jackpot
    percents = [category for category, row in jackpot.prizes.items() if row.percent is not None]
    if jackpot.kind == "none":
        if table.carousel is not None:
            findings.refuse((*here, "kind"), f"the table is linked to {table.carousel!r} and needs a jackpot")
        return
    draws = table.draws.carta_magica or table.draws.jugador_afortunado
    if not jackpot.prizes and draws is None:
        findings.refuse((*here, "prizes"), "missing, and no draw either: nothing to win (art. 53)")
    if jackpot.kind == "progressive" and not percents:
        findings.refuse((*here, "kind"), "progressive, but no row pays a percentage of the meter")
    if jackpot.kind == "fixed":
        for category in percents:
            findings.refuse((*here, "prizes", category.value), "a fixed jackpot has no meter to take a percentage of")
        if table.carousel is not None:
            findings.refuse((*here, "kind"), f"fixed: nothing to link to carousel {table.carousel!r}")
        for name in ("contribution_bp", "reserve_bp", "start"):
            if getattr(jackpot, name):
                findings.refuse((*here, name), "a fixed jackpot has no meter")
    if jackpot.options.bonus_cards == "first_five" and table.game != "oasis":
        text = 'hold\'em boxes get two cards: "best_of_seven" or "hole_and_flop"'
        findings.refuse((*here, "options", "bonus_cards"), text)
    if jackpot.options.bonus_cards != "first_five" and table.game == "oasis":
        findings.refuse((*here, "options", "bonus_cards"), "Oasis: the box's first five cards count (art. 51)")


def _check_rates(table: Table, here: Key, findings: Findings) -> None:
    jackpot = table.jackpot
    parts = jackpot.contribution_bp + jackpot.reserve_bp + table.draws.pools_bp
    if parts > BASIS_POINTS:
        findings.refuse((*here, "contribution_bp"), f"contribution, reserve and draw pool take {parts} bp of 10000")
    if jackpot.kind == "progressive" and not jackpot.contribution_bp:
        findings.refuse((*here, "contribution_bp"), "a progressive meter grows by a share of each bet (art. 57)")


def _check_credit(table: Table, here: Key, money: Currency, findings: Findings) -> None:
    """Art. 49: the credits' value is never above the table minimum; the circle game has its big blind there."""
    jackpot = table.jackpot
    if table.circle is not None:
        minimum, name = table.circle.blinds.big, "big blind"
    else:
        minimum, name = table.limits.minimum, "table minimum"
    if jackpot.credit > minimum:
        text = f"one credit of {written(jackpot.credit, money)} is above the {name} of {written(minimum, money)}"
        findings.refuse((*here, "credit"), f"{text} (art. 49)")
    elif jackpot.credit * jackpot.max_credits > minimum:
        text = f"{jackpot.max_credits} credits are above the {name} of {written(minimum, money)}:"
        findings.warn((*here, "max_credits"), f"{text} at most {minimum // jackpot.credit} will be taken (art. 49)")


def _check_start(table: Table, here: Key, money: Currency, findings: Findings) -> None:
    jackpot, options = table.jackpot, table.jackpot.options
    bound = options.start_at_least_bets * table.lowest_bet
    start = written(jackpot.start, money)
    if jackpot.start < bound:
        lowest = written(table.lowest_bet, money)
        text = f"{start} is below {options.start_at_least_bets:,} × the lowest jackpot bet of {lowest}"
        findings.refuse((*here, "start"), f"{text}: at least {written(bound, money)} (art. 57)")
    if options.start_at_least_fixed:
        highest = max((row.fixed or 0 for row in jackpot.prizes.values()), default=0)
        if jackpot.start < highest:
            findings.refuse((*here, "start"), f"{start} is below the highest fixed prize of {written(highest, money)}")
    if options.start_at_most_small_blinds is not None and table.circle is not None:
        most = options.start_at_most_small_blinds * table.circle.blinds.small
        if jackpot.start > most:
            findings.refuse((*here, "start"), f"{start} is above {written(most, money)}, the bound in small blinds")


def _check_ceiling(jackpot: Jackpot, here: Key, money: Currency, findings: Findings) -> None:
    if jackpot.ceiling is None:
        return
    if jackpot.ceiling < jackpot.start:
        findings.refuse((*here, "ceiling"), f"below the start value of {written(jackpot.start, money)}")
    trigger = expected_trigger_minor(jackpot)
    if trigger is not None and trigger > jackpot.ceiling:
        findings.warn((*here, "ceiling"), f"the expected trigger value is {written(trigger, money)}, above the ceiling")


def _check_odds(table: Table, index: int, findings: Findings) -> None:
    jackpot = table.jackpot
    chances = {("jackpot", "prizes", category.value): chance(jackpot, category) for category in jackpot.prizes}
    if table.draws.carta_magica is not None:
        chances["draws", "carta_magica", "every"] = carta_magica_chance(table, table.draws.carta_magica)
    if table.draws.jugador_afortunado is not None:
        drawn = jugador_afortunado_chance(table, table.draws.jugador_afortunado)
        chances["draws", "jugador_afortunado", "every"] = drawn
    for key, won in chances.items():
        if won * LONGEST_ODDS < 1:
            findings.refuse(("tables", index, *key), f"odds of {int(1 / won):,} to 1 are longer than 100,000,000 to 1")


def _check_return(table: Table, here: Key, findings: Findings) -> None:
    highest = max(returns(table), key=lambda one: one.total)
    lowest = min(returns(table), key=lambda one: one.total)
    options = table.jackpot.options
    if highest.total > 1 and not options.accept_return_over_100:
        text = f"in the long run {percent(highest.total)} of a bet of {highest.credits} credit(s) comes back"
        findings.refuse((*here, "prizes"), f"{text}; accept_return_over_100 = true would accept it")
    elif highest.total > 1:
        findings.warn((*here, "prizes"), f"in the long run {percent(highest.total)} of a bet comes back")
    if lowest.total < Fraction(options.return_at_least_bp, BASIS_POINTS):
        bound = percent(Fraction(options.return_at_least_bp, BASIS_POINTS))
        text = f"{percent(lowest.total)} of a bet of {lowest.credits} credit(s) is returned, at least {bound} is wanted"
        findings.refuse((*here, "prizes"), text)


def _check_order(jackpot: Jackpot, here: Key, money: Currency, findings: Findings) -> None:
    """A stronger hand that is paid less than a weaker one, with the meter at its start value."""
    rows = [category for category in Category if category in jackpot.prizes]
    for stronger, weaker in pairwise(rows):
        at = [
            credits
            for credits in range(1, jackpot.max_credits + 1)
            if row_minor(jackpot, stronger, credits, jackpot.start) < row_minor(jackpot, weaker, credits, jackpot.start)
        ]
        if not at:
            continue
        span = str(at[0]) if len(at) == 1 else f"{at[0]} to {at[-1]}"
        low = row_minor(jackpot, stronger, at[0], jackpot.start)
        high = row_minor(jackpot, weaker, at[0], jackpot.start)
        where = " at the start value" if jackpot.kind == "progressive" else ""
        text = f"on {span} credit(s){where} it pays less than {weaker.value}:"
        findings.warn((*here, "prizes", stronger.value), f"{text} {written(low, money)} against {written(high, money)}")
