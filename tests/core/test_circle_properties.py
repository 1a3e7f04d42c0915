"""Whatever is played, the chips at a circle table stay the same to the last one."""

import hashlib
from collections.abc import Callable

import pytest

from controller.core.circle_events import Rebought
from controller.core.games.circle_showdown import RakeTerms
from tests.core.circle_play import after, chips, random_hand, reading, seated


def stream(seed: str) -> Callable[[int], int]:
    """Numbers below a bound, the same for the same seed."""
    counter = 0

    def choose(among: int) -> int:
        nonlocal counter
        counter += 1
        return int.from_bytes(hashlib.sha256(f"{seed}/{counter}".encode()).digest()[:6]) % among

    return choose


@pytest.mark.article("C-58", "C-80", "C-86", "C-87", "C-95")
@pytest.mark.parametrize("seed", range(12))
def test_chips_are_conserved_over_a_game(seed: int) -> None:
    choose = stream(f"game-{seed}")
    table = reading(rake=RakeTerms(500 if seed % 2 else 0, 10), buy_total_maximum=20_000)
    state = seated(table, *(4_000 + 10 * choose(800) for _ in range(4 + choose(7))))
    total, raked = chips(table, state), 0
    for _ in range(12):
        if state.table.ended:
            break
        for player in state.table.players:
            if player.stack == 0:
                state = after(table, state, Rebought(player.seat, 2_000))
                total += 2_000
        state = random_hand(table, state, choose)
        assert state.payout is not None
        raked += state.payout.rake
        state = table.next_hand(state)
        assert chips(table, state) + raked == total
