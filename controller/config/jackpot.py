"""Jackpot and draws of a table: rates, prize list, and the questions the regulations leave open."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, model_validator

from controller.config.base import Amount, Count, Model, Positive, PositiveAmount, RateBp, Switch
from controller.config.texts import said
from controller.core.hands import Category
from controller.core.prizes import PaidBy, Prize, PrizeList, RoyalWithStraightFlush

TOP_ROWS = (Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH)


class PrizeRow(Model):
    """One row: a percentage of the meter, or a fixed sum in minor units; `per_credit` overrides the list's habit."""

    percent: Annotated[int, Field(strict=True, ge=1, le=100)] | None = None
    fixed: PositiveAmount | None = None
    per_credit: Switch | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> "PrizeRow":
        if (self.percent is None) == (self.fixed is None):
            raise ValueError(said("a row is a percent or a fixed sum, one of them"))
        if self.percent is not None and self.per_credit:
            raise ValueError(said("percentages are never multiplied by credits (reading O-e)"))
        return self


class Options(Model):
    """The readings O-b, O-f, O-g, O-i, B-b, B-f and the bounds a regulation sets; see readings.py."""

    royal_with_straight_flush: RoyalWithStraightFlush = RoyalWithStraightFlush.HIGHEST_FIRST
    fixed_prizes_from: PaidBy = PaidBy.HOUSE
    top_up_after_partial: Switch = False
    folded_box_keeps_jackpot: Switch = False
    bonus_cards: Literal["first_five", "best_of_seven", "hole_and_flop"] = "first_five"
    fixed_rows_multiply: Switch = True
    start_at_least_bets: Count = 0
    """Art. 57: the start value is at least so many lowest jackpot bets; 0 = no bound."""
    start_at_least_fixed: Switch = False
    """The start value is at least the highest fixed prize (a rule of Iowa)."""
    start_at_most_small_blinds: Positive | None = None
    """The start value is at most so many small blinds (a rule of France for circle games)."""
    accept_return_over_100: Switch = False
    return_at_least_bp: RateBp = 0
    """Least long-run return that a regulation asks for (7000 in Missouri); 0 = no bound."""


class Jackpot(Model):
    """A table's jackpot. Amounts in minor units, rates in basis points of each jackpot bet.

    `contribution_bp` goes to the displayed meter, `reserve_bp` to the hidden reserve that pays the next start.
    """

    kind: Literal["progressive", "fixed", "none"] = "none"
    credit: PositiveAmount = 100
    """Value of one credit."""
    max_credits: Annotated[int, Field(strict=True, ge=1, le=5)] = 5
    contribution_bp: RateBp = 0
    reserve_bp: RateBp = 0
    start: Amount = 0
    ceiling: PositiveAmount | None = None
    unreasonable_credits_per_hand: Positive | None = None
    """A counter that grows faster than this per hand is quarantined; absent: seats × max_credits."""
    prizes: Mapping[Category, PrizeRow] = Field(default_factory=dict)
    article: str | None = None
    """The one article every award cites; absent: Oasis' own, 54 to 60."""
    options: Options = Options()

    @property
    def cards_counted(self) -> int:
        """How many cards the prize list is judged on: 5 or 7."""
        return 7 if self.options.bonus_cards == "best_of_seven" else 5

    def per_credit(self, category: Category) -> bool:
        """Whether a fixed row is multiplied: as the row says, else the list's habit (art. 54-55, O-e, B-f)."""
        row = self.prizes[category]
        if row.percent is not None:
            return False
        if row.per_credit is not None:
            return row.per_credit
        return self.options.fixed_rows_multiply and not (self.kind == "fixed" and category in TOP_ROWS)

    def prize_list(self) -> PrizeList:
        """The rows as the rules take them, best hand first."""
        ordered = [category for category in Category if category in self.prizes]
        return PrizeList(
            rows=tuple(
                Prize(
                    category=category,
                    percent=self.prizes[category].percent,
                    fixed_minor=self.prizes[category].fixed,
                    per_credit=self.per_credit(category),
                )
                for category in ordered
            ),
            royal_with_straight_flush=self.options.royal_with_straight_flush,
            fixed_prizes_from=self.options.fixed_prizes_from,
            top_up_after_partial=self.options.top_up_after_partial,
            article=self.article,
        )


class CartaMagica(Model):
    """Art. 62: a card drawn at no va más; the betting box that was dealt it wins."""

    prize: PositiveAmount
    every: Positive | Literal["hand", "key"] = "hand"
    about_every: Positive | None = None
    """With `every = "key"`: hands between two presses, for the figures only."""


class JugadorAfortunado(Model):
    """Art. 63: a position drawn at no va más; its box wins if it has a jackpot bet in this hand."""

    prize: PositiveAmount
    every: Positive | Literal["hand", "key"] = "hand"
    about_every: Positive | None = None
    lucky_seat_from: Literal["all_boxes", "occupied", "betting"] = "all_boxes"


class Draws(Model):
    """The two draws and what pays each: the house, or its own pool fed by `pool_bp` of each jackpot bet (O-r)."""

    carta_magica: CartaMagica | None = None
    jugador_afortunado: JugadorAfortunado | None = None
    draw_prizes_from: Literal["house", "pool"] = "house"
    pool_bp: RateBp = 0

    @model_validator(mode="after")
    def _pool_is_fed(self) -> "Draws":
        if (self.draw_prizes_from == "pool") != (self.pool_bp > 0):
            raise ValueError(said('draw_prizes_from = "pool" and a pool_bp above 0 go together'))
        if self.pool_bp and not (self.carta_magica or self.jugador_afortunado):
            raise ValueError(said("a pool without a draw would never be paid"))
        return self

    @property
    def pools_bp(self) -> int:
        """What the pools take of a bet together: `pool_bp` for each draw, as each has a pool of its own."""
        return self.pool_bp * sum(draw is not None for draw in (self.carta_magica, self.jugador_afortunado))
