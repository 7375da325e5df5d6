"""Saddlepoint tails compared with exact enumeration."""

import random
from itertools import combinations, product
from math import comb, isclose

import pytest

from history.fairplay.tails import compute_normal_tail, compute_tail_of_choice, compute_tail_of_sum


def count_sum(observed, parts):
    """Compute the same tail probability by exact enumeration."""
    total = 0.0
    for case in product(*parts):
        chance = 1.0
        for _, each in case:
            chance *= each
        total += chance * (sum(value for value, _ in case) >= observed - 1e-9)
    return total


def count_choice(chosen, others):
    values = [*chosen, *others]
    as_much = sum(sum(case) >= sum(chosen) - 1e-9 for case in combinations(values, len(chosen)))
    return as_much / comb(len(values), len(chosen))


@pytest.mark.parametrize("number", range(6))
def test_the_tail_of_a_sum_matches_counting(number):
    rng = random.Random(number)
    parts = []
    for _ in range(9):
        values = [rng.gauss(0, 3) ** 3 / 10 for _ in range(3)]
        parts.append([(value, 1 / 3) for value in values])
    means = sum(sum(value for value, _ in part) / 3 for part in parts)
    most = sum(max(value for value, _ in part) for part in parts)
    seen = 0
    for share in (0.3, 0.5, 0.7, 0.85):
        observed = means + share * (most - means)
        exact = count_sum(observed, parts)
        if exact > 20 / 3**9:  # with so few cases, the tail probability is a step function
            seen += 1
            assert compute_tail_of_sum(observed, parts) == pytest.approx(exact, rel=0.35)
    assert seen >= 2


def test_the_tail_of_the_largest_sum_is_exact():
    parts = [[(4.0, 1 / 3), (-2.0, 1 / 3), (-2.0, 1 / 3)]] * 6
    assert compute_tail_of_sum(24.0, parts) == pytest.approx(3**-6)
    assert compute_tail_of_sum(0.0, parts) == pytest.approx(compute_normal_tail(0))
    assert compute_tail_of_sum(-12.0, parts) > 0.9
    assert compute_tail_of_sum(0.0, [[(2.0, 1.0)]]) == 1.0


def test_the_far_tail_of_coins_is_binomial():
    parts = [[(1.0, 0.5), (0.0, 0.5)]] * 100
    exact = sum(comb(100, heads) for heads in range(80, 101)) / 2**100
    # Between the steps of the exact tail, the approximation is half a step lower.
    assert isclose(compute_tail_of_sum(79.5, parts), exact, rel_tol=0.1)


@pytest.mark.parametrize("number", range(6))
def test_the_tail_of_a_choice_matches_counting(number):
    rng = random.Random(number)
    others = [rng.expovariate(0.1) for _ in range(10)]
    chosen = [rng.expovariate(0.1) + 8 for _ in range(6)]
    exact = count_choice(chosen, others)
    assert compute_tail_of_choice(chosen, others) == pytest.approx(exact, rel=0.35)


def test_the_tail_of_the_best_choice_is_exact():
    assert compute_tail_of_choice([5.0, 6.0], [1.0, 2.0, 3.0]) == pytest.approx(1 / comb(5, 2))
    # The 9 lies among the four chosen of ten in four of ten cases, whatever the equal others are.
    assert compute_tail_of_choice([9.0, 0.0, 0.0, 0.0], [0.0] * 6) == pytest.approx(0.4)
    assert compute_tail_of_choice([1.0, 1.0], [1.0, 1.0]) == 1.0
    assert compute_tail_of_choice([1.0], []) == 1.0
    assert compute_tail_of_choice([1.0, 2.0], [5.0, 6.0, 7.0]) > 0.9
