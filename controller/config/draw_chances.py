"""How often a box wins a draw, and what the draws give back in the mean; exact fractions."""

from fractions import Fraction

from controller.config.jackpot import CartaMagica, JugadorAfortunado
from controller.config.table import Table
from controller.core.money import BASIS_POINTS

DECK_SIZE = 52
NOTHING = Fraction(0)


def draws_minor(table: Table, bet: int) -> Fraction:
    """Mean per betting box and hand of what the draws give back, in minor units.

    A prize is paid in full, by the house where its pool is short; what a pool takes in beyond its prizes stays the
    players'.
    """
    draws = table.draws
    means = []
    if draws.carta_magica is not None:
        means.append(draws.carta_magica.prize * carta_magica_chance(table, draws.carta_magica))
    if draws.jugador_afortunado is not None:
        means.append(draws.jugador_afortunado.prize * jugador_afortunado_chance(table, draws.jugador_afortunado))
    fed = Fraction(draws.pool_bp * bet, BASIS_POINTS)
    return sum((max(mean, fed) for mean in means), NOTHING)


def carta_magica_chance(table: Table, draw: CartaMagica) -> Fraction:
    """Chance of a betting box per hand: its dealt cards of 52 (readings O-m, O-q), in the hands that have the draw."""
    return Fraction(5 if table.game == "oasis" else 2, DECK_SIZE) * _drawn_share(draw)


def jugador_afortunado_chance(table: Table, draw: JugadorAfortunado) -> Fraction:
    """Chance of a betting box per hand; where only occupied or betting boxes are drawn, of the only box there is."""
    boxes = table.seats if draw.lucky_seat_from == "all_boxes" else 1
    return Fraction(1, boxes) * _drawn_share(draw)


def _drawn_share(draw: CartaMagica | JugadorAfortunado) -> Fraction:
    if draw.every == "hand":
        return Fraction(1)
    if draw.every == "key":
        return Fraction(1, draw.about_every or 1)
    return Fraction(1, draw.every)
