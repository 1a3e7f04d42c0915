"""The configuration's tables as the plain settings that the engine takes."""

from collections.abc import Callable, Mapping

from controller.config.checks import terms_hash
from controller.config.model import Config
from controller.config.table import Table
from controller.core.games.circle_showdown import RakeTerms
from controller.core.games.game import Game
from controller.core.games.holdem_bonus import BonusCards, HoldemBonus, HoldemBonusSettings
from controller.core.games.holdem_circle import CircleSettings, HoldemCircle
from controller.core.games.oasis import CardsRead, Oasis, OasisSettings
from controller.engine.member_state import MemberSettings, OnLinkLoss
from controller.engine.table_state import (
    CARTA_MAGICA,
    JUGADOR_AFORTUNADO,
    DrawTerms,
    JackpotKind,
    JackpotTerms,
    LuckySeatFrom,
    TableSettings,
)


def game_of(config: Config, table: Table) -> Game:
    """The table's game with its figures; KeyError for a game without a machine."""
    return _GAMES[table.game](table)


def _oasis(table: Table) -> Game:
    return Oasis(
        OasisSettings(
            seats=seats_of(table),
            minimum_minor=table.limits.minimum,
            maximum_minor=table.limits.maximum,
            pay_table=table.base.pays,
            cards_read=CardsRead(table.cards_read),
            folded_box_keeps_jackpot=table.jackpot.options.folded_box_keeps_jackpot,
            payout_limit_minor=table.base.payout_limit,
        )
    )


def _holdem_bonus(table: Table) -> Game:
    counted = table.jackpot.options.bonus_cards
    return HoldemBonus(
        HoldemBonusSettings(
            seats=seats_of(table),
            minimum_minor=table.limits.minimum,
            maximum_minor=table.limits.maximum,
            ante_pays_from=table.base.ante_pays_from,
            cards_read=CardsRead(table.cards_read),
            bonus_cards=BonusCards.HOLE_AND_FLOP if counted == "hole_and_flop" else BonusCards.BEST_OF_SEVEN,
            folded_box_keeps_jackpot=table.jackpot.options.folded_box_keeps_jackpot,
        )
    )


def _holdem_circle(table: Table) -> Game:
    circle = table.circle
    assert circle is not None, "a circle table has its terms: the loader asks for them"
    return HoldemCircle(
        CircleSettings(
            seats=seats_of(table),
            small_blind=circle.blinds.small,
            big_blind=circle.blinds.big,
            rake=RakeTerms(circle.rake_bp, circle.rake_unit, circle.rake_without_flop),
            buy_in_minimum=circle.buy_in_minimum,
            rebuy_minimum=circle.rebuy_minimum,
            buy_total_maximum=circle.buy_total_maximum,
            players_minimum=circle.players_minimum,
            duration_minutes=circle.duration_minutes,
            action_seconds=circle.action_seconds,
            countdown_seconds=circle.countdown_seconds,
            cards_read=CardsRead(table.cards_read),
            hole_and_flop=table.jackpot.options.bonus_cards == "hole_and_flop",
            folded_box_keeps_jackpot=table.jackpot.options.folded_box_keeps_jackpot,
        )
    )


_GAMES: Mapping[str, Callable[[Table], Game]] = {
    "oasis": _oasis,
    "holdem-bonus": _holdem_bonus,
    "holdem-circle": _holdem_circle,
}


def lowest_base_bet(table: Table) -> int:
    """The table minimum that a jackpot bet may not exceed (art. O 49): the big blind in the circle game (art. C 48)."""
    return table.limits.minimum if table.circle is None else table.circle.blinds.big


def seats_of(table: Table) -> tuple[int, ...]:
    """Seat numbers clockwise from the dealer's left."""
    return tuple(range(1, table.seats + 1))


def draw_terms(table: Table) -> tuple[DrawTerms, ...]:
    """The table's draws; one pool rate feeds each draw's own pool in equal parts of the bet."""
    draws = table.draws
    terms = []
    if draws.carta_magica is not None:
        each = draws.carta_magica
        terms.append(DrawTerms(CARTA_MAGICA, each.prize, _every(each.every), draws.pool_bp))
    if draws.jugador_afortunado is not None:
        lucky = draws.jugador_afortunado
        seats = LuckySeatFrom(lucky.lucky_seat_from)
        terms.append(DrawTerms(JUGADOR_AFORTUNADO, lucky.prize, _every(lucky.every), draws.pool_bp, seats))
    return tuple(terms)


def _every(every: int | str) -> int:
    return {"hand": 1, "key": 0}[every] if isinstance(every, str) else every


def second_person_from(config: Config, table: Table) -> int:
    """From what sum on, in minor units, a payment takes two people: the table's own, else the site's."""
    return config.site.second_person_from if table.second_person_from is None else table.second_person_from


def carousel_ceiling(config: Config, table: Table) -> int | None:
    """A table's part of its carousel's ceiling in minor units: an equal one, so that their sum never passes it."""
    found = next((each for each in config.carousels if each.id == table.carousel), None)
    if found is None or found.ceiling is None:
        return None
    return found.ceiling // (len(config.members(found.id)) + len(found.accept))


def table_ceiling(config: Config, table: Table) -> int | None:
    """Above this sum in minor units a table's contributions wait in the overflow; None: no ceiling."""
    ceilings = [each for each in (table.jackpot.ceiling, carousel_ceiling(config, table)) if each is not None]
    return min(ceilings, default=None)


def table_settings(config: Config, table: Table, incarnation: str, host_keys: tuple[str, ...] = ()) -> TableSettings:
    """Everything the engine knows of a table; `incarnation` is its journal's."""
    jackpot = table.jackpot
    prizes = table.prize_list()
    ceiling = table_ceiling(config, table)
    return TableSettings(
        site=config.site.id,
        table=table.id,
        game=game_of(config, table),
        seats=seats_of(table),
        minimum_minor=lowest_base_bet(table),
        minor_micros=config.site.money.minor_micros,
        jackpot=JackpotTerms(
            kind=JackpotKind(jackpot.kind),
            credit_minor=jackpot.credit,
            prizes=prizes,
            main_bp=jackpot.contribution_bp,
            reserve_bp=jackpot.reserve_bp,
            max_credits=jackpot.max_credits,
        ),
        member=MemberSettings(
            table=table.id,
            carousel=table.carousel_id,
            incarnation=incarnation,
            currency=config.site.currency,
            minor_micros=config.site.money.minor_micros,
            prizes=prizes,
            on_link_loss=OnLinkLoss(table.on_link_loss),
            lost_limit_minutes=table.link_loss_hours * 60,
            host_keys=host_keys,
        ),
        draws=draw_terms(table),
        ante_assumed=table.ante_from == "assumed",
        second_person_from_minor=second_person_from(config, table),
        checklist_from_minor=config.papers.checklist_from,
        decks=tuple(deck.id for deck in table.decks),
        decks_alternate=table.deck_use == "alternate",
        shuffler=table.shuffler or "",
        bound_micros=_bound_micros(config, table),
        ceiling_micros=None if ceiling is None else ceiling * config.site.money.minor_micros,
        terms=terms_hash(table),
        terms_after_reset=table.jackpot_changes == "after_reset",
        draws_hold=config.site.draw_source_fault == "hold",
        draws_outside=config.site.draw_outside_input,
    )


def _bound_micros(config: Config, table: Table) -> int | None:
    """The most that a hand can add to meter and reserve; None where a bet adds nothing."""
    jackpot = table.jackpot
    rate_bp = jackpot.contribution_bp + jackpot.reserve_bp
    bound_minor = table.unreasonable_credits_per_hand * jackpot.credit
    return bound_minor * rate_bp * (config.site.money.minor_micros // 10_000) if rate_bp else None
