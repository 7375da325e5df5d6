"""Evidence over many matches about colluding pairs, friends and their opponents."""

import random

import pytest

from games.engine.game import PairSums
from history.fairplay.pairs import (
    FALSE_RATE,
    Ledger,
    Trace,
    adjust_p_values,
    compute_evidence,
    compute_findings,
)
from tests.history.fairplay.synthetic import club, match_traces


def find_evidence(traces):
    return {pair: kinds for pair, kinds in compute_evidence(traces).items() if kinds.is_found}


def test_only_the_feeding_pair_is_found():
    guilty = find_evidence(club(400, 1, feeds=(1, 2)))
    assert set(guilty) == {(1, 2)}
    assert guilty[1, 2].kinds["feeding"].q <= FALSE_RATE


def test_only_the_pair_that_loses_on_purpose_is_found():
    guilty = find_evidence(club(400, 2, dumps=(1, 2)))
    assert set(guilty) == {(1, 2)}
    dumping = guilty[1, 2].kinds["dumping"]
    assert dumping.q <= FALSE_RATE
    assert dumping.finding.giver == 1


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_friends_who_often_play_together_are_not_accused(seed):
    seen = compute_evidence(club(500, seed))
    assert seen[1, 2].matches > 100
    assert not any(each.is_found for each in seen.values())


def test_every_match_of_a_pair_counts():
    traces = club(400, 1, feeds=(1, 2))
    ours = {t.match for t in traces if (t.giver, t.taker) == (1, 2)}
    neighbours = {t.match for t in traces if {t.giver, t.taker} == {1, 2} and t.sums.feeding_others}
    seen = compute_evidence(traces)[1, 2]
    assert seen.matches == len(ours)
    assert seen.kinds["feeding"].finding.matches == len(neighbours)


def test_too_few_matches_are_no_evidence():
    rng = random.Random(7)
    traces = []
    for number in range(11):
        traces += match_traces(number, [1, 2, 3, 4], rng, feeds=(1, 2))
    assert compute_evidence(traces) == {}


def test_the_chance_of_feeding_is_that_of_exchanged_opponents():
    """In each of six matches, the next player gained the most of three opponents. By chance that is one in 3⁶."""
    row = PairSums(feeding=4.0, feeding_others=(-2.0, -2.0))
    back = PairSums()
    traces = []
    for number in range(6):
        traces += [Trace(number, 1, 2, row), Trace(number, 2, 1, back)]
    finding = compute_findings(Ledger.of(traces), [(1, 2)])[1, 2]["feeding"]
    assert finding.matches == 6
    assert finding.p == pytest.approx(3**-6)


def test_money_lost_is_weighed_by_the_winners_success_elsewhere():
    """Player 9 wins four of five matches against everybody, so losing to player 9 is no evidence."""
    traces = []
    for number in range(40):
        winner = 9 if number % 5 else 2 + number // 5 % 2
        for giver in (1, 2, 3, 9):
            for taker in {1, 2, 3, 9} - {giver}:
                lost = 0.0 if giver == winner else 60.0
                sums = PairSums(paid=lost if taker == winner else 0.0, paid_due=lost / 3)
                traces.append(Trace(number, giver, taker, sums))
    finding = compute_findings(Ledger.of(traces), [(1, 9)])[1, 9]["money"]
    assert (finding.matches, finding.giver) == (40, 1)
    assert finding.p > 0.01
    alone = [trace for trace in traces if trace.giver == 1]
    assert compute_findings(Ledger.of(alone), [(1, 9)])[1, 9]["money"].p < 1e-6


def test_rates_of_false_discoveries_are_those_of_benjamini_and_hochberg():
    qs = adjust_p_values({"a": 0.001, "b": 0.008, "c": 0.039, "d": 0.041, "e": 0.9})
    assert qs == pytest.approx({"a": 0.005, "b": 0.02, "c": 0.05125, "d": 0.05125, "e": 0.9})
