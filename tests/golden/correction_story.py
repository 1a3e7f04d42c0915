"""What happens in the golden journals of a table and its host where prizes are corrected after people had decided."""

from collections.abc import Iterable

from controller.core.cards import parse_cards
from controller.core.events import HandCorrected, PrizePaid, PrizeVerified
from controller.core.ledger import Entry
from controller.core.prize_events import OverrideReason, PrizeOverridden, SlipIssued
from controller.engine.host_events import PrizeReleased
from controller.engine.host_state import HostState
from controller.engine.ledger_records import ClaimName
from tests.engine.carousel_stories import held_from
from tests.engine.pit import Pit
from tests.golden import figures
from tests.golden.stories import told


def corrected() -> Pit:
    """A large prize is released and overridden, corrected away and back, released anew and paid as computed; the
    override of a second one ends with its prize."""
    pit = Pit()
    held_from(pit.host, 40_000)
    first = won(pit, "9d 8d 7d 6d 5d")
    for old, new in (("5d", "5c"), ("5c", "5d")):
        corrected_card(pit, 1, old, new)
    released(pit, first)
    told(pit, PrizeVerified(first))
    told(pit, PrizePaid(first), "ana", "bea")
    pit.deliver()
    won(pit, "9s 8s 7s 6s 5s")
    corrected_card(pit, 2, "5s", "5c")
    return pit


def corrected_card(pit: Pit, hand: int, old: str, new: str) -> None:
    cards = (*(parse_cards(old) or ()), *(parse_cards(new) or ()))
    told(pit, HandCorrected(hand, "seat-3", *cards), "ana", "bea")
    pit.deliver()


def won(pit: Pit, cards: str) -> str:
    """A straight flush of seat 3, released, verified, with a slip, and overridden."""
    pit.play(cards, seats=(3,))
    pit.deliver()
    prize = next(row.id for row in pit.state.link.rows.values() if row.hand == pit.state.hand.number - 1)
    released(pit, prize)
    told(pit, PrizeVerified(prize))
    told(pit, SlipIssued(prize, 0, 0, {"table": "Mesa 1"}))
    told(pit, PrizeOverridden(prize, 60_000, OverrideReason.DISPLAY_DIFFERED, "as agreed"), "ana", "bea")
    return prize


def released(pit: Pit, prize: str) -> None:
    table, incarnation, hand, _ = prize.split("/")
    refused = pit.host.decide(PrizeReleased(ClaimName(table, incarnation, int(hand)), "seen"))
    assert refused is None, refused
    pit.deliver()


def held_figures(state: HostState, entries: Iterable[Entry]) -> dict[str, object]:
    """With what waits for a release, and what was released."""
    awards = state.ledger.awards
    held = {key: [awards[key].held, awards[key].released, awards[key].revision] for key in sorted(awards)}
    return {**figures.host_figures(state, entries), "held": held}
