"""The solver drops some states as it searches. It may drop only states that cannot lead to a better lay."""

from itertools import permutations

import pytest

from bench.hard_lays import list_hard_positions
from games.rummikub.rules import solver
from games.rummikub.rules.laying import find_best_lay, judge_table
from games.rummikub.rules.solver import LONG, STATES
from tests.effort import share_of

HARD = share_of(30)


def is_as_good(runs, others):
    """Return whether each of the others is matched by a run at least as long, and all other runs are long."""
    return any(
        all(run >= other for run, other in zip(chosen, others, strict=False))
        and all(run == LONG for run in chosen[len(others) :])
        for chosen in permutations(runs)
        if len(runs) >= len(others)
    )


def test_a_state_is_as_good_as_another_one_if_it_can_go_on_in_every_way_of_it():
    compared = 0
    for state, runs in enumerate(STATES):
        bits = solver._BITS_OF_STATE[state]
        for other, others in enumerate(STATES):
            has_all = bits | solver._BITS_OF_STATE[other] == bits
            assert has_all == is_as_good(runs, others), (runs, others)
            compared += 1
    assert compared == len(STATES) ** 2


class KeepingSearch(solver._Search):
    """A search that drops no states."""

    def _put_best_first(self, gains):
        return dict(gains)


@pytest.mark.parametrize("fifth", range(5))
def test_hard_positions_have_the_same_answers_if_no_state_is_dropped(monkeypatch, fifth):
    positions = list_hard_positions(HARD)[fifth::5]
    find_best_lay.cache_clear()
    found = [find_best_lay(stand) for stand in positions]
    for stand, best in zip(positions, found, strict=True):
        assert best is not None
        assert judge_table(stand, best.table).refusal is None
    find_best_lay.cache_clear()
    monkeypatch.setattr(solver, "_Search", KeepingSearch)
    monkeypatch.setattr(solver, "STEPS_OF_NUMBER", (10**9, 10**9))
    everything = [find_best_lay(stand) for stand in positions]
    find_best_lay.cache_clear()
    assert [best and best.worth for best in found] == [best and best.worth for best in everything]
    assert len(found) == HARD // 5
