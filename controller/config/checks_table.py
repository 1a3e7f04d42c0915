"""Checks of one table apart from its jackpot: seats, limits, decks, the circle game's terms, draws."""

from controller.config.base import Model
from controller.config.faults import Key
from controller.config.findings import Findings
from controller.config.table import Circle, Table
from controller.config.texts import Said, counted, said, written
from controller.core.money import Currency

HIGHEST_RAKE_BP = 500
SHORTEST_GAME_MINUTES = 60
LONGEST_ACTION_SECONDS = 60
COUNTDOWN_SECONDS = 10
MOST_BOXES = 7
CIRCLE_SEATS = (4, 10)
MOST_CREDITS = "a box may bet {count} credit at most (art. 49)", "a box may bet {count} credits at most (art. 49)"
"""Of one and of any other number."""


def check_table(table: Table, index: int, money: Currency, findings: Findings) -> None:
    here: Key = ("tables", index)
    _check_seats(table, here, findings)
    if table.limits.minimum > table.limits.maximum:
        text = said("below the minimum of {minimum}", minimum=written(table.limits.minimum, money))
        findings.refuse((*here, "limits", "maximum"), text)
    if table.game == "oasis" and not table.base.pays:
        findings.refuse((*here, "base", "pays"), said("missing: Oasis pays the second bet by this table (art. 10)"))
    _check_decks(table, here, findings)
    if table.game == "holdem-circle":
        if table.circle is None:
            findings.refuse((*here, "circle"), said("missing: blinds, buy-in and rake of the circle game"))
        else:
            _check_circle(table, table.circle, (*here, "circle"), money, findings)
    elif table.circle is not None:
        findings.refuse((*here, "circle"), said("{game} has no such terms", game=table.game))
    _check_inputs(table, here, money, findings)
    _check_reading(table, here, findings)
    _check_draws(table, here, findings)


def _check_seats(table: Table, here: Key, findings: Findings) -> None:
    lowest, highest = CIRCLE_SEATS if table.game == "holdem-circle" else (1, MOST_BOXES)
    if not lowest <= table.seats <= highest:
        facts = {"game": table.game, "lowest": lowest, "highest": highest, "seats": table.seats}
        findings.refuse((*here, "seats"), said("{game} has {lowest} to {highest} seats, not {seats}", **facts))
    sections: tuple[tuple[str, tuple[Model, ...]], ...] = (("inputs", table.inputs), ("outputs", table.outputs))
    for section, items in sections:
        for position, item in enumerate(items):
            seat = getattr(item, "seat", None)
            if seat is not None and seat > table.seats:
                findings.refuse((*here, section, position, "seat"), _seats(table))
    for position, reader in enumerate(table.readers):
        if reader.place.startswith("seat-") and int(reader.place.removeprefix("seat-")) > table.seats:
            findings.refuse((*here, "readers", position, "place"), _seats(table))


def _seats(table: Table) -> Said:
    return counted(table.seats, "the table has {count} seat", "the table has {count} seats")


def _check_decks(table: Table, here: Key, findings: Findings) -> None:
    if table.deck_use == "alternate" and len(table.decks) < 2:
        findings.refuse((*here, "decks"), said("two decks used in turn: the second is missing (art. 10, 24)"))
    if table.deck_use == "alternate" and len({deck.back for deck in table.decks}) < len(table.decks):
        findings.refuse((*here, "decks"), said("decks used in turn differ in back colour (art. 10)"))
    ids = [deck.id for deck in table.decks]
    for position, deck in enumerate(table.decks):
        if deck.id in ids[:position]:
            findings.refuse((*here, "decks", position, "id"), said("deck '{deck}' is there already", deck=deck.id))


def _check_circle(table: Table, circle: Circle, here: Key, money: Currency, findings: Findings) -> None:
    if circle.rake_bp > HIGHEST_RAKE_BP:
        text = said("{rake_bp} bp: the house keeps 500 bp, 5 %, at most (art. C 5)", rake_bp=circle.rake_bp)
        findings.refuse((*here, "rake_bp"), text)
    if circle.duration_minutes < SHORTEST_GAME_MINUTES:
        findings.refuse((*here, "duration_minutes"), said("a game lasts an hour at least (art. C 14)"))
    if circle.action_seconds > LONGEST_ACTION_SECONDS:
        findings.refuse((*here, "action_seconds"), said("a player has 60 seconds to act at most (art. C 50)"))
    if circle.countdown_seconds != COUNTDOWN_SECONDS:
        findings.refuse((*here, "countdown_seconds"), said("ten more seconds are counted aloud (art. C 50)"))
    big = written(circle.blinds.big, money)
    if circle.blinds.small > circle.blinds.big:
        findings.refuse((*here, "blinds", "small"), said("above the big blind of {big}", big=big))
    if circle.buy_in_minimum < circle.blinds.big:
        findings.refuse((*here, "buy_in_minimum"), said("below one big blind of {big}", big=big))
    if circle.buy_total_maximum is not None and circle.buy_total_maximum < circle.buy_in_minimum:
        text = said("below the minimum buy-in of {minimum}", minimum=written(circle.buy_in_minimum, money))
        findings.refuse((*here, "buy_total_maximum"), text)
    if circle.players_minimum > table.seats:
        findings.refuse((*here, "players_minimum"), _seats(table))
    if circle.blinds.small % circle.rake_unit and circle.rake_bp:
        small = written(circle.blinds.small, money)
        findings.warn((*here, "rake_unit"), said("the small blind of {small} is no multiple of it", small=small))


def _check_inputs(table: Table, here: Key, money: Currency, findings: Findings) -> None:
    """What an input stands for can be bet at this table; boxes that sensors leave out are said."""
    sensed: set[int] = set()
    for position, one in enumerate(table.inputs):
        key: Key = (*here, "inputs", position)
        if one.means == "credit":
            sensed |= {one.seat} if one.seat is not None else set()
            if table.jackpot.kind == "none":
                findings.refuse((*key, "means"), said("the table has no jackpot to bet credits on"))
            elif one.credits > table.jackpot.max_credits:
                findings.refuse((*key, "credits"), counted(table.jackpot.max_credits, *MOST_CREDITS))
        if one.amount is not None and not table.limits.minimum <= one.amount <= table.limits.maximum:
            limits = {"minimum": written(table.limits.minimum, money), "maximum": written(table.limits.maximum, money)}
            text = said("outside the table's limits of {minimum} to {maximum} (art. 22-23)", **limits)
            findings.refuse((*key, "amount"), text)
    missing = [str(seat) for seat in range(1, table.seats + 1) if seat not in sensed]
    if sensed and missing:
        text = said("no credit input at seat {seats}: entered by hand there", seats=", ".join(missing))
        findings.warn((*here, "inputs"), text)


def _check_reading(table: Table, here: Key, findings: Findings) -> None:
    if table.cards_read == "none" and table.readers:
        findings.refuse((*here, "readers"), said('cards_read = "none" and readers: say "deal" or "showdown"'))
    if table.cards_read != "none" and not table.readers:
        findings.refuse((*here, "cards_read"), said('"{cards_read}" needs a reader', cards_read=table.cards_read))
    if table.ante_from == "sensor":
        sensed = {item.seat for item in table.inputs if item.means == "ante"}
        missing = [seat for seat in range(1, table.seats + 1) if seat not in sensed]
        if missing:
            seats = ", ".join(map(str, missing))
            findings.refuse((*here, "ante_from"), said('"sensor", but no ante input at seat {seats}', seats=seats))


def _check_draws(table: Table, here: Key, findings: Findings) -> None:
    for name in ("carta_magica", "jugador_afortunado"):
        draw = getattr(table.draws, name)
        if draw is None:
            continue
        key: Key = (*here, "draws", name)
        if table.jackpot.kind == "none":
            text = said('only jackpot bets win draws (art. 61): draws alone take kind = "fixed" without prizes')
            findings.refuse(key, text)
        if draw.every == "key" and draw.about_every is None:
            findings.warn((*key, "every"), said("figures count a draw in every hand: say about_every"))
        if draw.every != "key" and draw.about_every is not None:
            findings.refuse((*key, "about_every"), said('only with every = "key"'))
