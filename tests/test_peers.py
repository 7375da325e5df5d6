"""The speed ratios to public programs that a release must keep (bench/peers.py)."""

from bench.peers import KEPT, PAIRS, list_fallen, read


def test_a_ratio_has_fallen_when_its_best_round_is_a_tenth_lower():
    kept = {"gin": 2.0, "ledger": 4.0, "lays": 1.0}
    rounds = {"gin": [1.7, 1.8, 1.6], "ledger": [2.9, 3.0, 3.61], "new": [0.1, 0.1, 0.1]}
    assert list_fallen(kept, rounds) == ["gin: the ratio has fallen from 2.00 to 1.80."]


def test_every_pair_is_compared_with_the_release_before():
    assert read(KEPT).keys() == {pair.name for pair in PAIRS}
    assert min(read(KEPT).values()) > 0
