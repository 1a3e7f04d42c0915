"""What a table's leaflet says: every sentence follows from a setting, so that it is never other than what is played."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from controller.api.leaflet.speech import Speech
from controller.config.checks import terms_hash
from controller.config.model import Config
from controller.config.report import one_in
from controller.config.returns import chance, hit_rate, returns
from controller.config.table import Table
from controller.core.hands import Category
from controller.core.money import BASIS_POINTS
from controller.core.prizes import PaidBy


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the prize list: the hand, what it pays, whether for each credit, and one in how many hands."""

    name: str
    pays: str
    per_credit: bool
    one_in: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its sentences."""

    key: str
    heading: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leaflet:
    """Everything on the sheet. terms: SHA-256 of the jackpot terms that it is about."""

    language: str
    table: str
    game: str
    regulation: str
    site: str
    title: str
    terms: str
    lead: str
    rows: tuple[Row, ...]
    sections: tuple[Section, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Ahead:
    """What was decided and is not so yet. ends: the day of the jackpot's end, ended: it has come. changes: what players
    see of settings that wait, as sentences; from_day: the first day they may hold, "" for the next occasion."""

    ends: str = ""
    ended: bool = False
    changes: tuple[str, ...] = ()
    from_day: str = ""


def leaflet(config: Config, table: Table, language: str, ahead: Ahead = Ahead()) -> Leaflet:
    """The rules of one table; of one without a jackpot, only its draws."""
    speech = Speech(config, language)
    parts = {
        "bet": _bet(table, speech),
        "grows": _grows(config, table, speech),
        "several": _several(table, speech),
        "draws": _draws(config, table, speech),
        "paid": _paid(table, speech),
        "chances": _chances(table, speech),
        "ends": _ends(config, table, speech, ahead),
        "changes": _changes(speech, ahead),
    }
    said = ((key, tuple(sentences)) for key, sentences in parts.items())
    return Leaflet(
        language=language,
        table=table.name,
        game=speech.name("game", table.game),
        regulation=table.regulation or "",
        site=config.site.name,
        title=speech.text("title"),
        terms=terms_hash(table),
        lead=speech.text(f"lead.{table.jackpot.kind}"),
        rows=tuple(_rows(table, speech)),
        sections=tuple(Section(key, speech.text(f"{key}.heading"), sentences) for key, sentences in said if sentences),
    )


def _rows(table: Table, speech: Speech) -> Iterator[Row]:
    jackpot = table.jackpot
    if jackpot.kind == "none":
        return
    for category in Category:
        row = jackpot.prizes.get(category)
        if row is None:
            continue
        if row.percent is None:
            pays = speech.money(row.fixed or 0)
        else:
            pays = speech.text("rows.whole") if row.percent == 100 else speech.text("rows.part", percent=row.percent)
        often = speech.number(one_in(chance(jackpot, category)))
        yield Row(speech.name("category", category.value), pays, jackpot.per_credit(category), often)


def _bet(table: Table, speech: Speech) -> Iterator[str]:
    """Who takes part, with how much, and which cards count (art. 47-53)."""
    jackpot = table.jackpot
    if jackpot.kind == "none":
        return
    stake = "bet.one" if jackpot.max_credits == 1 else "bet.stake"
    banked = table.game != "holdem-circle"
    when = speech.text("bet.when.ante" if banked else "bet.when.circle")
    yield speech.text(stake, when=when, most=jackpot.max_credits, credit=speech.money(jackpot.credit))
    if banked:
        yield speech.text("bet.minimum", minimum=speech.money(table.limits.minimum))
    bank = speech.text("bet.bank") if banked else ""
    yield speech.text(f"bet.cards.{jackpot.options.bonus_cards}", bank=bank)
    if table.game == "oasis":
        yield speech.text("bet.bought")
        yield speech.text("bet.boxes")
    yield speech.text("bet.folded.kept" if jackpot.options.folded_box_keeps_jackpot else "bet.folded.lost")
    if any(one.means == "credit" and one.mode == "level" for one in table.inputs):
        yield speech.text("bet.taken_back")
    else:
        yield speech.text("bet.stays")
    yield speech.text("bet.void")


def _grows(config: Config, table: Table, speech: Speech) -> Iterator[str]:
    """Funding, seed and ceiling of a progressive (art. 56-57, 65); who pays what is fixed."""
    jackpot = table.jackpot
    if jackpot.kind == "none":
        return
    if jackpot.kind == "progressive":
        shown, kept = (speech.share(Fraction(bp, BASIS_POINTS)) for bp in (jackpot.contribution_bp, jackpot.reserve_bp))
        yield speech.text("grows.share" if jackpot.reserve_bp else "grows.share_alone", shown=shown, kept=kept)
        yield speech.text("grows.start", start=speech.money(jackpot.start))
        yield speech.text(f"grows.top_up.{'yes' if jackpot.options.top_up_after_partial else 'no'}")
        if table.carousel is not None:
            yield from _linked(config, table, speech)
        if jackpot.ceiling is not None:
            yield speech.text("grows.ceiling", ceiling=speech.money(jackpot.ceiling))
        elif table.carousel is None or _carousel_ceiling(config, table) is None:
            yield speech.text("grows.no_ceiling")
    if any(row.fixed is not None for row in jackpot.prizes.values()):
        by_house = jackpot.options.fixed_prizes_from is PaidBy.HOUSE
        yield speech.text("grows.fixed_house" if by_house else "grows.fixed_meter")


def _linked(config: Config, table: Table, speech: Speech) -> Iterator[str]:
    """The carousel: the prize is the sum, and each table pays its part (art. 65)."""
    name = next((each.name for each in config.carousels if each.id == table.carousel), table.carousel or "")
    yield speech.text("grows.linked", carousel=name)
    ceiling = _carousel_ceiling(config, table)
    if ceiling is not None:
        yield speech.text("grows.linked_ceiling", ceiling=speech.money(ceiling))


def _carousel_ceiling(config: Config, table: Table) -> int | None:
    return next((each.ceiling for each in config.carousels if each.id == table.carousel), None)


def _several(table: Table, speech: Speech) -> Iterator[str]:
    """The double-win case (art. 58-59, O-b to O-d, O-o)."""
    jackpot = table.jackpot
    if jackpot.kind != "progressive":
        return
    percents = {category: row.percent for category, row in jackpot.prizes.items() if row.percent is not None}
    if percents.get(Category.ROYAL_FLUSH) == 100:
        yield speech.text("several.royals")
    part = percents.get(Category.STRAIGHT_FLUSH)
    if part is not None:
        yield speech.text("several.straight_flushes", percent=part)
        yield speech.text("several.equal", percent=part)
        if Category.ROYAL_FLUSH in percents:
            yield speech.text(f"several.both.{jackpot.options.royal_with_straight_flush.value}", percent=part)
    if any(row.fixed is not None for row in jackpot.prizes.values()):
        yield speech.text("several.fixed")
    if table.carousel is not None:
        yield speech.text("several.linked")
    yield speech.text("several.odd")


def _draws(config: Config, table: Table, speech: Speech) -> Iterator[str]:
    """The two draws, what pays them, and how a player makes them again (art. 61-64)."""
    magic, lucky = table.draws.carta_magica, table.draws.jugador_afortunado
    if magic is None and lucky is None:
        return
    yield speech.text("draws.who")
    if magic is not None:
        cards = 5 if table.game == "oasis" else 2
        often = speech.often(magic.every)
        yield speech.text("draws.carta_magica", prize=speech.money(magic.prize), cards=cards, often=often)
    if lucky is not None:
        often, chosen = speech.often(lucky.every), speech.text(f"draws.from.{lucky.lucky_seat_from}")
        prize = speech.money(lucky.prize)
        yield speech.text("draws.jugador_afortunado", prize=prize, often=often, chosen=chosen)
    if table.draws.draw_prizes_from == "pool":
        yield speech.text("draws.pool", share=speech.share(Fraction(table.draws.pool_bp, BASIS_POINTS)))
    else:
        yield speech.text("draws.house")
    yield speech.text("draws.commitment")
    if config.site.draw_outside_input:
        yield speech.text("draws.outside")
    public = config.screens.public_url
    if public is not None:
        yield speech.text("draws.check", address=f"{public.rstrip('/')}/draw/{table.id}")
    else:
        yield speech.text("draws.ask")


def _paid(table: Table, speech: Speech) -> Iterator[str]:
    """How a prize comes to the player, and what happens when something fails."""
    if table.jackpot.kind == "none":
        return
    yield speech.text("paid.verified")
    yield speech.text("paid.error")
    if table.carousel is not None and table.jackpot.kind == "progressive":
        yield speech.text(f"paid.link.{table.on_link_loss}")


def _chances(table: Table, speech: Speech) -> Iterator[str]:
    """What a bet returns on the average and how often anything is won."""
    if table.jackpot.kind == "none":
        return
    totals = [one.total for one in returns(table)]
    low, high = speech.share(min(totals)), speech.share(max(totals))
    same, hands = low == high, one_in(hit_rate(table.jackpot))
    yield speech.count("chances.hit", hands, hands=speech.number(hands))
    yield speech.text("chances.return_one" if same else "chances.return_many", low=low, high=high)


def _changes(speech: Speech, ahead: Ahead) -> Iterator[str]:
    """What will be otherwise, and from when (R76)."""
    if ahead.changes:
        yield (
            speech.text("changes.from", day=speech.day(ahead.from_day))
            if ahead.from_day
            else speech.text("changes.soon")
        )
        yield from ahead.changes


def _ends(config: Config, table: Table, speech: Speech, ahead: Ahead) -> Iterator[str]:
    if ahead.ends:
        yield speech.text("ends.ended" if ahead.ended else "ends.on", day=speech.day(ahead.ends))
    if table.jackpot.kind == "progressive":
        yield speech.count("ends.notice", config.closing.notice_days)
