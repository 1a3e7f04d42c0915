"""What holds for any hand's prizes, and an oracle in fractions that was written without looking at the rule's code."""

from collections import Counter
from fractions import Fraction
from math import floor

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from controller.core.hands import Category
from controller.core.prizes import (
    Balance,
    PaidBy,
    Prize,
    PrizeList,
    RoyalWithStraightFlush,
    Settlement,
    Winner,
    settle_prizes,
)

ROYAL, FLUSHES, FOUR = 7462, range(7453, 7462), 7300
MINOR_MICROS = st.sampled_from([10_000, 100_000, 1_000_000])
ROWS = (
    Prize(Category.ROYAL_FLUSH, percent=100),
    Prize(Category.STRAIGHT_FLUSH, percent=10),
    Prize(Category.FOUR_OF_A_KIND, fixed_minor=50_000),
)


def winner(seat: int, strength: int, credits: int) -> Winner:
    if strength == ROYAL:
        return Winner(seat, Category.ROYAL_FLUSH, strength, credits)
    category = Category.STRAIGHT_FLUSH if strength in FLUSHES else Category.FOUR_OF_A_KIND
    return Winner(seat, category, strength, credits)


STRENGTHS = st.sampled_from([ROYAL, FOUR, *FLUSHES])
WINNERS = st.lists(st.tuples(STRENGTHS, st.integers(1, 5)), min_size=1, max_size=10).map(
    lambda hands: [winner(seat, *each) for seat, each in enumerate(hands, 1)]
)
PRIZE_LISTS = st.builds(
    PrizeList,
    rows=st.just(ROWS),
    royal_with_straight_flush=st.sampled_from(RoyalWithStraightFlush),
    fixed_prizes_from=st.sampled_from(PaidBy),
    top_up_after_partial=st.booleans(),
)
AMOUNTS = st.one_of(st.integers(0, 10**6), st.integers(0, 10**14))
BALANCES = st.lists(st.tuples(AMOUNTS, AMOUNTS, AMOUNTS), min_size=1, max_size=5).map(
    lambda rows: [Balance(f"t{number}", *row) for number, row in enumerate(rows)]
)


def oracle_amounts(prizes: PrizeList, balances: list[Balance], winners: list[Winner], minor: int) -> dict[int, int]:
    """Minor units by seat, in fractions of a minor unit: the articles read aloud, one after the other."""
    pot = Fraction(sum(balance.micros for balance in balances), minor)
    paid: dict[int, int] = {}
    royals = [each.seat for each in winners if each.category is Category.ROYAL_FLUSH]
    flushes = Counter(each.strength for each in winners if each.category is Category.STRAIGHT_FLUSH)

    def pay_royals() -> None:
        nonlocal pot
        for seat in royals:
            paid[seat] = floor(pot / len(royals))
        pot -= sum(paid[seat] for seat in royals)

    def pay_flushes(initial: Fraction) -> None:
        nonlocal pot
        remaining = initial
        for strength, number in sorted(flushes.items(), reverse=True):
            tenth = remaining / 10 if number == 1 else min(initial / 10, remaining / number)
            for each in winners:
                if each.strength == strength:
                    paid[each.seat] = floor(tenth)
            remaining -= number * floor(tenth)
        pot -= initial - remaining

    if not royals:
        pay_flushes(pot)
    elif prizes.royal_with_straight_flush is RoyalWithStraightFlush.STRAIGHT_FLUSH_FIRST:
        pay_flushes(pot)
        pay_royals()
    else:
        pay_royals()
        if prizes.royal_with_straight_flush is RoyalWithStraightFlush.RESTART_THEN_PAY:
            restart = sum(max(balance.start_micros, balance.reserve_micros) for balance in balances)
            pay_flushes(Fraction(restart, minor))
    for each in winners:
        if each.category is Category.FOUR_OF_A_KIND:
            paid[each.seat] = 50_000 * each.credits
    return {seat: amount for seat, amount in paid.items() if amount}


def oracle_proportional(amount: int, parts: list[int]) -> list[int]:
    """Largest remainder: everybody's floor, then one micro each to those who lost most by it, the first on a tie."""
    quotas = [Fraction(amount * part, sum(parts)) for part in parts]
    shares = [floor(quota) for quota in quotas]
    by_loss = sorted(range(len(parts)), key=lambda index: (shares[index] - quotas[index], index))
    for index in by_loss[: amount - sum(shares)]:
        shares[index] += 1
    return shares


@pytest.mark.requirement("R30")
@settings(max_examples=200)
@given(prizes=PRIZE_LISTS, balances=BALANCES, winners=WINNERS, minor=MINOR_MICROS)
def test_amounts_agree_with_the_oracle(
    prizes: PrizeList, balances: list[Balance], winners: list[Winner], minor: int
) -> None:
    settled = settle_prizes(prizes, balances, winners, minor)
    assert {award.seat: award.amount_minor for award in settled.awards} == oracle_amounts(
        prizes, balances, winners, minor
    )


@pytest.mark.requirement("R30")
@pytest.mark.article("O-n")
@settings(max_examples=150)
@given(balances=BALANCES, strength=st.sampled_from([ROYAL, *FLUSHES]), minor=MINOR_MICROS)
def test_debits_agree_with_the_oracle(balances: list[Balance], strength: int, minor: int) -> None:
    settled = settle_prizes(PrizeList(ROWS), balances, [winner(1, strength, 1)], minor)
    for award in settled.awards:
        taken = dict(award.debits)
        shares = oracle_proportional(award.amount_minor * minor, [balance.micros for balance in balances])
        assert [taken.get(balance.table, 0) for balance in balances] == shares


@pytest.mark.requirement("R30")
@settings(max_examples=200)
@given(prizes=PRIZE_LISTS, balances=BALANCES, winners=WINNERS, minor=MINOR_MICROS)
def test_every_micro_is_accounted_for_at_every_table(
    prizes: PrizeList, balances: list[Balance], winners: list[Winner], minor: int
) -> None:
    settled = settle_prizes(prizes, balances, winners, minor)
    funding, used = dict(settled.funding), dict(settled.reserve_used)
    for before, after in zip(balances, settled.balances, strict=True):
        debits = sum(dict(award.debits).get(before.table, 0) for award in settled.awards)
        added = funding.get(before.table, 0) + used.get(before.table, 0)
        assert after.micros == before.micros - debits + added
        assert after.reserve_micros == before.reserve_micros - used.get(before.table, 0)
        assert min(after.micros, after.reserve_micros, *funding.values(), *used.values(), 0) == 0
    for award in settled.awards:
        from_meter = award.amount_minor * minor if award.paid_by is PaidBy.METER else 0
        assert sum(micros for _, micros in award.debits) == from_meter


@pytest.mark.article("O-h")
@settings(max_examples=100)
@given(balances=BALANCES, royals=st.integers(1, 4), minor=MINOR_MICROS)
def test_after_royals_every_table_stands_at_its_start_or_reserve_plus_its_part_of_the_remainder(
    balances: list[Balance], royals: int, minor: int
) -> None:
    settled = settle_prizes(PrizeList(ROWS), balances, [winner(seat, ROYAL, 1) for seat in range(royals)], minor)
    above = [
        after.micros - max(before.start_micros, before.reserve_micros)
        for before, after in zip(balances, settled.balances, strict=True)
    ]
    assert settled.restarted
    assert min(above) >= 0
    assert sum(above) == sum(balance.micros for balance in balances) % (royals * minor)


@settings(max_examples=150)
@given(prizes=PRIZE_LISTS, balances=BALANCES, winners=WINNERS, minor=MINOR_MICROS, data=st.data())
def test_order_of_registration_changes_nothing(
    prizes: PrizeList, balances: list[Balance], winners: list[Winner], minor: int, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(winners))
    assert settle_prizes(prizes, balances, winners, minor) == settle_prizes(prizes, balances, shuffled, minor)


def is_tie_paid_before_others(prizes: PrizeList, winners: list[Winner]) -> bool:
    """Whether equal straight flushes are paid before another prize out of the same meter."""
    strengths = Counter(each.strength for each in winners if each.category is Category.STRAIGHT_FLUSH)
    ties = [strength for strength, number in strengths.items() if number > 1]
    royal_later = prizes.royal_with_straight_flush is RoyalWithStraightFlush.STRAIGHT_FLUSH_FIRST and any(
        each.strength == ROYAL for each in winners
    )
    return bool(ties) and (royal_later or max(ties) > min(strengths))


@settings(max_examples=200)
@given(
    prizes=PRIZE_LISTS,
    balances=BALANCES,
    winners=WINNERS,
    minor=MINOR_MICROS,
    more=st.integers(1, 10**9),
    table=st.integers(0, 4),
)
def test_more_contribution_never_lowers_a_prize(
    prizes: PrizeList, balances: list[Balance], winners: list[Winner], minor: int, more: int, table: int
) -> None:
    """But for what is left behind equal straight flushes: see the next test."""
    assume(not is_tie_paid_before_others(prizes, winners))
    raised = list(balances)
    one = raised[table % len(raised)]
    raised[table % len(raised)] = Balance(one.table, one.micros + more, one.start_micros, one.reserve_micros)
    before = by_seat(settle_prizes(prizes, balances, winners, minor))
    after = by_seat(settle_prizes(prizes, raised, winners, minor))
    assert all(after.get(seat, 0) >= amount for seat, amount in before.items())


@pytest.mark.article("O-c", "O-d")
def test_a_centavo_can_move_from_a_lower_hand_to_three_equal_ones() -> None:
    """40 centavos instead of 39: each of three equals gets 4 instead of 3, and 28 instead of 30 remain."""
    hands = [winner(1, 7460, 1), winner(2, 7460, 1), winner(3, 7460, 1), winner(4, 7455, 1)]
    amounts = [
        by_seat(settle_prizes(PrizeList(ROWS), [Balance("t", meter * 10_000, 0)], hands, 10_000)) for meter in (39, 40)
    ]
    assert amounts == [{1: 3, 2: 3, 3: 3, 4: 3}, {1: 4, 2: 4, 3: 4, 4: 2}]


def by_seat(settled: Settlement) -> dict[int, int]:
    return {award.seat: award.amount_minor for award in settled.awards}
