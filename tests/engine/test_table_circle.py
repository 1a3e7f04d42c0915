"""A circle table as a journaled machine: jackpot bets, prizes, void, replay (art. C 18-96, reading C-g)."""

import pytest

from controller.core.cards import Card
from controller.core.circle_events import PlayerLeft, PlayerSeated, Rebought, SeatsDrawAsked, SeatsDrawn, StackCounted
from controller.core.draws_verify import verify_draws
from controller.core.events import (
    ClockRan,
    CreditWagered,
    DrawSeedRevealed,
    HandCorrected,
    HandVoided,
    Key,
    KeyPressed,
    VoidReason,
)
from controller.core.games.circle_state import Phase
from controller.core.refusal import Refusal, Refused
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms, LuckySeatFrom
from tests.engine.carousel_house import Journal
from tests.engine.circle_pit import CirclePit
from tests.engine.pit import CENTAVO, CREDIT, SEEDS

DEAL = "As 9d Qh 2c Ac 9h Qd 7d"
"""Seats 1 to 4 get As Ac, 9d 9h, Qh Qd and 2c 7d."""
BOARD = ("3c 9s 9c Kd", "3d 5h", "3h 6s")
"""Burned cards first; seat 2 has four nines."""


def played(pit: CirclePit) -> None:
    """Everybody calls and checks to the showdown."""
    pit.read(DEAL)
    pit.keys("call", "call", "call", "check")
    for cards in BOARD:
        pit.read(cards)
        pit.keys("check", "check", "check", "check")
    pit.keys("hand_over")


@pytest.mark.article("C-g")
def test_a_seat_wins_the_jackpot_with_its_own_cards_and_the_board() -> None:
    pit = CirclePit()
    pit.wager(2, 2)
    pit.wager(3)
    pit.close()
    played(pit)
    assert pit.state.last is not None
    assert [(each.seat, each.category.value, each.credits) for each in pit.state.last.winners] == [
        (2, "four_of_a_kind", 2)
    ]
    pit.deliver()
    assert [row.amount_minor for row in pit.state.link.rows.values()] == [100_000]


@pytest.mark.article("C-g")
def test_only_who_is_dealt_in_has_a_jackpot_bet() -> None:
    pit = CirclePit()
    pit.wager(7)
    pit.wager(2)
    pit.close()
    assert dict(pit.state.hand.credits) == {2: 1}
    late = pit.do(CreditWagered(3, manual=True))
    assert isinstance(late, Refused) and late.reason is Refusal.BETS_CLOSED
    assert pit.balance("bets") == 0


@pytest.mark.article("C-g", "C-48")
def test_credits_never_above_the_big_blind() -> None:
    pit = CirclePit()
    refused = pit.do(CreditWagered(2, 3, manual=True))
    assert isinstance(refused, Refused) and refused.reason is Refusal.CREDITS_ABOVE_TABLE_MINIMUM


@pytest.mark.article("C-g")
def test_a_folded_seat_loses_its_jackpot_bet_and_keeps_the_drawn_seat() -> None:
    draws = (DrawTerms(CARTA_MAGICA, 50), DrawTerms(JUGADOR_AFORTUNADO, 70, lucky_seat_from=LuckySeatFrom.BETTING))
    pit = CirclePit(draws)
    pit.wager(2)
    pit.close()
    pit.read(DEAL)
    pit.keys("fold", "fold", "call", "fold", "hand_over")
    assert pit.state.last is not None and pit.state.last.winners == ()
    assert [(prize.kind, prize.seat) for prize in pit.state.draw_prizes.values()] == [(JUGADOR_AFORTUNADO, 2)]


@pytest.mark.requirement("R68", "R113")
@pytest.mark.article("C-61")
def test_a_void_hand_returns_bets_and_jackpot_bets() -> None:
    pit = CirclePit()
    before = pit.state.hand.game.table
    pit.wager(2)
    pit.close()
    pit.read(DEAL)
    pit.keys("raise", "call", "void")
    pit.told(HandVoided(VoidReason.WRONG_CARD_COUNT), actor="ana")
    assert (pit.state.hand.game.table, pit.state.hand.game.phase) == (before, Phase.BETS)
    assert pit.balance("patrons") == 0
    pit.close()
    assert pit.state.hand.game.table.positions.button == 4


@pytest.mark.article("C-50", "C-14")
def test_the_clock_is_journaled_like_any_other_event() -> None:
    pit = CirclePit()
    pit.close()
    pit.read(DEAL)
    for _ in range(2):
        running = pit.settings.game.deadline(pit.state.hand.game)
        assert running is not None
        pit.told(ClockRan(running[0]), actor="clock")
    pit.told(ClockRan("1/minute/1"), actor="clock")
    assert (pit.state.hand.game.bets.folded, pit.state.hand.game.table.minutes) == ({3}, 1)
    assert pit.replayed() == pit.state


def test_replay_gives_every_player_his_chips_back() -> None:
    pit = CirclePit()
    pit.wager(2)
    pit.close()
    pit.told(Rebought(3, 2_000))
    played(pit)
    pit.told(PlayerLeft(4))
    assert pit.replayed() == pit.state
    assert {each.seat: each.stack for each in pit.state.hand.game.table.players} == {1: 9_800, 2: 10_600, 3: 11_800}
    over = next(entry for entry in pit.journal if entry.kind == "hand.over")
    assert [(row["seat"], row["net"], row["reason"]) for row in over.body["settlement"]] == [
        (1, -200, "lost"),
        (2, 600, "four_of_a_kind"),
        (3, -200, "lost"),
        (4, -200, "lost"),
    ]


def test_a_correction_changes_the_jackpot_and_moves_no_chips() -> None:
    pit = CirclePit()
    pit.wager(2)
    pit.close()
    played(pit)
    stacks = [each.stack for each in pit.state.hand.game.table.players]
    number = pit.state.hand.number - 1
    pit.told(HandCorrected(number, "seat-2", Card("9h"), Card("8h")), actor="ana", second="beto")
    assert pit.state.last is not None and pit.state.last.winners == ()
    assert [each.stack for each in pit.state.hand.game.table.players] == stacks


@pytest.mark.article("C-18")
def test_seats_are_drawn_from_the_seed_chain_and_can_be_recomputed() -> None:
    pit = CirclePit()
    seats = pit.draw_seats("Ana", "Luis", "Eva", "Raúl")
    assert len(set(seats)) == 4 and set(seats) <= set(range(1, 11))
    assert [name for name, _ in pit.state.hand.game.table.drawn] == ["Ana", "Luis", "Eva", "Raúl"]
    assert (pit.state.seat_draw, pit.state.chain_next, pit.replayed()) == ((), 2, pit.state)
    for seat in seats:
        pit.told(PlayerSeated(seat, 10_000))
    pit.wager(seats[0])
    pit.close()
    rows = [(seq, entry.kind, entry.body) for seq, entry in enumerate(pit.journal, 1)]
    verified = verify_draws("test", "t1", "t1-i1", rows)
    assert (verified.draws, verified.findings) == (1, ())


@pytest.mark.article("C-18")
@pytest.mark.parametrize(
    ("key", "value", "finding"),
    [
        ("seats", [1, 2], "seat"),
        ("players", ["Luis", "Ana"], "list_hash"),
        ("index", 2, "index"),
        ("seed", "ab", "seed"),
    ],
)
def test_a_forged_draw_of_seats_is_found(key: str, value: object, finding: str) -> None:
    pit = CirclePit()
    pit.draw_seats("Ana", "Luis")
    rows = [(seq, entry.kind, dict(entry.body)) for seq, entry in enumerate(pit.journal, 1)]
    (drawn,) = [body for _, kind, body in rows if kind == "draw.seats"]
    drawn[key] = value
    assert finding in [each.name for each in verify_draws("test", "t1", "t1-i1", rows).findings]


@pytest.mark.article("C-18")
def test_a_draw_of_seats_and_a_draw_of_the_hand_share_the_chain() -> None:
    pit = CirclePit((DrawTerms(CARTA_MAGICA, 50),))
    for seat in pit.draw_seats("Ana", "Luis", "Eva", "Raúl"):
        pit.told(PlayerSeated(seat, 10_000))
    pit.close()
    rows = [(seq, entry.kind, entry.body) for seq, entry in enumerate(pit.journal, 1)]
    verified = verify_draws("test", "t1", "t1-i1", rows)
    assert (verified.draws, verified.findings, pit.state.chain_next) == (2, (), 3)


@pytest.mark.article("C-18")
def test_seats_are_drawn_once_and_only_before_anybody_sits() -> None:
    pit = CirclePit()
    assert isinstance(pit.do(SeatsDrawAsked(("Ana",))), Refused)
    for seat in (1, 2, 3, 4):
        pit.told(PlayerLeft(seat))
    pit.told(SeatsDrawAsked(("Ana", "Luis")))
    again = pit.do(SeatsDrawAsked(("Luis", "Ana")))
    assert isinstance(again, Refused) and again.reason is Refusal.DRAW_PENDING
    wrong = pit.do(DrawSeedRevealed(1, SEEDS[2].hex()))
    assert isinstance(wrong, Refused) and wrong.reason is Refusal.DRAW_SEED_WRONG
    told = pit.do(SeatsDrawn(("Ana", "Luis"), (7, 2)))
    assert isinstance(told, Refused) and told.reason is Refusal.UNKNOWN_EVENT


def test_two_people_count_a_stack() -> None:
    pit = CirclePit()
    alone = pit.do(StackCounted(2, 9_000, "a chip under the rail"))
    assert isinstance(alone, Refused) and alone.reason is Refusal.SECOND_PERSON_MISSING
    pit.told(StackCounted(2, 9_000, "a chip under the rail"), second="beto")
    assert pit.state.hand.game.table.player(2).stack == 9_000


def test_the_contribution_of_a_circle_hand_is_exact() -> None:
    pit = CirclePit()
    for seat in (1, 2, 3):
        pit.wager(seat)
    pit.close()
    assert pit.balance("carousel.main") == 3 * CREDIT * CENTAVO * 2_000 // 10_000
    assert isinstance(pit.do(KeyPressed(Key.CLOSE_BETS)), Refused)


def short_big_blind() -> CirclePit:
    """The big blind at seat 2 has 60 chips; seats 3 and 4 have folded, and the small blind at seat 1 put in 100."""
    pit = CirclePit()
    pit.told(StackCounted(2, 60, "counted"), second="berta")
    pit.close()
    pit.read(DEAL)
    pit.keys("fold", "fold")
    return pit


@pytest.mark.article("C-c", "C-87", "C-90")
def test_that_nobody_is_asked_any_more_is_journaled_with_what_it_follows_from() -> None:
    pit = short_big_blind()
    fold, covered = pit.journal[-2:]
    assert (fold.body["event"]["key"], covered.body["event"]) == ("fold", {"type": "BetsCovered"})
    assert covered.id == f"{fold.id}/follows"
    assert pit.state.hand.game.phase is Phase.FLOP
    assert pit.replayed() == pit.state


@pytest.mark.parametrize(("key", "live"), [("call", (1, 2)), ("fold", (2,))])
def test_a_journal_in_which_he_was_asked_says_what_he_answered(key: str, live: tuple[int, ...]) -> None:
    pit = short_big_blind()
    pit.journal = Journal(pit.journal[:-1])
    pit.state = pit.replayed()
    assert pit.settings.game.turn(pit.state.hand.game) == 1
    pit.keys(key)
    assert pit.state.hand.game.bets.live == live
