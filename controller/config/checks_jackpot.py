"""Checks of a jackpot's terms: rates, start value, ceiling, odds, return, and rows that pay less than weaker hands."""

from fractions import Fraction
from itertools import pairwise

from controller.config.draw_chances import carta_magica_chance, jugador_afortunado_chance
from controller.config.faults import Key
from controller.config.figure_words import HANDS, credits_said
from controller.config.findings import Findings
from controller.config.jackpot import Jackpot
from controller.config.returns import (
    chance,
    expected_trigger_minor,
    returns,
    row_minor,
)
from controller.config.table import Table
from controller.config.texts import number, percent, said, written
from controller.core.hands import Category
from controller.core.money import BASIS_POINTS, Currency
from controller.engine.ledger_profiles import MOST_MICROS

LONGEST_ODDS = 100_000_000


def check_jackpot(table: Table, index: int, money: Currency, findings: Findings) -> None:
    jackpot, here = table.jackpot, ("tables", index, "jackpot")
    _check_kind(table, here, findings)
    if jackpot.kind == "none":
        return
    _check_rates(table, here, findings)
    _check_credit(table, here, money, findings)
    _check_size(table, here, money, findings)
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
            text = said("the table is linked to '{carousel}' and needs a jackpot", carousel=table.carousel)
            findings.refuse((*here, "kind"), text)
        return
    draws = table.draws.carta_magica or table.draws.jugador_afortunado
    if not jackpot.prizes and draws is None:
        findings.refuse((*here, "prizes"), said("missing, and no draw either: nothing to win (art. 53)"))
    if jackpot.kind == "progressive" and not percents:
        findings.refuse((*here, "kind"), said("progressive, but no row pays a percentage of the meter"))
    if jackpot.kind == "fixed":
        for category in percents:
            text = said("a fixed jackpot has no meter to take a percentage of")
            findings.refuse((*here, "prizes", category.value), text)
        if table.carousel is not None:
            text = said("fixed: nothing to link to carousel '{carousel}'", carousel=table.carousel)
            findings.refuse((*here, "kind"), text)
        for name in ("contribution_bp", "reserve_bp", "start"):
            if getattr(jackpot, name):
                findings.refuse((*here, name), said("a fixed jackpot has no meter"))
    if jackpot.options.bonus_cards == "first_five" and table.game != "oasis":
        text = said("hold'em boxes get two cards: best_of_seven or hole_and_flop")
        findings.refuse((*here, "options", "bonus_cards"), text)
    if jackpot.options.bonus_cards != "first_five" and table.game == "oasis":
        text = said("Oasis: the box's first five cards count (art. 51)")
        findings.refuse((*here, "options", "bonus_cards"), text)


def _check_rates(table: Table, here: Key, findings: Findings) -> None:
    jackpot = table.jackpot
    parts = jackpot.contribution_bp + jackpot.reserve_bp + table.draws.pools_bp
    if parts > BASIS_POINTS:
        text = said("contribution, reserve and draw pools take {parts} bp of 10000", parts=parts)
        findings.refuse((*here, "contribution_bp"), text)
    if jackpot.kind == "progressive" and not jackpot.contribution_bp:
        text = said("a progressive meter grows by a share of each bet (art. 57)")
        findings.refuse((*here, "contribution_bp"), text)


def _check_credit(table: Table, here: Key, money: Currency, findings: Findings) -> None:
    """Art. 49: the credits' value is never above the table minimum; the circle game has its big blind there."""
    jackpot = table.jackpot
    if table.circle is not None:
        minimum, name = table.circle.blinds.big, said("big blind")
    else:
        minimum, name = table.limits.minimum, said("table minimum")
    if jackpot.credit > minimum:
        facts = {"credit": written(jackpot.credit, money), "name": name, "minimum": written(minimum, money)}
        text = said("one credit of {credit} is above the {name} of {minimum} (art. 49)", **facts)
        findings.refuse((*here, "credit"), text)
    elif jackpot.credit * jackpot.max_credits > minimum:
        most = minimum // jackpot.credit
        limit = {"credits": jackpot.max_credits, "name": name, "minimum": written(minimum, money), "most": most}
        text = said(
            "{credits} credits are above the {name} of {minimum}: at most {most} will be taken (art. 49)", **limit
        )
        findings.warn((*here, "max_credits"), text)


def _check_size(table: Table, here: Key, money: Currency, findings: Findings) -> None:
    """What a carousel's host takes of a table: amounts that still fit with room for sums."""
    jackpot = table.jackpot
    rate_bp = jackpot.contribution_bp + jackpot.reserve_bp
    hand = table.unreasonable_credits_per_hand * jackpot.credit * rate_bp * (money.minor_micros // BASIS_POINTS)
    rows = {("prizes", category.value): row.fixed or 0 for category, row in jackpot.prizes.items()}
    sums = {("ceiling",): jackpot.ceiling or 0, ("start",): jackpot.start}
    large = {key: minor * money.minor_micros for key, minor in sums.items()} | rows
    for key, micros in ({("unreasonable_credits_per_hand",): hand} | large).items():
        if micros > MOST_MICROS:
            findings.refuse((*here, *key), said("more than a carousel's ledger takes"))


def _check_start(table: Table, here: Key, money: Currency, findings: Findings) -> None:
    jackpot, options = table.jackpot, table.jackpot.options
    bound = options.start_at_least_bets * table.lowest_bet
    start = written(jackpot.start, money)
    if jackpot.start < bound:
        lowest = written(table.lowest_bet, money)
        facts = {"start": start, "bets": number(options.start_at_least_bets), "lowest": lowest}
        text = said(
            "{start} is below {bets} × the lowest jackpot bet of {lowest}: at least {bound} (art. 57)",
            **facts,
            bound=written(bound, money),
        )
        findings.refuse((*here, "start"), text)
    if options.start_at_least_fixed:
        highest = max((row.fixed or 0 for row in jackpot.prizes.values()), default=0)
        if jackpot.start < highest:
            facts = {"start": start, "highest": written(highest, money)}
            findings.refuse((*here, "start"), said("{start} is below the highest fixed prize of {highest}", **facts))
    if options.start_at_most_small_blinds is not None and table.circle is not None:
        most = options.start_at_most_small_blinds * table.circle.blinds.small
        if jackpot.start > most:
            facts = {"start": start, "most": written(most, money)}
            findings.refuse((*here, "start"), said("{start} is above {most}, the bound in small blinds", **facts))


def _check_ceiling(jackpot: Jackpot, here: Key, money: Currency, findings: Findings) -> None:
    if jackpot.ceiling is None:
        return
    if jackpot.ceiling < jackpot.start:
        findings.refuse(
            (*here, "ceiling"), said("below the start value of {start}", start=written(jackpot.start, money))
        )
    trigger = expected_trigger_minor(jackpot)
    if trigger is not None and trigger > jackpot.ceiling:
        text = said("the expected trigger value is {trigger}, above the ceiling", trigger=written(trigger, money))
        findings.warn((*here, "ceiling"), text, "trigger_above_ceiling")


def _check_odds(table: Table, index: int, findings: Findings) -> None:
    jackpot = table.jackpot
    chances = {("jackpot", "prizes", category.value): chance(jackpot, category) for category in jackpot.prizes}
    if table.draws.carta_magica is not None:
        chances["draws", "carta_magica", "every"] = carta_magica_chance(table, table.draws.carta_magica)
    if table.draws.jugador_afortunado is not None:
        drawn = jugador_afortunado_chance(table, table.draws.jugador_afortunado)
        chances["draws", "jugador_afortunado", "every"] = drawn
    longest = number(LONGEST_ODDS)
    for key, won in chances.items():
        if won * LONGEST_ODDS < 1:
            text = said(
                "odds of {odds} to 1 are longer than {longest} to 1", odds=number(int(1 / won)), longest=longest
            )
            findings.refuse(("tables", index, *key), text)


def _check_return(table: Table, here: Key, findings: Findings) -> None:
    highest = max(returns(table), key=lambda one: one.total)
    lowest = min(returns(table), key=lambda one: one.total)
    options = table.jackpot.options
    if highest.total > 1 and not options.accept_return_over_100:
        text = said(
            "in the long run {total} of {credits} comes back; accept_return_over_100 = true accepts it",
            total=percent(highest.total),
            credits=credits_said(highest.credits),
        )
        findings.refuse((*here, "prizes"), text)
    elif highest.total > 1:
        text = said("in the long run {total} of a bet comes back", total=percent(highest.total))
        findings.warn((*here, "prizes"), text)
    if lowest.total < Fraction(options.return_at_least_bp, BASIS_POINTS):
        bound = percent(Fraction(options.return_at_least_bp, BASIS_POINTS))
        facts = {"total": percent(lowest.total), "credits": credits_said(lowest.credits), "bound": bound}
        text = said("{total} of a bet of {credits} is returned, at least {bound} is wanted", **facts)
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
        span = credits_said(at[0]) if len(at) == 1 else said("{first} to {last} credits", first=at[0], last=at[-1])
        low = row_minor(jackpot, stronger, at[0], jackpot.start)
        high = row_minor(jackpot, weaker, at[0], jackpot.start)
        facts = {"span": span, "weaker": HANDS[weaker], "low": written(low, money), "high": written(high, money)}
        if jackpot.kind == "progressive":
            text = said(
                "with {span} and the meter at its start value it pays less than {weaker}: {low} against {high}", **facts
            )
        else:
            text = said("with {span} it pays less than {weaker}: {low} against {high}", **facts)
        findings.warn((*here, "prizes", stronger.value), text, "pays_less")
