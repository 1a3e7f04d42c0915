"""The draws' source: fresh seeds for every table, kept private, and results that do not look at the stake."""

from collections import Counter
from pathlib import Path

import pytest

from controller.adapters.entropy import load_chain, new_chain
from controller.core.draws import JUGADOR_AFORTUNADO, DrawContext, commitment_of, draw_position
from controller.core.draws_verify import hash_of_list

SEATS = (1, 2, 3, 4, 5, 6, 7)
DRAWS = 20_000
CHI_SQUARE_6_999 = 22
"""99.9 % quantile with six degrees of freedom, floored."""
SEED = bytes.fromhex("58f0830dafbae14e119d45bafdea96d0e95f255e4988a03d3a3280307cec00fc")


@pytest.mark.requirement("R100", "R103")
def test_each_table_has_a_chain_of_its_own_that_nobody_else_reads(tmp_path: Path) -> None:
    chains = [new_chain(tmp_path / f"t{number}.draws", 500) for number in range(4)]
    seeds = {chain.seed(index) for chain in chains for index in range(1, 501)}
    assert len(seeds) == 4 * 500
    for number, chain in enumerate(chains):
        assert (tmp_path / f"t{number}.draws").stat().st_mode & 0o777 == 0o600
        assert commitment_of(bytes.fromhex(chain.seed(1))).hex() == chain.commitment
        kept = load_chain(tmp_path / f"t{number}.draws")
        assert kept is not None
        assert kept.seed(500) == chain.seed(500)


@pytest.mark.requirement("R102")
@pytest.mark.parametrize("credits", [1, 5])
def test_results_are_uniform_at_every_stake(credits: int) -> None:
    stakes = hash_of_list([{"seat": 3, "ante": 1_000 * credits, "credits": credits}])
    places = (DrawContext("casino", "t1", "i1", hand, JUGADOR_AFORTUNADO, stakes) for hand in range(DRAWS))
    counts = Counter(draw_position(SEED, place, SEATS) for place in places)
    assert set(counts) == set(SEATS)
    squares = sum(count * count for count in counts.values())
    assert len(SEATS) * squares <= DRAWS * (DRAWS + CHI_SQUARE_6_999)
