"""The questions that the regulations leave open, and how a table answers each: a setting, or one fixed reading."""

from collections.abc import Callable
from dataclasses import dataclass

from controller.config.figure_words import meaning
from controller.config.table import Table
from controller.config.texts import Said, said, written
from controller.core.money import Currency

NO = "no"
"""In both languages."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One question: its id (O-b), the articles it reads, the setting that answers it (None: fixed), the answer.

    An answer that is a whole number is an amount in minor units.
    """

    id: str
    articles: str
    question: str
    setting: str | None
    answer: Callable[[Table], object]

    def stated(self, table: Table, money: Currency) -> str:
        """The answer of a table as it would stand in the file, or in words; an amount as people write it."""
        answer = self.answer(table)
        if isinstance(answer, Said):
            return answer
        if isinstance(answer, bool):
            return str(answer).lower()
        if isinstance(answer, int):
            return written(answer, money)
        return str(getattr(answer, "value", answer))

    def meant(self, table: Table, money: Currency) -> str:
        """The answer in words, whatever stands in the file."""
        answer = self.answer(table)
        if isinstance(answer, bool):
            return said("yes") if answer else NO
        return meaning(self.stated(table, money))


def _fixed(answer: Said) -> Callable[[Table], object]:
    return lambda _table: answer


def _every(table: Table) -> str:
    drawn = [
        said("{draw} {often}", draw=name, often=_often(draw.every))
        for name, draw in (
            ("Carta Mágica", table.draws.carta_magica),
            ("Jugador Afortunado", table.draws.jugador_afortunado),
        )
        if draw is not None
    ]
    if len(drawn) == 2:
        return said("{one}, {other}", one=drawn[0], other=drawn[1])
    return drawn[0] if drawn else said("no draws")


def _often(every: int | str) -> Said:
    if every in (1, "hand"):
        return said("in every hand")
    return said("at the dealer's key") if every == "key" else said("in one of {hands} hands", hands=every)


def _lucky_seat(table: Table) -> str:
    draw = table.draws.jugador_afortunado
    return said("no draw") if draw is None else draw.lucky_seat_from


def _credit_back(table: Table) -> str:
    level = any(one.means == "credit" and one.mode == "level" for one in table.inputs)
    return said("before no va más, from level sensors") if level else said("never: no level sensor")


def _circle(name: str) -> Callable[[Table], object]:
    return lambda table: getattr(table.circle, name, said("no circle game"))


_JACKPOT = "jackpot.options."
_SHARED = (
    Reading(
        "O-a", "57", said("when a hand's share joins the meter"), None, _fixed(said("at no va más, before any prize"))
    ),
    Reading(
        "O-b",
        "58-59",
        said("royal and straight flush in one hand"),
        _JACKPOT + "royal_with_straight_flush",
        lambda table: table.jackpot.options.royal_with_straight_flush,
    ),
    Reading("O-c", "59", said("equal straight flushes"), None, _fixed(said("10 % each of the hand's initial amount"))),
    Reading(
        "O-d",
        "58",
        said("odd centavos of a split"),
        None,
        _fixed(said("each share floored, the rest stays in the meter")),
    ),
    Reading(
        "O-e",
        "54-56",
        said("credits multiply"),
        _JACKPOT + "fixed_rows_multiply",
        lambda table: (
            said("fixed rows, never percentages") if table.jackpot.options.fixed_rows_multiply else said("no row")
        ),
    ),
    Reading(
        "O-f",
        "56",
        said("who pays fixed rows"),
        _JACKPOT + "fixed_prizes_from",
        lambda table: table.jackpot.options.fixed_prizes_from,
    ),
    Reading(
        "O-g",
        "57, 59",
        said("a partial prize takes the meter below the start value: topped up"),
        _JACKPOT + "top_up_after_partial",
        lambda table: table.jackpot.options.top_up_after_partial,
    ),
    Reading(
        "O-h",
        "57-58",
        said("after a royal"),
        None,
        _fixed(said("start value or reserve, the higher, and the remainder")),
    ),
    Reading(
        "O-j",
        "66-69",
        said("voided hand"),
        None,
        _fixed(said("reversed by new entries, bets returned, draws cancelled")),
    ),
    Reading("O-k", "71", said("one player in several boxes"), None, _fixed(said("each box's jackpot bet counts"))),
    Reading(
        "O-n",
        "65",
        said("linked tables after a royal"),
        None,
        _fixed(said("each at its own start; parts in proportion")),
    ),
    Reading(
        "O-o",
        "65",
        said("royals at two linked tables"),
        None,
        _fixed(said("order of registration; the second is flagged")),
    ),
    Reading(
        "O-p",
        "63",
        said("positions that can be drawn"),
        "draws.jugador_afortunado.lucky_seat_from",
        _lucky_seat,
    ),
    Reading("O-r", "61-63", said("how often the draws run"), "draws.*.every", _every),
    Reading(
        "O-r",
        "61-63",
        said("what pays the draws"),
        "draws.draw_prizes_from",
        lambda table: table.draws.draw_prizes_from,
    ),
    Reading("O-s", "49", said("a credit taken back"), "inputs.mode", _credit_back),
)
_FOLDED = Reading(
    "O-i",
    "29, 51",
    said("a folded box keeps its jackpot"),
    _JACKPOT + "folded_box_keeps_jackpot",
    lambda table: table.jackpot.options.folded_box_keeps_jackpot,
)
_OASIS = (
    _FOLDED,
    Reading(
        "O-l",
        "35, 64",
        said("a box that bought a card"),
        None,
        _fixed(said("loses the progressive, stays in both draws")),
    ),
    Reading("O-m", "62", said("Carta Mágica cards"), None, _fixed(said("the five dealt, not the bought one"))),
    Reading(
        "O-q", "62-63", said("draws and a folded box"), None, _fixed(said("lucky seat kept; magic card only if shown"))
    ),
)
_BONUS = (
    Reading("B-a", "13", said("several winners"), None, _fixed(said("as articles 58-59 of Oasis"))),
    Reading(
        "B-b",
        "13",
        said("cards that count for the bonus"),
        _JACKPOT + "bonus_cards",
        lambda table: table.jackpot.options.bonus_cards,
    ),
    Reading(
        "B-c",
        "13",
        said("a folded box keeps its bonus"),
        _JACKPOT + "folded_box_keeps_jackpot",
        lambda table: table.jackpot.options.folded_box_keeps_jackpot,
    ),
    Reading("B-d", "13", said("restart and start value"), None, _fixed(said("as in Oasis"))),
    Reading("B-e", "12", said("the dealer qualifies"), None, _fixed(said("always"))),
    Reading(
        "B-f",
        "13",
        said("fixed rows multiply by credits"),
        _JACKPOT + "fixed_rows_multiply",
        lambda table: table.jackpot.options.fixed_rows_multiply,
    ),
    Reading("B-g", "13", said("bonus stake"), "jackpot.credit", lambda table: table.jackpot.credit),
    Reading("B", "13", said("the ante is paid from"), "base.ante_pays_from", lambda table: table.base.ante_pays_from),
)
_CIRCLE = (
    Reading("C-a", "95-96", said("rake floored to"), "circle.rake_unit", _circle("rake_unit")),
    Reading(
        "C-b", "48, 86", said("all-in raise below one big blind"), None, _fixed(said("does not reopen the betting"))
    ),
    Reading("C-c", "48", said("short big blind"), None, _fixed(said("the others owe the full blind"))),
    Reading("C-d", "77", said("dead button"), None, _fixed(said("the button stays in place"))),
    Reading("C-e", "92", said("A-2-3-4-5 as a straight"), None, _fixed(said("counts as a straight"))),
    Reading("C-f", "95", said("rake without a flop"), "circle.rake_without_flop", _circle("rake_without_flop")),
    Reading("C-g", "65", said("jackpot of the circle table"), "jackpot.kind", lambda table: table.jackpot.kind),
    Reading(
        "B-b",
        "65",
        said("cards that count for the jackpot"),
        _JACKPOT + "bonus_cards",
        lambda table: table.jackpot.options.bonus_cards,
    ),
)
_HOLDEM = (
    Reading("O-l", "35, 64", said("a box that bought a card"), None, _fixed(said("no card is bought in hold'em"))),
    Reading("O-m", "62", said("Carta Mágica cards"), None, _fixed(said("the two hole cards, not the board"))),
)
"""Of a hold'em table's jackpot and draws."""
_FOLDED_SHOWN = Reading(
    "O-q", "62-63", said("draws and a folded box"), None, _fixed(said("in both draws: its two cards are shown"))
)
_FOLDED_UNSEEN = Reading(
    "O-q", "62-63", said("draws and a folded box"), None, _fixed(said("lucky seat kept; its cards are not seen"))
)
_OF_JACKPOT = {
    "oasis": (),
    "holdem-bonus": (_FOLDED, *_HOLDEM, _FOLDED_SHOWN),
    "holdem-circle": (_FOLDED, *_HOLDEM, _FOLDED_UNSEEN),
}
_OF_GAME = {"oasis": _OASIS, "holdem-bonus": _BONUS, "holdem-circle": _CIRCLE}


def readings(table: Table) -> tuple[Reading, ...]:
    """The readings that concern a table, in the order of their ids; those of a jackpot only where there is one."""
    of_jackpot = (*_SHARED, *_OF_JACKPOT[table.game]) if table.jackpot.kind != "none" else ()
    return (*of_jackpot, *_OF_GAME[table.game])
