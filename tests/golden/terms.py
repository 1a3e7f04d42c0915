"""Terms under which the golden journals were written. They are folded under these for ever: none is ever changed."""

from controller.core.games.boxes import CardsRead
from controller.core.games.circle_showdown import RakeTerms
from controller.core.games.circle_table import CircleSettings
from controller.core.games.holdem_bonus import HoldemBonus, HoldemBonusSettings
from controller.core.games.holdem_circle import HoldemCircle
from controller.core.hands import Category
from controller.core.prizes import Prize, PrizeList
from controller.engine.member_state import MemberSettings
from controller.engine.table_state import (
    CARTA_MAGICA,
    JUGADOR_AFORTUNADO,
    DrawTerms,
    JackpotKind,
    JackpotTerms,
    LuckySeatFrom,
    TableSettings,
)

CENTAVO = 10_000
PRIZES = PrizeList(
    (
        Prize(Category.ROYAL_FLUSH, percent=100),
        Prize(Category.STRAIGHT_FLUSH, percent=10),
        Prize(Category.FOUR_OF_A_KIND, fixed_minor=50_000),
    )
)
JACKPOT = JackpotTerms(JackpotKind.PROGRESSIVE, 100, PRIZES, main_bp=2_000, reserve_bp=500)


def _member(table: str) -> MemberSettings:
    return MemberSettings(table, "c1", f"{table}-i1", "ARS", CENTAVO, PRIZES)


BONUS = TableSettings(
    site="test",
    table="b1",
    game=HoldemBonus(HoldemBonusSettings((1, 2, 3, 4, 5, 6, 7), 2_000, 100_000, cards_read=CardsRead.DEAL)),
    seats=(1, 2, 3, 4, 5, 6, 7),
    minimum_minor=2_000,
    minor_micros=CENTAVO,
    jackpot=JACKPOT,
    member=_member("b1"),
    draws=(
        DrawTerms(CARTA_MAGICA, 5_000, pool_bp=300),
        DrawTerms(JUGADOR_AFORTUNADO, 7_000, every=2, lucky_seat_from=LuckySeatFrom.BETTING),
    ),
    checklist_from_minor=40_000,
)
CIRCLE = TableSettings(
    site="test",
    table="k1",
    game=HoldemCircle(
        CircleSettings(
            seats=tuple(range(1, 11)),
            small_blind=100,
            big_blind=200,
            rake=RakeTerms(500, 10),
            buy_in_minimum=4_000,
            rebuy_minimum=2_000,
            duration_minutes=60,
            cards_read=CardsRead.DEAL,
        )
    ),
    seats=tuple(range(1, 11)),
    minimum_minor=200,
    minor_micros=CENTAVO,
    jackpot=JACKPOT,
    member=_member("k1"),
)
